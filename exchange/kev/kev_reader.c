/* Converts kernel events. Calls, functions, interrupts and the states of threads become
 * transactions with a duration. Other events become transactions without a duration (instants). So
 * do exits without an entry, and functions that are called while OPEN_FUNCTIONS_MAX functions are
 * open. */
#include "formats.h"

#include "exchange_file.h"
#include "kev_log.h"
#include "kev_names.h"
#include "kev_threads.h"
#include "exchange_report.h"
#include "tx_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096
#define STATES 64 /* events of class THREAD with lower numbers are states */
#define STATE_RUNNING 1
#define CALLS FTR_KEV_CALL_NUMBERS
#define STREAMS_MAX 262144
#define STREAM_NAME_SIZE 320
/* this number is limited, because functions that never return stay open */
#define OPEN_FUNCTIONS_MAX 100000

/* The kind of a key: the first argument of mix(). */
enum { KEY_STREAM = 1, KEY_GENERATOR, KEY_OPEN, KEY_DEPTH };

typedef struct kev_reader {
    ftr_byte_input input;
    ftr_kev_log log;
    ftr_import_target target;
    /* streams, generators, open transactions and depths of functions; key: mix() */
    ftr_tx_table known;
    uint64_t streams;
    uint64_t numerator, denominator; /* factor from cycles to ticks of the output */
    /* 1 + the thread that runs on each CPU; 0: unknown; index: CPU */
    uint64_t running[FTR_KEV_CPUS];
    ftr_kev_threads threads;
    uint64_t open_functions;
    bool has_sequence;
    uint32_t sequence;
} kev_reader;

static void report_finding(void *user, uint64_t offset, const char *message)
{
    kev_reader *r = user;
    ftr_import_find(&r->target, "byte", offset, "%s", message);
}

static void keep(kev_reader *r, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&r->target, status);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Returns the time scale of the output. If the frequency is a power of ten, a tick is one cycle;
 * otherwise a tick is a picosecond. */
static int choose_scale(kev_reader *r)
{
    uint64_t power = 1;
    r->numerator = r->denominator = 1;
    for (int scale = 0; scale >= -15; scale--, power *= 10)
        if (r->log.frequency == power)
            return scale;
    r->numerator = UINT64_C(1000000000000);
    r->denominator = r->log.frequency;
    return -12;
}

static uint64_t ticks_of(kev_reader *r, const ftr_kev_event *event)
{
    __extension__ typedef unsigned __int128 wide;
    const wide ticks = (wide)event->time * r->numerator / r->denominator;
    if (ticks <= UINT64_MAX)
        return (uint64_t)ticks;
    report_finding(r, event->offset, "a time exceeds 64 bits of ticks");
    return UINT64_MAX;
}

/* ---- streams and generators ------------------------------------------------------------------ */

