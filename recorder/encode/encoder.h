/* Turns records into chunk bodies, and bodies into chunks of the file: a body for every stream with
 * data, one for relations, and the new strings and definitions that must stand before them. */
#ifndef FTR_ENCODER_H
#define FTR_ENCODER_H

#include "chunk_writer.h"
#include "definitions.h"
#include "dictionary.h"
#include "record.h"
#include "pending_relations.h"

/* The most bytes a transaction takes without its items, an item without its text, a relation, and a
 * chunk without its body. */
#define FTR_TX_ROOM 96
#define FTR_ITEM_ROOM 40
#define FTR_RELATION_ROOM ((size_t)6 * FTR_CBOR_HEAD_MAX)
#define FTR_CHUNK_ROOM ((size_t)8 * FTR_CBOR_HEAD_MAX)

/* The chunk of a stream, or of the relations, that is being filled. */
typedef struct ftr_chunk_body {
    ftr_cbor_writer body;
    uint64_t begin; /* ticks: earliest begin, latest end */
    uint64_t end;
    uint64_t ticket;       /* the lowest of the blocks its records came from; UINT64_MAX: empty */
    uint64_t since;        /* ns: when its first record came */
    uint64_t transactions; /* of the stream, in this chunk and before */
    uint64_t framed;       /* of these, how many are in chunks */
    uint32_t stream;       /* 0: relations */
    size_t active_at;      /* unless it is empty: its place in ftr_encoder.active */
} ftr_chunk_body;

/* The relations' body is a row of complete bodies, each of a chunk's size: they wait together. */
typedef struct ftr_relation_parts {
    size_t *ends; /* bytes into the body */
    size_t count;
    size_t capacity;
    size_t full_at; /* the size of the body at which the part that is being filled is complete */
} ftr_relation_parts;

/* How far the encoder has come. */
typedef struct ftr_encoder_extent {
    uint64_t transactions;
    uint32_t strings; /* of this file */
} ftr_encoder_extent;

typedef struct ftr_encoder {
    ftr_definitions *definitions;
    ftr_pending_relations pending_relations; /* its pointers are the caller's to set */
    ftr_floats floats;
    ftr_numbering numbering;
    size_t chunk_size;

    ftr_chunk_writer chunks;
    ftr_dictionary dictionary;
    ftr_cbor_writer strings; /* dictionary entries not yet framed */
    uint64_t string_count;
    ftr_cbor_writer directory;
    uint32_t next_entity;     /* the first stream or generator that was not looked at yet */
    size_t unused_generators; /* bytes that the entries of those before it may still take */
    ftr_range bodies;         /* ftr_chunk_body by stream; 0: relations */
    ftr_relation_parts relation_parts;
    uint32_t *active; /* streams whose body holds something */
    size_t active_count;
    size_t active_capacity;
    size_t idle_memory; /* of bodies that hold nothing */
    uint8_t *scratch;
    size_t scratch_capacity;

    uint64_t ticket; /* of the block that is being read */
    uint64_t now;    /* ns */
    uint64_t latest; /* tick: of all that ended */
    ftr_status status;
    ftr_encoder_extent framed; /* in chunks */
    ftr_encoder_extent sent;   /* in the file */
    uint64_t transactions;
    uint64_t attributes;
    uint64_t relations;
    uint64_t relations_discarded;
    uint64_t strings_written;
    uint64_t repaired_texts;
    uint64_t rounded_floats;
} ftr_encoder;

static inline size_t ftr_encoder_body_count(const ftr_encoder *encoder)
{
    return encoder->bodies.committed / sizeof(ftr_chunk_body);
}

static inline void ftr_encoder_latch(ftr_encoder *encoder, ftr_status status)
{
    if (encoder->status == FTR_OK)
        encoder->status = status;
}

/* The options that matter are read here; the rest of the fields are the caller's to set. */
FTR_MUST_USE ftr_status ftr_encoder_init(ftr_encoder *encoder, ftr_definitions *definitions,
                                         const ftr_recorder_options *options);
void ftr_encoder_release(ftr_encoder *encoder);

/* Goes on where another encoder was: with so many strings, and the definitions that are marked so,
 * written already. */
void ftr_encoder_resume(ftr_encoder *encoder, uint32_t strings);

/* Encodes the records in [from, to). Errors latch in encoder->status. */
void ftr_encoder_take(ftr_encoder *encoder, const uint8_t *from, const uint8_t *to);

/* Puts a relation into its body, of which one part may be complete by then. */
void ftr_encoder_put_relation(ftr_encoder *encoder, const ftr_stored_relation *relation);
void ftr_encoder_end_relation_part(ftr_encoder *encoder, ftr_chunk_body *body);

/* Frame what must stand before the next chunk that uses it: texts, and definitions with them. */
void ftr_encoder_frame_strings(ftr_encoder *encoder);
void ftr_encoder_frame_definitions(ftr_encoder *encoder);

/* Frames a stream's body that has a chunk's size. */
void ftr_encoder_frame_full(ftr_encoder *encoder, ftr_chunk_body *body);

/* Frames what is in the relations' body. */
void ftr_encoder_frame_relations(ftr_encoder *encoder, ftr_chunk_body *body);

/* The file ends: puts the relations that waited and have both ends in it. */
void ftr_encoder_end_relations(ftr_encoder *encoder);

/* Transactions of @p stream so far. */
uint64_t ftr_encoder_count(const ftr_encoder *encoder, uint32_t stream);

/* Encodes one transaction with the extra attribute `unfinished`. */
void ftr_encoder_take_unfinished(ftr_encoder *encoder, const ftr_slot *slot, uint64_t end);

/* Writes out every body whose first record came from a block with a ticket up to @p ticket, or
 * before @p before (ns). UINT64_MAX: all. If the relations are among them, the bodies of all
 * streams go before them. */
void ftr_encoder_flush(ftr_encoder *encoder, uint64_t ticket, uint64_t before);

/* Writes out the streams that were defined and not used. A generator that was not used is not
 * written: Surfer shows two rows for it. */
void ftr_encoder_flush_definitions(ftr_encoder *encoder);

/* Settles the relations that waited, as far as their ends have ended. */
void ftr_encoder_settle_relations(ftr_encoder *encoder);

/* Frames all there is, because the file ends. */
void ftr_encoder_end_file(ftr_encoder *encoder);

/* Goes on in a new file, where nothing is defined yet. Nothing may wait to be framed. */
void ftr_encoder_start_over(ftr_encoder *encoder);

/* At most so many bytes will the file grow by what is not sent yet, definitions included. */
size_t ftr_encoder_waiting(const ftr_encoder *encoder);

/* The same for one definition. */
size_t ftr_encoder_entity_bound(const ftr_entity *entity);

/* At most so many bytes will it grow by a record; of invalid UTF-8 by more. */
size_t ftr_encoder_bound(const ftr_stored_tx *record, const uint8_t *items);

/* The lowest ticket that is still needed; UINT64_MAX: none. */
uint64_t ftr_encoder_oldest_ticket(const ftr_encoder *encoder);

/* Sends what is framed. */
FTR_MUST_USE ftr_status ftr_encoder_send(ftr_encoder *encoder, ftr_failure *failure);

size_t ftr_encoder_memory(const ftr_encoder *encoder);

#endif
