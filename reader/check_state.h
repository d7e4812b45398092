/* The parts of the check of a file, and the state that they share. */
#ifndef FTR_CHECK_STATE_H
#define FTR_CHECK_STATE_H

#include "cbor_reader.h"
#include "id_map.h"
#include "reader_state.h"

/* Counts for Surfer's build for web browsers, in check_web.c. */
typedef struct ftr_check_web {
    /* nonzero if the generator has a transaction; index: generator number; NULL: out of memory */
    uint8_t *used;
    size_t used_count;
    /* `compressed`: number of compressed transaction chunks; `first_compressed`: offset of the
     * first */
    uint64_t compressed;
    uint64_t first_compressed;
    /* number of relation ends whose transaction is not stored before the relation; includes
     * `absent` */
    uint64_t early;
    uint64_t absent;          /* number of relation ends whose transaction is not in the file */
    uint64_t first_relations; /* offset of the first chunk with a relation of `early` or `absent` */
} ftr_check_web;

/* A fact about one chunk that is needed to check other chunks. Threads that read ahead find
 * facts. */
typedef enum ftr_check_fact_kind {
    /* `count` transactions of one stream. id: the page that contains their ids; value: 1 + index
     * of the stream. Their ids in the page follow the fact. */
    FTR_FACT_TX,
    /* id: id of a name that is new for the thread; value: packed name_use of the name */
    FTR_FACT_NAME,
    FTR_FACT_GENERATOR /* id: index of a generator that is new for the thread */
} ftr_check_fact_kind;

typedef struct ftr_check_fact {
    uint32_t kind;
    uint32_t count;
    uint64_t id;
    uint64_t value;
} ftr_check_fact;

/* Transactions of one stream whose ids are in one page, before they become a fact. */
#define FTR_CHECK_RUN 252u
typedef struct ftr_check_run {
    uint64_t page;
    uint32_t stream; /* 1 + index of the stream; 0: none yet */
    uint32_t count;
    uint16_t offsets[FTR_CHECK_RUN];
} ftr_check_run;

/* A generator that was found in its own stream. */
typedef struct ftr_check_generator {
    uint64_t id;
    uint32_t chunk;  /* 1 + number of the chunk with the transactions; 0: none */
    uint32_t stream; /* index of the stream */
} ftr_check_generator;
#define FTR_CHECK_GENERATORS 16u

#define FTR_CHECK_TEXTS 1024u

typedef struct ftr_check {
    ftr_reader *reader; /* a thread that reads ahead has its own view here */
    /* a thread that reads ahead collects facts here instead of changing `streams`; else NULL */
    ftr_prepared *facts;
    ftr_chunk *chunk; /* the chunk being checked, its number and its content */
    uint32_t index;
    const uint8_t *bytes;
    size_t size;
    /* Number of consecutive chunks, up to the latest one, that the calling thread checked because
     * the result of another thread could not be used. */
    unsigned rejected_in_a_row;
    uint64_t next_text; /* the next dictionary id in ascending order */
    ftr_id_map streams; /* index of the stream + 1, for each transaction id */
    bool ids_untracked; /* the ids exceed the budget and are not tracked */
    bool numbering_reported;
    bool times_reported;
    bool names_untracked; /* not all uses of names are stored */
    ftr_id_index names;   /* packed name_use of the first use, for each attribute name */
    ftr_check_web web;
    uint64_t time_limit; /* the greatest time that SCViewer can express, in ticks */
    /* index: generator id % FTR_CHECK_GENERATORS */
    ftr_check_generator generators[FTR_CHECK_GENERATORS];
    ftr_check_run run;
    struct {
        uint64_t id;    /* 1 + id of a text; 0: none */
        uint32_t chunk; /* number of the chunk that defines the text */
    } texts[FTR_CHECK_TEXTS];
} ftr_check;

/* Reports a finding at the position @p at in the content of the chunk being checked; NULL: the
 * finding concerns the whole chunk. */
__attribute__((format(printf, 4, 5))) void
ftr_check_report(ftr_check *check, ftr_rule rule, const uint8_t *at, const char *format, ...);

