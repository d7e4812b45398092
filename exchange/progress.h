/* The progress of a conversion: a line on stderr that is updated in place, if stderr is a
 * terminal. */
#ifndef FTR_PROGRESS_H
#define FTR_PROGRESS_H

#include <stdint.h>
#include <stdbool.h>

typedef struct ftr_progress {
    bool shown; /* stderr is a terminal */
    uint64_t total;
    const char *unit;
    int64_t drawn; /* time of the last update, in milliseconds of a monotonic clock */
} ftr_progress;

/* @param total expected number of units; 0: unknown */
void ftr_progress_begin(ftr_progress *progress, uint64_t total, const char *unit);
/* Updates the line. Cheap enough for one call per few thousand units. */
void ftr_progress_show(ftr_progress *progress, uint64_t done);
void ftr_progress_end(ftr_progress *progress);

#endif
