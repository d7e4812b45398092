/* A file that appears under its name only when it is complete: it is written under another name in
 * the same directory, synced, and renamed. A process that is killed at any moment leaves the old
 * file, or none, or the whole new one. */
#ifndef FTR_ATOMIC_FILE_H
#define FTR_ATOMIC_FILE_H

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The permissions of the file that is replaced; of a new file, what the umask allows. */
#define FTR_ATOMIC_FILE_MODE ((mode_t)-1)

typedef struct ftr_atomic_file {
    char *path;       /* the name of the complete file; NULL: it never gets one */
    char *aside;      /* the name until then, in the same directory: PATH.part-PID-N, or NULL */
    int fd;           /* open for reading and writing; -1: no file */
    mode_t mode;      /* set before the file is renamed, or FTR_ATOMIC_FILE_MODE */
    int system_error; /* errno of the first failed ftr_atomic_file_write(), or 0 */
} ftr_atomic_file;

/* Creates the file aside.
 * @param mode permission bits of the complete file, or FTR_ATOMIC_FILE_MODE
 * @return FTR_OK; FTR_ERR_MEMORY; FTR_ERR_IO with errno set: EISDIR, ELOOP or ENOTSUP where @p path
 *         is a directory, a symbolic link, or a device, FIFO or socket */
FTR_MUST_USE ftr_status ftr_atomic_file_create(ftr_atomic_file *file, const char *path,
                                               mode_t mode);

/* Creates a file without a name instead, in TMPDIR or /tmp, which can only be read back and
 * discarded. @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_create_nameless(ftr_atomic_file *file);

/* Appends bytes. The type is that of ftr_sink.write.
 * @param file an ftr_atomic_file
 * @return how many bytes were written, or a negated errno value */
int64_t ftr_atomic_file_write(void *file, const void *bytes, size_t size);

/* Empties the file, to be written again. @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_restart(ftr_atomic_file *file);

/* Syncs the file and gives it its name; releases @p file. On failure the file aside is removed.
 * @param replace whether a file of that name, or one that appeared meanwhile, is replaced
 * @return FTR_OK; FTR_ERR_IO with errno set: EEXIST where it may not be replaced */
FTR_MUST_USE ftr_status ftr_atomic_file_commit(ftr_atomic_file *file, bool replace);

/* Removes the file aside and releases @p file; keeps errno. Does nothing for {.fd = -1}. */
void ftr_atomic_file_discard(ftr_atomic_file *file);

/* Gives a directory that was made aside its name, which nothing else may have.
 * @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_rename_new(const char *aside, const char *path);

/* The name that a file aside gets at the @p number-th attempt: PATH.part-PID-NUMBER, with the last
 * part of PATH shortened where the result would exceed NAME_MAX. @return malloc'ed, or NULL */
char *ftr_atomic_file_aside(const char *path, unsigned number);

#endif
