/* Reads journals. Sizes, positions and handles in a journal are checked before they are used,
 * because the process may have been killed at any point, and the file may have been damaged since.
 */
#define _GNU_SOURCE
#include "journal_image.h"

#include "encoder.h"
#include "growing_array.h"
#include "recorder_memory.h"
#include "lz4_block.h"
#include "open_transactions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads [offset, offset + size) of the file, or the part of this range that is before the end of
 * the file. */
static ftr_status read_at(int fd, void *to, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, (uint8_t *)to + done, size - done, (off_t)(offset + done));
        if (got < 0)
            return FTR_ERR_IO;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return FTR_OK;
}

/* The values that ftr_options_check() allows. */
#define TIME_SCALE_MIN (-15)
#define CHUNK_SIZE_MAX (UINT64_C(1) << 30)

/* Maximum number of records in a block. One record is added because the first record can be larger
 * than the rest of the block. */
#define RECORDS_MAX (FTR_BLOCK_SIZE / FTR_RECORD_HEADER_SIZE + 1)

static bool has_options(const ftr_journal_header *header)
{
    return header->floats <= FTR_FLOATS_TEXT && header->numbering <= FTR_NUMBERING_SPEC &&
           header->compression <= FTR_COMPRESSION_META &&
           header->compression_level <= FTR_LZ4_LEVEL_MAX && header->chunk_size > 0 &&
           header->chunk_size <= CHUNK_SIZE_MAX &&
           (header->scale_known == 0 ||
            (header->time_scale >= TIME_SCALE_MIN && header->time_scale <= 0));
}

static const char *header_fault(const ftr_journal_header *header)
{
    if (memcmp(header->magic, FTR_JOURNAL_MAGIC, sizeof header->magic) != 0)
        return "it is not a journal";
    if (header->layout != FTR_JOURNAL_LAYOUT)
        return "another version of ftr wrote it";
    if (header->part_count > FTR_JOURNAL_PARTS_MAX || header->slot_count > FTR_SLOTS_MAX ||
        header->commit > 1 || !has_options(header) ||
        memchr(header->trace, '\0', sizeof header->trace) == NULL)
        return "its header is damaged";
    return NULL;
}

static ftr_status load_part(ftr_journal_image *image, int fd, const ftr_journal_part *part)
{
    ftr_arena *arena = &image->arena;
    const bool has_slots = part->kind == FTR_JOURNAL_SLOTS;
    ftr_range *range = has_slots ? &arena->slots : &arena->blocks;
    const size_t unit = has_slots ? FTR_SLOT_SIZE : FTR_BLOCK_SIZE;
    if ((!has_slots && part->kind != FTR_JOURNAL_BLOCKS) || part->offset % unit != 0 ||
        part->size % unit != 0 || part->offset > range->reserved ||
        part->size > range->reserved - part->offset)
        return FTR_ERR_FORMAT;
    ftr_status status = ftr_range_commit(range, part->offset + part->size);
    if (status != FTR_OK)
        return status;
    return read_at(fd, range->base + part->offset, part->size, part->file_offset);
}

/* Returns whether the definition of the text that a word refers to is missing in the journal. If
 * all definitions are there, words need no check, because an invalid handle is treated as the empty
 * text. */
static bool lacks_text(const ftr_journal_image *image, const ftr_declared_attribute *attribute,
                       uint64_t word)
{
    return image->lacks_definitions && attribute->form == FTR_ITEM_FORM_TEXT &&
           word >= image->definitions.text_count;
}

/* Returns whether the words of the row @p item are valid. All words must be readable behind @p
 * item. */
static bool are_whole_words(const ftr_journal_image *image, const ftr_item *item)
{
    const ftr_definitions *definitions = &image->definitions;
    const uint64_t *words = &item->value;
    const uint32_t first = item->attribute ^ FTR_ITEM_WORDS;
    if (item->name_length == 0 || first >= definitions->attribute_count ||
        item->name_length > definitions->attribute_count - first)
        return false;
    for (uint32_t i = 0; i < item->name_length; i++) {
        const ftr_declared_attribute *attribute = ftr_definitions_attribute(definitions, first + i);
        if (attribute->index == FTR_ATTRIBUTE_NONE || lacks_text(image, attribute, words[i]))
            return false;
    }
    return true;
}

