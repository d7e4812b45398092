/* Messages for terminals. Each message is one line, in which names, paths and texts cannot control
 * the terminal. */
#ifndef FTR_PLAIN_MESSAGE_H
#define FTR_PLAIN_MESSAGE_H

#include <stdarg.h>
#include <stdio.h>

/* Prints @p before, the formatted message and @p behind with a single call, so that the lines of
 * several threads are not mixed. Characters of the message that a terminal would interpret, and
 * line ends, become \xNN (ftr/detail/plain_text.h). @p before and @p behind are printed unchanged.
 * If out of memory, prints only the format. */
__attribute__((format(printf, 3, 0))) void ftr_vprint_message(FILE *to, const char *before,
                                                              const char *format, va_list arguments,
                                                              const char *behind);

/* Prints @p before, the formatted message and a line end. */
__attribute__((format(printf, 3, 4))) void ftr_print_message(FILE *to, const char *before,
                                                             const char *format, ...);

#endif
