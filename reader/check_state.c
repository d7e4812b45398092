/* The functions that all checks share: findings, the start of a chunk, and undefined texts. */
#include "check_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void ftr_check_add_fact(ftr_check *check, ftr_check_fact fact)
{
    ftr_check_fact *room = ftr_prepared_append(check->facts, sizeof *room);
    if (room != NULL)
        *room = fact;
}

void ftr_check_add_run(ftr_check *check)
{
    ftr_check_run *run = &check->run;
    const ftr_check_fact fact = {FTR_FACT_TX, run->count, run->page, run->stream};
    run->count = 0;
    if (fact.count == 0)
        return;
    char *room = ftr_prepared_append(check->facts, sizeof fact + ftr_check_fact_ids(&fact));
    if (room == NULL)
        return;
    memcpy(room, &fact, sizeof fact);
    memcpy(room + sizeof fact, run->offsets, fact.count * sizeof run->offsets[0]);
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
                             "the content is not an array: skipped");
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
        ftr_check_report(check, FTR_RULE_UNDEFINED_TEXT, at, "text %" PRIu64 " is not defined", id);
    else if (chunk >= check->index)
        ftr_check_report(check, FTR_RULE_UNDEFINED_TEXT, at,
                         "text %" PRIu64 " is defined only in a later chunk", id);
    else {
        check->texts[id % FTR_CHECK_TEXTS].id = id + 1;
        check->texts[id % FTR_CHECK_TEXTS].chunk = chunk;
    }
}
