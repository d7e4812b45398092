/* A command line as text for a shell. Values that look like passwords or keys are replaced. */
#ifndef FTR_MASKED_ARGUMENTS_H
#define FTR_MASKED_ARGUMENTS_H

#include <stddef.h>

/* Joins words that each end with a NUL, as in /proc/PID/cmdline. Words that a shell would split or
 * change are quoted. Values that look like secrets are replaced by `***`. A value is secret if the
 * name before it contains `password`, `passwd`, `passphrase`, `token`, `secret` or `credential`, or
 * ends with `key`, in any case of the letters. The value of a name is the rest of the word behind
 * `=`. If the name is an option without `=`, the value is the next word, unless that word begins
 * with `-`. Passwords in URLs are also secret.
 * @return malloc'ed; NULL if out of memory */
char *ftr_masked_arguments(const char *words, size_t size);

#endif
