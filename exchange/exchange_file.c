/* Files in formats other than FTR, and their compression with gzip. Without zlib, compression is
 * not supported. */
#include "exchange_file.h"

#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef FTR_HAS_ZLIB
#include <zlib.h>
#endif

/* ---- output ---------------------------------------------------------------------------------- */

static bool ends_with_gz(const char *path)
{
    const size_t size = strlen(path);
    return size > 3 && strcmp(path + size - 3, ".gz") == 0;
}

#ifdef FTR_HAS_ZLIB
static bool write_gz(void *user, const char *bytes, size_t size)
{
    return size == 0 || gzwrite(user, bytes, (unsigned)size) == (int)size;
}
#endif

bool ftr_text_output_open(ftr_text_output *output, int fd, const char *path,
                          const ftr_exchange_report *report)
{
    output->path = path;
    output->report = report;
    output->gz = NULL;
#ifndef FTR_HAS_ZLIB
    if (ends_with_gz(path)) {
        ftr_exchange_print(report, "%s: this ftr was built without zlib", path);
        return false;
    }
#endif
    /* a duplicate of the caller's descriptor: closing the compressor closes its descriptor, but the
     * descriptor of the caller must stay open */
    output->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (output->fd < 0) {
        ftr_exchange_print(report, "%s: %s", path, strerror(errno));
        return false;
    }
    ftr_printer_init(&output->text, output->fd);
#ifdef FTR_HAS_ZLIB
    if (ends_with_gz(path)) {
        output->gz = gzdopen(output->fd, "wb6");
        if (output->gz == NULL) {
            (void)close(output->fd);
            ftr_exchange_print(report, "%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
        output->text.take = write_gz;
        output->text.user = output->gz;
    }
#endif
    return true;
}

bool ftr_text_output_close(ftr_text_output *output)
{
    bool ok = ftr_printer_flush(&output->text);
    errno = 0;
#ifdef FTR_HAS_ZLIB
    if (output->gz != NULL)
        ok = (gzclose(output->gz) == Z_OK) && ok;
    else
#endif
        ok = close(output->fd) == 0 && ok;
    /* errno of the first error */
    const int error = output->text.failed ? output->text.error : errno;
    if (!ok)
        ftr_exchange_print(output->report, "%s: could not be written%s%s", output->path,
                           error != 0 ? ": " : "", error != 0 ? strerror(error) : "");
    return ok;
}

/* ---- input ----------------------------------------------------------------------------------- */

#ifdef FTR_HAS_ZLIB
#define READ_SIZE (64U << 10)

static bool open_file(ftr_byte_input *input, int fd)
{
    input->file = gzdopen(fd, "rb");
    if (input->file != NULL)
        (void)gzbuffer(input->file, READ_SIZE);
    return input->file != NULL;
}

int64_t ftr_byte_input_read(ftr_byte_input *input, void *bytes, size_t size)
{
    const int got = gzread(input->file, bytes, (unsigned)(size < 1U << 30 ? size : 1U << 30));
    if (got < 0 || ((size_t)got < size && !gzeof(input->file))) {
        int number;
        ftr_exchange_print(input->report, "%s: %s", input->path, gzerror(input->file, &number));
        return -1;
    }
    input->read = (uint64_t)gzoffset(input->file);
    return got;
}

static bool rewind_file(ftr_byte_input *input)
{
    return gzrewind(input->file) == 0;
}

void ftr_byte_input_close(ftr_byte_input *input)
{
    (void)gzclose(input->file);
}
#else
static bool open_file(ftr_byte_input *input, int fd)
{
    input->file = fdopen(fd, "rb");
    return input->file != NULL;
}

int64_t ftr_byte_input_read(ftr_byte_input *input, void *bytes, size_t size)
{
    const size_t got = fread(bytes, 1, size, input->file);
    if (got < size && ferror((FILE *)input->file)) {
        ftr_exchange_print(input->report, "%s: %s", input->path, strerror(errno));
        return -1;
    }
    input->read += got;
    return (int64_t)got;
}

static bool rewind_file(ftr_byte_input *input)
{
    input->read = 0;
    return fseeko(input->file, 0, SEEK_SET) == 0;
}

void ftr_byte_input_close(ftr_byte_input *input)
{
    (void)fclose(input->file);
}
#endif

/* The copy of a pipe. A pipe can be read only once. But an import may read its input twice, and may
 * be repeated with another form of floats. Therefore the copy is kept, and is read whenever the
 * same pipe is opened again. */
static struct {
    bool is_valid;
    dev_t device;
    ino_t number;
    int fd;
} pipe_copy;

static bool copy_pipe(int from, const struct stat *about, const char *path,
                      const ftr_exchange_report *report)
{
    ftr_atomic_file copy;
    char bytes[16384];
    ssize_t got = 0;
    int64_t written = 0;
    const ftr_status status = ftr_atomic_file_create_nameless(&copy);
    while (status == FTR_OK && written >= 0 && (got = read(from, bytes, sizeof bytes)) != 0)
        if (got > 0)
            written = ftr_atomic_file_write(&copy, bytes, (size_t)got);
        else if (errno != EINTR)
            break;
    if (status != FTR_OK || written < 0 || got < 0) {
        const int error = written < 0 ? (int)-written : errno;
        ftr_exchange_print(report, "%s: %s%s", path,
                           got < 0 ? "" : "its temporary copy: ", strerror(error));
        if (status == FTR_OK)
            (void)close(copy.fd);
        return false;
    }
    if (pipe_copy.is_valid)
        (void)close(pipe_copy.fd);
    pipe_copy.is_valid = true;
    pipe_copy.device = about->st_dev;
    pipe_copy.number = about->st_ino;
    pipe_copy.fd = copy.fd;
    return true;
}

static bool is_copied(const struct stat *about)
{
    return pipe_copy.is_valid && about->st_dev == pipe_copy.device &&
           about->st_ino == pipe_copy.number;
}

/* Opens a file, or stdin for "-", at its first byte. A pipe is copied first.
 * @return a descriptor; -1 after an error message */
static int open_input(const char *path, struct stat *about, const ftr_exchange_report *report)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    const int known = is_stdin ? fstat(STDIN_FILENO, about) : stat(path, about);
    const bool has_copy = known == 0 && is_copied(about);
    int fd = has_copy   ? fcntl(pipe_copy.fd, F_DUPFD_CLOEXEC, 0)
             : is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                        : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, about) != 0 || S_ISDIR(about->st_mode)) {
        ftr_exchange_print(report, "%s: %s", path, strerror(fd < 0 ? errno : EISDIR));
        if (fd >= 0)
            (void)close(fd);
        return -1;
    }
    if (!has_copy && !S_ISREG(about->st_mode)) {
        const bool copied = copy_pipe(fd, about, path, report);
        (void)close(fd);
        fd = copied ? fcntl(pipe_copy.fd, F_DUPFD_CLOEXEC, 0) : -1;
        if (fd < 0 || fstat(fd, about) != 0)
            return -1;
    }
    (void)lseek(fd, 0, SEEK_SET); /* the duplicates of a descriptor share one position */
    return fd;
}

bool ftr_byte_input_open(ftr_byte_input *input, const char *path, const ftr_exchange_report *report)
{
    struct stat about;
    *input = (ftr_byte_input){.path = path, .report = report};
    const int fd = open_input(path, &about, report);
    if (fd < 0)
        return false;
    input->size = (uint64_t)about.st_size;
    if (open_file(input, fd))
        return true;
    (void)close(fd);
    ftr_exchange_print(report, "%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
    return false;
}

bool ftr_byte_input_rewind(ftr_byte_input *input)
{
    if (rewind_file(input))
        return true;
    ftr_exchange_print(input->report, "%s: could not be read a second time", input->path);
    return false;
}

static bool append(void *prepared, const char *bytes, size_t size)
{
    void *room = ftr_prepared_append(prepared, size);
    if (room != NULL)
        memcpy(room, bytes, size);
    return room != NULL;
}

void ftr_printer_prepare(ftr_printer *text, ftr_prepared *prepared)
{
    text->take = append;
    text->user = prepared;
    /* An earlier failure belongs to earlier prepared bytes. The query that prepared those bytes
     * reports the failure. */
    text->failed = false;
}
