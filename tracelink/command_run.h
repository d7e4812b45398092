/** @file
 *  Runs compilers and linkers. No shell: every argument arrives as it is. */
#ifndef TRACELINK_COMMAND_RUN_H
#define TRACELINK_COMMAND_RUN_H

#include "command_arena.h"
#include "name_list.h"
#include "report.h"

/** Runs @p command (NULL at its end) with our stdin, stdout and stderr.
 *  @return its exit status; 128 + the signal that ended it; -1 when it could not be started, and
 * the report was told */
int command_run(struct report *report, const char *const *command);

/** The first line a command writes, or NULL when it fails. */
const char *command_output(struct arena *arena, const char *const *command);

/** Splits text at blanks as a shell would, minding quotes and backslashes, but expanding nothing.
 */
void command_split(struct arena *arena, const char *text, struct name_list *words);

/** Reads an @file of arguments. @return false when it cannot be read */
bool command_response(struct arena *arena, const char *path, struct name_list *words);

/** A command line as a person could paste it. */
const char *command_text(struct arena *arena, const char *const *command);

#endif
