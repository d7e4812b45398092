/* Temporary files without a name: nothing of them stays, however the process ends. */
#ifndef FTR_TEMPORARY_FILE_H
#define FTR_TEMPORARY_FILE_H

/* An unlinked temporary file in @p directory (NULL: TMPDIR, else /tmp), or -1 with errno set. */
int ftr_temporary_file(const char *directory);

#endif
