/* The check of a file: all chunks except relations in file order, then the chunks of relations,
 * then the events and the names of streams. Every finding names the programs that it affects. */
#include "check_state.h"
#include "numbering.h"

#include <stdlib.h>

/* If this number of chunks in a row must be checked again, no more chunks are read ahead. */
#define REJECTED_IN_A_ROW_MAX 8u

static ftr_status check_chunk(ftr_check *check, ftr_check_ahead *ahead, bool relations)
{
    ftr_reader *reader = check->reader;
    ftr_chunk *chunk = check->chunk;
    const bool is_relations = chunk->kind == FTR_CHUNK_RELATIONS;
    if (chunk->kind == FTR_CHUNK_UNKNOWN || chunk->kind == FTR_CHUNK_INFO ||
        (relations && !is_relations))
        return FTR_OK;
    if (is_relations && !relations && !reader->checks_surfer_web)
        return FTR_OK;
    if (ahead != NULL &&
        chunk->kind == (relations ? FTR_CHUNK_RELATIONS : FTR_CHUNK_TRANSACTIONS)) {
        if (ftr_check_ahead_take(ahead, check)) {
            check->rejected_in_a_row = 0;
            if (!relations)
                ftr_check_web_transactions(check);
            return FTR_OK;
        }
        check->rejected_in_a_row++;
    }
    ftr_content *content;
    ftr_status status = ftr_chunk_cache_pin_usable(&reader->cache, chunk, &content);
    if (content == NULL)
        return status;
    check->bytes = content->bytes;
    check->size = content->size;
    switch (chunk->kind) {
    case FTR_CHUNK_DICTIONARY:
        ftr_check_dictionary(check);
        break;
    case FTR_CHUNK_DIRECTORY:
        ftr_check_directory(check);
        break;
    case FTR_CHUNK_TRANSACTIONS:
        ftr_check_web_transactions(check);
        status = ftr_check_transactions(check);
        break;
    default:
        (relations ? ftr_check_relations : ftr_check_web_relations)(check);
    }
    ftr_chunk_cache_unpin(&reader->cache, content);
    return status;
}

static void release_ahead(void *user)
{
    ftr_check_ahead **ahead = user;
    ftr_check_ahead_destroy(*ahead);
    *ahead = NULL;
}

/* Checks all chunks of relations, or all other chunks. */
static ftr_status check_chunks(ftr_check *check, bool relations)
{
    ftr_reader *reader = check->reader;
    ftr_status status = FTR_OK;
    ftr_check_ahead *ahead = ftr_check_ahead_create(check, relations);
    reader->release_ahead = release_ahead;
    reader->release_user = &ahead;
    check->rejected_in_a_row = 0;
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        reader->cache.moment++;
        check->index = (uint32_t)i;
        check->chunk = ftr_chunk_at(reader, i);
        /* Chunks of relations are visited twice; their errors are reported at the second visit
         * only. */
        const bool is_first_visit = !relations && check->chunk->kind == FTR_CHUNK_RELATIONS;
        reader->findings.muted += is_first_visit;
        status = check_chunk(check, ahead, relations);
        reader->findings.muted -= is_first_visit;
        if (check->rejected_in_a_row == REJECTED_IN_A_ROW_MAX)
            release_ahead(&ahead);
    }
    reader->release_ahead = NULL;
    ftr_check_ahead_destroy(ahead);
    return status;
}

ftr_status ftr_reader_check(ftr_reader *reader)
{
    if (reader == NULL)
        return FTR_ERR_ARGUMENT;
    if (reader->source.is_pipe)
        return FTR_ERR_STATE;
    ftr_check check = {.reader = reader};
    ftr_id_map_init(&check.streams, &reader->budget, reader->directory.stream_count);
    ftr_check_web_init(&check);
    ftr_numbering_sample(reader);
    ftr_check_transactions_init(&check);
    if (reader->info.time_scale < -15)
        ftr_check_report(&check, FTR_RULE_TIME_RANGE, NULL, "the time scale is %d",
                         reader->info.time_scale);
    /* Relations come last, because they may be stored before their transactions. */
    ftr_status status = check_chunks(&check, false);
    if (status == FTR_OK)
        status = check_chunks(&check, true);
    if (status == FTR_OK)
        status = ftr_check_events(&check);
    check.chunk = NULL;
    if (status == FTR_OK) {
        ftr_check_stream_names(&check);
        if (reader->checks_surfer_web)
            ftr_check_web_end(&check);
    }
    ftr_check_web_release(&check);
    ftr_id_map_release(&check.streams);
    ftr_id_index_release(&check.names, &reader->budget);
    return status;
}
