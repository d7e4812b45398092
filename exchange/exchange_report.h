/* The messages that a conversion reports, and its progress. */
#ifndef FTR_EXCHANGE_REPORT_H
#define FTR_EXCHANGE_REPORT_H

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The destination of messages. `message` is called for each message: a sentence without a
 * newline. */
typedef struct ftr_exchange_report {
    void (*message)(void *user, const char *message);
    void *user;
} ftr_exchange_report;

__attribute__((format(printf, 2, 3))) void ftr_exchange_print(const ftr_exchange_report *report,
                                                              const char *format, ...);

/* Reports "PATH: REASON"; for input and output errors, the reason is the text of errno. */
void ftr_exchange_print_status(const ftr_exchange_report *report, const char *path,
                               ftr_status status);

/* Allocates the zeroed state of a conversion of @p path; the caller frees it. @return NULL, after a
 * report, if memory is exhausted */
void *ftr_exchange_state(size_t size, const char *path, const ftr_exchange_report *report);

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct ftr_progress {
    bool shown; /* stderr is a terminal */
    uint64_t total;
    const char *unit;
    int64_t drawn; /* time of the last update, in milliseconds of a monotonic clock */
} ftr_progress;

/* @param total expected number of units; 0: unknown */
void ftr_progress_begin(ftr_progress *progress, uint64_t total, const char *unit);
/* Updates the line. Call this function only once for several thousand units, because it takes some
 * time. */
void ftr_progress_show(ftr_progress *progress, uint64_t done);
void ftr_progress_end(ftr_progress *progress);

#endif
