/* Assigns ids to texts and collects the dictionary entries of new texts. Repairs invalid UTF-8. */
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

static void put_string(ftr_encoder *encoder, uint32_t id, const uint8_t *text, size_t length)
{
    static const uint8_t gap[FTR_CBOR_HEAD_MAX];
    if (!ftr_utf8_is_valid(text, length))
        text = repaired(encoder, text, &length);
    /* A long text begins a chunk of its own if the chunk would become too large for the viewer
     * impulse. */
    if (encoder->chunk_size < FTR_CHUNK_BYTES_MAX &&
        ftr_cbor_writer_size(&encoder->strings) + length + (size_t)2 * FTR_CBOR_HEAD_MAX >
            FTR_CHUNK_BYTES_MAX)
        ftr_encoder_frame_strings(encoder);
    if (encoder->string_count == 0)
        ftr_cbor_put_encoded(&encoder->strings, gap, sizeof gap);
    ftr_cbor_put_uint(&encoder->strings, id);
    ftr_cbor_put_text(&encoder->strings, (const char *)text, length);
    encoder->string_count++;
    encoder->strings_written++;
    if (ftr_cbor_writer_size(&encoder->strings) >= encoder->chunk_size)
        ftr_encoder_frame_strings(encoder);
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
