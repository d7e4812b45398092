/* The workloads through <ftr/recorder.h>, as in a C program. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftr/detail/word_calls.h>

#include "workload.h"

#define OPEN_AT_ONCE 1000

enum { ADDRESS, LENGTH, RESPONSE, DATA };

typedef struct setup {
    ftr_recorder *recorder;
    ftr_generator generators[8]; /* two generators for each stream */
    ftr_relation follows;
    ftr_generator events; /* of the first generator; its attributes: name, address */
    ftr_text hit;
} setup;

static void tell(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    if (severity != FTR_SEVERITY_NOTE)
        fprintf(stderr, "%s\n", message);
}

static ftr_status define(setup *made)
{
    static const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"response", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                               {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD}};
    ftr_status status = ftr_relation_define(made->recorder, "follows", &made->follows);
    for (size_t i = 0; status == FTR_OK && i < 4; i++) {
        char name[] = "top.bus.initiator0";
        name[sizeof name - 2] = (char)('0' + i);
        ftr_stream stream = 0;
        status = ftr_stream_define(made->recorder, name, "[TLM][base-protocol][b]", &stream);
        if (status == FTR_OK)
            status = ftr_generator_define(made->recorder, stream, "read", attributes, 4,
                                          &made->generators[2 * i]);
        if (status == FTR_OK)
            status = ftr_generator_define(made->recorder, stream, "write", attributes, 4,
                                          &made->generators[2 * i + 1]);
    }
    if (status == FTR_OK)
        status =
            ftr_events_define(made->recorder, made->generators[0], attributes, 1, &made->events);
    if (status == FTR_OK)
        status = ftr_text_define(made->recorder, "hit in L2", FTR_NUL_TERMINATED, &made->hit);
    return status;
}

/* A clock that stands still: otherwise, the summary is written to its file every two seconds, which
 * takes more instructions in a slow run. */
static uint64_t stopped_clock(void *user)
{
    (void)user;
    return 1;
}

/* If the path ends with .fts, a summary is written to it, and no trace is written. @p start and @p
 * stop limit the recorded time; NULL: no limit. */
static void *open_window(const char *path, ftr_compression compression, const char *start,
                         const char *stop)
{
    static const ftr_sink no_trace = {0};
    const char *end = strrchr(path, '.');
    ftr_recorder_options options = {.threads = 1,
                                    .report = tell,
                                    .compression = compression,
                                    .start = start,
                                    .stop = stop,
                                    .journal_directory = getenv("FTR_JOURNAL_DIR")};
    if (end != NULL && strcmp(end, ".fts") == 0) {
        options.summary = path;
        options.sink = &no_trace;
        options.clock = stopped_clock;
    }
    setup *made = malloc(sizeof *made);
    if (made == NULL || ftr_recorder_open(path, &options, &made->recorder) != FTR_OK ||
        define(made) != FTR_OK)
        workload_fail("cannot record");
    return made;
}

static void *open_recorder(const char *path, ftr_compression compression)
{
    return open_window(path, compression, NULL, NULL);
}

/* All transactions of the loops end before this window. */
static void *open_early(const char *path, ftr_compression compression)
{
    return open_window(path, compression, "1 s", NULL);
}

static void *open_early_limited(const char *path, ftr_compression compression)
{
    return open_window(path, compression, "1 s", "2 s");
}

/* All transactions of the loops begin after this window, except the first one. */
static void *open_late(const char *path, ftr_compression compression)
{
    return open_window(path, compression, NULL, "0 s");
}

/* All transactions of the loops are in this window. */
static void *open_within(const char *path, ftr_compression compression)
{
    return open_window(path, compression, "1 ps", "1 s");
}

static void close_recorder(void *opened)
{
    setup *with = opened;
    if (ftr_recorder_close(with->recorder) != FTR_OK)
        workload_fail("the file is not whole");
    free(with);
}

/* ---- the loops --------------------------------------------------------------------------------
 *
 * `is_on` is constant in each call, so that the recording lines are selected at compile time. */

