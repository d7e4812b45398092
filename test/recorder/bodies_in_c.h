/* The bodies of an encoder without compression, for a test in C++, which cannot include the headers
 * of the encoder. */
#ifndef FTR_TEST_BODIES_IN_C_H
#define FTR_TEST_BODIES_IN_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_bodies test_bodies;

test_bodies *test_bodies_create(size_t chunk_size);
void test_bodies_destroy(test_bodies *bodies);

/* Appends a number to the body of @p stream (0: relations). @p ticket and @p now are those of the
 * block that is being read. */
bool test_bodies_put(test_bodies *bodies, uint32_t stream, uint64_t ticket, uint64_t now,
                     uint32_t number);

/* Calls ftr_encoder_flush_some(). */
bool test_bodies_flush_some(test_bodies *bodies, uint64_t ticket, uint64_t before);

uint64_t test_bodies_oldest_ticket(const test_bodies *bodies);
size_t test_bodies_count(const test_bodies *bodies);

/* Returns the framed chunks, which are valid until the next call, and removes them. */
const uint8_t *test_bodies_take(test_bodies *bodies, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
