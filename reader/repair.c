/* The repair of a file: the files that are read and written, and the order of the two steps. The
 * first step works on chunks. The second step works on entries: it replaces definitions that were
 * lost with a chunk, so that the result is a valid file. The input is not changed. */
#include "repair_run.h"

#include "atomic_file.h"
#include "struct_size.h"
#include "work_queue.h"

#include <errno.h>
#include <sys/stat.h>

/* By default, files of at least this size are read with several threads. */
#define SIZE_FOR_THREADS ((off_t)1 << 20)

/* Stores the rules of the findings as bits. */
static void see_finding(void *user, const ftr_finding *finding)
{
    uint64_t *rules = user;
    *rules |= UINT64_C(1) << finding->number;
}

static unsigned count_threads(unsigned asked, const char *input)
{
    struct stat about;
    if (asked > 0)
        return asked;
    return stat(input, &about) == 0 && about.st_size >= SIZE_FOR_THREADS ? ftr_processor_count()
                                                                         : 1;
}

/* @param[out] rules bits of the rules that the index of the file violates; must stay valid */
static ftr_status open_reader(const ftr_repair_run *run, const char *input, uint64_t *rules,
                              ftr_reader **reader)
{
    const ftr_reader_options options = {.size = sizeof options,
                                        .without_index = true,
                                        .threads = count_threads(run->threads, input),
                                        .finding = see_finding,
                                        .finding_user = rules};
    *rules = 0;
    const ftr_status status = ftr_reader_open(input, &options, reader);
    if (status == FTR_OK)
        (*reader)->findings.ignored = ftr_repair_ignored_rules();
    return status;
}

/* Completes a step: writes the bytes that are not written yet. */
static ftr_status end_step(ftr_repair_run *run, ftr_status status)
{
    ftr_chunk_output_flush(&run->out);
    if (status == FTR_OK)
        status = run->out.status;
    const int cause = run->out.cause;
    ftr_chunk_output_release(&run->out);
    if (status == FTR_ERR_IO)
        errno = cause;
    return status;
}

/* ---- the first step -------------------------------------------------------------------------- */

/* Returns true if the index of a file shows no error, except that the end of the file is
 * missing. */
static bool has_sound_index(uint64_t rules)
{
    const uint64_t ends = UINT64_C(1) << FTR_RULE_END | UINT64_C(1) << FTR_RULE_TORN;
    return (rules & ~(ends | ftr_repair_ignored_rules())) == 0;
}

/* Runs the first step.
 * @param[out] input the reader of the input, which the caller must close, also after an error;
 *                   NULL: none */
static ftr_status run_first_step(ftr_repair_run *run, const char *path, int fd,
                                 ftr_sound_file *sound, ftr_reader **input)
{
    uint64_t rules;
    *input = NULL;
    ftr_status status = open_reader(run, path, &rules, input);
    if (status != FTR_OK)
        return status;
    sound->is_sound = has_sound_index(rules);
    run->report->bytes_in = (*input)->source.size;
    ftr_chunk_output_init(&run->out, fd);
    status = ftr_repair_chunks(run, *input, sound);
    (*input)->findings.callback = NULL;
    return end_step(run, status);
}

/* ---- the second step ------------------------------------------------------------------------- */

/* Runs the second step on the file at @p path. If @p fd is -1, only finds out whether the step
 * would change the file. */
static ftr_status run_content_step(ftr_repair_run *run, const char *path, int fd,
                                   ftr_sound_file *known)
{
    uint64_t rules;
    ftr_reader *reader;
    ftr_status status = open_reader(run, path, &rules, &reader);
    if (status != FTR_OK)
        return status;
    run->report->bytes_in = reader->source.size;
    ftr_chunk_output_init(&run->out, fd);
    status = end_step(run, ftr_repair_content(run, reader, known));
    const int cause = errno;
    ftr_reader_close(reader);
    errno = cause;
    return status;
}

/* Finds out whether the second step would change the file. If data was lost, the step always
 * changes the file, because it adds a stream that states the losses. */
