/* The layout of a transaction's events: the arrays that contain the attributes, one array for each
 * kind of value. Output in Common Trace Format and in babeltrace's trace IR has the same layout. */
#ifndef FTR_EVENT_LAYOUT_H
#define FTR_EVENT_LAYOUT_H

#include "timeline.h"

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
 * an event has only those arrays that are not empty in the event. */
#define FTR_EVENT_SHAPES (1U << FTR_EVENT_ARRAYS)

extern const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS];
extern const char *const ftr_event_array_names[FTR_EVENT_ARRAYS];

/* Labels of the enumerations for the class of an attribute and for booleans. */
#define FTR_EVENT_CLASSES 3
extern const char *const ftr_event_class_labels[FTR_EVENT_CLASSES]; /* index: ftr_attribute_class */
extern const char *const ftr_event_boolean_labels[2];

/* The attributes of one event. Must be zero-initialised. */
typedef struct ftr_event_attributes {
    /* index: array; the attributes in stored order */
    ftr_attribute_value *sorted[FTR_EVENT_ARRAYS];
    size_t counts[FTR_EVENT_ARRAYS], capacities[FTR_EVENT_ARRAYS];
    unsigned shape; /* a bit for each array that is not empty */
} ftr_event_attributes;

/* Replaces the collected attributes by those of an event of @p tx: for a begin, the attributes of
 * class begin; for an end, the other attributes; for an instant, all. @return false if out of
 * memory */
bool ftr_event_collect(ftr_event_attributes *attributes, ftr_reader *reader,
                       ftr_timeline_event_kind kind, ftr_transaction *tx);

void ftr_event_attributes_free(ftr_event_attributes *attributes);

/* Returns the value of an attribute that is in the array FTR_EVENT_INTEGERS. */
static inline int64_t ftr_event_integer(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_INTEGER ? attribute->as.integer
                                               : (int64_t)attribute->as.number;
}

#endif
