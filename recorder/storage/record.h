/* How recorded data lies in blocks and slots until the encoder turns it into chunks: fixed-size
 * binary records whose texts are in place. Nothing here names memory by address, so that a block
 * means the same to another process. All records start at multiples of 8. */
#ifndef FTR_RECORD_H
#define FTR_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/detail/word_calls.h>
#include <ftr/recorder.h>

/* A block, at the start of its memory; records follow. Filled by one thread, read by the encoder.
 */
typedef struct ftr_block {
    ftr_block_front front;
    uint32_t run;      /* how many neighbouring blocks it takes */
    uint32_t lane;     /* the lane that fills it */
    uint32_t next;     /* block that follows in its chain, 0: none; under the recorder's lock */
    uint32_t sealed;   /* nothing more will come; under the recorder's lock */
    uint64_t sequence; /* order in which blocks were handed out */
    uint64_t ticket;   /* when the encoder first read from it; the encoder's own */
    /* Where the records begin that are not in files before this one: the file's number << 32 |
     * offset, of the last two files; the encoder's own. */
    uint64_t settled[2];
    uint64_t reserved;
} ftr_block;

_Static_assert(sizeof(ftr_block) == 64, "records start at a cache line");

/* The copy of a transaction's items may write this much past their end. */
#define FTR_BLOCK_SLACK 64

enum {
    FTR_RECORD_TX = 0, /* so that a slot's flags, when there are none, are the kind of its record */
    FTR_RECORD_RELATION = FTR_RECORD_KIND_RELATION,
    FTR_RECORD_STREAM = 2,
    FTR_RECORD_GENERATOR = 3,
    FTR_RECORD_ATTRIBUTE = 4,
    FTR_RECORD_RELATION_NAME = 5,
    FTR_RECORD_TEXT = 6
};

/* A bit of the kind of transactions and relations: counted as lost, so that recovery passes over
 * them. Set by the encoder. */
#define FTR_RECORD_COUNTED UINT32_C(0x80)

/* A complete transaction; its items follow. */
typedef struct ftr_stored_tx {
    uint64_t id;
    uint64_t begin;      /* ticks */
    uint32_t items_size; /* bytes that follow */
    uint32_t unused;     /* the slot's capacity, when it comes from one */
    uint32_t generator;
    uint32_t kind;
    uint64_t end; /* ticks */
} ftr_stored_tx;

_Static_assert(sizeof(ftr_stored_tx) == FTR_RECORD_HEADER_SIZE, "as the inline calls write it");
_Static_assert(offsetof(ftr_slot, flags) == offsetof(ftr_stored_tx, kind),
               "a slot starts as the record it becomes");

/* Its kind is where a transaction's is. */
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

/* A definition; its texts follow, each with a NUL. */
typedef struct ftr_stored_definition {
    uint32_t size;
    uint32_t kind;
    uint32_t handle; /* of an attribute: its index in the table */
    uint32_t stream; /* of a generator */
    uint32_t first;  /* of a generator: its first attribute */
    uint32_t count;  /* of a generator: how many; of an attribute: type | class << 8 */
    uint64_t length; /* bytes of the first text */
} ftr_stored_definition;

/* One attribute's value. A declared attribute is its index; FTR_ITEM_NAMED has its name behind the
 * item. A text value lies behind that. Both are padded to multiples of 16. FTR_ITEM_WORDS has
 * the values of several declared attributes, texts as handles: `attribute` is the first, the second
 * value and those after it lie behind the item, padded likewise. */
typedef struct ftr_item {
    uint32_t attribute;
    uint8_t type;         /* ftr_type */
    uint8_t form;         /* FTR_ITEM_FORM_... | class << 4 */
    uint16_t name_length; /* of FTR_ITEM_NAMED; of FTR_ITEM_WORDS how many */
    uint64_t value;       /* the value's bits; of a text its length; of a defined text its handle */
} ftr_item;

_Static_assert(sizeof(ftr_item) == FTR_ITEM_SIZE, "as the inline calls write it");

/* Bytes of a record of either kind. */
static inline size_t ftr_record_size(const ftr_stored_tx *record)
{
    return record->kind == FTR_RECORD_RELATION ? sizeof(ftr_stored_relation)
                                               : sizeof *record + record->items_size;
}

/* Everything before @p offset is in files before number @p file. Kept apart from what held for the
 * file before: until the journal says which of the two is written, both must be known. */
static inline void ftr_block_settle(ftr_block *block, uint32_t file, uint32_t offset)
{
    block->settled[file & 1] = (uint64_t)file << 32 | offset;
}

/* Where the records begin that are not in files before number @p file. */
static inline uint32_t ftr_block_unsettled(const ftr_block *block, uint32_t file)
{
    uint64_t newest = 0;
    for (int i = 0; i < 2; ++i) {
        if (block->settled[i] >> 32 <= file && block->settled[i] > newest)
            newest = block->settled[i];
    }
    uint32_t offset = (uint32_t)newest;
    return offset > sizeof *block ? offset : (uint32_t)sizeof *block;
}

static inline bool ftr_item_is_words(const ftr_item *item)
{
    return item->attribute & FTR_ITEM_WORDS && item->attribute != FTR_ITEM_NAMED;
}

#define FTR_ITEM_FORM_MASK 0xf

/* What a word is of an attribute whose values are of @p form: of a text its handle. */
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
