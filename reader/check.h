/* Checking a file against all rules: what the files that each check a part share. */
#ifndef FTR_CHECK_H
#define FTR_CHECK_H

#include "cbor_reader.h"
#include "check_web.h"
#include "id_map.h"
#include "reader_state.h"

/* The type and class an attribute name had first. */
typedef struct ftr_name_use {
    uint64_t name; /* dictionary id */
    uint8_t type;
    uint8_t tag; /* 0: the slot is free */
    bool said;
} ftr_name_use;

struct ftr_check {
    ftr_reader *reader;
    ftr_chunk *chunk; /* the one being checked, and its number and content */
    uint32_t index;
    const uint8_t *bytes;
    size_t size;
    uint64_t next_text; /* the dictionary id that comes next */
    ftr_id_map streams; /* of transactions: index of the stream + 1 */
    bool ids_given_up;  /* the budget does not hold them all */
    bool numbering_said;
    bool times_said;
    ftr_name_use *names; /* open addressing */
    size_t name_count, name_capacity;
    ftr_check_web web;
};

/* Reports at @p at, a place in the content of the chunk being checked; NULL: at the chunk. */
__attribute__((format(printf, 4, 5))) void
ftr_check_say(ftr_check *check, ftr_rule rule, const uint8_t *at, const char *format, ...);

/* Enters the body of a chunk, which should be one indefinite array (a definite map) and all. */
bool ftr_check_enter_body(ftr_check *check, ftr_cbor_reader *r, uint64_t *count);

/* Whether text @p id is defined in a chunk before this one; says so if not. */
void ftr_check_text(ftr_check *check, uint64_t id, const uint8_t *at);

/* Whether an item of @p size bytes has something of indefinite length in it. */
bool ftr_has_indefinite(const uint8_t *bytes, size_t size);

void ftr_check_dictionary(ftr_check *check);
void ftr_check_directory(ftr_check *check);
void ftr_check_stream_names(ftr_check *check);
ftr_status ftr_check_transactions(ftr_check *check);
void ftr_check_relations(ftr_check *check);

#endif
