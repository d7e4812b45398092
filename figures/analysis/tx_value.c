/* Converts the fields and attributes of transactions to values that a condition compares. */
#include "tx_value.h"

static ftr_compared integer(uint64_t value)
{
    return (ftr_compared){.kind = FTR_COMPARED_INTEGER, .magnitude = value};
}

ftr_compared ftr_tx_value(const ftr_transaction *tx, ftr_tx_field field)
{
    switch (field) {
    case FTR_FIELD_ID:
        return integer(tx->id);
    case FTR_FIELD_BEGIN:
        return integer(tx->begin);
    case FTR_FIELD_END:
        return integer(tx->end);
    case FTR_FIELD_DURATION:
        return integer(tx->end >= tx->begin ? tx->end - tx->begin : 0);
    case FTR_FIELD_STREAM:
        return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = tx->stream->name};
    case FTR_FIELD_GENERATOR:
        return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = tx->generator->name};
    default:
        return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
    }
}

ftr_compared ftr_attribute_compared(const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return (ftr_compared){.kind = FTR_COMPARED_BOOLEAN, .boolean = attribute->as.boolean};
    case FTR_FORM_INTEGER: {
        const int64_t number = attribute->as.integer;
        return (ftr_compared){.kind = FTR_COMPARED_INTEGER,
                              .negative = number < 0,
                              .magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number};
    }
    case FTR_FORM_NUMBER:
        return integer(attribute->as.number);
    case FTR_FORM_REAL:
        return (ftr_compared){.kind = FTR_COMPARED_REAL, .real = (long double)attribute->as.real};
    case FTR_FORM_TEXT:
        if (attribute->as.text.data != NULL)
            return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = attribute->as.text};
        break;
    default:
        break;
    }
    return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
}
