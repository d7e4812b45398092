/* Records transactions with two integers each, spread evenly over many objects, to measure how the
 * cost of a transaction grows with the number of these objects:
 *
 *     growth_workload KIND OBJECTS TRANSACTIONS [FILE [BLOCK_MEMORY]]
 *
 * OBJECTS is the number of objects. KIND says what they are:
 *
 *     streams     streams with one generator each
 *     generators  generators of one stream
 *     calls       as generators, but each transaction is recorded by one call
 *     open        transactions that are open at the same time
 *     texts       texts, of which each transaction has one as a third attribute
 *
 * The objects take turns. Without FILE the loop runs without its recording lines. BLOCK_MEMORY is
 * the option in bytes. Prints the processor time of a transaction without the definitions, the
 * number of chunks, and the peak of resident memory in bytes.
 *
 * If the environment variable GROWTH_NS is set, each transaction advances the recorder's clock by
 * this number of nanoseconds. Under callgrind, a program runs 50 times slower. By the clock of the
 * system, a chunk would be old, and therefore written, with 50 times fewer transactions. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ftr/recorder.h>

#include "workload.h"

enum { ADDRESS, LENGTH, TEXT };

typedef enum growth_kind { STREAMS, GENERATORS, CALLS, OPEN, TEXTS } growth_kind;

typedef struct growth {
    growth_kind kind;
    size_t objects;
    ftr_recorder *recorder; /* NULL: nothing is recorded */
    size_t generator_count;
    ftr_generator *generators;
    ftr_tx *open;
    char (*texts)[48];
} growth;

static uint64_t recorded;         /* number of transactions so far; atomic */
static uint64_t ns_a_transaction; /* 0: the clock of the system */

void workload_fail(const char *what)
{
    fprintf(stderr, "growth_workload: %s\n", what);
    exit(2);
}

static void *allocate(size_t count, size_t size)
{
    void *const made = calloc(count, size);
    if (made == NULL)
        workload_fail("out of memory");
    return made;
}

static void tell(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    if (severity != FTR_SEVERITY_NOTE)
        fprintf(stderr, "%s\n", message);
}

static uint64_t clock_of_run(void *user)
{
    (void)user;
    return UINT64_C(1000000000) + __atomic_load_n(&recorded, __ATOMIC_RELAXED) * ns_a_transaction;
}

static growth_kind kind_of(const char *name)
{
    static const char *const names[] = {"streams", "generators", "calls", "open", "texts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return (growth_kind)i;
    }
    workload_fail("no such kind");
}

static void define_generators(growth *with)
{
    static const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                               {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}};
    const size_t attribute_count = with->kind == TEXTS ? 3 : 2;
    const size_t streams = with->kind == STREAMS ? with->objects : 1;
    ftr_stream stream = 0;
    ftr_status status = FTR_OK;
    with->generator_count =
        with->kind == GENERATORS || with->kind == CALLS ? with->objects : streams;
    with->generators = allocate(with->generator_count, sizeof *with->generators);
    for (size_t i = 0; i < with->generator_count && status == FTR_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "top.cluster%zu.core%zu.port", i / 64, i % 64);
        if (i < streams)
            status = ftr_stream_define(with->recorder, name, "[TLM][base-protocol][b]", &stream);
        if (status == FTR_OK)
            status = ftr_generator_define(with->recorder, stream, i < streams ? "read" : name,
                                          attributes, attribute_count, &with->generators[i]);
    }
    if (status != FTR_OK)
        workload_fail("a generator cannot be defined");
}

static void open_recorder(growth *with, const char *path, size_t block_memory)
{
    const ftr_recorder_options options = {.threads = 1,
                                          .report = tell,
                                          .block_memory = block_memory,
                                          .clock = ns_a_transaction ? clock_of_run : NULL,
                                          .journal_directory = getenv("FTR_JOURNAL_DIR")};
    if (ftr_recorder_open(path, &options, &with->recorder) != FTR_OK)
        workload_fail("cannot record");
    define_generators(with);
}

