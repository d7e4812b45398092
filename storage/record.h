/* The layout of recorded data in blocks and slots, before the encoder converts it into chunks:
 * fixed-size binary records, followed by their texts. There are no pointers, so that a block is
 * valid in every process. All records start at multiples of 8. */
#ifndef FTR_RECORD_H
#define FTR_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/detail/observed_calls.h>
#include <ftr/recorder.h>

/* The header of a block, at the start of its memory; records follow. One thread fills the block,
 * the encoder reads it. */
typedef struct ftr_block {
    ftr_block_front front;
    uint32_t run;      /* number of adjacent blocks */
    uint32_t lane;     /* the lane that fills it */
    uint32_t next;     /* the next block in its chain, 0: none; under the recorder's lock */
    uint32_t sealed;   /* complete; under the recorder's lock */
    uint64_t sequence; /* order of allocation */
    /* order in which the encoder began to read the blocks; used by the encoder only */
    uint64_t ticket;
    /* Offset of the first record that is not in an earlier file, for the last two files: (number of
     * the file) << 32 | offset. Used by the encoder only. */
    uint64_t settled[2];
    uint64_t reserved;
} ftr_block;

_Static_assert(sizeof(ftr_block) == 64, "records start at a cache line");

/* Copying the items of a transaction may write up to this many bytes past their end. */
#define FTR_BLOCK_SLACK 64

enum {
    FTR_RECORD_TX = 0, /* 0, so that a slot without flags contains the kind of its record */
    FTR_RECORD_RELATION = FTR_RECORD_KIND_RELATION,
    FTR_RECORD_STREAM = 2,
    FTR_RECORD_GENERATOR = 3,
    FTR_RECORD_ATTRIBUTE = 4,
    FTR_RECORD_RELATION_NAME = 5,
    FTR_RECORD_TEXT = 6
};

/* A bit in the kind of transactions and relations: counted as lost, so that recovery skips them.
 * Set by the encoder, also in blocks that are read again: ftr_record_kind() is without it. */
#define FTR_RECORD_COUNTED UINT32_C(0x80)

/* A complete transaction. Its items follow. */
typedef struct ftr_stored_tx {
    uint64_t id;
    uint64_t begin;      /* ticks */
    uint32_t items_size; /* size of the items */
    uint32_t unused;     /* contains the slot's capacity if the record is in a slot */
    uint32_t generator;
    uint32_t kind;
    uint64_t end; /* ticks */
} ftr_stored_tx;

_Static_assert(sizeof(ftr_stored_tx) == FTR_RECORD_HEADER_SIZE, "as the inline calls write it");
_Static_assert(offsetof(ftr_slot, flags) == offsetof(ftr_stored_tx, kind),
               "a slot starts as the record it becomes");

/* `kind` has the same offset as in ftr_stored_tx. */
typedef struct ftr_stored_relation {
    uint64_t from;
    uint64_t from_place; /* as in ftr_tx */
    uint64_t to;
    uint32_t relation;
    uint32_t kind;
    uint64_t to_place;
} ftr_stored_relation;

_Static_assert(offsetof(ftr_stored_relation, kind) == offsetof(ftr_stored_tx, kind),
               "told apart by their kind");
_Static_assert(sizeof(ftr_stored_relation) == FTR_RECORD_HEADER_SIZE,
               "as the inline calls write it");

/* A definition. Its texts follow, each with a terminating NUL. */
typedef struct ftr_stored_definition {
    uint32_t size;
    uint32_t kind;
    uint32_t handle; /* for an attribute: its index in the table */
    uint32_t stream; /* for a generator */
    uint32_t first;  /* for a generator: its first attribute */
    /* for a generator: its number of attributes; for an attribute: type | class << 8 */
    uint32_t count;
    uint64_t length; /* size of the first text */
} ftr_stored_definition;

/* The value of an attribute. A declared attribute is stored as its index; for FTR_ITEM_NAMED, the
 * name follows the item. A text value follows the name. Both are padded to multiples of 16.
 * FTR_ITEM_WORDS contains the values of several declared attributes, with texts as handles:
 * `attribute` is the first of them; the second value and later ones follow the item, with the same
 * padding. FTR_ITEM_COPIED stands for values in the record before: see copied_words.h. */
typedef struct ftr_item {
    uint32_t attribute;
    uint8_t type; /* ftr_type */
    uint8_t form; /* FTR_ITEM_FORM_... | class << 4 */
                  /* for FTR_ITEM_NAMED: length of the name; for FTR_ITEM_WORDS: number of values */
    uint16_t name_length;
    /* the bits of the value; for a text its length; for a defined text its handle */
    uint64_t value;
} ftr_item;

_Static_assert(sizeof(ftr_item) == FTR_ITEM_SIZE, "as the inline calls write it");

static inline uint32_t ftr_record_kind(const ftr_stored_tx *record)
{
    return record->kind & ~FTR_RECORD_COUNTED;
}

/* Size of a record of either kind. */
static inline size_t ftr_record_size(const ftr_stored_tx *record)
{
    return ftr_record_kind(record) == FTR_RECORD_RELATION ? sizeof(ftr_stored_relation)
                                                          : sizeof *record + record->items_size;
}

/* Records that all data before @p offset is in files before number @p file. The entry of the
 * preceding file is kept, because both entries are needed until the journal states which of the two
 * files is being written. */
static inline void ftr_block_settle(ftr_block *block, uint32_t file, uint32_t offset)
{
    block->settled[file & 1] = (uint64_t)file << 32 | offset;
}

/* Offset of the first record that is not in a file before number @p file. */
static inline uint32_t ftr_block_unsettled(const ftr_block *block, uint32_t file)
{
    uint64_t newest = 0;
    for (int i = 0; i < 2; i++) {
        if (block->settled[i] >> 32 <= file && block->settled[i] > newest)
            newest = block->settled[i];
    }
    uint32_t offset = (uint32_t)newest;
    return offset > sizeof *block ? offset : (uint32_t)sizeof *block;
}

static inline bool ftr_item_is_words(const ftr_item *item)
{
    return item->attribute & FTR_ITEM_WORDS && item->attribute < FTR_ITEM_COPIED;
}

#define FTR_ITEM_FORM_MASK 0xf

/* The form of a word for an attribute with values of @p form: the word of a text is its handle. */
static inline uint8_t ftr_word_form(uint8_t form)
{
    return form == FTR_ITEM_FORM_TEXT ? FTR_ITEM_FORM_DEFINED : form;
}

static inline uint64_t ftr_item_head(uint32_t attribute, uint8_t type, uint8_t form)
{
    return (uint64_t)attribute | (uint64_t)type << 32 | (uint64_t)form << 40;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ftr_item_head() builds an ftr_item for little-endian machines"
#endif

#endif
