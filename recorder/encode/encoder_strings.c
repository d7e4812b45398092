/* Assigns ids to texts and collects the dictionary entries of new texts. Repairs invalid UTF-8.
 * Knows how bytes are written as hexadecimal text. */
#include "encoder_strings.h"

#include <string.h>

#include "encoder_bodies.h"
#include "growing_array.h"
#include "utf8.h"

static const uint8_t *repaired(ftr_encoder *encoder, const uint8_t *text, size_t *length)
{
    if (!ftr_array_fit(&encoder->scratch, &encoder->scratch_capacity, *length * 3, 1)) {
        ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
        *length = 0;
        return text;
    }
    const size_t original = *length;
    *length = ftr_utf8_repair(text, original, encoder->scratch);
    if (encoder->repaired_texts++ == 0)
        ftr_repaired_text_keep(&encoder->first_repaired, text, original);
    return encoder->scratch;
}

/* Returns the place of a dictionary entry with a text of @p length bytes. NULL: no memory */
static inline uint8_t *begin_entry(ftr_encoder *encoder, size_t length)
{
    ftr_cbor_writer *const strings = &encoder->strings;
    const size_t size = length + (size_t)2 * FTR_CBOR_HEAD_MAX;
    /* A long text begins a chunk of its own if the chunk would become too large for the viewer
     * impulse. */
    if (encoder->chunk_size < FTR_CHUNK_BYTES_MAX &&
        ftr_cbor_writer_size(strings) + size > FTR_CHUNK_BYTES_MAX)
        ftr_encoder_frame_strings(encoder);
    /* before the first entry, room for the head of the map */
    const size_t gap = encoder->string_count == 0 ? FTR_CBOR_HEAD_MAX : 0;
    uint8_t *const p = ftr_cbor_reserve(strings, gap + size);
    if (p == NULL) {
        ftr_encoder_latch(encoder, strings->status);
        return NULL;
    }
    return p + gap;
}

static inline void end_entry(ftr_encoder *encoder, uint8_t *end)
{
    ftr_cbor_advance(&encoder->strings, end);
    encoder->string_count++;
    encoder->strings_written++;
    if (ftr_cbor_writer_size(&encoder->strings) >= encoder->chunk_size)
        ftr_encoder_frame_strings(encoder);
}

static void put_string(ftr_encoder *encoder, uint32_t id, const uint8_t *text, size_t length)
{
    if (!ftr_utf8_is_valid(text, length))
        text = repaired(encoder, text, &length);
    uint8_t *p = begin_entry(encoder, length);
    if (p == NULL)
        return;
    p = ftr_cbor_uint_at(p, id);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TEXT, length);
    if (length > 0)
        memcpy(p, text, length);
    end_entry(encoder, p + length);
}

/* Writes the hexadecimal digits of four bytes, the first byte of which is in the lowest bits. */
static inline void digits_at(uint8_t *to, uint32_t bytes)
{
    const uint64_t low_nibbles = UINT64_C(0x000f000f000f000f);
    uint64_t digits = bytes;
    digits = (digits | digits << 16) & UINT64_C(0x0000ffff0000ffff);
    digits = (digits | digits << 8) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits >> 4 & low_nibbles) | (digits & low_nibbles) << 8;
    /* each byte: 1 if its digit is a letter (a to f), else 0 */
    const uint64_t letters =
        (digits + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
    digits += UINT64_C(0x3030303030303030) + letters * ('a' - '0' - 10);
    memcpy(to, &digits, sizeof digits);
}

static void put_bytes(ftr_encoder *encoder, uint32_t id, uint64_t bytes, uint32_t count)
{
    uint8_t *p = begin_entry(encoder, 2 * sizeof bytes);
    if (p == NULL)
        return;
    p = ftr_cbor_head_by(encoder->head_forms, p, FTR_CBOR_MAJOR_UINT, id);
    *p++ = (uint8_t)(FTR_CBOR_MAJOR_TEXT << 5 | 2 * count);
    digits_at(p, (uint32_t)bytes);
    digits_at(p + sizeof bytes, (uint32_t)(bytes >> 32));
    end_entry(encoder, p + (size_t)2 * count);
}

void ftr_encoder_reset_recent(ftr_encoder *encoder)
{
    for (size_t i = 0; i < FTR_RECENT_TEXTS; i++)
        encoder->recent[i].length = UINT64_MAX;
    memset(encoder->recent_bytes, 0, sizeof encoder->recent_bytes);
}

void ftr_recent_text_set(ftr_recent_text *recent, const uint8_t *text, size_t length,
                         const uint8_t *id, size_t id_size)
{
    if (length - 1 >= sizeof recent->words)
        return;
    memset(recent, 0, sizeof *recent);
    memcpy(recent->words, text, length);
    memset(recent->masks, 0xff, length);
    memcpy(recent->id, id, id_size);
    recent->length = length;
    recent->id_size = id_size;
    recent->item_size = sizeof(ftr_item) + ftr_item_pad(length);
}

uint32_t ftr_encoder_look_up(ftr_encoder *encoder, const void *text, size_t length)
{
    uint32_t id = 0;
    bool is_new = false;
    ftr_status status = ftr_dictionary_get(&encoder->dictionary, text, length, &id, &is_new);
    if (status != FTR_OK)
        ftr_encoder_latch(encoder, status);
    else if (is_new)
        put_string(encoder, id, text, length);
    return id;
}

uint32_t ftr_encoder_new_bytes(ftr_encoder *encoder, uint64_t bytes, uint32_t count)
{
    uint32_t id = 0;
    bool is_new = false;
    ftr_status status = ftr_dictionary_get_bytes(&encoder->dictionary, bytes, count, &id, &is_new);
    if (!FTR_LIKELY(status == FTR_OK))
        ftr_encoder_latch(encoder, status);
    else if (is_new)
        put_bytes(encoder, id, bytes, count);
    *ftr_encoder_recent_bytes(encoder, bytes) = (ftr_recent_bytes){bytes, id, count};
    return id;
}

uint32_t ftr_encoder_long_bytes(ftr_encoder *encoder, const uint8_t *bytes, size_t count)
{
    const size_t room = 2 * count + 2 * sizeof(uint32_t);
    if (!ftr_array_fit(&encoder->scratch, &encoder->scratch_capacity, room, 1)) {
        ftr_encoder_latch(encoder, FTR_ERR_MEMORY);
        return 0;
    }
    for (size_t i = 0; i < count; i += sizeof(uint32_t)) {
        uint32_t four;
        memcpy(&four, bytes + i, sizeof four);
        digits_at(encoder->scratch + 2 * i, four);
    }
    return ftr_encoder_string(encoder, encoder->scratch, 2 * count);
}
