/* Writes declared attributes with prepared bytes if possible. */
#include "encoder_items.h"

#include "encoder_repeats.h"

uint8_t *ftr_encoder_item_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const uint8_t *end)
{
    const ftr_item *item = (const ftr_item *)at;
    if (ftr_item_is_words(item))
        return ftr_encoder_words_at(encoder, p, at, end);
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(encoder->definitions, item->attribute);
    encoder->items_end.at = at + sizeof *item + ftr_item_text_size(item);
    encoder->items_end.expected = attribute + 1;
    encoder->items_end.count = 1;
    return ftr_encoder_declared_at(encoder, attribute, p, item, (const uint8_t *)(item + 1));
}

uint8_t *ftr_encoder_new_text_at(ftr_encoder *encoder, uint8_t *p,
                                 const ftr_declared_attribute *attribute, const ftr_item *item)
{
    const uint8_t *text = (const uint8_t *)(item + 1);
    const size_t length = (size_t)item->value;
    uint8_t *const end = ftr_cbor_uint_at(p, ftr_encoder_string(encoder, text, length));
    ftr_recent_text_set(ftr_encoder_recent(encoder, attribute), text, length, p, (size_t)(end - p));
    return end;
}
