/* Output to a file or sink. The caller passes complete chunks. */
#define _GNU_SOURCE
#include "output.h"

#include "file_claim.h"
#include "held_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Disk space is allocated in advance: twice the bytes that the file needs now, but at most
 * ALLOCATED_AT_ONCE bytes more than it needs. A short file therefore has little space to release at
 * its end. If the disk has less space, only the needed bytes are allocated. */
#define ALLOCATED_AT_ONCE ((uint64_t)1 << 20)
/* Bytes of disk space that are reserved for the end of the file. */
#define RESERVE ((uint64_t)8 << 10)
/* Number of bytes at the end of the file that are hashed into the journal, to identify the
 * trace. */
#define TAIL_SIZE ((size_t)64)

static ftr_status fail(const ftr_output *output, const char *what, int error, ftr_failure *failure)
{
    failure->status = FTR_ERR_IO;
    failure->system_error = error;
    failure->offset = output->offset;
    char cause[128];
    char position[32] = "";
    if (output->fd >= 0 || output->has_sink)
        snprintf(position, sizeof position, " at byte %llu", (unsigned long long)output->offset);
    snprintf(failure->message, sizeof failure->message, "%.300s: %s%s: %s",
             output->path != NULL ? output->path : "sink", what, position,
             strerror_r(error, cause, sizeof cause));
    return FTR_ERR_IO;
}

static ftr_status fail_deleted(const ftr_output *output, ftr_failure *failure)
{
    failure->status = FTR_ERR_IO;
    failure->system_error = ENOENT;
    failure->offset = output->offset;
    snprintf(failure->message, sizeof failure->message,
             "%.300s: the file or its folder was deleted during the recording: the %llu bytes that "
             "were written are lost",
             output->path, (unsigned long long)output->offset);
    return FTR_ERR_IO;
}

void ftr_output_use_sink(ftr_output *output, const char *name, const ftr_sink *sink)
{
    *output = (ftr_output){
        .fd = -1, .has_sink = true, .sink = *sink, .path = name != NULL ? strdup(name) : NULL};
}

/* Initialises the output for the file @p about; zero-initialised: unknown. */
static ftr_status use_file(ftr_output *output, const char *path, int fd, const struct stat *about,
                           bool is_named)
{
    const bool is_regular = S_ISREG(about->st_mode);
    *output = (ftr_output){.fd = fd,
                           .path = strdup(path),
                           .reserve = RESERVE,
                           .device = about->st_dev,
                           .inode = about->st_ino,
                           .is_regular = is_regular,
                           .is_named = is_named,
                           .can_allocate = is_regular};
    if (output->path != NULL)
        return FTR_OK;
    close(fd);
    output->fd = -1;
    return FTR_ERR_MEMORY;
}

ftr_status ftr_output_use_file(ftr_output *output, const char *path, int fd)
{
    struct stat about = {0};
    const bool is_regular = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
    return use_file(output, path, fd, &about, is_regular && ftr_file_is_at(fd, path));
}

ftr_status ftr_output_use_new_file(ftr_output *output, const char *path, int fd,
                                   const struct stat *about)
{
    return use_file(output, path, fd, about, true);
}

ftr_status ftr_output_refuse(const char *path, ftr_status status, ftr_failure *failure)
{
    char cause[128];
    const char *why = status == FTR_ERR_STATE ? "another process is writing it"
                      : status == FTR_ERR_ARGUMENT
                          ? "it is a symbolic link, a special file or a file of another user"
                          : strerror_r(errno, cause, sizeof cause);
    if (status == FTR_ERR_MEMORY)
        return status;
    failure->status = FTR_ERR_IO;
    failure->system_error = status == FTR_ERR_IO ? errno : 0;
    failure->offset = 0;
    snprintf(failure->message, sizeof failure->message,
             "%.300s: cannot be opened for recording: %s", path, why);
    return FTR_ERR_IO;
}

