/* Reads files of the trace with the public reader. */
#include "trace_contents.h"

#include <ftr/reader.h>

#include <stdlib.h>
#include <string.h>

/* Numbers of rules of the reader (docs/reading.md). */
enum { RULE_END = 5, RULE_CHUNK_BUDGET = 10 };

/* The memory limit of the reader in bytes, in the first and in the last attempt. The limit is
 * doubled if the index of the file or a chunk needs more memory. */
#define MEMORY_FIRST ((size_t)32 << 20)
#define MEMORY_LAST ((size_t)64 << 30)

/* The highest id of a transaction that a thread has read. It is in another cache line than those of
 * the other threads. */
typedef struct thread_highest {
    uint64_t id;
    uint8_t unused[56];
} thread_highest;

typedef struct trace_pass {
    ftr_reader *reader;
    const ftr_definitions *definitions;
    ftr_sought_records *sought;
    unsigned threads;
    thread_highest *highest; /* for each thread */
    ftr_status status;       /* FTR_OK, or the error that follows from the findings */
} trace_pass;

/* Every finding is an error, because a recorder writes no defects. The only exception is a missing
 * break at the end. */
static void check_finding(void *user, const ftr_finding *finding)
{
    trace_pass *pass = user;
    if (finding->number == RULE_CHUNK_BUDGET)
        pass->status = FTR_ERR_LIMIT;
    else if (finding->number != RULE_END && pass->status == FTR_OK)
        pass->status = FTR_ERR_FORMAT;
}

/* Lists the id of a transaction that may be sought. Called on several threads. */
static bool list_sought(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                        ftr_prepared *listed)
{
    const trace_pass *pass = user;
    uint64_t *highest = &pass->highest[thread].id;
    (void)reader;
    *highest = tx->id > *highest ? tx->id : *highest;
    if (!ftr_sought_may_have_tx(pass->sought, tx->id))
        return false;
    uint64_t *id = ftr_prepared_append(listed, sizeof *id);
    if (id != NULL)
        *id = tx->id;
    return true;
}

static ftr_status mark_transactions(trace_pass *pass)
{
    const ftr_query query = {.size = sizeof query, .prepare = list_sought, .prepare_user = pass};
    ftr_cursor *cursor = NULL;
    const void *bytes;
    size_t size;
    ftr_status status = ftr_cursor_open(pass->reader, &query, &cursor);
    while (status == FTR_OK && (status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK)
        ftr_sought_mark_tx(pass->sought, *(const uint64_t *)bytes);
    ftr_cursor_close(cursor);
    for (unsigned i = 0; i < pass->threads; i++)
        ftr_sought_note_id(pass->sought, pass->highest[i].id);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Returns the handle of the kind of relation with this name; 0 if there is none. @p before, the
 * result of the previous call, is tried first, because successive relations usually have the same
 * name. */
static ftr_relation find_relation(const ftr_definitions *definitions, ftr_view name,
                                  ftr_relation before)
{
    for (uint32_t i = 0; i < definitions->relation_count; i++) {
        const ftr_relation relation = i > 0 ? i : before;
        const ftr_defined_text *defined = ftr_definitions_relation(definitions, relation);
        if (relation != 0 && defined->length == name.size &&
            memcmp(defined->text, name.data, name.size) == 0)
            return relation;
    }
    return 0;
}

static ftr_status mark_relations(const trace_pass *pass)
{
    ftr_relation_cursor *cursor = NULL;
    ftr_relation_info info;
    ftr_relation relation = 0;
    ftr_status status = ftr_relation_cursor_open(pass->reader, false, 0, &cursor);
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &info)) == FTR_OK) {
        if (info.name.data == NULL)
            continue;
        relation = find_relation(pass->definitions, info.name, relation);
        ftr_sought_mark_relation(pass->sought, info.from_tx, info.to_tx, relation);
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static void mark_definition(const ftr_definitions *definitions, uint64_t handle)
{
    if (handle != 0 && handle < definitions->entity_count)
        ftr_definitions_entity(definitions, (uint32_t)handle)->is_written = true;
}

static void copy_index(const trace_pass *pass, ftr_trace_contents *contents)
{
    ftr_file_info info = {0};
    const ftr_stream_info *stream;
    const ftr_generator_info *generator;
    for (size_t i = 0; (stream = ftr_reader_get_stream(pass->reader, i)) != NULL; i++)
        mark_definition(pass->definitions, stream->id);
    for (size_t i = 0; (generator = ftr_reader_get_generator(pass->reader, i)) != NULL; i++)
        mark_definition(pass->definitions, generator->id);
    ftr_reader_get_info(pass->reader, &info);
    *contents = (ftr_trace_contents){.strings = info.strings,
                                     .latest = info.has_times ? info.last_time : 0,
                                     .size = (size_t)info.size - (info.ended ? 1 : 0)};
}

static ftr_status read_within(trace_pass *pass, size_t memory, const uint8_t *bytes, size_t size,
                              ftr_trace_contents *contents)
{
    const ftr_reader_options options = {.size = sizeof options,
                                        .memory = memory,
                                        .numbering = FTR_READER_NUMBERING_DEPLOYED, /* not used */
                                        .threads = pass->threads,
                                        .finding = check_finding,
                                        .finding_user = pass};
    pass->status = FTR_OK;
    ftr_status status = ftr_reader_open_memory(bytes, size, &options, &pass->reader);
    if (status != FTR_OK)
        return status;
    status = mark_transactions(pass);
    if (status == FTR_OK)
        status = mark_relations(pass);
    if (status == FTR_OK)
        status = pass->status;
    if (status == FTR_OK && contents != NULL)
        copy_index(pass, contents);
    ftr_reader_close(pass->reader);
    return status;
}

ftr_status ftr_trace_contents_read(const uint8_t *bytes, size_t size, unsigned threads,
                                   const ftr_definitions *definitions, ftr_sought_records *sought,
                                   ftr_trace_contents *contents)
{
    const unsigned used = threads > 0 ? threads : 1;
    trace_pass pass = {.definitions = definitions, .sought = sought, .threads = used};
    ftr_status status = FTR_ERR_LIMIT;
    pass.highest = calloc(used, sizeof *pass.highest);
    if (pass.highest == NULL)
        return FTR_ERR_MEMORY;
    for (size_t memory = MEMORY_FIRST; status == FTR_ERR_LIMIT && memory <= MEMORY_LAST;
         memory *= 2) {
        ftr_sought_clear(sought);
        status = read_within(&pass, memory, bytes, size, contents);
    }
    free(pass.highest);
    return status;
}
