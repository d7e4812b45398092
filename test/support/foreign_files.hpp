// Files of another user. Root gives files away; for every other user, the wrapped functions
// lstat(), stat() and fstat() show another owner. For programs linked with ftr_show_foreign_files()
// in recorder_tests.cmake.
#ifndef FTR_TEST_FOREIGN_FILES_HPP
#define FTR_TEST_FOREIGN_FILES_HPP

#include <string>

// Makes another user the owner of @p path; if this is a link, of the link itself.
void give_away(const std::string &path);

// Forgets the files of this process that were given away. Later files can have the same inodes.
void forget_given_away();

#endif
