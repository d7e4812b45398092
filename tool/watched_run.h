/* Runs a prototype for `ftr attach --strict` and finds out whether it was recorded. */
#ifndef FTR_WATCHED_RUN_H
#define FTR_WATCHED_RUN_H

/* Runs @p command, found as execvp() does, and waits for its end. Signals that would end this
 * process are passed on to it; a signal that ends it ends this process too.
 * @return its exit status; @p not_attached if no process that it started, itself included, loaded
 * the plug-in, which is told on stderr; 127 or 126 if it could not be run */
int ftr_run_watched(char **command, int not_attached);

#endif
