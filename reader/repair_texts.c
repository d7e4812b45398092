/* The texts of a repaired file: the ids that its dictionaries define so far, the missing ids, and
 * the texts that replace them. */
#include "repair_texts.h"

#include "cbor_reader.h"
#include "dictionary_chunks.h"
#include "salvage.h"
#include "utf8.h"

#include <inttypes.h>
#include <stdio.h>

/* Marks of ids. PRESENT: the output defines the id, but the input so far does not. ABSENT: the
 * input so far defines the id, but the output does not. */
enum { PRESENT = 1, ABSENT = 2 };

/* A text that is used but not defined counts as lost if its id exceeds the highest defined id by at
 * most this number. A greater id counts as damaged. */
#define TEXTS_LOST 4096

void ftr_repaired_texts_init(ftr_repaired_texts *texts, ftr_repair_run *run, ftr_reader *reader)
{
    *texts = (ftr_repaired_texts){.run = run,
                                  .reader = reader,
                                  .limit = ftr_text_table_limit(&reader->texts) + TEXTS_LOST,
                                  .fillable = TEXTS_LOST + reader->source.size};
    ftr_id_map_init(&texts->marks, &reader->budget, 2);
}

void ftr_repaired_texts_release(ftr_repaired_texts *texts)
{
    ftr_id_map_release(&texts->marks);
}

static void mark(ftr_repaired_texts *texts, uint64_t id, uint32_t value)
{
    const ftr_status status = ftr_id_map_put(&texts->marks, id, value);
    if (texts->status == FTR_OK)
        texts->status = status;
}

/* Puts a text. Replaces bytes that are not UTF-8 by U+FFFD. */
static void put_text(ftr_cbor_writer *w, ftr_view text)
{
    size_t size = 0;
    for (int measuring = 1; measuring >= 0; measuring--) {
        const uint8_t *p = (const uint8_t *)text.data;
        for (size_t left = text.size; left > 0;) {
            size_t step;
            const size_t length = ftr_utf8_length(p, left, &step);
            const size_t put = length > 0 ? length : FTR_UTF8_REPLACEMENT_SIZE;
            step = length > 0 ? length : step;
            if (measuring)
                size += put;
            else
                ftr_cbor_put_encoded(w, length > 0 ? p : (const uint8_t *)FTR_UTF8_REPLACEMENT,
                                     put);
            p += step;
            left -= step;
        }
        if (measuring)
            ftr_cbor_put_head(w, FTR_CBOR_MAJOR_TEXT, size);
    }
}

/* Puts the id of the next text. If @p id does not follow the previous id, begins another chunk, so
 * that the ids of each chunk are consecutive. Otherwise, a second repair would regard @p id as
 * damaged and change it. */
static void put_id(ftr_repaired_texts *texts, uint64_t id)
{
    ftr_chunk_output *out = &texts->run->out;
    if (out->count > 0 && id != texts->last + 1) {
        ftr_chunk_output_end(out, FTR_CHUNK_DICTIONARY, 0, 0, 0);
        ftr_chunk_output_begin(out);
    }
    ftr_cbor_put_uint(&out->entries, id);
    out->count++;
    texts->last = id;
}

static void put_lost_text(ftr_repaired_texts *texts, uint64_t id)
{
    ftr_cbor_writer *w = &texts->run->out.entries;
    const ftr_view text = ftr_text_find(texts->reader, id);
    char lost[32];
    put_id(texts, id);
    if (text.data != NULL) {
        put_text(w, text);
    } else {
        const int length = snprintf(lost, sizeof lost, "lost text %" PRIu64, id);
        ftr_cbor_put_text(w, lost, (size_t)length);
    }
}

/* An id without a mark is in the output if an earlier dictionary of the input defines it. Ids that
 * were changed or added have a mark. */
bool ftr_has_text(ftr_repaired_texts *texts, uint64_t id)
{
    if (id < texts->next)
        return true;
    const uint32_t marked = ftr_id_map_get(&texts->marks, id);
    uint32_t chunk;
    return marked == PRESENT ||
           (marked == 0 && ftr_text_table_chunk(&texts->reader->texts, id, &chunk) &&
            chunk < texts->chunk);
}

/* Moves `next` to @p id, and further past texts that are already defined. */
static void advance_texts(ftr_repaired_texts *texts, uint64_t id)
{
    texts->next = id;
    while (ftr_has_text(texts, texts->next))
        texts->next++;
}

/* Defines every missing text below @p id. Ids must have no gap, because SCViewer numbers texts by
 * their position.
 * @return false if more texts are missing than damage can explain */
static bool fill_texts(ftr_repaired_texts *texts, uint64_t id)
{
    if (id - texts->next > texts->fillable)
        return false;
    texts->fillable -= id - texts->next;
    while (texts->next < id) {
        put_lost_text(texts, texts->next);
        advance_texts(texts, texts->next + 1);
    }
    return true;
}

