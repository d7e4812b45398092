/* Creates and destroys views, and copies chunks for them. */
#include "reader_state.h"

#include "cache_lines.h"

#include <stdlib.h>

ftr_reader *ftr_reader_view_create(ftr_reader *origin, size_t memory)
{
    ftr_reader *view = ftr_cache_lines_allocate(sizeof *view);
    if (view == NULL)
        return NULL;
    view->origin = origin;
    view->budget =
        (ftr_budget){.limit = memory, .reclaim = ftr_chunk_cache_reclaim, .user = &view->cache};
    view->source = origin->source;
    view->source.mapping_count = 0; /* the origin releases the pages */
    view->source.budget = &view->budget;
    view->cache.source = &view->source;
    view->cache.budget = &view->budget;
    view->cache.findings = &view->findings;
    view->findings.ignored = origin->findings.ignored;
    view->cache.directory = &view->directory;
    view->directory = origin->directory;
    view->texts.runs = origin->texts.runs;
    view->texts.run_count = origin->texts.run_count;
    view->texts.strays = origin->texts.strays;
    view->segments = origin->segments;
    view->chunk_count = origin->chunk_count;
    view->info = origin->info;
    view->numbering = origin->numbering;
    view->numbering_known = origin->numbering_known;
    view->numbering_sampled = true;
    ftr_forms_init(&view->forms);
    return view;
}

void ftr_reader_view_destroy(ftr_reader *view)
{
    if (view == NULL)
        return;
    ftr_chunk_cache_clear(&view->cache);
    for (size_t i = 0; i < view->own_chunks.capacity; i++)
        if (view->own_chunks.slots[i].value != FTR_ID_NONE)
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): it was a pointer */
            free((void *)(uintptr_t)view->own_chunks.slots[i].value);
    ftr_id_index_release(&view->own_chunks, &view->budget);
    free(view);
}

ftr_chunk ftr_chunk_copy(const ftr_chunk *chunk)
{
    return (ftr_chunk){
        .offset = chunk->offset,
        .start = chunk->start,
        .end = chunk->end,
        .payload_size = chunk->payload_size,
        .raw_size = chunk->raw_size,
        .stream = chunk->stream,
        .head = chunk->head,
        .tail = chunk->tail,
        .kind = chunk->kind,
        .compressed = chunk->compressed,
        .in_pieces = chunk->in_pieces,
        .inverted_range = chunk->inverted_range,
        .is_listed = chunk->is_listed,
    };
}

ftr_chunk *ftr_reader_view_chunk(ftr_reader *view, size_t index)
{
    const uint64_t known = ftr_id_index_get(&view->own_chunks, index);
    if (known != FTR_ID_NONE)
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): it was a pointer */
        return (ftr_chunk *)(uintptr_t)known;
    if (!ftr_budget_reserve(&view->budget, sizeof(ftr_chunk)))
        return NULL;
    ftr_chunk *own = malloc(sizeof *own);
    if (own == NULL || ftr_id_index_put(&view->own_chunks, &view->budget, index,
                                        (uint64_t)(uintptr_t)own) != FTR_OK) {
        free(own);
        ftr_budget_release(&view->budget, sizeof *own);
        return NULL;
    }
    *own = ftr_chunk_copy(ftr_chunk_at(view, index));
    return own;
}
