/* Recovery: copies the complete part of a trace, then adds everything in the journal that is not in
 * it. The output is written to a temporary file and renamed when complete, so that a killed
 * recovery can be repeated. */
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
#include "recovery_losses.h"
#include "recovery_run.h"
#include "struct_size.h"
#include "trace_path.h"
#include "trace_scan.h"

#define COPY_SIZE ((size_t)1 << 20)

/* The state of one recovery. */
typedef struct recovery_run {
    ftr_recovery *result;
    const ftr_recovery_source *source;
    ftr_journal_image image;
    uint32_t *blocks;
    size_t block_count;
    int trace_fd;
    bool lacks_trace;
    uint8_t *trace;    /* mapped */
    size_t trace_size; /* size of the complete part */
    ftr_trace_scan scan;
    ftr_encoder encoder;
    ftr_output output;
    uint64_t relations_discarded; /* relations of the journal that are in no file */
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

static ftr_status fail_errno(recovery_run *run, const char *path, const char *what)
{
    char cause[128];
    return fail(run, FTR_ERR_IO, "%.300s: %s: %s", path, what,
                strerror_r(errno, cause, sizeof cause));
}

/* ---- reading ----------------------------------------------------------------------------------
 */

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
    run->blocks = ftr_journal_image_blocks(&run->image, &run->block_count);
    return run->blocks != NULL ? FTR_OK
                               : fail(run, FTR_ERR_MEMORY, "%s", ftr_status_text(FTR_ERR_MEMORY));
}

/* Maps the complete part of the trace, and verifies that the journal belongs to it. FTR_ERR_FORMAT:
 * the trace is missing, or the journal belongs to another one. */
static ftr_status map_trace(recovery_run *run, const char *path)
{
    const ftr_journal_header *header = run->image.header;
    ftr_journal_commit commit = header->commits[header->commit];
    struct stat about;
    run->trace_fd = open(path, O_RDONLY | O_CLOEXEC);
    /* A trace that was written to a callback has no file. */
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

static ftr_status load_trace(recovery_run *run, const char *path)
{
    ftr_status status = map_trace(run, path);
    if (status != FTR_ERR_FORMAT || !run->source->may_lack_trace)
        return status;
    unmap_trace(run);
    run->lacks_trace = true;
    run->result->cut = 0;
    return FTR_OK;
}

/* ---- contents of the journal -------------------------------------------------------------------
 */

static int by_id(const void *a, const void *b)
{
    uint64_t left = ((const ftr_sought_tx *)a)->id;
    uint64_t right = ((const ftr_sought_tx *)b)->id;
    return left < right ? -1 : left > right;
}

/* Iterates over all records; with NULL lists, only counts them. */
static void list_records(recovery_run *run, size_t *transactions, size_t *relations)
{
    ftr_trace_scan *scan = &run->scan;
    uint64_t torn = run->image.torn;
    *transactions = 0;
    *relations = 0;
    for (size_t i = 0; i < run->block_count; i++) {
        const ftr_stored_tx *record;
        for (size_t at = 0;
             (record = ftr_journal_image_next(&run->image, run->blocks[i], &at)) != NULL;) {
            if (record->kind == FTR_RECORD_TX) {
                if (scan->transactions != NULL)
                    scan->transactions[*transactions].id = record->id;
                (*transactions)++;
                continue;
            }
            const ftr_stored_relation *relation = (const ftr_stored_relation *)record;
            if (scan->relations != NULL) {
                scan->relations[*relations] = (ftr_sought_relation){
                    .from = relation->from, .to = relation->to, .relation = relation->relation};
                scan->transactions[(*transactions)++].id = relation->from;
                scan->transactions[(*transactions)++].id = relation->to;
            } else {
                *transactions += 2;
            }
            (*relations)++;
        }
    }
    run->image.torn = torn;
    for (uint32_t i = 0; i < run->image.header->slot_count; i++) {
        const ftr_slot *slot = ftr_journal_image_slot(&run->image, i);
        if (slot == NULL)
            continue;
        if (scan->transactions != NULL)
            scan->transactions[*transactions].id = slot->id;
        (*transactions)++;
    }
    run->image.torn = torn;
}

static size_t without_duplicates(void *items, size_t count, size_t size,
                                 int (*compare)(const void *, const void *))
{
    uint8_t *bytes = items;
    size_t kept = 0;
    qsort(items, count, size, compare);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare(bytes + (kept - 1) * size, bytes + i * size) == 0)
            continue;
        memmove(bytes + kept++ * size, bytes + i * size, size);
    }
    return kept;
}

static ftr_status list_journal(recovery_run *run)
{
    ftr_trace_scan *scan = &run->scan;
    size_t transactions;
    size_t relations;
    list_records(run, &transactions, &relations);
    ftr_sought_tx *ids = calloc(transactions + 1, sizeof *ids);
    ftr_sought_relation *sought = calloc(relations + 1, sizeof *sought);
    scan->transactions = ids;
    scan->relations = sought;
    if (ids == NULL || sought == NULL)
        return fail(run, FTR_ERR_MEMORY, "%s", ftr_status_text(FTR_ERR_MEMORY));
    list_records(run, &transactions, &relations);
    scan->transaction_count = without_duplicates(ids, transactions, sizeof *ids, by_id);
    scan->relation_count =
        without_duplicates(sought, relations, sizeof *sought, ftr_sought_relation_compare);
    return FTR_OK;
}

