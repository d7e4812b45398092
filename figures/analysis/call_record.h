/* The attributes of one transaction of a recording of TLM-2.0 calls, decoded by their names. */
#ifndef FTR_CALL_RECORD_H
#define FTR_CALL_RECORD_H

#include <ftr/reader.h>

/* The attributes that folding needs. Those before FTR_CALL_NUMBERS are numbers, the others texts.
 */
typedef enum ftr_call_field {
    FTR_CALL_IDENTITY,
    FTR_CALL_ADDRESS,
    FTR_CALL_LENGTH,
    FTR_CALL_STREAMING_WIDTH,
    FTR_CALL_ENABLE_LENGTH,
    FTR_CALL_DATA, /* the first 8 bytes of the data, as a little-endian number */
    FTR_CALL_DMI_ALLOWED,
    FTR_CALL_START_DELAY, /* this and the other delays are in ticks */
    FTR_CALL_END_DELAY,
    FTR_CALL_DELAY,
    FTR_CALL_DELAY_AFTER,
    FTR_CALL_UNFINISHED,
    FTR_CALL_LOWERED,
    FTR_CALL_NUMBERS,
    FTR_CALL_COMMAND = FTR_CALL_NUMBERS,
    FTR_CALL_OPTION,
    FTR_CALL_RESPONSE,
    FTR_CALL_PHASE,
    FTR_CALL_PHASE_AFTER,
    FTR_CALL_SYNC,
    FTR_CALL_FIELDS
} ftr_call_field;

enum {
    FTR_CALL_TEXTS = FTR_CALL_FIELDS - FTR_CALL_NUMBERS,
    FTR_CALL_TEXT_SIZE = 48, /* longer texts are cut; no text of TLM-2.0 is longer */
};

/* A transaction. `stream` and `generator` are valid as long as the reader. */
typedef struct ftr_call {
    uint64_t id, begin, end;
    const ftr_stream_info *stream;
    const ftr_generator_info *generator;
    uint32_t has; /* bit number: ftr_call_field */
    uint64_t numbers[FTR_CALL_NUMBERS];
    /* The texts without `tlm::TLM_` and without `_RESPONSE`. */
    char texts[FTR_CALL_TEXTS][FTR_CALL_TEXT_SIZE];
    /* all other attributes; only for ftr_call_next_other() */
    unsigned char *others;
    size_t others_size, others_capacity;
} ftr_call;

static inline bool ftr_call_has(const ftr_call *call, ftr_call_field field)
{
    return (call->has >> field & 1) != 0;
}

/* Returns the number of a field; 0 if the call does not have it. */
static inline uint64_t ftr_call_number(const ftr_call *call, ftr_call_field field)
{
    return ftr_call_has(call, field) ? call->numbers[field] : 0;
}

/* Returns the text of a field; an empty text if the call does not have it. */
const char *ftr_call_text(const ftr_call *call, ftr_call_field field);

/* Decodes a transaction. @p call: zero, or decoded before. @return false if out of memory */
bool ftr_call_decode(ftr_call *call, ftr_reader *reader, ftr_transaction *tx);

/* Copies a decoded transaction. @p to: zero, or decoded before. @return false if out of memory */
bool ftr_call_copy(ftr_call *to, const ftr_call *from);

void ftr_call_release(ftr_call *call);

/* Gets the next attribute that is not a field. `trans.bytes` is returned with the name `data`;
 * other names are returned without the prefix `trans.`.
 * @param[in,out] at 0 for the first attribute
 * @param[out] attribute its texts are valid until the call is decoded again
 * @return false after the last attribute */
bool ftr_call_next_other(const ftr_call *call, size_t *at, ftr_attribute_value *attribute);

/* Returns the name of the generator of an access with the command of this call: `read`, `write` or
 * `ignore`. */
const char *ftr_call_command(const ftr_call *call);

#endif
