/* The second step of a repair, which resolves contradictions between entries after chunks or bits
 * were lost. Chunks without contradictions are copied unchanged. If a text, generator or stream is
 * used but lost, it is defined with a name that shows the loss. Invalid entries are dropped, and
 * the stream `ftr.losses` states the losses. Damaged bytes are not searched: the first step has
 * done this. */
#include "repair_run.h"
#include "repair_sound.h"

#include "cbor_reader.h"
#include "dictionary_chunks.h"
#include "id_map.h"
#include "repair_texts.h"
#include "numbering.h"
#include "stream_name_rules.h"
#include "usual_items.h"
#include "salvage.h"
#include "stream_name_set.h"
#include "transaction_walk.h"

#include <ftr/recovery.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marks of streams. ANNOUNCED: the current chunk defines the stream. */
enum { DEFINED = 1, ANNOUNCED = 2 };

typedef struct content_step {
    ftr_repair_run *run;
    ftr_reader *reader;
    ftr_repaired_texts texts;
    uint64_t next_name; /* the next text to be tried as the name of a stream */
    /* for each id of a stream: a mark; for each id of a generator: 1 + index of its stream */
    ftr_id_map streams, generators;
    ftr_name_set names; /* names of all streams of the input, and invented names */
    /* for each dot in a stream name of the input: the part of the name before the dot */
    ftr_name_set prefixes;
    ftr_id_map lost_names; /* ids of lost texts that name a stream */
    /* for each stream with a lost name: id of the text that replaces the name */
    ftr_id_map given_names;
    /* the chunks that need no repair; the transactions in the output */
    ftr_sound_chunks sound;
    bool definitions_changed; /* a stream or generator differs from the input */
    bool complete;            /* no id is missing in the maps */
    uint64_t first, latest;   /* earliest begin and latest end of all transactions */
    uint64_t highest;         /* highest transaction id, including ids in relations */
    /* the current chunk */
    ftr_chunk *chunk;
    bool clean; /* the chunk can be copied unchanged */
    /* transactions: earliest begin and latest end of the kept ones; number of those that belong to
     * the stream in the chunk's frame, and of all */
    uint64_t start, end, agreeing, count;
    bool with_streams; /* relations: some entry has five elements */
    uint32_t stream;   /* stream index of the chunk to be written */
} content_step;

