/* Temporary files without a name: they vanish with the process, even if it is killed. */
#ifndef FTR_TEMPORARY_FILE_H
#define FTR_TEMPORARY_FILE_H

/* Creates an unlinked temporary file in @p directory (NULL: TMPDIR, else /tmp). @return its
 * descriptor, or -1 with errno set */
int ftr_temporary_file(const char *directory);

#endif
