/* Reads whole files into memory. */
#ifndef FTR_WHOLE_FILE_H
#define FTR_WHOLE_FILE_H

#include <stddef.h>
#include <stdio.h>

/* Reads a stream to its end, at most @p limit bytes.
 * @return the content, followed by a NUL byte; the caller must free() it. NULL on failure, with
 * errno set: EFBIG if the stream is longer than the limit */
char *ftr_read_whole(FILE *file, size_t limit, size_t *size);

/* Like ftr_read_whole() for the file @p path, or for stdin if the path is "-". */
char *ftr_read_whole_file(const char *path, size_t limit, size_t *size);

#endif
