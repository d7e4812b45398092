/** @file
 *  The objects that a reader of FTR files returns: streams, generators, chunks, transactions with
 *  their attributes, and relations. Texts are views: a pointer and a size, not NUL-terminated, in
 *  UTF-8 unless the file violates this rule. Times are ticks of the file's time scale. */
#ifndef FTR_READER_OBJECTS_H
#define FTR_READER_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/file_info.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Text in memory of the reader; data is NULL if the file does not define the text. */
typedef struct ftr_view {
    const char *data;
    size_t size; /**< bytes */
} ftr_view;

/** A stream; valid until the reader is closed; changes only when more of the file is read. */
typedef struct ftr_stream_info {
    uint64_t id;
    ftr_view name; /**< "#ID" if the file uses the stream without defining it */
    ftr_view kind;
    bool defined;
    uint32_t index;  /**< its number in this reader: 0, 1, ... */
    uint64_t chunks; /**< number of its transaction chunks */
    uint64_t bytes;  /**< size of its transaction chunks in the file */
    uint64_t bytes_expanded;
    uint64_t first_time; /**< least start of its chunks; UINT64_MAX if it has none */
    uint64_t last_time;
} ftr_stream_info;

/** A generator; valid until the reader is closed. */
typedef struct ftr_generator_info {
    uint64_t id; /**< UINT64_MAX: stands for all undefined generators of its stream */
    ftr_view name;
    const ftr_stream_info *stream;
    bool defined;
    uint32_t index; /**< its number in this reader: 0, 1, ... */
} ftr_generator_info;

/** A chunk in its stored form. */
typedef struct ftr_chunk_info {
    ftr_chunk_kind kind;
    bool compressed;
    uint64_t offset;               /**< offset in the file */
    uint64_t size;                 /**< size in the file, including the frame */
    uint64_t bytes_expanded;       /**< size of its expanded content, according to the frame */
    const ftr_stream_info *stream; /**< for transactions: their stream; otherwise NULL */
    uint64_t start, end;           /**< for transactions: the time range in the frame */
} ftr_chunk_info;

/** A transaction, valid until its cursor moves or is closed. */
typedef struct ftr_transaction {
    uint64_t id;
    uint64_t begin;
    uint64_t end;
    /** the stream of the generator; if the generator is undefined, the stream of the chunk */
    const ftr_stream_info *stream;
    const ftr_generator_info *generator; /**< never NULL */
    uint64_t generator_id;               /**< as stored in the file */
    uint64_t chunk_offset;               /**< offset of its chunk in the file */
    uint64_t chunk_within;               /**< offset in the chunk's expanded content */
    /** Only for ftr_reader_next_attribute(). */
    struct {
        const uint8_t *first, *next, *last;
        uint64_t within;
    } attributes;
} ftr_transaction;

/** The form of an attribute's value, which determines the valid member of
 * ftr_attribute_value.as. */
typedef enum ftr_form {
    FTR_FORM_NONE, /**< no value */
    FTR_FORM_BOOLEAN,
    FTR_FORM_INTEGER, /**< a negative integer */
    FTR_FORM_NUMBER,  /**< a non-negative integer */
    FTR_FORM_REAL,
    FTR_FORM_TEXT
} ftr_form;

/** The type of an attribute without a value; it exists only in FTR_NUMBERING_SPEC. */
#define FTR_TYPE_NONE ((ftr_type)12)

/** A decoded attribute. Its texts are valid until any cursor of the reader moves. */
typedef struct ftr_attribute_value {
    ftr_view name;
    ftr_attribute_class class_;
    ftr_type type; /**< independent of the file's numbering */
    ftr_form form;
    uint8_t real_size; /**< bytes of a stored float: 2, 4 or 8 */
    union {
        bool boolean;
        int64_t integer;
        uint64_t number;
        double real;
        ftr_view text; /**< `data` is NULL if the file has no text with this id */
    } as;
    uint64_t name_id;
    uint64_t text_id; /**< only for FTR_FORM_TEXT */
    uint32_t size;    /**< bytes in the expanded chunk, without the texts */
} ftr_attribute_value;

/** A relation; its name is valid until any cursor of the reader moves. */
typedef struct ftr_relation_info {
    ftr_view name;
    uint64_t from_tx, to_tx;
    bool has_streams; /**< false: the relation is stored without streams, with three elements */
    uint64_t from_stream, to_stream;
    uint64_t chunk_offset; /**< offset in the file */
    uint64_t chunk_within; /**< offset in the chunk's expanded content */
} ftr_relation_info;

#ifdef __cplusplus
}
#endif

#endif
