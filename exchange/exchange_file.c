/* Owns files in formats other than FTR, and their compression with gzip. Without zlib, compression
 * is not supported. */
#include "exchange_file.h"

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
    /* a duplicate of the caller's descriptor, because closing the compressor closes the
     * descriptor */
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

bool ftr_byte_input_open(ftr_byte_input *input, const char *path, const ftr_exchange_report *report)
{
    *input = (ftr_byte_input){.path = path, .report = report};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0) {
        ftr_exchange_print(report, "%s: %s", path, strerror(errno));
        return false;
    }
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        ftr_exchange_print(report, "%s: %s", path, strerror(EISDIR));
        (void)close(fd);
        return false;
    }
    input->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
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
    ftr_exchange_print(input->report, "%s: a pipe cannot be read twice", input->path);
    return false;
}
