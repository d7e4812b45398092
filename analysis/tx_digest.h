/* Transactions as two 64-bit hashes each: what identifies one, and the rest of what it says. */
#ifndef FTR_TX_DIGEST_H
#define FTR_TX_DIGEST_H

#include <ftr/reader.h>

/* Lists of patterns (name_glob.h), one for each time an option was given. */
typedef struct ftr_pattern_lists {
    const char *const *list;
    size_t count;
} ftr_pattern_lists;

bool ftr_pattern_lists_match(const ftr_pattern_lists *patterns, ftr_view name);

/* Which attributes count. Zero-initialised: all of them, those of class begin identify. */
typedef struct ftr_digest_rules {
    ftr_pattern_lists ignored; /* names of attributes that do not count */
    ftr_pattern_lists only;    /* not empty: no others count */
    ftr_pattern_lists key;     /* not empty: these identify a transaction */
    bool inexact_times;        /* attributes of type TIME do not identify */
    bool without_times;        /* attributes of type TIME do not count */
} ftr_digest_rules;

bool ftr_digest_counts(const ftr_digest_rules *rules, ftr_view attribute);

/* Which of the lists matched some attribute: a bit each, of the first 64. */
typedef struct ftr_digest_matches {
    uint64_t ignored, only, key;
} ftr_digest_matches;

typedef struct ftr_tx_digest {
    uint64_t identity; /* generator and identifying attributes */
    uint64_t content;  /* the other attributes */
} ftr_tx_digest;

/* Hashes of names and texts by their ids in one file. */
#define FTR_DIGEST_NAMES 1024
#define FTR_DIGEST_TEXTS 4096
typedef struct ftr_digester {
    const ftr_digest_rules *rules;
    ftr_digest_matches matches;
    ftr_reader *reader;
    uint64_t factor; /* common ticks in a tick of the file */
    struct {
        uint64_t id; /* + 1; 0: free */
        uint64_t hash;
        bool counts, is_key;
    } names[FTR_DIGEST_NAMES];
    struct {
        uint64_t id; /* + 1 */
        uint64_t hash;
    } texts[FTR_DIGEST_TEXTS];
} ftr_digester;

uint64_t ftr_hash_bytes(const char *bytes, size_t size);

/* Digests @p tx, of the generator whose name has the hash @p generator. The order of attributes
 * does not matter. Rewinds the transaction. */
ftr_tx_digest ftr_digest_tx(ftr_digester *digester, ftr_transaction *tx, uint64_t generator);

/* Whether two attributes of the same name have equal values; times may be @p tolerance common
 * ticks apart. */
bool ftr_is_same_value(const ftr_attribute_value *a, uint64_t factor_a,
                       const ftr_attribute_value *b, uint64_t factor_b, uint64_t tolerance);

#endif
