/* Writes the page, with the HTML elements that contain the data. */
#include "html_page.h"

#include <stdlib.h>
#include <string.h>

static const char MARK[] = "<!--ftr:data-->";

typedef struct html_writer {
    ftr_html_sink *sink;
    void *user;
    bool failed;
    size_t filled;
    char bytes[(size_t)3 << 14]; /* a multiple of 4 and of 6 */
} html_writer;

static void flush(html_writer *out)
{
    out->failed = out->failed || !out->sink(out->user, out->bytes, out->filled);
    out->filled = 0;
}

static void put(html_writer *out, const char *bytes, size_t size)
{
    while (size > 0) {
        const size_t room = sizeof out->bytes - out->filled;
        const size_t piece = size < room ? size : room;
        memcpy(out->bytes + out->filled, bytes, piece);
        out->filled += piece;
        bytes += piece;
        size -= piece;
        if (out->filled == sizeof out->bytes)
            flush(out);
    }
}

static void put_string(html_writer *out, const char *text)
{
    put(out, text, strlen(text));
}

/* Replaces the characters that could end the HTML element by escapes of JSON. This is possible
 * because the manifest is JSON, in which these characters occur only in strings. */
static void put_escaped(html_writer *out, const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        const char *escape = text[i] == '<'   ? "\\u003c"
                             : text[i] == '>' ? "\\u003e"
                             : text[i] == '&' ? "\\u0026"
                                              : NULL;
        if (escape == NULL)
            continue;
        put(out, text + done, i - done);
        put_string(out, escape);
        done = i + 1;
    }
    put(out, text + done, size - done);
}

static void put_base64(html_writer *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char four[4];
    size_t i = 0;
    for (; i + 3 <= size; i += 3) {
        const unsigned three =
            (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | (unsigned)bytes[i + 2];
        for (unsigned k = 0; k < 4; k++)
            four[k] = digits[three >> (18 - 6 * k) & 63];
        put(out, four, 4);
    }
    if (i == size)
        return;
    const unsigned rest =
        (unsigned)bytes[i] << 16 | (i + 1 < size ? (unsigned)bytes[i + 1] << 8 : 0);
    four[0] = digits[rest >> 18];
    four[1] = digits[rest >> 12 & 63];
    four[2] = '=';
    four[3] = '=';
    if (i + 1 < size)
        four[2] = digits[rest >> 6 & 63];
    put(out, four, 4);
}

static void put_data(html_writer *out, const ftr_text_buffer *manifest,
                     const ftr_packed_block *blocks, size_t block_count)
{
    put_string(out, "<script type=\"application/json\" id=\"manifest\">");
    put_escaped(out, manifest->bytes, manifest->size);
    put_string(out, "</script>\n");
    for (size_t i = 0; i < block_count; i++) {
        put_string(out, "<script type=\"text/plain\" id=\"block-");
        put_string(out, blocks[i].name);
        put_string(out, "\">");
        put_base64(out, blocks[i].bytes, blocks[i].size);
        put_string(out, "</script>\n");
    }
}

bool ftr_html_page_write(const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                         size_t block_count, ftr_html_sink *sink, void *user)
{
    html_writer *out = malloc(sizeof *out);
    if (out == NULL)
        return false;
    out->sink = sink;
    out->user = user;
    out->failed = false;
    out->filled = 0;
    const char *page = (const char *)ftr_embedded_page;
    const char *mark = memmem(page, ftr_embedded_page_size, MARK, sizeof MARK - 1);
    const size_t before = mark != NULL ? (size_t)(mark - page) : 0;
    put(out, page, before);
    put_data(out, manifest, blocks, block_count);
    if (mark != NULL)
        put(out, mark + sizeof MARK - 1, ftr_embedded_page_size - before - (sizeof MARK - 1));
    flush(out);
    const bool ok = !out->failed;
    free(out);
    return ok;
}
