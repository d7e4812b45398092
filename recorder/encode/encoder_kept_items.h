/* The kept items: for each combination of the head of the first item and the size of all items, the
 * items that were encoded last, with their encoded bytes. */
#ifndef FTR_ENCODER_KEPT_ITEMS_H
#define FTR_ENCODER_KEPT_ITEMS_H

#include <string.h>

#include "encoder_state.h"

/* Bytes are copied in steps of this size. */
#define FTR_COPY_STEP 32u
/* Maximum number of kept words (8 bytes each), including the heads of the items. Further items are
 * not kept. */
#define FTR_KEPT_WORDS_MAX 24u
/* Maximum size of an attribute with prepared bytes. */
#define FTR_KEPT_WORD_SIZE (sizeof(((ftr_declared_attribute *)NULL)->prefix) + FTR_CBOR_HEAD_MAX)

/* The use of a word of the items, and the place of its encoded value. */
typedef struct ftr_word_place {
    uint16_t at;  /* offset of the value in the encoded bytes */
    uint8_t size; /* size of the value in bytes */
    uint8_t form; /* form of the value: FTR_ITEM_FORM_..., or one of the values below */
} ftr_word_place;

enum {
    FTR_WORD_NO_VALUE = 16, /* the head of an item */
    FTR_WORD_IGNORED = 17,  /* padding */
    FTR_WORD_BYTES = 24     /* plus a number of bytes, 1 to 8 */
};

struct ftr_recent_items {
    uint64_t head;       /* the head of the first item; 0: none */
    uint32_t items_size; /* bytes from the first item to the end of the transaction */
    uint32_t words_size; /* bytes of the items that are kept; 0: no items are kept yet */
    uint32_t size;       /* number of encoded bytes */
    uint32_t count;      /* number of attributes */
    bool is_refused;     /* these items cannot be kept */
    const ftr_declared_attribute *expected; /* the attribute that is expected after these items */
    uint64_t words[FTR_KEPT_WORDS_MAX];
    ftr_word_place places[FTR_KEPT_WORDS_MAX];
    uint8_t bytes[FTR_KEPT_WORDS_MAX * FTR_KEPT_WORD_SIZE + FTR_COPY_STEP];
};

static inline uint64_t ftr_load_word(const uint8_t *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

static inline bool ftr_is_equal_pair(const uint64_t *words, const uint8_t *from)
{
    return ((words[0] ^ ftr_load_word(from)) | (words[1] ^ ftr_load_word(from + sizeof *words))) ==
           0;
}

static inline void ftr_copy_steps(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t at = 0; at < size; at += FTR_COPY_STEP) {
        memcpy(to + at, from + at, FTR_COPY_STEP);
        __asm__("" : "+r"(to)); /* no call of memcpy() */
    }
}

#endif
