/* The transactions at the start of every file of a run: the transactions of the stream `ftr.run`
 * with begin == end, which identify the run. */
#ifndef FTR_PREAMBLE_H
#define FTR_PREAMBLE_H

#include <stdatomic.h>

#include "definitions.h"
#include "encoder_state.h"

typedef struct ftr_preamble {
    uint32_t stream; /* handle of `ftr.run`; 0: not defined yet */
    /* entities (streams, generators) with lower handles were already compared with the name
     * `ftr.run` */
    uint32_t looked_at;
    uint8_t *records; /* copies of the transactions; owned */
    size_t size;
    size_t capacity;
} ftr_preamble;

/* Copies the transactions in [from, to) that must be at the start of every file. */
void ftr_preamble_collect(ftr_preamble *preamble, const ftr_definitions *definitions,
                          const uint8_t *from, const uint8_t *to);

/* Encodes the copies, with new transaction ids from @p next_id. */
void ftr_preamble_replay(const ftr_preamble *preamble, ftr_encoder *encoder,
                         _Atomic uint64_t *next_id);

void ftr_preamble_release(ftr_preamble *preamble);

#endif
