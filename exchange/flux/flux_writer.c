/* Converts FTR to flux (docs/exchange.md). Each part of a stream name between dots becomes a scope.
 * A generator becomes a signal of type struct. A transaction becomes a sample at its begin. */
#include "formats.h"

#include "flux_description.h"
#include "flux_encoder.h"
#include "generator_attributes.h"
#include "growing_array.h"
#include "hash.h"
#include "exchange_report.h"
#include "relation_list.h"
#include "text_view.h"
#include "time_text.h"
#include "tx_table.h"
#include "attribute_types.h"

#include <ftr/flux.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096
#define BUFFER_MIN ((size_t)256 << 10)
#define ENTRY_MIN ((size_t)4 << 10)

/* The data with which a reading thread encodes samples. */
typedef struct encoding_thread {
    ftr_attribute_tables attributes;
    ftr_flux_member *members;
    /* digits of vectors that are stored as integers; index: number of the member */
    char (*digits)[FTR_VECTOR_DIGITS];
    size_t member_capacity, digits_capacity;
    bool failed; /* out of memory */
} encoding_thread;

typedef struct writer {
    const ftr_exchange_report *report;
    FILE *file;
    bool packed;
    /* `plain` is written to the file; `packing` is written to `plain` as packed blocks */
    ftr_flux_buffer plain, packing;
    ftr_flux_packer packer;
    uint8_t *memory[3];
    ftr_progress progress;
    uint64_t passed;
    /* the current input */
    ftr_reader *reader;
    uint32_t number;
    int time_scale;
    ftr_flux_trace trace;
    ftr_flux_item *items;
    ftr_attribute_tables attributes;
    ftr_relation_list relations;
    /* transactions that relations refer to; `owner`: number of the generator; `time`: begin */
    ftr_tx_table related;
    ftr_tx_table scopes;       /* key: hash of the path; owner: item */
    ftr_tx_table labelled;     /* enumerators that are already defined; key: item and value */
    uint32_t *generator_items; /* index: number of the generator */
    uint32_t relations_item;
    int64_t relations_at; /* position of the signal of relations */
    encoding_thread *threads;
    unsigned thread_count;
    size_t longest; /* length of the longest text of a definition */
    /* static text with the reason for FTR_ERR_LIMIT; NULL: the text of this status is used */
    const char *limit;
} writer;

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the path of the signal of a generator in the form that relations use, for example
 * \top\bus\read. The caller must free the path. NULL if out of memory. */
static char *path_of(const ftr_generator_info *generator)
{
    const ftr_view stream = generator->stream->name;
    const ftr_view name = generator->name;
    char *path = malloc(stream.size + name.size + 3);
    if (path == NULL)
        return NULL;
    path[0] = '\\';
    for (size_t i = 0; i < stream.size; i++)
        path[i + 1] = (char)(stream.data[i] == '.' ? '\\' : stream.data[i]);
    path[stream.size + 1] = '\\';
    if (name.size > 0)
        memcpy(path + stream.size + 2, name.data, name.size);
    path[stream.size + name.size + 2] = '\0';
    return path;
}

/* Formats the domain base for a time scale, for example "ps" or "100 ps". @return false if no unit
 * is fine enough */
