/* Converts FTR to lines of SCV text (docs/exchange.md). The format has no escapes, and a text ends
 * at the end of its line. Line breaks in a text therefore become blanks. */
#include "formats.h"

#include "tx_table.h"
#include "generator_attributes.h"
#include "exchange_file.h"
#include "growing_array.h"
#include "exchange_report.h"
#include "timeline.h"
#include "attribute_types.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096

/* The declared attributes of a generator. */
typedef struct declared_attributes {
    /* indices in the table of attributes: first the attributes of class begin, then of class end */
    size_t *numbers;
    size_t counts[2]; /* number of declared attributes of class begin and of class end */
} declared_attributes;

/* The data with which one thread prints. */
typedef struct writer {
    ftr_reader *reader; /* the reader of this thread */
    ftr_printer *text;
    ftr_attribute_tables attributes;
    declared_attributes *declared; /* owned by the calling thread; index: number of the generator */
    /* values of the current transaction; index: number in the table of its generator */
    ftr_attribute_value *values;
    size_t value_capacity;
    /* the unit of times is 1000^-unit seconds (index in UNITS); for example, 4 for ps */
    int unit;
    uint64_t factor;         /* number of units per tick */
    uint64_t generator_base; /* the generator with the index 0 has the number generator_base + 1 */
    /* a time exceeds 64 bits: in a reading thread, a time of the current event; in the calling
     * thread, any time */
    bool out_of_range;
    bool failed;     /* out of memory */
    uint64_t blanks; /* number of line breaks and NULs that became blanks */
} writer;

/* A reading thread, which prints the lines of transactions. */
typedef struct printing_thread {
    writer writer;
    ftr_printer text;
} printing_thread;

typedef struct conversion {
    writer writer; /* prints definitions and relations on the calling thread */
    ftr_text_output out;
    unsigned reader_threads;
    printing_thread *threads;
    unsigned thread_count;
    uint64_t events; /* expected number of events, for the progress bar */
} conversion;

static void print(writer *w, const char *text)
{
    ftr_print_string(w->text, text);
}

/* ---- times ----------------------------------------------------------------------------------- */

static const char *const UNITS[] = {"s", "ms", "us", "ns", "ps", "fs"};

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

/* Prints a time as a whole number in the longest possible unit, because readers do not accept
 * fractions. @param separator text between the number and the unit */
static void print_time(writer *w, uint64_t ticks, const char *separator)
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
    ftr_print_uint(w->text, ticks * w->factor);
    print(w, separator);
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
        ftr_print(w->text, from, (size_t)(at - from));
        if (at < end) {
            ftr_print_char(w->text, ' ');
            w->blanks++;
            at++;
        }
    }
}

static void print_quoted(writer *w, ftr_view text)
{
    ftr_print_char(w->text, '"');
    print_text(w, text);
    ftr_print_char(w->text, '"');
}

/* Returns the name of a type. SCV has no values without a type, so such values are written as
 * STRING. */
static const char *type_name(ftr_type type)
{
    return (unsigned)type <= FTR_TYPE_TIME ? ftr_type_name(type) : ftr_type_name(FTR_TYPE_STRING);
}

