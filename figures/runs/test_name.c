/* Owns the rule for names of tests. The parts of a file name are separated by `-`, `_`, `.`, `+`,
 * `,`, `=` or `@`; a part that differs from run to run is omitted with the separator before it. */
#include "test_name.h"

#include "text_duplicate.h"

#include <stdlib.h>
#include <string.h>

#define SEPARATORS "-_.+,=@"
#define HOST_MAX 256u

typedef struct part {
    const char *text;
    size_t size;
} part;

/* Returns the value of the tag @p name in `FTR_TAGS`; size 0: there is none. */
static part tag_of(const ftr_run_record *run, const char *name)
{
    const char *tags = ftr_run_attribute_value(run, "tags");
    const size_t length = strlen(name);
    while (tags != NULL && *tags != '\0') {
        tags += strspn(tags, ", ");
        const size_t size = strcspn(tags, ",");
        if (size > length && strncmp(tags, name, length) == 0 && tags[length] == '=')
            return (part){tags + length + 1, size - length - 1};
        tags += size;
    }
    return (part){NULL, 0};
}

static bool is_number(const char *text, size_t size)
{
    return size > 0 && strspn(text, "0123456789") >= size;
}

static bool is_text(part of, const char *text)
{
    return text != NULL && of.size == strlen(text) && memcmp(of.text, text, of.size) == 0;
}

/* ---- parts that differ ----------------------------------------------------------------------- */

static unsigned number_at(const char *digits, size_t count)
{
    unsigned number = 0;
    for (size_t i = 0; i < count; i++)
        number = number * 10 + (unsigned)(digits[i] - '0');
    return number;
}

/* Whether eight digits are a date: YYYYMMDD. */
static bool is_date(const char *digits)
{
    const unsigned year = number_at(digits, 4);
    const unsigned month = number_at(digits + 4, 2);
    const unsigned day = number_at(digits + 6, 2);
    return year >= 1990 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* YYYYMMDD, or YYYYMMDDTHHMMSS with or without Z: the placeholder %t. */
static bool is_time(part of)
{
    if (of.size < 8 || !is_number(of.text, 8) || !is_date(of.text))
        return false;
    if (of.size == 8)
        return true;
    const size_t rest = of.size - 9;
    return of.text[8] == 'T' && (rest == 6 || (rest == 7 && of.text[15] == 'Z')) &&
           is_number(of.text + 9, 6);
}

/* Returns the length of a date with dashes, YYYY-MM-DD, at the start of @p text; 0: there is none.
 */
static size_t dashed_date(const char *text, size_t size)
{
    char digits[8];
    if (size < 10 || text[4] != '-' || text[7] != '-' || !is_number(text, 4) ||
        !is_number(text + 5, 2) || !is_number(text + 8, 2))
        return 0;
    memcpy(digits, text, 4);
    memcpy(digits + 4, text + 5, 2);
    memcpy(digits + 6, text + 8, 2);
    return is_date(digits) && (size == 10 || strchr(SEPARATORS "T", text[10]) != NULL) ? 10 : 0;
}

/* `seed17`, `pid4711`: a word and a number. */
static bool is_numbered(part of, const char *word)
{
    const size_t length = strlen(word);
    return of.size > length && memcmp(of.text, word, length) == 0 &&
           is_number(of.text + length, of.size - length);
}

typedef struct parts_of_run {
    const char *pid;
    part seed;
    char host[HOST_MAX]; /* as in the placeholder %h: with `-` for each dot */
} parts_of_run;

static parts_of_run parts_of(const ftr_run_record *run)
{
    parts_of_run of = {.pid = ftr_run_attribute_value(run, "pid"), .seed = tag_of(run, "seed")};
    const char *host = ftr_run_attribute_value(run, "host");
    for (size_t i = 0; host != NULL && host[i] != '\0' && i + 1 < sizeof of.host; i++)
        of.host[i] = (char)(host[i] == '.' || host[i] == '/' ? '-' : host[i]);
    return of;
}

/* Returns the length of the text at @p at that differs from run to run; 0: the part at @p at stays.
 */
static size_t differing(const parts_of_run *of, const char *at, size_t left)
{
    static const char *const words[] = {"seed", "pid"};
    const size_t host = strlen(of->host);
    const size_t dashed = dashed_date(at, left);
    if (dashed > 0)
        return dashed;
    if (host > 0 && left >= host && memcmp(at, of->host, host) == 0 &&
        (left == host || strchr(SEPARATORS, at[host]) != NULL))
        return host;
    const size_t end = strcspn(at, SEPARATORS);
    const part here = {at, end < left ? end : left};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is_numbered(here, words[i]))
            return here.size;
        const char *next = at + here.size + 1;
        const size_t more = here.size < left ? strcspn(next, SEPARATORS) : 0;
        if (is_text(here, words[i]) && is_number(next, more))
            return here.size + 1 + more;
    }
    const bool is_seed = of->seed.size > 0 && here.size == of->seed.size &&
                         memcmp(at, of->seed.text, here.size) == 0;
    return is_seed || is_time(here) || is_text(here, of->pid) ? here.size : 0;
}

/* ---- the name -------------------------------------------------------------------------------- */

/* Returns the file name without directory, suffix, and the number of the file of a run. */
static part stem_of(const char *file)
{
    static const char *const suffixes[] = {".ftr", ".fts"};
    const char *slash = strrchr(file, '/');
    part stem = {slash != NULL ? slash + 1 : file, 0};
    stem.size = strlen(stem.text);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (stem.size > 4 && memcmp(stem.text + stem.size - 4, suffixes[i], 4) == 0) {
            stem.size -= 4;
            break;
        }
    size_t digits = 0;
    while (digits < stem.size && is_number(stem.text + stem.size - digits - 1, 1))
        digits++;
    if (digits >= 4 && stem.size > digits + 5 &&
        memcmp(stem.text + stem.size - digits - 5, "_file", 5) == 0)
        stem.size -= digits + 5;
    return stem;
}

char *ftr_test_name(const ftr_run_record *run)
{
    const part tag = tag_of(run, "test");
    if (tag.size > 0)
        return ftr_text_duplicate(tag.text, tag.size);
    const part stem = stem_of(run->file.bytes);
    const parts_of_run of = parts_of(run);
    char *whole = ftr_text_duplicate(stem.text, stem.size);
    char *name = malloc(stem.size + 1);
    size_t size = 0;
    if (whole == NULL || name == NULL) {
        free(whole);
        free(name);
        return NULL;
    }
    for (size_t at = 0; at < stem.size;) {
        /* A file name can begin with a separator. */
        const size_t separator = at > 0 || strchr(SEPARATORS, whole[0]) != NULL ? 1 : 0;
        const size_t left = stem.size - at - separator;
        const size_t omitted = left > 0 ? differing(&of, whole + at + separator, left) : 0;
        const size_t kept = strcspn(whole + at + separator, SEPARATORS) + separator;
        if (omitted == 0) {
            const size_t skipped = size == 0 && at > 0 ? separator : 0;
            memcpy(name + size, whole + at + skipped, kept - skipped);
            size += kept - skipped;
        }
        at += omitted > 0 ? omitted + separator : kept;
    }
    name[size] = '\0';
    free(size > 0 ? whole : name);
    return size > 0 ? name : whole;
}
