/* Transactions with 0 to 32 unsigned attributes through <ftr/recorder.h>, put one by one or
 * recorded in one call: measures the growth of the cost with the number of attributes. */
#include <stdbool.h>
#include <stdlib.h>

#include <ftr/recorder.h>

#include "workload.h"

#define ATTRIBUTES_MAX 32

typedef struct setup {
    ftr_recorder *recorder;
    ftr_generator generator;
} setup;

static void *open_recorder(const char *path, ftr_compression compression)
{
    static const char *const names[ATTRIBUTES_MAX] = {
        "a0",  "a1",  "a2",  "a3",  "a4",  "a5",  "a6",  "a7",  "a8",  "a9",  "a10",
        "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21",
        "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31"};
    ftr_attribute attributes[ATTRIBUTES_MAX];
    for (int i = 0; i < ATTRIBUTES_MAX; i++)
        attributes[i] = (ftr_attribute){names[i], FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD};
    const ftr_recorder_options options = {.threads = 1, .compression = compression};
    setup *made = malloc(sizeof *made);
    ftr_stream stream = 0;
    if (!made || ftr_recorder_open(path, &options, &made->recorder) != FTR_OK ||
        ftr_stream_define(made->recorder, "top.registers", NULL, &stream) != FTR_OK ||
        ftr_generator_define(made->recorder, stream, "write", attributes, ATTRIBUTES_MAX,
                             &made->generator) != FTR_OK)
        workload_fail("cannot record");
    return made;
}

static void close_recorder(void *opened)
{
    setup *with = opened;
    if (ftr_recorder_close(with->recorder) != FTR_OK)
        workload_fail("the file is not whole");
    free(with);
}

/* Returns attribute i of a transaction: different for each attribute and each transaction. */
static inline uint64_t value_of(uint64_t now, unsigned i)
{
    return now + UINT64_C(64) * i;
}

WORKLOAD_LOOP registers(const setup *with, workload_data *from, uint64_t count, bool is_on,
                        bool in_one_call, unsigned attributes)
{
    workload_data data = *from;
    for (uint64_t n = 0; n < count; n++) {
        const uint64_t now = workload_now(&data);
        WORKLOAD_USE(now);
        if (!is_on)
            continue;
        if (in_one_call) {
            ftr_value values[ATTRIBUTES_MAX];
            for (unsigned i = 0; i < attributes; i++)
                values[i] = (ftr_value){.type = FTR_TYPE_UNSIGNED, .as.number = value_of(now, i)};
            ftr_tx_record(with->recorder, with->generator, now, now + 1000, values, attributes,
                          NULL);
        } else {
            ftr_tx tx;
            ftr_tx_begin(with->recorder, with->generator, now, &tx);
            for (unsigned i = 0; i < attributes; i++)
                ftr_tx_put_number(with->recorder, tx, i, value_of(now, i));
            ftr_tx_end(with->recorder, tx, now + 1000);
        }
    }
    *from = data;
}

static void registers_plain(void *with, workload_data *data, uint64_t count)
{
    registers(with, data, count, false, false, 0);
}

#define REGISTERS(attributes)                                                          \
    static void separate_##attributes(void *with, workload_data *data, uint64_t count) \
    {                                                                                  \
        registers(with, data, count, true, false, attributes);                         \
    }                                                                                  \
    static void one_call_##attributes(void *with, workload_data *data, uint64_t count) \
    {                                                                                  \
        registers(with, data, count, true, true, attributes);                          \
    }
REGISTERS(0)
REGISTERS(1)
REGISTERS(2)
REGISTERS(4)
REGISTERS(8)
REGISTERS(16)
REGISTERS(32)

#define LISTED(attributes)                                                              \
    {"separate/" #attributes, open_recorder, separate_##attributes, registers_plain,    \
     close_recorder},                                                                   \
    {                                                                                   \
        "one-call/" #attributes, open_recorder, one_call_##attributes, registers_plain, \
            close_recorder                                                              \
    }

const workload attribute_workloads[] = {
    LISTED(0), LISTED(1),  LISTED(2),  LISTED(4),
    LISTED(8), LISTED(16), LISTED(32), {NULL, NULL, NULL, NULL, NULL}};
