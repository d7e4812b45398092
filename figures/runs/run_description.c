/* The identity of a run, the name of its test, and its state according to `ftr.run`. */
#include "run_record.h"

#include "content_hash.h"
#include "run_encoding.h"
#include "text_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the name of the test -------------------------------------------------------------------- */

/* docs/summary-format.md, "Test", states the rule. The parts of a file name are separated by `-`,
 * `_`, `.`, `+`, `,`, `=` or `@`; a part that differs from run to run is omitted with the separator
 * before it. */

#define SEPARATORS "-_.+,=@"
#define HOST_MAX 256u

typedef struct name_part {
    const char *text;
    size_t size;
} name_part;

ftr_view ftr_tag_value(const char *tags, const char *name)
{
    const size_t length = strlen(name);
    while (tags != NULL && *tags != '\0') {
        tags += strspn(tags, ", ");
        const size_t size = strcspn(tags, ",");
        if (size > length && strncmp(tags, name, length) == 0 && tags[length] == '=')
            return (ftr_view){tags + length + 1, size - length - 1};
        tags += size;
    }
    return (ftr_view){NULL, 0};
}

/* Returns the value of the tag @p name of the run; size 0: there is none. */
static name_part tag_of(const ftr_run_record *run, const char *name)
{
    const ftr_view value = ftr_tag_value(ftr_run_attribute_value(run, "tags"), name);
    return (name_part){value.data, value.size};
}

char *ftr_run_tag_values(const ftr_run_record *run, const char *tags)
{
    const char *own = ftr_run_attribute_value(run, "tags");
    const size_t room = strlen(tags) + (own != NULL ? strlen(own) : 0) + 1;
    char *joined = malloc(room);
    size_t size = 0;
    bool has_any = false;
    for (const char *at = tags; joined != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ",");
        char *name = strndup(at, length);
        const name_part value = name != NULL ? tag_of(run, name) : (name_part){NULL, 0};
        free(name);
        if (at != tags)
            joined[size++] = ',';
        if (value.size > 0 && size + value.size < room) {
            memcpy(joined + size, value.text, value.size);
            size += value.size;
            has_any = true;
        }
        at += length + (at[length] == ',');
    }
    if (joined == NULL || !has_any) {
        free(joined);
        return NULL;
    }
    joined[size] = '\0';
    return joined;
}

static bool is_number(const char *text, size_t size)
{
    return size > 0 && strspn(text, "0123456789") >= size;
}

static bool is_text(name_part of, const char *text)
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

