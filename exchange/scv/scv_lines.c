/* Splits SCV text into lines and lines into words. */
#include "scv_lines.h"

#include <stdlib.h>
#include <string.h>

bool ftr_scv_lines_init(ftr_scv_lines *lines, ftr_byte_input *input)
{
    *lines = (ftr_scv_lines){.input = input, .bytes = malloc(FTR_SCV_LINE_SIZE + 1)};
    return lines->bytes != NULL;
}

void ftr_scv_lines_release(ftr_scv_lines *lines)
{
    free(lines->bytes);
}

bool ftr_scv_lines_rewind(ftr_scv_lines *lines)
{
    lines->first = lines->last = 0;
    lines->number = 0;
    lines->ended = lines->failed = lines->cut = false;
    return ftr_byte_input_rewind(lines->input);
}

/* Moves the unread bytes to the beginning of the buffer, and reads more bytes behind them. */
static void fill(ftr_scv_lines *lines)
{
    memmove(lines->bytes, lines->bytes + lines->first, lines->last - lines->first);
    lines->last -= lines->first;
    lines->first = 0;
    const size_t room = FTR_SCV_LINE_SIZE - lines->last;
    const int64_t got = ftr_byte_input_read(lines->input, lines->bytes + lines->last, room);
    lines->failed = got < 0;
    lines->ended = got < (int64_t)room;
    lines->last += got > 0 ? (size_t)got : 0;
}

/* Returns the end of the line that begins at `first`; NULL if the end is not in memory yet. */
static char *end_of_line(const ftr_scv_lines *lines)
{
    return memchr(lines->bytes + lines->first, '\n', lines->last - lines->first);
}

/* Skips the rest of a truncated line. */
static void skip_line(ftr_scv_lines *lines)
{
    char *end;
    while ((end = end_of_line(lines)) == NULL && !lines->ended) {
        lines->first = lines->last;
        fill(lines);
    }
    lines->first = end != NULL ? (size_t)(end - lines->bytes) + 1 : lines->last;
    lines->cut = false;
}

char *ftr_scv_lines_next(ftr_scv_lines *lines, size_t *size)
{
    if (lines->cut)
        skip_line(lines);
    char *end = end_of_line(lines);
    if (end == NULL && !lines->ended) {
        fill(lines);
        end = end_of_line(lines);
    }
    if (lines->failed || lines->first == lines->last)
        return NULL;
    char *line = lines->bytes + lines->first;
    lines->cut = end == NULL && !lines->ended;
    if (end == NULL)
        end = lines->bytes + lines->last;
    lines->first = (size_t)(end - lines->bytes) + (end < lines->bytes + lines->last);
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    *size = (size_t)(end - line);
    lines->number++;
    return line;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool ends_word(char byte)
{
    switch (byte) {
    case ' ':
    case '\t':
    case ',':
    case '(':
    case ')':
    case '"':
    case '=':
    case '\0':
        return true;
    default:
        return false;
    }
}

bool ftr_scv_parse_word(ftr_scv_rest *rest, ftr_view *word)
{
    ftr_scv_skip_blanks(rest);
    const char *from = rest->at;
    while (rest->at < rest->end && !ends_word(*rest->at))
        rest->at++;
    *word = (ftr_view){from, (size_t)(rest->at - from)};
    return word->size > 0;
}

bool ftr_scv_parse_number(ftr_scv_rest *rest, uint64_t *number)
{
    ftr_scv_skip_blanks(rest);
    const char *from = rest->at;
    uint64_t value = 0;
    for (; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        const unsigned digit = (unsigned)(*rest->at - '0');
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *number = value;
    return rest->at > from;
}

bool ftr_scv_parse_quoted(ftr_scv_rest *rest, const char *follow, ftr_view *text)
{
    const size_t size = strlen(follow);
    if (!ftr_scv_accept(rest, "\""))
        return false;
    const char *at = rest->at;
    while ((at = memchr(at, '"', (size_t)(rest->end - at))) != NULL) {
        const size_t behind = (size_t)(rest->end - at) - 1;
        if (behind >= size && memcmp(at + 1, follow, size) == 0 && (size > 0 || behind == 0)) {
            *text = (ftr_view){rest->at, (size_t)(at - rest->at)};
            rest->at = at + 1;
            return true;
        }
        at++;
    }
    return false;
}
