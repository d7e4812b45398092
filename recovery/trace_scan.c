/* Reads traces of this recorder, for recovery only: the counts at which recovery continues, and
 * which transactions and relations of the journal are in the trace. Traces of other writers are
 * read by reader/. */
#include "trace_scan.h"

#include <stdlib.h>
#include <string.h>

#include "cbor_reader.h"
#include "chunk_writer.h"
#include "format_tags.h"

#define FILE_HEAD_SIZE 4

int ftr_sought_relation_compare(const void *a, const void *b)
{
    const ftr_sought_relation *left = a;
    const ftr_sought_relation *right = b;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    if (left->to != right->to)
        return left->to < right->to ? -1 : 1;
    return left->relation < right->relation ? -1 : left->relation > right->relation;
}

static int compare_id(const void *id, const void *sought)
{
    uint64_t left = *(const uint64_t *)id;
    uint64_t right = ((const ftr_sought_tx *)sought)->id;
    return left < right ? -1 : left > right;
}

static void note_id(ftr_trace_scan *scan, uint64_t id)
{
    if (id > scan->highest_id)
        scan->highest_id = id;
}

static void mark_transaction(ftr_trace_scan *scan, uint64_t id)
{
    note_id(scan, id);
    ftr_sought_tx *found =
        scan->transaction_count
            ? bsearch(&id, scan->transactions, scan->transaction_count, sizeof *found, compare_id)
            : NULL;
    if (found != NULL)
        found->is_in_trace = true;
}

static void mark_relation(ftr_trace_scan *scan, uint32_t name, uint64_t from, uint64_t to)
{
    note_id(scan, from);
    note_id(scan, to);
    for (size_t i = 0; i < scan->relation_id_count; i += 2) {
        if (scan->relation_ids[i] != name || scan->relation_count == 0)
            continue;
        ftr_sought_relation key = {.from = from, .to = to, .relation = scan->relation_ids[i + 1]};
        ftr_sought_relation *found = bsearch(&key, scan->relations, scan->relation_count,
                                             sizeof key, ftr_sought_relation_compare);
        if (found != NULL)
            found->in_trace++;
    }
}

/* Stores a dictionary entry that is the name of a relation. */
static ftr_status note_string(ftr_trace_scan *scan, uint32_t id, const char *text, size_t size)
{
    for (uint32_t i = 1; i < scan->definitions->relation_count; i++) {
        const ftr_defined_text *name = ftr_definitions_relation(scan->definitions, i);
        if (name->length != size || memcmp(name->text, text, size) != 0)
            continue;
        if (scan->relation_id_count == scan->relation_id_capacity) {
            size_t capacity = scan->relation_id_capacity ? scan->relation_id_capacity * 2 : 32;
            uint32_t *grown = realloc(scan->relation_ids, capacity * sizeof *grown);
            if (grown == NULL)
                return FTR_ERR_MEMORY;
            scan->relation_ids = grown;
            scan->relation_id_capacity = capacity;
        }
        scan->relation_ids[scan->relation_id_count++] = id;
        scan->relation_ids[scan->relation_id_count++] = i;
    }
    return FTR_OK;
}

static ftr_status scan_dictionary(ftr_trace_scan *scan, ftr_cbor_reader *body)
{
    uint64_t count = 0;
    ftr_status status = FTR_OK;
    for (ftr_cbor_get_map(body, &count); status == FTR_OK && ftr_cbor_next(body, &count);) {
        uint64_t id = 0;
        const char *text = NULL;
        size_t size = 0;
        ftr_cbor_get_uint(body, &id);
        if (ftr_cbor_get_text(body, &text, &size) == FTR_OK)
            status = note_string(scan, (uint32_t)id, text, size);
        scan->strings++;
    }
    return status;
}

static void scan_directory(ftr_trace_scan *scan, ftr_cbor_reader *body)
{
    uint64_t count = 0;
    for (ftr_cbor_get_array(body, &count); ftr_cbor_next(body, &count);) {
        uint64_t tag = 0;
        uint64_t elements = 0;
        uint64_t handle = 0;
        ftr_cbor_get_tag(body, &tag);
        ftr_cbor_get_array(body, &elements);
        ftr_cbor_get_uint(body, &handle);
        ftr_cbor_skip(body);
        ftr_cbor_skip(body);
        if (body->status == FTR_OK && handle != 0 && handle < scan->definitions->entity_count)
            ftr_definitions_entity(scan->definitions, (uint32_t)handle)->is_written = true;
    }
}

static void scan_transactions(ftr_trace_scan *scan, ftr_cbor_reader *body)
{
    uint64_t count = 0;
    for (ftr_cbor_get_array(body, &count); ftr_cbor_next(body, &count);) {
        uint64_t parts = 0;
        uint64_t tag = 0;
        uint64_t elements = 0;
        uint64_t id = 0;
        ftr_cbor_get_array(body, &parts);
        ftr_cbor_get_tag(body, &tag);
        ftr_cbor_get_array(body, &elements);
        ftr_cbor_get_uint(body, &id);
        if (tag != FTR_TAG_TX || elements == 0 || parts == 0)
            ftr_cbor_reader_fail(body, FTR_ERR_FORMAT);
        for (uint64_t i = 1; i < elements && body->status == FTR_OK; i++)
            ftr_cbor_skip(body);
        for (uint64_t i = 1; i < parts && body->status == FTR_OK; i++)
            ftr_cbor_skip(body);
        if (body->status == FTR_OK)
            mark_transaction(scan, id);
    }
}