/* Makes the objects that are neither streams nor generators. */
static void make_objects(growth *with)
{
    if (with->kind == OPEN)
        with->open = allocate(with->objects, sizeof *with->open);
    if (with->kind != TEXTS)
        return;
    with->texts = allocate(with->objects, sizeof *with->texts);
    for (size_t i = 0; i < with->objects; i++)
        snprintf(with->texts[i], sizeof *with->texts, "state %zu of the machine", i);
}

static void end_open(const growth *with, size_t which, uint64_t now)
{
    if (with->open[which].id != 0)
        ftr_tx_end(with->recorder, with->open[which], now);
}

/* Records a transaction of object @p which. */
static void record(const growth *with, size_t which, uint64_t now, uint64_t random)
{
    ftr_recorder *const rec = with->recorder;
    const ftr_generator generator = with->generators[with->generator_count > 1 ? which : 0];
    const uint64_t end = now + 1000 * (10 + (random >> 40 & 63));
    const uint64_t address = UINT64_C(0x80000000) + (random & 0xfffff) * 4;
    const uint64_t length = 4u << (random >> 32 & 3);
    ftr_tx tx;
    if (with->kind == CALLS) {
        const ftr_value values[] = {{.type = FTR_TYPE_UNSIGNED, .as.number = address},
                                    {.type = FTR_TYPE_UNSIGNED, .as.number = length}};
        ftr_tx_record(rec, generator, now, end, values, 2, NULL);
        return;
    }
    if (with->kind == OPEN)
        end_open(with, which, now);
    if (ftr_tx_begin(rec, generator, now, &tx) != FTR_OK)
        workload_fail("a transaction cannot begin");
    ftr_tx_put_number(rec, tx, ADDRESS, address);
    ftr_tx_put_number(rec, tx, LENGTH, length);
    if (with->kind == TEXTS)
        ftr_tx_put_text(rec, tx, TEXT, with->texts[which], FTR_NUL_TERMINATED);
    if (with->kind == OPEN)
        with->open[which] = tx;
    else
        ftr_tx_end(rec, tx, end);
}

static void run(const growth *with, uint64_t count)
{
    workload_data data = workload_start();
    size_t which = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t now = workload_now(&data);
        const uint64_t random = workload_random(&data);
        WORKLOAD_USE(now + random);
        WORKLOAD_USE(which);
        if (with->recorder != NULL) {
            record(with, which, now, random);
            __atomic_store_n(&recorded, i + 1, __ATOMIC_RELAXED);
        }
        which = which + 1 < with->objects ? which + 1 : 0;
    }
    for (size_t i = 0; with->recorder != NULL && with->kind == OPEN && i < with->objects; i++)
        end_open(with, i, data.now);
}

static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the peak of resident memory in bytes. ru_maxrss is not used, because it contains the peak
 * of the program that has started this one. */
static unsigned long peak(void)
{
    unsigned long kibibytes = 0;
    char line[256];
    FILE *const file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            kibibytes = strtoul(line + 6, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return kibibytes * 1024;
}

int main(int argc, char **argv)
{
    if (argc < 4 || argc > 6)
        workload_fail("give KIND OBJECTS TRANSACTIONS [FILE [BLOCK_MEMORY]]");
    growth with = {.kind = kind_of(argv[1]), .objects = strtoull(argv[2], NULL, 10)};
    const uint64_t count = strtoull(argv[3], NULL, 10);
    const char *const ns = getenv("GROWTH_NS");
    ns_a_transaction = ns != NULL ? strtoull(ns, NULL, 10) : 0;
    if (with.objects == 0 || count == 0)
        workload_fail("there must be at least one object and one transaction");
    make_objects(&with);
    if (argc > 4)
        open_recorder(&with, argv[4], argc > 5 ? strtoull(argv[5], NULL, 10) : 0);
    const double before = seconds_used();
    run(&with, count);
    ftr_statistics statistics = {0};
    if (with.recorder != NULL &&
        (ftr_recorder_close(with.recorder) != FTR_OK ||
         ftr_recorder_get_statistics(with.recorder, &statistics) != FTR_OK))
        workload_fail("the file is not whole");
    printf("ns %.1f chunks %llu peak %lu\n", 1e9 * (seconds_used() - before) / (double)count,
           (unsigned long long)statistics.chunks, peak());
    free(with.texts);
    free(with.open);
    free(with.generators);
    return 0;
}
