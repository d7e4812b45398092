/* Loops over the workload data that record through the C core, and the same loops without the
 * recording lines. instructions.py runs them under callgrind and subtracts.
 *
 *     core_workloads WORKLOAD TRANSACTIONS [FILE]
 *
 * Without FILE the loop runs without its recording lines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftr/recorder.h>

#include "workload_data.h"

#define OPEN_AT_ONCE 1000

enum { ADDRESS, LENGTH, RESPONSE, DATA };

typedef struct setup {
    ftr_recorder *recorder; /* NULL: nothing is recorded */
    ftr_generator generators[4][2];
    ftr_relation follows;
} setup;

static void fail(const char *what)
{
    fprintf(stderr, "core_workloads: %s\n", what);
    exit(2);
}

static void tell(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    if (severity != FTR_SEVERITY_NOTE)
        fprintf(stderr, "%s\n", message);
}

static setup open_recorder(const char *path)
{
    static const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"response", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                               {"data", FTR_TYPE_STRING, FTR_CLASS_RECORD}};
    setup made = {NULL, {{0}}, 0};
    if (!path)
        return made;
    const ftr_recorder_options options = {.threads = 1, .report = tell};
    bool good = ftr_recorder_open(path, &options, &made.recorder) == FTR_OK &&
                ftr_relation_define(made.recorder, "follows", &made.follows) == FTR_OK;
    for (int i = 0; good && i < 4; ++i) {
        char name[] = "top.bus.initiator0";
        name[sizeof name - 2] = (char)('0' + i);
        ftr_stream stream = 0;
        good =
            ftr_stream_define(made.recorder, name, "[TLM][base-protocol][b]", &stream) == FTR_OK &&
            ftr_generator_define(made.recorder, stream, "read", attributes, 4,
                                 &made.generators[i][0]) == FTR_OK &&
            ftr_generator_define(made.recorder, stream, "write", attributes, 4,
                                 &made.generators[i][1]) == FTR_OK;
    }
    if (!good)
        fail("cannot record");
    return made;
}

/* ---- the loops --------------------------------------------------------------------------------
 *
 * `is_on` is constant in each, so that the recording lines are there or not. */

#define LOOP static inline __attribute__((always_inline)) void

LOOP empty(const setup *with, bool is_on, uint64_t count)
{
    ftr_recorder *const rec = with->recorder;
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t now = i * WORKLOAD_STEP;
        WORKLOAD_USE(now);
        if (!is_on)
            continue;
        ftr_tx tx;
        ftr_tx_begin(rec, with->generators[0][0], now, &tx);
        ftr_tx_end(rec, tx, now);
    }
}

typedef enum recording { SEPARATE, ONE_CALL, UNDECLARED, WITH_DATA } recording;

static inline __attribute__((always_inline)) ftr_value number_value(uint64_t number)
{
    return (ftr_value){.type = FTR_TYPE_UNSIGNED, .as.number = number};
}

static inline __attribute__((always_inline)) ftr_value text_value(const char *text)
{
    return (ftr_value){.type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
}

LOOP payloads(const setup *with, bool is_on, uint64_t count, recording how)
{
    ftr_recorder *const rec = with->recorder;
    workload_data data = workload_start();
    for (uint64_t i = 0; i < count; ++i) {
        char hexadecimal[65];
        const workload_tx next = workload_next(&data);
        const uint64_t now = i * WORKLOAD_STEP;
        if (how == WITH_DATA)
            workload_hexadecimal(&data, hexadecimal);
        WORKLOAD_USE(hexadecimal);
        WORKLOAD_USE(next.address + next.length + next.duration);
        WORKLOAD_USE(next.response);
        if (!is_on)
            continue;
        const ftr_generator generator = with->generators[next.stream][next.generator];
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
            ftr_tx_put_text(rec, tx, RESPONSE, next.response, FTR_NUL_TERMINATED);
        }
        if (how == WITH_DATA)
            ftr_tx_put_text(rec, tx, DATA, hexadecimal, FTR_NUL_TERMINATED);
        ftr_tx_end(rec, tx, now + next.duration);
    }
}

/* A thousand transactions open at any time; each that begins follows the one before. */
LOOP overlap(const setup *with, bool is_on, uint64_t count)
{
    static ftr_tx open[OPEN_AT_ONCE];
    ftr_recorder *const rec = with->recorder;
    workload_data data = workload_start();
    for (int i = 0; is_on && i < OPEN_AT_ONCE; ++i)
        ftr_tx_begin(rec, with->generators[i & 3][0], 0, &open[i]);
    ftr_tx previous = open[0];
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t one = workload_random(&data) % OPEN_AT_ONCE;
        const uint64_t now = i * WORKLOAD_STEP;
        WORKLOAD_USE(one);
        WORKLOAD_USE(now);
        if (!is_on)
            continue;
        ftr_tx_end(rec, open[one], now);
        ftr_tx_begin(rec, with->generators[i & 3][0], now, &open[one]);
        ftr_relation_put(rec, with->follows, previous, open[one]);
        previous = open[one];
    }
}

#define WORKLOAD(name, ...)                                                             \
    static __attribute__((noinline)) void name##_on(const setup *with, uint64_t count)  \
    {                                                                                   \
        const bool is_on = true;                                                        \
        __VA_ARGS__;                                                                    \
    }                                                                                   \
    static __attribute__((noinline)) void name##_off(const setup *with, uint64_t count) \
    {                                                                                   \
        const bool is_on = false;                                                       \
        __VA_ARGS__;                                                                    \
    }

WORKLOAD(w1, empty(with, is_on, count))
WORKLOAD(w2, payloads(with, is_on, count, SEPARATE))
WORKLOAD(w2_one_call, payloads(with, is_on, count, ONE_CALL))
WORKLOAD(w2_undeclared, payloads(with, is_on, count, UNDECLARED))
WORKLOAD(w3, payloads(with, is_on, count, WITH_DATA))
WORKLOAD(w4, overlap(with, is_on, count))

static const struct {
    const char *name;
    void (*on)(const setup *, uint64_t);
    void (*off)(const setup *, uint64_t);
} workloads[] = {{"W1", w1_on, w1_off},
                 {"W2", w2_on, w2_off},
                 {"W2-one-call", w2_one_call_on, w2_one_call_off},
                 {"W2-undeclared", w2_undeclared_on, w2_undeclared_off},
                 {"W3", w3_on, w3_off},
                 {"W4", w4_on, w4_off}};

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4)
        fail("usage: core_workloads WORKLOAD TRANSACTIONS [FILE]");
    const char *path = argc == 4 ? argv[3] : NULL;
    const uint64_t count = strtoull(argv[2], NULL, 10);
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; ++i) {
        if (strcmp(workloads[i].name, argv[1]) != 0)
            continue;
        setup with = open_recorder(path);
        (path ? workloads[i].on : workloads[i].off)(&with, count);
        if (path && ftr_recorder_close(with.recorder) != FTR_OK)
            fail("the file is not whole");
        return 0;
    }
    fail("no such workload");
}
