/** @file
 *  Runs compilers and linkers. No shell: every argument arrives as it is. */
#ifndef FTR_COMMAND_RUN_H
#define FTR_COMMAND_RUN_H

#include "command_arena.h"
#include "name_list.h"
#include "report.h"

/** Runs @p command (NULL at its end) with our stdin, stdout and stderr.
 *  @return its exit status; 128 + the signal that ended it; -1 when it could not be started, and
 * the report was told */
int ftr_command_run(ftr_link_report *report, const char *const *command);

/** The first line a command writes, or NULL when it fails. */
const char *ftr_command_output(ftr_link_arena *arena, const char *const *command);

/** Splits text at blanks as a shell would, minding quotes and backslashes, but expanding nothing.
 */
void ftr_command_split(ftr_link_arena *arena, const char *text, ftr_name_list *words);

/** Reads an @file of arguments. @return false when it cannot be read */
bool ftr_command_response(ftr_link_arena *arena, const char *path, ftr_name_list *words);

/** A command line as a person could paste it. */
const char *ftr_command_text(ftr_link_arena *arena, const char *const *command);

#endif
