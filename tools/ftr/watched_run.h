/* Runs a program for `ftr attach` and finds out whether a prototype was recorded. */
#ifndef FTR_WATCHED_RUN_H
#define FTR_WATCHED_RUN_H

#include <stdbool.h>

/* Runs @p command, which is searched as by execvp(), and waits for its end. Forwards signals that
 * would end this process. If a signal ends the command, this process also ends by this signal; if
 * this process is killed, so is the command. Prints a message on stderr if neither the command nor
 * any process that it started loaded the plug-in.
 * @return the exit status of the command; @p not_attached if no plug-in was loaded and @p
 * is_strict; 127 or 126 if the command could not be run */
int ftr_run_watched(char **command, bool is_strict, int not_attached);

#endif