WORKLOAD_LOOP empty(const setup *with, workload_data *from, uint64_t count, bool is_on)
{
    workload_data data = *from;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t now = workload_now(&data);
        WORKLOAD_USE(now);
        if (!is_on)
            continue;
        ftr_tx tx;
        ftr_tx_begin(with->recorder, with->generators[0], now, &tx);
        ftr_tx_end(with->recorder, tx, now);
    }
    *from = data;
}

typedef enum recording { SEPARATE, LITERAL, ONE_CALL, UNDECLARED, WITH_DATA } recording;

static inline __attribute__((always_inline)) ftr_value number_value(uint64_t number)
{
    return (ftr_value){.type = FTR_TYPE_UNSIGNED, .as.number = number};
}

static inline __attribute__((always_inline)) ftr_value text_value(const char *text)
{
    return (ftr_value){.type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
}

WORKLOAD_LOOP payloads(const setup *with, workload_data *from, uint64_t count, bool is_on,
                       recording how)
{
    ftr_recorder *const rec = is_on ? with->recorder : NULL;
    workload_data data = *from;
    for (uint64_t i = 0; i < count; i++) {
        char hexadecimal[65];
        const uint64_t now = workload_now(&data);
        const workload_tx next = workload_next(&data);
        const unsigned which = 2 * next.stream + next.generator;
        if (how == WITH_DATA)
            workload_hexadecimal(&data, hexadecimal);
        WORKLOAD_USE(hexadecimal);
        WORKLOAD_USE(next.address + next.length + next.duration);
        WORKLOAD_USE(next.response);
        WORKLOAD_USE(which);
        if (!is_on)
            continue;
        const ftr_generator generator = with->generators[which];
        if (how == ONE_CALL) {
            const ftr_value values[] = {number_value(next.address), number_value(next.length),
                                        text_value(next.response)};
            ftr_tx_record(rec, generator, now, now + next.duration, values, 3, NULL);
            continue;
        }
        ftr_tx tx;
        ftr_tx_begin(rec, generator, now, &tx);
        if (how == UNDECLARED) {
            const ftr_value address = number_value(next.address);
            const ftr_value length = number_value(next.length);
            const ftr_value response = text_value(next.response);
            ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "address", &address);
            ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "length", &length);
            ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "response", &response);
        } else {
            ftr_tx_put_number(rec, tx, ADDRESS, next.address);
            ftr_tx_put_number(rec, tx, LENGTH, next.length);
            if (how == LITERAL)
                ftr_tx_put_text(rec, tx, RESPONSE, "TLM_OK_RESPONSE", FTR_NUL_TERMINATED);
            else
                ftr_tx_put_text(rec, tx, RESPONSE, next.response, FTR_NUL_TERMINATED);
        }
        if (how == WITH_DATA)
            ftr_tx_put_text(rec, tx, DATA, hexadecimal, FTR_NUL_TERMINATED);
        ftr_tx_end(rec, tx, now + next.duration);
    }
    *from = data;
}

/* A thousand transactions are open at any time. Each new transaction is related to the transaction
 * that began before it. */
WORKLOAD_LOOP overlap(const setup *with, workload_data *from, uint64_t count, bool is_on)
{
    static ftr_tx open[OPEN_AT_ONCE];
    ftr_recorder *const rec = is_on ? with->recorder : NULL;
    workload_data data = *from;
    for (size_t i = 0; is_on && i < OPEN_AT_ONCE; i++)
        ftr_tx_begin(rec, with->generators[2 * (i & 3)], data.now, &open[i]);
    ftr_tx previous = open[0];
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t now = workload_now(&data);
        const uint64_t one = workload_random(&data) % OPEN_AT_ONCE;
        WORKLOAD_USE(one);
        WORKLOAD_USE(now);
        if (!is_on)
            continue;
        ftr_tx_end(rec, open[one], now);
        ftr_tx_begin(rec, with->generators[2 * (i & 3)], now, &open[one]);
        ftr_relation_put(rec, with->follows, previous, open[one]);
        previous = open[one];
    }
    for (size_t i = 0; is_on && i < OPEN_AT_ONCE; i++)
        ftr_tx_end(rec, open[i], data.now);
    *from = data;
}

