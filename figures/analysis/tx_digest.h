/* Digests of transactions. A digest consists of two 64-bit hashes: one hash of the identity, and
 * one of the other content. */
#ifndef FTR_TX_DIGEST_H
#define FTR_TX_DIGEST_H

#include <ftr/reader.h>

/* Lists of patterns (name_glob.h), one for each occurrence of an option. */
typedef struct ftr_pattern_lists {
    const char *const *list;
    size_t count;
} ftr_pattern_lists;

/* Selects the compared attributes. `{0}`: all attributes are compared, and attributes of class
 * begin form the identity. */
typedef struct ftr_digest_rules {
    ftr_pattern_lists ignored; /* names of attributes that are not compared */
    ftr_pattern_lists only;    /* if not empty: only attributes with these names are compared */
    ftr_pattern_lists key;     /* if not empty: attributes with these names form the identity */
    bool inexact_times;        /* attributes of type TIME are not part of the identity */
    bool without_times;        /* attributes of type TIME are not compared */
} ftr_digest_rules;

/* Returns true if an attribute is compared. Numbers of payloads (`payload_id`, `trans.id`) are
 * compared only if `only` or `key` has a pattern for them. */
bool ftr_digest_counts(const ftr_digest_rules *rules, ftr_view attribute);

/* Patterns that matched an attribute. Bit n: pattern number n of the list, for the first 64
 * patterns. */
typedef struct ftr_digest_matches {
    uint64_t ignored, only, key;
} ftr_digest_matches;

typedef struct ftr_tx_digest {
    uint64_t identity; /* hash of generator and identifying attributes */
    uint64_t content;  /* hash of the other compared attributes */
} ftr_tx_digest;

/* Computes digests for one file. Caches the hashes of names and texts; index: id modulo the size of
 * the cache. */
#define FTR_DIGEST_NAMES 1024
#define FTR_DIGEST_TEXTS 4096
typedef struct ftr_digester {
    const ftr_digest_rules *rules;
    ftr_digest_matches matches;
    ftr_reader *reader;
    uint64_t factor; /* common ticks per tick of the file */
    struct {
        uint64_t id; /* dictionary id + 1; 0: free */
        uint64_t hash;
        bool counts, is_key;
    } names[FTR_DIGEST_NAMES];
    struct {
        uint64_t id; /* dictionary id + 1; 0: free */
        uint64_t hash;
    } texts[FTR_DIGEST_TEXTS];
} ftr_digester;

uint64_t ftr_hash_bytes(const char *bytes, size_t size);

/* Digests @p tx. @p generator: hash of the name of its generator. The result does not depend on the
 * order of attributes. Rewinds the transaction. */
ftr_tx_digest ftr_digest_tx(ftr_digester *digester, ftr_transaction *tx, uint64_t generator);

/* Returns true if two attributes of the same name have equal values; times may differ by @p
 * tolerance common ticks. */
bool ftr_is_same_value(const ftr_attribute_value *a, uint64_t factor_a,
                       const ftr_attribute_value *b, uint64_t factor_b, uint64_t tolerance);

#endif
