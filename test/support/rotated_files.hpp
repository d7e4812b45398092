// Names of the files of a trace with FTR_MAX_FILES.
#ifndef FTR_TEST_ROTATED_FILES_HPP
#define FTR_TEST_ROTATED_FILES_HPP

#include <string>

// Returns the path of a trace's file with this number. @p stem is that of the first, without
// ".ftr".
inline std::string file_of(const std::string &stem, unsigned number)
{
    return stem +
           (number == 1 ? ".ftr" : "_file" + std::to_string(10000 + number).substr(1) + ".ftr");
}

#endif
