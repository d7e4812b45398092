/* Converts FTR to trace events. The members of JSON objects are printed directly into the buffer of
 * the file, as in `ftr dump --json`. */
#include "formats.h"

#include "exchange_file.h"
#include "exchange_report.h"
#include "stream_lanes.h"
#include "tx_table.h"
#include "json_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096
/* To find repeated names, only this number of attribute names of a transaction are compared: the
 * first ones. */
#define NAMES_MAX 64

/* The data with which a reading thread prints transactions. */
typedef struct printing_thread {
    ftr_printer text;
    ftr_view names[NAMES_MAX]; /* names of the attributes of the current transaction */
    ftr_status status;
} printing_thread;

typedef struct writer {
    ftr_text_output out;
    ftr_progress progress;
    uint64_t passed;
    uint64_t flow; /* number of the last flow (an arrow for a relation) */
    /* the current input */
    ftr_reader *reader;
    uint64_t process;
    int time_scale;
    ftr_lane_table lanes;
    ftr_tx_table related;
    printing_thread *threads;
    bool has_events;
    ftr_status status;
} writer;

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Prints the comma and the key of another member of the open object. */
static void put_key(ftr_printer *to, const char *key)
{
    ftr_print_string(to, ",\"");
    ftr_print_string(to, key);
    ftr_print_string(to, "\":");
}

static void put_text(ftr_printer *to, ftr_view text)
{
    ftr_print_json(to, text.data == NULL ? "" : text.data, text.size);
}

static void put_number(ftr_printer *to, const char *key, uint64_t value)
{
    put_key(to, key);
    ftr_print_uint(to, value);
}

