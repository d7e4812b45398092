/* The state shared by the source files of the encoder: the body of each stream, and the definitions
 * and strings that must precede these bodies in the file. */
#ifndef FTR_ENCODER_STATE_H
#define FTR_ENCODER_STATE_H

#include "chunk_writer.h"
#include "definitions.h"
#include "dictionary.h"
#include "held_tickets.h"
#include "pending_relations.h"
#include "record.h"
#include "repaired_text.h"
#include "run_observer.h"

/* Maximum sizes of encoded data in bytes: a transaction without its items, an item without its
 * text, a relation, a chunk without its body. */
#define FTR_TX_ROOM 96
#define FTR_ITEM_ROOM 40
#define FTR_RELATION_ROOM ((size_t)6 * FTR_CBOR_HEAD_MAX)
#define FTR_CHUNK_ROOM ((size_t)8 * FTR_CBOR_HEAD_MAX)

/* The body of a stream, or of the relations, that is being filled. */
typedef struct ftr_chunk_body {
    ftr_cbor_writer body;
    uint64_t begin; /* ticks: earliest begin and latest end of the transactions in this body */
    uint64_t end;
    /* lowest ticket of the blocks from which the records of this body were read; UINT64_MAX: the
     * body is empty */
    uint64_t ticket;
    uint64_t since; /* ns: time at which the first record of this body was encoded */
    /* number of transactions of the stream so far: in this body and in framed chunks */
    uint64_t transactions;
    uint64_t framed; /* number of transactions of the stream in framed chunks */
    uint32_t stream; /* 0: relations */
    /* the neighbours in the list of the bodies with data; FTR_NO_BODY: none; invalid if the body is
     * empty */
    uint32_t next;
    uint32_t previous;
    uint32_t unused;
    /* lowest and highest id of the transactions in this body */
    uint64_t first_id, last_id;
} ftr_chunk_body;

_Static_assert(sizeof(ftr_chunk_body) == 128, "the address of a body needs only a shift");

#define FTR_NO_BODY UINT32_MAX

/* The last short text (up to 16 bytes) of an attribute, with the encoded id of the text. */
typedef struct ftr_recent_text {
    uint64_t words[2];
    uint64_t masks[2]; /* 0xff for each byte of the text, 0 for the others */
    uint8_t id[8];
    uint64_t id_size;
    uint64_t length;    /* length of the text; UINT64_MAX: no text is stored */
    uint64_t item_size; /* bytes of an item with this text in a record */
} ftr_recent_text;

#define FTR_RECENT_TEXTS 64

/* Up to 8 bytes that were written as hexadecimal text, and the id of the text. */
typedef struct ftr_recent_bytes {
    uint64_t bytes;
    uint32_t id;
    uint32_t count; /* 0: none */
} ftr_recent_bytes;

#define FTR_RECENT_BYTES 64

/* The items that were encoded last, with their encoded bytes (encoder_kept_items.h). */
typedef struct ftr_recent_items ftr_recent_items;

/* The position behind the items of a transaction that were encoded by one call. */
typedef struct ftr_items_end {
    const uint8_t *at;                      /* the next item */
    const ftr_declared_attribute *expected; /* the attribute that is expected next */
    size_t count;                           /* number of attributes before the position */
} ftr_items_end;

/* The relation body is a sequence of complete bodies, each with the size of a chunk, which are
 * framed together. */
typedef struct ftr_relation_part {
    size_t end;       /* the offset in the body at which the part ends */
    ftr_id_cover ids; /* of the transactions of its relations */
} ftr_relation_part;

typedef struct ftr_relation_parts {
    ftr_relation_part *complete;
    size_t count;
    size_t capacity;
    size_t full_at;   /* size of the body at which the current part is complete */
    ftr_id_cover ids; /* of the current part */
} ftr_relation_parts;