static uint32_t mark(content_step *step, ftr_id_map *map, uint64_t id, uint32_t value)
{
    const uint32_t before = ftr_id_map_get(map, id);
    if (ftr_id_map_put(map, id, value) != FTR_OK)
        step->complete = false;
    return before;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static bool is_name_free(content_step *step, uint64_t text_id)
{
    const ftr_view name = ftr_text_find(step->reader, text_id);
    if (name.data == NULL)
        return ftr_id_map_get(&step->lost_names, text_id) == 0;
    return name.size > 0 && !ftr_name_set_clashes(&step->names, name) &&
           !ftr_name_set_has(&step->prefixes, name);
}

static void use_name(content_step *step, uint64_t text_id)
{
    const ftr_view name = ftr_text_find(step->reader, text_id);
    if (name.data != NULL)
        (void)ftr_name_set_add(&step->names, name);
    else
        (void)mark(step, &step->lost_names, text_id, 1);
}

/* Finds a name for a stream whose name is lost: the first text that viewers can show as a stream
 * name beside the names of the other streams (ftr_name_set_clashes()). If all texts clash, defines
 * a new text, so no chunk may be under construction. A text that clashed once is never tried again.
 * @return 0 if more names are lost than damage can explain */
static uint64_t free_name(content_step *step)
{
    while (!is_name_free(step, step->next_name))
        step->next_name++;
    if (!ftr_need_text(&step->texts, step->next_name))
        return 0;
    use_name(step, step->next_name);
    return step->next_name;
}

/* Collects the names that invented names must not clash with. */
static ftr_status collect_names(content_step *step)
{
    const ftr_directory *directory = &step->reader->directory;
    ftr_budget *budget = &step->reader->budget;
    uint64_t dots = 0;
    ftr_status status = ftr_name_set_init(&step->names, budget, 2 * directory->stream_count);
    for (size_t i = 0; i < directory->stream_count; i++)
        dots += ftr_name_set_dots(directory->streams[i]->info.name);
    if (status == FTR_OK)
        status = ftr_name_set_init(&step->prefixes, budget, dots);
    for (size_t i = 0; status == FTR_OK && i < directory->stream_count; i++) {
        const ftr_stream_entry *stream = directory->streams[i];
        if (!stream->info.defined)
            continue;
        (void)ftr_name_set_add(&step->names, stream->info.name);
        ftr_name_set_add_prefixes(&step->prefixes, stream->info.name);
    }
    return status;
}

static void put_definition(content_step *step, unsigned tag, uint64_t a, uint64_t b, uint64_t c)
{
    ftr_cbor_writer *w = &step->run->out.entries;
    ftr_cbor_put_tag(w, tag);
    ftr_cbor_put_array(w, 3);
    ftr_cbor_put_uint(w, a);
    ftr_cbor_put_uint(w, b);
    ftr_cbor_put_uint(w, c);
    step->run->out.count++;
}

static void need_stream(content_step *step, uint64_t id)
{
    if (ftr_id_map_get(&step->streams, id) != 0)
        return;
    (void)mark(step, &step->streams, id, DEFINED);
    ftr_repair_run *run = step->run;
    (void)ftr_need_text(&step->texts, 0);
    const uint64_t name = free_name(step);
    run->altered = step->definitions_changed = true;
    run->report->definitions_lost++;
    ftr_repair_message(run, FTR_REPAIR_DEFINITION,
                       "the definition of stream %" PRIu64 " is lost: it gets a substitute name",
                       id);
    ftr_chunk_output_begin(&run->out);
    put_definition(step, 16, id, name, name);
    ftr_chunk_output_end(&run->out, FTR_CHUNK_DIRECTORY, 0, 0, 0);
}

/* Defines the generator @p id if it is not defined yet. @p stream: the index of its stream, used if
 * the input has no definition. @return the index of the generator's stream */
static uint32_t need_generator(content_step *step, uint64_t id, uint32_t stream)
{
    const uint32_t defined = ftr_id_map_get(&step->generators, id);
    if (defined != 0)
        return defined - 1;
    ftr_repair_run *run = step->run;
    const ftr_generator_entry *later = ftr_directory_find_generator(&step->reader->directory, id);
    if (later != NULL)
        stream = later->info.stream->index;
    need_stream(step, step->reader->directory.streams[stream]->info.id);
    (void)mark(step, &step->generators, id, stream + 1);
    run->altered = step->definitions_changed = true;
    run->report->definitions_lost += later == NULL;
    ftr_repair_message(run, FTR_REPAIR_DEFINITION,
                       "the definition of generator %" PRIu64 " is lost: it gets a substitute name",
                       id);
    ftr_chunk_output_begin(&run->out);
    put_definition(step, 17, id,
                   later != NULL && ftr_has_text(&step->texts, later->name_id) ? later->name_id : 0,
                   step->reader->directory.streams[stream]->info.id);
    ftr_chunk_output_end(&run->out, FTR_CHUNK_DIRECTORY, 0, 0, 0);
    return stream;
}

typedef struct definition {
    uint64_t tag, field[3];
} definition;

static definition parse_definition(const uint8_t *entry, size_t size)
{
    definition d = {0};
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, entry, size);
    (void)ftr_cbor_get_tag(&r, &d.tag);
    (void)ftr_cbor_get_fields(&r, 3, d.field);
    return d;
}

/* First pass: defines the missing texts and streams that a definition uses. */
static void prepare_definition(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    const definition d = parse_definition(entry, size);
    const bool has_name = ftr_need_text(&step->texts, d.field[1]);
    if (d.tag == FTR_TAG_GENERATOR) {
        need_stream(step, d.field[2]);
        return;
    }
    (void)ftr_need_text(&step->texts, d.field[2]);
    if (ftr_id_map_get(&step->streams, d.field[0]) != 0)
        return;
    (void)mark(step, &step->streams, d.field[0], ANNOUNCED);
    if (!has_name)
        (void)mark(step, &step->given_names, d.field[0], (uint32_t)free_name(step));
}

