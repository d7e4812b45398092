/* Owns the conversion of FTR to lines of SCV text (docs/exchange.md). The format has no escapes: a
 * text ends with its line, so line breaks in a text become blanks. */
#include "scv_text_writer.h"

#include "common_attributes.h"
#include "exchange_file.h"
#include "progress.h"
#include "timeline.h"
#include "type_names.h"
#include "vector_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096

typedef struct writer {
    ftr_reader *reader;
    ftr_text_output out;
    ftr_common_attributes declarations;
    ftr_attribute_value *values; /* of the declared attributes, by their number */
    bool *given;
    size_t value_capacity;
    int unit;        /* number of factors 1000 per second: 4 for ps */
    uint64_t factor; /* units per tick */
    bool out_of_range;
    uint64_t events; /* expected number of events, for the progress bar */
} writer;

static void print(writer *w, const char *text)
{
    ftr_print_string(&w->out.text, text);
}

/* ---- times ----------------------------------------------------------------------------------- */

static const char *const UNITS[] = {" s", " ms", " us", " ns", " ps", " fs"};

static bool choose_unit(writer *w, int time_scale)
{
    w->unit = time_scale >= 0 ? 0 : (-time_scale + 2) / 3;
    w->factor = 1;
    if (w->unit > 5 || time_scale > 18)
        return false;
    for (int scale = time_scale; scale > -3 * w->unit; scale--)
        w->factor *= 10;
    return true;
}

/* Prints a time in the longest unit that gives a whole number, because readers accept no
 * fractions. */
