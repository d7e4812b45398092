/* A command line as text for a shell, without the passwords and keys in it. */
#ifndef FTR_MASKED_ARGUMENTS_H
#define FTR_MASKED_ARGUMENTS_H

#include <stddef.h>

/* Joins words that each end with a NUL, as in /proc/PID/cmdline. Words are quoted if a shell needs
 * it. A value that looks like a secret is replaced by `***`: the value of a name that contains
 * `password`, `passwd`, `passphrase`, `token`, `secret` or `credential` or ends with `key`, behind
 * `=` or, if the name is an option, in the next word; and the password of a URL.
 * @return malloc'ed; NULL if out of memory */
char *ftr_masked_arguments(const char *words, size_t size);

#endif
