/* The figures of one transaction, which are read from its attributes: bytes, response, named times,
 * unfinished. The same rules hold for a trace and for a recorder that keeps a summary. */
#ifndef FTR_TX_FIGURES_H
#define FTR_TX_FIGURES_H

#include "named_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The forms of attribute values that the figures need. */
typedef enum ftr_figure_form {
    FTR_FIGURE_OTHER,
    FTR_FIGURE_TRUE,
    FTR_FIGURE_NUMBER,
    FTR_FIGURE_INTEGER, /* negative */
    FTR_FIGURE_TEXT
} ftr_figure_form;

typedef struct ftr_figure_attribute {
    const char *name;
    size_t name_size;
    ftr_figure_form form;
    bool is_time; /* the type is TIME */
    uint64_t number;
    int64_t integer;
    const char *text; /* may be NULL */
    size_t text_size;
} ftr_figure_attribute;

/* The meaning of an attribute's value; the name of the attribute decides it. */
typedef enum ftr_figure_meaning {
    FTR_MEANS_NOTHING,
    FTR_MEANS_BYTES,
    FTR_MEANS_COUNT, /* number of lost transactions */
    FTR_MEANS_UNFINISHED,
    FTR_MEANS_RESPONSE /* of an access: OK, INCOMPLETE, or the name of an error */
} ftr_figure_meaning;

/* Zero-initialise, set the times, then call ftr_tx_figures_attribute() for each attribute. */
typedef struct ftr_tx_figures {
    uint64_t id, begin, end;
    uint64_t bytes;
    bool has_bytes;
    bool error, incomplete, unfinished;
    uint8_t time_count; /* number of times in `times` */
    bool is_noted;      /* `count` was already added to the losses of the run */
    uint64_t count;     /* number of lost transactions, in `ftr.losses` */
    /* room for FTR_TIMES_MAX attributes of type TIME; owned by the caller; NULL: not used */
    ftr_tx_time *times;
} ftr_tx_figures;

/* Updates the figures with an attribute of the transaction. @p meaning: ftr_figure_meaning_of() the
 * attribute's name */
void ftr_tx_figures_attribute(ftr_tx_figures *tx, ftr_figure_meaning meaning,
                              const ftr_figure_attribute *attribute);

/* The parts of ftr_tx_figures_attribute(). */
ftr_figure_meaning ftr_figure_meaning_of(const char *name, size_t size);
void ftr_tx_figures_response(ftr_tx_figures *tx, ftr_figure_meaning meaning, const char *text,
                             size_t size);
static inline void ftr_tx_figures_number(ftr_tx_figures *tx, ftr_figure_meaning meaning,
                                         uint64_t number)
{
    if (meaning == FTR_MEANS_BYTES && !tx->has_bytes) {
        tx->has_bytes = true;
        tx->bytes = number;
    } else if (meaning == FTR_MEANS_COUNT) {
        tx->count = number;
    }
}

/* Returns false if @p text cannot be the name of a response other than OK; compares only the last
 * character. */
static inline bool ftr_may_be_response(const char *text, size_t size)
{
    return size > 0 && (text[size - 1] == 'E' || text[size - 1] == 'R');
}

/* Returns true if a text is not the name of a response, or the name of the usual one, OK. */
static inline bool ftr_is_no_error(const uint8_t *text, size_t size)
{
    static const char ok[] = "_OK_RESPONSE";
    const size_t length = sizeof ok - 1;
    return !ftr_may_be_response((const char *)text, size) ||
           (size >= length && memcmp(text + size - length, ok, length) == 0);
}

/* Decides when an incomplete response is an error. */
typedef enum ftr_response_rule {
    FTR_RESPONSE_OWN,      /* transactions have responses: incomplete is an error */
    FTR_RESPONSE_AT_END,   /* accesses: incomplete is an error if the access is finished */
    FTR_RESPONSE_OF_OTHERS /* transactions end before the response: incomplete is no error */
} ftr_response_rule;

/* Returns the rule for a generator. @param kind kind of its stream */
ftr_response_rule ftr_response_rule_of(const char *kind, size_t kind_size, const char *name,
                                       size_t name_size);

/* Returns true if the transaction counts as an error. */
static inline bool ftr_tx_figures_is_error(const ftr_tx_figures *tx, ftr_response_rule rule)
{
    return tx->error || (tx->incomplete && (rule == FTR_RESPONSE_OWN ||
                                            (rule == FTR_RESPONSE_AT_END && !tx->unfinished)));
}

#endif