/* A position in the output: the number of elements before it. */
typedef struct ftr_encoder_extent {
    uint64_t transactions;
    uint32_t strings; /* number of strings in this file */
    uint64_t unheld_relations;
} ftr_encoder_extent;

typedef struct ftr_encoder {
    /* Copy of ftr_cbor_head_forms, so that the encoder reaches the table without a further
     * pointer. */
    uint32_t head_forms[64];
    ftr_definitions *definitions;
    ftr_pending_relations pending_relations; /* the caller sets the pointers of this structure */
    ftr_floats floats;
    ftr_numbering numbering;
    size_t chunk_size;
    ftr_run_observer *observer; /* set by the caller; NULL: there is no observer */
    /* There is no trace: transactions are only counted and passed to the observer. */
    bool lacks_trace;

    ftr_chunk_writer chunks;
    ftr_dictionary dictionary;
    ftr_recent_text recent[FTR_RECENT_TEXTS];        /* see ftr_recent_text_offset() */
    ftr_recent_bytes recent_bytes[FTR_RECENT_BYTES]; /* index: a hash of the bytes */
    ftr_recent_items *recent_items;                  /* allocated for the first row of words */
    ftr_items_end items_end;                         /* set by ftr_encoder_item_at() */
    ftr_cbor_writer strings;                         /* dictionary entries not yet framed */
    uint64_t string_count;
    ftr_cbor_writer directory;
    /* handle of the first stream or generator that put_definitions() has not processed yet */
    uint32_t next_entity;
    /* maximum bytes of the directory entries of unused generators with handles below
     * `next_entity` */
    size_t unused_generators;
    ftr_range bodies;  /* array of ftr_chunk_body; index: stream number; 0: relations */
    size_t body_count; /* number of initialised bodies */
    ftr_relation_parts relation_parts;
    /* The list of the bodies with data, in the order of their first records: numbers of the first
     * and of the last body. FTR_NO_BODY: the list is empty. */
    uint32_t first_active;
    uint32_t last_active;
    size_t active_count;
    ftr_held_tickets held_tickets; /* of the bodies with data */
    /* bytes of the transactions in all bodies; undefined if the ids in the file are not kept from
     * the first transaction on */
    uint64_t unframed_size;
    size_t idle_memory; /* bytes of memory of all empty bodies */
    uint8_t *scratch;
    size_t scratch_capacity;
    uint8_t *open_items; /* see ftr_encoder_put_open() */
    size_t open_items_capacity;

    uint64_t ticket; /* ticket of the block that is being read */
    uint64_t now;    /* ns */
    uint64_t latest; /* tick: latest end of all encoded transactions */
    ftr_status status;
    ftr_encoder_extent framed; /* the position after the framed chunks */
    ftr_encoder_extent sent;   /* the position after the chunks in the file */
    /* tick: earliest begin in chunks that are framed but not sent, or that could not be framed
     * because of an error; UINT64_MAX: there are none */
    uint64_t unsent_begin;
    uint64_t transactions;
    uint64_t relations;
    /* Not beside `transactions`: compilers would combine the two additions into one vector
     * addition. */
    uint64_t attributes;
    uint64_t relations_discarded;
    /* number of encoded relations from blocks that were released before */
    uint64_t unheld_relations;
    uint64_t strings_written;
    uint64_t repaired_texts;
    uint64_t rounded_floats;
    ftr_repaired_text first_repaired; /* set if `repaired_texts` is not 0 */
} ftr_encoder;

/* Returns a body with data, or NULL for FTR_NO_BODY. */
static inline ftr_chunk_body *ftr_encoder_active_body(const ftr_encoder *encoder, uint32_t number)
{
    return number != FTR_NO_BODY ? (ftr_chunk_body *)encoder->bodies.base + number : NULL;
}

static inline void ftr_encoder_latch(ftr_encoder *encoder, ftr_status status)
{
    if (encoder->status == FTR_OK)
        encoder->status = status;
}

#endif
