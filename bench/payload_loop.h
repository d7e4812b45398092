/* The loop of W2 for recorders that record each transaction with one function call. */
#ifndef FTR_PAYLOAD_LOOP_H
#define FTR_PAYLOAD_LOOP_H

#include "workload.h"

/** @param record NULL: without the recording line */
WORKLOAD_LOOP payload_loop(void *opened, workload_data *from, uint64_t count,
                           void (*record)(void *opened, const workload_tx *next, uint64_t begin))
{
    workload_data data = *from;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = workload_now(&data);
        const workload_tx next = workload_next(&data);
        WORKLOAD_USE(next.address + next.length + next.duration);
        WORKLOAD_USE(next.response);
        WORKLOAD_USE(next.stream + next.generator);
        if (record != NULL)
            record(opened, &next, begin);
    }
    *from = data;
}

static void payload_loop_plain(void *opened, workload_data *data, uint64_t count)
{
    payload_loop(opened, data, count, NULL);
}

/** Defines a workload with payload_loop(). */
#define WORKLOAD_OF_PAYLOADS(workload_name, shown, open, record, close)                 \
    static void workload_name##_loop(void *opened, workload_data *data, uint64_t count) \
    {                                                                                   \
        payload_loop(opened, data, count, record);                                      \
    }                                                                                   \
    const workload workload_name = {shown, open, workload_name##_loop, payload_loop_plain, close};

#endif
