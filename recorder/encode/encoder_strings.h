/* The dictionary entries of a file, which map each text to its id. */
#ifndef FTR_ENCODER_STRINGS_H
#define FTR_ENCODER_STRINGS_H

#include "encoder_state.h"

/* Forgets all recent texts. Must be called before the first use, and when a file begins, because
 * the string ids of a file start at 0. */
void ftr_encoder_reset_recent(ftr_encoder *encoder);

/* Returns the offset in `ftr_encoder.recent` of the recent text of a declared attribute. Several
 * attributes can have the same offset. @param attribute index of the attribute */
static inline uint16_t ftr_recent_text_offset(uint32_t attribute)
{
    return (uint16_t)(attribute % FTR_RECENT_TEXTS * sizeof(ftr_recent_text));
}

static inline ftr_recent_text *ftr_encoder_recent(ftr_encoder *encoder,
                                                  const ftr_declared_attribute *attribute)
{
    uint8_t *recent = (uint8_t *)encoder + attribute->recent;
    __asm__("" : "+r"(recent)); /* makes the compiler use one address for all members */
    return (ftr_recent_text *)(void *)(recent + offsetof(ftr_encoder, recent));
}

/* Returns whether @p recent contains the text at @p text. Reads 16 bytes: a text in a record is
 * padded to a multiple of 16. */
static inline bool ftr_recent_text_is(const ftr_recent_text *recent, const uint8_t *text,
                                      uint64_t length)
{
    uint64_t words[2];
    if (!FTR_LIKELY(length == recent->length))
        return false;
    memcpy(words, text, sizeof words);
    return (((words[0] ^ recent->words[0]) & recent->masks[0]) |
            ((words[1] ^ recent->words[1]) & recent->masks[1])) == 0;
}

/* Stores a text of a record with the encoded id of the text. Does nothing if the text is empty or
 * longer than 16 bytes. @param id_size bytes at @p id, at most 8 */
void ftr_recent_text_set(ftr_recent_text *recent, const uint8_t *text, size_t length,
                         const uint8_t *id, size_t id_size);

/* Returns the id of a text. A text that is new to the dictionary gets an id and a dictionary
 * entry. */
uint32_t ftr_encoder_look_up(ftr_encoder *encoder, const void *text, size_t length);

/* Returns the id of a text. First tries the front cache of the dictionary, which is faster. */
static inline uint32_t ftr_encoder_string(ftr_encoder *encoder, const void *text, size_t length)
{
    uint32_t id;
    if (FTR_LIKELY(ftr_dictionary_try_get(&encoder->dictionary, text, length, &id)))
        return id;
    return ftr_encoder_look_up(encoder, text, length);
}

/* Returns the id of a defined text. Only the first use in a file searches the dictionary. */
static inline uint32_t ftr_encoder_defined(ftr_encoder *encoder, ftr_defined_text *text)
{
    if (!text->has_id) {
        text->id = ftr_encoder_string(encoder, text->text, text->length);
        text->has_id = true;
    }
    return text->id;
}

/* Returns the id of the hexadecimal text of bytes that are not in encoder->recent_bytes, and stores
 * it there. */
uint32_t ftr_encoder_new_bytes(ftr_encoder *encoder, uint64_t bytes, uint32_t count);

static inline ftr_recent_bytes *ftr_encoder_recent_bytes(ftr_encoder *encoder, uint64_t bytes)
{
    return &encoder->recent_bytes[bytes * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

/* Returns the id of the hexadecimal text of @p count bytes, at most 8. The unused bits of @p bytes
 * may have any value. */
FTR_INLINE uint32_t ftr_encoder_bytes(ftr_encoder *encoder, uint64_t bytes, uint32_t count)
{
    const ftr_recent_bytes *recent = ftr_encoder_recent_bytes(encoder, bytes);
    return FTR_LIKELY(recent->bytes == bytes && recent->count == count)
               ? recent->id
               : ftr_encoder_new_bytes(encoder, bytes, count);
}

/* Returns the id of the hexadecimal text of any number of bytes. The memory at @p bytes can be read
 * up to a multiple of 4 bytes. */
uint32_t ftr_encoder_long_bytes(ftr_encoder *encoder, const uint8_t *bytes, size_t count);

#endif
