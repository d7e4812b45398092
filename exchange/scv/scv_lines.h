/* Lines of SCV text, and the words of a line. */
#ifndef FTR_SCV_LINES_H
#define FTR_SCV_LINES_H

#include "exchange_file.h"

#include <ftr/reader.h>

#include <string.h>

/* Longer lines are truncated. */
#define FTR_SCV_LINE_SIZE ((size_t)1 << 20)

typedef struct ftr_scv_lines {
    ftr_byte_input *input;
    char *bytes; /* buffer of FTR_SCV_LINE_SIZE bytes, and one for a NUL */
    size_t first, last;
    bool ended, failed;
    uint64_t number; /* number of the current line, from 1 */
    bool cut;        /* the line was truncated */
} ftr_scv_lines;

/* @return false if out of memory */
bool ftr_scv_lines_init(ftr_scv_lines *lines, ftr_byte_input *input);
void ftr_scv_lines_release(ftr_scv_lines *lines);

/* Continues at the first line of the file. @return false after an error message */
bool ftr_scv_lines_rewind(ftr_scv_lines *lines);

/* Returns the next line without its line end, NUL-terminated and valid until the next call. Returns
 * NULL at the end or after an error */
char *ftr_scv_lines_next(ftr_scv_lines *lines, size_t *size);

/* The unread part of a line. */
typedef struct ftr_scv_rest {
    const char *at, *end;
} ftr_scv_rest;

static inline void ftr_scv_skip_blanks(ftr_scv_rest *rest)
{
    while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
        rest->at++;
}

/* Skips blanks, and then @p text if it follows. This function is inline, because each line is
 * compared with several constants. @return false if another text follows */
static inline bool ftr_scv_accept(ftr_scv_rest *rest, const char *text)
{
    const size_t size = strlen(text);
    ftr_scv_skip_blanks(rest);
    if ((size_t)(rest->end - rest->at) < size || memcmp(rest->at, text, size) != 0)
        return false;
    rest->at += size;
    return true;
}

/* Skips blanks, and reads a word that ends before a blank, a comma, a parenthesis, a quote, an
 * equals sign or a NUL. @return false if the word is empty */
bool ftr_scv_parse_word(ftr_scv_rest *rest, ftr_view *word);
/* Skips blanks, and reads an unsigned decimal number. @return false if no digit follows, or if the
 * number exceeds 64 bits */
bool ftr_scv_parse_number(ftr_scv_rest *rest, uint64_t *number);
/* Reads a quoted text. SCV has no escapes, so the text itself may contain quotes. The text ends at
 * the first quote that is followed by @p follow; "": at the quote that ends the line.
 * @return false if no such text follows */
bool ftr_scv_parse_quoted(ftr_scv_rest *rest, const char *follow, ftr_view *text);

#endif
