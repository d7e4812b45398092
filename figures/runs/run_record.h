/* The figures of a run, as a summary stores them. docs/summary-format.md describes the bytes.
 *
 * A record is made by a run_collector, or read from a file (run_encoding.h). Names are
 * 0-terminated, and UTF-8 unless the trace has invalid UTF-8. Times are ticks of the run's time
 * scale. */
#ifndef FTR_RUN_RECORD_H
#define FTR_RUN_RECORD_H

#include "latency_bins.h"
#include "link_names.h"
#include "named_times.h"
#include "time_series.h"

#include <ftr/status.h>

#include <stdint.h>

/* The sixteen slowest transactions, sorted by descending latency; equal latencies are sorted by
 * begin, then by id. */
#define FTR_SLOWEST_MAX 16u

typedef struct ftr_slow_tx {
    uint64_t latency, begin, id;
} ftr_slow_tx;

typedef struct ftr_slowest {
    ftr_slow_tx *of;
    uint32_t count, capacity;
} ftr_slowest;

/* Returns false if a transaction is not one of the sixteen slowest. */
static inline bool ftr_slowest_may_add(const ftr_slowest *slowest, uint64_t latency, uint64_t begin)
{
    if (slowest->count < FTR_SLOWEST_MAX)
        return true;
    const ftr_slow_tx *last = &slowest->of[FTR_SLOWEST_MAX - 1];
    return latency > last->latency || (latency == last->latency && begin <= last->begin);
}

/* Adds a transaction if it is one of the sixteen slowest. @return false if out of memory */
bool ftr_slowest_add(ftr_slowest *slowest, const ftr_slow_tx *tx);

/* Returns a number less than 0 if @p a comes before @p b. */
int ftr_slow_tx_compare(const ftr_slow_tx *a, const ftr_slow_tx *b);

#define FTR_RUN_IDENTITY_SIZE 16u

/* The state of a run. Better states have lower numbers. */
typedef enum ftr_run_state {
    FTR_RUN_SOUND, /* its file is complete, and `ftr.run` contains its start and its end */
    /* its file is complete, but does not tell how the run ended, because it has no `ftr.run` */
    FTR_RUN_NOT_TOLD,
    FTR_RUN_KILLED, /* ended by a signal */
    /* no end is known: the file is readable, but it is not closed, or `ftr.run` contains a start
     * and no end */
    FTR_RUN_UNFINISHED,
    FTR_RUN_TORN,       /* some bytes of its file cannot be read */
    FTR_RUN_UNREADABLE, /* its file is not a trace or summary, or reading failed */
    FTR_RUN_ABSENT,     /* there is no file */
    FTR_RUN_STATES
} ftr_run_state;

const char *ftr_run_state_name(ftr_run_state state);

/* Returns true if the figures of a run of this state are complete, so that they can be judged. */
static inline bool ftr_run_state_is_complete(ftr_run_state state)
{
    return state <= FTR_RUN_NOT_TOLD;
}

/* An attribute of the run: `program`, `arguments`, `host`, `exit_status`, `tags`. */
typedef struct ftr_run_attribute {
    ftr_figure_text name, value;
} ftr_run_attribute;

typedef struct ftr_generator_figures {
    ftr_figure_text name;
    uint64_t errors; /* transactions with a response that is not OK */
    /* transactions with the attribute `unfinished`: they did not end regularly, and have no
     * latency */
    uint64_t unfinished;
    uint64_t bytes;
    uint64_t first, last; /* begin of the first transaction; latest end; in ticks */
    uint64_t busy, outstanding;
    ftr_wide cut;             /* sum of the ticks of unfinished transactions; not stored in files */
    ftr_latency_bins latency; /* latency.count is the number of transactions that ended */
    ftr_slowest slowest;
    ftr_time_series series;
    ftr_named_times *times; /* in order of name; room for FTR_TIMES_MAX, or NULL */
    unsigned time_count;
} ftr_generator_figures;

/* Returns true if the generator has transactions: `first` and `last` are then known. */
static inline bool ftr_generator_has_transactions(const ftr_generator_figures *generator)
{
    return generator->latency.count > 0 || generator->unfinished > 0;
}

typedef struct ftr_stream_figures {
    ftr_figure_text name, kind;
    uint64_t busy, outstanding;
    ftr_time_series series; /* only busy time */
    ftr_generator_figures *generators;
    size_t generator_count;
} ftr_stream_figures;

/* The files of a run that has not ended: absolute paths at the time of recording. The texts are
 * empty if the run has ended, or has no such file. */
typedef struct ftr_run_places {
    ftr_figure_text journal, trace, summary;
} ftr_run_places;

