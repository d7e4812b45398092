/* The events of a transaction, and the arrays that contain their attributes, one for each kind of
 * value. Common Trace Format and babeltrace's trace IR have the same layout. */
#ifndef FTR_EVENT_LAYOUT_H
#define FTR_EVENT_LAYOUT_H

#include "timeline.h"

/* There is an array (sequence) for each kind of value, for two reasons. The names of attributes
 * cannot be names of CTF fields, because fields are declared in the metadata. Values have no
 * variant type, because babeltrace 2.0.4 cannot write a variant within a sequence. */
typedef enum ftr_event_array {
    FTR_EVENT_BOOLEANS,
    FTR_EVENT_INTEGERS,
    FTR_EVENT_UNSIGNEDS,
    FTR_EVENT_REALS,
    FTR_EVENT_TEXTS
} ftr_event_array;
#define FTR_EVENT_ARRAYS 5
/* Number of classes for each kind of event: one for each combination of arrays, because the class
 * of an event has exactly the arrays that the event needs. */
#define FTR_EVENT_SHAPES (1U << FTR_EVENT_ARRAYS)

extern const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS];
extern const char *const ftr_event_array_names[FTR_EVENT_ARRAYS];

/* Labels of the enumerations. */
#define FTR_EVENT_CLASSES 3
extern const char *const ftr_event_class_labels[FTR_EVENT_CLASSES]; /* by ftr_attribute_class */
extern const char *const ftr_event_boolean_labels[2];

/* The attributes of one event. Must be zero-initialised. */
typedef struct ftr_event_attributes {
    ftr_attribute_value *sorted[FTR_EVENT_ARRAYS]; /* for each array, in stored order */
    size_t counts[FTR_EVENT_ARRAYS], capacities[FTR_EVENT_ARRAYS];
    unsigned shape; /* a bit for each array that is not empty */
} ftr_event_attributes;

/* Collects the attributes for @p event and drops the previous ones: those of class begin for a
 * begin, the others for an end, all for an instant. @return false if out of memory */
bool ftr_event_collect(ftr_event_attributes *attributes, ftr_reader *reader,
                       const ftr_timeline_event *event);

void ftr_event_attributes_free(ftr_event_attributes *attributes);

/* Returns the value of an attribute in FTR_EVENT_INTEGERS. */
static inline int64_t ftr_event_integer(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_INTEGER ? attribute->as.integer
                                               : (int64_t)attribute->as.number;
}

#endif
