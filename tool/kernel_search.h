/* Whether a program has SystemC linked in where preloading does not reach it. */
#ifndef FTR_KERNEL_SEARCH_H
#define FTR_KERNEL_SEARCH_H

#include <stdbool.h>

/* Looks for @p program as execvp() does. @return false when there is none: @p path is untouched. */
bool ftr_find_program(const char *program, char *path, unsigned long size);

/* Whether @p path is an ELF program that has a SystemC kernel of its own, does not export it, and
 * has no plug-in linked in either. False for a file that cannot be read. */
bool ftr_has_hidden_kernel(const char *path);

#endif
