/* The metadata of a trace of Common Trace Format 1.8: what its bytes mean, as text. What
 * ctf_stream.c and ctf_writer.c write is described here and nowhere else. */
#ifndef FTR_CTF_METADATA_H
#define FTR_CTF_METADATA_H

#include "event_clock.h"
#include "event_layout.h"

#include <stdio.h>

#define FTR_CTF_UUID_SIZE 16

/* Classes of streams. */
enum { FTR_CTF_TRANSACTIONS, FTR_CTF_RELATIONS };

/* The class of an event in its stream's: one byte. Those of transactions count from 1, as they are
 * first met. */
#define FTR_CTF_RELATION_EVENT 0

typedef struct ftr_ctf_metadata {
    uint8_t uuid[FTR_CTF_UUID_SIZE]; /* the trace's */
    int time_scale;                  /* of the file */
    ftr_event_clock clock;
    /* Of transactions: 0 while there is no event of that kind and shape. */
    uint8_t event_ids[FTR_TIMELINE_EVENT_KINDS][FTR_EVENT_SHAPES];
    unsigned events; /* how many there are */
} ftr_ctf_metadata;

void ftr_ctf_metadata_print(const ftr_ctf_metadata *metadata, FILE *file);

#endif