/* Second pass: writes the definition if it is the first with its id. */
static void keep_definition(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    definition d = parse_definition(entry, size);
    const definition given = d;
    bool first;
    if (d.tag == FTR_TAG_STREAM) {
        first = ftr_id_map_get(&step->streams, d.field[0]) == ANNOUNCED;
        if (first)
            (void)mark(step, &step->streams, d.field[0], DEFINED);
        if (!ftr_has_text(&step->texts, d.field[2]))
            d.field[2] = 0;
        if (first && !ftr_has_text(&step->texts, d.field[1]))
            d.field[1] = ftr_id_map_get(&step->given_names, d.field[0]);
    } else {
        const ftr_stream_entry *stream =
            ftr_directory_find_stream(&step->reader->directory, d.field[2]);
        first = stream != NULL && ftr_id_map_get(&step->generators, d.field[0]) == 0;
        if (first)
            (void)mark(step, &step->generators, d.field[0], stream->info.index + 1);
        if (!ftr_has_text(&step->texts, d.field[1]))
            d.field[1] = 0;
    }
    step->run->report->definitions_lost += first && memcmp(&d, &given, sizeof d) != 0;
    step->clean &= first && memcmp(&d, &given, sizeof d) == 0;
    if (first)
        put_definition(step, (unsigned)d.tag, d.field[0], d.field[1], d.field[2]);
}

