/* Owns what kernel events become: states of threads, calls and interrupts are transactions from
   their beginning to their end, all else is an instant. */
#include "kev_reader.h"

#include "kev_log.h"
#include "progress.h"
#include "tx_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_EVERY 4096
#define STATES 64 /* events of class THREAD below this are states */
#define STATE_RUNNING 1
#define STATE_DESTROY 25
#define CALLS 128 /* below this calls are entered; as many above it, they are left */
#define WORDS_SHOWN 16
#define STREAMS_MAX 262144

/* Of class INTERRUPT. */
enum { INTERRUPT_ENTRY = 1, INTERRUPT_EXIT, HANDLER_ENTRY, HANDLER_EXIT };

/* What a number stands for, in the upper bits of keys. */
enum { KEY_STREAM = 1, KEY_GENERATOR, KEY_OPEN };

typedef struct kev_reader {
    ftr_byte_input input;
    ftr_kev_log log;
    ftr_import_target target;
    ftr_tx_table known; /* streams, generators, and what is open, by key */
    uint64_t streams;
    uint64_t numerator, denominator; /* ticks of the output in cycles */
    uint64_t running[FTR_KEV_CPUS];  /* thread + 1; 0: not known */
    bool has_sequence;
    uint32_t sequence;
} kev_reader;

static void complain(void *user, uint64_t offset, const char *message)
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

/* A frequency that is a power of ten is a tick of its own; others are counted in picoseconds. */
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
    complain(r, event->offset, "a time past what 64 bits of ticks can say");
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

/* A stream is told from others by its name alone. */
static uint64_t name_key(const char *name)
{
    uint64_t hash = 0;
    for (; *name != '\0'; name++)
        hash = mix(KEY_STREAM, hash, (unsigned char)*name);
    return hash;
}

/* @return 0 when it cannot be defined */
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

/* The text of events that carry one, as names of processes: behind two words, up to a NUL. */
static void put_text(kev_reader *r, ftr_tx tx, const ftr_kev_event *event)
{
    char text[WORDS_SHOWN * 64];
    size_t size = 0;
    for (size_t i = 2; i < event->word_count && size + 4 < sizeof text; i++)
        for (unsigned byte = 0; byte < 4; byte++)
            text[size++] = (char)(event->words[i] >> 8 * (r->log.swapped ? 3 - byte : byte));
    text[size] = '\0';
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x20 || text[i] == 0x7f)
            return;
    if (length < 2)
        return;
    const ftr_value value = {.type = FTR_TYPE_STRING, .text_length = length, .as.text = text};
    keep(r, ftr_tx_put_named(r->target.recorder, tx, FTR_CLASS_BEGIN, "text", &value));
}