bool ftr_need_text(ftr_repaired_texts *texts, uint64_t id)
{
    ftr_repair_run *run = texts->run;
    uint32_t chunk;
    if (ftr_has_text(texts, id))
        return true;
    const bool defined = ftr_text_table_chunk(&texts->reader->texts, id, &chunk);
    if (!defined && (id >= texts->limit || id - texts->next >= texts->fillable))
        return false;
    run->altered = texts->changed = true;
    run->report->texts_lost += !defined;
    ftr_repair_message(run, FTR_REPAIR_TEXT,
                       "text %" PRIu64 " is used before it is defined, or lost", id);
    ftr_chunk_output_begin(&run->out);
    if (fill_texts(texts, id) && id == texts->next) {
        put_lost_text(texts, id);
        advance_texts(texts, id + 1);
    } else if (!ftr_has_text(texts, id)) {
        put_lost_text(texts, id);
        mark(texts, id, PRESENT);
    }
    ftr_chunk_output_end(&run->out, FTR_CHUNK_DICTIONARY, 0, 0, 0);
    return true;
}

uint64_t ftr_add_text(ftr_repaired_texts *texts, ftr_view text)
{
    advance_texts(texts, texts->next);
    const uint64_t id = texts->next;
    put_id(texts, id);
    put_text(&texts->run->out.entries, text);
    advance_texts(texts, id + 1);
    return id;
}

typedef struct text_walk {
    ftr_repaired_texts *texts;
    uint64_t first, ordinal, in_order;
    uint64_t base; /* if the ids are consecutive, a text has the id `base` + its position */
    bool by_position, sound;
} text_walk;

static void examine_text(void *user, const uint8_t *entry, size_t size)
{
    text_walk *walk = user;
    ftr_cbor_reader r;
    uint64_t id = 0;
    const char *text = NULL;
    size_t length = 0;
    ftr_cbor_reader_init(&r, entry, size);
    (void)ftr_cbor_get_uint(&r, &id);
    if (walk->ordinal == 0)
        walk->first = id;
    walk->sound &= id == walk->first + walk->ordinal && !ftr_has_text(walk->texts, id) &&
                   ftr_cbor_get_text(&r, &text, &length) == FTR_OK;
    walk->sound = walk->sound && ftr_utf8_is_valid((const uint8_t *)text, length);
    walk->in_order += id == walk->base + walk->ordinal;
    walk->ordinal++;
}

static void keep_text(void *user, const uint8_t *entry, size_t size)
{
    text_walk *walk = user;
    ftr_repaired_texts *texts = walk->texts;
    ftr_cbor_reader r;
    uint64_t stored_id = 0;
    ftr_view text;
    ftr_cbor_reader_init(&r, entry, size);
    (void)ftr_cbor_get_uint(&r, &stored_id);
    const uint64_t id = walk->by_position ? walk->base + walk->ordinal : stored_id;
    walk->ordinal++;
    if (id != stored_id && stored_id >= texts->next &&
        ftr_id_map_get(&texts->marks, stored_id) == 0)
        mark(texts, stored_id, ABSENT);
    if (ftr_has_text(texts, id)) /* the first definition counts */
        return;
    const bool follows = fill_texts(texts, id);
    if (ftr_cbor_get_text(&r, &text.data, &text.size) == FTR_OK) {
        put_id(texts, id);
        texts->run->report->texts_lost += !ftr_utf8_is_valid((const uint8_t *)text.data, text.size);
        put_text(&texts->run->out.entries, text);
    } else {
        put_lost_text(texts, id);
    }
    if (follows)
        advance_texts(texts, id + 1);
    else
        mark(texts, id, PRESENT);
}

bool ftr_repair_dictionary(ftr_repaired_texts *texts, const ftr_content *content)
{
    text_walk walk = {.texts = texts, .sound = true};
    ftr_cbor_reader r;
    uint64_t count = 0;
    ftr_cbor_reader_init(&r, content->bytes, content->size);
    (void)ftr_cbor_get_map(&r, &count);
    /* If most ids continue the ids of the previous chunk, the other ids are damaged. */
    walk.base = texts->next;
    (void)ftr_salvage_entries(FTR_CHUNK_DICTIONARY, content->bytes, content->size, examine_text,
                              &walk, NULL);
    const bool follows = walk.first == texts->next;
    const bool clean = walk.sound && count != FTR_CBOR_INDEFINITE && walk.ordinal > 0 &&
                       (follows || walk.first - texts->next > texts->fillable);
    if (clean) {
        if (follows)
            advance_texts(texts, texts->next + walk.ordinal);
        return true;
    }
    ftr_chunk_output *out = &texts->run->out;
    texts->changed = true;
    walk.by_position = walk.in_order * 2 > walk.ordinal;
    walk.ordinal = 0;
    ftr_chunk_output_begin(out);
    (void)ftr_salvage_entries(FTR_CHUNK_DICTIONARY, content->bytes, content->size, keep_text, &walk,
                              NULL);
    ftr_chunk_output_end(out, FTR_CHUNK_DICTIONARY, 0, 0, 0);
    return false;
}