/* Returns whether the form of an item that is not a row of words fits its type. */
static bool is_whole_form(const ftr_item *item)
{
    const unsigned form = ftr_item_form(item);
    if (form == FTR_ITEM_FORM_BYTES)
        return item->type == FTR_TYPE_STRING && ftr_item_short_bytes(item) <= sizeof item->value;
    return form == FTR_ITEM_FORM_DEFINED || form == ftr_form_of((ftr_type)item->type);
}

static bool are_whole_items(const ftr_journal_image *image, const uint8_t *items, size_t size)
{
    const ftr_definitions *definitions = &image->definitions;
    while (size > 0) {
        ftr_item item;
        if (size < sizeof item)
            return false;
        memcpy(&item, items, sizeof item);
        if (ftr_item_is_words(&item)) {
            const size_t all = ftr_words_size(item.name_length);
            if (all > size || !are_whole_words(image, (const ftr_item *)items))
                return false;
            items += all;
            size -= all;
            continue;
        }
        size_t taken = sizeof item;
        const unsigned form = ftr_item_form(&item);
        if (item.form >> 4 > FTR_CLASS_END || item.type > FTR_TYPE_TIME || !is_whole_form(&item))
            return false;
        if (item.attribute == FTR_ITEM_NAMED)
            taken += ftr_item_pad(item.name_length);
        else if (item.attribute >= definitions->attribute_count ||
                 ftr_definitions_attribute(definitions, item.attribute)->index ==
                     FTR_ATTRIBUTE_NONE)
            return false;
        if (form == FTR_ITEM_FORM_DEFINED &&
            (item.value == 0 || item.value >= definitions->text_count))
            return false;
        if (ftr_item_has_text(&item)) {
            if (item.value > size)
                return false;
            taken += ftr_item_pad(item.value);
        }
        if (taken > size)
            return false;
        items += taken;
        size -= taken;
    }
    return true;
}

static bool is_generator(const ftr_definitions *definitions, uint32_t handle)
{
    return handle != 0 && handle < definitions->entity_count &&
           ftr_definitions_entity(definitions, handle)->kind == FTR_ENTITY_GENERATOR;
}

/* Restores the tables of definitions from the chain of definition records. */
static ftr_status load_definitions(ftr_journal_image *image)
{
    ftr_arena *arena = &image->arena;
    ftr_status status = ftr_definitions_init(&image->definitions, arena, NULL, NULL);
    size_t blocks_left = arena->block_count;
    for (uint32_t number = image->header->first_definitions; status == FTR_OK && number != 0;) {
        image->lacks_definitions =
            number < FTR_JOURNAL_BLOCKS_MAX &&
            arena->kinds[number] == (FTR_BLOCK_UNCOVERED | FTR_BLOCK_DEFINITIONS);
        if (number >= arena->block_count || arena->kinds[number] != FTR_BLOCK_DEFINITIONS ||
            blocks_left-- == 0)
            break;
        const ftr_block *block = ftr_arena_block(arena, number);
        size_t room = (arena->block_count - number) * FTR_BLOCK_SIZE;
        size_t committed = block->front.committed < room ? block->front.committed : room;
        for (size_t at = sizeof *block; status == FTR_OK && at < committed;) {
            const ftr_stored_definition *record =
                (const ftr_stored_definition *)((const uint8_t *)block + at);
            size_t left = committed - at;
            if (left < sizeof *record || record->size < sizeof *record || record->size > left ||
                record->size % 8 != 0) {
                image->torn++;
                break;
            }
            status = ftr_definitions_restore(&image->definitions, record);
            if (status == FTR_ERR_FORMAT) {
                image->torn++;
                status = FTR_OK;
            }
            at += record->size;
        }
        number = block->next;
    }
    return status;
}

uint32_t ftr_journal_image_file(const ftr_journal_image *image)
{
    return image->header->commits[image->header->commit].file;
}

typedef struct numbered_block {
    uint64_t sequence;
    uint32_t number;
} numbered_block;

static int by_sequence(const void *a, const void *b)
{
    uint64_t left = ((const numbered_block *)a)->sequence;
    uint64_t right = ((const numbered_block *)b)->sequence;
    return left < right ? -1 : left > right;
}

static ftr_status list_blocks(ftr_journal_image *image)
{
    const ftr_arena *arena = &image->arena;
    size_t count = 0;
    numbered_block *found = malloc((arena->block_count + 1) * sizeof *found);
    image->blocks = malloc((arena->block_count + 1) * sizeof *image->blocks);
    if (found == NULL || image->blocks == NULL) {
        free(found);
        return FTR_ERR_MEMORY;
    }
    for (uint32_t i = 1; i < arena->block_count; i++) {
        if (arena->kinds[i] == FTR_BLOCK_TRANSACTIONS)
            found[count++] =
                (numbered_block){((const ftr_block *)ftr_arena_block(arena, i))->sequence, i};
    }
    qsort(found, count, sizeof *found, by_sequence);
    for (size_t i = 0; i < count; i++)
        image->blocks[i] = found[i].number;
    image->block_count = count;
    free(found);
    return FTR_OK;
}