static bool base_of(int time_scale, char *base, size_t size)
{
    static const char *const FACTORS[] = {"", "10 ", "100 "};
    const int unit = time_scale >= 0 ? 0 : (-time_scale + 2) / 3;
    const int factor = time_scale + 3 * unit;
    if (unit > 5 || factor > 2)
        return false;
    (void)snprintf(base, size, "%s%s", FACTORS[factor], ftr_time_units[unit]);
    return true;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Counts the different scopes: for each stream, every part of its name that ends before a dot, and
 * the whole name. Returns 0 if out of memory. */
static uint32_t count_scopes(writer *w)
{
    uint32_t count = 0;
    for (size_t i = 0; i < ftr_reader_stream_count(w->reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(w->reader, i);
        for (size_t size = 0; size <= stream->name.size; size++) {
            if (size < stream->name.size && stream->name.data[size] != '.')
                continue;
            ftr_tx_entry *scope =
                ftr_tx_table_add(&w->scopes, ftr_hash_text(FTR_HASH_SEED, stream->name.data, size));
            if (scope == NULL)
                return 0;
            if (scope->owner == 0)
                scope->owner = ++count;
            if (size == stream->name.size && scope->time == 0)
                scope->time = i + 1; /* 1 + index of the first stream with this name */
        }
        w->longest = stream->name.size + stream->kind.size > w->longest
                         ? stream->name.size + stream->kind.size
                         : w->longest;
    }
    return count;
}

static ftr_status put_scope(writer *w, const ftr_tx_entry *scope, uint32_t parent, const char *path,
                            size_t from, size_t to)
{
    const ftr_stream_info *stream =
        scope->time > 0 ? ftr_reader_get_stream(w->reader, scope->time - 1) : NULL;
    char *name = ftr_text_duplicate(path + from, to - from);
    char *description = NULL;
    ftr_status status = name != NULL ? FTR_OK : FTR_ERR_MEMORY;
    if (stream != NULL && status == FTR_OK) {
        const size_t before = sizeof FTR_FLUX_DESCRIPTION_STREAM - 1;
        description = malloc(before + stream->kind.size + 1);
        status = description != NULL ? FTR_OK : FTR_ERR_MEMORY;
        if (status == FTR_OK) {
            memcpy(description, FTR_FLUX_DESCRIPTION_STREAM, before);
            if (stream->kind.size > 0)
                memcpy(description + before, stream->kind.data, stream->kind.size);
            description[before + stream->kind.size] = '\0';
        }
    }
    if (status == FTR_OK)
        status = ftr_flux_put_scope(&w->trace, scope->owner, parent, name, description);
    free(name);
    free(description);
    return status;
}

static ftr_status put_scopes(writer *w)
{
    ftr_status status = FTR_OK;
    for (size_t i = 0; i < ftr_reader_stream_count(w->reader); i++) {
        const ftr_view name = ftr_reader_get_stream(w->reader, i)->name;
        uint32_t parent = 0;
        size_t from = 0;
        for (size_t size = 0; size <= name.size && status == FTR_OK; size++) {
            if (size < name.size && name.data[size] != '.')
                continue;
            ftr_tx_entry *scope =
                ftr_tx_table_find(&w->scopes, ftr_hash_text(FTR_HASH_SEED, name.data, size));
            if (scope->state == 0) {
                scope->state = 1;
                status = put_scope(w, scope, parent, name.data, from, size);
            }
            parent = scope->owner;
            from = size + 1;
        }
    }
    return status;
}

static ftr_status put_generator(writer *w, const ftr_generator_info *generator, uint32_t item)
{
    const ftr_generator_attributes *table =
        generator->index < w->attributes.count ? &w->attributes.generators[generator->index] : NULL;
    const size_t count = table != NULL ? table->count : 0;
    const ftr_view stream = generator->stream->name;
    const ftr_tx_entry *scope =
        ftr_tx_table_find(&w->scopes, ftr_hash_text(FTR_HASH_SEED, stream.data, stream.size));
    char *name = ftr_text_duplicate(generator->name.data, generator->name.size);
    char *description = malloc(sizeof FTR_FLUX_DESCRIPTION_GENERATOR + count * 8);
    ftr_status status = FTR_ERR_MEMORY;
    if (name != NULL && description != NULL) {
        char *at = stpcpy(description, FTR_FLUX_DESCRIPTION_GENERATOR);
        for (size_t i = 0; i < count; i++, at += strlen(at))
            ftr_flux_description_word(table->attributes[i].class_, table->attributes[i].type, at);
        status = ftr_flux_put_signal(&w->trace, item, scope->owner, name, description,
                                     FTR_FLUX_STRUCT, NULL);
    }
    free(name);
    free(description);
    return status;
}

static ftr_flux_member_type member_type(ftr_form form)
{
    switch (form) {
    case FTR_FORM_TEXT:
        return FTR_FLUX_MEMBER_TEXT;
    case FTR_FORM_REAL:
        return FTR_FLUX_MEMBER_FLOAT;
    default:
        return FTR_FLUX_MEMBER_INTEGER;
    }
}

static ftr_status put_members(writer *w, const ftr_generator_info *generator, uint32_t item)
{
    ftr_status status =
        ftr_flux_put_member(&w->trace, item, FTR_FLUX_TX_ID, "id", FTR_FLUX_MEMBER_INTEGER, NULL);
    if (status == FTR_OK)
        status = ftr_flux_put_member(&w->trace, item, FTR_FLUX_TX_DURATION, "duration",
                                     FTR_FLUX_MEMBER_INTEGER, NULL);
    if (generator->index >= w->attributes.count)
        return status;
    const ftr_generator_attributes *table = &w->attributes.generators[generator->index];
    for (size_t i = 0; i < table->count && status == FTR_OK; i++) {
        const ftr_found_attribute *member = &table->attributes[i];
        status = ftr_flux_put_member(&w->trace, item, (uint32_t)(FTR_FLUX_TX_FIRST + i),
                                     member->name, member_type(member->form),
                                     member->type == FTR_TYPE_POINTER ? "default<df=Hex>" : NULL);
    }
    return status;
}

static ftr_status put_relation_members(writer *w)
{
    static const char *const NAMES[] = {"name", "from", "to"};
    ftr_status status = FTR_OK;
    for (uint32_t i = 0; i < 3 && status == FTR_OK && w->relations_item != 0; i++)
        status = ftr_flux_put_member(
            &w->trace, w->relations_item, i, NAMES[i],
            i == FTR_FLUX_RELATION_NAME ? FTR_FLUX_MEMBER_TEXT : FTR_FLUX_MEMBER_INTEGER, NULL);
    return status;
}

static ftr_status put_definitions(writer *w, const char *base)
{
    const size_t generators = ftr_reader_generator_count(w->reader);
    ftr_status status = put_scopes(w);
    for (size_t i = 0; i < generators && status == FTR_OK; i++)
        status = put_generator(w, ftr_reader_get_generator(w->reader, i), w->generator_items[i]);
    if (status == FTR_OK && w->relations_item != 0)
        status = ftr_flux_put_signal(&w->trace, w->relations_item, 0, "relations",
                                     FTR_FLUX_DESCRIPTION_RELATIONS, FTR_FLUX_STRUCT, NULL);
    if (status == FTR_OK)
        status = ftr_flux_open(&w->trace, 0, base, 0, 0);
    for (size_t i = 0; i < generators && status == FTR_OK; i++)
        status = put_members(w, ftr_reader_get_generator(w->reader, i), w->generator_items[i]);
    return status == FTR_OK ? put_relation_members(w) : status;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static ftr_flux_member integer_member(uint32_t id, uint64_t value)
{
    return (ftr_flux_member){
        .member = id, .type = FTR_FLUX_MEMBER_INTEGER, .valid = true, .as.integer = (int64_t)value};
}

static void fill_member(ftr_flux_member *member, const ftr_attribute_value *attribute)
{
    member->valid = true;
    member->type = member_type(attribute->form);
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        member->as.integer = attribute->as.boolean;
        break;
    case FTR_FORM_INTEGER:
        member->as.integer = attribute->as.integer;
        break;
    case FTR_FORM_NUMBER:
        member->as.integer = (int64_t)attribute->as.number;
        break;
    case FTR_FORM_REAL:
        member->size = attribute->real_size == 8 ? 8 : 4;
        member->as.real = attribute->as.real;
        break;
    default:
        member->size = (uint32_t)attribute->as.text.size;
        member->as.bytes = attribute->as.text.data != NULL ? attribute->as.text.data : "";
    }
}

static bool make_room(encoding_thread *thread, size_t count)
{
    return ftr_array_fit(&thread->members, &thread->member_capacity, count,
                         sizeof *thread->members) &&
           ftr_array_fit(&thread->digits, &thread->digits_capacity, count, sizeof *thread->digits);
}

/* Fills the members of a sample, in the order of the attributes. @return the number of members; 0
 * if out of memory */
static size_t fill_members(encoding_thread *thread, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_generator_attributes *table = &thread->attributes.generators[tx->generator->index];
    const uint64_t duration = tx->end > tx->begin ? tx->end - tx->begin : 0;
    size_t count = FTR_FLUX_TX_FIRST;
    ftr_attribute_value attribute;
    if (!make_room(thread, FTR_FLUX_TX_FIRST + table->count))
        return 0;
    thread->members[0] = integer_member(FTR_FLUX_TX_ID, tx->id);
    thread->members[1] = integer_member(FTR_FLUX_TX_DURATION, duration);
    ftr_attribute_visit_begin(table);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE)
            continue;
        ftr_vector_as_text(&attribute, thread->digits[count]);
        const ftr_found_attribute *found = ftr_attribute_visit(table, &attribute);
        if (found == NULL)
            continue;
        thread->members[count] = (ftr_flux_member){
            .member = (uint32_t)(FTR_FLUX_TX_FIRST + (found - table->attributes))};
        fill_member(&thread->members[count++], &attribute);
    }
    return count;
}

