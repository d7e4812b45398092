/* Checks a file against all rules: declarations shared by the check_*.c files. */
#ifndef FTR_CHECK_H
#define FTR_CHECK_H

#include "cbor_reader.h"
#include "check_web.h"
#include "id_map.h"
#include "reader_state.h"

/* The type and class of an attribute name at its first use. */
typedef struct ftr_name_use {
    uint64_t name; /* dictionary id */
    uint8_t type;
    uint8_t tag; /* 0: the slot is free */
    bool reported;
} ftr_name_use;

struct ftr_check {
    ftr_reader *reader;
    ftr_chunk *chunk; /* the chunk being checked, its number and its content */
    uint32_t index;
    const uint8_t *bytes;
    size_t size;
    uint64_t next_text; /* the next dictionary id in ascending order */
    ftr_id_map streams; /* for transactions: index of the stream + 1 */
    bool ids_given_up;  /* the ids exceed the budget and are not tracked */
    bool numbering_reported;
    bool times_reported;
    ftr_name_use *names; /* a hash table with open addressing */
    size_t name_count, name_capacity;
    ftr_check_web web;
};

/* Reports a finding at @p at, a position in the content of the chunk being checked; NULL: at the
 * chunk. */
__attribute__((format(printf, 4, 5))) void
ftr_check_report(ftr_check *check, ftr_rule rule, const uint8_t *at, const char *format, ...);

/* Enters the body of a chunk and checks that it is a single indefinite array (or definite map) that
 * fills the chunk. */
bool ftr_check_enter_body(ftr_check *check, ftr_cbor_reader *r, uint64_t *count);

/* Reports a finding if text @p id is not defined in an earlier chunk. */
void ftr_check_text(ftr_check *check, uint64_t id, const uint8_t *at);

/* Returns true if an item of @p size bytes contains an item of indefinite length. */
bool ftr_has_indefinite(const uint8_t *bytes, size_t size);

void ftr_check_dictionary(ftr_check *check);
void ftr_check_directory(ftr_check *check);
void ftr_check_stream_names(ftr_check *check);
ftr_status ftr_check_transactions(ftr_check *check);
void ftr_check_relations(ftr_check *check);

#endif
