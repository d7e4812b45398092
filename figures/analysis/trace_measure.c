/* Reads a trace to measure it. */
#include "trace_measure.h"

#include "cache_lines.h"
#include "growing_array.h"
#include "name_table.h"
#include "stream_name_rules.h"
#include "tallies.h"
#include "text_view.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of attribute names, by id, whose meaning a thread remembers, so that each name is compared
 * only once. */
#define NAMES_KNOWN 1024u

/* The meaning of attributes with one name and type. */
typedef struct known_name {
    uint64_t name_id;
    uint32_t row;    /* row in the attribute sizes, if these are counted */
    uint8_t meaning; /* ftr_figure_meaning */
    uint8_t type;    /* ftr_type */
    bool known;
    bool is_wanted; /* the caller wants numbers of this name and type */
} known_name;

/* The state of a thread that reads. */
typedef struct measuring_thread {
    known_name names[NAMES_KNOWN];
    known_name unnamed; /* the latest attribute whose name was not found */
    /* the names of attributes of type TIME; index: as in `names` */
    const ftr_name *time_names[NAMES_KNOWN];
    /* the attribute sizes of the transactions that were prepared together. The number of a tally is
     * a row */
    ftr_tallies sizes;
    char behind[FTR_CACHE_LINE]; /* so that the next thread's names are in other cache lines */
} measuring_thread;

/* Copies of the names of attributes of type TIME. The figures of a transaction point to these
 * copies. A name in the trace is valid only until the reader proceeds, but another thread adds the
 * figures to the collector later. */
typedef struct time_names {
    pthread_mutex_t lock;
    ftr_names names;
    bool failed; /* out of memory: times are missing */
} time_names;

/* All threads read this structure, so its cache lines contain no other data of the calling thread.
 */
typedef struct pass {
    char before[FTR_CACHE_LINE];
    ftr_reader *reader;
    const ftr_trace_measure *measure;
    ftr_run_collector *collector;
    measuring_thread *threads;
    time_names *times; /* NULL: attributes of type TIME are not used */
    /* 1 + number of each generator in the collector; 0: unknown; index: index of the generator in
     * the trace */
    size_t *numbers;
    size_t number_count;
    bool uses_ids;        /* the prepared bytes include the ids of transactions */
    bool is_paused_first; /* the caller uses the collector: call `pause` before using it here */
    char behind[FTR_CACHE_LINE];
} pass;

static bool is_about_run(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return ftr_view_is(stream->name, FTR_RUN_STREAM) || ftr_view_is(stream->name, FTR_LOSS_STREAM);
}

static bool is_chosen(void *user, const ftr_stream_info *stream)
{
    const ftr_trace_measure *measure = ((const pass *)user)->measure;
    const ftr_query *query = measure->query;
    if (measure->streams != NULL && !measure->streams[stream->index])
        return false;
    if (query->choose_stream != NULL && !query->choose_stream(query->user, stream))
        return false;
    return ftr_stream_describes_model(stream->name.data, stream->name.size) ||
           (measure->choose_own != NULL && measure->choose_own(measure->choose_user, stream));
}

static bool is_chosen_generator(void *user, const ftr_generator_info *generator)
{
    const ftr_query *query = ((const pass *)user)->measure->query;
    return query->choose_generator(query->user, generator);
}

/* Adds a generator and its stream to the collector, if they are new. */
static ftr_status enter(pass *p, const ftr_generator_info *generator, bool measured, size_t *number)
{
    size_t stream;
    const ftr_view name = generator->stream->name;
    const ftr_view kind = generator->stream->kind;
    ftr_status status =
        ftr_run_collector_stream(p->collector, name.data, name.size, kind.data, kind.size, &stream);
    if (status == FTR_OK)
        status = ftr_run_collector_generator(p->collector, stream, generator->name.data,
                                             generator->name.size, number);
    if (status == FTR_OK && measured)
        ftr_run_collector_measure(p->collector, stream);
    return status;
}

static __attribute__((noinline)) ftr_status enter_generator(pass *p, size_t index, bool measured)
{
    size_t number;
    if (!ftr_array_reach(&p->numbers, &p->number_count, index, sizeof *p->numbers))
        return FTR_ERR_MEMORY;
    if (p->is_paused_first)
        p->measure->pause(p->measure->transaction_user);
    const ftr_status status =
        enter(p, ftr_reader_get_generator(p->reader, index), measured, &number);
    if (status == FTR_OK)
        p->numbers[index] = number + 1;
    return status;
}