static void print_time(writer *w, uint64_t ticks)
{
    int unit = w->unit;
    if (ticks == 0)
        unit = 0;
    while (unit > 0 && ticks % 1000 == 0 && ticks > 0) {
        ticks /= 1000;
        unit--;
    }
    if (ticks > UINT64_MAX / w->factor)
        w->out_of_range = true;
    ftr_print_uint(&w->out.text, ticks * w->factor);
    print(w, UNITS[unit]);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void print_text(writer *w, ftr_view text)
{
    const char *at = text.data;
    const char *end = at != NULL ? at + text.size : at;
    while (at < end) {
        const char *from = at;
        while (at < end && *at != '\n' && *at != '\r' && *at != '\0')
            at++;
        ftr_print(&w->out.text, from, (size_t)(at - from));
        if (at < end) {
            ftr_print_char(&w->out.text, ' ');
            at++;
        }
    }
}

static void print_quoted(writer *w, ftr_view text)
{
    ftr_print_char(&w->out.text, '"');
    print_text(w, text);
    ftr_print_char(&w->out.text, '"');
}

/* SCV has no values without a type. */
static const char *type_name(ftr_type type)
{
    return (unsigned)type <= FTR_TYPE_TIME ? ftr_type_name(type) : ftr_type_name(FTR_TYPE_STRING);
}

static void print_value(writer *w, const ftr_attribute_value *attribute)
{
    ftr_printer *out = &w->out.text;
    ftr_attribute_value value = *attribute;
    char digits[FTR_VECTOR_DIGITS];
    ftr_vector_as_text(&value, digits);
    switch (value.form) {
    case FTR_FORM_BOOLEAN:
        print(w, value.as.boolean ? "true" : "false");
        break;
    case FTR_FORM_INTEGER:
        ftr_print_int(out, value.as.integer);
        break;
    case FTR_FORM_NUMBER:
        if (value.type == FTR_TYPE_TIME)
            print_time(w, value.as.number);
        else
            ftr_print_uint(out, value.as.number);
        break;
    case FTR_FORM_REAL:
        ftr_print_real(out, value.as.real, value.real_size);
        break;
    default:
        print_quoted(w, value.as.text);
    }
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Streams and generators share one numbering, from 1. */
static uint64_t stream_number(const ftr_stream_info *stream)
{
    return (uint64_t)stream->index + 1;
}

static uint64_t generator_number(const writer *w, const ftr_generator_info *generator)
{
    return ftr_reader_stream_count(w->reader) + generator->index + 1;
}

static void print_stream(writer *w, const ftr_stream_info *stream)
{
    static const ftr_view NO_KIND = {"<no_stream_kind>", 16};
    print(w, "scv_tr_stream (ID ");
    ftr_print_uint(&w->out.text, stream_number(stream));
    print(w, ", name ");
    print_quoted(w, stream->name);
    print(w, ", kind ");
    print_quoted(w, stream->kind.size > 0 ? stream->kind : NO_KIND);
    print(w, ")\n");
}

static void print_declarations(writer *w, const ftr_common_list *list, const char *keyword)
{
    for (size_t i = 0; i < list->count; i++) {
        print(w, keyword);
        print(w, " (ID ");
        ftr_print_uint(&w->out.text, i);
        print(w, ", name ");
        print_quoted(w, (ftr_view){list->attributes[i].name, list->attributes[i].name_size});
        print(w, ", type \"");
        print(w, type_name(list->attributes[i].type));
        print(w, "\")\n");
    }
}

static void print_generator(writer *w, const ftr_generator_info *generator)
{
    print(w, "scv_tr_generator (ID ");
    ftr_print_uint(&w->out.text, generator_number(w, generator));
    print(w, ", name ");
    print_quoted(w, generator->name);
    print(w, ", scv_tr_stream ");
    ftr_print_uint(&w->out.text, stream_number(generator->stream));
    print(w, ",\n");
    if (generator->index < w->declarations.count) {
        const ftr_common_generator *declared = &w->declarations.generators[generator->index];
        print_declarations(w, &declared->lists[FTR_CLASS_BEGIN], "begin_attribute");
        print_declarations(w, &declared->lists[FTR_CLASS_END], "end_attribute");
    }
    print(w, ")\n");
}

/* ---- transactions ---------------------------------------------------------------------------- */

static bool make_room(writer *w, size_t count)
{
    if (count <= w->value_capacity)
        return true;
    ftr_attribute_value *values = realloc(w->values, count * sizeof *values);
    if (values != NULL)
        w->values = values;
    bool *given = realloc(w->given, count * sizeof *given);
    if (given != NULL)
        w->given = given;
    if (values == NULL || given == NULL)
        return false;
    w->value_capacity = count;
    return true;
}

static void print_recorded(writer *w, uint64_t id, const ftr_attribute_value *attribute)
{
    print(w, "tx_record_attribute ");
    ftr_print_uint(&w->out.text, id);
    ftr_print_char(&w->out.text, ' ');
    print_quoted(w, attribute->name);
    ftr_print_char(&w->out.text, ' ');
    print(w, type_name(attribute->type));
    print(w, " = ");
    print_value(w, attribute);
    ftr_print_char(&w->out.text, '\n');
}

/* Collects the declared attributes of @p class_ by number.
 * @return at the begin: true if the transaction has only declared attributes */
static bool collect(writer *w, ftr_transaction *tx, ftr_attribute_class class_)
{
    const ftr_common_generator *declared = &w->declarations.generators[tx->generator->index];
    const size_t at_begin = declared->lists[FTR_CLASS_BEGIN].count;
    size_t next[3] = {0};
    bool all = true;
    ftr_attribute_value attribute;
    if (w->value_capacity > 0)
        memset(w->given, 0, w->value_capacity * sizeof *w->given);
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(w->reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE ||
            (class_ == FTR_CLASS_END && attribute.class_ != FTR_CLASS_END))
            continue;
        const size_t number = ftr_common_number(declared, &attribute, next[attribute.class_]);
        const size_t at = number + (attribute.class_ == FTR_CLASS_END ? at_begin : 0);
        if (number == SIZE_MAX || w->given[at]) {
            all = false;
            continue;
        }
        w->given[at] = true;
        next[attribute.class_] = number + 1;
        if (attribute.class_ == class_)
            w->values[number] = attribute;
    }
    return all;
}

/* Writes the undeclared attributes of every class: there is only one form for them. */
static void record_rest(writer *w, ftr_transaction *tx)
{
    const ftr_common_generator *declared = &w->declarations.generators[tx->generator->index];
    const size_t at_begin = declared->lists[FTR_CLASS_BEGIN].count;
    ftr_attribute_value attribute;
    if (w->value_capacity > 0)
        memset(w->given, 0, w->value_capacity * sizeof *w->given);
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(w->reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE)
            continue; /* a missing value cannot be expressed */
        const size_t number = ftr_common_number(declared, &attribute, 0);
        const size_t at = number + (attribute.class_ == FTR_CLASS_END ? at_begin : 0);
        if (number == SIZE_MAX || w->given[at])
            print_recorded(w, tx->id, &attribute);
        else
            w->given[at] = true;
    }
}

static void print_declared(writer *w, const ftr_transaction *tx, ftr_attribute_class class_)
{
    const size_t count = w->declarations.generators[tx->generator->index].lists[class_].count;
    for (size_t i = 0; i < count; i++) {
        print(w, "a ");
        print_value(w, &w->values[i]);
        ftr_print_char(&w->out.text, '\n');
    }
}

