/* Runs a prototype for `ftr attach --strict` and finds out whether it was recorded. */
#ifndef FTR_WATCHED_RUN_H
#define FTR_WATCHED_RUN_H

/* Runs @p command, which is searched as by execvp(), and waits for its end. Forwards signals that
 * would end this process. If a signal ends the command, this process also ends by this signal.
 * @return the exit status of the command; @p not_attached, after a message on stderr, if neither
 *         the command nor any process that it started loaded the plug-in; 127 or 126 if the command
 *         could not be run */
int ftr_run_watched(char **command, int not_attached);

#endif