/* Returns true if eight digits are a date: YYYYMMDD. */
static bool is_date(const char *digits)
{
    const unsigned year = number_at(digits, 4);
    const unsigned month = number_at(digits + 4, 2);
    const unsigned day = number_at(digits + 6, 2);
    return year >= 1990 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* Returns true if a text has the form of the placeholder %t: YYYYMMDD, or YYYYMMDDTHHMMSS with or
 * without Z. */
static bool is_time(name_part of)
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

/* Returns true if a text consists of @p word and a number: `seed17`, `pid4711`. */
static bool is_numbered(name_part of, const char *word)
{
    const size_t length = strlen(word);
    return of.size > length && memcmp(of.text, word, length) == 0 &&
           is_number(of.text + length, of.size - length);
}

typedef struct parts_of_run {
    const char *pid;
    name_part seed;
    char host[HOST_MAX]; /* name of the host as in the placeholder %h: `-` replaces each dot */
} parts_of_run;

static parts_of_run parts_of(const ftr_run_record *run)
{
    parts_of_run of = {.pid = ftr_run_attribute_value(run, "pid"), .seed = tag_of(run, "seed")};
    const char *host = ftr_run_attribute_value(run, "host");
    for (size_t i = 0; host != NULL && host[i] != '\0' && i + 1 < sizeof of.host; i++)
        of.host[i] = (char)(host[i] == '.' || host[i] == '/' ? '-' : host[i]);
    return of;
}

/* Returns the length of the text at @p at that differs from run to run; 0: the text at @p at does
 * not differ. */
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
    const name_part here = {at, end < left ? end : left};
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

/* Returns the file name without its directory, its suffix, and the number of the file in its
 * run. */
static name_part stem_of(const char *file)
{
    static const char *const suffixes[] = {".ftr", ".fts"};
    const char *slash = strrchr(file, '/');
    name_part stem = {slash != NULL ? slash + 1 : file, 0};
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

static char *test_name(const ftr_run_record *run)
{
    const name_part tag = tag_of(run, "test");
    if (tag.size > 0)
        return ftr_text_duplicate(tag.text, tag.size);
    const name_part stem = stem_of(run->file.bytes);
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

/* Numbers of signals are less than this. */
#define SIGNAL_MAX 128u

static void hash_part(const ftr_content_hash *hash, unsigned part, ftr_run_record *run)
{
    char number[16];
    ftr_content_hash whole = *hash;
    ftr_content_hash_add(&whole, number, (size_t)snprintf(number, sizeof number, "%u", part));
    ftr_content_hash_get(&whole, run->identity);
}

/* Computes the identity from the start of the run, so that it does not change when the file is
 * moved. @return false if the start was not recorded */
static bool identify_by_start(ftr_run_record *run, unsigned part)
{
    static const char *const IDENTIFYING[] = {"program", "arguments", "host", "pid", "started"};
    const char *id = ftr_run_attribute_value(run, "id");
    ftr_content_hash hash;
    bool is_identified = id != NULL;
    ftr_content_hash_init(&hash);
    if (id != NULL)
        ftr_content_hash_add(&hash, id, strlen(id));
    for (size_t i = 0; id == NULL && i < sizeof IDENTIFYING / sizeof IDENTIFYING[0]; i++) {
        const char *value = ftr_run_attribute_value(run, IDENTIFYING[i]);
        if (value != NULL)
            ftr_content_hash_add(&hash, value, strlen(value));
        ftr_content_hash_add(&hash, "", 1);
        is_identified |= value != NULL && strcmp(IDENTIFYING[i], "started") == 0;
    }
    hash_part(&hash, part, run);
    return is_identified;
}

static void identify_by_content(ftr_run_record *run, const uint8_t *bytes, size_t size)
{
    ftr_content_hash hash;
    ftr_content_hash_init(&hash);
    ftr_content_hash_add(&hash, bytes, size);
    ftr_content_hash_get(&hash, run->identity);
}

bool ftr_run_record_identify(ftr_run_record *run, unsigned part)
{
    ftr_encoded_run encoded;
    if (identify_by_start(run, part))
        return true;
    if (ftr_run_encode(run, &encoded) != FTR_OK)
        return false;
    identify_by_content(run, encoded.bytes, encoded.size);
    ftr_encoded_run_release(&encoded);
    return true;
}

void ftr_run_record_identify_encoded(ftr_run_record *run, unsigned part, const uint8_t *bytes,
                                     size_t size)
{
    if (!identify_by_start(run, part))
        identify_by_content(run, bytes, size);
}

static bool set_text(ftr_figure_text *text, const char *value)
{
    return ftr_figure_text_set(text, value, strlen(value));
}

bool ftr_run_record_set_names(ftr_run_record *run, const char *file, const char *problem)
{
    if (!set_text(&run->file, file) || !set_text(&run->problem, problem))
        return false;
    char *test = test_name(run);
    const bool ok = test != NULL && set_text(&run->test, test);
    free(test);
    return ok;
}

void ftr_run_record_judge_end(ftr_run_record *run, bool is_continued)
{
    const char *signal = ftr_run_attribute_value(run, "signal");
    const bool has_end = ftr_run_attribute_value(run, "exit_status") != NULL ||
                         ftr_run_attribute_value(run, "closed") != NULL;
    const unsigned long number = signal != NULL ? strtoul(signal, NULL, 10) : 0;
    if (run->state > FTR_RUN_UNFINISHED)
        return;
    if (number > 0 && number < SIGNAL_MAX) {
        run->signal = (unsigned)number;
        run->state = FTR_RUN_KILLED;
    } else if (run->state == FTR_RUN_SOUND && !has_end && !is_continued) {
        run->state = run->attribute_count > 0 ? FTR_RUN_UNFINISHED : FTR_RUN_NOT_TOLD;
    }
}

void ftr_run_record_judge_file(ftr_run_record *run, ftr_run_state file)
{
    const bool is_known = run->state == FTR_RUN_KILLED && file == FTR_RUN_UNFINISHED;
    if (file > run->state && !is_known)
        run->state = file;
}

ftr_status ftr_run_record_of_missing(const char *file, ftr_run_state state, const char *problem,
                                     ftr_run_record *run)
{
    ftr_run_record record = {.state = state};
    if (ftr_run_record_set_names(&record, file, problem) && ftr_run_record_identify(&record, 0)) {
        *run = record;
        return FTR_OK;
    }
    ftr_run_record_release(&record);
    return FTR_ERR_MEMORY;
}
