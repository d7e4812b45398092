/* The dictionary entries of a file: maps a text to its id. */
#ifndef FTR_ENCODER_STRINGS_H
#define FTR_ENCODER_STRINGS_H

#include "encoder_state.h"

/* The id of a text that may be new to the dictionary. */
uint32_t ftr_encoder_look_up(ftr_encoder *encoder, const void *text, size_t length);

/* The id of a text. */
static inline uint32_t ftr_encoder_string(ftr_encoder *encoder, const void *text, size_t length)
{
    uint32_t id;
    if (FTR_LIKELY(ftr_dictionary_try_get(&encoder->dictionary, text, length, &id)))
        return id;
    return ftr_encoder_look_up(encoder, text, length);
}

/* The id of a text that is defined once and used often. */
static inline uint32_t ftr_encoder_defined(ftr_encoder *encoder, ftr_defined_text *text)
{
    if (!text->has_id) {
        text->id = ftr_encoder_string(encoder, text->text, text->length);
        text->has_id = true;
    }
    return text->id;
}

#endif