ftr_status ftr_output_replace(ftr_output *output, const char *path, ftr_failure *failure)
{
    int fd;
    *output = (ftr_output){.fd = -1};
    ftr_status status = ftr_file_replace(path, FTR_FILE_MODE_PRIVATE, &fd);
    return status == FTR_OK ? ftr_output_use_file(output, path, fd)
                            : ftr_output_refuse(path, status, failure);
}

/* Returns whether @p fd refers to the trace. If so, sets @p links to the number of names of the
 * trace. */
static bool is_trace_with(const ftr_output *output, int fd, uint64_t *links)
{
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0 || about.st_dev != output->device ||
        about.st_ino != output->inode)
        return false;
    *links = about.st_nlink;
    return true;
}

static bool is_trace(const ftr_output *output, int fd)
{
    uint64_t links;
    return is_trace_with(output, fd, &links);
}

bool ftr_output_is_moved(const ftr_output *output)
{
    struct stat named;
    uint64_t links;
    if (!output->is_named || (lstat(output->path, &named) == 0 && named.st_dev == output->device &&
                              named.st_ino == output->inode))
        return false;
    return is_trace_with(output, output->fd, &links) && links > 0;
}

/* Makes sure that the descriptor refers to the trace. If the program has closed all its
 * descriptors, as daemons do, the number of the descriptor may now refer to another file. In this
 * case, opens the trace again if possible. Returns whether the output can be written. */