static inline ftr_status number_of(pass *p, size_t index, bool measured, size_t *number)
{
    if (index >= p->number_count || p->numbers[index] == 0) {
        const ftr_status status = enter_generator(p, index, measured);
        if (status != FTR_OK)
            return status;
    }
    *number = p->numbers[index] - 1;
    return FTR_OK;
}

static ftr_figure_attribute figure_of(const ftr_attribute_value *attribute)
{
    ftr_figure_attribute figure = {.name = attribute->name.data,
                                   .name_size = attribute->name.size,
                                   .is_time = attribute->type == FTR_TYPE_TIME};
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        figure.form = attribute->as.boolean ? FTR_FIGURE_TRUE : FTR_FIGURE_OTHER;
        break;
    case FTR_FORM_NUMBER:
        figure.form = FTR_FIGURE_NUMBER;
        figure.number = attribute->as.number;
        break;
    case FTR_FORM_INTEGER:
        figure.form = FTR_FIGURE_INTEGER;
        figure.integer = attribute->as.integer;
        break;
    case FTR_FORM_TEXT:
        figure.form = FTR_FIGURE_TEXT;
        figure.text = attribute->as.text.data;
        figure.text_size = attribute->as.text.size;
        break;
    default:
        break;
    }
    return figure;
}

/* Adds the attributes of a transaction of a stream that describes the run. */
static ftr_status add_noted(pass *p, ftr_transaction *tx)
{
    size_t number;
    ftr_tx_figures figures = {.id = tx->id, .begin = tx->begin, .end = tx->end};
    ftr_attribute_value attribute;
    ftr_status status = number_of(p, tx->generator->index, false, &number);
    const bool notes = status == FTR_OK && ftr_run_collector_notes(p->collector, number);
    while (status == FTR_OK && ftr_reader_next_attribute(p->reader, tx, &attribute)) {
        const ftr_figure_attribute figure = figure_of(&attribute);
        ftr_tx_figures_attribute(&figures, ftr_figure_meaning_of(figure.name, figure.name_size),
                                 &figure);
        if (notes)
            status = ftr_run_collector_note(p->collector, number, &figure);
    }
    return status == FTR_OK ? ftr_run_collector_add(p->collector, number, &figures) : status;
}

/* Stores the name of an attribute of type TIME. */
static const ftr_name *store_time_name(time_names *times, ftr_view name)
{
    pthread_mutex_lock(&times->lock);
    const ftr_name *stored = ftr_names_intern(&times->names, name.data, name.size);
    times->failed |= stored == NULL;
    pthread_mutex_unlock(&times->lock);
    return stored;
}

static __attribute__((noinline)) const known_name *add_name(const pass *p, measuring_thread *thread,
                                                            known_name *known,
                                                            const ftr_attribute_value *attribute)
{
    const ftr_trace_measure *measure = p->measure;
    const ftr_view name = attribute->name;
    known_name added = {
        .name_id = attribute->name_id, .row = UINT32_MAX, .type = (uint8_t)attribute->type};
    if (measure->attribute_sizes != NULL)
        added.row = ftr_attribute_sizes_row(measure->attribute_sizes, name);
    if (name.data != NULL) {
        added.meaning = (uint8_t)ftr_figure_meaning_of(name.data, name.size);
        added.is_wanted = measure->wants_number != NULL &&
                          measure->wants_number(measure->prepare_user, attribute);
        /* If there was no memory for the row, the next attribute with this name tries again. */
        added.known = measure->attribute_sizes == NULL || added.row != UINT32_MAX;
    }
    if (p->times != NULL && added.known && attribute->type == FTR_TYPE_TIME)
        thread->time_names[known - thread->names] = store_time_name(p->times, name);
    known = added.known ? known : &thread->unnamed;
    *known = added;
    return known;
}

static inline const known_name *name_of(const pass *p, measuring_thread *thread,
                                        const ftr_attribute_value *attribute)
{
    known_name *known = &thread->names[attribute->name_id % NAMES_KNOWN];
    return known->known && known->name_id == attribute->name_id && known->type == attribute->type
               ? known
               : add_name(p, thread, known, attribute);
}

/* Adds an attribute of type TIME. Not inlined, because most attributes have other types. */
static __attribute__((noinline)) void add_time(const pass *p, unsigned number,
                                               const known_name *known, ftr_tx_figures *tx,
                                               uint64_t ticks)
{
    const measuring_thread *thread = &p->threads[number];
    const ftr_name *name =
        known != &thread->unnamed ? thread->time_names[known - thread->names] : NULL;
    if (name != NULL)
        ftr_tx_times_add(tx->times, &tx->time_count, name->text, name->size, ticks);
}

