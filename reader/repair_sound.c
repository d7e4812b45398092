/* Checks chunks, and reads the times of the few chunks that determine the times of the file. */
#include "repair_sound.h"

#include "numbering.h"
#include "transaction_walk.h"

#include <stdlib.h>

#define RULE(identifier) (UINT64_C(1) << FTR_RULE_##identifier)

uint64_t ftr_repair_ignored_rules(void)
{
    return RULE(NUMBERING) | RULE(FLOAT_WIDTH) | RULE(UNSIGNED_RANGE) | RULE(STREAM_NAME_UNIQUE) |
           RULE(STREAM_NAME_PREFIX) | RULE(STREAM_NAME_DOT) | RULE(TIME_RANGE) |
           RULE(ATTRIBUTE_NAME) | RULE(WEB_COMPRESSED) | RULE(WEB_RELATION_ORDER) |
           RULE(WEB_UNUSED_GENERATOR) | RULE(FILE_NAME) | RULE(EVENT_NAME) | RULE(EVENT_NAME_TYPE) |
           RULE(EVENT_PARENT) | RULE(EVENT_PARENTS) | RULE(EVENT_STREAM) | RULE(EVENT_RELATION) |
           RULE(EVENT_TIMES);
}

ftr_status ftr_sound_init(ftr_sound_chunks *sound, ftr_reader *reader, ftr_sound_file *known)
{
    *sound = (ftr_sound_chunks){
        .check = {.reader = reader, .numbering_reported = true, .names_unused = true}};
    if (known != NULL && known->is_sound) {
        sound->known_count = known->chunk_count;
        sound->check.streams = known->transactions;
        sound->is_known = true;
        known->is_sound = false;
    } else {
        ftr_id_map_init(&sound->check.streams, &reader->budget, reader->directory.stream_count + 1);
    }
    ftr_numbering_sample(reader);
    ftr_check_transactions_init(&sound->check);
    sound->kept = calloc(reader->chunk_count / 8 + 1, 1);
    return sound->kept != NULL ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_sound_release(ftr_sound_chunks *sound)
{
    ftr_id_map_release(&sound->check.streams);
    ftr_id_index_release(&sound->check.names, &sound->check.reader->budget);
    free(sound->kept);
}

/* ---- checking -------------------------------------------------------------------------------- */

static void end_ahead(void *user)
{
    ftr_sound_chunks *sound = user;
    ftr_check_ahead_destroy(sound->ahead);
    sound->ahead = NULL;
}

void ftr_sound_begin(ftr_sound_chunks *sound, bool relations)
{
    ftr_reader *reader = sound->check.reader;
    reader->release_ahead = end_ahead;
    reader->release_user = sound;
    sound->is_checking = !sound->is_known;
    if (sound->is_checking)
        sound->ahead = ftr_check_ahead_create(&sound->check, relations);
}

void ftr_sound_end(ftr_sound_chunks *sound)
{
    end_ahead(sound);
    sound->check.reader->release_ahead = NULL;
}

static bool has_no_error(ftr_sound_chunks *sound, uint32_t index)
{
    ftr_check *check = &sound->check;
    check->index = index;
    check->chunk = ftr_chunk_at(check->reader, index);
    const bool is_ahead = sound->ahead != NULL && (check->chunk->kind == FTR_CHUNK_TRANSACTIONS ||
                                                   check->chunk->kind == FTR_CHUNK_RELATIONS);
    return is_ahead ? ftr_check_ahead_take(sound->ahead, check) : ftr_check_here(check);
}

bool ftr_sound_take(ftr_sound_chunks *sound, uint32_t index, bool has_definitions)
{
    bool is_sound = sound->is_known && index < sound->known_count;
    if (!has_definitions || sound->check.ids_untracked) {
        sound->is_checking = false;
        end_ahead(sound);
    }
    if (!is_sound && sound->is_checking)
        is_sound = has_no_error(sound, index);
    if (is_sound)
        sound->kept[index / 8] |= (uint8_t)(1u << index % 8);
    return is_sound;
}

/* ---- times ----------------------------------------------------------------------------------- */

static ftr_status read_times(ftr_reader *reader, ftr_chunk *chunk, uint64_t *first,
                             uint64_t *latest)
{
    ftr_content *content;
    ftr_tx_walk walk;
    ftr_tx_head head;
    const ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status != FTR_OK)
        return status;
    ftr_tx_walk_init(&walk, content->bytes, content->size, &reader->forms);
    while (ftr_tx_walk_next(&walk, &head) == FTR_OK) {
        *first = head.begin < *first ? head.begin : *first;
        *latest = head.end > *latest ? head.end : *latest;
    }
    ftr_chunk_cache_unpin(&reader->cache, content);
    return FTR_OK;
}

ftr_status ftr_sound_extend(ftr_sound_chunks *sound, uint64_t *first, uint64_t *latest,
                            uint64_t *highest)
{
    ftr_reader *reader = sound->check.reader;
    const size_t count = reader->chunk_count;
    ftr_status status = FTR_OK;
    const uint64_t greatest = ftr_id_map_greatest(&sound->check.streams);
    *highest = greatest > *highest ? greatest : *highest;
    /* A chunk states times that enclose those of its transactions, so only a few chunks must be
     * read: forwards for the first time, backwards for the latest one. */
    for (size_t n = 0; status == FTR_OK && n < 2 * count; n++) {
        const size_t i = n < count ? n : 2 * count - 1 - n;
        ftr_chunk *chunk = ftr_chunk_at(reader, i);
        if (chunk->kind == FTR_CHUNK_TRANSACTIONS && (sound->kept[i / 8] >> i % 8 & 1) != 0 &&
            (n < count ? chunk->start < *first : chunk->end > *latest))
            status = read_times(reader, chunk, first, latest);
    }
    return status;
}
