/* Recovery: copies the complete part of a trace, then adds the transactions, relations and losses
 * of the journal that are in no file of the trace. The output is written to a temporary file, which
 * is renamed when it is complete, so that a killed recovery can be repeated. */
#define _GNU_SOURCE
#include <ftr/recovery.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "encoder.h"
#include "file_claim.h"
#include "journal_image.h"
#include "journal_search.h"
#include "recovery_run.h"
#include "trace_contents.h"
#include "trace_path.h"

#define COPY_SIZE ((size_t)1 << 20)

/* The state of one recovery. */
typedef struct recovery_run {
    ftr_recovery *result;
    const ftr_recovery_source *source;
    ftr_journal_image image;
    const char *first_path; /* path of the first file of the trace */
    char *path;             /* path of the file that the process was writing; owned */
    int trace_fd;
    bool lacks_trace;
    uint8_t *trace;    /* the mapped file; NULL: the file is empty or missing */
    size_t trace_size; /* bytes of the complete part of the file */
    ftr_sought_records sought;
    ftr_trace_contents contents;
    ftr_encoder encoder;
    ftr_output output;
    uint64_t relations_discarded; /* number of relations in the journal that are in no file */
} recovery_run;

__attribute__((format(printf, 3, 4))) static ftr_status fail(recovery_run *run, ftr_status status,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->result->message, sizeof run->result->message, format, arguments);
    va_end(arguments);
    return status;
}

static ftr_status fail_status(recovery_run *run, ftr_status status)
{
    return fail(run, status, "%s", ftr_status_text(status));
}

static ftr_status fail_errno(recovery_run *run, const char *path, const char *what)
{
    char cause[128];
    return fail(run, FTR_ERR_IO, "%.300s: %s: %s", path, what,
                strerror_r(errno, cause, sizeof cause));
}

/* ---- reading --------------------------------------------------------------------------------- */

static ftr_status load_journal(recovery_run *run)
{
    const char *path = run->source->journal;
    const char *why;
    ftr_status status = ftr_journal_image_load(&run->image, run->source->journal_fd, &why);
    if (status == FTR_ERR_FORMAT || status == FTR_ERR_IO)
        return fail(run, status, "%.300s: %s", path, why);
    if (status != FTR_OK)
        return fail(run, status, "%.300s: %s", path, ftr_status_text(status));
    run->result->pid = run->image.header->pid;
    run->result->file = ftr_journal_image_file(&run->image);
    run->first_path = run->source->trace != NULL ? run->source->trace : run->image.header->trace;
    run->path = ftr_trace_path_of_file(run->first_path, run->result->file);
    status = run->path != NULL ? ftr_sought_list(&run->sought, &run->image) : FTR_ERR_MEMORY;
    return status == FTR_OK ? status : fail_status(run, status);
}

/* Maps the complete part of the trace, and verifies that the journal belongs to this trace. Returns
 * FTR_ERR_FORMAT if the trace is missing, or if the journal belongs to another trace. */
static ftr_status map_trace(recovery_run *run)
{
    const char *path = run->path;
    const ftr_journal_header *header = run->image.header;
    ftr_journal_commit commit = header->commits[header->commit];
    struct stat about;
    run->trace_fd = open(path, O_RDONLY | O_CLOEXEC);
    /* Not an error, because a trace that was written to a callback has no file. */
    if (run->trace_fd < 0 && errno == ENOENT && commit.length == 0)
        return FTR_OK;
    if (run->trace_fd < 0 && errno == ENOENT)
        return fail(run, FTR_ERR_FORMAT, "%.300s: the trace is missing; only its journal exists",
                    path);
    if (run->trace_fd < 0 || fstat(run->trace_fd, &about) != 0)
        return fail_errno(run, path, "cannot be opened");
    uint64_t size = (uint64_t)about.st_size;
    if (size < commit.length || commit.tail_size > commit.length)
        return fail(run, FTR_ERR_FORMAT,
                    "%.200s: the journal belongs to another trace: it describes %llu bytes, but "
                    "the trace has %llu",
                    path, (unsigned long long)commit.length, (unsigned long long)size);
    run->result->cut = size - commit.length;
    run->trace_size = commit.length;
    if (commit.length == 0)
        return FTR_OK;
    void *mapped = mmap(NULL, commit.length, PROT_READ, MAP_PRIVATE, run->trace_fd, 0);
    if (mapped == MAP_FAILED)
        return fail_errno(run, path, "cannot be mapped");
    run->trace = mapped;
    if (ftr_journal_hash(run->trace + commit.length - commit.tail_size, commit.tail_size) !=
        commit.tail_hash)
        return fail(
            run, FTR_ERR_FORMAT,
            "%.200s: the journal belongs to another trace: the bytes before byte %llu differ", path,
            (unsigned long long)commit.length);
    return FTR_OK;
}

