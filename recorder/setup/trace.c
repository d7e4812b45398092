/* Opens and closes a trace: its options, files, journal, memory and writer thread. */
#define _GNU_SOURCE
#include "trace.h"

#include <assert.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "address_range.h"
#include "blocks.h"
#include "buffers.h"
#include "encoder.h"
#include "ended_slots.h"
#include "event_names.h"
#include "flight.h"
#include "kept_summary.h"
#include "lane.h"
#include "recorder_memory.h"
#include "recorder_options.h"
#include "recorder_state.h"
#include "registry.h"
#include "retained_blocks.h"
#include "segments.h"
#include "trace_ends.h"
#include "trace_open.h"
#include "writer.h"

static void free_parts(ftr_recorder *rec)
{
    const bool is_complete =
        rec->ending.failure.status == FTR_OK && !ftr_kept_summary_needs_journal(rec);
    ftr_lanes_release(rec);
    ftr_kept_summary_release(rec);
    ftr_encoder_release(&rec->encoder);
    ftr_definitions_release(&rec->definitions);
    ftr_discarded_ids_release(&rec->discarded_ids);
    ftr_buffers_release(rec);
    ftr_segments_release(rec);
    ftr_losses_keep(&rec->losses, NULL);
    if (is_complete)
        ftr_journal_discard(&rec->journal);
    ftr_arena_release(&rec->arena);
    ftr_range_release(&rec->memory);
    ftr_journal_close(&rec->journal);
    ftr_retained_free(rec);
}

/* Reserves the address space of the recorder, and makes its encoder. @p left is the result of
 * ftr_range_left(). */
static ftr_status make_encoder(ftr_recorder *rec, size_t left)
{
    const ftr_recorder_options *options = &rec->options;
    ftr_range bodies;
    const ftr_range_request request = ftr_encoder_request(&bodies);
    ftr_discarded_ids_init(&rec->discarded_ids, options->start != NULL ? UINT64_MAX : 0);
    ftr_losses_init(&rec->losses);
    bool tracks =
        options->when_full == FTR_WHEN_FULL_DROP || options->start != NULL || options->stop != NULL;
    ftr_status status =
        ftr_recorder_memory_reserve(&rec->memory, &rec->arena, ftr_options_blocks(rec),
                                    FTR_BLOCKS_SHARE, &rec->definitions, &request, left);
    if (status == FTR_OK)
        status = ftr_encoder_init(&rec->encoder, &rec->definitions, options, &bodies);
    rec->encoder.pending_relations.open = &rec->open;
    rec->encoder.pending_relations.discarded_ids = tracks ? &rec->discarded_ids : NULL;
    return status;
}

static int is_of_tool(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    static const char prefix[] = "/vgpreload_";
    const char *found = strstr(library->dlpi_name, prefix);
    return found != NULL && strncmp(found + sizeof prefix - 1, "core-", 5) != 0;
}

/* Returns whether the process runs in a tool of valgrind that reports reads beyond the end of a
 * text, for example memcheck or helgrind. */
static bool access_checker_runs(void)
{
    return dl_iterate_phdr(is_of_tool, NULL) != 0;
}

/* Creates the memory for recorded data, which is in the journal if there is one. */
static ftr_status make_arena(ftr_recorder *rec)
{
    size_t blocks = ftr_options_blocks(rec);
    const bool is_flight = rec->options.mode == FTR_MODE_FLIGHT;
    ftr_buffers_init(rec, is_flight ? &ftr_flight_blocks : &ftr_linear_blocks, blocks);
    ftr_status status =
        ftr_arena_init(&rec->arena, blocks, rec->journal.header != NULL ? &rec->journal : NULL);
    if (status != FTR_OK)
        return status;
    ftr_buffers_allow_growth(rec, ftr_options_most_blocks(rec));
    ftr_losses_keep(&rec->losses, &rec->journal);
    /* Recovery cannot read the data that a sink has received. */
    bool is_seen = rec->journal.header != NULL && !rec->output.has_sink;
    rec->output.journal = is_seen ? &rec->journal : NULL;
    ftr_open_transactions_init(&rec->open, &rec->arena, rec->open.slot_tag);
    rec->front.slots = ftr_ended_slots();
    rec->front.slot_tag = rec->open.slot_tag;
    rec->front.text_pieces = access_checker_runs() ? 0 : FTR_TEXT_PIECES_IN_PAGE;
    rec->own_next_id = 1;
    rec->next_id = &rec->own_next_id;
    status = ftr_definitions_init(&rec->definitions, &rec->arena, rec->options.include,
                                  rec->options.exclude);
    rec->front.entities = (const ftr_entity *)rec->definitions.entities.base;
    ftr_relation parent_of = 0;
    if (status == FTR_OK)
        status = ftr_definitions_add_relation(&rec->definitions, FTR_PARENT_OF, &parent_of);
    if (status != FTR_OK)
        return status;
    assert(parent_of == FTR_RELATION_PARENT_OF);
    ftr_recorder_show_definitions(rec);
    return FTR_OK;
}