static inline void add_attribute(const pass *p, unsigned number, const known_name *known,
                                 ftr_tx_figures *tx, const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_NUMBER) {
        ftr_tx_figures_number(tx, known->meaning, attribute->as.number);
        if (known->type == FTR_TYPE_TIME && tx->times != NULL)
            add_time(p, number, known, tx, attribute->as.number);
        if (known->is_wanted)
            p->measure->number(p->measure->prepare_user, number, attribute);
    } else if (attribute->form == FTR_FORM_TEXT) {
        const ftr_view text = attribute->as.text;
        if (text.data != NULL && ftr_may_be_response(text.data, text.size))
            ftr_tx_figures_response(tx, known->meaning, text.data, text.size);
    } else if (attribute->form == FTR_FORM_BOOLEAN && attribute->as.boolean) {
        tx->unfinished |= known->meaning == FTR_MEANS_UNFINISHED;
    }
}

/* The figures of a transaction. A reading thread writes them and the calling thread reads them,
 * which is faster if they have few bytes. They are preceded by the bytes of the caller's function
 * `prepare`, and then by words of 64 bits: the named times, each as a ftr_tx_time; the id, if ids
 * are used; the end and the bytes, if they do not fit into this struct. */
typedef struct prepared_figures {
    uint64_t begin;
    uint32_t duration; /* DURATION_LARGE: the words contain the end and the bytes */
    uint32_t bytes;
    uint32_t generator; /* index in the trace */
    bool error, incomplete, unfinished;
    uint8_t times; /* number of named times */
} prepared_figures;

_Static_assert(sizeof(prepared_figures) == 24, "few bytes for each transaction");
_Static_assert(sizeof(ftr_tx_time) % sizeof(uint64_t) == 0, "times are words");

#define DURATION_LARGE UINT32_MAX

/* The value of `generator` in the figures that conclude_figures() appends. They are preceded by the
 * attribute sizes of several transactions, as an array of ftr_tally. */
#define CONCLUSION UINT32_MAX

static void read_attributes(const pass *p, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                            ftr_tx_figures *figures)
{
    measuring_thread *thread = &p->threads[number];
    const bool counts = p->measure->attribute_sizes != NULL;
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        const known_name *known = name_of(p, thread, &attribute);
        add_attribute(p, number, known, figures, &attribute);
        if (counts)
            ftr_tallies_add(&thread->sizes, known->row, attribute.size);
    }
}

static void append_figures(const pass *p, const ftr_transaction *tx, const ftr_tx_figures *figures,
                           ftr_prepared *prepared)
{
    const uint64_t duration = figures->end - figures->begin;
    const bool is_large = duration >= DURATION_LARGE || figures->bytes > UINT32_MAX;
    const size_t words = (p->uses_ids ? 1 : 0) + (is_large ? 2 : 0);
    const unsigned times = figures->time_count;
    size_t size = words * sizeof(uint64_t) + sizeof(prepared_figures);
    if (times > 0)
        size += times * sizeof(ftr_tx_time);
    uint64_t *room = ftr_prepared_append(prepared, size);
    if (room == NULL)
        return;
    if (times > 0) {
        memcpy(room, figures->times, times * sizeof(ftr_tx_time));
        room += times * sizeof(ftr_tx_time) / sizeof *room;
    }
    if (p->uses_ids)
        *room++ = figures->id;
    if (is_large) {
        *room++ = figures->end;
        *room++ = figures->bytes;
    }
    *(prepared_figures *)(void *)room = (prepared_figures){
        .begin = figures->begin,
        .duration = is_large ? DURATION_LARGE : (uint32_t)duration,
        .bytes = (uint32_t)figures->bytes,
        .generator = tx->generator->index,
        .error = figures->error,
        .incomplete = figures->incomplete,
        .unfinished = figures->unfinished,
        .times = figures->time_count,
    };
}

static bool prepare_figures(void *user, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                            ftr_prepared *prepared)
{
    const pass *p = user;
    ftr_tx_time times[FTR_TIMES_MAX];
    ftr_tx_figures figures = {
        .id = tx->id, .begin = tx->begin, .end = tx->end, .times = p->times != NULL ? times : NULL};
    read_attributes(p, number, reader, tx, &figures);
    if (p->measure->prepare != NULL)
        p->measure->prepare(p->measure->prepare_user, number, reader, tx, &figures, prepared);
    append_figures(p, tx, &figures, prepared);
    return true;
}

static void conclude_figures(void *user, unsigned number, ftr_prepared *prepared)
{
    const pass *p = user;
    ftr_tallies_append(&p->threads[number].sizes, prepared);
    prepared_figures *end = ftr_prepared_append(prepared, sizeof *end);
    if (end != NULL)
        *end = (prepared_figures){.generator = CONCLUSION};
}