static void repair_directory(content_step *step, const ftr_content *content)
{
    step->clean = true;
    (void)ftr_salvage_entries(FTR_CHUNK_DIRECTORY, content->bytes, content->size,
                              prepare_definition, step, NULL);
    ftr_chunk_output_begin(&step->run->out);
    (void)ftr_salvage_entries(FTR_CHUNK_DIRECTORY, content->bytes, content->size, keep_definition,
                              step, NULL);
    step->definitions_changed |= !step->clean;
    if (!step->clean)
        ftr_chunk_output_end(&step->run->out, FTR_CHUNK_DIRECTORY, 0, 0, 0);
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Returns true if a value fits its type in the file's numbering. If the numbering is unknown, the
 * value may fit its type in either numbering, because the transactions that would have shown the
 * numbering may be lost. */
static bool is_value_of_type(const ftr_reader *reader, uint64_t type, ftr_cbor_type value)
{
    return ftr_expected_fits(ftr_type_rows[reader->numbering][type].expected, value) ||
           (!reader->numbering_known &&
            ftr_expected_fits(ftr_type_rows[FTR_NUMBERING_SPEC][type].expected, value));
}

/* Returns true if an attribute has a known type, a matching value, and defined texts.
 * @p text_is_there is ftr_need_text while transactions are prepared, and ftr_has_text while they
 * are written. */
static bool accept_attribute(content_step *step, const uint8_t *attribute, size_t size,
                             ftr_text_test *text_is_there)
{
    ftr_cbor_reader r;
    uint64_t tag = 0;
    uint64_t count = 0;
    uint64_t name = 0;
    uint64_t type = 0;
    uint64_t text = 0;
    ftr_cbor_reader_init(&r, attribute, size);
    (void)ftr_cbor_get_tag(&r, &tag);
    (void)ftr_cbor_get_array(&r, &count);
    (void)ftr_cbor_get_uint(&r, &name);
    if (ftr_cbor_get_uint(&r, &type) != FTR_OK || type >= FTR_STORED_TYPES)
        return false;
    if (!is_value_of_type(step->reader, type, ftr_cbor_peek(&r)) ||
        !text_is_there(&step->texts, name))
        return false;
    return ftr_type_rows[step->reader->numbering][type].expected != FTR_EXPECT_TEXT ||
           ftr_cbor_peek(&r) != FTR_CBOR_UINT ||
           (ftr_cbor_get_uint(&r, &text) == FTR_OK && text_is_there(&step->texts, text));
}

/* First pass: defines the missing texts and generators that a transaction uses, and counts the
 * transactions that belong to the chunk's stream. */
static void prepare_transaction(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    ftr_tx_head head;
    ftr_cbor_reader r;
    ftr_tx_parse_again(entry, size, size, NULL, &head);
    const uint32_t stream = need_generator(step, head.generator, step->chunk->stream);
    step->agreeing += stream == step->chunk->stream;
    if (stream != step->chunk->stream)
        step->stream = stream;
    step->count++;
    ftr_cbor_reader_init(&r, head.first, (size_t)(head.last - head.first));
    while (ftr_cbor_reader_left(&r) > 0) {
        const uint8_t *at = r.cursor;
        if (ftr_cbor_skip(&r) != FTR_OK)
            break;
        (void)accept_attribute(step, at, (size_t)(r.cursor - at), ftr_need_text);
    }
}

/* Writes a transaction with those of its attributes that are valid. */
static void put_transaction(content_step *step, const ftr_tx_head *head)
{
    ftr_cbor_writer *w = &step->run->out.entries;
    ftr_cbor_reader r;
    for (int counting = 1, count = 0; counting >= 0; counting--) {
        if (!counting) {
            ftr_cbor_put_array(w, 1 + (uint64_t)count);
            ftr_cbor_put_tag(w, FTR_TAG_TX);
            ftr_cbor_put_array(w, 4);
            ftr_cbor_put_uint(w, head->id);
            ftr_cbor_put_uint(w, head->generator);
            ftr_cbor_put_uint(w, head->begin);
            ftr_cbor_put_uint(w, head->end);
        }
        ftr_cbor_reader_init(&r, head->first, (size_t)(head->last - head->first));
        while (ftr_cbor_reader_left(&r) > 0) {
            const uint8_t *at = r.cursor;
            if (ftr_cbor_skip(&r) != FTR_OK)
                break;
            if (!accept_attribute(step, at, (size_t)(r.cursor - at), ftr_has_text)) {
                step->clean = false;
                step->run->report->attributes_dropped += counting;
            } else if (counting)
                count++;
            else
                ftr_cbor_put_encoded(w, at, (size_t)(r.cursor - at));
        }
    }
    step->run->out.count++;
}

/* Second pass: writes the transaction, unless its id is a duplicate or it belongs to another stream
 * than the chunk. An end before the begin is replaced by the begin. */
static void keep_transaction(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    ftr_tx_head head;
    ftr_tx_parse_again(entry, size, size, NULL, &head);
    const uint32_t stream = ftr_id_map_get(&step->generators, head.generator) - 1;
    if (stream != step->stream || ftr_id_map_get(&step->sound.check.streams, head.id) != 0) {
        step->clean = false;
        step->run->report->transactions_dropped++;
        ftr_repair_message(
            step->run, FTR_REPAIR_TRANSACTION,
            "transaction %" PRIu64
            " dropped: its generator belongs to another stream, or its id is a duplicate",
            head.id);
        return;
    }
    if (head.end < head.begin) {
        step->clean = false;
        step->run->report->times_changed++;
        ftr_repair_message(
            step->run, FTR_REPAIR_TIMES,
            "transaction %" PRIu64 " ended before it began: its duration is set to 0", head.id);
        head.end = head.begin;
    }
    (void)mark(step, &step->sound.check.streams, head.id, stream + 1);
    step->start = head.begin < step->start ? head.begin : step->start;
    step->end = head.end > step->end ? head.end : step->end;
    step->first = head.begin < step->first ? head.begin : step->first;
    step->latest = head.end > step->latest ? head.end : step->latest;
    step->highest = head.id > step->highest ? head.id : step->highest;
    put_transaction(step, &head);
}

static void repair_transactions(content_step *step, const ftr_content *content)
{
    const ftr_chunk *chunk = step->chunk;
    step->clean = true;
    step->agreeing = step->count = 0;
    step->stream = chunk->stream;
    step->start = UINT64_MAX;
    step->end = 0;
    need_stream(step, step->reader->directory.streams[chunk->stream]->info.id);
    (void)ftr_salvage_entries(FTR_CHUNK_TRANSACTIONS, content->bytes, content->size,
                              prepare_transaction, step, NULL);
    /* The stream in the chunk's frame is used unless most transactions belong to another stream. */
    if (step->agreeing * 2 >= step->count)
        step->stream = chunk->stream;
    step->clean = step->stream == chunk->stream;
    ftr_chunk_output_begin(&step->run->out);
    (void)ftr_salvage_entries(FTR_CHUNK_TRANSACTIONS, content->bytes, content->size,
                              keep_transaction, step, NULL);
    step->clean &=
        !chunk->inverted_range &&
        (step->run->out.count == 0 || (chunk->start <= step->start && chunk->end >= step->end));
    if (!step->clean)
        ftr_chunk_output_end(&step->run->out, FTR_CHUNK_TRANSACTIONS,
                             step->reader->directory.streams[step->stream]->info.id, step->start,
                             step->end);
}

/* ---- relations ------------------------------------------------------------------------------- */

static void prepare_relation(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    ftr_cbor_reader r;
    uint64_t field[5] = {0};
    unsigned count;
    ftr_cbor_reader_init(&r, entry, size);
    (void)ftr_relation_parse(&r, field, &count);
    (void)ftr_need_text(&step->texts, field[0]);
    step->with_streams |= count == 5;
}

static void keep_relation(void *user, const uint8_t *entry, size_t size)
{
    content_step *step = user;
    ftr_cbor_writer *w = &step->run->out.entries;
    ftr_cbor_reader r;
    uint64_t field[5] = {0};
    unsigned count;
    ftr_cbor_reader_init(&r, entry, size);
    (void)ftr_relation_parse(&r, field, &count);
    bool kept = ftr_has_text(&step->texts, field[0]);
    for (unsigned i = 1; i <= 2; i++)
        step->highest = field[i] > step->highest ? field[i] : step->highest;
    for (unsigned i = 1; i <= 2 && step->complete; i++) {
        const uint32_t stream = ftr_id_map_get(&step->sound.check.streams, field[i]);
        kept &= stream != 0;
        if (!kept || !step->with_streams)
            continue;
        const uint64_t id = step->reader->directory.streams[stream - 1]->info.id;
        step->clean &= field[i + 2] == id;
        field[i + 2] = id;
    }
    if (!kept) {
        step->clean = false;
        step->run->report->relations_dropped++;
        ftr_repair_message(step->run, FTR_REPAIR_RELATION,
                           "relation of transactions %" PRIu64 " and %" PRIu64
                           " dropped: a transaction or the name is lost",
                           field[1], field[2]);
        return;
    }
    const unsigned elements = step->with_streams ? 5 : 3;
    step->clean &= elements == count;
    ftr_cbor_put_array(w, elements);
    for (unsigned i = 0; i < elements; i++)
        ftr_cbor_put_uint(w, field[i]);
    step->run->out.count++;
}

static void repair_relations(content_step *step, const ftr_content *content)
{
    step->clean = true;
    step->with_streams = false;
    (void)ftr_salvage_entries(FTR_CHUNK_RELATIONS, content->bytes, content->size, prepare_relation,
                              step, NULL);
    ftr_chunk_output_begin(&step->run->out);
    (void)ftr_salvage_entries(FTR_CHUNK_RELATIONS, content->bytes, content->size, keep_relation,
                              step, NULL);
    if (!step->clean)
        ftr_chunk_output_end(&step->run->out, FTR_CHUNK_RELATIONS, 0, 0, 0);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* Chooses the name of the stream of losses as the recorder does. The result is in @p name. */
static ftr_view choose_loss_name(const content_step *step, char *name, size_t size)
{
    const size_t dot = sizeof FTR_OWN_STREAM_PREFIX - 2;
    size_t length = sizeof FTR_LOSS_STREAM - 1;
    memcpy(name, FTR_LOSS_STREAM, length + 1);
    if (ftr_name_set_has(&step->names, (ftr_view){name, dot}))
        name[dot] = '/'; /* viewers show no stream below another stream */
    for (unsigned number = 2; ftr_name_set_clashes(&step->names, (ftr_view){name, length}) ||
                              ftr_name_set_has(&step->prefixes, (ftr_view){name, length});
         number++)
        length = sizeof FTR_LOSS_STREAM - 1 +
                 (size_t)snprintf(name + sizeof FTR_LOSS_STREAM - 1,
                                  size - sizeof FTR_LOSS_STREAM + 1, "#%u", number);
    return (ftr_view){name, length};
}

/* Returns the lowest id, at least @p from, that no stream and no generator has. */
static uint64_t find_free_definition(const content_step *step, uint64_t from)
{
    while (ftr_id_map_get(&step->streams, from) != 0 ||
           ftr_id_map_get(&step->generators, from) != 0)
        from++;
    return from;
}

static void put_loss(content_step *step, uint64_t generator, const uint64_t *texts, uint64_t from)
{
    ftr_cbor_writer *w = &step->run->out.entries;
    do /* the highest id can be the greatest 64-bit number: the next id is then 1 */
        step->highest++;
    while (step->highest == 0 || ftr_id_map_get(&step->sound.check.streams, step->highest) != 0);
    ftr_cbor_put_array(w, 2);
    ftr_cbor_put_tag(w, FTR_TAG_TX);
    ftr_cbor_put_array(w, 4);
    ftr_cbor_put_uint(w, step->highest);
    ftr_cbor_put_uint(w, generator);
    ftr_cbor_put_uint(w, from);
    ftr_cbor_put_uint(w, step->latest);
    ftr_cbor_put_tag(w, FTR_TAG_BEGIN);
    ftr_cbor_put_array(w, 3);
    ftr_cbor_put_uint(w, texts[0]);
    ftr_cbor_put_uint(w, FTR_SPEC_STRING);
    ftr_cbor_put_uint(w, texts[1]);
    step->run->out.count++;
}

/* Writes the stream `ftr.losses` (docs/format.md, "Losses"), so that the repaired file does not
 * look complete. The losses have no count, because the file does not show how many transactions
 * were recorded after its last chunk, or were in damaged bytes. */
static void put_losses(content_step *step)
{
    const ftr_repair *report = step->run->report;
    ftr_chunk_output *out = &step->run->out;
    char name[sizeof FTR_LOSS_STREAM + 16];
    const char *const texts[] = {
        NULL,
        FTR_LOSS_KIND,
        "loss",
        "what",
        "transactions and relations are lost, their number is not known: " FTR_NOT_RECOVERED
        ", because the file had no end",
        "data is lost, its amount is not known: " FTR_NOT_RECOVERED
        ", because the file was damaged"};
    enum { STREAM, KIND, GENERATOR, WHAT, NO_END, DAMAGED, TEXTS };
    uint64_t ids[TEXTS];
    step->texts.chunk = (uint32_t)step->reader->chunk_count;
    ftr_chunk_output_begin(out);
    for (unsigned i = 0; i < TEXTS; i++)
        ids[i] = ftr_add_text(&step->texts, i == STREAM ? choose_loss_name(step, name, sizeof name)
                                                        : (ftr_view){texts[i], strlen(texts[i])});
    ftr_chunk_output_end(out, FTR_CHUNK_DICTIONARY, 0, 0, 0);
    const uint64_t stream = find_free_definition(step, 1);
    const uint64_t generator = find_free_definition(step, stream + 1);
    ftr_chunk_output_begin(out);
    put_definition(step, FTR_TAG_STREAM, stream, ids[STREAM], ids[KIND]);
    put_definition(step, FTR_TAG_GENERATOR, generator, ids[GENERATOR], stream);
    ftr_chunk_output_end(out, FTR_CHUNK_DIRECTORY, 0, 0, 0);
    const uint64_t first = step->first < step->latest ? step->first : step->latest;
    const bool dropped = ftr_repair_has_dropped(report);
    ftr_chunk_output_begin(out);
    if (report->was_open)
        put_loss(step, generator, (const uint64_t[]){ids[WHAT], ids[NO_END]}, step->latest);
    if (dropped)
        put_loss(step, generator, (const uint64_t[]){ids[WHAT], ids[DAMAGED]}, first);
    ftr_chunk_output_end(out, FTR_CHUNK_TRANSACTIONS, stream, dropped ? first : step->latest,
                         step->latest);
    step->run->altered = true;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Returns true if the chunk is kept without reading its entries. */
static bool is_kept_unread(content_step *step)
{
    const ftr_chunk *chunk = step->chunk;
    const bool has_transactions = chunk->kind == FTR_CHUNK_TRANSACTIONS;
    if (!has_transactions && chunk->kind != FTR_CHUNK_RELATIONS)
        return false;
    /* The threads know the definitions of the input. */
    const bool has_definitions =
        !step->definitions_changed && !step->texts.changed && step->complete &&
        (!has_transactions ||
         ftr_id_map_get(&step->streams, step->reader->directory.streams[chunk->stream]->info.id) !=
             0);
    const bool is_sound = ftr_sound_take(&step->sound, step->texts.chunk, has_definitions);
    step->complete &= !step->sound.check.ids_untracked;
    return is_sound;
}

static ftr_status repair_chunk(content_step *step)
{
    ftr_reader *reader = step->reader;
    ftr_chunk *chunk = step->chunk;
    ftr_content *content;
    step->clean = true;
    if (chunk->kind != FTR_CHUNK_INFO && chunk->kind != FTR_CHUNK_UNKNOWN &&
        !is_kept_unread(step)) {
        const ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
        if (status != FTR_OK)
            return status;
        if (chunk->kind == FTR_CHUNK_DICTIONARY)
            step->clean = ftr_repair_dictionary(&step->texts, content);
        else if (chunk->kind == FTR_CHUNK_DIRECTORY)
            repair_directory(step, content);
        else if (chunk->kind == FTR_CHUNK_TRANSACTIONS)
            repair_transactions(step, content);
        else
            repair_relations(step, content);
        ftr_chunk_cache_unpin(&reader->cache, content);
    }
    if (step->clean) {
        const size_t size = (size_t)chunk->head + chunk->payload_size + chunk->tail;
        ftr_chunk_output_copy(&step->run->out, ftr_source_at(&reader->source, chunk->offset), size);
        ftr_source_touch(&reader->source, size);
    } else {
        step->run->altered = true;
    }
    return step->texts.status != FTR_OK ? step->texts.status : step->run->out.status;
}

/* Repairs all chunks of relations, or all other chunks. */
static ftr_status repair_all(content_step *step, bool relations)
{
    ftr_reader *reader = step->reader;
    ftr_status status = FTR_OK;
    ftr_sound_begin(&step->sound, relations);
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        step->chunk = ftr_chunk_at(reader, i);
        step->texts.chunk = (uint32_t)i;
        if ((step->chunk->kind == FTR_CHUNK_RELATIONS) != relations)
            continue;
        reader->cache.moment++;
        status = repair_chunk(step);
    }
    ftr_sound_end(&step->sound);
    return status;
}

ftr_status ftr_repair_content(ftr_repair_run *run, ftr_reader *reader, ftr_sound_file *known)
{
    content_step step = {.run = run, .reader = reader, .complete = true, .first = UINT64_MAX};
    ftr_budget *budget = &reader->budget;
    ftr_id_map_init(&step.streams, budget, 2);
    ftr_id_map_init(&step.lost_names, budget, 1);
    ftr_id_map_init(&step.given_names, budget, UINT32_MAX);
    ftr_repaired_texts_init(&step.texts, run, reader);
    ftr_id_map_init(&step.generators, budget, reader->directory.stream_count + 1);
    ftr_numbering_sample(reader);
    ftr_status status = ftr_sound_init(&step.sound, reader, known);
    if (status == FTR_OK)
        status = collect_names(&step);
    reader->findings.muted++;
    ftr_chunk_output_put(&run->out, FTR_FILE_MAGIC, FTR_FILE_MAGIC_SIZE);
    /* Relations come last, because all transactions must be known. */
    if (status == FTR_OK)
        status = repair_all(&step, false);
    if (status == FTR_OK)
        status = repair_all(&step, true);
    if (status == FTR_OK && ftr_repair_has_losses(run->report))
        status = ftr_sound_extend(&step.sound, &step.first, &step.latest, &step.highest);
    if (status == FTR_OK && ftr_repair_has_losses(run->report))
        put_losses(&step);
    ftr_chunk_output_put(&run->out, &(uint8_t){FTR_CBOR_BYTE_BREAK}, 1);
    ftr_id_map_release(&step.streams);
    ftr_id_map_release(&step.lost_names);
    ftr_id_map_release(&step.given_names);
    ftr_repaired_texts_release(&step.texts);
    ftr_id_map_release(&step.generators);
    ftr_sound_release(&step.sound);
    ftr_name_set_release(&step.names, budget);
    ftr_name_set_release(&step.prefixes, budget);
    return status != FTR_OK ? status : run->out.status;
}
