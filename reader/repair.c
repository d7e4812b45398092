/* The repair of a file: the files that are read and written, and the order of the two steps. The
 * first step works on chunks. The second step works on entries: it replaces definitions that were
 * lost with a chunk, so that the result is a valid file. The input is not changed. */
#include "repair_run.h"

#include "atomic_file.h"

#include <errno.h>
#include <sys/stat.h>

typedef ftr_status repair_step(ftr_repair_run *run, ftr_reader *reader);

/* Runs a step that reads the file @p input and writes to @p fd. If @p fd is -1, only finds out
 * whether the step would change the file. */
static ftr_status run_step(ftr_repair_run *run, repair_step *step, const char *input, int fd)
{
    static const ftr_reader_options options = {.size = sizeof options, .without_index = true};
    ftr_reader *reader;
    ftr_status status = ftr_reader_open(input, &options, &reader);
    if (status != FTR_OK)
        return status;
    run->report->bytes_in = reader->source.size;
    ftr_chunk_output_init(&run->out, fd);
    status = step(run, reader);
    const int cause = run->out.cause;
    ftr_chunk_output_release(&run->out);
    ftr_reader_close(reader);
    if (status == FTR_ERR_IO)
        errno = cause;
    return status;
}

/* Runs a step. Its output is a new file beside @p path; this new file is removed if the step fails.
 */
static ftr_status write_step(ftr_repair_run *run, repair_step *step, const char *input,
                             const char *path, mode_t mode, ftr_atomic_file *file)
{
    ftr_status status = ftr_atomic_file_create(file, path, mode);
    if (status != FTR_OK)
        return status;
    status = run_step(run, step, input, file->fd);
    if (status != FTR_OK)
        ftr_atomic_file_discard(file);
    return status;
}

static bool is_same_file(const char *input, const char *output)
{
    struct stat a;
    struct stat b;
    return stat(input, &a) == 0 && stat(output, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Finds out whether the second step would change the file. If data was lost, the step always
 * changes the file, because it adds a stream that states the losses. */
static ftr_status needs_second_step(ftr_repair_run *run, const char *path, bool *needed)
{
    void (*on_message)(void *, const char *) = run->on_message;
    const ftr_repair before = *run->report;
    *needed = ftr_repair_has_losses(run->report);
    if (*needed)
        return FTR_OK;
    run->altered = false;
    run->on_message = NULL;
    const ftr_status status = run_step(run, ftr_repair_content, path, -1);
    run->on_message = on_message;
    *run->report = before; /* the step will run again and count everything again */
    *needed = run->altered;
    return status;
}

/* Runs the second step if it would change the file. The output is another file, which replaces @p
 * file. */
static ftr_status run_second_step(ftr_repair_run *run, ftr_atomic_file *file)
{
    bool needed;
    ftr_status status = needs_second_step(run, file->temporary_path, &needed);
    if (status != FTR_OK || !needed)
        return status;
    ftr_atomic_file repaired;
    status = write_step(run, ftr_repair_content, file->temporary_path, file->path, file->mode,
                        &repaired);
    if (status == FTR_OK) {
        ftr_atomic_file_discard(file);
        *file = repaired;
    }
    return status;
}

ftr_status ftr_file_repair(const char *input, const char *output,
                           void (*on_message)(void *user, const char *message), void *user,
                           ftr_repair *repair)
{
    if (input == NULL || output == NULL || is_same_file(input, output))
        return FTR_ERR_ARGUMENT;
    struct stat about;
    const bool is_file = stat(input, &about) == 0 && S_ISREG(about.st_mode);
    ftr_atomic_file file;
    ftr_repair report = {0};
    ftr_repair_run run = {.report = &report, .on_message = on_message, .user = user};
    ftr_status status =
        write_step(&run, ftr_repair_chunks, input, output,
                   is_file ? ftr_atomic_file_mode_of_copy(&about) : FTR_ATOMIC_FILE_MODE, &file);
    const bool altered = run.altered;
    const uint64_t bytes_in = report.bytes_in;
    if (status == FTR_OK) {
        status = run_second_step(&run, &file);
        if (status == FTR_OK)
            status = ftr_atomic_file_commit(&file, true);
        else
            ftr_atomic_file_discard(&file);
    }
    ftr_repair_report_suppressed(&run);
    report.bytes_in = bytes_in;
    report.bytes_out = run.out.written;
    report.was_sound = !altered && !run.altered;
    report.lost = ftr_repair_has_losses(&report);
    if (status == FTR_OK && repair != NULL)
        *repair = report;
    return status;
}
