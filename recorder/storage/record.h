/* The layout of recorded data in blocks and slots, before the encoder converts it into chunks:
 * binary headers of fixed size, followed by the items of a transaction or the texts of a
 * definition. Blocks contain no pointers, so their contents are valid in every process. All records
 * start at multiples of 8. */
#ifndef FTR_RECORD_H
#define FTR_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/detail/observed_calls.h>
#include <ftr/recorder.h>

/* The header at the start of a block. The records follow it. One thread fills the block, and the
 * encoder reads the block. */
typedef struct ftr_block {
    ftr_block_front front;
    uint32_t run;  /* number of adjacent blocks that share this header */
    uint32_t lane; /* number of the lane that fills the block */
    /* number of the next block in the chain; 0: there is none; under the recorder's lock */
    uint32_t next;
    uint32_t sealed;   /* not 0: the block gets no more records; under the recorder's lock */
    uint64_t sequence; /* position of the block in the order of allocation */
    /* the position of this block in the order in which the encoder began to read blocks; used by
     * the encoder only */
    uint64_t ticket;
    /* For each of the last two files: (number of the file) << 32 | offset of the first record that
     * is not in an earlier file. Index: file number % 2. Used by the encoder only; see
     * ftr_block_settle(). */
    uint64_t settled[2];
    uint64_t reserved; /* counts of an uncovered block (uncovered_blocks.c) */
} ftr_block;

_Static_assert(sizeof(ftr_block) == 64, "records start at a cache line");

/* When the items of a transaction are copied, up to this number of bytes behind their end may be
 * overwritten. */
#define FTR_BLOCK_SLACK 64

enum {
    /* 0, because `kind` of a record has the same position as `flags` of a slot: if a slot has no
     * flags, the kind of its record is already right */
    FTR_RECORD_TX = 0,
    FTR_RECORD_RELATION = FTR_RECORD_KIND_RELATION,
    FTR_RECORD_STREAM = 2,
    FTR_RECORD_GENERATOR = 3,
    FTR_RECORD_ATTRIBUTE = 4,
    FTR_RECORD_RELATION_NAME = 5,
    FTR_RECORD_TEXT = 6
};

/* A bit in the kind of a transaction or relation: it is counted as lost, so that recovery skips it.
 * The encoder sets the bit, and may read the same record again later. ftr_record_kind() returns the
 * kind without the bit. */
#define FTR_RECORD_COUNTED UINT32_C(0x80)

/* A complete transaction. Its items follow. */
typedef struct ftr_stored_tx {
    uint64_t id;
    uint64_t begin;      /* ticks */
    uint32_t items_size; /* bytes */
    uint32_t unused;     /* has the same position as the capacity of a slot */
    uint32_t generator;
    uint32_t kind;
    uint64_t end; /* ticks */
} ftr_stored_tx;

_Static_assert(sizeof(ftr_stored_tx) == FTR_RECORD_HEADER_SIZE, "as the inline calls write it");
_Static_assert(offsetof(ftr_slot, flags) == offsetof(ftr_stored_tx, kind),
               "a slot starts as the record it becomes");

/* A relation. `from` and `to` are transaction ids. `kind` has the same offset as in
 * ftr_stored_tx. */
typedef struct ftr_stored_relation {
    uint64_t from;
    uint64_t from_place; /* ftr_tx.place of the transaction `from` */
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
    uint32_t size; /* bytes, with the texts */
    uint32_t kind;
    uint32_t handle; /* for an attribute: its index in the table of attributes */
    uint32_t stream; /* for a generator: the handle of its stream */
    uint32_t first;  /* for a generator: the index of its first attribute */
    /* for a generator: its number of attributes; for an attribute: type | class << 8 */
    uint32_t count;
    uint64_t length; /* bytes of the first text, without NUL */
} ftr_stored_definition;

/* The value of an attribute. `attribute` is the index of a declared attribute, or FTR_ITEM_NAMED.
 * In the second case, the name follows the item. If the value is a text, the text follows the item
 * and the name. Name and text are padded to multiples of 16 bytes. An item with the bit
 * FTR_ITEM_WORDS in `attribute` is a row of words: the values of consecutive declared attributes,
 * of which `attribute` is the first. In a row, the word of a text is the handle of a defined text;
 * the second word and later ones follow the item, with the same padding. The bytes of a declared
 * attribute (FTR_ITEM_FORM_BYTES) are in `value`, the first one in the lowest bits, if
 * `name_length` is their number, at most 8; if `name_length` is 0, they follow like a text. */
typedef struct ftr_item {
    uint32_t attribute;
    uint8_t type; /* ftr_type */
    uint8_t form; /* FTR_ITEM_FORM_... | class << 4 */
    /* for FTR_ITEM_NAMED: length of the name; for FTR_ITEM_WORDS: number of values; for bytes of a
     * declared attribute: see above */
    uint16_t name_length;
    /* the bits of the value; for a text: its length in bytes; for a defined text: its handle */
    uint64_t value;
} ftr_item;

_Static_assert(sizeof(ftr_item) == FTR_ITEM_SIZE, "as the inline calls write it");

static inline uint32_t ftr_record_kind(const ftr_stored_tx *record)
{
    return record->kind & ~FTR_RECORD_COUNTED;
}

/* Returns the size in bytes of a transaction with its items, or of a relation. */
static inline size_t ftr_record_size(const ftr_stored_tx *record)
{
    return ftr_record_kind(record) == FTR_RECORD_RELATION ? sizeof(ftr_stored_relation)
                                                          : sizeof *record + record->items_size;
}

/* Stores in the block that all records before @p offset are in files with numbers lower than @p
 * file. The entry for the file before it stays. The process can be killed before or after the
 * journal states that file @p file is being written, so recovery may need either entry. */
static inline void ftr_block_settle(ftr_block *block, uint32_t file, uint32_t offset)
{
    block->settled[file & 1] = (uint64_t)file << 32 | offset;
}

/* Returns the offset of the first record that is not in a file with a number lower than @p file. */
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

/* The attribute index in the entry behind the last attribute of a generator. No item has this
 * index. */
#define FTR_ATTRIBUTE_NONE (FTR_ITEM_WORDS - 1)

static inline bool ftr_item_is_words(const ftr_item *item)
{
    return item->attribute & FTR_ITEM_WORDS && item->attribute < FTR_ITEM_NAMED;
}

#define FTR_ITEM_FORM_MASK 0xf

/* Returns the form of an item that is not a row of words. */
static inline unsigned ftr_item_form(const ftr_item *item)
{
    return item->form & FTR_ITEM_FORM_MASK;
}

/* Returns the number of bytes in `value`; 0: the item has none there. */
static inline size_t ftr_item_short_bytes(const ftr_item *item)
{
    return ftr_item_form(item) == FTR_ITEM_FORM_BYTES && item->attribute != FTR_ITEM_NAMED
               ? item->name_length
               : 0;
}

/* Returns whether a text or bytes follow an item and its name; `value` is their size. */
static inline bool ftr_item_has_text(const ftr_item *item)
{
    const unsigned form = ftr_item_form(item);
    return form == FTR_ITEM_FORM_TEXT ||
           (form == FTR_ITEM_FORM_BYTES && ftr_item_short_bytes(item) == 0);
}

/* Returns the size, with padding, of the text or bytes that follow an item and its name; 0: none
 * follow. */
static inline size_t ftr_item_text_size(const ftr_item *item)
{
    return ftr_item_has_text(item) ? ftr_item_pad(item->value) : 0;
}

/* Returns the form of a word, for an attribute with values of @p form. The word of a text is the
 * handle of a defined text. */
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