static void unmap_trace(recovery_run *run)
{
    if (run->trace != NULL)
        munmap(run->trace, run->trace_size);
    run->trace = NULL;
    run->trace_size = 0;
}

static ftr_status load_trace(recovery_run *run)
{
    ftr_status status = map_trace(run);
    if (status != FTR_ERR_FORMAT || !run->source->may_lack_trace)
        return status;
    unmap_trace(run);
    run->lacks_trace = true;
    run->result->cut = 0;
    return FTR_OK;
}

/* Marks the records that are in the preceding file of the trace. These records may still be in the
 * journal, because a block with a pending relation is retained when the next file begins. Marks
 * nothing if the preceding file no longer exists. */
static void read_file_before(recovery_run *run)
{
    const uint32_t number = run->result->file;
    char *path = number > 1 ? ftr_trace_path_of_file(run->first_path, number - 1) : NULL;
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    struct stat about;
    free(path);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        size_t size = (size_t)about.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
        if (bytes != MAP_FAILED) {
            (void)!ftr_trace_contents_read(bytes, size, &run->image.definitions, &run->sought,
                                           NULL);
            munmap(bytes, size);
        }
    }
    close(fd);
    ftr_sought_next_file(&run->sought);
}

static ftr_status read_trace(recovery_run *run)
{
    read_file_before(run);
    if (run->trace_size == 0)
        return FTR_OK;
    ftr_status status = ftr_trace_contents_read(
        run->trace, run->trace_size, &run->image.definitions, &run->sought, &run->contents);
    if (status == FTR_ERR_FORMAT)
        return fail(run, status, "%.300s: its complete part was not written by a recorder",
                    run->path);
    return status == FTR_OK ? status : fail_status(run, status);
}

/* ---- writing --------------------------------------------------------------------------------- */

static ftr_status start_encoder(recovery_run *run)
{
    const ftr_journal_header *header = run->image.header;
    ftr_recorder_options options = {
        .compression = (ftr_compression)header->compression,
        .compression_level = (int)header->compression_level,
        .floats = (ftr_floats)header->floats,
        .numbering = (ftr_numbering)header->numbering,
        .chunk_size = header->chunk_size,
        .dictionary_memory = (size_t)16 << 20,
    };
    ftr_status status =
        ftr_encoder_init(&run->encoder, &run->image.definitions, &options, &run->image.bodies);
    if (status != FTR_OK)
        return fail_status(run, status);
    ftr_encoder_resume(&run->encoder, run->contents.strings);
    run->encoder.latest = run->contents.latest;
    return FTR_OK;
}

static ftr_status send(recovery_run *run)
{
    ftr_failure failure = {0};
    ftr_status status = ftr_encoder_send(&run->encoder, &run->output, &failure);
    if (status != FTR_OK)
        fail(run, status, "%s", failure.message[0] ? failure.message : ftr_status_text(status));
    return status;
}

static ftr_status copy_trace(recovery_run *run)
{
    ftr_failure failure = {0};
    size_t whole = run->contents.size;
    run->result->kept = whole;
    run->result->cut += run->trace_size - whole;
    for (size_t at = 0; at < whole;) {
        size_t size = whole - at < COPY_SIZE ? whole - at : COPY_SIZE;
        ftr_status status = ftr_output_append(&run->output, run->trace + at, size, &failure);
        if (status != FTR_OK)
            return fail(run, status, "%s", failure.message);
        at += size;
    }
    if (whole == 0)
        ftr_chunk_put_start(&run->encoder.chunks,
                            run->image.header->scale_known ? run->image.header->time_scale : -12,
                            run->image.header->epoch_seconds);
    return FTR_OK;
}

