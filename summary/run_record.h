/* The figures of a run, as a summary stores them. docs/summary-format.md describes the bytes.
 *
 * A record is made by a run_collector, or read from a file (run_decoding.h). Names are
 * 0-terminated, and UTF-8 unless the trace has invalid UTF-8. Times are ticks of the run's time
 * scale. */
#ifndef FTR_RUN_RECORD_H
#define FTR_RUN_RECORD_H

#include "latency_bins.h"
#include "slowest.h"
#include "time_series.h"

#define FTR_RUN_IDENTITY_SIZE 16u

/* The state of the file of a run. Better states have lower numbers. */
typedef enum ftr_run_state {
    FTR_RUN_SOUND,      /* complete and closed */
    FTR_RUN_UNFINISHED, /* readable, but not closed: the program was killed, or still runs */
    FTR_RUN_TORN,       /* some of its bytes cannot be read */
    FTR_RUN_UNREADABLE, /* not an FTR file, or reading failed */
    FTR_RUN_ABSENT,     /* there is no file */
    FTR_RUN_STATES
} ftr_run_state;

const char *ftr_run_state_name(ftr_run_state state);

typedef struct ftr_figure_text {
    char *bytes; /* 0-terminated */
    size_t size;
} ftr_figure_text;

/* An attribute of the run: `program`, `arguments`, `host`, `exit_status`, `tags`. */
typedef struct ftr_run_attribute {
    ftr_figure_text name, value;
} ftr_run_attribute;

typedef struct ftr_generator_figures {
    ftr_figure_text name;
    uint64_t errors; /* transactions with a response that is not OK */
    uint64_t unfinished;
    uint64_t bytes;
    uint64_t first, last; /* begin of the first transaction; latest end; in ticks */
    uint64_t busy, outstanding;
    ftr_latency_bins latency; /* latency.count is the number of transactions */
    ftr_slowest slowest;
    ftr_time_series series;
} ftr_generator_figures;

typedef struct ftr_stream_figures {
    ftr_figure_text name, kind;
    uint64_t busy, outstanding;
    ftr_time_series series; /* only `busy` is used */
    ftr_generator_figures *generators;
    size_t generator_count;
} ftr_stream_figures;

typedef struct ftr_run_record {
    uint8_t identity[FTR_RUN_IDENTITY_SIZE];
    ftr_run_state state;
    ftr_figure_text file;    /* path of the file when the summary was made */
    ftr_figure_text problem; /* reason why the file could not be read; empty: no problem */
    int time_scale;          /* a tick is 10^time_scale seconds */
    uint64_t transactions;
    uint64_t losses;     /* number of transactions that are missing in the file */
    unsigned slot_shift; /* a slot of any series has 2^slot_shift ticks */
    ftr_run_attribute *attributes;
    size_t attribute_count;
    ftr_stream_figures *streams; /* sorted by name; the generators of each stream, too */
    size_t stream_count;
} ftr_run_record;

/* The figures of all generators of a run together. */
typedef struct ftr_run_figures {
    uint64_t errors, unfinished, bytes;
    uint64_t longest; /* greatest latency, in ticks */
    uint64_t last;    /* latest end, in ticks */
} ftr_run_figures;

ftr_run_figures ftr_run_figures_of(const ftr_run_record *run);

/* Returns the value of an attribute of the run; NULL if there is no attribute of this name. */
const char *ftr_run_attribute_value(const ftr_run_record *run, const char *name);

/* Copies @p size bytes. @return false if out of memory; then @p text is untouched */
bool ftr_figure_text_set(ftr_figure_text *text, const char *bytes, size_t size);

int ftr_figure_text_compare(const ftr_figure_text *a, const ftr_figure_text *b);

void ftr_generator_figures_release(ftr_generator_figures *generator);
void ftr_run_record_release(ftr_run_record *run);

#endif