/* The bytes that a thread prepares for a transaction: this head, and the encoded members. */
typedef struct prepared_sample {
    uint64_t id, begin, end;
    uint32_t generator; /* index of the generator */
    uint32_t width;     /* size of the length field in bytes */
} prepared_sample;

static bool prepare_sample(void *user, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                           ftr_prepared *prepared)
{
    const writer *w = user;
    encoding_thread *thread = &w->threads[number];
    ftr_flux_encoder measured = {NULL, 0, 0};
    const size_t count = fill_members(thread, reader, tx);
    if (count == 0)
        thread->failed = true;
    ftr_flux_encode_members(&measured, thread->members, count);
    prepared_sample *sample = ftr_prepared_append(prepared, sizeof *sample + measured.used);
    if (sample == NULL)
        return true; /* the cursor reports the lack of memory */
    *sample = (prepared_sample){tx->id, tx->begin, tx->end, tx->generator->index,
                                ftr_flux_members_width(thread->members, count)};
    ftr_flux_encoder to = {(uint8_t *)(sample + 1), measured.used, 0};
    ftr_flux_encode_members(&to, thread->members, count);
    return true;
}

static bool open_threads(writer *w, unsigned count)
{
    w->threads = calloc(count, sizeof *w->threads);
    while (w->threads != NULL && w->thread_count < count)
        if (!ftr_attribute_tables_copy(&w->attributes, &w->threads[w->thread_count++].attributes))
            return false;
    return w->threads != NULL;
}

