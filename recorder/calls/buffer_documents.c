/* The traces of buffers whose sink is a file or a callback: each is a recorder of its own, whose
 * handles have the numbers they have in the recorder it belongs to. Opens and ends them; what is
 * recorded into them is for the usual calls. */
#define _GNU_SOURCE
#include "buffer_documents.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "trace_path.h"

/* Of a trace that is a ring, for what was open when it was triggered. */
#define MEMORY_BESIDE_RING ((size_t)1 << 20)

ftr_recorder *ftr_buffers_next_document(const ftr_recorder *rec, uint32_t *at)
{
    uint32_t count = atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
    while (++*at < count) {
        ftr_recorder *document = rec->buffers.at[*at].document;
        uint32_t first = 0;
        while (rec->buffers.at[first].document != document)
            ++first;
        if (first == *at)
            return document;
    }
    return NULL;
}

ftr_recorder *ftr_buffers_document(ftr_recorder *rec, ftr_tx tx)
{
    if (FTR_LIKELY((((uint32_t)tx.place ^ rec->open.slot_tag) & ~FTR_SLOT_PLACE) == 0))
        return rec;
    ftr_recorder *document;
    for (uint32_t at = 0; (document = ftr_buffers_next_document(rec, &at)) != NULL;) {
        if ((((uint32_t)tx.place ^ document->open.slot_tag) & ~FTR_SLOT_PLACE) == 0)
            return document;
    }
    return rec;
}

uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *name)
{
    uint32_t count = atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
    uint32_t chosen = 0;
    /* All are asked, so that each marks its patterns. */
    for (uint32_t number = count - 1; number > 0; --number) {
        if (ftr_name_filter_matches(&rec->buffers.at[number].streams, name))
            chosen = number;
    }
    return chosen;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Where the recorder's journal lies, as its options had it: NULL is beside the trace. malloc'ed. */
static char *journal_directory(const ftr_recorder *rec)
{
    if (!rec->journal.header)
        return strdup("none");
    char *beside = ftr_journal_path(rec->encoder.chunks.output.path, NULL);
    bool is_beside = beside && strcmp(beside, rec->journal.path) == 0;
    free(beside);
    if (is_beside)
        return NULL;
    char *directory = strdup(rec->journal.path);
    char *slash = directory ? strrchr(directory, '/') : NULL;
    if (slash)
        *slash = '\0';
    return directory;
}

/* It counts with this recorder, and looks at the same part of the simulation. */
static void follow(ftr_recorder *document, ftr_recorder *rec, size_t blocks)
{
    pthread_mutex_lock(&document->encoding);
    pthread_mutex_lock(&document->lock);
    document->next_id = rec->next_id;
    document->buffers.is_branch = true;
    if (blocks)
        document->buffers.at[0].blocks_max = blocks;
    if (ftr_recorder_gate(rec) & FTR_GATE_WINDOW) {
        document->start_time = rec->start_time;
        document->stop_time = rec->stop_time;
        document->options.start = rec->options.start;
        document->options.stop = rec->options.stop;
        atomic_store(&document->start, atomic_load(&rec->start));
        atomic_store(&document->stop, atomic_load(&rec->stop));
        document->encoder.relation_wait.left_out = &document->left_out;
    }
    ftr_recorder_set_gate(document, ftr_recorder_gate(rec) & (FTR_GATE_WINDOW | FTR_GATE_OFF));
    pthread_mutex_unlock(&document->lock);
    pthread_mutex_unlock(&document->encoding);
}

ftr_status ftr_buffer_document_open(ftr_recorder *rec, const ftr_buffer_options *options,
                                    size_t blocks, ftr_recorder **document)
{
    const char *own = rec->encoder.chunks.output.path;
    bool is_ring = options->kind == FTR_BUFFER_RING;
    ftr_recorder_options with = rec->options;
    with.size = sizeof with;
    with.mode = FTR_MODE_FILE;
    with.block_memory = is_ring ? MEMORY_BESIDE_RING : blocks * FTR_BLOCK_SIZE;
    with.start = NULL;
    with.stop = NULL;
    with.sink = options->sink;
    if (options->sink)
        with.max_files = 0;
    /* With a sink it is the name of a trace that is nowhere, except in its journal. */
    char *path = options->path ? strdup(options->path)
                 : own         ? ftr_trace_path_add(own, "-%s", options->name)
                               : NULL;
    char *directory = journal_directory(rec);
    with.journal_directory = directory;
    ftr_status status = options->path && !path ? FTR_ERR_MEMORY : FTR_OK;
    if (status == FTR_OK)
        status = ftr_recorder_open_in_run(path, &with, &rec->run, document);
    if (status == FTR_OK) {
        follow(*document, rec, is_ring ? 0 : blocks);
        memcpy((*document)->buffers.at[0].name, options->name, strlen(options->name) + 1);
    }
    free(directory);
    free(path);
    return status;
}

/* ---- ending -----------------------------------------------------------------------------------
 */

/* What a document that failed lacks, and cannot say itself. */
static void take_failed(ftr_recorder *rec, uint32_t number, ftr_recorder *document)
{
    for (uint32_t i = 0; i < FTR_BUFFERS_MAX; ++i) {
        ftr_loss lost = ftr_losses_total(&document->losses, i, FTR_LOSS_FAILED);
        ftr_losses_add(&rec->losses, number, FTR_LOSS_FAILED, &lost);
    }
}

ftr_status ftr_buffers_close(ftr_recorder *rec)
{
    ftr_status first = FTR_OK;
    ftr_recorder *document;
    for (uint32_t at = 0; (document = ftr_buffers_next_document(rec, &at)) != NULL;) {
        if (rec->failure.status != FTR_OK)
            (void)ftr_recorder_mark_failed(document);
        ftr_status status = ftr_recorder_close(document);
        if (first == FTR_OK)
            first = status;
        take_failed(rec, at, document);
    }
    return first;
}

static uint64_t *field(ftr_statistics *statistics, size_t index)
{
    return (uint64_t *)statistics + index;
}

_Static_assert(sizeof(ftr_statistics) % sizeof(uint64_t) == 0, "it is of such numbers alone");

void ftr_buffers_add_statistics(const ftr_recorder *rec, ftr_statistics *statistics)
{
    ftr_recorder *document;
    for (uint32_t at = 0; (document = ftr_buffers_next_document(rec, &at)) != NULL;) {
        ftr_statistics more;
        if (ftr_recorder_get_statistics(document, &more) != FTR_OK)
            continue;
        for (size_t i = 0; i < sizeof more / sizeof(uint64_t); ++i)
            *field(statistics, i) += *field(&more, i);
    }
}

void ftr_buffers_release(ftr_recorder *rec)
{
    for (uint32_t number = 0; number < FTR_BUFFERS_MAX; ++number) {
        ftr_name_filter_release(&rec->buffers.at[number].streams);
        ftr_id_set_release(&rec->buffers.at[number].evicted);
    }
}
