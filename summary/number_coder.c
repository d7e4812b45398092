/* Owns the models of numbers and of texts. Does not know the figures that they code. */
#include "number_coder.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Codes the bits below the highest one: the first two with the model, the others as plain bits. */
static uint64_t code_mantissa(ftr_bit_coder *c, ftr_number_model *model, unsigned length,
                              uint64_t value)
{
    ftr_bit_model *const top = model->top[length];
    uint64_t coded = 1;
    unsigned rest = length - 1;
    unsigned node = 1;
    for (; rest > 0 && node < 4; rest--) {
        const unsigned bit = ftr_bit_code(c, &top[node - 1], (unsigned)(value >> (rest - 1)) & 1);
        coded = coded << 1 | bit;
        node = node << 1 | bit;
    }
    return rest > 0 ? coded << rest | ftr_bit_code_plain(c, rest, value) : coded;
}

uint64_t ftr_number_code(ftr_bit_coder *c, ftr_number_model *model, uint64_t value)
{
    const unsigned length = ftr_number_length(value);
    unsigned node = 1;
    for (int i = 6; i >= 0; i--)
        node = node << 1 | ftr_bit_code(c, &model->lengths[node], length >> i & 1);
    node -= 128;
    if (node >= FTR_NUMBER_LENGTHS) {
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
        return 0;
    }
    return node < 2 ? node : code_mantissa(c, model, node, value);
}

uint64_t ftr_number_code_small(ftr_bit_coder *c, ftr_number_model *model, uint64_t value)
{
    const unsigned length = ftr_number_length(value);
    unsigned at = 0;
    while (at < FTR_NUMBER_LENGTHS - 1 && ftr_bit_code(c, &model->lengths[at], at < length))
        at++;
    return at < 2 ? at : code_mantissa(c, model, at, value);
}

uint64_t ftr_number_code_near(ftr_bit_coder *c, ftr_number_model *model, uint64_t predicted,
                              uint64_t value)
{
    const bool is_less = value < predicted;
    const uint64_t distance =
        ftr_number_code(c, model, is_less ? predicted - value : value - predicted);
    if (distance == 0)
        return predicted;
    return ftr_bit_code(c, &model->sign, is_less) ? predicted - distance : predicted + distance;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static unsigned hash_of_last(const ftr_text_model *model)
{
    unsigned hash = 0;
    for (size_t i = 1; i <= 3 && i <= model->used; i++)
        hash = hash * 29 + model->history[model->used - i];
    return hash % FTR_TEXT_HASHES;
}

static void append(ftr_text_model *model, uint8_t byte)
{
    model->history[model->used++] = byte;
    model->latest[hash_of_last(model)] = (uint32_t)model->used;
}

static uint8_t code_byte(ftr_bit_coder *c, ftr_text_model *model, uint8_t byte)
{
    const uint8_t before = model->used > 0 ? model->history[model->used - 1] : 0;
    ftr_bit_model *const nodes = model->bytes[before >> 5];
    unsigned node = 1;
    for (int i = 7; i >= 0; i--)
        node = node << 1 | ftr_bit_code(c, &nodes[node], byte >> i & 1u);
    return (uint8_t)node;
}

/* Codes the bytes of a text. Each byte is predicted from the history: while predictions are right,
 * `at` advances through an earlier text. */
static void code_bytes(ftr_bit_coder *c, ftr_text_model *model, char *bytes, size_t size)
{
    size_t at = 0;
    unsigned matched = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        if (matched == 0)
            at = model->latest[hash_of_last(model)];
        bool is_right = false;
        if (at < model->used) {
            const uint8_t predicted = model->history[at];
            is_right = ftr_bit_code(c, &model->is_predicted[matched], byte == predicted);
            byte = is_right ? predicted : byte;
        }
        if (!is_right)
            byte = code_byte(c, model, byte);
        append(model, byte);
        bytes[i] = (char)byte;
        matched = !is_right ? 0 : matched < FTR_TEXT_MATCH_MAX ? matched + 1 : matched;
        at++;
    }
    append(model, 0);
}

static bool reserve(ftr_text_model *model, size_t more)
{
    if (more <= model->capacity - model->used)
        return true;
    const size_t capacity = 2 * (model->used + more);
    uint8_t *grown = realloc(model->history, capacity);
    if (grown == NULL)
        return false;
    model->history = grown;
    model->capacity = capacity;
    return true;
}

void ftr_text_code(ftr_bit_coder *c, ftr_text_model *model, ftr_figure_text *text, size_t size_max)
{
    const uint64_t size = ftr_number_code(c, &model->size, text->size);
    if (size > size_max) {
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
        return;
    }
    bool ok = reserve(model, (size_t)size + 1);
    if (ok && ftr_bit_coder_is_reading(c)) {
        text->bytes = calloc((size_t)size + 1, 1);
        text->size = (size_t)size;
        ok = text->bytes != NULL;
    }
    if (ok)
        code_bytes(c, model, text->bytes, (size_t)size);
    else if (ftr_bit_coder_is_reading(c))
        ftr_bit_coder_fail(c, FTR_ERR_MEMORY);
    else
        ftr_cbor_writer_fail(c->to, FTR_ERR_MEMORY);
}