/* @return false if a thread was out of memory */
static bool close_threads(writer *w)
{
    bool ok = true;
    for (unsigned i = 0; i < w->thread_count; i++) {
        encoding_thread *thread = &w->threads[i];
        ok = ok && !thread->failed;
        ftr_attribute_tables_release(&thread->attributes);
        free(thread->members);
        free(thread->digits);
    }
    free(w->threads);
    w->threads = NULL;
    w->thread_count = 0;
    return ok;
}

/* Defines an enumerator at its first use by an item. */
static ftr_status label_once(writer *w, uint32_t item, uint32_t enumeration, const char *label,
                             uint32_t value)
{
    ftr_tx_entry *entry =
        ftr_tx_table_add(&w->labelled, (uint64_t)item << 32 ^ (uint64_t)enumeration << 30 ^ value);
    if (entry == NULL || label == NULL)
        return FTR_ERR_MEMORY;
    if (entry->state != 0)
        return FTR_OK;
    entry->state = 1;
    return ftr_flux_put_enum(&w->trace, item, enumeration, label, value);
}

static ftr_status attach(writer *w, const prepared_sample *sample, uint32_t item,
                         const ftr_listed_relation *relation)
{
    const ftr_tx_entry *to = ftr_tx_table_find(&w->related, relation->to);
    if (to == NULL || to->state == 0)
        /* writes no attachment: only the signal of relations contains this relation */
        return FTR_OK;
    char *path = path_of(ftr_reader_get_generator(w->reader, to->owner));
    const uint32_t target = w->generator_items[to->owner];
    ftr_status status = label_once(w, item, FTR_FLUX_ENUM_RELATION_TARGET, path, target);
    free(path);
    if (status == FTR_OK)
        status = label_once(w, item, FTR_FLUX_ENUM_RELATION_STYLE,
                            w->relations.names.names[relation->name - 1]->text, relation->name);
    if (status == FTR_OK)
        status = ftr_flux_put_relation(&w->trace, item, target, relation->name,
                                       (int64_t)(to->time - sample->begin));
    return status;
}

/* Writes a transaction as a sample, with its relations. */
static ftr_status put_sample(writer *w, const prepared_sample *sample, size_t size)
{
    const uint32_t item = w->generator_items[sample->generator];
    size_t count;
    if (sample->begin > INT64_MAX) {
        w->limit = "a transaction begins at 2^63 ticks or later, which flux cannot represent";
        return FTR_ERR_LIMIT;
    }
    const ftr_listed_relation *relations =
        ftr_relation_list_from(&w->relations, sample->id, &count);
    ftr_status status = ftr_flux_put_encoded(&w->trace, item, (int64_t)sample->begin, sample->width,
                                             sample + 1, size - sizeof *sample);
    for (size_t i = 0; i < count && status == FTR_OK; i++)
        status = attach(w, sample, item, &relations[i]);
    return status;
}