typedef struct ftr_run_record {
    uint8_t identity[FTR_RUN_IDENTITY_SIZE];
    ftr_run_state state;
    unsigned signal;         /* number of the signal that ended the run; 0: none is known */
    ftr_figure_text file;    /* path of the file when the summary was made */
    ftr_figure_text problem; /* reason why the file could not be read; empty: no problem */
    /* name of the run's test, which is the same in every night (run_description.c) */
    ftr_figure_text test;
    ftr_run_places places;
    int time_scale;        /* a tick is 10^time_scale seconds */
    uint64_t transactions; /* number of transactions that ended */
    uint64_t losses;       /* number of transactions that are missing in the file */
    unsigned slot_shift;   /* a time slot of any series has 2^slot_shift ticks */
    ftr_run_attribute *attributes;
    size_t attribute_count;
    /* sorted by name; the generators of each stream are sorted by name, too */
    ftr_stream_figures *streams;
    size_t stream_count;
} ftr_run_record;

/* The figures of all generators of a run together. */
typedef struct ftr_run_figures {
    uint64_t errors, unfinished, bytes;
    uint64_t longest; /* greatest latency, in ticks */
    uint64_t last;    /* latest end, in ticks */
} ftr_run_figures;

ftr_run_figures ftr_run_figures_of(const ftr_run_record *run);

/* Writes the state as a text for users, with the signal: "killed by signal 15 (SIGTERM)". @return
 * @p text */
#define FTR_RUN_STATE_TEXT_SIZE 64u
const char *ftr_run_state_text(const ftr_run_record *run, char text[FTR_RUN_STATE_TEXT_SIZE]);

/* Returns true if the run has a stream of TLM accesses. */
bool ftr_run_has_accesses(const ftr_run_record *run);

/* Returns the value of an attribute of the run; NULL if there is no attribute of this name. */
const char *ftr_run_attribute_value(const ftr_run_record *run, const char *name);

/* Adds the links that the attributes of the run describe. @return false if out of memory */
bool ftr_run_record_links(const ftr_run_record *run, ftr_link_names *names);

/* Moves the streams of @p part to the end of @p run. @return false if out of memory; nothing was
 * moved */
bool ftr_run_record_append(ftr_run_record *run, ftr_run_record *part);

/* Return the approximate size of figures in memory: of a generator or stream without its struct,
 * and of a stream without its generators; and of a run with all its streams. */
size_t ftr_generator_figures_memory(const ftr_generator_figures *generator);
size_t ftr_stream_figures_memory(const ftr_stream_figures *stream);
size_t ftr_run_record_memory(const ftr_run_record *run);

void ftr_generator_figures_release(ftr_generator_figures *generator);
void ftr_run_record_release(ftr_run_record *run);

/* ---- the identity, the names and the state of a run (run_description.c) ---------------------- */

/* Computes the identity of a run: from the start of the run in its attributes, or, without them,
 * from the whole record, which must then not change any more. @return false if out of memory */
bool ftr_run_record_identify(ftr_run_record *run, unsigned part);

/* The same for a record that was written before. @param bytes its bytes */
void ftr_run_record_identify_encoded(ftr_run_record *run, unsigned part, const uint8_t *bytes,
                                     size_t size);

/* Sets the name of the file, the problem, and the name of the test. The attributes must be set
 * before, because the name of the test depends on them.
 * @return false if out of memory */
bool ftr_run_record_set_names(ftr_run_record *run, const char *file, const char *problem);

/* Returns the value of the tag @p name in a text like that of FTR_TAGS, `test=boot,seed=17`.
 * @param tags may be NULL
 * @return points into @p tags; data NULL if there is no such tag */
ftr_view ftr_tag_value(const char *tags, const char *name);

/* Returns the values of tags of the run, joined by commas: "boot,17" for @p tags "test,seed". The
 * value of a tag that the run does not have is empty.
 * @return a text that the caller frees; NULL if memory is exhausted, or if the run has none of the
 * tags */
char *ftr_run_tag_values(const ftr_run_record *run, const char *tags);

/* Derives the state of a run from the state of its file and from its attributes.
 * @param is_continued the run has a later file, which contains its end */
void ftr_run_record_judge_end(ftr_run_record *run, bool is_continued);

/* Replaces the state of the run by the state of its file if this state is worse. But a killed run
 * with an unfinished file stays killed. To be used if the state of the file is known only after the
 * record was made. */
void ftr_run_record_judge_file(ftr_run_record *run, ftr_run_state file);

/* Makes the record of a run without a file, or with an unreadable file.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_record_of_missing(const char *file, ftr_run_state state,
                                                  const char *problem, ftr_run_record *run);

#endif
