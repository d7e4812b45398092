/** @file
 *  The part of a recorder that inline functions read and write: definitions, open transactions,
 *  blocks. Internal to the library; the layout changes only with the soname. */
#ifndef FTR_RECORDER_LAYOUT_H
#define FTR_RECORDER_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The first eight bytes of each item of a declared attribute. */
typedef struct ftr_attribute_head {
    uint32_t index; /**< index in the table of all attributes */
    uint8_t type;   /**< ftr_type */
    uint8_t form;   /**< FTR_ITEM_FORM_... */
    uint16_t zero;
} ftr_attribute_head;

/** An attribute declared by its generator. Starts with the members of an ftr_attribute_head. */
typedef struct ftr_declared_attribute {
    uint32_t index;
    uint8_t type;
    uint8_t form;
    uint16_t zero;
    const char *name;
    /** the bytes that precede each value in the file: tag, array head, name and type. Only the
     * encoder uses this member and the following ones */
    uint8_t prefix[8];
    /** above 0: numbers follow a prefix of this length; below 0: texts follow a prefix of the
     * negated length; 0: any other case */
    int32_t program;
    uint8_t class_;
    uint8_t prefix_length; /**< 0: not prepared */
    /** offset, in a table of the encoder, of the most recent text of this attribute */
    uint16_t recent;
} ftr_declared_attribute;

/** The attributes declared by a generator; copied as a whole. */
typedef struct ftr_declared_list {
    const ftr_declared_attribute *at;
    uint32_t count;
    uint32_t first; /**< index of at[0] in the table of all attributes */
} ftr_declared_list;

#define FTR_ENTITY_HEADS 8
/** The size of a type in ftr_entity.types, in bits. */
#define FTR_ENTITY_TYPE_BITS 4
#define FTR_ENTITY_NO_TYPE 15

/** A stream or generator. Streams and generators share one numbering, so that the handle of a
 *  stream cannot be mistaken for the handle of a generator. The handle is the id in the file. */
typedef struct ftr_entity {
    ftr_declared_list attributes;
    uint32_t is_written; /**< the file contains this entity; used only by the encoder */
    /** types of the first attributes, four bits each, the first one in the highest bits: a call
     * with several values compares their types and `kind` at once. FTR_ENTITY_NO_TYPE beyond the
     * last attribute */
    uint32_t types;
    uint32_t kind;   /**< FTR_ENTITY_... */
    uint32_t stream; /**< for a generator: handle of its stream; for a stream: its own handle */
    const char *name;
    const char *stream_kind; /**< NULL for a generator */
    /** for a generator: its id as encoded in the file, with the number of encoded bytes in the
     * highest byte; 0: not prepared. Used only by the encoder. */
    uint64_t number;
    /** for a generator: the generator of its events; 0: not defined. Stored once, after the entity
     * of that generator is complete */
    uint32_t events;
    uint32_t handle; /**< for a generator of a recorder: its own handle */
    /** heads of the first attributes: a call with a constant attribute number checks number and
     * form with one comparison, and copies the head. FTR_ITEM_FORM_NONE beyond the last attribute
     */
    ftr_attribute_head heads[FTR_ENTITY_HEADS];
} ftr_entity;

/** An open transaction. The first four words of the slot will be the first words of its record. */
typedef struct ftr_slot {
    /** FTR_SLOT_FREE: no transaction. A begin stores the id after all other members; an end stores
     * FTR_SLOT_FREE before it changes them. */
    uint64_t id;
    uint64_t begin;    /**< ticks */
    uint32_t fill;     /**< bytes of items; stored last when an item is put */
    uint32_t capacity; /**< capacity of items in bytes, a multiple of 32 */
    uint32_t generator;
    uint32_t flags;           /**< FTR_SLOT_...; not 0: cannot be ended on the fast path */
    const ftr_entity *entity; /**< its generator; valid while the transaction is open */
    /** an attribute that the transaction has only if it does not end: the index of the attribute in
     * the table of all attributes and, in the upper half, its ftr_text; 0: none. 0 in free slots */
    uint64_t if_unfinished;
    uint8_t *items; /**< in the slot or in a spill */
    struct ftr_slot *next_free;
    uint64_t place; /**< ftr_tx.place of the transaction */
    uint32_t handle;
    uint32_t spill; /**< location of the items in the blocks, in KiB; 0: in the slot */
    uint64_t in_place[22];
} ftr_slot;

/** The start of a block of records. */
typedef struct ftr_block_front {
    uint32_t committed; /**< number of bytes, from the start of the block, with complete records */
} ftr_block_front;

/** Recording state of a thread. */
typedef struct ftr_lane_front {
    ftr_slot *free_slot; /**< first of a linked list; NULL: none */
    /** id of the next transaction; enough ids are reserved for the free slots and the rest of the
     * block */
    uint64_t next_id;
    ftr_block_front *block;
    uint64_t block_limit; /**< bytes of the block that records may use; 0: no block */
} ftr_lane_front;

