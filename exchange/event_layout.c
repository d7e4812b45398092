/* Decides which event contains which attributes, and owns the names of events and arrays. Does not
 * write events. docs/exchange.md describes the layout. */
#include "event_layout.h"

#include "growing_array.h"

#include <stdlib.h>

const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS] = {"tx_begin", "tx_end", "tx_instant"};
const char *const ftr_event_array_names[FTR_EVENT_ARRAYS] = {"booleans", "integers", "unsigneds",
                                                             "reals", "texts"};
const char *const ftr_event_class_labels[FTR_EVENT_CLASSES] = {"AT_BEGIN", "RECORDED", "AT_END"};
const char *const ftr_event_boolean_labels[2] = {"no", "yes"};

static ftr_event_array array_of(const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return FTR_EVENT_BOOLEANS;
    case FTR_FORM_INTEGER:
        return FTR_EVENT_INTEGERS;
    case FTR_FORM_NUMBER:
        return attribute->type == FTR_TYPE_INTEGER && attribute->as.number <= INT64_MAX
                   ? FTR_EVENT_INTEGERS
                   : FTR_EVENT_UNSIGNEDS;
    case FTR_FORM_REAL:
        return FTR_EVENT_REALS;
    default:
        /* an attribute without a value is stored as an empty text of type NONE */
        return FTR_EVENT_TEXTS;
    }
}

static bool keep(ftr_event_attributes *attributes, ftr_event_array array,
                 const ftr_attribute_value *attribute)
{
    if (!ftr_array_grow(&attributes->sorted[array], &attributes->capacities[array],
                        attributes->counts[array], sizeof *attribute))
        return false;
    attributes->sorted[array][attributes->counts[array]++] = *attribute;
    attributes->shape |= 1U << array;
    return true;
}

bool ftr_event_collect(ftr_event_attributes *attributes, ftr_reader *reader,
                       ftr_timeline_event_kind kind, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        attributes->counts[array] = 0;
    attributes->shape = 0;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        const bool at_begin = attribute.class_ == FTR_CLASS_BEGIN;
        if (kind != FTR_TIMELINE_INSTANT && at_begin != (kind == FTR_TIMELINE_BEGIN))
            continue;
        if (!keep(attributes, array_of(&attribute), &attribute))
            return false;
    }
    return true;
}

void ftr_event_attributes_free(ftr_event_attributes *attributes)
{
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        free(attributes->sorted[array]);
    *attributes = (ftr_event_attributes){0};
}
