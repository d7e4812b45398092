/* Owns the pass that checks a file: the checks of each chunk, and the checks across chunks. Repairs
 * nothing. Does not know the viewer that the caller uses: every finding names the programs it
 * affects. */
#include "check.h"

#include "numbering.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void ftr_check_report(ftr_check *check, ftr_rule rule, const uint8_t *at, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ftr_findings_add(&check->reader->findings, rule,
                     check->chunk != NULL ? check->chunk->offset : 0,
                     at != NULL ? 1 + (uint64_t)(at - check->bytes) : 0, "%s", message);
}

bool ftr_has_indefinite(const uint8_t *bytes, size_t size)
{
    ftr_cbor_reader r;
    ftr_cbor_head head;
    ftr_cbor_reader_init(&r, bytes, size);
    while (ftr_cbor_reader_left(&r) > 0 && ftr_cbor_get_head(&r, &head) == FTR_OK) {
        if (head.indefinite)
            return true;
        if (head.major != FTR_CBOR_MAJOR_BYTES && head.major != FTR_CBOR_MAJOR_TEXT)
            continue;
        if (head.argument > ftr_cbor_reader_left(&r))
            break;
        r.cursor += head.argument;
    }
    return false;
}

bool ftr_check_enter_body(ftr_check *check, ftr_cbor_reader *r, uint64_t *count)
{
    const bool is_map = check->chunk->kind == FTR_CHUNK_DICTIONARY;
    ftr_cbor_reader_init(r, check->bytes, check->size);
    *count = 0;
    if (check->size == 0) {
        ftr_check_report(check, FTR_RULE_BODY_SHAPE, NULL, "the chunk has no content");
        return false;
    }
    const ftr_status status = is_map ? ftr_cbor_get_map(r, count) : ftr_cbor_get_array(r, count);
    if (status != FTR_OK) {
        /* A dictionary or directory that is not a map or array was reported by the index. */
        if (!is_map && check->chunk->kind != FTR_CHUNK_DIRECTORY)
            ftr_check_report(check, FTR_RULE_BODY_SHAPE, check->bytes,
                             "the content is no array: nothing of it is read");
        return false;
    }
    if (is_map && *count == FTR_CBOR_INDEFINITE)
        ftr_check_report(check, FTR_RULE_BODY_SHAPE, check->bytes,
                         "the map is of indefinite length");
    if (is_map && *count == 0)
        ftr_check_report(check, FTR_RULE_BODY_SHAPE, check->bytes, "the dictionary is empty");
    if (!is_map && *count != FTR_CBOR_INDEFINITE)
        ftr_check_report(check, FTR_RULE_BODY_SHAPE, check->bytes,
                         "the array is of definite length");
    return true;
}

void ftr_check_text(ftr_check *check, uint64_t id, const uint8_t *at)
{
    uint32_t chunk;
    if (!ftr_text_table_chunk(&check->reader->texts, id, &chunk))
        ftr_check_report(check, FTR_RULE_UNDEFINED_TEXT, at, "text %" PRIu64 " is nowhere defined",
                         id);
    else if (chunk >= check->index)
        ftr_check_report(check, FTR_RULE_UNDEFINED_TEXT, at,
                         "text %" PRIu64 " is defined only in a later chunk", id);
}

static ftr_status check_chunk(ftr_check *check, bool relations)
{
    ftr_reader *reader = check->reader;
    ftr_chunk *chunk = check->chunk;
    const bool is_relations = chunk->kind == FTR_CHUNK_RELATIONS;
    if (chunk->kind == FTR_CHUNK_UNKNOWN || chunk->kind == FTR_CHUNK_INFO ||
        (relations && !is_relations))
        return FTR_OK;
    if (is_relations && !relations && !reader->checks_surfer_web)
        return FTR_OK;
    ftr_content *content;
    ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status == FTR_ERR_LIMIT)
        ftr_chunk_cache_refuse(&reader->cache, chunk);
    if (status != FTR_OK)
        return status == FTR_ERR_MEMORY ? status : FTR_OK;
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
    ftr_status status = FTR_OK;
    if (reader->summary.time_scale < -15)
        ftr_check_report(&check, FTR_RULE_TIME_RANGE, NULL, "the time scale is %d",
                         reader->summary.time_scale);
    /* Relations come last, because they may be stored before their transactions. */
    for (int relations = 0; relations < 2; relations++)
        for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
            reader->cache.moment++;
            check.index = (uint32_t)i;
            check.chunk = ftr_chunk_at(reader, i);
            /* Chunks of relations are visited twice; their errors are reported at the second visit
             * only. */
            const bool is_first_look = !relations && check.chunk->kind == FTR_CHUNK_RELATIONS;
            reader->findings.muted += is_first_look;
            status = check_chunk(&check, relations != 0);
            reader->findings.muted -= is_first_look;
        }
    check.chunk = NULL;
    if (status == FTR_OK) {
        ftr_check_stream_names(&check);
        if (reader->checks_surfer_web)
            ftr_check_web_end(&check);
    }
    ftr_check_web_release(&check);
    ftr_id_map_release(&check.streams);
    ftr_budget_give(&reader->budget, check.name_capacity * sizeof *check.names);
    free(check.names);
    return status;
}
