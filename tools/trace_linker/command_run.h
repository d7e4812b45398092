/** @file
 *  Runs compilers and linkers. Uses no shell, so that arguments are passed unchanged. */
#ifndef FTR_COMMAND_RUN_H
#define FTR_COMMAND_RUN_H

#include "command_arena.h"
#include "report.h"

#include <stdio.h>

/** Copies the file @p text, which is output of a compiler or linker, to @p to. If @p to is a
 * terminal, characters that the terminal would interpret become \xNN (ftr/detail/plain_text.h),
 * except tabs and line ends. */
void ftr_command_show(FILE *text, FILE *to);

/** Runs @p command (terminated by NULL) with the stdin, stdout and stderr of this process. If the
 * output goes to a terminal, it passes through ftr_command_show().
 * @return exit status of the command; 128 + number of the signal that ended it; -1 after an error
 *         message if it could not be started */
int ftr_command_run(ftr_link_report *report, const char *const *command);

/** Returns the first line that a command prints to stdout; its stderr is discarded. Returns NULL if
 * the command fails or prints nothing. */
const char *ftr_command_output(ftr_link_arena *arena, const char *const *command);

/** Appends the words of @p text, which are separated by blanks, to @p words. Quotes and backslashes
 * have the same meaning as in a shell, but within double quotes a backslash quotes every character.
 * Variables and patterns are not expanded. */
void ftr_command_split(ftr_link_arena *arena, const char *text, ftr_name_list *words);

/** Appends the arguments in a file (on a command line: @FILE) to @p words. @return false if it
 * cannot be read */
bool ftr_command_response(ftr_link_arena *arena, const char *path, ftr_name_list *words);

/** Returns a command line as one text, for messages. Words with special characters are quoted. */
const char *ftr_command_text(ftr_link_arena *arena, const char *const *command);

#endif