/* Counts the records and transactions that can have been in blocks and slots that the journal does
 * not contain. */
static void count_uncovered(ftr_journal_image *image)
{
    const ftr_journal_header *header = image->header;
    uint64_t slots = header->slot_count;
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < FTR_JOURNAL_BLOCKS_MAX; i++) {
        if (header->blocks[i] == (FTR_BLOCK_UNCOVERED | FTR_BLOCK_TRANSACTIONS))
            blocks++;
    }
    image->uncovered = header->uncovered_transactions;
    image->uncovered_at_most = header->uncovered_at_most;
    if (blocks > header->uncovered_full)
        image->uncovered_at_most += (blocks - header->uncovered_full) * RECORDS_MAX;
    for (uint32_t i = 0; i < header->part_count; i++) {
        const ftr_journal_part *part = ftr_journal_part_at(header, i);
        const uint64_t first = part->offset / FTR_SLOT_SIZE;
        const uint64_t end = first + part->size / FTR_SLOT_SIZE;
        const uint64_t last = end < header->slot_count ? end : header->slot_count;
        if (part->kind == FTR_JOURNAL_SLOTS && first < last)
            slots -= last - first < slots ? last - first : slots;
    }
    image->uncovered_at_most += slots;
}

/* Returns whether the fields of @p record and, for a transaction, its items are valid. */
static bool is_whole(const ftr_journal_image *image, const ftr_stored_tx *record)
{
    const ftr_definitions *definitions = &image->definitions;
    if (record->kind == FTR_RECORD_RELATION) {
        const ftr_stored_relation *relation = (const ftr_stored_relation *)record;
        return relation->relation != 0 && relation->relation < definitions->relation_count &&
               relation->from_place >> 32 < definitions->entity_count &&
               relation->to_place >> 32 < definitions->entity_count;
    }
    return record->id != 0 && record->end >= record->begin &&
           is_generator(definitions, record->generator) &&
           are_whole_items(image, (const uint8_t *)(record + 1), record->items_size);
}

/* Counts an incomplete record or slot in `torn`. If `lists_torn` is true, also stores @p id, or
 * increments `rest` if the id is unknown (0, for example of a relation) or there is no memory to
 * store it. */
static void add_torn(ftr_journal_pass *pass, uint64_t id)
{
    pass->torn++;
    if (!pass->lists_torn)
        return;
    if (id != 0 && ftr_array_grow(&pass->torn_ids, &pass->torn_capacity, pass->torn_count,
                                  sizeof *pass->torn_ids))
        pass->torn_ids[pass->torn_count++] = id;
    else
        pass->rest++;
}

/* Returns the offset of the first record that is not in an earlier file. If this offset is damaged,
 * the pass reads the whole block, and recovery detects which records are already in a file. */
static size_t first_unsettled(const ftr_journal_image *image, ftr_journal_pass *pass,
                              const ftr_block *block, size_t committed)
{
    const size_t wanted = ftr_block_unsettled(block, ftr_journal_image_file(image));
    size_t at = sizeof *block;
    while (at < wanted && at % _Alignof(ftr_stored_tx) == 0 &&
           at + sizeof(ftr_stored_tx) <= committed)
        at += ftr_record_size((const ftr_stored_tx *)((const uint8_t *)block + at));
    if (at == wanted)
        return wanted;
    pass->torn++;
    return sizeof *block;
}

static ftr_stored_tx *next_in_block(const ftr_journal_image *image, ftr_journal_pass *pass)
{
    const ftr_arena *arena = &image->arena;
    const uint32_t block = image->blocks[pass->block];
    uint8_t *begin = ftr_arena_block(arena, block);
    size_t room = (arena->block_count - block) * FTR_BLOCK_SIZE;
    size_t committed = ((const ftr_block *)begin)->front.committed;
    if (committed > room)
        committed = room;
    if (pass->at == 0)
        pass->at = first_unsettled(image, pass, (const ftr_block *)begin, committed);
    while (pass->at % _Alignof(ftr_stored_tx) == 0 &&
           pass->at + sizeof(ftr_stored_tx) <= committed) {
        ftr_stored_tx *record = (ftr_stored_tx *)(begin + pass->at);
        size_t size = ftr_record_size(record);
        if (ftr_record_kind(record) > FTR_RECORD_RELATION || size > committed - pass->at ||
            size % 8 != 0)
            break; /* the start of the next record is unknown */
        pass->at += size;
        if (record->kind & FTR_RECORD_COUNTED)
            continue;
        if (is_whole(image, record))
            return record;
        add_torn(pass, record->kind == FTR_RECORD_TX ? record->id : 0);
    }
    if (pass->at < committed) {
        pass->torn++;
        pass->rest += (committed - pass->at + sizeof(ftr_stored_tx) - 1) / sizeof(ftr_stored_tx);
    }
    return NULL;
}

