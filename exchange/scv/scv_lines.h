/* Lines of SCV text, and the words of one. */
#ifndef FTR_SCV_LINES_H
#define FTR_SCV_LINES_H

#include "exchange_file.h"

#include <ftr/reader.h>

#include <string.h>

/* Longer lines are cut. */
#define FTR_SCV_LINE_SIZE ((size_t)1 << 20)

typedef struct ftr_scv_lines {
    ftr_byte_input *input;
    char *bytes; /* FTR_SCV_LINE_SIZE of them, and one for a NUL */
    size_t first, last;
    bool ended, failed;
    uint64_t number; /* of the line, from 1 */
    bool cut;        /* the line went on */
} ftr_scv_lines;

/* @return false without memory */
bool ftr_scv_lines_init(ftr_scv_lines *lines, ftr_byte_input *input);
void ftr_scv_lines_release(ftr_scv_lines *lines);

/* Begins again with the first line. @return false after saying why not */
bool ftr_scv_lines_rewind(ftr_scv_lines *lines);

/* The next line without its end, ended by a NUL, valid until the next. @return NULL at the end, and
 * on failure */
char *ftr_scv_lines_next(ftr_scv_lines *lines, size_t *size);

/* What is left of a line. */
typedef struct ftr_scv_rest {
    const char *at, *end;
} ftr_scv_rest;

static inline void ftr_scv_skip_blanks(ftr_scv_rest *rest)
{
    while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
        rest->at++;
}

/* Takes @p text if the rest begins with it, after blanks. Inline, because each line is compared
 * with several constants. */
static inline bool ftr_scv_take(ftr_scv_rest *rest, const char *text)
{
    const size_t size = strlen(text);
    ftr_scv_skip_blanks(rest);
    if ((size_t)(rest->end - rest->at) < size || memcmp(rest->at, text, size) != 0)
        return false;
    rest->at += size;
    return true;
}

/* Takes a word that ends before a blank, a comma or a parenthesis. */
bool ftr_scv_take_word(ftr_scv_rest *rest, ftr_view *word);
bool ftr_scv_take_number(ftr_scv_rest *rest, uint64_t *number);
/* Takes what is in quotes up to the quote that @p follow comes behind: there is no escape. */
bool ftr_scv_take_quoted(ftr_scv_rest *rest, const char *follow, ftr_view *text);

#endif