/* Returns whether a record of a relation in the journal is also in a file. @p count is the number
 * of occurrences of this relation in the file for which no record of the journal was found yet. If
 * the journal can contain a relation twice (`may_repeat`), one occurrence in the file stands for
 * all records of this relation. */
static bool is_one_of(const recovery_run *run, uint64_t *count)
{
    if (*count == 0)
        return false;
    *count -= run->image.header->may_repeat ? 0 : 1;
    return true;
}

/* Writes a transaction if no file contains it. */
static void write_tx(recovery_run *run, ftr_stored_tx *record)
{
    ftr_sought_tx *sought = ftr_sought_find_tx(&run->sought, record->id);
    if (sought->is_in_trace || sought->is_in_file_before)
        return;
    sought->is_in_trace = true;
    uint8_t *bytes = (uint8_t *)record;
    ftr_encoder_put_records(&run->encoder, bytes, bytes + ftr_record_size(record));
    run->result->transactions++;
}

/* Writes a relation if no file contains it. If the run may have discarded transactions
 * (header->may_discard), both transactions of the relation must be in the trace. */
static void write_relation(recovery_run *run, ftr_stored_relation *relation)
{
    const ftr_journal_header *header = run->image.header;
    const ftr_sought_records *sought = &run->sought;
    ftr_sought_relation *found =
        ftr_sought_find_relation(sought, relation->from, relation->to, relation->relation);
    if (is_one_of(run, &found->in_trace) || is_one_of(run, &found->in_file_before))
        return;
    if (header->may_discard && (!ftr_sought_find_tx(sought, relation->from)->is_in_trace ||
                                !ftr_sought_find_tx(sought, relation->to)->is_in_trace)) {
        run->relations_discarded++;
        return;
    }
    ftr_encoder_put_records(&run->encoder, (uint8_t *)relation, (const uint8_t *)(relation + 1));
    run->result->relations++;
    found->in_trace += header->may_repeat ? 1 : 0;
}

/* Writes the records of the blocks that have the kind @p kind. Relations are written after all
 * transactions. */
static ftr_status write_blocks(recovery_run *run, uint32_t kind)
{
    ftr_status status = FTR_OK;
    ftr_journal_pass pass = {0};
    ftr_stored_tx *record;
    while (status == FTR_OK && (record = ftr_journal_image_next(&run->image, &pass)) != NULL) {
        if (record->kind != kind)
            continue;
        if (kind == FTR_RECORD_RELATION)
            write_relation(run, (ftr_stored_relation *)record);
        else
            write_tx(run, record);
        status = send(run);
    }
    return status;
}

static void write_open(recovery_run *run)
{
    uint64_t latest = run->encoder.latest;
    const ftr_slot *slot;
    ftr_journal_pass pass = {0};
    while ((slot = ftr_journal_image_next_slot(&run->image, &pass)) != NULL) {
        if (!ftr_sought_find_tx(&run->sought, slot->id)->is_in_trace && slot->begin > latest)
            latest = slot->begin;
    }
    pass = (ftr_journal_pass){0};
    while ((slot = ftr_journal_image_next_slot(&run->image, &pass)) != NULL) {
        ftr_sought_tx *sought = ftr_sought_find_tx(&run->sought, slot->id);
        if (sought->is_in_trace || sought->is_in_file_before)
            continue;
        sought->is_in_trace = true;
        ftr_encoder_put_open(&run->encoder, slot, latest, true);
        run->result->transactions++;
        run->result->unfinished++;
    }
}

/* Counts the transactions that neither the trace nor the journal contains. If the file has ended
 * after a failure, the journal states how many transactions it must contain, so the number of lost
 * transactions is exact. */
static void count_lost(recovery_run *run)
{
    ftr_recovery *result = run->result;
    const ftr_journal_header *header = run->image.header;
    const uint64_t incomplete = ftr_sought_count_lost(&run->sought);
    if (header->expected_is_final) {
        result->lost =
            header->expected > result->transactions ? header->expected - result->transactions : 0;
        return;
    }
    result->lost = incomplete + run->image.uncovered;
    result->lost_at_most = run->image.uncovered_at_most + run->sought.rest;
}

