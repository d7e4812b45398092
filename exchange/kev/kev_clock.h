/* The clock of a QNX log: the full times of records, which contain only the low 32 bits. */
#ifndef FTR_KEV_CLOCK_H
#define FTR_KEV_CLOCK_H

#include <ftr/kev.h>

/* Must be zero-initialised. All times are in cycles. */
typedef struct ftr_kev_clock {
    /* a full time, the upper half of which is also the upper half of the times of the following
     * records: the time of the last CONTROL TIME event or, after a rollover without such an event,
     * of the first record */
    uint64_t base;
    uint64_t latest; /* the latest time since `base` was set */
    struct {
        /* like `latest`, for one CPU; valid if `period` here is equal to `period` of the clock */
        uint64_t latest;
        uint64_t period;
    } cpus[FTR_KEV_CPUS];
    uint64_t period; /* number of times that `base` was set */
    bool known;      /* `base` is valid */
    bool announced;  /* a CONTROL TIME event set `base` */
    bool ahead;      /* `base` is the time of a CONTROL TIME event that was not read yet */
} ftr_kev_clock;

/* A record behind the current one. */
typedef struct ftr_kev_later {
    uint32_t stamp;
    bool is_time;  /* a CONTROL TIME event */
    uint64_t time; /* if `is_time`: its time */
} ftr_kev_later;

/* Gets a record behind the current one. The first call gets the next record, and each further call
 * gets the record after it. Of a combined event, only the first record is returned. @return FTR_OK;
 * FTR_ERR_END at the end of the log; FTR_ERR_LIMIT if later records are not in memory */
typedef ftr_status ftr_kev_look_ahead(void *user, ftr_kev_later *later);

/* Returns the full time of a CONTROL TIME event with the time stamp @p stamp. The event contains a
 * full time, but the kernel may have read this time slightly before or after the time stamp. */
uint64_t ftr_kev_time_event(const uint32_t *words, uint32_t stamp);

/* Sets the clock to the first CONTROL TIME event, because the records before this event need the
 * upper half of its time. */
void ftr_kev_clock_begin(ftr_kev_clock *clock, const uint32_t *words, uint32_t stamp);

/* Sets the clock to a CONTROL TIME event. @return the time of the event */
uint64_t ftr_kev_clock_set(ftr_kev_clock *clock, unsigned cpu, const uint32_t *words,
                           uint32_t stamp);

/* Returns the time of a record. @p look is called if the record may be late (kev_clock.c). */
uint64_t ftr_kev_clock_time(ftr_kev_clock *clock, unsigned cpu, uint32_t stamp,
                            ftr_kev_look_ahead *look, void *user);

#endif