ftr_stored_tx *ftr_journal_image_next(const ftr_journal_image *image, ftr_journal_pass *pass)
{
    const size_t end = pass->end ? pass->end : image->block_count;
    for (; pass->block < end; pass->block++, pass->at = 0) {
        ftr_stored_tx *record = next_in_block(image, pass);
        if (record != NULL)
            return record;
    }
    return NULL;
}

/* Returns whether the journal contains the spill at offset @p spill of the blocks. */
static bool is_in_journal(const ftr_journal_image *image, size_t spill)
{
    return spill < image->arena.blocks.committed &&
           !(image->arena.kinds[spill / FTR_BLOCK_SIZE] & FTR_BLOCK_UNCOVERED);
}

const ftr_slot *ftr_journal_image_next_slot(const ftr_journal_image *image, ftr_journal_pass *pass)
{
    const ftr_range *blocks = &image->arena.blocks;
    while (pass->slot < image->header->slot_count) {
        ftr_slot *slot = (ftr_slot *)image->arena.slots.base + pass->slot++;
        if (slot->id == FTR_SLOT_FREE || slot->id == 0)
            continue;
        /* `items` contains an address of the recording process, which is not valid here. */
        size_t spill = slot->spill * FTR_SPILL_UNIT;
        size_t room = FTR_SLOT_IN_PLACE;
        if (spill)
            room = is_in_journal(image, spill) ? blocks->committed - spill : 0;
        slot->items = spill ? blocks->base + spill : (uint8_t *)slot->in_place;
        size_t size = slot->fill;
        if (size <= room && is_generator(&image->definitions, slot->generator) &&
            are_whole_items(image, slot->items, size))
            return slot;
        add_torn(pass, slot->id);
    }
    return NULL;
}

static ftr_status reserve_memory(ftr_journal_image *image)
{
    const ftr_range_request bodies = ftr_encoder_request(&image->bodies);
    return ftr_recorder_memory_reserve(&image->memory, &image->arena, 0, 1, &image->definitions,
                                       &bodies, ftr_range_left());
}

ftr_status ftr_journal_image_load(ftr_journal_image *image, int fd, const char **why)
{
    *image = (ftr_journal_image){0};
    *why = "it cannot be read";
    ftr_journal_header *header = calloc(1, sizeof *header);
    if (header == NULL)
        return FTR_ERR_MEMORY;
    image->header = header;
    ftr_status status = read_at(fd, header, sizeof *header, 0);
    const char *fault = status == FTR_OK ? header_fault(header) : NULL;
    if (fault != NULL) {
        *why = fault;
        status = FTR_ERR_FORMAT;
    }
    if (status == FTR_OK)
        status = reserve_memory(image);
    if (status == FTR_OK)
        status = ftr_arena_init(&image->arena, 0, NULL);
    for (uint32_t i = 0; status == FTR_OK && i < header->part_count; i++)
        status = load_part(image, fd, ftr_journal_part_at(header, i));
    if (status == FTR_OK) {
        image->arena.block_count = image->arena.blocks.committed / FTR_BLOCK_SIZE;
        memcpy(image->arena.kinds, header->blocks, sizeof header->blocks);
        count_uncovered(image);
        status = load_definitions(image);
        if (status == FTR_OK)
            status = list_blocks(image);
    } else if (status == FTR_ERR_FORMAT && fault == NULL) {
        *why = "its header is damaged";
    }
    if (status != FTR_OK)
        ftr_journal_image_release(image);
    return status;
}

void ftr_journal_image_release(ftr_journal_image *image)
{
    ftr_definitions_release(&image->definitions);
    ftr_arena_release(&image->arena);
    ftr_range_release(&image->memory);
    free(image->blocks);
    free(image->header);
    *image = (ftr_journal_image){0};
}
