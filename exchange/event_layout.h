/* What a trace of events has for a transaction: which events, and which of its attributes, by what
 * their values are. The same as Common Trace Format and in babeltrace's trace IR. */
#ifndef FTR_EVENT_LAYOUT_H
#define FTR_EVENT_LAYOUT_H

#include "timeline.h"

/* CTF names its fields in metadata, which names of attributes are not fit for, and version 2.0.4 of
 * babeltrace cannot write a variant within a sequence: there is a sequence for each. */
typedef enum ftr_event_array {
    FTR_EVENT_BOOLEANS,
    FTR_EVENT_INTEGERS,
    FTR_EVENT_UNSIGNEDS,
    FTR_EVENT_REALS,
    FTR_EVENT_TEXTS
} ftr_event_array;
#define FTR_EVENT_ARRAYS 5
/* Events are of a class that has the arrays they need and no other: this many of each kind. */
#define FTR_EVENT_SHAPES (1U << FTR_EVENT_ARRAYS)

extern const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS];
extern const char *const ftr_event_array_names[FTR_EVENT_ARRAYS];

/* The labels of what is an enumeration. */
#define FTR_EVENT_CLASSES 3
extern const char *const ftr_event_class_labels[FTR_EVENT_CLASSES]; /* by ftr_attribute_class */
extern const char *const ftr_event_boolean_labels[2];

/* The attributes of one event. Zero-initialise it. */
typedef struct ftr_event_attributes {
    ftr_attribute_value *sorted[FTR_EVENT_ARRAYS]; /* as stored, within each array */
    size_t counts[FTR_EVENT_ARRAYS], capacities[FTR_EVENT_ARRAYS];
    unsigned shape; /* a bit for each array that is not empty */
} ftr_event_attributes;

/* Takes the attributes that are for @p event, and drops those of the last one: of class begin for
 * a begin, the others for an end, all for an instant. @return false without memory */
bool ftr_event_take(ftr_event_attributes *attributes, ftr_reader *reader,
                    const ftr_timeline_event *event);

void ftr_event_attributes_free(ftr_event_attributes *attributes);

/* The value of one of FTR_EVENT_INTEGERS. */
static inline int64_t ftr_event_integer(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_INTEGER ? attribute->as.integer
                                               : (int64_t)attribute->as.number;
}

#endif
