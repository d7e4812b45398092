/* A file that appears under its name only when it is complete: it is written under a temporary name
 * in the same directory, synced, and renamed. If the process is killed at any moment, the name
 * refers to the old file (if there was one) or to the complete new file. */
#ifndef FTR_ATOMIC_FILE_H
#define FTR_ATOMIC_FILE_H

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* A value for `mode`: if the new file replaces a file of this user, it gets the permissions of that
 * file. Otherwise it gets the default permissions under the umask; if it replaces a file of another
 * user, group and others get no permissions that the replaced file does not give them. */
#define FTR_ATOMIC_FILE_MODE ((mode_t)-1)

typedef struct ftr_atomic_file {
    char *path; /* the name of the complete file; NULL for a file that stays nameless */
    /* PATH.part-PID-N, the name until the commit; NULL for a file without a name */
    char *temporary_path;
    int fd;           /* the file, open for reading and writing; -1: no file */
    mode_t mode;      /* permissions to set before the rename, or FTR_ATOMIC_FILE_MODE */
    mode_t created;   /* permissions for open(), from which the umask is removed */
    int system_error; /* errno of the first failed ftr_atomic_file_write(), or 0 */
} ftr_atomic_file;

/* Returns the permissions for a new file with the content of the file @p source: the permissions of
 * @p source. If @p source belongs to another user, the write permissions of group and others are
 * removed. */
mode_t ftr_atomic_file_mode_of_copy(const struct stat *source);

/* Creates the file under a temporary name, and locks it if the file system supports locks. Creates
 * missing parent directories of @p path. Removes the temporary files that killed processes left for
 * the same path.
 * @param mode permission bits of the complete file, or FTR_ATOMIC_FILE_MODE
 * @return FTR_OK; FTR_ERR_MEMORY; FTR_ERR_IO with errno set: ENOENT if @p path is empty; EISDIR,
 *         ELOOP or ENOTSUP if @p path is a directory, a symbolic link, or a device, FIFO or socket;
 *         ELOOP also if the symbolic link of another user leads to the folder of @p path
 *         (output_path.h) */
FTR_MUST_USE ftr_status ftr_atomic_file_create(ftr_atomic_file *file, const char *path,
                                               mode_t mode);

/* Creates a file without a name, in TMPDIR or /tmp. The file can be read back and discarded, but
 * not committed.
 * @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_create_nameless(ftr_atomic_file *file);

/* Appends bytes. Has the type of ftr_sink.write.
 * @param file an ftr_atomic_file
 * @return number of bytes written, which can be less than @p size; or a negated errno value */
int64_t ftr_atomic_file_write(void *file, const void *bytes, size_t size);

/* Truncates the file to 0 bytes, so that it can be written again. @return FTR_OK, or FTR_ERR_IO
 * with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_restart(ftr_atomic_file *file);

/* Syncs the file and renames it to its final name. On failure, removes the temporary file. Releases
 * @p file in both cases.
 * @param replace whether an existing regular file with the final name is replaced, even if it was
 *                created in the meantime. The index of a replaced trace is removed (index_place.h)
 * @return FTR_OK; FTR_ERR_IO with errno set: EEXIST if the file exists and @p replace is false;
 *         EISDIR, ELOOP or ENOTSUP as for ftr_atomic_file_create() */
FTR_MUST_USE ftr_status ftr_atomic_file_commit(ftr_atomic_file *file, bool replace);

/* Like ftr_atomic_file_commit(), for a file whose reader recognises lost data: does not wait until
 * the data is on the disk, and always replaces an existing regular file. */
FTR_MUST_USE ftr_status ftr_atomic_file_commit_unsynced(ftr_atomic_file *file);

/* Removes the temporary file and releases @p file; preserves errno. Does nothing for {.fd = -1}. */
void ftr_atomic_file_discard(ftr_atomic_file *file);

/* Renames a directory from its temporary name to its final one, which must not exist.
 * @return FTR_OK, or FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_atomic_file_rename_new(const char *temporary_path, const char *path);

/* Returns the temporary name for the @p number-th attempt: PATH.part-PID-NUMBER, with the last part
 * of PATH shortened if the result could exceed NAME_MAX. @return malloc'ed, or NULL */
char *ftr_atomic_file_temporary_name(const char *path, unsigned number);

/* ---- temporary files without a name ---------------------------------------------------------- */

/* Creates an unlinked temporary file in @p directory (NULL: TMPDIR, else /tmp). The file vanishes
 * when the process ends, even if the process is killed, and other users cannot read the file.
 * @return its descriptor, or -1 with errno set */
int ftr_temporary_file(const char *directory);

#endif
