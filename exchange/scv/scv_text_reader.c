/* Converts SCV text to FTR. Reads the text twice: the first pass finds the finest unit of time and
 * the transactions that relations refer to, and the second pass records. */
#include "formats.h"

#include "growing_array.h"
#include "exchange_report.h"
#include "scv_definitions.h"
#include "scv_lines.h"
#include "time_text.h"
#include "tx_table.h"

#include <ftr/detail/decimal.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 16384
#define NAME_SIZE 1024

enum { UNKNOWN, OPEN, ENDED };

/* A relation of which one transaction was not recorded yet. */
typedef struct waiting_relation {
    char *name;
    uint64_t from, to;
    uint64_t line;
} waiting_relation;

typedef struct scv_reader {
    ftr_byte_input input;
    ftr_scv_lines lines;
    ftr_import_target target;
    ftr_scv_definitions definitions;
    ftr_tx_table transactions;
    int time_scale;
    bool single; /* the output stores floats in single precision */
    /* true: the next lines with the keyword `a` belong to the transaction `tx`, which ends after
     * these lines */
    bool current;
    ftr_tx tx;
    uint64_t id;
    const ftr_scv_generator *generator;
    unsigned at_end; /* 0: tx_begin was read; 1: tx_end was read */
    /* index of the declared attribute whose value is in the next line that begins with `a` */
    size_t next;
    uint64_t end;
    waiting_relation *waiting;
    size_t waiting_count, waiting_capacity;
} scv_reader;

static ftr_scv_rest rest_of(const char *line, size_t size)
{
    return (ftr_scv_rest){line, line + size};
}

/* ---- first pass ------------------------------------------------------------------------------ */

/* Returns the time scale that a time needs, computed from its unit and the number of its decimal
 * places; 0 if the text is not a time. */
static int scale_of(ftr_scv_rest *rest)
{
    ftr_view number;
    ftr_view unit;
    if (!ftr_scv_parse_word(rest, &number) || !ftr_scv_parse_word(rest, &unit))
        return 0;
    const char *point = memchr(number.data, '.', number.size);
    const int digits = point != NULL ? (int)(number.data + number.size - point) - 1 : 0;
    int scale;
    return ftr_time_unit(unit.data, unit.size, &scale) ? scale - digits : 0;
}

static bool note_related(scv_reader *r, ftr_scv_rest rest)
{
    ftr_view name;
    uint64_t ends[2];
    if (!ftr_scv_parse_quoted(&rest, " ", &name) || !ftr_scv_parse_number(&rest, &ends[0]) ||
        !ftr_scv_parse_number(&rest, &ends[1]))
        return true;
    for (unsigned i = 0; i < 2; i++) {
        ftr_tx_entry *entry = ftr_tx_table_add(&r->transactions, ends[i]);
        if (entry == NULL)
            return false;
        entry->related = true;
    }
    return true;
}