static ftr_status put_losses(recovery_run *run)
{
    ftr_recovery_losses found = {.highest_id = run->sought.highest_id};
    count_lost(run);
    found.lost = run->result->lost;
    found.lost_at_most = run->result->lost_at_most;
    if (run->image.header->counts_relations)
        found.discarded = run->relations_discarded;
    ftr_status status = ftr_recovery_put_losses(&run->image, &found, &run->encoder);
    return status == FTR_OK ? status : fail_status(run, status);
}

static ftr_status write_all(recovery_run *run)
{
    ftr_status status = copy_trace(run);
    if (status == FTR_OK)
        status = write_blocks(run, FTR_RECORD_TX);
    if (status != FTR_OK)
        return status;
    write_open(run);
    status = write_blocks(run, FTR_RECORD_RELATION);
    if (status != FTR_OK)
        return status;
    ftr_encoder_flush(&run->encoder, UINT64_MAX, UINT64_MAX);
    ftr_encoder_flush_definitions(&run->encoder);
    status = put_losses(run);
    if (status != FTR_OK)
        return status;
    ftr_chunk_put_break(&run->encoder.chunks);
    run->result->torn = run->image.torn + run->sought.torn;
    return send(run);
}

/* Returns the permissions for the recovered file: those of the trace or, without a trace, those of
 * the journal. */
static mode_t mode_of_run(const recovery_run *run)
{
    struct stat about;
    bool has_trace = run->trace_fd >= 0 && !run->lacks_trace;
    if (fstat(has_trace ? run->trace_fd : run->source->journal_fd, &about) != 0)
        return 0600;
    return ftr_atomic_file_mode_of_copy(&about);
}

/* Writes the recovered trace to a temporary file beside @p out. Renames the temporary file to @p
 * out when it is complete and on disk. */
static ftr_status write_out(recovery_run *run, const char *out)
{
    ftr_atomic_file file;
    ftr_failure failure = {0};
    ftr_sink sink = {.user = &file, .write = ftr_atomic_file_write};
    ftr_status status = ftr_atomic_file_create(&file, out, mode_of_run(run));
    if (status != FTR_OK)
        return fail_errno(run, out, "cannot be written");
    ftr_output_use_sink(&run->output, out, &sink);
    status = write_all(run);
    const ftr_status closed = ftr_output_close(&run->output, &failure);
    if (status == FTR_OK && closed != FTR_OK)
        status = fail(run, closed, "%s", failure.message);
    if (status != FTR_OK)
        ftr_atomic_file_discard(&file);
    else if (ftr_atomic_file_commit(&file, true) != FTR_OK)
        status = fail_errno(run, out, "cannot be written");
    return status;
}

static void release(recovery_run *run)
{
    if (run->encoder.definitions != NULL) /* only if the encoder was initialised */
        ftr_encoder_release(&run->encoder);
    ftr_sought_release(&run->sought);
    free(run->path);
    unmap_trace(run);
    if (run->trace_fd >= 0)
        close(run->trace_fd);
    ftr_journal_image_release(&run->image);
}

/* Removes the next file of the trace, if the process created this file and was killed before it
 * wrote to it. */
static void remove_empty_next(recovery_run *run)
{
    char *path = ftr_trace_path_of_file(run->first_path, run->result->file + 1);
    struct stat about;
    unsigned patience = FTR_DEAD_LOCK_PATIENCE;
    int fd = -1;
    if (run->image.header->counts_relations && path != NULL &&
        ftr_journal_claim(path, run->source->journal, &patience, &fd) == FTR_OK && fd >= 0 &&
        fstat(fd, &about) == 0 && about.st_size == 0 && about.st_uid == geteuid()) {
        ftr_file_remove(fd, path);
        (void)fail(run, FTR_OK, "%.300s: the next file of the run was empty and is removed", path);
    }
    if (fd >= 0)
        close(fd);
    free(path);
}