/* Opens the output and creates the memory of a recorder. Its options have been checked. @p left is
 * the result of ftr_range_left(). */
static ftr_status open_parts(ftr_recorder *made, const char *path, size_t left)
{
    ftr_status status = ftr_registry_number(made);
    if (status == FTR_OK)
        status = make_encoder(made, left);
    if (status == FTR_OK)
        status = ftr_trace_open(made, path);
    if (status == FTR_OK)
        status = ftr_segments_init(made);
    if (status == FTR_OK)
        status = make_arena(made);
    if (status == FTR_OK)
        status = ftr_kept_summary_open(made, path);
    if (status != FTR_OK)
        return status;
    ftr_registry_enter(made);
    /* The data behind these pointers was copied as far as it is needed. The pointers may be invalid
     * after this call. */
    made->options.flight_after = NULL;
    made->options.include = NULL;
    made->options.exclude = NULL;
    made->options.sink = NULL;
    const bool has_writer = made->options.threads != 0;
    /* without a journal, a kill would lose what is not written yet */
    const bool is_later = ftr_trace_may_start_later(made) && made->journal.header != NULL;
    if (has_writer)
        ftr_writer_schedule(made);
    if (!has_writer)
        ftr_arena_complete(&made->arena);
    /* From here on, a failure is stored in the recorder, and ftr_recorder_close() returns it. */
    if (made->options.time_scale != FTR_TIME_SCALE_LATER) {
        ftr_trace_start(made, made->options.time_scale);
        if (!is_later)
            ftr_segments_write_start(made);
    }
    if (has_writer && !is_later)
        ftr_writer_start(made);
    return FTR_OK;
}

/* Prepares a recorder, without its parts. Sets @p left to the result of ftr_range_left(). */
static ftr_status prepare(ftr_recorder *made, const char *path, const ftr_recorder_options *options,
                          const ftr_run *run, size_t *left)
{
    made->journal.fd = -1;
    made->run = *run;
    ftr_recorder_init_locks(made);
    made->traces[0] = made;
    made->trace_count = 1;
    /* If an option is invalid, the output is closed without having been opened. */
    made->output.fd = -1;
    ftr_options_take(made, options);
    ftr_status status = ftr_options_check(made, path);
    if (status == FTR_OK)
        status = ftr_options_take_window(made);
    if (status == FTR_OK)
        status = ftr_flight_init(made);
    if (status == FTR_OK)
        status = ftr_options_fit(made, left);
    return status;
}

ftr_status ftr_trace_create(const char *path, const ftr_recorder_options *options,
                            const ftr_run *run, ftr_recorder **rec)
{
    ftr_recorder *made = calloc(1, sizeof *made);
    if (made == NULL)
        return FTR_ERR_MEMORY;
    size_t left = SIZE_MAX;
    ftr_status status = prepare(made, path, options, run, &left);
    if (status == FTR_OK)
        status = open_parts(made, path, left);
    if (status != FTR_OK) {
        ftr_failure ignored;
        if (status == FTR_ERR_MEMORY && made->output.path != NULL)
            ftr_recorder_report(made, FTR_SEVERITY_ERROR, "%.300s: cannot record: %s",
                                made->output.path, ftr_status_text(status));
        ftr_output_discard(&made->output);
        (void)!ftr_output_close(&made->output, &ignored);
        free_parts(made);
        free(made);
        return status;
    }
    *rec = made;
    return FTR_OK;
}

static void close_parts(ftr_recorder *rec)
{
    ftr_trace_finish(rec);
    free_parts(rec);
}

ftr_status ftr_trace_close(ftr_recorder *rec)
{
    ftr_writer_close(rec, close_parts);
    return rec->ending.failure.status;
}