/* The first pass. @return true if the input is SCV text; false after an error message */
static bool look_ahead(scv_reader *r)
{
    size_t size;
    const char *line;
    bool known = false;
    bool ok = true;
    r->time_scale = -12;
    while (ok && (line = ftr_scv_lines_next(&r->lines, &size)) != NULL) {
        ftr_scv_rest rest = rest_of(line, size);
        uint64_t id;
        uint64_t generator;
        if (ftr_scv_accept(&rest, "tx_begin ") || ftr_scv_accept(&rest, "tx_end ")) {
            int scale = 0;
            if (ftr_scv_parse_number(&rest, &id) && ftr_scv_parse_number(&rest, &generator))
                scale = scale_of(&rest);
            if (scale < r->time_scale)
                r->time_scale = scale < -15 ? -15 : scale;
        } else if (ftr_scv_accept(&rest, "tx_relation ")) {
            ok = note_related(r, rest);
        } else if (ftr_scv_accept(&rest, "scv_tr_stream ")) {
            known = true;
        }
        if (r->lines.number == 1000 && !known)
            break; /* the beginning of the file is missing */
    }
    if (!ok)
        ftr_exchange_print(r->target.report, "%s: %s", r->input.path,
                           ftr_status_text(FTR_ERR_MEMORY));
    else if (!known && !r->lines.failed)
        ftr_exchange_print(r->target.report, "%s: not an SCV text: it defines no stream",
                           r->input.path);
    return ok && known && !r->lines.failed;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool parse_number(ftr_view text, uint64_t *number)
{
    ftr_scv_rest rest = rest_of(text.data, text.size);
    char digits[64];
    char *end;
    if (ftr_scv_parse_number(&rest, number) && rest.at == rest.end)
        return true;
    if (text.size == 0 || text.size >= sizeof digits || text.data[0] == '-')
        return false;
    memcpy(digits, text.data, text.size);
    digits[text.size] = '\0';
    errno = 0;
    const bool hexadecimal = text.size > 2 && digits[0] == '0' && (digits[1] | 32) == 'x';
    *number = strtoull(digits, &end, hexadecimal ? 16 : 10);
    return end == digits + text.size && errno == 0;
}

static bool parse_integer(ftr_view text, ftr_value *value)
{
    const bool negative = text.size > 0 && text.data[0] == '-';
    uint64_t number;
    if (!parse_number((ftr_view){text.data + negative, text.size - negative}, &number) ||
        (negative && number > (uint64_t)INT64_MAX + 1))
        return false;
    if (!negative && number > INT64_MAX) {
        value->type = FTR_TYPE_UNSIGNED;
        value->as.number = number;
    } else {
        value->as.integer = negative ? (int64_t)(0 - number) : (int64_t)number;
    }
    return true;
}

/* Returns the single-precision value that is printed with the same digits as @p real. If there is
 * no such value, returns @p real. SCV prints a single-precision 0.1 as "0.1", which would otherwise
 * be read as the double 0.1, a different value. */
static double nearest_single(double real)
{
    const double single = (float)real;
    return ftr_decimal_as_double(single, sizeof(float)) == real ? single : real;
}

static bool parse_real(ftr_view text, bool single, double *real)
{
    char digits[512];
    char *end;
    if (text.size == 0 || text.size >= sizeof digits)
        return false;
    memcpy(digits, text.data, text.size);
    digits[text.size] = '\0';
    *real = strtod(digits, &end);
    if (single && (double)(float)*real != *real)
        *real = nearest_single(*real);
    return end == digits + text.size;
}

static bool parse_boolean(ftr_view text, bool *boolean)
{
    *boolean = (text.size == 4 && memcmp(text.data, "true", 4) == 0) ||
               (text.size == 1 && text.data[0] == '1');
    return *boolean || (text.size == 5 && memcmp(text.data, "false", 5) == 0) ||
           (text.size == 1 && text.data[0] == '0');
}

/* Parses a time. @p text must be at the end of a line, because it must be NUL-terminated. Returns
 * false if the text is not a time, or not a whole number of ticks of the output. */
static bool parse_time(const scv_reader *r, ftr_view text, uint64_t *ticks)
{
    ftr_time_value time;
    bool exact;
    return text.size > 0 && ftr_time_parse(text.data, &time, NULL) &&
           ftr_time_to_ticks(&time, r->time_scale, ticks, &exact) && exact;
}

static ftr_view unquoted(ftr_view text)
{
    if (text.size >= 2 && text.data[0] == '"' && text.data[text.size - 1] == '"')
        return (ftr_view){text.data + 1, text.size - 2};
    return text;
}

/* Converts a text to a value of @p type. A text that does not fit this type becomes a value of type
 * STRING. @return true if the text fits */
static bool parse_value(const scv_reader *r, ftr_type type, ftr_view text, ftr_value *value)
{
    const ftr_view plain = unquoted(text);
    bool ok = true;
    *value = (ftr_value){.type = type};
    switch (type) {
    case FTR_TYPE_BOOLEAN:
        ok = parse_boolean(plain, &value->as.boolean);
        break;
    case FTR_TYPE_INTEGER:
        ok = parse_integer(plain, value);
        break;
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
        ok = parse_number(plain, &value->as.number);
        break;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        ok = parse_real(plain, r->single, &value->as.real);
        break;
    case FTR_TYPE_TIME:
        ok = parse_time(r, text, &value->as.number);
        break;
    default:
        value->as.text = plain.data;
        value->text_length = plain.size;
        return true;
    }
    if (!ok) {
        value->type = FTR_TYPE_STRING;
        value->as.text = plain.data;
        value->text_length = plain.size;
    }
    return ok;
}

/* Returns the rest of the line without blanks at its beginning. */
static ftr_view value_text(ftr_scv_rest rest)
{
    (void)ftr_scv_accept(&rest, "");
    return (ftr_view){rest.at, (size_t)(rest.end - rest.at)};
}

static void put(scv_reader *r, ftr_tx tx, ftr_attribute_class class_, const char *name,
                ftr_type type, ftr_view text)
{
    ftr_value value;
    if (!parse_value(r, type, text, &value))
        ftr_import_find(&r->target, "line", r->lines.number,
                        "a value that does not fit the type of its attribute: kept as text");
    ftr_import_keep(&r->target, ftr_tx_put_named(r->target.recorder, tx, class_, name, &value));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void report_finding(scv_reader *r, const char *what)
{
    ftr_import_find(&r->target, "line", r->lines.number, "%s", what);
}

/* Called after the last attribute of a transaction: ends the transaction if its tx_end was read. */
static void finish_current(scv_reader *r)
{
    if (!r->current || r->at_end == 0) {
        r->current = false;
        return;
    }
    r->current = false;
    ftr_tx_entry *entry = ftr_tx_table_find(&r->transactions, r->id);
    ftr_import_keep(&r->target, ftr_tx_end(r->target.recorder, r->tx, r->end));
    if (entry == NULL)
        return;
    entry->state = ENDED;
    if (!entry->related)
        ftr_tx_table_remove(&r->transactions, entry);
}

/* Parses "ID GENERATOR TIME UNIT". */
static bool parse_event(scv_reader *r, ftr_scv_rest *rest, uint64_t *id,
                        const ftr_scv_generator **generator, uint64_t *time)
{
    uint64_t number;
    if (!ftr_scv_parse_number(rest, id) || !ftr_scv_parse_number(rest, &number))
        return false;
    *generator = ftr_scv_find_generator(&r->definitions, number);
    return *generator != NULL && parse_time(r, value_text(*rest), time);
}

static void begin(scv_reader *r, ftr_scv_rest rest)
{
    uint64_t id;
    uint64_t time;
    const ftr_scv_generator *generator;
    if (!parse_event(r, &rest, &id, &generator, &time)) {
        report_finding(r, "an invalid tx_begin, or one of an undefined generator");
        return;
    }
    ftr_tx_entry *entry = ftr_tx_table_add(&r->transactions, id);
    if (entry == NULL) {
        ftr_import_keep(&r->target, FTR_ERR_MEMORY);
        return;
    }
    if (entry->state != UNKNOWN) {
        report_finding(r, "a transaction with a duplicate id: skipped");
        return;
    }
    const ftr_status status = ftr_tx_begin(r->target.recorder, generator->handle, time, &entry->tx);
    ftr_import_keep(&r->target, status);
    if (status != FTR_OK)
        return;
    entry->state = OPEN;
    entry->time = time;
    entry->owner = (uint32_t)(generator - r->definitions.generators);
    r->current = true;
    r->tx = entry->tx;
    r->id = id;
    r->generator = generator;
    r->at_end = 0;
    r->next = 0;
}

static void end(scv_reader *r, ftr_scv_rest rest)
{
    uint64_t id;
    uint64_t time;
    const ftr_scv_generator *generator;
    if (!parse_event(r, &rest, &id, &generator, &time)) {
        report_finding(r, "an invalid tx_end, or one of an undefined generator");
        return;
    }
    const ftr_tx_entry *entry = ftr_tx_table_find(&r->transactions, id);
    if (entry == NULL || entry->state != OPEN) {
        report_finding(r, "an end without its begin: skipped");
        return;
    }
    if (time < entry->time) {
        report_finding(r, "an end before its begin: the time of the begin is used");
        time = entry->time;
    }
    r->current = true;
    r->tx = entry->tx;
    r->id = id;
    r->generator = &r->definitions.generators[entry->owner];
    r->at_end = 1;
    r->next = 0;
    r->end = time;
}

static void put_declared(scv_reader *r, ftr_scv_rest rest)
{
    if (!r->current) {
        report_finding(r, "an attribute outside of a transaction: skipped");
        return;
    }
    if (r->next == r->generator->counts[r->at_end]) {
        report_finding(r, "more attributes than the generator declares: skipped");
        return;
    }
    const ftr_scv_attribute *attribute = &r->generator->attributes[r->at_end][r->next++];
    put(r, r->tx, r->at_end ? FTR_CLASS_END : FTR_CLASS_BEGIN, attribute->name, attribute->type,
        value_text(rest));
}

static bool copy_name(ftr_view text, char *name)
{
    if (text.size >= NAME_SIZE)
        return false;
    memcpy(name, text.data, text.size);
    name[text.size] = '\0';
    return true;
}

static void put_recorded(scv_reader *r, ftr_scv_rest rest)
{
    uint64_t id;
    ftr_view quoted;
    ftr_view type;
    char name[NAME_SIZE];
    if (!ftr_scv_parse_number(&rest, &id) || !ftr_scv_parse_quoted(&rest, " ", &quoted) ||
        !ftr_scv_parse_word(&rest, &type) || !ftr_scv_accept(&rest, "=") ||
        !copy_name(quoted, name)) {
        report_finding(r, "an invalid attribute");
        return;
    }
    const ftr_tx_entry *entry = ftr_tx_table_find(&r->transactions, id);
    if (entry == NULL || entry->state != OPEN)
        report_finding(r, "an attribute of a transaction that is not open: skipped");
    else
        put(r, entry->tx, FTR_CLASS_RECORD, name, ftr_scv_type(type), value_text(rest));
}

/* ---- relations ------------------------------------------------------------------------------- */

static bool relate(scv_reader *r, const char *name, uint64_t from_id, uint64_t to_id)
{
    const ftr_tx_entry *from = ftr_tx_table_find(&r->transactions, from_id);
    const ftr_tx_entry *to = ftr_tx_table_find(&r->transactions, to_id);
    if (from == NULL || to == NULL || from->state == UNKNOWN || to->state == UNKNOWN)
        return false;
    ftr_import_relation(&r->target, name, from->tx, to->tx);
    return true;
}

static void wait_for_end(scv_reader *r, const char *name, uint64_t from, uint64_t to)
{
    if (!ftr_array_grow(&r->waiting, &r->waiting_capacity, r->waiting_count, sizeof *r->waiting)) {
        ftr_import_keep(&r->target, FTR_ERR_MEMORY);
        return;
    }
    waiting_relation *waiting = &r->waiting[r->waiting_count++];
    *waiting = (waiting_relation){strdup(name), from, to, r->lines.number};
    if (waiting->name == NULL)
        ftr_import_keep(&r->target, FTR_ERR_MEMORY);
}

/* Records a relation. SCV writes the second transaction of a relation (`to`) first. */
static void put_relation(scv_reader *r, ftr_scv_rest rest)
{
    ftr_view quoted;
    char name[NAME_SIZE];
    uint64_t to;
    uint64_t from;
    if (!ftr_scv_parse_quoted(&rest, " ", &quoted) || !ftr_scv_parse_number(&rest, &to) ||
        !ftr_scv_parse_number(&rest, &from) || !copy_name(quoted, name))
        report_finding(r, "an invalid relation");
    else if (!relate(r, name, from, to))
        wait_for_end(r, name, from, to);
}

static void put_waiting(scv_reader *r)
{
    for (size_t i = 0; i < r->waiting_count; i++) {
        const waiting_relation *waiting = &r->waiting[i];
        if (waiting->name != NULL && !relate(r, waiting->name, waiting->from, waiting->to))
            ftr_import_find(&r->target, "line", waiting->line,
                            "a relation of a missing transaction: skipped");
        free(waiting->name);
    }
    free(r->waiting);
}

/* ---- second pass ----------------------------------------------------------------------------- */

static void import_line(scv_reader *r, ftr_scv_rest rest)
{
    if (ftr_scv_accept(&rest, "a ") || (rest.end - rest.at == 1 && rest.at[0] == 'a')) {
        put_declared(r, rest);
        return;
    }
    if (ftr_scv_accept(&rest, "tx_record_attribute ")) {
        put_recorded(r, rest);
        return;
    }
    finish_current(r);
    if (ftr_scv_accept(&rest, "tx_begin "))
        begin(r, rest);
    else if (ftr_scv_accept(&rest, "tx_end "))
        end(r, rest);
    else if (ftr_scv_accept(&rest, "tx_relation "))
        put_relation(r, rest);
    else if (!ftr_scv_define(&r->definitions, &r->target, rest, r->lines.number) &&
             rest.at < rest.end)
        report_finding(r, "an invalid line");
}

static bool record_all(scv_reader *r)
{
    ftr_progress progress;
    size_t size;
    const char *line;
    ftr_progress_begin(&progress, r->input.size, "bytes");
    while (r->target.status == FTR_OK && (line = ftr_scv_lines_next(&r->lines, &size)) != NULL) {
        if (r->lines.cut)
            report_finding(r, "a line of more than a million characters: cut");
        import_line(r, rest_of(line, size));
        if (r->lines.number % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&progress, r->input.read);
    }
    finish_current(r);
    ftr_progress_end(&progress);
    put_waiting(r);
    return !r->lines.failed;
}

static bool import(scv_reader *r, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    r->target.report = report;
    if (!look_ahead(r) || !ftr_scv_lines_rewind(&r->lines))
        return false;
    ftr_recorder_options own = *options;
    own.time_scale = r->time_scale;
    r->single = own.floats == FTR_FLOATS_SINGLE;
    if (!ftr_import_open(&r->target, r->input.path, output, &own, report, result))
        return false;
    const bool ok = record_all(r);
    if (!ftr_import_close(&r->target))
        return false;
    if (result->unfinished > 0 && !result->again)
        ftr_exchange_print(report,
                           "%s: %" PRIu64 " transactions have no end: they end with the file",
                           r->input.path, result->unfinished);
    return ok;
}

bool ftr_scv_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result)
{
    scv_reader *r = ftr_exchange_state(sizeof *r, path, report);
    bool ok = false;
    if (r == NULL)
        return false;
    if (ftr_byte_input_open(&r->input, path, report)) {
        ok = ftr_scv_lines_init(&r->lines, &r->input) && import(r, output, options, report, result);
        ftr_scv_lines_release(&r->lines);
        ftr_byte_input_close(&r->input);
    }
    ftr_tx_table_release(&r->transactions);
    ftr_scv_definitions_release(&r->definitions);
    free(r);
    return ok;
}
