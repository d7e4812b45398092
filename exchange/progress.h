/* How far a conversion is: a line on stderr that is drawn over, when that is a terminal. */
#ifndef FTR_PROGRESS_H
#define FTR_PROGRESS_H

#include <stdint.h>
#include <stdbool.h>

typedef struct ftr_progress {
    bool shown; /* there is a terminal */
    uint64_t total;
    const char *unit;
    int64_t drawn; /* milliseconds of a monotonic clock */
} ftr_progress;

/* @param total of the units that will go by; 0: not known */
void ftr_progress_begin(ftr_progress *progress, uint64_t total, const char *unit);
/* Cheap enough for every few thousand units. */
void ftr_progress_show(ftr_progress *progress, uint64_t done);
void ftr_progress_end(ftr_progress *progress);

#endif