typedef enum event_values { DECLARED, NAMED, WORDS } event_values;

/* Each event has a name and a number; all events have the same parent. */
WORKLOAD_LOOP events(const setup *with, workload_data *from, uint64_t count, bool is_on,
                     event_values how)
{
    ftr_recorder *const rec = is_on ? with->recorder : NULL;
    workload_data data = *from;
    ftr_tx parent = {0};
    if (is_on)
        ftr_tx_begin(rec, with->generators[0], data.now, &parent);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t now = workload_now(&data);
        const uint64_t address = workload_random(&data);
        WORKLOAD_USE(now);
        WORKLOAD_USE(address);
        if (!is_on)
            continue;
        const ftr_value name = text_value("hit in L2");
        if (how == WORDS) {
            const uint64_t words[] = {with->hit, address};
            ftr_tx_event_words(rec, parent, with->events, now, now, words, 2, NULL);
        } else if (how == NAMED) {
            const ftr_named_value values[] = {{"address", number_value(address)}};
            ftr_tx_event_named(rec, parent, now, now, &name, values, 1, NULL);
        } else {
            const ftr_value values[] = {name, number_value(address)};
            ftr_tx_event(rec, parent, with->events, now, values, 2, NULL);
        }
    }
    if (is_on)
        ftr_tx_end(rec, parent, data.now);
    *from = data;
}

#define WORKLOAD(name, ...)                                                                \
    static __attribute__((noinline)) void name##_recorded(void *with, workload_data *data, \
                                                          uint64_t count)                  \
    {                                                                                      \
        const bool is_on = true;                                                           \
        __VA_ARGS__;                                                                       \
    }                                                                                      \
    static __attribute__((noinline)) void name##_plain(void *with, workload_data *data,    \
                                                       uint64_t count)                     \
    {                                                                                      \
        const bool is_on = false;                                                          \
        __VA_ARGS__;                                                                       \
    }

WORKLOAD(w1, empty(with, data, count, is_on))
WORKLOAD(w2, payloads(with, data, count, is_on, SEPARATE))
WORKLOAD(w2_literal, payloads(with, data, count, is_on, LITERAL))
WORKLOAD(w2_one_call, payloads(with, data, count, is_on, ONE_CALL))
WORKLOAD(w2_undeclared, payloads(with, data, count, is_on, UNDECLARED))
WORKLOAD(w3, payloads(with, data, count, is_on, WITH_DATA))
WORKLOAD(w4, overlap(with, data, count, is_on))
WORKLOAD(event, events(with, data, count, is_on, DECLARED))
WORKLOAD(event_named, events(with, data, count, is_on, NAMED))
WORKLOAD(event_words, events(with, data, count, is_on, WORDS))

#define LISTED_AS(name, function, open)                                   \
    {                                                                     \
        name, open, function##_recorded, function##_plain, close_recorder \
    }
#define LISTED(name, function) LISTED_AS(name, function, open_recorder)

const workload core_workloads[] = {LISTED("W1", w1),
                                   LISTED("W2", w2),
                                   LISTED("W2-literal", w2_literal),
                                   LISTED("W2-one-call", w2_one_call),
                                   LISTED("W2-undeclared", w2_undeclared),
                                   LISTED("W3", w3),
                                   LISTED("W4", w4),
                                   LISTED("event", event),
                                   LISTED("event-named", event_named),
                                   LISTED("event-words", event_words),
                                   LISTED_AS("W2-before-start", w2, open_early),
                                   LISTED_AS("W2-before-window", w2, open_early_limited),
                                   LISTED_AS("W2-within", w2, open_within),
                                   LISTED_AS("W2-after-stop", w2, open_late),
                                   LISTED_AS("one-call-before-start", w2_one_call, open_early),
                                   LISTED_AS("one-call-within", w2_one_call, open_within),
                                   LISTED_AS("one-call-after-stop", w2_one_call, open_late),
                                   {NULL, NULL, NULL, NULL, NULL}};