static void scan_relations(ftr_trace_scan *scan, ftr_cbor_reader *body)
{
    uint64_t count = 0;
    for (ftr_cbor_get_array(body, &count); ftr_cbor_next(body, &count);) {
        uint64_t elements = 0;
        uint64_t name = 0;
        uint64_t from = 0;
        uint64_t to = 0;
        ftr_cbor_get_array(body, &elements);
        ftr_cbor_get_uint(body, &name);
        ftr_cbor_get_uint(body, &from);
        ftr_cbor_get_uint(body, &to);
        for (uint64_t i = 3; i < elements && body->status == FTR_OK; i++)
            ftr_cbor_skip(body);
        if (body->status == FTR_OK)
            mark_relation(scan, (uint32_t)name, from, to);
    }
}

static ftr_status scan_body(ftr_trace_scan *scan, uint64_t tag, const uint8_t *bytes, size_t size)
{
    ftr_cbor_reader body;
    ftr_cbor_reader_init(&body, bytes, size);
    ftr_status status = FTR_OK;
    if (tag == FTR_TAG_DICTIONARY)
        status = scan_dictionary(scan, &body);
    else if (tag == FTR_TAG_DIRECTORY)
        scan_directory(scan, &body);
    else if (tag == FTR_TAG_TRANSACTIONS)
        scan_transactions(scan, &body);
    else if (tag == FTR_TAG_RELATIONS)
        scan_relations(scan, &body);
    return body.status != FTR_OK ? FTR_ERR_FORMAT : status;
}

static ftr_status expand(ftr_trace_scan *scan, const uint8_t *packed, size_t packed_size,
                         uint64_t raw_size)
{
    if (raw_size > packed_size * 256 + 4096) /* more than the maximum compression of LZ4 */
        return FTR_ERR_FORMAT;
    if (raw_size > scan->expanded_capacity) {
        uint8_t *grown = realloc(scan->expanded, raw_size);
        if (grown == NULL)
            return FTR_ERR_MEMORY;
        scan->expanded = grown;
        scan->expanded_capacity = raw_size;
    }
    return ftr_lz4_expand(packed, packed_size, scan->expanded, raw_size);
}

static ftr_status scan_chunk(ftr_trace_scan *scan, ftr_cbor_reader *file)
{
    uint64_t tag = 0;
    uint64_t elements = 0;
    uint64_t raw_size = 0;
    const uint8_t *bytes = NULL;
    size_t size = 0;
    ftr_cbor_get_tag(file, &tag);
    bool is_packed = tag >= FTR_TAG_DICTIONARY && tag & 1;
    uint64_t plain_tag = is_packed ? tag - 1 : tag;
    if (is_packed || plain_tag == FTR_TAG_TRANSACTIONS)
        ftr_cbor_get_array(file, &elements);
    if (plain_tag == FTR_TAG_TRANSACTIONS) {
        uint64_t end = 0;
        ftr_cbor_skip(file);
        ftr_cbor_skip(file);
        ftr_cbor_get_uint(file, &end);
        if (end > scan->latest)
            scan->latest = end;
    }
    if (is_packed)
        ftr_cbor_get_uint(file, &raw_size);
    ftr_cbor_get_bytes(file, &bytes, &size);
    if (file->status != FTR_OK)
        return FTR_ERR_FORMAT;
    if (is_packed) {
        ftr_status status = expand(scan, bytes, size, raw_size);
        if (status != FTR_OK)
            return status;
        bytes = scan->expanded;
        size = raw_size;
    }
    return scan_body(scan, plain_tag, bytes, size);
}

ftr_status ftr_trace_scan_run(ftr_trace_scan *scan, const uint8_t *bytes, size_t size)
{
    if (size < FILE_HEAD_SIZE)
        return FTR_ERR_FORMAT;
    ftr_cbor_reader file;
    ftr_cbor_reader_init(&file, bytes + FILE_HEAD_SIZE, size - FILE_HEAD_SIZE);
    ftr_status status = FTR_OK;
    while (status == FTR_OK && ftr_cbor_reader_left(&file) > 0 && !ftr_cbor_at_break(&file))
        status = scan_chunk(scan, &file);
    scan->size = FILE_HEAD_SIZE + ftr_cbor_reader_offset(&file);
    return status;
}

void ftr_trace_scan_start_over(ftr_trace_scan *scan)
{
    for (size_t i = 0; i < scan->transaction_count; i++) {
        scan->transactions[i].is_in_file_before = scan->transactions[i].is_in_trace;
        scan->transactions[i].is_in_trace = false;
    }
    for (size_t i = 0; i < scan->relation_count; i++) {
        scan->relations[i].in_file_before = scan->relations[i].in_trace;
        scan->relations[i].in_trace = 0;
    }
    for (uint32_t i = 1; i < scan->definitions->entity_count; i++)
        ftr_definitions_entity(scan->definitions, i)->is_written = false;
    scan->relation_id_count = 0;
    scan->strings = 0;
    scan->latest = 0;
    scan->size = 0;
}

void ftr_trace_scan_release(ftr_trace_scan *scan)
{
    free(scan->transactions);
    free(scan->relations);
    free(scan->expanded);
    free(scan->relation_ids);
    *scan = (ftr_trace_scan){0};
}