static uint64_t mix(uint64_t kind, uint64_t a, uint64_t b)
{
    uint64_t hash = (kind ^ a * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    hash ^= hash >> 32;
    hash = (hash ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Returns the key of a stream. Streams with the same name are the same stream. */
static uint64_t name_key(const char *name)
{
    uint64_t hash = 0;
    for (; *name != '\0'; name++)
        hash = mix(KEY_STREAM, hash, (unsigned char)*name);
    return hash;
}

/* Returns the generator @p name in the stream @p stream. Defines both if needed. Returns 0 if this
 * fails */
static ftr_generator generator_of(kev_reader *r, const char *stream, const char *kind,
                                  const char *name)
{
    const uint64_t stream_key = mix(KEY_STREAM, name_key(stream), 0);
    ftr_tx_entry *known = ftr_tx_table_find(&r->known, stream_key);
    ftr_stream handle = known != NULL ? known->owner : 0;
    if (known == NULL) {
        if (r->streams++ == STREAMS_MAX) {
            keep(r, FTR_ERR_LIMIT);
            return 0;
        }
        keep(r, ftr_stream_define(r->target.recorder, stream, kind, &handle));
        known = ftr_tx_table_add(&r->known, stream_key);
        if (known == NULL) {
            keep(r, FTR_ERR_MEMORY);
            return 0;
        }
        known->owner = handle;
    }
    const uint64_t key = mix(KEY_GENERATOR, handle, name_key(name));
    ftr_tx_entry *generator = ftr_tx_table_find(&r->known, key);
    if (generator != NULL)
        return generator->owner;
    ftr_generator defined = 0;
    keep(r, ftr_generator_define(r->target.recorder, handle, name, NULL, 0, &defined));
    generator = ftr_tx_table_add(&r->known, key);
    if (generator == NULL) {
        keep(r, FTR_ERR_MEMORY);
        return 0;
    }
    generator->owner = defined;
    return defined;
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void put_number(kev_reader *r, ftr_tx tx, ftr_attribute_class class_, const char *name,
                       uint64_t number)
{
    const ftr_value value = {.type = FTR_TYPE_UNSIGNED, .as.number = number};
    keep(r, ftr_tx_put_named(r->target.recorder, tx, class_, name, &value));
}

/* Puts the text of an event, if it has one. */
static void put_text(kev_reader *r, ftr_tx tx, const ftr_kev_event *event)
{
    const size_t room = 4 * event->word_count + 1;
    char *text = malloc(room);
    if (text == NULL) {
        keep(r, FTR_ERR_MEMORY);
        return;
    }
    const size_t length = ftr_kev_log_text(&r->log, event, text, room);
    const ftr_value value = {.type = FTR_TYPE_STRING, .text_length = length, .as.text = text};
    if (length > 0)
        keep(r, ftr_tx_put_named(r->target.recorder, tx, FTR_CLASS_BEGIN, "text", &value));
    free(text);
}

static void put_words(kev_reader *r, ftr_tx tx, ftr_attribute_class class_,
                      const ftr_kev_event *event, const char *prefix, size_t from)
{
    char name[40];
    for (size_t i = from; i < event->word_count; i++) {
        (void)snprintf(name, sizeof name, "%s%zu", prefix, i);
        put_number(r, tx, class_, name, event->words[i]);
    }
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Begins a transaction and stores it under @p key. @return its entry; NULL on an error */
static ftr_tx_entry *begin(kev_reader *r, uint64_t key, ftr_generator generator,
                           const ftr_kev_event *event)
{
    ftr_tx_entry *entry = generator != 0 ? ftr_tx_table_add(&r->known, key) : NULL;
    if (entry == NULL) {
        keep(r, generator != 0 ? FTR_ERR_MEMORY : FTR_OK);
        return NULL;
    }
    entry->time = ticks_of(r, event);
    const ftr_status status = ftr_tx_begin(r->target.recorder, generator, entry->time, &entry->tx);
    if (status == FTR_OK)
        return entry;
    keep(r, status);
    ftr_tx_table_remove(&r->known, entry);
    return NULL;
}

static void end(kev_reader *r, ftr_tx_entry *entry, const ftr_kev_event *event)
{
    const uint64_t time = ticks_of(r, event);
    keep(r, ftr_tx_end(r->target.recorder, entry->tx, time > entry->time ? time : entry->time));
    ftr_tx_table_remove(&r->known, entry);
}

/* Formats the name of an event. Calls have a suffix for exit or interruption. */
static void name_event(const kev_reader *r, const ftr_kev_event *event, char *text, size_t size)
{
    static const char *const CALL_MARKS[] = {"", " exit", " interrupted", " ?"};
    const char *class_ = ftr_kev_class_name(event);
    const char *name = ftr_kev_name_of(event, r->log.release);
    if (class_ != NULL && name != NULL)
        (void)snprintf(
            text, size, "%s %s%s", class_, name,
            event->class_ == FTR_KEV_CALL ? CALL_MARKS[(event->number & ~FTR_KEV_64) / CALLS] : "");
    else if (class_ != NULL)
        (void)snprintf(text, size, "%s %u", class_, event->number);
    else
        (void)snprintf(text, size, "class %u %u", event->class_, event->number);
}

static void put_instant(kev_reader *r, const ftr_kev_event *event)
{
    char stream[32];
    char name[64];
    (void)snprintf(stream, sizeof stream, "events.cpu%u", event->cpu);
    name_event(r, event, name, sizeof name);
    const ftr_generator generator = generator_of(r, stream, "kernel events", name);
    ftr_tx tx;
    const uint64_t time = ticks_of(r, event);
    if (generator == 0)
        return;
    const ftr_status status = ftr_tx_begin(r->target.recorder, generator, time, &tx);
    keep(r, status);
    if (status != FTR_OK)
        return;
    put_words(r, tx, FTR_CLASS_BEGIN, event, "word", 0);
    if (event->word_count > 2)
        put_text(r, tx, event);
    keep(r, ftr_tx_end(r->target.recorder, tx, time));
}

/* ---- threads --------------------------------------------------------------------------------- */

static void import_state(kev_reader *r, const ftr_kev_event *event)
{
    char stream[STREAM_NAME_SIZE];
    char name[24];
    const uint64_t thread = ftr_kev_thread_of(event->words[0], event->words[1]);
    const char *state = ftr_kev_state_name(event->number, r->log.release);
    const uint64_t key = mix(KEY_OPEN, FTR_KEV_THREAD, thread);
    ftr_tx_entry *before = ftr_tx_table_find(&r->known, key);
    if (before != NULL)
        end(r, before, event);
    for (unsigned cpu = 0; cpu < FTR_KEV_CPUS; cpu++)
        if (r->running[cpu] == thread + 1)
            r->running[cpu] = 0;
    if (event->number == STATE_RUNNING)
        r->running[event->cpu] = thread + 1;
    ftr_kev_threads_stream(&r->threads, "threads", thread, stream, sizeof stream);
    if (state != NULL)
        (void)snprintf(name, sizeof name, "%s", state);
    else
        (void)snprintf(name, sizeof name, "state %u", event->number);
    ftr_tx_entry *entry = begin(r, key, generator_of(r, stream, "thread", name), event);
    if (entry == NULL)
        return;
    put_number(r, entry->tx, FTR_CLASS_BEGIN, "cpu", event->cpu);
    put_words(r, entry->tx, FTR_CLASS_BEGIN, event, "word", 2);
    /* no later event ends this state, because it is the last one of its thread */
    if (event->number == FTR_KEV_THREAD_DESTROYED)
        end(r, entry, event);
}

/* ---- calls and interrupts -------------------------------------------------------------------- */

/* Returns a number that identifies the caller of a kernel call or function: the thread that runs on
 * the CPU of the event. (At the end of the call, the thread may run on another CPU.) If this thread
 * is unknown, returns a number for the CPU. Also formats the name of the stream. */
static uint64_t caller_of(const kev_reader *r, const ftr_kev_event *event, const char *kind,
                          char *stream, size_t size)
{
    const uint64_t running = r->running[event->cpu];
    if (running == 0) {
        (void)snprintf(stream, size, "%s.cpu%u", kind, event->cpu);
        return UINT64_MAX - event->cpu;
    }
    ftr_kev_threads_stream(&r->threads, kind, running - 1, stream, size);
    return running - 1;
}

static void import_call(kev_reader *r, const ftr_kev_event *event)
{
    char stream[STREAM_NAME_SIZE];
    char name[32];
    const unsigned number = event->number % CALLS;
    const char *call = ftr_kev_call_name(number, r->log.release);
    const uint64_t caller = caller_of(r, event, "calls", stream, sizeof stream);
    const uint64_t key = mix(KEY_OPEN, (uint64_t)FTR_KEV_CALL << 32 | number, caller);
    ftr_tx_entry *before = ftr_tx_table_find(&r->known, key);
    if ((event->number & ~FTR_KEV_64) >= CALLS) {
        if (before == NULL) {
            put_instant(r, event);
            return;
        }
        put_words(r, before->tx, FTR_CLASS_END, event, "result", 0);
        end(r, before, event);
        return;
    }
    if (before != NULL)
        end(r, before, event); /* the previous call never returned */
    if (call != NULL)
        (void)snprintf(name, sizeof name, "%s", call);
    else
        (void)snprintf(name, sizeof name, "call %u", number);
    ftr_tx_entry *entry = begin(r, key, generator_of(r, stream, "kernel calls", name), event);
    if (entry != NULL)
        put_words(r, entry->tx, FTR_CLASS_BEGIN, event, "argument", 0);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Returns the address with the index @p index among the addresses of an event. An address of a
 * 64-bit process has two words, the lower word first. */
static uint64_t address_at(const ftr_kev_event *event, size_t index)
{
    const bool wide = (event->number & FTR_KEV_64) != 0 && event->word_count >= 4;
    const size_t at = wide ? 2 * index : index;
    return event->words[at] | (wide ? (uint64_t)event->words[at + 1] << 32 : 0);
}

static uint64_t function_key(uint64_t caller, uint64_t function, uint64_t depth)
{
    return mix(KEY_OPEN, (uint64_t)FTR_KEV_SYSTEM << 32 | depth, mix(KEY_DEPTH, caller, function));
}

static void enter_function(kev_reader *r, const ftr_kev_event *event, const char *stream,
                           uint64_t key)
{
    char name[32];
    (void)snprintf(name, sizeof name, "0x%" PRIx64, address_at(event, 0));
    ftr_tx_entry *entry = begin(r, key, generator_of(r, stream, "functions", name), event);
    if (entry == NULL)
        return;
    r->open_functions++;
    const ftr_value site = {.type = FTR_TYPE_POINTER, .as.number = address_at(event, 1)};
    keep(r, ftr_tx_put_named(r->target.recorder, entry->tx, FTR_CLASS_BEGIN, "call_site", &site));
}

/* Records the entry or exit of a function. For each thread and function, counts the calls that are
 * open, because functions may be recursive. */
static void import_function(kev_reader *r, const ftr_kev_event *event)
{
    char stream[STREAM_NAME_SIZE];
    const uint64_t function = address_at(event, 0);
    const uint64_t caller = caller_of(r, event, "functions", stream, sizeof stream);
    ftr_tx_entry *depth = ftr_tx_table_add(&r->known, mix(KEY_DEPTH, caller, function));
    if (depth == NULL) {
        keep(r, FTR_ERR_MEMORY);
        return;
    }
    const bool enters = (event->number & ~FTR_KEV_64) == FTR_KEV_FUNCTION_ENTER;
    if (enters && r->open_functions < OPEN_FUNCTIONS_MAX) {
        const uint64_t key = function_key(caller, function, ++depth->time);
        enter_function(r, event, stream, key);
        return;
    }
    const uint64_t key = function_key(caller, function, depth->time);
    ftr_tx_entry *open = !enters && depth->time > 0 ? ftr_tx_table_find(&r->known, key) : NULL;
    if (open == NULL) {
        put_instant(r, event);
        return;
    }
    depth->time--;
    r->open_functions--;
    end(r, open, event);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static void import_interrupt(kev_reader *r, const ftr_kev_event *event)
{
    const bool enters_handler =
        event->number == FTR_KEV_HANDLER_ENTRY || event->number == FTR_KEV_HANDLER_ENTRY_64;
    const bool handler = enters_handler || event->number == FTR_KEV_HANDLER_EXIT;
    const bool leaves =
        event->number == FTR_KEV_INTERRUPT_EXIT || event->number == FTR_KEV_HANDLER_EXIT;
    /* The number of the interrupt is the first word. If an event enters a handler, it is the second
     * word, after the process. */
    const uint64_t key = mix(KEY_OPEN, (uint64_t)FTR_KEV_INTERRUPT << 32 | handler,
                             (uint64_t)event->cpu << 32 | event->words[enters_handler ? 1 : 0]);
    ftr_tx_entry *before = ftr_tx_table_find(&r->known, key);
    char stream[48];
    if (leaves && before == NULL) {
        put_instant(r, event);
        return;
    }
    if (before != NULL)
        end(r, before, event);
    if (leaves)
        return;
    (void)snprintf(stream, sizeof stream, "interrupts.cpu%u", event->cpu);
    ftr_tx_entry *entry = begin(
        r, key, generator_of(r, stream, "interrupts", handler ? "handler" : "interrupt"), event);
    if (entry != NULL)
        put_words(r, entry->tx, FTR_CLASS_BEGIN, event, "word", 0);
}

/* ---- log ------------------------------------------------------------------------------------- */

static void check_sequence(kev_reader *r, const ftr_kev_event *event)
{
    const uint32_t sequence = event->words[0];
    if (r->has_sequence && sequence > r->sequence + 1)
        report_finding(r, event->offset, "buffers of the kernel are missing before this");
    r->has_sequence = true;
    r->sequence = sequence;
}

static bool is_function(const ftr_kev_event *event)
{
    const unsigned number = event->number & ~FTR_KEV_64;
    return event->class_ == FTR_KEV_SYSTEM &&
           (number == FTR_KEV_FUNCTION_ENTER || number == FTR_KEV_FUNCTION_EXIT);
}

static void import_event(kev_reader *r, const ftr_kev_event *event)
{
    if (event->class_ == FTR_KEV_CONTROL && event->number == FTR_KEV_BUFFER)
        check_sequence(r, event);
    if (event->class_ == FTR_KEV_THREAD && event->number < STATES)
        import_state(r, event);
    else if (event->class_ == FTR_KEV_CALL && (event->number & ~FTR_KEV_64) < 2 * CALLS)
        import_call(r, event);
    else if (event->class_ == FTR_KEV_INTERRUPT && event->number >= FTR_KEV_INTERRUPT_ENTRY &&
             event->number <= FTR_KEV_HANDLER_ENTRY_64)
        import_interrupt(r, event);
    else if (is_function(event))
        import_function(r, event);
    else
        put_instant(r, event);
    if (!ftr_kev_threads_follow(&r->threads, event))
        keep(r, FTR_ERR_MEMORY);
}

static bool record_all(kev_reader *r)
{
    ftr_progress progress;
    ftr_kev_event event;
    ftr_status status = FTR_OK;
    uint64_t events = 0;
    ftr_progress_begin(&progress, r->input.size, "bytes");
    while (r->target.status == FTR_OK && (status = ftr_kev_log_next(&r->log, &event)) == FTR_OK) {
        import_event(r, &event);
        if (++events % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&progress, r->input.read);
    }
    ftr_progress_end(&progress);
    if (status == FTR_ERR_MEMORY)
        keep(r, status);
    return status != FTR_ERR_IO;
}

static int64_t read_input(void *user, void *bytes, size_t size)
{
    kev_reader *r = user;
    return ftr_byte_input_read(&r->input, bytes, size);
}

static void ignore(void *user, uint64_t offset, const char *message)
{
    (void)user;
    (void)offset;
    (void)message;
}

/* Searches the log for the names of threads before the conversion, so that the names of all streams
 * of a thread contain the name of the thread. */
static bool find_names(kev_reader *r)
{
    ftr_kev_event event;
    const char *why;
    bool ok = ftr_kev_log_open(&r->log, read_input, ignore, r, &why) == FTR_OK;
    r->log.names_only = true;
    while (ok && ftr_kev_log_next(&r->log, &event) == FTR_OK)
        ok = ftr_kev_threads_note(&r->threads, &r->log, &event) &&
             ftr_kev_threads_follow(&r->threads, &event);
    ftr_kev_log_close(&r->log);
    ftr_kev_threads_begin_again(&r->threads);
    return ftr_byte_input_rewind(&r->input);
}

static bool import(kev_reader *r, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    const char *why = NULL;
    r->target.report = report;
    if (!find_names(r))
        return false;
    if (ftr_kev_log_open(&r->log, read_input, report_finding, r, &why) != FTR_OK) {
        if (why != NULL)
            ftr_exchange_print(report, "%s: %s", r->input.path, why);
        return false;
    }
    if (r->log.frequency == 0) {
        ftr_exchange_print(report, "%s: its head does not contain the number of cycles per second",
                           r->input.path);
        return false;
    }
    ftr_recorder_options own = *options;
    own.time_scale = choose_scale(r);
    if (own.time_scale == 0)
        own.time_scale = FTR_TIME_SCALE_SECOND;
    if (!ftr_import_open(&r->target, r->input.path, output, &own, report, result))
        return false;
    const bool ok = record_all(r);
    return ftr_import_close(&r->target) && ok;
}

bool ftr_kev_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result)
{
    kev_reader *r = ftr_exchange_state(sizeof *r, path, report);
    bool ok = false;
    if (r == NULL)
        return false;
    if (ftr_byte_input_open(&r->input, path, report)) {
        ok = import(r, output, options, report, result);
        ftr_kev_log_close(&r->log);
        ftr_byte_input_close(&r->input);
    }
    ftr_tx_table_release(&r->known);
    ftr_kev_threads_release(&r->threads);
    free(r);
    return ok;
}
