/* Whether a program has SystemC linked in where preloading does not reach it. */
#ifndef FTR_KERNEL_SEARCH_H
#define FTR_KERNEL_SEARCH_H

#include <stdbool.h>

/* Looks for @p program as execvp() does. @return false when there is none: @p path is untouched. */
bool ftr_find_program(const char *program, char *path, unsigned long size);

/* Whether @p path is an ELF program that has a SystemC kernel of its own and does not export it.
 * False for what cannot be read. */
bool ftr_has_hidden_kernel(const char *path);

#endif