static ftr_status hand_over(const pass *p, const ftr_tx_figures *figures, uint32_t index,
                            size_t number, const void *bytes, size_t size)
{
    const ftr_measured_tx measured = {
        .figures = figures,
        .generator = number,
        .index = index,
        .error = (figures->error || figures->incomplete) &&
                 ftr_run_collector_is_error(p->collector, number, figures),
        .bytes = bytes,
        .size = size,
    };
    return p->measure->transaction(p->measure->transaction_user, &measured);
}

static ftr_status count_sizes(const pass *p, const ftr_tally *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!ftr_attribute_sizes_add(p->measure->attribute_sizes, sizes[i].number, sizes[i].count,
                                     sizes[i].sum))
            return FTR_ERR_MEMORY;
    return FTR_OK;
}

static ftr_status add_prepared(pass *p, const void *bytes, size_t size)
{
    const prepared_figures *all =
        (const void *)((const char *)bytes + size - sizeof(prepared_figures));
    if (all->generator == CONCLUSION)
        return count_sizes(p, bytes, (size - sizeof *all) / sizeof(ftr_tally));
    ftr_tx_figures figures = {.begin = all->begin,
                              .end = all->begin + all->duration,
                              .bytes = all->bytes,
                              .error = all->error,
                              .incomplete = all->incomplete,
                              .unfinished = all->unfinished,
                              .time_count = all->times,
                              .is_noted = true}; /* by read_noted() */
    const uint64_t *words = (const uint64_t *)all;
    if (all->duration == DURATION_LARGE) {
        figures.bytes = *--words;
        figures.end = *--words;
    }
    if (p->uses_ids)
        figures.id = *--words;
    ftr_tx_time times[FTR_TIMES_MAX];
    if (all->times > 0) {
        words -= all->times * sizeof *times / sizeof *words;
        memcpy(times, words, all->times * sizeof *times);
        figures.times = times;
    }
    size_t number;
    ftr_status status = number_of(p, all->generator, true, &number);
    if (status == FTR_OK && p->measure->pause == NULL)
        status = ftr_run_collector_add(p->collector, number, &figures);
    return status == FTR_OK && p->measure->transaction != NULL
               ? hand_over(p, &figures, all->generator, number, bytes,
                           (size_t)((const char *)words - (const char *)bytes))
               : status;
}