static ftr_sought_tx *sought_tx(const recovery_run *run, uint64_t id)
{
    ftr_sought_tx key = {.id = id};
    return bsearch(&key, run->scan.transactions, run->scan.transaction_count, sizeof key, by_id);
}

/* Marks the transactions that are in the file before the one that the process was writing, because
 * a block that a pending relation needs is not settled when a new file begins. Marks nothing if
 * that file no longer exists. */
static void note_file_before(recovery_run *run, const char *trace)
{
    const uint32_t number = ftr_journal_image_file(&run->image);
    char *path = number > 1 ? ftr_trace_path_of_file(trace, number - 1) : NULL;
    int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    struct stat about;
    free(path);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        size_t size = (size_t)about.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
        if (bytes != MAP_FAILED) {
            (void)!ftr_trace_scan_run(&run->scan, bytes, size);
            munmap(bytes, size);
        }
    }
    close(fd);
    ftr_trace_scan_start_over(&run->scan);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

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
    ftr_status status = ftr_encoder_init(&run->encoder, &run->image.definitions, &options);
    if (status != FTR_OK)
        return fail(run, status, "%s", ftr_status_text(status));
    ftr_encoder_resume(&run->encoder, run->scan.strings);
    run->encoder.latest = run->scan.latest;
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
    size_t whole = run->trace_size ? run->scan.size : 0;
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

/* Whether one more relation of the journal is among the @p count relations of a file. */
static bool is_one_of(const recovery_run *run, uint64_t *count)
{
    if (*count == 0)
        return false;
    *count -= run->image.header->may_repeat ? 0 : 1;
    return true;
}

/* Writes a relation if no file contains it and the trace contains both of its transactions. */
static void write_relation(recovery_run *run, ftr_stored_relation *relation)
{
    ftr_sought_relation key = {
        .from = relation->from, .to = relation->to, .relation = relation->relation};
    ftr_sought_relation *found = bsearch(&key, run->scan.relations, run->scan.relation_count,
                                         sizeof key, ftr_sought_relation_compare);
    const ftr_journal_header *header = run->image.header;
    if (is_one_of(run, &found->in_trace) || is_one_of(run, &found->in_file_before))
        return;
    if (header->may_discard && (!sought_tx(run, relation->from)->is_in_trace ||
                                !sought_tx(run, relation->to)->is_in_trace)) {
        run->relations_discarded++;
        return;
    }
    ftr_encoder_take(&run->encoder, (uint8_t *)relation, (const uint8_t *)(relation + 1));
    run->result->relations++;
    found->in_trace += header->may_repeat ? 1 : 0;
}

/* Writes the transactions of the blocks or, after all of them, the relations. */
static ftr_status write_blocks(recovery_run *run, uint32_t kind)
{
    ftr_status status = FTR_OK;
    uint64_t torn = run->image.torn;
    for (size_t i = 0; i < run->block_count && status == FTR_OK; i++) {
        ftr_stored_tx *record;
        for (size_t at = 0;
             (record = ftr_journal_image_next(&run->image, run->blocks[i], &at)) != NULL;) {
            if (record->kind != kind)
                continue;
            if (kind == FTR_RECORD_RELATION) {
                write_relation(run, (ftr_stored_relation *)record);
                continue;
            }
            ftr_sought_tx *sought = sought_tx(run, record->id);
            if (sought->is_in_trace || sought->is_in_file_before)
                continue;
            sought->is_in_trace = true;
            uint8_t *bytes = (uint8_t *)record;
            ftr_encoder_take(&run->encoder, bytes, bytes + ftr_record_size(record));
            run->result->transactions++;
        }
        status = send(run);
    }
    if (kind == FTR_RECORD_RELATION)
        run->image.torn = torn; /* already counted with the transactions */
    return status;
}

static void write_open(recovery_run *run)
{
    uint64_t latest = run->encoder.latest;
    uint64_t torn = run->image.torn;
    for (uint32_t i = 0; i < run->image.header->slot_count; i++) {
        const ftr_slot *slot = ftr_journal_image_slot(&run->image, i);
        if (slot != NULL && !sought_tx(run, slot->id)->is_in_trace && slot->begin > latest)
            latest = slot->begin;
    }
    run->image.torn = torn;
    for (uint32_t i = 0; i < run->image.header->slot_count; i++) {
        const ftr_slot *slot = ftr_journal_image_slot(&run->image, i);
        ftr_sought_tx *sought = slot != NULL ? sought_tx(run, slot->id) : NULL;
        if (sought == NULL || sought->is_in_trace || sought->is_in_file_before)
            continue;
        sought->is_in_trace = true;
        ftr_encoder_take_unfinished(&run->encoder, slot, latest);
        run->result->transactions++;
        run->result->unfinished++;
    }
}

