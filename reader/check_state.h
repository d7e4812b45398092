/* The parts of the check of a file, and the state that they share. */
#ifndef FTR_CHECK_STATE_H
#define FTR_CHECK_STATE_H

#include "cbor_reader.h"
#include "id_map.h"
#include "reader_state.h"

/* Counts for Surfer's build for web browsers, in check_web.c. */
typedef struct ftr_check_web {
    /* nonzero if the generator has a transaction; index: index of the generator; NULL: there are no
     * generators, or too little memory */
    uint8_t *used;
    size_t used_count;
    /* `compressed`: number of compressed transaction chunks; `first_compressed`: offset of the
     * first */
    uint64_t compressed;
    uint64_t first_compressed;
    /* number of references from relations to transactions that are not stored before the relation;
     * includes `absent` */
    uint64_t early;
    uint64_t absent; /* number of references from relations to transactions not in the file */
    uint64_t first_relations; /* offset of the first chunk with a reference counted in `early` */
} ftr_check_web;

/* A fact about one chunk that is needed to check other chunks. Threads that read ahead find
 * facts. */
typedef enum ftr_check_fact_kind {
    /* `count` transactions of one stream. id: number of the page with their ids (id_map.h); value:
     * 1 + index of the stream. The fact is followed by their ids, relative to the page. */
    FTR_FACT_TX,
    /* id: dictionary id of an attribute name that is new for the thread; value: its use, as in
     * ftr_check.names */
    FTR_FACT_NAME,
    FTR_FACT_GENERATOR /* id: index of a generator that is new for the thread */
} ftr_check_fact_kind;

typedef struct ftr_check_fact {
    uint32_t kind;
    uint32_t count;
    uint64_t id;
    uint64_t value;
} ftr_check_fact;

/* Maximum number of transactions in one run. */
#define FTR_CHECK_RUN 252u
/* Transactions of one stream whose ids are in one page, before they become a fact. */
typedef struct ftr_check_run {
    uint64_t page;   /* id / FTR_ID_PAGE */
    uint32_t stream; /* 1 + index of the stream; 0: none yet */
    uint32_t count;
    uint16_t offsets[FTR_CHECK_RUN]; /* id % FTR_ID_PAGE */
} ftr_check_run;

/* A generator whose transactions were found in a chunk of its own stream. */
typedef struct ftr_check_generator {
    uint64_t id;
    uint32_t chunk;  /* 1 + index of this chunk; 0: no such chunk was found */
    uint32_t stream; /* index of the stream */
} ftr_check_generator;
#define FTR_CHECK_GENERATORS 16u

#define FTR_CHECK_TEXTS 1024u

typedef struct ftr_check {
    ftr_reader *reader; /* a thread that reads ahead has its own view here */
    /* a thread that reads ahead collects facts here instead of changing `streams`; else NULL */
    ftr_prepared *facts;
    ftr_chunk *chunk;     /* the chunk being checked; NULL: none */
    uint32_t index;       /* index of `chunk` */
    const uint8_t *bytes; /* content of `chunk` */
    size_t size;
    /* Number of consecutive chunks, up to the latest one, that the calling thread checked because
     * the result of another thread could not be used. */
    unsigned rejected_in_a_row;
    uint64_t next_text; /* the dictionary id that is expected next */
    ftr_id_map streams; /* for each transaction id: 1 + index of the stream */
    bool ids_untracked; /* `streams` exceeds the budget: no further ids are stored or checked */
    bool numbering_reported;
    bool times_reported;
    bool names_untracked; /* `names` exceeds the budget, and does not have all names */
    bool names_unused;    /* the uses of a name may differ */
    /* for each attribute name: its first use, packed (name_use in check_transactions.c) */
    ftr_id_index names;
    ftr_check_web web;
    uint64_t time_limit; /* the greatest time that SCViewer can express, in ticks */
    /* index: generator id % FTR_CHECK_GENERATORS */
    ftr_check_generator generators[FTR_CHECK_GENERATORS];
    ftr_check_run run;
    /* texts that were found; index: text id % FTR_CHECK_TEXTS */
    struct {
        uint64_t id;    /* 1 + id of a text; 0: none */
        uint32_t chunk; /* index of the chunk that defines the text */
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

/* Returns the size of the ids that follow a fact, in bytes with padding. */
static inline size_t ftr_check_fact_ids(const ftr_check_fact *fact)
{
    return (fact->count * sizeof(uint16_t) + 7) / 8 * 8;
}

/* Enters the content of a chunk: reads the head of its array, or of the map of a dictionary.
 * Reports an array that is not of indefinite length, and a map that is empty or not of definite
 * length.
 * @return false if the content is empty or not an array or map as required. A content with the
 *         wrong kind of length can be read. */
bool ftr_check_enter_body(ftr_check *check, ftr_cbor_reader *r, uint64_t *count);

/* Reports a finding if text @p id is not defined in an earlier chunk. */
void ftr_check_text(ftr_check *check, uint64_t id, const uint8_t *at);

/* Like ftr_check_text(), but inline for texts that this check has already found. */
static inline void ftr_check_known_text(ftr_check *check, uint64_t id, const uint8_t *at)
{
    const size_t slot = id % FTR_CHECK_TEXTS;
    if (check->texts[slot].id != id + 1 || check->texts[slot].chunk >= check->index)
        ftr_check_text(check, id, at);
}

/* Returns true if one of the items in the @p size bytes at @p bytes, or an item within them, is of
 * indefinite length. */
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

/* Call the first function for each chunk of transactions and the second one for each chunk of
 * relations, in file order. */
void ftr_check_web_transactions(ftr_check *check);
void ftr_check_web_relations(ftr_check *check);

/* Call this function if the generator with index @p generator has a transaction. */
void ftr_check_web_use(ftr_check *check, uint32_t generator);

/* Reports the findings about all chunks. Call this function once at the end. */
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

/* Like ftr_check_ahead_take(), but the calling thread checks the chunk. Reports no finding. */
bool ftr_check_here(ftr_check *check);

#endif