/** The time window, which is the interval of simulated time that is recorded, in ticks; and the
 *  inline calls that are possible while it is set. Changed under the recorder's lock, except the
 *  counters, which only the thread of ftr_recorder_front.lane changes. */
typedef struct ftr_window_front {
    /** transactions that end earlier are not recorded; 0 until the time scale is known */
    uint64_t start;
    uint64_t stop; /**< transactions that begin later are not recorded; UINT64_MAX: no limit */
    /** the thread that may begin transactions inline without a comparison with `stop` */
    uintptr_t beginner;
    /** the thread of `lane`, if the window is the only reason for the slow path; otherwise 0 */
    uintptr_t owner;
    /** transactions that end earlier may be discarded inline: `start`, until the first transaction
     * that began in the window is recorded; then 0 */
    uint64_t discard_before;
    uint64_t first_id; /**< transactions from this id on may be recorded inline */
    uint64_t skipped;  /**< whole transactions that inline calls have not recorded */
    /** number of transactions that inline calls may discard before the next full call; -1: an
     * inline call has counted a transaction, and has left it to the full call */
    int32_t discards_left;
} ftr_window_front;

/** The start of a recorder. */
typedef struct ftr_recorder_front {
    uintptr_t owner; /**< the thread that may use `lane`; 0: none, because a valve is closed */
    uint32_t valve;  /**< FTR_VALVE_...: reasons for the slow path */
    uint32_t entity_count;
    /** upper bits of handles, so that handles of other recorders match no slot */
    uint32_t slot_tag;
    uint32_t relation_count;
    /** FTR_TEXT_PIECES_IN_PAGE if texts may be read in pieces, otherwise 0 */
    uint32_t text_pieces;
    ftr_slot *slots; /**< FTR_SLOTS_MAX slots; all can be read, also unused ones */
    const ftr_entity *entities;
    ftr_lane_front lane;
    ftr_window_front window;
} ftr_recorder_front;

enum { FTR_ENTITY_STREAM = 1, FTR_ENTITY_GENERATOR = 2, FTR_ENTITY_FILTERED = 0x100 };

/** Bits of ftr_recorder_front.valve. The first three end recording permanently. */
enum {
    FTR_VALVE_CLOSED = 1,
    FTR_VALVE_FAILED = 2,
    FTR_VALVE_FORKED = 4,
    FTR_VALVE_DEAD = 7,
    FTR_VALVE_OFF = 8,
    FTR_VALVE_WINDOW = 16
};

/** The kind of an item's value. */
enum {
    FTR_ITEM_FORM_BOOLEAN = 0,
    FTR_ITEM_FORM_INTEGER = 1,
    FTR_ITEM_FORM_NUMBER = 2,
    FTR_ITEM_FORM_REAL = 3,
    FTR_ITEM_FORM_TEXT = 4,
    FTR_ITEM_FORM_DEFINED = 5,
    FTR_ITEM_FORM_BYTES = 6, /**< bytes, which the encoder writes as hexadecimal text */
    FTR_ITEM_FORM_NONE = 15  /**< no attribute */
};

/** A full call is necessary each time inline calls have discarded this number of transactions: the
 * lane then gets new ids. */
#define FTR_DISCARDS_AT_ONCE 1024

#define FTR_SLOT_FREE UINT64_MAX
/** The slot part of a handle without a slot: the transaction was never open, or is not recorded. */
#define FTR_NO_SLOT UINT32_MAX
#define FTR_SLOTS_MAX (UINT32_C(1) << 18)
/** The bits of ftr_tx.place that contain the slot's offset, in bytes. */
#define FTR_SLOT_PLACE UINT32_C(0x3ffff00)
#define FTR_RECORD_HEADER_SIZE ((size_t)40)
#define FTR_ITEM_SIZE ((size_t)16)
#define FTR_RECORD_KIND_RELATION 1
/** The handle of the relation `parent_of`, which each recorder defines first. */
#define FTR_RELATION_PARENT_OF 1
#define FTR_ITEM_NAMED UINT32_MAX
/** Combined with an attribute's index: the item contains values of this attribute and the following
 * ones, one word each. */
#define FTR_ITEM_WORDS UINT32_C(0x80000000)
#define FTR_TEXT_SIZE_MAX ((size_t)1 << 30)

/** Incremented with every change of these structures, or of their meaning, that changes no size. */
#ifndef FTR_RECORDER_REVISION
#define FTR_RECORDER_REVISION 9
#endif
/** Identifies the layout that a program was compiled for: a library with another layout refuses to
 * open a recorder for it (FTR_ERR_LAYOUT). */
#define FTR_RECORDER_LAYOUT                                                             \
    ((uint32_t)(sizeof(ftr_recorder_front) ^ sizeof(ftr_lane_front) << 5 ^              \
                sizeof(ftr_slot) << 10 ^ sizeof(ftr_entity) << 15 ^                     \
                sizeof(ftr_declared_attribute) << 18 ^ sizeof(ftr_block_front) << 21) ^ \
     (uint32_t)FTR_RECORDER_REVISION << 24)

#ifdef __cplusplus
}
#endif

#endif
