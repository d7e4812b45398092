/* Finds programs with a statically linked SystemC kernel, which preloading does not reach. */
#ifndef FTR_KERNEL_SEARCH_H
#define FTR_KERNEL_SEARCH_H

#include <stdbool.h>

/* Searches for @p program as execvp() does. @return false if the program is not found; @p path
 * keeps its value */
bool ftr_find_program(const char *program, char *path, unsigned long size);

/* Returns true if @p path is an ELF program with a SystemC kernel of its own that it does not
 * export, and without a linked plug-in. Returns false for a file that cannot be read. */
bool ftr_has_hidden_kernel(const char *path);

#endif