/* Adds a fact to the facts of the chunk. */
void ftr_check_add_fact(ftr_check *check, ftr_check_fact fact);

/* Adds the transactions of `run` to the facts of the chunk, and empties `run`. */
void ftr_check_add_run(ftr_check *check);

/* Returns the size of the ids that follow a fact. */
static inline size_t ftr_check_fact_ids(const ftr_check_fact *fact)
{
    return (fact->count * sizeof(uint16_t) + 7) / 8 * 8;
}

/* Enters the body of a chunk. Reports a body that is not an array of indefinite length; the body of
 * a dictionary must be a map of definite length that is not empty.
 * @return false if the body cannot be read: the chunk has no content, or its content is neither an
 *         array nor the map of a dictionary. A body with the wrong kind of length can be read. */
bool ftr_check_enter_body(ftr_check *check, ftr_cbor_reader *r, uint64_t *count);

/* Reports a finding if text @p id is not defined in an earlier chunk. */
void ftr_check_text(ftr_check *check, uint64_t id, const uint8_t *at);

/* Like ftr_check_text(), but inline for texts that were found before. */
static inline void ftr_check_known_text(ftr_check *check, uint64_t id, const uint8_t *at)
{
    const size_t slot = id % FTR_CHECK_TEXTS;
    if (check->texts[slot].id != id + 1 || check->texts[slot].chunk >= check->index)
        ftr_check_text(check, id, at);
}

/* Returns true if an item of @p size bytes contains an item of indefinite length. */
bool ftr_has_indefinite(const uint8_t *bytes, size_t size);

/* ---- definitions (check_definitions.c) ------------------------------------------------------- */

void ftr_check_dictionary(ftr_check *check);
void ftr_check_directory(ftr_check *check);
void ftr_check_stream_names(ftr_check *check);

/* ---- transactions and relations (check_transactions.c) --------------------------------------- */

/* Prepares a check for transactions. Call this function once for each thread. */
void ftr_check_transactions_init(ftr_check *check);
/* Checks a chunk of transactions. @return FTR_OK, also after findings; FTR_ERR_MEMORY */
ftr_status ftr_check_transactions(ftr_check *check);
/* Reports, at @p at, that the ids exceed the budget. No later id is checked. */
void ftr_check_stop_ids(ftr_check *check, const uint8_t *at);
void ftr_check_relations(ftr_check *check);

/* ---- events inside transactions (check_events.c) --------------------------------------------- */

/* Compares all events with their parents. Call this function after the chunks are checked.
 * @return FTR_OK, also after findings; FTR_ERR_MEMORY */
ftr_status ftr_check_events(ftr_check *check);

/* ---- Surfer's build for web browsers (check_web.c) ------------------------------------------- */

void ftr_check_web_init(ftr_check *check);
void ftr_check_web_release(ftr_check *check);

/* Call these functions in file order: for each chunk of transactions, and for each of relations. */
void ftr_check_web_transactions(ftr_check *check);
void ftr_check_web_relations(ftr_check *check);

/* Call this function if the generator with index @p generator has a transaction. */
void ftr_check_web_use(ftr_check *check, uint32_t generator);

/* Reports the findings. */
void ftr_check_web_end(ftr_check *check);

/* ---- chunks on several threads (check_ahead.c) ----------------------------------------------- */

/* Checks of chunks on several threads. For transactions, each thread checks the rules that concern
 * a single chunk, and collects facts for the rules that concern several chunks. Relations are
 * checked when the transactions of all chunks are known. If a chunk has a finding, the calling
 * thread checks this chunk again. */

typedef struct ftr_check_ahead ftr_check_ahead;

/* Starts the threads for the chunks of relations or of transactions. @return NULL: the caller
 * checks all chunks itself */
ftr_check_ahead *ftr_check_ahead_create(ftr_check *check, bool relations);
void ftr_check_ahead_destroy(ftr_check_ahead *ahead);

/* Takes the result for the current chunk. @return false if the caller must check the chunk */
bool ftr_check_ahead_take(ftr_check_ahead *ahead, ftr_check *check);

#endif
