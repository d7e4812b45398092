/* Iterates over begins and ends of a file's transactions, in order of time. */
#ifndef FTR_TIMELINE_H
#define FTR_TIMELINE_H

#include <ftr/reader.h>

typedef enum ftr_timeline_event_kind {
    FTR_TIMELINE_BEGIN,
    FTR_TIMELINE_END,
    FTR_TIMELINE_INSTANT /* it has no duration, or ends before it begins */
} ftr_timeline_event_kind;
#define FTR_TIMELINE_EVENT_KINDS 3

/* The transaction is rewound, and valid until the next call. */
typedef struct ftr_timeline_event {
    ftr_timeline_event_kind kind;
    uint64_t time;
    ftr_transaction *tx;
} ftr_timeline_event;

typedef struct ftr_timeline {
    ftr_cursor *cursors[2]; /* by begin, by end */
    ftr_transaction next[2];
    ftr_status status[2];
    bool used[2]; /* the current transaction has been returned */
} ftr_timeline;

/* Initialises a query for transactions that overlap the simulated times @p begin to @p end, each
 * NULL or in the form of ftr_time_parse().
 * @return NULL, or the name of the time that is invalid or out of order */
const char *ftr_timeline_window(const ftr_summary *summary, const char *begin, const char *end,
                                ftr_query *window);

/* Starts the iteration over the transactions of @p query; its `order` is ignored.
 * @return like ftr_cursor_open(); after an error there is nothing to close */
ftr_status ftr_timeline_open(ftr_timeline *events, ftr_reader *reader, const ftr_query *query);

/* Gets the next event; at equal times, ends come first. @return like ftr_cursor_next() */
ftr_status ftr_timeline_next(ftr_timeline *events, ftr_timeline_event *event);

void ftr_timeline_close(ftr_timeline *events);

#endif
