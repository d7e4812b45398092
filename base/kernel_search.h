/* Searches the files of programs for a SystemC kernel. A preloaded library cannot observe a kernel
 * that is linked statically and does not export its symbols. */
#ifndef FTR_KERNEL_SEARCH_H
#define FTR_KERNEL_SEARCH_H

#include <stdbool.h>

/* Searches for @p program as execvp() does, and writes its path to @p path, which has @p size
 * bytes. Ignores paths that do not fit. @return false if the program is not found; @p path is then
 * not changed */
bool ftr_find_program(const char *program, char *path, unsigned long size);

/* Returns true if @p path is an ELF program that contains a SystemC kernel, neither exports nor
 * imports the kernel's symbols, and is not linked with the plug-in of `ftr attach`. Returns false
 * for a file that cannot be read. */
bool ftr_has_hidden_kernel(const char *path);

/* Returns true if @p path is an ELF program that imports or exports the symbols of a SystemC
 * kernel. Returns false for other programs, which may still start a prototype or load a library
 * with a kernel, and for a file that cannot be read. */
bool ftr_has_visible_kernel(const char *path);

#endif
