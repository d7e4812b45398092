/* The values of those attributes of a transaction that rules of the base protocol need. */
#ifndef FTR_PROTOCOL_VALUES_H
#define FTR_PROTOCOL_VALUES_H

#include <ftr/reader.h>

enum {
    FTR_PROTOCOL_VALUES = 24,     /* maximum number of attributes */
    FTR_PROTOCOL_VALUE_TEXT = 40, /* size of a text with its NUL; longer texts are shortened */
};

/* Index: number of the attribute in the list of names with which the values were read. */
typedef struct ftr_protocol_values {
    bool has[FTR_PROTOCOL_VALUES];
    /* integers; booleans as 0 and 1; of a text, a hash of the whole text */
    uint64_t number[FTR_PROTOCOL_VALUES];
    char text[FTR_PROTOCOL_VALUES][FTR_PROTOCOL_VALUE_TEXT];
} ftr_protocol_values;

/* Reads the attributes of @p tx with the @p count given names. */
void ftr_protocol_values_read(ftr_protocol_values *values, const char *const *names, unsigned count,
                              ftr_reader *reader, ftr_transaction *tx);

/* Returns whether the transaction has the attribute with this text. */
bool ftr_protocol_value_is(const ftr_protocol_values *values, unsigned attribute, const char *text);

/* Returns whether the transaction has the attribute with the number 0. */
bool ftr_protocol_value_is_zero(const ftr_protocol_values *values, unsigned attribute);

#endif
