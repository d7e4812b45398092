/* The data of the workloads: the same numbers in every run and for every recorder. They imitate TLM
 * payloads. Addresses advance through four buffers in steps of 64 bytes, but one in eight addresses
 * is random. Lengths are 4 to 64. Fifteen of sixteen responses are OK. */
#ifndef FTR_WORKLOAD_DATA_H
#define FTR_WORKLOAD_DATA_H

#include <stddef.h>
#include <stdint.h>

typedef struct workload_data {
    uint64_t state;      /* state of the random number generator splitmix64 */
    uint64_t buffers[4]; /* address of the next access in each buffer */
    uint64_t now;        /* begin of the next transaction, in ps */
} workload_data;

typedef struct workload_tx {
    uint64_t address;
    uint32_t length;
    unsigned code; /* code of the response; 0: OK */
    const char *response;
    unsigned stream;
    unsigned generator;
    uint64_t duration; /* in ps */
} workload_tx;

/* Keeps the compiler from computing a value in advance or removing it as unused. */
#define WORKLOAD_USE(value) __asm__ volatile("" : : "g"(value) : "memory")

static inline uint64_t workload_random(workload_data *data)
{
    uint64_t z = data->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline workload_data workload_start(void)
{
    workload_data data = {
        UINT64_C(0x9e3779b97f4a7c15),
        {UINT64_C(0x80000000), UINT64_C(0x90000000), UINT64_C(0xa0000000), UINT64_C(0x100000000)},
        0};
    return data;
}

/* Returns the begin of the next transaction: 1 ns after the previous one. */
static inline uint64_t workload_now(workload_data *data)
{
    const uint64_t now = data->now;
    data->now += 1000;
    return now;
}

static inline workload_tx workload_next(workload_data *data)
{
    static const char *const responses[5] = {
        "TLM_OK_RESPONSE", "TLM_GENERIC_ERROR_RESPONSE", "TLM_ADDRESS_ERROR_RESPONSE",
        "TLM_COMMAND_ERROR_RESPONSE", "TLM_BURST_ERROR_RESPONSE"};
    uint64_t x = workload_random(data);
    workload_tx tx;
    tx.stream = x & 3;
    tx.generator = x >> 2 & 1;
    tx.length = 4u << (x >> 3) % 5;
    if ((x >> 8 & 7) == 0) {
        tx.address = UINT64_C(0x80000000) + (x >> 16 & 0xffffff) * 4;
    } else {
        tx.address = data->buffers[tx.stream];
        data->buffers[tx.stream] += 64;
    }
    tx.code = (x >> 40 & 15) ? 0 : 1 + (x >> 44 & 3);
    tx.response = responses[tx.code];
    tx.duration = (10 + (x >> 48 & 63)) * 1000;
    return tx;
}

/* Writes 64 hexadecimal digits, different each time. */
static inline void workload_hexadecimal(workload_data *data, char text[65])
{
    for (size_t word = 0; word < 4; word++) {
        uint64_t x = workload_random(data);
        for (size_t i = 0; i < 16; i++, x >>= 4)
            text[word * 16 + i] = "0123456789abcdef"[x & 15];
    }
    text[64] = 0;
}

#endif
