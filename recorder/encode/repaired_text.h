/* The first text with invalid UTF-8, and the attribute that has this text. The message at close
 * contains both, so that the user finds the place in the program. */
#ifndef FTR_REPAIRED_TEXT_H
#define FTR_REPAIRED_TEXT_H

#include <stdbool.h>

#include "definitions.h"
#include "record.h"

#define FTR_REPAIRED_TEXT_SIZE 48
#define FTR_REPAIRED_NAME_SIZE 128
/* Size, in bytes, that is sufficient for every description. */
#define FTR_REPAIRED_MESSAGE_SIZE ((size_t)1 << 11)

typedef struct ftr_repaired_text {
    size_t length; /* length of the whole text in bytes */
    /* the beginning of the text, before the repair; not terminated */
    char text[FTR_REPAIRED_TEXT_SIZE];
    /* a text was repaired, and its attribute has not yet been searched for in the records */
    bool is_sought;
    bool is_found; /* an attribute has the text: `attribute`, `generator` and `stream` are set */
    /* the beginnings of the names, terminated */
    char attribute[FTR_REPAIRED_NAME_SIZE];
    char generator[FTR_REPAIRED_NAME_SIZE];
    char stream[FTR_REPAIRED_NAME_SIZE];
} ftr_repaired_text;

/* Stores the text, which is the first one that is repaired. */
void ftr_repaired_text_keep(ftr_repaired_text *kept, const uint8_t *text, size_t length);

/* Searches the attributes of a transaction for the kept text. Stops when an attribute with this
 * text is found. */
void ftr_repaired_text_seek(ftr_repaired_text *kept, const ftr_definitions *definitions,
                            const ftr_stored_tx *tx, const uint8_t *items);

/* Describes the kept text and its place: `"bad \ufffd", attribute "text" of generator "say" in
 * stream "top"`. Texts and names are repaired, and cut at the end of @p out. */
void ftr_repaired_text_describe(const ftr_repaired_text *kept, char *out, size_t size);

#endif
