/* The metadata of a trace of Common Trace Format 1.8: a description, as text, of the bytes that
 * ctf_stream.c and ctf_writer.c write. This is the only place that describes them. */
#ifndef FTR_CTF_METADATA_H
#define FTR_CTF_METADATA_H

#include "event_clock.h"
#include "event_layout.h"

#include <stdio.h>

#define FTR_CTF_UUID_SIZE 16

/* Classes of streams. */
enum { FTR_CTF_TRANSACTIONS, FTR_CTF_RELATIONS };

/* The class of an event within its stream's class: one byte. The events of transactions are
 * numbered from 1, in the order of first use. */
#define FTR_CTF_RELATION_EVENT 0

typedef struct ftr_ctf_metadata {
    uint8_t uuid[FTR_CTF_UUID_SIZE]; /* of the trace */
    int time_scale;                  /* of the file */
    ftr_event_clock clock;
    /* For transactions: 0 until there is an event of that kind and shape. */
    uint8_t event_ids[FTR_TIMELINE_EVENT_KINDS][FTR_EVENT_SHAPES];
    unsigned events; /* number of event classes */
} ftr_ctf_metadata;

void ftr_ctf_metadata_print(const ftr_ctf_metadata *metadata, FILE *file);

#endif
