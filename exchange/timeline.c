/* Orders begins and ends, for formats in which each begin and each end is an entry. No transactions
 * are stored: two passes over the file are merged, one pass in the order of begins and one pass in
 * the order of ends. */
#include "timeline.h"

#include "time_text.h"

enum { BY_BEGIN, BY_END };

static bool ticks_of(const char *text, int scale, uint64_t *ticks)
{
    ftr_time_value time;
    bool exact;
    return ftr_time_parse(text, &time, NULL) && ftr_time_to_ticks(&time, scale, ticks, &exact);
}

const char *ftr_timeline_window(const ftr_file_info *info, const char *begin, const char *end,
                                ftr_query *window)
{
    *window = (ftr_query){
        .size = sizeof *window, .windowed = begin != NULL || end != NULL, .to = UINT64_MAX};
    if (begin != NULL && !ticks_of(begin, info->time_scale, &window->from))
        return "begin";
    if (end != NULL && !ticks_of(end, info->time_scale, &window->to))
        return "end";
    return window->from <= window->to ? NULL : "end";
}

static bool is_instant(const ftr_transaction *tx)
{
    return tx->end <= tx->begin;
}

/* ---- events made by the reading threads ------------------------------------------------------ */

/* The first bytes of a prepared event. */
typedef struct event_head {
    uint64_t time, kind;
} event_head;

unsigned ftr_timeline_threads(unsigned reader_threads)
{
    return 2 * (reader_threads > 0 ? reader_threads : 1);
}

/* The threads of both passes work at the same time, so the threads of the second pass get other
 * numbers. */
static bool prepare_event(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                          ftr_prepared *prepared)
{
    const struct ftr_timeline_pass *pass = user;
    const ftr_timeline_maker *maker = pass->maker;
    const bool instant = is_instant(tx);
    if (pass->by_end && instant)
        return false;
    const ftr_timeline_event_kind kind = pass->by_end ? FTR_TIMELINE_END
                                         : instant    ? FTR_TIMELINE_INSTANT
                                                      : FTR_TIMELINE_BEGIN;
    event_head *head = ftr_prepared_append(prepared, sizeof *head);
    if (head == NULL)
        return true; /* the cursor reports the lack of memory */
    *head = (event_head){pass->by_end ? tx->end : tx->begin, kind};
    maker->make(maker->user, thread + (pass->by_end ? ftr_timeline_threads(maker->threads) / 2 : 0),
                reader, tx, kind, prepared);
    return true;
}

static ftr_status take_prepared(ftr_cursor *cursor, ftr_timeline_event *next)
{
    const void *bytes;
    size_t size;
    const ftr_status status = ftr_cursor_next_prepared(cursor, &bytes, &size);
    if (status != FTR_OK)
        return status;
    const event_head *head = bytes;
    *next = (ftr_timeline_event){.kind = (ftr_timeline_event_kind)head->kind,
                                 .time = head->time,
                                 .bytes = head + 1,
                                 .size = size - sizeof *head};
    return FTR_OK;
}

/* ---- the iteration --------------------------------------------------------------------------- */

ftr_status ftr_timeline_open(ftr_timeline *events, ftr_reader *reader, const ftr_query *query,
                             const ftr_timeline_maker *maker)
{
    static const ftr_order ORDERS[] = {FTR_ORDER_BEGIN, FTR_ORDER_END};
    *events = (ftr_timeline){.used = {true, true}};
    for (unsigned pass = BY_BEGIN; pass <= BY_END; pass++) {
        ftr_query ordered = *query;
        ordered.order = ORDERS[pass];
        events->passes[pass] = (struct ftr_timeline_pass){maker, pass == BY_END};
        if (maker != NULL) {
            ordered.threads = maker->threads;
            ordered.prepare = prepare_event;
            ordered.prepare_user = &events->passes[pass];
        }
        const ftr_status status = ftr_cursor_open(reader, &ordered, &events->cursors[pass]);
        if (status != FTR_OK) {
            ftr_timeline_close(events);
            return status;
        }
    }
    return FTR_OK;
}

void ftr_timeline_close(ftr_timeline *events)
{
    ftr_cursor_close(events->cursors[BY_BEGIN]);
    ftr_cursor_close(events->cursors[BY_END]);
    *events = (ftr_timeline){0};
}

static ftr_status take(ftr_timeline *events, unsigned pass, ftr_timeline_event *next)
{
    ftr_transaction *tx = &events->tx[pass];
    const ftr_status status = ftr_cursor_next(events->cursors[pass], tx);
    if (status != FTR_OK)
        return status;
    *next = (ftr_timeline_event){.kind = is_instant(tx)   ? FTR_TIMELINE_INSTANT
                                         : pass == BY_END ? FTR_TIMELINE_END
                                                          : FTR_TIMELINE_BEGIN,
                                 .time = pass == BY_END ? tx->end : tx->begin,
                                 .tx = tx};
    return FTR_OK;
}

/* Sets `next` of a pass to its next event, if the previous one was returned. The pass in the order
 * of ends skips transactions without a duration. */
static ftr_status look_ahead(ftr_timeline *events, unsigned pass)
{
    while (events->used[pass]) {
        ftr_timeline_event *next = &events->next[pass];
        events->status[pass] = events->passes[pass].maker != NULL
                                   ? take_prepared(events->cursors[pass], next)
                                   : take(events, pass, next);
        events->used[pass] =
            pass == BY_END && events->status[pass] == FTR_OK && next->kind == FTR_TIMELINE_INSTANT;
    }
    return events->status[pass];
}

ftr_status ftr_timeline_next(ftr_timeline *events, ftr_timeline_event *event)
{
    const ftr_status begins = look_ahead(events, BY_BEGIN);
    const ftr_status ends = look_ahead(events, BY_END);
    if (begins != FTR_OK && begins != FTR_ERR_END)
        return begins;
    if (ends != FTR_OK)
        if (ends != FTR_ERR_END || begins == FTR_ERR_END)
            return ends;
    const bool ends_next =
        ends == FTR_OK &&
        (begins == FTR_ERR_END || events->next[BY_END].time <= events->next[BY_BEGIN].time);
    const unsigned pass = ends_next ? BY_END : BY_BEGIN;
    *event = events->next[pass];
    events->used[pass] = true;
    return FTR_OK;
}
