/* Owns the order of begins and ends, for formats in which each begin and each end is an entry.
 * Stores no transactions, but merges two passes over the file: one in the order of begins, one in
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

const char *ftr_timeline_window(const ftr_summary *summary, const char *begin, const char *end,
                                ftr_query *window)
{
    *window = (ftr_query){
        .size = sizeof *window, .windowed = begin != NULL || end != NULL, .to = UINT64_MAX};
    if (begin != NULL && !ticks_of(begin, summary->time_scale, &window->from))
        return "begin";
    if (end != NULL && !ticks_of(end, summary->time_scale, &window->to))
        return "end";
    return window->from <= window->to ? NULL : "end";
}

ftr_status ftr_timeline_open(ftr_timeline *events, ftr_reader *reader, const ftr_query *query)
{
    static const ftr_order ORDERS[] = {FTR_ORDER_BEGIN, FTR_ORDER_END};
    *events = (ftr_timeline){.used = {true, true}};
    for (unsigned pass = BY_BEGIN; pass <= BY_END; pass++) {
        ftr_query ordered = *query;
        ordered.order = ORDERS[pass];
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

static bool is_instant(const ftr_transaction *tx)
{
    return tx->end <= tx->begin;
}

/* Gets the next transaction of a pass. The pass in the order of ends skips transactions without a
 * duration. */
static ftr_status look_ahead(ftr_timeline *events, unsigned pass)
{
    while (events->used[pass]) {
        events->status[pass] = ftr_cursor_next(events->cursors[pass], &events->next[pass]);
        events->used[pass] =
            pass == BY_END && events->status[pass] == FTR_OK && is_instant(&events->next[pass]);
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
    ftr_transaction *begin = &events->next[BY_BEGIN];
    ftr_transaction *end = &events->next[BY_END];
    if (ends == FTR_OK && (begins == FTR_ERR_END || end->end <= begin->begin)) {
        *event = (ftr_timeline_event){FTR_TIMELINE_END, end->end, end};
        events->used[BY_END] = true;
    } else {
        *event = (ftr_timeline_event){is_instant(begin) ? FTR_TIMELINE_INSTANT : FTR_TIMELINE_BEGIN,
                                      begin->begin, begin};
        events->used[BY_BEGIN] = true;
    }
    return FTR_OK;
}