/* Sets the message to the reason why data is missing in the journal, unless there is a more
 * important message. */
static void name_cause(recovery_run *run)
{
    const ftr_recovery *result = run->result;
    const ftr_journal_header *header = run->image.header;
    if ((result->lost > 0 || result->lost_at_most > 0) && result->message[0] == '\0' &&
        header->cover != FTR_JOURNAL_COVERS)
        (void)fail(run, FTR_OK, "%.300s: the journal could not be extended while recording: %s",
                   run->source->journal, ftr_journal_short_cause(header));
}

ftr_status ftr_recovery_run_locked(const ftr_recovery_source *source, const char *out,
                                   ftr_recovery *recovery, bool *lacks_trace)
{
    *recovery = (ftr_recovery){0};
    recovery_run run = {.result = recovery, .source = source, .trace_fd = -1};
    run.output.fd = -1;
    ftr_status status = load_journal(&run);
    if (status == FTR_OK)
        status = load_trace(&run);
    if (status == FTR_OK)
        status = read_trace(&run);
    if (status == FTR_OK)
        status = start_encoder(&run);
    if (status == FTR_OK)
        status = write_out(&run, out);
    if (status == FTR_OK)
        remove_empty_next(&run);
    if (status == FTR_OK)
        name_cause(&run);
    if (lacks_trace != NULL)
        *lacks_trace = run.lacks_trace;
    release(&run);
    return status;
}

ftr_status ftr_recovery_open_journal(const char *path, int *fd, ftr_recovery *recovery)
{
    char cause[128];
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0) {
        snprintf(recovery->message, sizeof recovery->message, "%.300s: cannot be opened: %s", path,
                 strerror_r(errno, cause, sizeof cause));
        return FTR_ERR_IO;
    }
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    if (fcntl(*fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES))
        return FTR_OK;
    snprintf(recovery->message, sizeof recovery->message,
             "%.300s: a process is still recording to it", path);
    return FTR_ERR_STATE;
}

ftr_status ftr_recovery_run(const char *journal, const char *trace, const char *out,
                            ftr_recovery *recovery)
{
    if (journal == NULL || out == NULL || recovery == NULL)
        return FTR_ERR_ARGUMENT;
    *recovery = (ftr_recovery){0};
    ftr_recovery_source source = {.journal = journal, .trace = trace};
    char *resolved = NULL;
    ftr_status status = ftr_recovery_open_journal(journal, &source.journal_fd, recovery);
    /* further files of the trace are beside the first file, not beside a symbolic link to it */
    if (status == FTR_OK && trace != NULL &&
        ftr_trace_path_resolve(trace, &resolved, NULL) == FTR_OK)
        source.trace = resolved;
    if (status == FTR_OK)
        status = ftr_recovery_run_locked(&source, out, recovery, NULL);
    if (source.journal_fd >= 0)
        close(source.journal_fd);
    free(resolved);
    return status;
}

/* Returns the path of the journal for ftr_recovery_find(), malloc'ed: the usual path or, if no file
 * is there, the first one of ftr_journal_search(). If there is no journal, returns the usual
 * path. */
static char *find_journal(const char *path, const char *directory)
{
    char *resolved = NULL;
    if (ftr_trace_path_resolve(path, &resolved, NULL) != FTR_OK)
        resolved = strdup(path);
    char *found = resolved != NULL ? ftr_journal_path(resolved, directory) : NULL;
    char **others =
        found != NULL && access(found, F_OK) != 0 ? ftr_journal_search(resolved, directory) : NULL;
    if (others != NULL) {
        free(found);
        found = strdup(others[0]);
    }
    ftr_journal_search_free(others);
    free(resolved);
    return found;
}

ftr_status ftr_recovery_find(const char *path, const char *directory, char *journal, size_t size)
{
    if (path == NULL || journal == NULL)
        return FTR_ERR_ARGUMENT;
    char *found = find_journal(path, directory);
    if (found == NULL)
        return FTR_ERR_MEMORY;
    size_t length = strlen(found);
    if (length < size)
        memcpy(journal, found, length + 1);
    free(found);
    return length < size ? FTR_OK : FTR_ERR_LIMIT;
}
