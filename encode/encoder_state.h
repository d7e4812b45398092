/* The state shared by the source files of the encoder: chunk bodies by stream, and the definitions
 * and strings that must precede them. */
#ifndef FTR_ENCODER_STATE_H
#define FTR_ENCODER_STATE_H

#include "chunk_writer.h"
#include "definitions.h"
#include "dictionary.h"
#include "pending_relations.h"
#include "record.h"
#include "run_observer.h"

/* Maximum sizes in bytes: of a transaction without its items, an item without its text, a relation,
 * and a chunk without its body. */
#define FTR_TX_ROOM 96
#define FTR_ITEM_ROOM 40
#define FTR_RELATION_ROOM ((size_t)6 * FTR_CBOR_HEAD_MAX)
#define FTR_CHUNK_ROOM ((size_t)8 * FTR_CBOR_HEAD_MAX)

/* The chunk of a stream, or of the relations, that is being filled. */
typedef struct ftr_chunk_body {
    ftr_cbor_writer body;
    uint64_t begin; /* ticks: earliest begin and latest end */
    uint64_t end;
    uint64_t ticket;       /* lowest ticket of the blocks of its records; UINT64_MAX: empty */
    uint64_t since;        /* ns: when its first record was encoded */
    uint64_t transactions; /* of the stream, in this chunk and in earlier ones */
    uint64_t framed;       /* of `transactions`, number in framed chunks */
    uint32_t stream;       /* 0: relations */
    size_t active_at;      /* index in ftr_encoder.active; valid unless the body is empty */
    uint64_t unused[2]; /* pads the size to a power of two, so that bodies are found by a shift */
} ftr_chunk_body;

/* The last short text of an attribute, with its id as it is written into the file. */
typedef struct ftr_recent_text {
    uint64_t words[2];
    uint64_t masks[2]; /* ones for each byte of the text */
    uint8_t id[8];
    uint64_t id_size;
    uint64_t length;    /* UINT64_MAX: none */
    uint64_t item_size; /* size of an item with this text */
} ftr_recent_text;

#define FTR_RECENT_TEXTS 64

/* The relation body is a sequence of complete bodies, each with the size of a chunk, which are
 * framed together. */
typedef struct ftr_relation_parts {
    size_t *ends; /* offsets in the body */
    size_t count;
    size_t capacity;
    size_t full_at; /* size of the body at which the current part is complete */
} ftr_relation_parts;

/* Position of the encoder in the file. */
typedef struct ftr_encoder_extent {
    uint64_t transactions;
    uint32_t strings; /* in this file */
    uint64_t unheld_relations;
} ftr_encoder_extent;

typedef struct ftr_encoder {
    /* Copy of ftr_cbor_head_forms; here it needs no address of its own. */
    uint32_t head_forms[64];
    ftr_definitions *definitions;
    ftr_pending_relations pending_relations; /* the caller sets its pointers */
    ftr_floats floats;
    ftr_numbering numbering;
    size_t chunk_size;
    ftr_run_observer *observer; /* set by the caller; NULL: none */

    ftr_chunk_writer chunks;
    ftr_dictionary dictionary;
    ftr_recent_text recent[FTR_RECENT_TEXTS]; /* by declared attribute */
    ftr_cbor_writer strings;                  /* dictionary entries not yet framed */
    uint64_t string_count;
    ftr_cbor_writer directory;
    /* the first stream or generator that take_definitions() has not processed yet */
    uint32_t next_entity;
    /* maximum size of the entries of the unused generators before `next_entity` */
    size_t unused_generators;
    ftr_range bodies;  /* ftr_chunk_body by stream; 0: relations */
    size_t body_count; /* initialised bodies */
    ftr_relation_parts relation_parts;
    uint32_t *active; /* streams with a body that is not empty */
    size_t active_count;
    size_t active_capacity;
    size_t idle_memory; /* of empty bodies */
    uint8_t *scratch;
    size_t scratch_capacity;

    uint64_t ticket; /* of the block that is being read */
    uint64_t now;    /* ns */
    uint64_t latest; /* tick: latest end of all transactions */
    ftr_status status;
    ftr_encoder_extent framed; /* position after the framed chunks */
    ftr_encoder_extent sent;   /* position after the chunks in the file */
    uint64_t framed_begin;     /* tick: earliest begin in framed chunks that are not sent */
    uint64_t transactions;
    uint64_t relations;
    uint64_t attributes; /* not beside `transactions`: compilers would add both as a vector */
    uint64_t relations_discarded;
    uint64_t unheld_relations; /* of `relations`, number from released blocks */
    uint64_t strings_written;
    uint64_t repaired_texts;
    uint64_t rounded_floats;
} ftr_encoder;

static inline void ftr_encoder_latch(ftr_encoder *encoder, ftr_status status)
{
    if (encoder->status == FTR_OK)
        encoder->status = status;
}

#endif
