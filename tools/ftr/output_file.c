/* The rules for replacing files, and the creation of outputs under temporary names. */
#include "output_file.h"

#include "command.h"
#include "format_tags.h"
#include "output_path.h"
#include "printer.h"

#include <ftr/recovery.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_SIZE ((size_t)64 << 10)

/* ---- permission to write --------------------------------------------------------------------- */

static bool stat_input(const char *input, struct stat *about)
{
    return (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, about) : stat(input, about)) == 0;
}

static bool is_same(const struct stat *output, const char *input)
{
    struct stat about;
    return stat_input(input, &about) && about.st_dev == output->st_dev &&
           about.st_ino == output->st_ino;
}

/* Returns the input that is the same file as @p output; NULL if there is none. */
static const char *find_input(const struct stat *output, const ftr_input_paths *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (is_same(output, inputs->paths[i]))
            return inputs->paths[i];
    return inputs->more != NULL && is_same(output, inputs->more) ? inputs->more : NULL;
}

/* Returns true if the file begins like an FTR trace, or if this is unknown because the file cannot
 * be read. */
static bool may_be_trace(const char *path)
{
    unsigned char head[FTR_FILE_MAGIC_SIZE];
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return true;
    const ssize_t got = read(fd, head, sizeof head);
    (void)close(fd);
    return got < 0 || (got >= 3 && memcmp(head, FTR_FILE_MAGIC, (size_t)got) == 0);
}

/* Returns true if there is a journal beside the file: the file is then a trace, even if it is
 * empty. */
static bool has_journal(const char *path)
{
    char journal[4096];
    return ftr_recovery_find(path, secure_getenv("FTR_JOURNAL_DIR"), journal, sizeof journal) ==
               FTR_OK &&
           access(journal, F_OK) == 0;
}

static bool is_replaceable_file(const char *path, bool force, const struct stat *there)
{
    if (S_ISLNK(there->st_mode))
        ftr_print_error("%s: a symbolic link is not replaced; name the file itself", path);
    else if (S_ISDIR(there->st_mode))
        ftr_print_error("%s: is a directory", path);
    else if (!S_ISREG(there->st_mode))
        ftr_print_error(
            "%s: a device, FIFO or socket is not replaced; '-o -' writes to the standard "
            "output",
            path);
    else if (!force && may_be_trace(path))
        ftr_print_error("%s: exists and is an FTR trace; --force replaces it", path);
    else
        return true;
    return false;
}

bool ftr_output_is_input(const char *path, const ftr_input_paths *inputs)
{
    struct stat there;
    const char *input = stat(path, &there) == 0 ? find_input(&there, inputs) : NULL;
    if (input != NULL)
        ftr_print_error("%s: input and output are the same file", input);
    return input != NULL;
}

bool ftr_output_is_allowed(const char *path, bool force, const ftr_input_paths *inputs)
{
    struct stat there;
    if (!force && ftr_output_is_input(path, inputs))
        return false;
    if (!force && has_journal(path)) {
        ftr_print_error(
            "%s: the journal of a crashed run needs this name; 'ftr recover' recovers the "
            "run, --force ignores it",
            path);
        return false;
    }
    if (ftr_foreign_link_is_before(path)) {
        ftr_print_error("%s: a symbolic link on the way belongs to another user; name the folder "
                        "itself",
                        path);
        return false;
    }
    return lstat(path, &there) != 0 || is_replaceable_file(path, force, &there);
}

bool ftr_stdout_is_allowed(bool binary, const ftr_input_paths *inputs)
{
    struct stat there;
    if (fstat(STDOUT_FILENO, &there) != 0) {
        ftr_print_error("stdout: %s", strerror(errno));
        return false;
    }
    if (binary && isatty(STDOUT_FILENO)) {
        ftr_print_error("stdout: the output is binary and this is a terminal");
        return false;
    }
    const char *input = S_ISREG(there.st_mode) ? find_input(&there, inputs) : NULL;
    if (input != NULL)
        ftr_print_error("%s: input and output are the same file", input);
    return input == NULL;
}

/* Returns the permission bits (read, write, execute) of the classes of users that cannot read
 * @p input. */
static mode_t unreadable(const char *input)
{
    struct stat about;
    if (!stat_input(input, &about) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
        return 0;
    return (about.st_mode & S_IRGRP ? 0 : S_IRWXG) | (about.st_mode & S_IROTH ? 0 : S_IRWXO);
}

mode_t ftr_output_restrict_permissions(const ftr_input_paths *inputs)
{
    mode_t denied = inputs->more != NULL ? unreadable(inputs->more) : 0;
    for (size_t i = 0; i < inputs->count; i++)
        denied |= unreadable(inputs->paths[i]);
    (void)umask(umask(0777) | denied);
    return denied;
}

/* ---- writing --------------------------------------------------------------------------------- */

bool ftr_output_create(ftr_output_file *output, const char *path, bool force, bool binary,
                       const ftr_input_paths *inputs)
{
    struct stat there;
    const bool to_stdout = strcmp(path, "-") == 0;
    *output = (ftr_output_file){.path = to_stdout ? "stdout" : path,
                                .file = {.fd = -1},
                                .to_stdout = to_stdout,
                                .replace = force || lstat(path, &there) == 0};
    output->sink = (ftr_sink){.user = &output->file, .write = ftr_atomic_file_write};
    if (to_stdout ? !ftr_stdout_is_allowed(binary, inputs)
                  : !ftr_output_is_allowed(path, force, inputs))
        return false;
    const mode_t denied = ftr_output_restrict_permissions(inputs);
    const bool is_own = !to_stdout && lstat(path, &there) == 0 && there.st_uid == geteuid();
    const mode_t mode = is_own ? there.st_mode & 0777 & ~denied : FTR_ATOMIC_FILE_MODE;
    const ftr_status status = to_stdout ? ftr_atomic_file_create_nameless(&output->file)
                                        : ftr_atomic_file_create(&output->file, path, mode);
    if (status != FTR_OK)
        ftr_print_error("%s: %s", to_stdout ? "temporary file" : path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status == FTR_OK;
}

bool ftr_output_restart(ftr_output_file *output)
{
    if (ftr_atomic_file_restart(&output->file) == FTR_OK)
        return true;
    ftr_print_error("%s: %s", output->path, strerror(errno));
    return false;
}

bool ftr_output_send(int fd)
{
    ftr_printer *printer = malloc(sizeof *printer);
    char *bytes = malloc(COPY_SIZE);
    ssize_t got = -1;
    bool ok = printer != NULL && bytes != NULL && lseek(fd, 0, SEEK_SET) == 0;
    if (ok) {
        ftr_printer_init(printer, STDOUT_FILENO);
        while (!printer->failed && (got = read(fd, bytes, COPY_SIZE)) > 0)
            ftr_print(printer, bytes, (size_t)got);
        ok = ftr_printer_flush(printer) && got == 0;
        errno = printer->failed ? printer->error : errno;
    }
    if (!ok)
        ftr_print_error("stdout: %s", strerror(errno));
    free(bytes);
    free(printer);
    return ok;
}

bool ftr_output_finish(ftr_output_file *output, bool ok)
{
    if (!ok || output->to_stdout) {
        ok = ok && ftr_output_send(output->file.fd);
        ftr_atomic_file_discard(&output->file);
        return ok;
    }
    if (ftr_atomic_file_commit(&output->file, output->replace) == FTR_OK)
        return true;
    ftr_print_error("%s: cannot be completed: %s", output->path, strerror(errno));
    return false;
}

FILE *ftr_output_messages(const char *path)
{
    return strcmp(path, "-") == 0 ? stderr : stdout;
}
