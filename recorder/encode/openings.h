/* The transactions that every file of a run begins with: the instants of the stream `ftr.run`,
 * which say what run it is. */
#ifndef FTR_OPENINGS_H
#define FTR_OPENINGS_H

#include <stdatomic.h>

#include "encoder.h"

typedef struct ftr_openings {
    uint32_t stream;    /* `ftr.run`, once it is defined; 0: not yet */
    uint32_t looked_at; /* entities before this are not it */
    uint8_t *records;   /* copies; owned */
    size_t size;
    size_t capacity;
} ftr_openings;

/* Keeps a copy of those among the records in [from, to). */
void ftr_openings_see(ftr_openings *openings, const ftr_definitions *definitions,
                      const uint8_t *from, const uint8_t *to);

/* Encodes the copies under ids taken from @p next_id. */
void ftr_openings_repeat(const ftr_openings *openings, ftr_encoder *encoder,
                         _Atomic uint64_t *next_id);

void ftr_openings_release(ftr_openings *openings);

#endif
