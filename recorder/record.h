/* How recorded data lies in blocks and slots until the encoder turns it into chunks: fixed-size
 * binary records whose texts are in place. Nothing here names memory by address, so that a block
 * means the same to another process. All records and items start at multiples of 8. */
#ifndef FTR_RECORD_H
#define FTR_RECORD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A block, at the start of its memory; records follow. Filled by one thread, read by the encoder.
 */
typedef struct ftr_block {
    uint32_t kind;     /* FTR_BLOCK_... */
    uint32_t run;      /* how many neighbouring blocks it takes */
    uint32_t lane;     /* the lane that fills it */
    uint32_t next;     /* block that follows in its chain, 0: none; under the recorder's lock */
    uint64_t sequence; /* order in which blocks were handed out */
    _Atomic uint32_t committed; /* bytes from the block's start that are complete records */
    uint32_t sealed;            /* nothing more will come; under the recorder's lock */
    uint64_t ticket;            /* when the encoder first read from it; the encoder's own */
    uint64_t reserved[2];
} ftr_block;

enum { FTR_BLOCK_TRANSACTIONS = 1, FTR_BLOCK_DEFINITIONS = 2, FTR_BLOCK_SPILL = 3 };

enum {
    FTR_RECORD_TX = 1,
    FTR_RECORD_RELATION = 2,
    FTR_RECORD_STREAM = 3,
    FTR_RECORD_GENERATOR = 4,
    FTR_RECORD_ATTRIBUTE = 5,
    FTR_RECORD_RELATION_NAME = 6,
    FTR_RECORD_TEXT = 7
};

/* A complete transaction; its items follow. */
typedef struct ftr_record_tx {
    uint32_t size; /* bytes, header included */
    uint32_t kind;
    uint32_t generator;
    uint32_t items;
    uint64_t id;
    uint64_t begin; /* ticks */
    uint64_t end;   /* ticks */
} ftr_record_tx;

typedef struct ftr_record_relation {
    uint32_t size;
    uint32_t kind;
    uint32_t relation;
    uint32_t from_stream;
    uint32_t to_stream;
    uint32_t from_slot; /* as in ftr_tx */
    uint64_t from;
    uint64_t to;
    uint32_t to_slot;
    uint32_t pad;
} ftr_record_relation;

/* A definition; its texts follow, each with a NUL. */
typedef struct ftr_record_definition {
    uint32_t size;
    uint32_t kind;
    uint32_t handle; /* of an attribute: its index in the table */
    uint32_t stream; /* of a generator */
    uint32_t first;  /* of a generator: its first attribute */
    uint32_t count;  /* of a generator: how many; of an attribute: type | class << 8 */
    uint64_t length; /* bytes of the first text */
} ftr_record_definition;

/* One attribute's value. A declared attribute is its index; FTR_ITEM_NAMED has its name behind the
 * item. A text value lies behind that. Both are padded to multiples of 16, so that a copy may
 * move 16 bytes at a time. */
typedef struct ftr_item {
    uint32_t attribute;
    uint8_t type;         /* ftr_type */
    uint8_t form;         /* FTR_FORM_... | class << 4 */
    uint16_t name_length; /* of FTR_ITEM_NAMED */
    uint64_t value;       /* the value's bits; of a text its length; of a defined text its handle */
} ftr_item;

#define FTR_ITEM_NAMED UINT32_MAX

/* What the value of an item is. */
enum {
    FTR_FORM_BOOLEAN = 0,
    FTR_FORM_INTEGER = 1,
    FTR_FORM_NUMBER = 2,
    FTR_FORM_REAL = 3,
    FTR_FORM_TEXT = 4,
    FTR_FORM_DEFINED = 5
};

#define FTR_FORM_MASK 0xf

static inline size_t ftr_record_pad(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static inline uint64_t ftr_item_head(uint32_t attribute, uint8_t type, uint8_t form)
{
    return (uint64_t)attribute | (uint64_t)type << 32 | (uint64_t)form << 40;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "ftr_item_head() builds an ftr_item for little-endian machines"
#endif

#endif
