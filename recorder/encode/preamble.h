/* The transactions that every file of a run begins with: the instants of the stream `ftr.run`,
 * which say what run it is. */
#ifndef FTR_PREAMBLE_H
#define FTR_PREAMBLE_H

#include <stdatomic.h>

#include "definitions.h"
#include "encoder_state.h"

typedef struct ftr_preamble {
    uint32_t stream;    /* `ftr.run`, once it is defined; 0: not yet */
    uint32_t looked_at; /* entities before this are not it */
    uint8_t *records;   /* copies; owned */
    size_t size;
    size_t capacity;
} ftr_preamble;

/* Keeps a copy of those among the records in [from, to). */
void ftr_preamble_collect(ftr_preamble *preamble, const ftr_definitions *definitions,
                          const uint8_t *from, const uint8_t *to);

/* Encodes the copies under ids taken from @p next_id. */
void ftr_preamble_replay(const ftr_preamble *preamble, ftr_encoder *encoder,
                         _Atomic uint64_t *next_id);

void ftr_preamble_release(ftr_preamble *preamble);

#endif