static ftr_status put_losses(recovery_run *run)
{
    const ftr_trace_scan *scan = &run->scan;
    const ftr_sought_tx *last =
        scan->transaction_count ? &scan->transactions[scan->transaction_count - 1] : NULL;
    ftr_recovery_losses found = {.highest_id = scan->highest_id};
    if (last != NULL && last->id > found.highest_id)
        found.highest_id = last->id;
    if (run->image.header->counts_relations)
        found.discarded = run->relations_discarded;
    ftr_status status = ftr_recovery_put_losses(&run->image, &found, &run->encoder);
    return status == FTR_OK ? status : fail(run, status, "%s", ftr_status_text(status));
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
    run->result->torn = run->image.torn;
    return send(run);
}

/* The permissions of the trace or, without a trace, of the journal. */
static mode_t mode_of_run(const recovery_run *run)
{
    struct stat about;
    bool has_trace = run->trace_fd >= 0 && !run->lacks_trace;
    if (fstat(has_trace ? run->trace_fd : run->source->journal_fd, &about) != 0)
        return 0600;
    return about.st_mode & 0777;
}

/* Writes to a temporary file beside @p out, which is renamed when it is complete and on disk. */
static ftr_status write_out(recovery_run *run, const char *out)
{
    ftr_atomic_file file;
    ftr_failure failure = {0};
    ftr_sink sink = {.user = &file, .write = ftr_atomic_file_write};
    ftr_status status = ftr_atomic_file_create(&file, out, mode_of_run(run));
    if (status != FTR_OK)
        return fail_errno(run, out, "cannot be written");
    ftr_output_take_sink(&run->output, out, &sink);
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
    if (run->encoder.definitions !=
        NULL) /* initialised: a file that is not a journal is refused earlier */
        ftr_encoder_release(&run->encoder);
    ftr_trace_scan_release(&run->scan);
    unmap_trace(run);
    if (run->trace_fd >= 0)
        close(run->trace_fd);
    free(run->blocks);
    ftr_journal_image_release(&run->image);
}

/* Removes the file that the process created as its next one and did not write to. */
static void remove_empty_next(recovery_run *run, const char *trace)
{
    char *path = ftr_trace_path_of_file(trace, run->result->file + 1);
    struct stat about;
    int fd = -1;
    if (run->image.header->counts_relations && path != NULL &&
        ftr_file_claim(path, &fd) == FTR_OK && fd >= 0 && fstat(fd, &about) == 0 &&
        about.st_size == 0 && about.st_uid == geteuid()) {
        ftr_file_remove(fd, path);
        (void)fail(run, FTR_OK, "%.300s: the next file of the run was empty and is removed", path);
    }
    if (fd >= 0)
        close(fd);
    free(path);
}

ftr_status ftr_recovery_run_locked(const ftr_recovery_source *source, const char *out,
                                   ftr_recovery *recovery, bool *lacks_trace)
{
    *recovery = (ftr_recovery){0};
    recovery_run run = {.result = recovery, .source = source, .trace_fd = -1};
    run.output.fd = -1;
    ftr_status status = load_journal(&run);
    char *path = NULL;
    if (status == FTR_OK) {
        path =
            ftr_trace_path_of_file(source->trace != NULL ? source->trace : run.image.header->trace,
                                   ftr_journal_image_file(&run.image));
        status = path != NULL ? load_trace(&run, path)
                              : fail(&run, FTR_ERR_MEMORY, "%s", ftr_status_text(FTR_ERR_MEMORY));
    }
    run.scan.definitions = &run.image.definitions;
    if (status == FTR_OK)
        status = list_journal(&run);
    if (status == FTR_OK)
        note_file_before(&run, source->trace != NULL ? source->trace : run.image.header->trace);
    if (status == FTR_OK && run.trace_size) {
        status = ftr_trace_scan_run(&run.scan, run.trace, run.trace_size);
        if (status != FTR_OK)
            fail(&run, status, "%.300s: its complete part was not written by a recorder", path);
    }
    if (status == FTR_OK)
        status = start_encoder(&run);
    if (status == FTR_OK)
        status = write_out(&run, out);
    if (status == FTR_OK)
        remove_empty_next(&run, source->trace != NULL ? source->trace : run.image.header->trace);
    if (lacks_trace != NULL)
        *lacks_trace = run.lacks_trace;
    release(&run);
    free(path);
    return status;
}

/* Opens the journal for reading and locks it: other readers are allowed, recording is not. */
static ftr_status open_journal(const char *path, int *fd, ftr_recovery *recovery)
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
    ftr_status status = open_journal(journal, &source.journal_fd, recovery);
    /* further files are beside the first file, not beside a link to it */
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

ftr_status ftr_recovery_run_sized(const char *journal, const char *trace, const char *out,
                                  ftr_recovery *recovery, size_t size)
{
    if (recovery == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_recovery whole = {0};
    ftr_status status = ftr_recovery_run(journal, trace, out, &whole);
    ftr_struct_copy(recovery, size, &whole, sizeof whole);
    return status;
}

/* Returns the path of the journal for ftr_recovery_find(), malloc'ed: the first path that
 * exists. */
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
