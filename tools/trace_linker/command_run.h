/** @file
 *  Runs compilers and linkers. Uses no shell, so that arguments are passed unchanged. */
#ifndef FTR_COMMAND_RUN_H
#define FTR_COMMAND_RUN_H

#include "command_arena.h"
#include "report.h"

#include <stdio.h>

/** Prints text of a compiler or linker. If @p to is a terminal, characters that the terminal would
 * interpret become \xNN (ftr/detail/plain_text.h), except tabs and line ends. */
void ftr_command_show(FILE *text, FILE *to);

/** Runs @p command (terminated by NULL) with the stdin, stdout and stderr of this process. Output
 * to a terminal is printed by ftr_command_show().
 * @return exit status of the command; 128 + number of the signal that ended it; -1 after an error
 *         message if it could not be started */
int ftr_command_run(ftr_link_report *report, const char *const *command);

/** Returns the first line that a command prints to stdout; its stderr is discarded. Returns NULL if
 * the command fails or prints nothing. */
const char *ftr_command_output(ftr_link_arena *arena, const char *const *command);

/** Splits text at blanks like a shell. Quotes and backslashes have the same meaning as in a shell;
 * variables and patterns are not expanded. */
void ftr_command_split(ftr_link_arena *arena, const char *text, ftr_name_list *words);

/** Reads a file of arguments (on a command line: @FILE). @return false if it cannot be read */
bool ftr_command_response(ftr_link_arena *arena, const char *path, ftr_name_list *words);

/** Returns a command line in a form that can be pasted into a shell. */
const char *ftr_command_text(ftr_link_arena *arena, const char *const *command);

#endif