static void print_value(writer *w, const ftr_attribute_value *attribute)
{
    ftr_printer *out = w->text;
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
            /* without a blank, because SCViewer cuts a value at its first blank */
            print_time(w, value.as.number, "");
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

/* Returns the number of a stream in SCV text. Streams have the first numbers, and generators have
 * the next ones. */
static uint64_t stream_number(const ftr_stream_info *stream)
{
    return (uint64_t)stream->index + 1;
}

static uint64_t generator_number(const writer *w, const ftr_generator_info *generator)
{
    return w->generator_base + generator->index + 1;
}

static void print_stream(writer *w, const ftr_stream_info *stream)
{
    static const ftr_view NO_KIND = {"<no_stream_kind>", 16};
    print(w, "scv_tr_stream (ID ");
    ftr_print_uint(w->text, stream_number(stream));
    print(w, ", name ");
    print_quoted(w, stream->name);
    print(w, ", kind ");
    print_quoted(w, stream->kind.size > 0 ? stream->kind : NO_KIND);
    print(w, ")\n");
}

/* Returns true if the generator declares the attribute. It declares an attribute if all its
 * transactions have this attribute. If a transaction has two attributes of the same name, only the
 * first one is declared. */
static bool is_declared(const ftr_generator_attributes *generator,
                        const ftr_found_attribute *attribute, ftr_attribute_class class_)
{
    return attribute->class_ == class_ && attribute->present == generator->transactions &&
           !attribute->is_repeated;
}

/* Lists the declared attributes of a generator. They are listed only once, because a generator can
 * have many attributes of which each transaction has few. @return false if out of memory */
static bool list_declared(const ftr_generator_attributes *generator, declared_attributes *declared)
{
    static const ftr_attribute_class CLASSES[] = {FTR_CLASS_BEGIN, FTR_CLASS_END};
    size_t capacity = 0;
    size_t count = 0;
    for (unsigned class_ = 0; class_ < 2; class_++)
        for (size_t i = 0; i < generator->count; i++) {
            if (!is_declared(generator, &generator->attributes[i], CLASSES[class_]))
                continue;
            if (!ftr_array_grow(&declared->numbers, &capacity, count, sizeof *declared->numbers))
                return false;
            declared->numbers[count++] = i;
            declared->counts[class_]++;
        }
    return true;
}

static bool list_all_declared(writer *w)
{
    w->declared = calloc(w->attributes.count + 1, sizeof *w->declared);
    for (size_t i = 0; w->declared != NULL && i < w->attributes.count; i++)
        if (!list_declared(&w->attributes.generators[i], &w->declared[i]))
            return false;
    return w->declared != NULL;
}

static void release_declared(writer *w)
{
    for (size_t i = 0; w->declared != NULL && i < w->attributes.count; i++)
        free(w->declared[i].numbers);
    free(w->declared);
}

static void print_declarations(writer *w, const ftr_generator_attributes *generator,
                               ftr_attribute_class class_, const char *keyword)
{
    uint64_t number = 0;
    for (size_t i = 0; i < generator->count; i++) {
        const ftr_found_attribute *attribute = &generator->attributes[i];
        if (!is_declared(generator, attribute, class_))
            continue;
        print(w, keyword);
        print(w, " (ID ");
        ftr_print_uint(w->text, number++);
        print(w, ", name ");
        print_quoted(w, (ftr_view){attribute->name, attribute->name_size});
        print(w, ", type \"");
        print(w, type_name(attribute->type));
        print(w, "\")\n");
    }
}

static void print_generator(writer *w, const ftr_generator_info *generator)
{
    print(w, "scv_tr_generator (ID ");
    ftr_print_uint(w->text, generator_number(w, generator));
    print(w, ", name ");
    print_quoted(w, generator->name);
    print(w, ", scv_tr_stream ");
    ftr_print_uint(w->text, stream_number(generator->stream));
    print(w, ",\n");
    if (generator->index < w->attributes.count) {
        const ftr_generator_attributes *found = &w->attributes.generators[generator->index];
        print_declarations(w, found, FTR_CLASS_BEGIN, "begin_attribute");
        print_declarations(w, found, FTR_CLASS_END, "end_attribute");
    }
    print(w, ")\n");
}

/* ---- transactions ---------------------------------------------------------------------------- */

static void print_recorded(writer *w, uint64_t id, const ftr_attribute_value *attribute)
{
    print(w, "tx_record_attribute ");
    ftr_print_uint(w->text, id);
    ftr_print_char(w->text, ' ');
    print_quoted(w, attribute->name);
    ftr_print_char(w->text, ' ');
    print(w, type_name(attribute->type));
    print(w, " = ");
    print_value(w, attribute);
    ftr_print_char(w->text, '\n');
}

/* Reads the next attribute that has a value, because SCV cannot express an attribute without a
 * value. */
static bool next_attribute(writer *w, ftr_transaction *tx, ftr_generator_attributes *generator,
                           ftr_attribute_value *attribute, const ftr_found_attribute **found)
{
    while (ftr_reader_next_attribute(w->reader, tx, attribute))
        if (attribute->form != FTR_FORM_NONE) {
            *found = ftr_attribute_visit(generator, attribute);
            return true;
        }
    return false;
}

/* Writes the values of the declared attributes of @p class_, in the order of their declarations.
 * @return false if out of memory */
static bool print_declared(writer *w, ftr_transaction *tx, ftr_attribute_class class_)
{
    ftr_generator_attributes *generator = &w->attributes.generators[tx->generator->index];
    ftr_attribute_value attribute;
    const ftr_found_attribute *found;
    if (!ftr_array_fit(&w->values, &w->value_capacity, generator->count, sizeof *w->values))
        return false;
    ftr_transaction_rewind(tx);
    ftr_attribute_visit_begin(generator);
    while (next_attribute(w, tx, generator, &attribute, &found))
        if (found != NULL)
            w->values[found - generator->attributes] = attribute;
    const declared_attributes *declared = &w->declared[tx->generator->index];
    const size_t first = class_ == FTR_CLASS_BEGIN ? 0 : declared->counts[0];
    const size_t count = declared->counts[class_ != FTR_CLASS_BEGIN];
    for (size_t i = first; i < first + count; i++) {
        const size_t number = declared->numbers[i];
        if (generator->attributes[number].visit != generator->visit)
            continue;
        print(w, "a ");
        print_value(w, &w->values[number]);
        ftr_print_char(w->text, '\n');
    }
    return true;
}

/* Writes the undeclared attributes of all classes. SCV has only one form for undeclared
 * attributes. */
static void record_rest(writer *w, ftr_transaction *tx)
{
    ftr_generator_attributes *generator = &w->attributes.generators[tx->generator->index];
    ftr_attribute_value attribute;
    const ftr_found_attribute *found;
    ftr_transaction_rewind(tx);
    ftr_attribute_visit_begin(generator);
    while (next_attribute(w, tx, generator, &attribute, &found))
        if (found == NULL || !(is_declared(generator, found, FTR_CLASS_BEGIN) ||
                               is_declared(generator, found, FTR_CLASS_END)))
            print_recorded(w, tx->id, &attribute);
}

static void print_event(writer *w, const char *keyword, const ftr_transaction *tx, uint64_t time)
{
    print(w, keyword);
    ftr_print_uint(w->text, tx->id);
    ftr_print_char(w->text, ' ');
    ftr_print_uint(w->text, generator_number(w, tx->generator));
    ftr_print_char(w->text, ' ');
    print_time(w, time, " ");
    ftr_print_char(w->text, '\n');
}

static bool begin_transaction(writer *w, ftr_transaction *tx)
{
    const declared_attributes *declared = &w->declared[tx->generator->index];
    print_event(w, "tx_begin ", tx, tx->begin);
    if (declared->counts[0] > 0 && !print_declared(w, tx, FTR_CLASS_BEGIN))
        return false;
    if (declared->counts[0] + declared->counts[1] <
        w->attributes.generators[tx->generator->index].count)
        record_rest(w, tx);
    return true;
}

static bool end_transaction(writer *w, ftr_transaction *tx)
{
    print_event(w, "tx_end ", tx, tx->end > tx->begin ? tx->end : tx->begin);
    return w->declared[tx->generator->index].counts[1] == 0 || print_declared(w, tx, FTR_CLASS_END);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Prepares the lines of an event. Behind the lines, appends a byte, which is 1 if a time in the
 * lines is out of range. */
static void print_lines(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                        ftr_timeline_event_kind kind, ftr_prepared *prepared)
{
    const conversion *c = user;
    writer *w = &c->threads[thread].writer;
    w->reader = reader;
    w->out_of_range = false;
    ftr_printer_prepare(w->text, prepared);
    if ((kind != FTR_TIMELINE_END && !begin_transaction(w, tx)) ||
        (kind != FTR_TIMELINE_BEGIN && !end_transaction(w, tx)))
        w->failed = true;
    (void)ftr_printer_flush(w->text);
    uint8_t *out_of_range = ftr_prepared_append(prepared, 1);
    if (out_of_range != NULL) /* otherwise the cursor reports the lack of memory */
        *out_of_range = w->out_of_range ? 1 : 0;
}

static bool open_threads(conversion *c)
{
    const unsigned count = ftr_timeline_threads(c->reader_threads);
    c->threads = calloc(count, sizeof *c->threads);
    for (; c->threads != NULL && c->thread_count < count; c->thread_count++) {
        printing_thread *thread = &c->threads[c->thread_count];
        ftr_printer_init(&thread->text, -1);
        thread->writer = c->writer;
        thread->writer.text = &thread->text;
        thread->writer.blanks = 0;
        if (!ftr_attribute_tables_copy(&c->writer.attributes, &thread->writer.attributes)) {
            ftr_attribute_tables_release(&thread->writer.attributes);
            return false;
        }
    }
    return c->threads != NULL;
}

static void close_threads(conversion *c)
{
    for (unsigned i = 0; i < c->thread_count; i++) {
        writer *w = &c->threads[i].writer;
        c->writer.failed |= w->failed;
        c->writer.blanks += w->blanks;
        ftr_attribute_tables_release(&w->attributes);
        free(w->values);
    }
    free(c->threads);
    c->threads = NULL;
    c->thread_count = 0;
}

static ftr_status copy_lines(conversion *c)
{
    const ftr_query query = {.size = sizeof query};
    const ftr_timeline_maker maker = {print_lines, c, c->reader_threads};
    ftr_printer *text = c->writer.text;
    ftr_timeline timeline;
    ftr_timeline_event event;
    ftr_progress progress;
    uint64_t passed = 0;
    ftr_status status = ftr_timeline_open(&timeline, c->writer.reader, &query, &maker);
    if (status != FTR_OK)
        return status;
    ftr_progress_begin(&progress, c->events, "events");
    while (!text->failed && (status = ftr_timeline_next(&timeline, &event)) == FTR_OK) {
        const char *lines = event.bytes;
        ftr_print(text, lines, event.size - 1);
        c->writer.out_of_range |= lines[event.size - 1] != 0;
        if (++passed % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&progress, passed);
    }
    ftr_progress_end(&progress);
    ftr_timeline_close(&timeline);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status write_transactions(conversion *c)
{
    ftr_status status = open_threads(c) ? copy_lines(c) : FTR_ERR_MEMORY;
    close_threads(c);
    return status == FTR_OK && c->writer.failed ? FTR_ERR_MEMORY : status;
}

/* ---- relations ------------------------------------------------------------------------------- */

/* SCV writes the second transaction of a relation first: `to`, then `from`. */
static ftr_status print_relation(void *user, const ftr_relation_info *relation)
{
    writer *w = user;
    print(w, "tx_relation ");
    print_quoted(w, relation->name);
    ftr_print_char(w->text, ' ');
    ftr_print_uint(w->text, relation->to_tx);
    ftr_print_char(w->text, ' ');
    ftr_print_uint(w->text, relation->from_tx);
    ftr_print_char(w->text, '\n');
    /* a write error is reported when the file is closed */
    return w->text->failed ? FTR_ERR_END : FTR_OK;
}

/* ---- file ------------------------------------------------------------------------------------ */

static ftr_status write_all(conversion *c)
{
    writer *w = &c->writer;
    ftr_status status = ftr_attribute_tables_find(&w->attributes, w->reader, c->reader_threads);
    if (status != FTR_OK)
        return status;
    if (!list_all_declared(w))
        return FTR_ERR_MEMORY;
    w->generator_base = ftr_reader_stream_count(w->reader);
    for (size_t i = 0; i < w->attributes.count; i++)
        c->events += 2 * w->attributes.generators[i].transactions;
    for (size_t i = 0; i < ftr_reader_stream_count(w->reader); i++)
        print_stream(w, ftr_reader_get_stream(w->reader, i));
    for (size_t i = 0; i < ftr_reader_generator_count(w->reader); i++)
        print_generator(w, ftr_reader_get_generator(w->reader, i));
    status = write_transactions(c);
    return status == FTR_OK ? ftr_each_relation(w->reader, print_relation, w) : status;
}

bool ftr_scv_write(ftr_reader *reader, unsigned threads, int fd, const char *path,
                   const ftr_exchange_report *report)
{
    ftr_file_info info;
    ftr_reader_get_info(reader, &info);
    conversion *c = ftr_exchange_state(sizeof *c, path, report);
    if (c == NULL)
        return false;
    writer *w = &c->writer;
    w->reader = reader;
    w->text = &c->out.text;
    c->reader_threads = threads;
    bool ok = choose_unit(w, info.time_scale);
    if (!ok)
        ftr_exchange_print(report, "a time scale of 10^%d s cannot be written as SCV text",
                           info.time_scale);
    ok = ok && ftr_text_output_open(&c->out, fd, path, report);
    if (ok) {
        errno = 0;
        const ftr_status status = write_all(c);
        if (status != FTR_OK)
            ftr_exchange_print_status(report, path, status);
        if (w->out_of_range)
            ftr_exchange_print(report, "%s: a time exceeds 64 bits in the unit it is written in",
                               path);
        ok = ftr_text_output_close(&c->out) && status == FTR_OK && !w->out_of_range;
        if (ok && w->blanks > 0)
            ftr_exchange_print(report,
                               "%s: %" PRIu64 " line breaks and NULs in texts and names became "
                               "blanks, because SCV text has no escape sequences",
                               path, w->blanks);
    }
    release_declared(w);
    ftr_attribute_tables_release(&w->attributes);
    free(c);
    return ok;
}
