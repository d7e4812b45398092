/* Reads and writes the columns of a record: for the files that implement run_encoding.h.
 *
 * The same functions read and write; in these files, to code means one or the other. A writing
 * codec writes the value that it is given, and returns this value. A reading codec ignores the
 * value that it is given, and returns the value that it reads. Therefore writing and reading cannot
 * disagree about the order. Any value that a reading codec returns may be wrong, because the bytes
 * may be damaged.
 *
 * A reading codec reads the whole record, column after column. A writing codec gets the streams in
 * parts. It keeps the bytes of each column until the last part, so that it needs much less memory
 * than the figures of all streams. */
#ifndef FTR_RUN_CODEC_H
#define FTR_RUN_CODEC_H

#include "number_groups.h"
#include "run_record.h"

/* The columns of distributions. */
typedef enum ftr_distribution_column {
    FTR_DISTRIBUTION_USED,
    FTR_DISTRIBUTION_ROUNDED,
    FTR_DISTRIBUTION_STEP,
    FTR_DISTRIBUTION_LEAST,
    FTR_DISTRIBUTION_VALUES, /* a column for each distribution, also the next two */
    FTR_DISTRIBUTION_COUNTS,
    FTR_DISTRIBUTION_EXACT,
    FTR_DISTRIBUTION_COLUMNS
} ftr_distribution_column;

/* The columns in the order of the format. */
typedef enum ftr_run_column {
    FTR_COLUMN_RUN,
    FTR_COLUMN_GENERATOR_COUNTS,
    FTR_COLUMN_TEXT_SIZES,
    FTR_COLUMN_TEXTS, /* bytes of the texts of the run, of the streams, of the generators */
    FTR_COLUMN_STREAM_BUSY = FTR_COLUMN_TEXTS + 3,
    FTR_COLUMN_STREAM_OUTSTANDING,
    FTR_COLUMN_ERRORS,
    FTR_COLUMN_UNFINISHED,
    FTR_COLUMN_BYTES,
    FTR_COLUMN_FIRST,
    FTR_COLUMN_DURATION,
    FTR_COLUMN_BUSY,
    FTR_COLUMN_OUTSTANDING,
    FTR_COLUMN_LATENCIES,
    FTR_COLUMN_SLOW_COUNTS = FTR_COLUMN_LATENCIES + FTR_DISTRIBUTION_COLUMNS,
    FTR_COLUMN_SLOW_LATENCY_STEPS,
    FTR_COLUMN_SLOW_BEGIN_STEPS,
    FTR_COLUMN_SLOW_LATENCIES, /* a column for each generator, also the next two */
    FTR_COLUMN_SLOW_BEGINS,
    FTR_COLUMN_SLOW_IDS,
    FTR_COLUMN_SERIES, /* all columns of the series, because they are written at once */
    FTR_COLUMN_TIME_COUNTS,
    FTR_COLUMN_TIME_NAME_SIZES,
    FTR_COLUMN_TIME_NAMES,
    FTR_COLUMN_TIMES,
    FTR_RUN_COLUMNS = FTR_COLUMN_TIMES + FTR_DISTRIBUTION_COLUMNS
} ftr_run_column;

/* The owners of texts. Their texts are stored in this order. */
typedef enum ftr_text_owner {
    FTR_TEXTS_OF_RUN,
    FTR_TEXTS_OF_STREAMS,
    FTR_TEXTS_OF_GENERATORS
} ftr_text_owner;
#define FTR_TEXT_OWNERS 3u

/* The bytes of a column, and its numbers that are not among these bytes yet. */
typedef struct ftr_written_column {
    ftr_cbor_writer bytes;
    ftr_number_writer numbers;
} ftr_written_column;

typedef struct ftr_text_sizes {
    uint64_t *of;
    size_t count, capacity;
} ftr_text_sizes;

typedef struct ftr_run_codec {
    ftr_number_reader in;
    ftr_written_column *columns; /* NULL: the codec reads */
    unsigned column;             /* the column that is being written */
    ftr_text_sizes sizes[FTR_TEXT_OWNERS];
    ftr_status status; /* the first error of a writing codec */
    /* `memory`: bytes that reading allocates; `memory_max`: limit for them */
    uint64_t memory, memory_max;
    ftr_run_record *run;                /* the record; when writing, a part of it */
    ftr_generator_figures **generators; /* all generators of `run` */
    size_t generator_count;
    const ftr_series_list *series; /* when writing: all series of the record */
} ftr_run_codec;

static inline bool ftr_codec_reads(const ftr_run_codec *c)
{
    return c->columns == NULL;
}

void ftr_codec_fail(ftr_run_codec *c, ftr_status status);

static inline bool ftr_codec_is_ok(const ftr_run_codec *c)
{
    return (ftr_codec_reads(c) ? c->in.status : c->status) == FTR_OK;
}

/* Begins or continues a column, of which @p count numbers follow now. */
static inline void ftr_begin_column(ftr_run_codec *c, unsigned column, uint64_t count)
{
    if (ftr_codec_reads(c))
        ftr_numbers_begin(&c->in, count);
    c->column = column;
}

/* Begins a column that contains only the @p count numbers that follow. */
static inline void ftr_begin_own_column(ftr_run_codec *c, unsigned column, uint64_t count)
{
    ftr_begin_column(c, column, count);
    if (!ftr_codec_reads(c))
        ftr_numbers_end(&c->columns[column].numbers);
}

static inline uint64_t ftr_code(ftr_run_codec *c, uint64_t value)
{
    if (ftr_codec_reads(c))
        return ftr_number_get(&c->in);
    ftr_number_put(&c->columns[c->column].numbers, value);
    return value;
}

/* Counts the memory of @p count items. A reading codec allocates zeroed items; a writing codec
 * returns @p items. */
void *ftr_codec_items(ftr_run_codec *c, void *items, uint64_t count, size_t size);

/* Codes the size of a text as a number of the present column. When reading, allocates the text. */
void ftr_code_size(ftr_run_codec *c, ftr_figure_text *text);

/* Codes the bytes of a text, whose size is known. */
void ftr_code_bytes(ftr_run_codec *c, unsigned column, ftr_figure_text *text);

#endif
