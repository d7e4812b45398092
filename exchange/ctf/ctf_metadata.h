/* The metadata of a trace in Common Trace Format 1.8. This text is the only description of the
 * bytes that ctf_stream.c and ctf_writer.c write. */
#ifndef FTR_CTF_METADATA_H
#define FTR_CTF_METADATA_H

#include "event_layout.h"

#include <stdio.h>

#define FTR_CTF_UUID_SIZE 16

/* Classes of streams. */
enum { FTR_CTF_TRANSACTIONS, FTR_CTF_RELATIONS };

/* The number of an event class has one byte and is unique within the class of the stream. The only
 * class of relation events has the number 0. Classes of transaction events are numbered from 1, in
 * the order of their first use. */
#define FTR_CTF_RELATION_EVENT 0

typedef struct ftr_ctf_metadata {
    uint8_t uuid[FTR_CTF_UUID_SIZE]; /* UUID of the trace */
    int time_scale;                  /* time scale of the file */
    ftr_event_clock clock;
    /* Numbers of the classes of transaction events; 0: no event of this kind and shape yet. */
    uint8_t event_ids[FTR_TIMELINE_EVENT_KINDS][FTR_EVENT_SHAPES];
    unsigned events; /* number of event classes */
} ftr_ctf_metadata;

void ftr_ctf_metadata_print(const ftr_ctf_metadata *metadata, FILE *file);

#endif
