/* Recovers the summary of a run: reads the state that the process saved in its journal, then adds
 * the transactions of the journal that are not in this state. Does not need the trace. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "cbor_reader.h"
#include "run_collector.h"
#include "id_set.h"
#include "journal_image.h"
#include "journal_state.h"
#include "recovery_run.h"
#include "run_observer.h"
#include "summary_file.h"

typedef struct recovered_summary {
    ftr_recovery *result;
    ftr_journal_image image;
    ftr_run_observer observer;
    uint8_t *state;
    const uint8_t *positions;
    size_t position_count;
    bool includes_open; /* the state includes the open transactions */
    uint64_t latest;    /* tick */
    /* ids of the transactions that were added, and of the last transaction before each read
     * position */
    ftr_id_set taken;
} recovered_summary;

static ftr_status fail(recovered_summary *summary, ftr_status status, const char *path,
                       const char *why)
{
    snprintf(summary->result->message, sizeof summary->result->message, "%.300s: %.200s", path,
             why);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

static ftr_read_position position_at(const recovered_summary *summary, size_t i)
{
    ftr_read_position position;
    memcpy(&position, summary->positions + i * sizeof position, sizeof position);
    return position;
}

/* Reads the state, and the position in each block up to which the state includes the
 * transactions. */
static ftr_status restore_state(recovered_summary *summary, size_t size)
{
    ftr_cbor_reader r;
    size_t bytes = 0;
    if (size == 0)
        return FTR_OK;
    ftr_cbor_reader_init(&r, summary->state, size);
    (void)ftr_cbor_get_bool(&r, &summary->includes_open);
    (void)ftr_cbor_get_uint(&r, &summary->latest);
    if (ftr_cbor_get_bytes(&r, &summary->positions, &bytes) != FTR_OK)
        return r.status;
    if (bytes % sizeof(ftr_read_position) != 0)
        return FTR_ERR_FORMAT;
    summary->position_count = bytes / sizeof(ftr_read_position);
    for (size_t i = 0; i < summary->position_count; i++) {
        const uint64_t last = position_at(summary, i).last_tx;
        if (last != 0)
            ftr_id_set_add(&summary->taken, last);
    }
    return ftr_collector_state_get(summary->observer.collector, &r);
}

static ftr_status load(recovered_summary *summary, const char *journal, int fd)
{
    const char *why;
    size_t size = 0;
    ftr_status status = ftr_journal_image_load(&summary->image, fd, &why);
    if (status != FTR_OK)
        return fail(summary, status, journal,
                    status == FTR_ERR_MEMORY ? ftr_status_text(status) : why);
    const ftr_journal_header *header = summary->image.header;
    summary->result->pid = header->pid;
    if (header->summary[0] == '\0')
        return fail(summary, FTR_ERR_FORMAT, journal, "the run kept no summary");
    status = ftr_run_observer_init(&summary->observer, &summary->image.definitions);
    if (status == FTR_OK && header->state != FTR_JOURNAL_STATE_LOST)
        status = ftr_journal_state_read(header, fd, &summary->state, &size);
    if (status == FTR_OK)
        status = restore_state(summary, size);
    if (status == FTR_ERR_MEMORY)
        return fail(summary, status, journal, ftr_status_text(status));
    return status == FTR_OK
               ? FTR_OK
               : fail(summary, FTR_ERR_FORMAT, journal, "its part of the summary is not readable");
}

/* ---- the rest of the transactions ------------------------------------------------------------ */

/* Returns the offset in a block of the first record that the state does not include. */
static size_t position_in(const recovered_summary *summary, uint32_t number)
{
    const ftr_block *block = ftr_arena_block(&summary->image.arena, number);
    for (size_t i = 0; i < summary->position_count; i++) {
        const ftr_read_position position = position_at(summary, i);
        if (position.block == number && position.sequence == block->sequence &&
            position.offset > sizeof *block)
            return position.offset;
    }
    return sizeof *block;
}

static void add_record(recovered_summary *summary, const ftr_stored_tx *record)
{
    if (record->kind != FTR_RECORD_TX || ftr_id_set_contains(&summary->taken, record->id))
        return;
    ftr_id_set_add(&summary->taken, record->id);
    ftr_run_observer_add(&summary->observer, record, (const uint8_t *)(record + 1), false);
    summary->latest = record->end > summary->latest ? record->end : summary->latest;
    summary->result->transactions++;
}

static void add_blocks(recovered_summary *summary)
{
    const ftr_journal_image *image = &summary->image;
    for (size_t i = 0; i < image->block_count; i++) {
        ftr_journal_pass pass = {
            .block = i, .end = i + 1, .at = position_in(summary, image->blocks[i])};
        const ftr_stored_tx *record;
        while ((record = ftr_journal_image_next(image, &pass)) != NULL)
            add_record(summary, record);
        summary->result->torn += pass.torn;
    }
}

/* Returns the next open transaction that was not added from a block. If the process was killed
 * while it ended a transaction, this transaction is both in a block, so that it is in `taken`, and
 * still in its slot. */
static const ftr_slot *next_open(const recovered_summary *summary, ftr_journal_pass *pass)
{
    const ftr_slot *slot;
    do
        slot = ftr_journal_image_next_slot(&summary->image, pass);
    while (slot != NULL && ftr_id_set_contains(&summary->taken, slot->id));
    return slot;
}

/* Adds the open transactions. Their end is the latest time in the journal, which is the latest end
 * of a transaction or the latest begin of an open transaction. */
static void add_open(recovered_summary *summary)
{
    const ftr_slot *slot;
    ftr_journal_pass pass = {0};
    if (summary->includes_open)
        return;
    while ((slot = next_open(summary, &pass)) != NULL)
        summary->latest = slot->begin > summary->latest ? slot->begin : summary->latest;
    summary->result->torn += pass.torn;
    pass = (ftr_journal_pass){0};
    while ((slot = next_open(summary, &pass)) != NULL) {
        const ftr_stored_tx tx = {.id = slot->id,
                                  .begin = slot->begin,
                                  .items_size = slot->fill,
                                  .generator = slot->generator,
                                  .end = summary->latest};
        ftr_run_observer_add(&summary->observer, &tx, slot->items, true);
        summary->result->transactions++;
        summary->result->unfinished++;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

static ftr_status make_record(recovered_summary *summary, const char *journal, const char *file,
                              ftr_run_record *run)
{
    const ftr_journal_header *header = summary->image.header;
    ftr_run_observer *observer = &summary->observer;
    add_blocks(summary);
    add_open(summary);
    ftr_status status = ftr_run_observer_add_streams(observer);
    if (status == FTR_OK)
        status = ftr_run_collector_settle(observer->collector);
    summary->result->lost = summary->image.uncovered;
    summary->result->lost_at_most = summary->image.uncovered_at_most;
    if (header->state == FTR_JOURNAL_STATE_LOST) {
        summary->result->lost += header->summary_lost;
        (void)fail(summary, FTR_OK, journal,
                   "the summary could not be saved in the journal while recording: the figures of "
                   "lost transactions are missing in the summary");
    }
    ftr_run_collector_count_losses(observer->collector, header->lost + summary->result->lost +
                                                            summary->result->lost_at_most);
    const ftr_run_source source = {.file = file != NULL ? file : header->trace,
                                   .part = 1,
                                   .state = FTR_RUN_UNFINISHED,
                                   .time_scale = header->scale_known ? header->time_scale : -12};
    return status == FTR_OK ? ftr_run_collector_record(observer->collector, &source, run) : status;
}

/* Returns the permissions for the recovered summary: those of the summary of the run, or else of
 * its trace, if this is a regular file of this user. If neither is a regular file of this user,
 * returns the permissions of the journal, without the right to execute. */
static mode_t mode_of_run(const ftr_journal_header *header, int journal_fd)
{
    const char *const files[] = {header->summary, header->trace};
    struct stat about;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (lstat(files[i], &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid())
            return ftr_atomic_file_mode_of_copy(&about);
    return fstat(journal_fd, &about) == 0 ? ftr_atomic_file_mode_of_copy(&about) & 0666 : 0600;
}

static void release(recovered_summary *summary)
{
    ftr_run_observer_release(&summary->observer);
    ftr_id_set_release(&summary->taken);
    free(summary->state);
    ftr_journal_image_release(&summary->image);
}

ftr_status ftr_summary_recover(const char *journal, int journal_fd, const char *file,
                               const char *out, ftr_recovery *recovery)
{
    *recovery = (ftr_recovery){.file = 1};
    recovered_summary summary = {.result = recovery, .taken = {.excess = FTR_ID_SET_FORGETS}};
    ftr_run_record run;
    ftr_status status = load(&summary, journal, journal_fd);
    if (status == FTR_OK)
        status = make_record(&summary, journal, file, &run);
    if (status == FTR_OK) {
        errno = 0;
        status =
            ftr_summary_write_run(&run, out, mode_of_run(summary.image.header, journal_fd), true);
        if (status == FTR_ERR_IO)
            (void)fail(&summary, status, out, strerror(errno));
        ftr_run_record_release(&run);
    }
    if (status != FTR_OK && recovery->message[0] == '\0')
        (void)fail(&summary, status, out, ftr_status_text(status));
    release(&summary);
    return status;
}

char *ftr_summary_recovery_path(int journal_fd)
{
    ftr_journal_header *header = malloc(sizeof *header);
    char *path = NULL;
    if (header != NULL && pread(journal_fd, header, sizeof *header, 0) == sizeof *header &&
        memcmp(header->magic, FTR_JOURNAL_MAGIC, sizeof header->magic) == 0 &&
        header->layout == FTR_JOURNAL_LAYOUT && header->summary[0] != '\0' &&
        memchr(header->summary, '\0', sizeof header->summary) != NULL)
        path = strdup(header->summary);
    free(header);
    return path;
}

ftr_status ftr_recovery_summarize(const char *journal, const char *out, ftr_recovery *recovery)
{
    int fd;
    if (journal == NULL || out == NULL || recovery == NULL)
        return FTR_ERR_ARGUMENT;
    *recovery = (ftr_recovery){0};
    ftr_status status = ftr_recovery_open_journal(journal, &fd, recovery);
    if (status == FTR_OK)
        status = ftr_summary_recover(journal, fd, NULL, out, recovery);
    if (fd >= 0)
        close(fd);
    return status;
}

ftr_status ftr_recovery_get_summary_path(const char *journal, char *summary, size_t size)
{
    if (journal == NULL || summary == NULL)
        return FTR_ERR_ARGUMENT;
    const int fd = open(journal, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return FTR_ERR_IO;
    char *path = ftr_summary_recovery_path(fd);
    (void)close(fd);
    if (path == NULL)
        return FTR_ERR_FORMAT;
    const size_t length = strlen(path);
    if (length < size)
        memcpy(summary, path, length + 1);
    free(path);
    return length < size ? FTR_OK : FTR_ERR_LIMIT;
}
