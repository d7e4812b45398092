/* Finds programs with a SystemC kernel that is linked statically and does not export its symbols. A
 * preloaded library cannot observe these kernels. */
#ifndef FTR_KERNEL_SEARCH_H
#define FTR_KERNEL_SEARCH_H

#include <stdbool.h>

/* Searches for @p program as execvp() does. @return false if the program is not found; @p path is
 * then not changed */
bool ftr_find_program(const char *program, char *path, unsigned long size);

/* Returns true if @p path is an ELF program that contains a SystemC kernel, does not export the
 * kernel's symbols, and is not linked with the plug-in. Returns false for a file that cannot be
 * read. */
bool ftr_has_hidden_kernel(const char *path);

#endif