/* Prints ticks as microseconds. The number is exact: it has as many decimal places as needed. */
static void put_time(ftr_printer *to, const char *key, int time_scale, uint64_t ticks)
{
    char digits[64];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, ticks);
    int point = time_scale + 6; /* power of ten of the last digit, in microseconds */
    for (; point > 0 && ticks != 0; point--)
        digits[size++] = '0';
    if (point < 0 && ticks != 0) {
        const int behind = -point;
        const int zeros = size <= behind ? behind - size + 1 : 0;
        memmove(digits + zeros, digits, (size_t)size);
        memset(digits, '0', (size_t)zeros);
        size += zeros;
        memmove(digits + size - behind + 1, digits + size - behind, (size_t)behind);
        digits[size - behind] = '.';
        size++;
        while (digits[size - 1] == '0')
            size--;
        size -= digits[size - 1] == '.';
    }
    put_key(to, key);
    ftr_print(to, digits, (size_t)size);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Prints the first members of an event: {"ph": PHASE, "pid": ..., "tid": ... */
static void begin_event(writer *w, char phase, uint64_t track)
{
    ftr_print_string(&w->out.text, w->has_events ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    w->has_events = true;
    ftr_print_char(&w->out.text, phase);
    ftr_print_char(&w->out.text, '"');
    put_number(&w->out.text, "pid", w->process);
    put_number(&w->out.text, "tid", track);
}

static void end_event(writer *w)
{
    ftr_print_char(&w->out.text, '}');
}

static void put_name(ftr_printer *to, ftr_view name, ftr_view category)
{
    put_key(to, "name");
    put_text(to, name);
    put_key(to, "cat");
    put_text(to, category);
}

/* Prints @p text and @p suffix as one string. @return FTR_OK or FTR_ERR_MEMORY */
static ftr_status put_with(ftr_printer *to, ftr_view text, const char *suffix)
{
    const size_t size = strlen(suffix);
    char *whole = malloc(text.size + size + 1);
    if (whole == NULL)
        return FTR_ERR_MEMORY;
    if (text.size > 0)
        memcpy(whole, text.data, text.size);
    memcpy(whole + text.size, suffix, size);
    put_text(to, (ftr_view){whole, text.size + size});
    free(whole);
    return FTR_OK;
}

/* Prints the event that names a track: @p kind is `process_name` or `thread_name`. @p ordinal,
 * counted from 0, is added to the name if it is not 0. */
static void name_track(writer *w, const char *kind, uint64_t track, ftr_view name, size_t ordinal)
{
    char number[32];
    (void)snprintf(number, sizeof number, " #%zu", ordinal + 1);
    begin_event(w, 'M', track);
    put_key(&w->out.text, "name");
    put_text(&w->out.text, (ftr_view){kind, strlen(kind)});
    put_key(&w->out.text, "args");
    ftr_print_string(&w->out.text, "{\"name\":");
    if (put_with(&w->out.text, name, ordinal > 0 ? number : "") != FTR_OK)
        w->status = FTR_ERR_MEMORY;
    ftr_print_char(&w->out.text, '}');
    end_event(w);
}

static bool is_taken(const printing_thread *thread, size_t count, ftr_view name)
{
    if (count > NAMES_MAX)
        return true; /* this name is not compared, and assumed to be repeated */
    for (size_t i = 0; i < count; i++)
        if (thread->names[i].size == name.size && name.data != NULL &&
            thread->names[i].data != NULL &&
            memcmp(thread->names[i].data, name.data, name.size) == 0)
            return true;
    return name.size == 2 && name.data != NULL && memcmp(name.data, "id", 2) == 0;
}

/* Prints the attributes as a JSON object. Two attributes may have the same name, but two members of
 * an object may not. Therefore a repeated name, or the name `id`, gets the class and the number of
 * the attribute as a suffix. */
static void put_attributes(printing_thread *thread, ftr_reader *reader, ftr_transaction *tx)
{
    static const char *const CLASSES[] = {"begin", "record", "end"};
    ftr_printer *to = &thread->text;
    ftr_attribute_value attribute;
    char suffix[40];
    size_t count = 0;
    put_key(to, "args");
    ftr_print_string(to, "{\"id\":");
    ftr_print_uint(to, tx->id);
    for (; ftr_reader_next_attribute(reader, tx, &attribute); count++) {
        ftr_print_char(to, ',');
        if (is_taken(thread, count, attribute.name)) {
            (void)snprintf(suffix, sizeof suffix, " (%s %zu)", CLASSES[attribute.class_],
                           count + 1);
            if (put_with(to, attribute.name, suffix) != FTR_OK)
                thread->status = FTR_ERR_MEMORY;
        } else {
            put_text(to, attribute.name);
        }
        if (count < NAMES_MAX)
            thread->names[count] = attribute.name;
        ftr_print_char(to, ':');
        ftr_put_value_json(to, &attribute);
    }
    ftr_print_char(to, '}');
}

/* The bytes that a thread prepares for a transaction: this head, then the JSON text of the event
 * that follows the number of the track (`tid`). */
typedef struct prepared_head {
    uint64_t id, begin, end;
    uint32_t stream; /* index of the stream */
} prepared_head;

static bool prepare_event(void *user, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                          ftr_prepared *prepared)
{
    const writer *w = user;
    printing_thread *thread = &w->threads[number];
    ftr_printer *to = &thread->text;
    const uint64_t end = tx->end > tx->begin ? tx->end : tx->begin;
    prepared_head *head = ftr_prepared_append(prepared, sizeof *head);
    if (head == NULL)
        return true; /* the cursor reports the lack of memory */
    *head = (prepared_head){tx->id, tx->begin, end, tx->stream->index};
    ftr_printer_prepare(to, prepared);
    put_name(to, tx->generator->name, tx->generator->name);
    put_time(to, "ts", w->time_scale, tx->begin);
    put_time(to, "dur", w->time_scale, end - tx->begin);
    put_attributes(thread, reader, tx);
    (void)ftr_printer_flush(to);
    return true;
}

static void put_transaction(writer *w, const prepared_head *tx, size_t size)
{
    bool is_new;
    size_t ordinal;
    const uint32_t track =
        ftr_lane_assign(&w->lanes, tx->stream, tx->begin, tx->end, &is_new, &ordinal);
    if (track == 0) {
        w->status = FTR_ERR_MEMORY;
        return;
    }
    if (is_new)
        name_track(w, "thread_name", track, ftr_reader_get_stream(w->reader, tx->stream)->name,
                   ordinal);
    begin_event(w, 'X', track);
    ftr_print(&w->out.text, (const char *)(tx + 1), size - sizeof *tx);
    end_event(w);
    ftr_tx_entry *entry = ftr_tx_table_find(&w->related, tx->id);
    if (entry != NULL) {
        entry->owner = track;
        entry->time = tx->begin;
    }
}

/* ---- relations ------------------------------------------------------------------------------- */

static void put_flow(writer *w, char phase, const ftr_tx_entry *end, ftr_view name)
{
    static const char CATEGORY[] = "relation";
    begin_event(w, phase, end->owner);
    put_name(&w->out.text, name, (ftr_view){CATEGORY, sizeof CATEGORY - 1});
    put_number(&w->out.text, "id", w->flow);
    put_time(&w->out.text, "ts", w->time_scale, end->time);
    /* the arrow ends at the slice that contains this time, not at the next slice */
    if (phase == 'f')
        ftr_print_string(&w->out.text, ",\"bp\":\"e\"");
    end_event(w);
}

/* Prints a relation as an arrow. Viewers draw arrows only forward in time, so the arrow for a
 * relation to an earlier transaction is reversed and marked. */
static ftr_status put_relation(void *user, const ftr_relation_info *relation)
{
    writer *w = user;
    const ftr_tx_entry *from = ftr_tx_table_find(&w->related, relation->from_tx);
    const ftr_tx_entry *to = ftr_tx_table_find(&w->related, relation->to_tx);
    if (from == NULL || to == NULL || from->owner == 0 || to->owner == 0)
        return FTR_OK; /* the file does not contain the transaction */
    w->flow++;
    const bool back = to->time < from->time;
    if (!back) {
        put_flow(w, 's', from, relation->name);
        put_flow(w, 'f', to, relation->name);
        return w->out.text.failed ? FTR_ERR_END : w->status;
    }
    static const char SUFFIX[] = " (to)";
    char *name = malloc(relation->name.size + sizeof SUFFIX);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    if (relation->name.size > 0)
        memcpy(name, relation->name.data, relation->name.size);
    memcpy(name + relation->name.size, SUFFIX, sizeof SUFFIX);
    const ftr_view view = {name, relation->name.size + sizeof SUFFIX - 1};
    put_flow(w, 's', to, view);
    put_flow(w, 'f', from, view);
    free(name);
    return w->out.text.failed ? FTR_ERR_END : w->status;
}

/* ---- file ------------------------------------------------------------------------------------ */

static ftr_status put_prepared(writer *w, ftr_cursor *cursor, uint64_t first)
{
    ftr_status status = FTR_OK;
    const void *bytes;
    size_t size;
    while (w->status == FTR_OK && !w->out.text.failed &&
           (status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK) {
        const prepared_head *tx = bytes;
        put_transaction(w, tx, size);
        if (++w->passed % PROGRESS_INTERVAL == 0 && tx->begin > first)
            ftr_progress_show(&w->progress, tx->begin - first);
    }
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status put_transactions(writer *w, unsigned threads, const ftr_file_info *info)
{
    const ftr_query query = {.size = sizeof query,
                             .order = FTR_ORDER_BEGIN,
                             .threads = threads,
                             .prepare = prepare_event,
                             .prepare_user = w};
    const unsigned count = threads > 0 ? threads : 1;
    ftr_cursor *cursor;
    w->threads = calloc(count, sizeof *w->threads);
    for (unsigned i = 0; w->threads != NULL && i < count; i++)
        ftr_printer_init(&w->threads[i].text, -1);
    ftr_status status =
        w->threads != NULL ? ftr_cursor_open(w->reader, &query, &cursor) : FTR_ERR_MEMORY;
    if (status == FTR_OK) {
        ftr_progress_begin(&w->progress, info->has_times ? info->last_time - info->first_time : 0,
                           "ticks");
        status = put_prepared(w, cursor, info->first_time);
        ftr_progress_end(&w->progress);
        ftr_cursor_close(cursor);
    }
    for (unsigned i = 0; w->threads != NULL && i < count && status == FTR_OK; i++)
        status = w->threads[i].status;
    free(w->threads);
    w->threads = NULL;
    return status;
}

static ftr_status put_input(writer *w, const ftr_named_reader *input)
{
    ftr_file_info info;
    ftr_reader_get_info(input->reader, &info);
    if (info.time_scale < -18 || info.time_scale > 9)
        return FTR_ERR_LIMIT;
    w->reader = input->reader;
    w->time_scale = info.time_scale;
    w->process++;
    name_track(w, "process_name", 0, (ftr_view){input->name, strlen(input->name)}, 0);
    ftr_status status = ftr_tx_table_add_related(&w->related, w->reader);
    if (status == FTR_OK)
        status = put_transactions(w, input->threads, &info);
    if (status == FTR_OK)
        status = ftr_each_relation(w->reader, put_relation, w);
    ftr_lane_table_release(&w->lanes);
    ftr_tx_table_release(&w->related);
    return status != FTR_OK ? status : w->status;
}

static ftr_status put_inputs(writer *w, const ftr_named_reader *inputs, size_t count)
{
    ftr_status status = FTR_OK;
    ftr_print_string(&w->out.text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (size_t i = 0; i < count && status == FTR_OK; i++)
        status = put_input(w, &inputs[i]);
    ftr_print_string(&w->out.text, "\n]}\n");
    return status;
}

bool ftr_trace_event_write(const ftr_named_reader *inputs, size_t count, int fd, const char *path,
                           const ftr_exchange_report *report)
{
    writer *w = ftr_exchange_state(sizeof *w, path, report);
    bool ok = false;
    if (w == NULL)
        return false;
    if (ftr_text_output_open(&w->out, fd, path, report)) {
        errno = 0;
        const ftr_status status = put_inputs(w, inputs, count);
        if (status != FTR_OK)
            ftr_exchange_print_status(report, path, status);
        ok = ftr_text_output_close(&w->out) && status == FTR_OK;
    }
    free(w);
    return ok;
}