/* Measures prepared transactions. */
static ftr_status read_prepared(pass *p, const ftr_query *query)
{
    ftr_cursor *cursor;
    const void *bytes;
    size_t size;
    ftr_query prepared = *query;
    prepared.threads = p->measure->threads > 0 ? p->measure->threads : 1;
    prepared.prepare = prepare_figures;
    prepared.conclude = p->measure->attribute_sizes != NULL ? conclude_figures : NULL;
    prepared.prepare_user = p;
    ftr_status status = ftr_cursor_open(p->reader, &prepared, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK) {
        status = add_prepared(p, bytes, size);
        if (status != FTR_OK)
            break;
    }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Reads the transactions of streams that describe the run. */
static ftr_status read_noted(pass *p, const ftr_query *query)
{
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_cursor_open(p->reader, query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        status = add_noted(p, &tx);
        if (status != FTR_OK)
            break;
    }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* If a run was checked and has no violations, the stream of violations has no generators. Both of
 * its generators are added with the count 0, so that conditions on their count can be evaluated. */
static ftr_status enter_violations(pass *p, size_t stream)
{
    size_t number;
    if (p->measure->query->choose_generator != NULL)
        return FTR_OK;
    const ftr_status status =
        ftr_run_collector_generator(p->collector, stream, "error", strlen("error"), &number);
    return status != FTR_OK ? status
                            : ftr_run_collector_generator(p->collector, stream, "warning",
                                                          strlen("warning"), &number);
}

/* Adds the defined streams and generators, because streams and generators without a transaction are
 * measured, too. */
static ftr_status enter_defined(pass *p)
{
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < ftr_reader_stream_count(p->reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(p->reader, i);
        size_t number;
        if (!stream->defined || !is_chosen(p, stream))
            continue;
        status = ftr_run_collector_stream(p->collector, stream->name.data, stream->name.size,
                                          stream->kind.data, stream->kind.size, &number);
        if (status == FTR_OK)
            ftr_run_collector_measure(p->collector, number);
        if (status == FTR_OK && ftr_view_is(stream->name, FTR_VIOLATION_STREAM))
            status = enter_violations(p, number);
    }
    for (size_t i = 0; status == FTR_OK && i < ftr_reader_generator_count(p->reader); i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(p->reader, i);
        size_t number;
        if (generator->defined && is_chosen(p, generator->stream) &&
            (p->measure->query->choose_generator == NULL || is_chosen_generator(p, generator)))
            status = enter(p, generator, true, &number);
    }
    return status;
}

ftr_status ftr_trace_collect_run(ftr_reader *reader, const ftr_trace_measure *measure,
                                 ftr_run_collector *collector)
{
    pass p = {.reader = reader, .measure = measure, .collector = collector};
    const ftr_query about_run = {.size = sizeof about_run, .choose_stream = is_about_run};
    const ftr_status status = read_noted(&p, &about_run);
    free(p.numbers);
    return status;
}

ftr_status ftr_trace_collect_streams(ftr_reader *reader, const ftr_trace_measure *measure,
                                     ftr_run_collector *collector)
{
    pass p = {.reader = reader, .measure = measure, .collector = collector};
    ftr_query query = *measure->query;
    const unsigned threads = measure->threads > 0 ? measure->threads : 1;
    p.uses_ids = measure->transaction != NULL || ftr_run_collector_uses_ids(collector);
    time_names times = {.lock = PTHREAD_MUTEX_INITIALIZER};
    /* A caller that adds the transactions itself does not get the times. */
    p.times = measure->pause == NULL ? &times : NULL;
    p.threads = calloc(threads, sizeof *p.threads);
    if (p.threads == NULL)
        return FTR_ERR_MEMORY;
    /* Figures of a stream do not depend on other streams, so the faster order suffices. */
    query.order =
        measure->transaction == NULL || measure->by_stream ? FTR_ORDER_STREAM : FTR_ORDER_BEGIN;
    query.choose_stream = is_chosen;
    if (query.choose_generator != NULL)
        query.choose_generator = is_chosen_generator;
    query.user = &p;
    ftr_status status = enter_defined(&p);
    p.is_paused_first = measure->pause != NULL;
    if (status == FTR_OK)
        status = read_prepared(&p, &query);
    for (unsigned i = 0; i < threads; i++)
        ftr_tallies_release(&p.threads[i].sizes);
    ftr_names_release(&times.names);
    free(p.numbers);
    free(p.threads);
    return status == FTR_OK && times.failed ? FTR_ERR_MEMORY : status;
}

ftr_status ftr_trace_collect(ftr_reader *reader, const ftr_trace_measure *measure,
                             ftr_run_collector *collector)
{
    const ftr_status status = ftr_trace_collect_run(reader, measure, collector);
    return status == FTR_OK ? ftr_trace_collect_streams(reader, measure, collector) : status;
}

ftr_run_state ftr_trace_state(ftr_reader *reader, uint64_t errors)
{
    ftr_file_info info;
    ftr_reader_get_info(reader, &info);
    if (!info.ended && errors > 0)
        errors--; /* the finding about the missing end does not concern data */
    if (info.sound_size < info.size || errors > 0)
        return FTR_RUN_TORN;
    return info.ended ? FTR_RUN_SOUND : FTR_RUN_UNFINISHED;
}

/* Returns the text `_fileNUMBER` in the last part of a path; NULL if there is none. */
static const char *part_mark(const char *path, unsigned *part)
{
    static const char MARK[] = "_file";
    const char *mark = NULL;
    const char *slash = strrchr(path, '/');
    for (const char *at = slash != NULL ? slash : path; (at = strstr(at, MARK)) != NULL; at++)
        mark = at;
    if (mark == NULL)
        return NULL;
    char *end;
    const unsigned long number = strtoul(mark + sizeof MARK - 1, &end, 10);
    const bool is_number = end > mark + sizeof MARK - 1 && strcmp(end, ".ftr") == 0;
    if (!is_number || number > UINT32_MAX)
        return NULL;
    *part = (unsigned)number;
    return mark;
}

unsigned ftr_trace_part(const char *path)
{
    unsigned part = 1;
    (void)part_mark(path, &part);
    return part;
}

bool ftr_trace_is_continued(const char *path)
{
    char next[4096];
    unsigned part = 1;
    const char *mark = part_mark(path, &part);
    const size_t size = strlen(path);
    if (mark == NULL && (size < 4 || strcmp(path + size - 4, ".ftr") != 0))
        return false;
    const int stem = (int)(mark != NULL ? (size_t)(mark - path) : size - 4);
    const int length = snprintf(next, sizeof next, "%.*s_file%04u.ftr", stem, path, part + 1);
    return length > 0 && (size_t)length < sizeof next && access(next, F_OK) == 0;
}
