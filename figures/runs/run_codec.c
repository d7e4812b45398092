/* The values that need more than one number: errors, allocated items and texts. */
#include "run_codec.h"

#include <stdlib.h>
#include <string.h>

void ftr_codec_fail(ftr_run_codec *c, ftr_status status)
{
    if (ftr_codec_reads(c))
        ftr_number_reader_fail(&c->in, status);
    else if (c->status == FTR_OK)
        c->status = status;
}

void *ftr_codec_items(ftr_run_codec *c, void *items, uint64_t count, size_t size)
{
    if (count > (c->memory_max - c->memory) / size) {
        ftr_codec_fail(c, FTR_ERR_FORMAT);
        return items;
    }
    c->memory += count * size;
    if (!ftr_codec_reads(c) || count == 0)
        return items;
    items = calloc((size_t)count, size);
    if (items == NULL)
        ftr_codec_fail(c, FTR_ERR_MEMORY);
    return items;
}

void ftr_code_size(ftr_run_codec *c, ftr_figure_text *text)
{
    const uint64_t size = ftr_code(c, text->size);
    if (!ftr_codec_reads(c)) {
        c->memory += size + 1;
        return;
    }
    if (size > (uint64_t)(c->in.end - c->in.next))
        ftr_codec_fail(c, FTR_ERR_TRUNCATED);
    text->bytes = ftr_codec_is_ok(c) ? ftr_codec_items(c, NULL, size + 1, 1) : NULL;
    text->size = text->bytes != NULL ? (size_t)size : 0;
}

void ftr_code_bytes(ftr_run_codec *c, unsigned column, ftr_figure_text *text)
{
    if (ftr_codec_reads(c))
        ftr_numbers_begin(&c->in, 0);
    if (text->size == 0 || !ftr_codec_is_ok(c))
        return;
    if (ftr_codec_reads(c)) {
        if (text->size > (size_t)(c->in.end - c->in.next)) {
            ftr_codec_fail(c, FTR_ERR_TRUNCATED);
            return;
        }
        memcpy(text->bytes, c->in.next, text->size);
        c->in.next += text->size;
        return;
    }
    ftr_cbor_put_encoded(&c->columns[column].bytes, text->bytes, text->size);
}
