/* Iterates over the begins and ends of all transactions of a file, in order of time. */
#ifndef FTR_TIMELINE_H
#define FTR_TIMELINE_H

#include <ftr/reader.h>

typedef enum ftr_timeline_event_kind {
    FTR_TIMELINE_BEGIN,
    FTR_TIMELINE_END,
    FTR_TIMELINE_INSTANT /* the transaction has no duration, or ends before it begins */
} ftr_timeline_event_kind;
#define FTR_TIMELINE_EVENT_KINDS 3

/* The attributes of `tx` can be read, beginning with the first attribute. `tx` and `bytes` are
 * valid until the next call. */
typedef struct ftr_timeline_event {
    ftr_timeline_event_kind kind;
    uint64_t time;
    ftr_transaction *tx; /* NULL if a maker is used */
    const void *bytes;   /* bytes from the maker, aligned to 8 bytes */
    size_t size;
} ftr_timeline_event;

/* Makes the bytes of events on the reading threads. */
typedef struct ftr_timeline_maker {
    /* Appends the bytes of an event, like ftr_query.prepare. Calls with the same @p thread do not
     * overlap. @p thread is below ftr_timeline_threads(). */
    void (*make)(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                 ftr_timeline_event_kind kind, ftr_prepared *prepared);
    void *user;
    unsigned threads; /* number of threads of the reader */
} ftr_timeline_maker;

/* Returns the number of threads that call a maker. */
unsigned ftr_timeline_threads(unsigned reader_threads);

/* While a timeline with a maker is open, this struct must not be moved. */
typedef struct ftr_timeline {
    ftr_cursor *cursors[2]; /* 0: in the order of begins; 1: in the order of ends */
    ftr_transaction tx[2];
    ftr_timeline_event next[2];
    ftr_status status[2];
    bool used[2]; /* next[i] has been returned, so another transaction must be read */
    struct ftr_timeline_pass {
        const ftr_timeline_maker *maker;
        bool by_end;
    } passes[2];
} ftr_timeline;

/* Initialises a query for transactions that overlap the simulated times @p begin to @p end. Each of
 * these times is a text for ftr_time_parse(), or NULL for no limit.
 * @return NULL, or the name of the time that is invalid or out of order */
const char *ftr_timeline_window(const ftr_file_info *info, const char *begin, const char *end,
                                ftr_query *window);

/* Starts the iteration over the transactions of @p query. The member `order` of @p query is
 * ignored.
 * @param maker NULL: events have transactions; otherwise borrowed until the timeline is closed
 * @return like ftr_cursor_open(); after an error there is nothing to close */
ftr_status ftr_timeline_open(ftr_timeline *events, ftr_reader *reader, const ftr_query *query,
                             const ftr_timeline_maker *maker);

/* Gets the next event. At equal times, ends come before begins. @return like ftr_cursor_next() */
ftr_status ftr_timeline_next(ftr_timeline *events, ftr_timeline_event *event);

void ftr_timeline_close(ftr_timeline *events);

#endif