static void put_words(kev_reader *r, ftr_tx tx, ftr_attribute_class class_,
                      const ftr_kev_event *event, const char *prefix, size_t from)
{
    char name[16];
    for (size_t i = from; i < event->word_count && i < WORDS_SHOWN; i++) {
        (void)snprintf(name, sizeof name, "%s%zu", prefix, i);
        put_number(r, tx, class_, name, event->words[i]);
    }
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* @return the entry of what is open under @p key now; NULL after a failure */
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

static void put_instant(kev_reader *r, const ftr_kev_event *event)
{
    char stream[32];
    char name[48];
    const char *class_ = ftr_kev_class_name(event->class_);
    (void)snprintf(stream, sizeof stream, "events.cpu%u", event->cpu);
    if (class_ != NULL)
        (void)snprintf(name, sizeof name, "%s %u", class_, event->number);
    else
        (void)snprintf(name, sizeof name, "class %u %u", event->class_, event->number);
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

static uint64_t thread_of(const ftr_kev_event *event)
{
    return (uint64_t)event->words[0] << 32 | event->words[1];
}

static void take_state(kev_reader *r, const ftr_kev_event *event)
{
    char stream[48];
    char name[24];
    const uint64_t thread = thread_of(event);
    const char *state = ftr_kev_state_name(event->number);
    const uint64_t key = mix(KEY_OPEN, FTR_KEV_THREAD, thread);
    ftr_tx_entry *before = ftr_tx_table_find(&r->known, key);
    if (before != NULL)
        end(r, before, event);
    for (unsigned cpu = 0; cpu < FTR_KEV_CPUS; cpu++)
        if (r->running[cpu] == thread + 1)
            r->running[cpu] = 0;
    if (event->number == STATE_RUNNING)
        r->running[event->cpu] = thread + 1;
    (void)snprintf(stream, sizeof stream, "threads.%" PRIu32 "-%" PRIu32, event->words[0],
                   event->words[1]);
    if (state != NULL)
        (void)snprintf(name, sizeof name, "%s", state);
    else
        (void)snprintf(name, sizeof name, "state %u", event->number);
    ftr_tx_entry *entry = begin(r, key, generator_of(r, stream, "thread", name), event);
    if (entry == NULL)
        return;
    put_number(r, entry->tx, FTR_CLASS_BEGIN, "cpu", event->cpu);
    put_words(r, entry->tx, FTR_CLASS_BEGIN, event, "word", 2);
    if (event->number == STATE_DESTROY) /* no state follows */
        end(r, entry, event);
}

/* ---- calls and interrupts -------------------------------------------------------------------- */

/* A call is of the thread that runs on the CPU; it may be left on another one. */
static uint64_t caller_of(const kev_reader *r, const ftr_kev_event *event, char *stream,
                          size_t size)
{
    const uint64_t running = r->running[event->cpu];
    if (running == 0) {
        (void)snprintf(stream, size, "calls.cpu%u", event->cpu);
        return UINT64_MAX - event->cpu;
    }
    (void)snprintf(stream, size, "calls.%" PRIu32 "-%" PRIu32, (uint32_t)((running - 1) >> 32),
                   (uint32_t)(running - 1));
    return running - 1;
}

static void take_call(kev_reader *r, const ftr_kev_event *event)
{
    char stream[48];
    char name[24];
    const unsigned number = event->number % CALLS;
    const uint64_t caller = caller_of(r, event, stream, sizeof stream);
    const uint64_t key = mix(KEY_OPEN, (uint64_t)FTR_KEV_CALL << 32 | number, caller);
    ftr_tx_entry *before = ftr_tx_table_find(&r->known, key);
    if (event->number >= CALLS) {
        if (before == NULL) {
            put_instant(r, event);
            return;
        }
        put_words(r, before->tx, FTR_CLASS_END, event, "result", 0);
        end(r, before, event);
        return;
    }
    if (before != NULL)
        end(r, before, event); /* it never came back */
    (void)snprintf(name, sizeof name, "call %u", number);
    ftr_tx_entry *entry = begin(r, key, generator_of(r, stream, "kernel calls", name), event);
    if (entry != NULL)
        put_words(r, entry->tx, FTR_CLASS_BEGIN, event, "argument", 0);
}

static void take_interrupt(kev_reader *r, const ftr_kev_event *event)
{
    const bool handler = event->number == HANDLER_ENTRY || event->number == HANDLER_EXIT;
    const bool leaves = event->number == INTERRUPT_EXIT || event->number == HANDLER_EXIT;
    /* By the number of the interrupt, as its first word has it. */
    const uint64_t key = mix(KEY_OPEN, (uint64_t)FTR_KEV_INTERRUPT << 32 | handler,
                             (uint64_t)event->cpu << 32 | event->words[0]);
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

/* ---- the log --------------------------------------------------------------------------------- */

static void check_sequence(kev_reader *r, const ftr_kev_event *event)
{
    const uint32_t sequence = event->words[0];
    if (r->has_sequence && sequence > r->sequence + 1)
        complain(r, event->offset, "buffers of the kernel are missing before this");
    r->has_sequence = true;
    r->sequence = sequence;
}

static void take_event(kev_reader *r, const ftr_kev_event *event)
{
    if (event->class_ == FTR_KEV_CONTROL && event->number == FTR_KEV_BUFFER)
        check_sequence(r, event);
    if (event->class_ == FTR_KEV_THREAD && event->number < STATES)
        take_state(r, event);
    else if (event->class_ == FTR_KEV_CALL && event->number < 2 * CALLS)
        take_call(r, event);
    else if (event->class_ == FTR_KEV_INTERRUPT && event->number >= INTERRUPT_ENTRY &&
             event->number <= HANDLER_EXIT)
        take_interrupt(r, event);
    else
        put_instant(r, event);
}

static bool record_all(kev_reader *r)
{
    ftr_progress progress;
    ftr_kev_event event;
    ftr_status status = FTR_OK;
    uint64_t events = 0;
    ftr_progress_begin(&progress, r->input.size, "bytes");
    while (r->target.status == FTR_OK && (status = ftr_kev_log_next(&r->log, &event)) == FTR_OK) {
        take_event(r, &event);
        if (++events % SHOWN_EVERY == 0)
            ftr_progress_show(&progress, r->input.read);
    }
    ftr_progress_end(&progress);
    if (status == FTR_ERR_MEMORY)
        keep(r, status);
    return status != FTR_ERR_IO;
}

static bool import(kev_reader *r, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    r->target.report = report;
    if (!ftr_kev_log_open(&r->log, &r->input, report, complain, r))
        return false;
    if (r->log.frequency == 0) {
        ftr_exchange_tell(report, "%s: its head does not say how many cycles a second has",
                          r->input.path);
        return false;
    }
    ftr_recorder_options own = *options;
    own.time_scale = choose_scale(r);
    if (own.time_scale == 0)
        own.time_scale = FTR_TIME_SCALE_SECOND;
    if (!ftr_import_open(&r->target, r->input.path, output, &own, report, result))
        return false;
    const bool well = record_all(r);
    return ftr_import_close(&r->target) && well;
}

bool ftr_kev_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result)
{
    kev_reader *r = calloc(1, sizeof *r);
    bool well = false;
    if (r == NULL)
        return false;
    if (ftr_byte_input_open(&r->input, path, report)) {
        well = import(r, output, options, report, result);
        ftr_kev_log_close(&r->log);
        ftr_byte_input_close(&r->input);
    }
    ftr_tx_table_release(&r->known);
    free(r);
    return well;
}
