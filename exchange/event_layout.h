/* The clock and the events of a trace that is made from an FTR file. An event contains the
 * attributes in arrays, one array for each kind of value. Output in Common Trace Format and in
 * babeltrace's trace IR has the same layout. */
#ifndef FTR_EVENT_LAYOUT_H
#define FTR_EVENT_LAYOUT_H

#include "timeline.h"

#include <ftr/reader.h>

/* There is an array (sequence) for each kind of value, for two reasons. First, attributes cannot be
 * CTF fields of the same name, because fields must be declared in the metadata before the
 * attributes are known. Second, the elements of one array for all values would need a variant type,
 * and babeltrace 2.0.4 cannot write a variant within a sequence. */
typedef enum ftr_event_array {
    FTR_EVENT_BOOLEANS,
    FTR_EVENT_INTEGERS,
    FTR_EVENT_UNSIGNEDS,
    FTR_EVENT_REALS,
    FTR_EVENT_TEXTS
} ftr_event_array;
#define FTR_EVENT_ARRAYS 5
/* Number of event classes for each kind of event: one for each combination of arrays. The class of
 * an event has exactly the arrays that are not empty in the event. */
#define FTR_EVENT_SHAPES (1U << FTR_EVENT_ARRAYS)

extern const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS];
extern const char *const ftr_event_array_names[FTR_EVENT_ARRAYS];

/* Labels of two enumerations: the class of an attribute, and a boolean. */
#define FTR_EVENT_CLASSES 3
extern const char *const ftr_event_class_labels[FTR_EVENT_CLASSES]; /* index: ftr_attribute_class */
extern const char *const ftr_event_boolean_labels[2];

/* The attributes of one event. Must be zero-initialised. */
typedef struct ftr_event_attributes {
    /* the attributes of each array, in stored order */
    ftr_attribute_value *sorted[FTR_EVENT_ARRAYS];
    size_t counts[FTR_EVENT_ARRAYS], capacities[FTR_EVENT_ARRAYS];
    unsigned shape; /* a bit for each array; set if the array is not empty */
} ftr_event_attributes;

/* Replaces the collected attributes by the attributes of an event of @p tx. For a begin, these are
 * the attributes of class begin; for an end, the other attributes; for an instant, all attributes.
 * @return false if out of memory */
bool ftr_event_collect(ftr_event_attributes *attributes, ftr_reader *reader,
                       ftr_timeline_event_kind kind, ftr_transaction *tx);

void ftr_event_attributes_free(ftr_event_attributes *attributes);

/* Returns the value of an attribute that is in the array FTR_EVENT_INTEGERS. */
static inline int64_t ftr_event_integer(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_INTEGER ? attribute->as.integer
                                               : (int64_t)attribute->as.number;
}

/* ---- the clock of a trace: converts ticks to cycles ------------------------------------------ */

typedef struct ftr_event_clock {
    uint64_t frequency; /* cycles per second */
    uint64_t factor;    /* cycles per tick; more than 1 only for ticks longer than a second */
    int64_t offset_seconds;
    uint64_t offset_cycles; /* less than the frequency */
} ftr_event_clock;

#define FTR_EVENT_CLOCK_NAME "simulated_time"
#define FTR_EVENT_CLOCK_DESCRIPTION "a cycle is a tick of the FTR file"

/* Initialises the clock for a file. @p offset_s and @p offset_ns are added to its times.
 * @return false if the time scale or the offset is out of range, or if @p offset_ns is not a whole
 *         number of ticks; *why is then the reason, a static text */
bool ftr_event_clock_of(const ftr_file_info *info, int64_t offset_s, int64_t offset_ns,
                        ftr_event_clock *clock, const char **why);

/* Returns the tick that contains @p ns nanoseconds since 1970; 0 for times before tick 0,
 * UINT64_MAX if the cycles exceed 64 bits. */
uint64_t ftr_event_clock_ticks(const ftr_event_clock *clock, int64_t ns);

/* ---- losses (loss_counts.c) ------------------------------------------------------------------ */

/* The sum of the losses in each stream `ftr.losses` of a file (docs/format.md, "Losses"). It
 * becomes the counter of discarded events. */

typedef struct ftr_loss_count {
    uint64_t count;    /* sum over the transactions of the stream; saturates at UINT64_MAX */
    uint64_t ends;     /* number of transactions of the stream */
    uint64_t last_end; /* in ticks */
} ftr_loss_count;

/* Must be zero-initialised. */
typedef struct ftr_loss_counts {
    ftr_loss_count *streams; /* index: number of the stream in the file */
    size_t stream_count;
} ftr_loss_counts;

/* Reads the losses in the time window @p window. Reads no transactions if the file has no stream of
 * losses.
 * @return FTR_OK; an error of ftr_cursor_open() or ftr_cursor_next(); FTR_ERR_MEMORY */
ftr_status ftr_loss_counts_read(ftr_loss_counts *counts, ftr_reader *reader,
                                const ftr_query *window);
/* Returns the sum of the losses that the stream @p stream contains; NULL if it is not a stream of
 * losses, or contains none in the time window. */
ftr_loss_count *ftr_loss_counts_of(const ftr_loss_counts *counts, const ftr_stream_info *stream);
void ftr_loss_counts_release(ftr_loss_counts *counts);

#endif