static void print_event(writer *w, const char *keyword, const ftr_transaction *tx, uint64_t time)
{
    print(w, keyword);
    ftr_print_uint(&w->out.text, tx->id);
    ftr_print_char(&w->out.text, ' ');
    ftr_print_uint(&w->out.text, generator_number(w, tx->generator));
    ftr_print_char(&w->out.text, ' ');
    print_time(w, time);
    ftr_print_char(&w->out.text, '\n');
}

static bool begin_transaction(writer *w, ftr_transaction *tx)
{
    const ftr_common_generator *declared = &w->declarations.generators[tx->generator->index];
    if (!make_room(w,
                   declared->lists[FTR_CLASS_BEGIN].count + declared->lists[FTR_CLASS_END].count))
        return false;
    print_event(w, "tx_begin ", tx, tx->begin);
    bool all = false;
    if (declared->lists[FTR_CLASS_BEGIN].count > 0) {
        all = collect(w, tx, FTR_CLASS_BEGIN);
        print_declared(w, tx, FTR_CLASS_BEGIN);
    }
    if (!all)
        record_rest(w, tx);
    return true;
}

static void end_transaction(writer *w, ftr_transaction *tx)
{
    print_event(w, "tx_end ", tx, tx->end > tx->begin ? tx->end : tx->begin);
    if (w->declarations.generators[tx->generator->index].lists[FTR_CLASS_END].count > 0) {
        (void)collect(w, tx, FTR_CLASS_END);
        print_declared(w, tx, FTR_CLASS_END);
    }
}

static ftr_status write_transactions(writer *w)
{
    const ftr_query query = {.size = sizeof query};
    ftr_timeline timeline;
    ftr_timeline_event event;
    ftr_progress progress;
    uint64_t passed = 0;
    ftr_status status = ftr_timeline_open(&timeline, w->reader, &query);
    if (status != FTR_OK)
        return status;
    ftr_progress_begin(&progress, w->events, "events");
    while (!w->out.text.failed && (status = ftr_timeline_next(&timeline, &event)) == FTR_OK) {
        if (event.kind != FTR_TIMELINE_END && !begin_transaction(w, event.tx)) {
            status = FTR_ERR_MEMORY;
            break;
        }
        if (event.kind != FTR_TIMELINE_BEGIN)
            end_transaction(w, event.tx);
        if (++passed % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&progress, passed);
    }
    ftr_progress_end(&progress);
    ftr_timeline_close(&timeline);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* SCV writes the later transaction first: `to`, then `from`. */
static ftr_status write_relations(writer *w)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(w->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while (!w->out.text.failed &&
           (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        print(w, "tx_relation ");
        print_quoted(w, relation.name);
        ftr_print_char(&w->out.text, ' ');
        ftr_print_uint(&w->out.text, relation.to_tx);
        ftr_print_char(&w->out.text, ' ');
        ftr_print_uint(&w->out.text, relation.from_tx);
        ftr_print_char(&w->out.text, '\n');
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* ---- file ------------------------------------------------------------------------------------ */

static ftr_status write_all(writer *w)
{
    ftr_status status = ftr_common_attributes_find(&w->declarations, w->reader);
    if (status != FTR_OK)
        return status;
    for (size_t i = 0; i < w->declarations.count; i++)
        w->events += 2 * w->declarations.generators[i].transactions;
    for (size_t i = 0; i < ftr_reader_stream_count(w->reader); i++)
        print_stream(w, ftr_reader_get_stream(w->reader, i));
    for (size_t i = 0; i < ftr_reader_generator_count(w->reader); i++)
        print_generator(w, ftr_reader_get_generator(w->reader, i));
    status = write_transactions(w);
    return status == FTR_OK ? write_relations(w) : status;
}

bool ftr_scv_write(ftr_reader *reader, int fd, const char *path, const ftr_exchange_report *report)
{
    ftr_summary summary;
    ftr_reader_get_summary(reader, &summary);
    writer *w = calloc(1, sizeof *w);
    if (w == NULL)
        return false;
    w->reader = reader;
    bool well = choose_unit(w, summary.time_scale);
    if (!well)
        ftr_exchange_print(report, "a time scale of 10^%d s cannot be written as SCV text",
                           summary.time_scale);
    well = well && ftr_text_output_open(&w->out, fd, path, report);
    if (well) {
        errno = 0;
        const ftr_status status = write_all(w);
        if (status != FTR_OK)
            ftr_exchange_print_status(report, path, status);
        if (w->out_of_range)
            ftr_exchange_print(report, "%s: a time exceeds 64 bits in the unit it is written in",
                               path);
        well = ftr_text_output_close(&w->out) && status == FTR_OK && !w->out_of_range;
    }
    ftr_common_attributes_release(&w->declarations);
    free(w->values);
    free(w->given);
    free(w);
    return well;
}