static ftr_status put_samples(writer *w, ftr_cursor *cursor, uint64_t *end)
{
    const void *bytes;
    size_t size;
    ftr_status status;
    while ((status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK) {
        const prepared_sample *sample = bytes;
        status = put_sample(w, sample, size);
        if (status != FTR_OK)
            break;
        *end = sample->end > *end ? sample->end : *end;
        if (++w->passed % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&w->progress, w->passed);
    }
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status put_transactions(writer *w, unsigned threads, uint64_t *end)
{
    const ftr_query query = {.size = sizeof query,
                             .order = FTR_ORDER_BEGIN,
                             .threads = threads,
                             .prepare = prepare_sample,
                             .prepare_user = w};
    ftr_cursor *cursor;
    ftr_status status = open_threads(w, threads > 0 ? threads : 1)
                            ? ftr_cursor_open(w->reader, &query, &cursor)
                            : FTR_ERR_MEMORY;
    if (status == FTR_OK) {
        status = put_samples(w, cursor, end);
        ftr_cursor_close(cursor);
    }
    return close_threads(w) || status != FTR_OK ? status : FTR_ERR_MEMORY;
}

/* Reads all transactions to find the begins of the transactions that relations refer to. */
static ftr_status find_related(writer *w)
{
    const ftr_query query = {.size = sizeof query};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_relation_list_read(&w->relations, w->reader);
    for (size_t i = 0; i < w->relations.count && status == FTR_OK; i++)
        if (ftr_tx_table_add(&w->related, w->relations.relations[i].to) == NULL)
            status = FTR_ERR_MEMORY;
    if (status != FTR_OK || w->relations.count == 0)
        return status;
    status = ftr_cursor_open(w->reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        ftr_tx_entry *entry = ftr_tx_table_find(&w->related, tx.id);
        if (entry == NULL)
            continue;
        entry->owner = tx.generator->index;
        entry->time = tx.begin;
        entry->state = 1;
    }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Writes a relation a second time, with the ids of its two transactions, because the attachment
 * contains only the begin of the second transaction. */
static ftr_status put_relation(void *user, const ftr_relation_info *relation)
{
    writer *w = user;
    const ftr_flux_member members[] = {
        {.member = FTR_FLUX_RELATION_NAME,
         .type = FTR_FLUX_MEMBER_TEXT,
         .valid = true,
         .size = (uint32_t)relation->name.size,
         .as.bytes = relation->name.data != NULL ? relation->name.data : ""},
        integer_member(FTR_FLUX_RELATION_FROM, relation->from_tx),
        integer_member(FTR_FLUX_RELATION_TO, relation->to_tx)};
    return ftr_flux_put_struct(&w->trace, w->relations_item, false, w->relations_at, members, 3);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static ftr_status number_items(writer *w, uint32_t *last)
{
    const size_t count = ftr_reader_generator_count(w->reader);
    *last = count_scopes(w);
    w->generator_items = malloc((count + 1) * sizeof *w->generator_items);
    if (w->generator_items == NULL)
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const size_t size = ftr_reader_get_generator(w->reader, i)->name.size;
        w->longest = size > w->longest ? size : w->longest;
        w->generator_items[i] = ++*last;
    }
    w->relations_item = w->relations.count > 0 ? ++*last : 0;
    return FTR_OK;
}

static bool make_buffers(writer *w, size_t entry)
{
    const size_t size = entry * 2 > BUFFER_MIN ? entry * 2 : BUFFER_MIN;
    const size_t out = FTR_FLUX_PACK_BYTES(size) + 64;
    for (unsigned i = 0; i < 3; i++) {
        free(w->memory[i]);
        w->memory[i] = malloc(out);
        if (w->memory[i] == NULL)
            return false;
    }
    ftr_flux_buffer_init(&w->plain, w->memory[0], out, ftr_flux_write_file, w->file);
    w->packer = (ftr_flux_packer){&w->plain, w->memory[1], out};
    ftr_flux_buffer_init(&w->packing, w->memory[2], size, ftr_flux_pack_lz4, &w->packer);
    return true;
}

static ftr_status put_trace(writer *w, const ftr_named_reader *input, const char *base)
{
    uint64_t end = 0;
    ftr_status status = ftr_flux_put_head(&w->trace, input->name, FTR_FLUX_DESCRIPTION_HEAD);
    /* the head itself is never packed, because it identifies the format of the file */
    if (status == FTR_OK && w->packed)
        ftr_flux_trace_set_buffer(&w->trace, &w->packing);
    if (status == FTR_OK)
        status = put_definitions(w, base);
    if (status == FTR_OK)
        status = put_transactions(w, input->threads, &end);
    w->relations_at = w->trace.items[0].position;
    if (status == FTR_OK && w->relations.count > 0)
        status = ftr_each_relation(w->reader, put_relation, w);
    if (status == FTR_OK)
        status = ftr_flux_close(&w->trace, 0, end > INT64_MAX ? INT64_MAX : (int64_t)end);
    if (status == FTR_OK && w->packed)
        status = ftr_flux_flush(&w->packing);
    return status == FTR_OK ? ftr_flux_flush(&w->plain) : status;
}

static ftr_status put_input(writer *w, const ftr_named_reader *input)
{
    ftr_file_info info;
    char base[16];
    uint32_t last = 0;
    w->reader = input->reader;
    w->number++;
    w->passed = 0;
    ftr_reader_get_info(w->reader, &info);
    if (!base_of(info.time_scale, base, sizeof base)) {
        w->limit = "flux cannot represent its time scale";
        return FTR_ERR_LIMIT;
    }
    ftr_status status = ftr_attribute_tables_find(&w->attributes, w->reader, input->threads);
    if (status == FTR_OK)
        status = find_related(w);
    if (status == FTR_OK)
        status = number_items(w, &last);
    size_t entry = w->attributes.largest + w->longest + ENTRY_MIN;
    for (size_t i = 0; i < w->attributes.count; i++)
        if (w->attributes.generators[i].count * 8 + w->longest + ENTRY_MIN > entry)
            entry = w->attributes.generators[i].count * 8 + w->longest + ENTRY_MIN;
    for (size_t i = 0; i < w->relations.names.count; i++)
        entry += w->relations.names.names[i]->size;
    w->items = calloc(FTR_FLUX_ITEMS((size_t)last), sizeof *w->items);
    if (status == FTR_OK && (w->items == NULL || !make_buffers(w, entry)))
        status = FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = entry > UINT32_MAX ? FTR_ERR_LIMIT
                                    : ftr_flux_trace_init(&w->trace, w->number, last,
                                                          (uint32_t)entry, w->items, &w->plain);
    if (status == FTR_OK) {
        ftr_progress_begin(&w->progress, w->attributes.transactions, "transactions");
        status = put_trace(w, input, base);
        ftr_progress_end(&w->progress);
    }
    return status;
}

static void release_input(writer *w)
{
    ftr_attribute_tables_release(&w->attributes);
    ftr_relation_list_release(&w->relations);
    ftr_tx_table_release(&w->related);
    ftr_tx_table_release(&w->scopes);
    ftr_tx_table_release(&w->labelled);
    free(w->generator_items);
    w->generator_items = NULL;
    free(w->items);
    w->items = NULL;
    w->longest = 0;
}

bool ftr_flux_write(const ftr_named_reader *inputs, size_t count, int fd, const char *path,
                    bool packed, const ftr_exchange_report *report)
{
    writer *w = ftr_exchange_state(sizeof *w, path, report);
    if (w == NULL)
        return false;
    w->report = report;
    w->packed = packed;
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    w->file = own >= 0 ? fdopen(own, "wb") : NULL;
    bool ok = w->file != NULL;
    if (!ok)
        ftr_exchange_print(report, "%s: %s", path, strerror(errno));
    for (size_t i = 0; i < count && ok; i++) {
        errno = 0;
        const ftr_status status = put_input(w, &inputs[i]);
        ok = status == FTR_OK;
        if (status == FTR_ERR_LIMIT && w->limit != NULL)
            ftr_exchange_print(report, "%s: trace %s: %s", path, inputs[i].name, w->limit);
        else if (!ok)
            ftr_exchange_print_status(report, path, status);
        release_input(w);
    }
    if (w->file != NULL && fclose(w->file) != 0 && ok) {
        ftr_exchange_print(report, "%s: %s", path, strerror(errno));
        ok = false;
    }
    for (unsigned i = 0; i < 3; i++)
        free(w->memory[i]);
    free(w);
    return ok;
}