static bool regain_descriptor(ftr_output *output)
{
    if (output->has_sink || output->is_checked || is_trace(output, output->fd))
        return true;
    output->fd = -1;
    if (!output->is_regular || output->path == NULL)
        return false;
    int fd = open(output->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (is_trace(output, fd) && ftr_file_lock(fd) &&
        lseek(fd, (off_t)output->offset, SEEK_SET) >= 0)
        output->fd = fd;
    else if (fd >= 0)
        close(fd);
    return output->fd >= 0;
}

void ftr_output_abandon(ftr_output *output)
{
    if (is_trace(output, output->fd))
        close(output->fd);
    output->fd = -1;
}

/* Returns whether the descriptor refers to the trace. Sets @p is_deleted to whether the trace had a
 * name and has none now, so that its data vanishes when the file is closed. The data of a closing
 * trace is written at once, so the result holds for all of it. */
static bool check(ftr_output *output, bool *is_deleted)
{
    uint64_t links = 0;
    *is_deleted = false;
    if (output->has_sink || output->is_checked)
        return true;
    if (!is_trace_with(output, output->fd, &links) &&
        (!regain_descriptor(output) || !is_trace_with(output, output->fd, &links)))
        return false;
    *is_deleted = output->is_named && links == 0;
    output->is_checked = output->is_ending && !*is_deleted;
    return true;
}

static ssize_t write_quietly(const ftr_output *output, const void *data, size_t size)
{
    ftr_held_signals held;
    ftr_signals_hold(&held, output->is_regular);
    ssize_t written = write(output->fd, data, size);
    ftr_signals_let_go(&held, written == (ssize_t)size);
    return written;
}

static bool allocate(ftr_output *output, uint64_t end)
{
    ftr_held_signals held;
    ftr_signals_hold(&held, true);
    int error;
    do
        error = fallocate(output->fd, FALLOC_FL_KEEP_SIZE, (off_t)output->allocated,
                          (off_t)(end - output->allocated));
    while (error != 0 && errno == EINTR);
    ftr_signals_let_go(&held, error == 0);
    if (error == 0)
        output->allocated = end;
    return error == 0;
}

/* Makes sure that the disk has space for @p size more bytes and, after them, for the end of the
 * file. Returns 0 or an errno value. */
static int reserve_space(ftr_output *output, size_t size)
{
    /* Nothing is reserved for the first and for the last appends: writing a short file takes less
     * time than releasing reserved space at its end. If the disk has no space for the last data,
     * these bytes are cut off again, and the end of the file fits into the space that was reserved
     * before. */
    if (output->offset == 0 || output->is_ending)
        return 0;
    uint64_t needed = output->offset + size + output->reserve;
    uint64_t step = needed < ALLOCATED_AT_ONCE ? needed : ALLOCATED_AT_ONCE;
    if (!output->can_allocate || needed <= output->allocated || allocate(output, needed + step) ||
        allocate(output, needed))
        return 0;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        return errno;
    output->can_allocate = false; /* the file system cannot allocate space */
    return 0;
}

static int64_t write_some(ftr_output *output, const uint8_t *data, size_t size)
{
    if (output->has_sink)
        return output->sink.write(output->sink.user, data, size);
    ssize_t written;
    do
        written = write_quietly(output, data, size);
    while (written < 0 && errno == EINTR);
    return written < 0 ? -errno : written;
}

ftr_status ftr_output_append(ftr_output *output, const void *data, size_t size,
                             ftr_failure *failure)
{
    const uint8_t *from = data;
    size_t left = size;
    if (output->is_torn)
        return fail(output, "cannot be continued", EIO, failure);
    bool is_deleted;
    if (!check(output, &is_deleted))
        return fail(output, "cannot be written: the program closed its descriptor", EBADF, failure);
    if (is_deleted)
        return fail_deleted(output, failure);
    int full = reserve_space(output, size);
    if (full)
        return fail(output, "cannot be written", full, failure);
    while (left > 0) {
        int64_t written = write_some(output, from, left);
        if (written == -EINTR)
            continue;
        if (written <= 0 || (uint64_t)written > left) {
            ftr_status status =
                fail(output, "cannot be written", written < 0 ? (int)-written : EIO, failure);
            bool is_cut = output->is_regular && ftruncate(output->fd, (off_t)output->offset) == 0 &&
                          lseek(output->fd, (off_t)output->offset, SEEK_SET) >= 0;
            output->is_torn = left < size && !is_cut;
            return status;
        }
        from += written;
        left -= (size_t)written;
    }
    output->offset += size;
    if (output->journal != NULL) {
        size_t tail = size < TAIL_SIZE ? size : TAIL_SIZE;
        ftr_journal_commit_trace(output->journal, output->inode, output->offset,
                                 (const uint8_t *)data + size - tail, tail);
    }
    return FTR_OK;
}

void ftr_output_discard(ftr_output *output)
{
    if (output->is_regular && output->offset == 0 && regain_descriptor(output))
        unlink(output->path);
}

void ftr_output_trim(ftr_output *output)
{
    if (output->fd >= 0 && output->allocated > output->offset && regain_descriptor(output) &&
        ftruncate(output->fd, (off_t)output->offset) == 0)
        output->allocated = output->offset;
}

ftr_status ftr_output_close(ftr_output *output, ftr_failure *failure)
{
    ftr_status status = FTR_OK;
    if (output->has_sink && output->sink.close != NULL) {
        int error = output->sink.close(output->sink.user);
        if (error < 0)
            status = fail(output, "cannot be closed", -error, failure);
    }
    bool is_deleted = false;
    const bool is_open = output->fd >= 0 && check(output, &is_deleted);
    if (is_open && output->offset > 0 && is_deleted)
        status = fail_deleted(output, failure);
    else if (is_open && output->allocated > output->offset &&
             ftruncate(output->fd, (off_t)output->offset) != 0)
        status = fail(output, "cannot be closed", errno, failure);
    /* `fd` is reset before close(): a child that is forked at the same time would otherwise close
     * the next file with this number. */
    int fd = output->fd;
    output->fd = -1;
    /* No second call on EINTR: Linux releases the descriptor even when close() fails. */
    if (is_open && fd >= 0 && close(fd) != 0 && errno != EINTR)
        status = fail(output, "cannot be closed", errno, failure);
    free(output->path);
    *output = (ftr_output){.fd = -1};
    return status;
}
