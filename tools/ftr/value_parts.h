/* Divides the transactions of each generator by the values of an attribute (`ftr stats --by`). Each
 * value is a part with figures of its own. A generator has parts for the first 256 values; all
 * other values share a part, so memory is bounded. The transactions without the attribute
 * are a part, too. */
#ifndef FTR_VALUE_PARTS_H
#define FTR_VALUE_PARTS_H

#include "figure_table.h"
#include "trace_measure.h"

/* Maximum number of values with a part of their own, for each generator of all files. */
#define FTR_VALUES_MAX 256u
/* Texts are compared and shown up to this number of bytes. */
#define FTR_VALUE_TEXT_MAX 256u

/* A part of a generator, in all files. */
typedef struct ftr_value_part {
    size_t generator;
    ftr_part_kind kind;
    ftr_attribute_value value;
    char *key; /* the value as bytes; a text in `value` points into them */
    ftr_figure_text shown;
} ftr_value_part;

typedef struct ftr_parted_generator {
    char *name; /* STREAM.GENERATOR, 0-terminated */
    size_t name_size, stream_size;
    size_t values;   /* number of values with a part of their own */
    bool has_others; /* there are more values */
} ftr_parted_generator;

/* The parts of the generators of all files. `{.attribute = NAME}` is empty. */
typedef struct ftr_value_parts {
    const char *attribute; /* NULL: generators are not divided */
    ftr_value_part *parts;
    size_t part_count, part_capacity;
    ftr_name_table part_keys;
    ftr_parted_generator *generators;
    size_t generator_count, generator_capacity;
    ftr_name_table generator_names;
} ftr_value_parts;

void ftr_value_parts_release(ftr_value_parts *parts);

/* ---- the pass over one file ------------------------------------------------------------------ */

typedef struct ftr_parts_pass {
    ftr_value_parts *parts;
    ftr_reader *reader;
    /* collects the figures of the parts. Each part has a generator: its name is the number of the
     * part */
    ftr_run_collector *collector;
    int time_scale;
    size_t *generators; /* index: generator of the trace; value: 1 + number in `parts` */
    size_t generator_count;
    size_t *numbers; /* index: part; value: 1 + number of its generator in the collector */
    size_t number_count;
    bool is_found; /* a transaction has the attribute */
} ftr_parts_pass;

/* Begins a pass: sets the functions of @p measure that divide its transactions.
 * @param[out] pass to be ended with ftr_parts_pass_end()
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_parts_pass_begin(ftr_parts_pass *pass, ftr_value_parts *parts,
                                             ftr_reader *reader, ftr_trace_measure *measure);

/* Makes the record of the parts and ends the pass.
 * @param[out] run owned by the caller until ftr_run_record_release()
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_parts_pass_end(ftr_parts_pass *pass, const ftr_run_source *source,
                                           ftr_run_record *run);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Makes the rows of parts from the settled totals of the records of parts.
 * @param[out] rows to be released with free(rows->of). They refer to @p parts and @p totals
 * @return false if out of memory */
bool ftr_value_parts_rows(const ftr_value_parts *parts, ftr_run_totals *totals,
                          ftr_figure_parts *rows);

#endif