static ftr_status needs_second_step(ftr_repair_run *run, const char *path,
                                    const ftr_sound_file *known, bool *needed)
{
    void (*on_message)(void *, const char *) = run->on_message;
    const ftr_repair before = *run->report;
    *needed = ftr_repair_has_losses(run->report);
    if (*needed || known->is_sound)
        return FTR_OK;
    run->altered = false;
    run->on_message = NULL;
    const ftr_status status = run_content_step(run, path, -1, NULL);
    run->on_message = on_message;
    *run->report = before; /* the step will run again and count everything again */
    *needed = run->altered;
    return status;
}

/* Runs the second step if it would change the file. The output is another file, which replaces @p
 * file. */
static ftr_status run_second_step(ftr_repair_run *run, ftr_sound_file *known, ftr_atomic_file *file)
{
    bool needed;
    ftr_atomic_file repaired;
    ftr_status status = needs_second_step(run, file->temporary_path, known, &needed);
    if (status != FTR_OK || !needed)
        return status;
    status = ftr_atomic_file_create(&repaired, file->path, file->mode);
    if (status != FTR_OK)
        return status;
    status = run_content_step(run, file->temporary_path, repaired.fd, known);
    ftr_atomic_file_discard(status == FTR_OK ? file : &repaired);
    if (status == FTR_OK)
        *file = repaired;
    return status;
}

/* ---- the repair ------------------------------------------------------------------------------ */

static bool is_same_file(const char *input, const char *output)
{
    struct stat a;
    struct stat b;
    return stat(input, &a) == 0 && stat(output, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Writes the repaired file to @p file, or to another file that replaces @p file. */
static ftr_status write_file(ftr_repair_run *run, const char *input, ftr_atomic_file *file)
{
    ftr_repair *report = run->report;
    ftr_sound_file sound = {0};
    ftr_reader *reader;
    ftr_status status = run_first_step(run, input, file->fd, &sound, &reader);
    const bool altered = run->altered;
    const uint64_t bytes_in = report->bytes_in;
    if (status == FTR_OK)
        status = run_second_step(run, &sound, file);
    const int cause = errno;
    if (sound.is_sound)
        ftr_id_map_release(&sound.transactions);
    ftr_reader_close(reader); /* its budget counts the ids of `sound` */
    errno = cause;
    report->bytes_in = bytes_in;
    report->bytes_out = run->out.written;
    report->was_sound = !altered && !run->altered;
    report->lost = ftr_repair_has_losses(report);
    return status;
}

ftr_status ftr_file_repair_with(const char *input, const char *output,
                                const ftr_repair_options *given, ftr_repair *repair)
{
    ftr_repair_options options = {.size = sizeof options};
    if (given != NULL)
        ftr_struct_take(&options, sizeof options, given);
    if (input == NULL || output == NULL || is_same_file(input, output))
        return FTR_ERR_ARGUMENT;
    struct stat about;
    const bool is_file = stat(input, &about) == 0 && S_ISREG(about.st_mode);
    ftr_atomic_file file;
    ftr_repair report = {0};
    ftr_repair_run run = {.report = &report,
                          .threads = options.threads,
                          .on_message = options.on_message,
                          .user = options.user};
    ftr_status status = ftr_atomic_file_create(
        &file, output, is_file ? ftr_atomic_file_mode_of_copy(&about) : FTR_ATOMIC_FILE_MODE);
    if (status != FTR_OK)
        return status;
    status = write_file(&run, input, &file);
    if (status == FTR_OK)
        status = ftr_atomic_file_commit(&file, true);
    else
        ftr_atomic_file_discard(&file);
    ftr_repair_report_suppressed(&run);
    if (status == FTR_OK && repair != NULL)
        *repair = report;
    return status;
}

ftr_status ftr_file_repair(const char *input, const char *output,
                           void (*on_message)(void *user, const char *message), void *user,
                           ftr_repair *repair)
{
    const ftr_repair_options options = {
        .size = sizeof options, .on_message = on_message, .user = user};
    return ftr_file_repair_with(input, output, &options, repair);
}
