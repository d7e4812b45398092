/* Sums of recorded losses. */
#include "event_layout.h"

#include "growing_array.h"
#include "stream_name_rules.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

static bool is_loss_stream(const ftr_stream_info *stream)
{
    return ftr_stream_has_losses(stream->name.data, stream->name.size, stream->kind.data,
                                 stream->kind.size);
}

static bool choose(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return is_loss_stream(stream);
}

static bool has_losses(const ftr_reader *reader)
{
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++)
        if (is_loss_stream(ftr_reader_get_stream(reader, i)))
            return true;
    return false;
}

/* Returns the attribute `count` of a transaction; 1 if the number is not known. */
static uint64_t count_of(ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute))
        if (attribute.form == FTR_FORM_NUMBER && ftr_view_is(attribute.name, "count"))
            return attribute.as.number;
    return 1;
}

static bool add(ftr_loss_counts *counts, const ftr_transaction *tx, uint64_t count)
{
    if (!ftr_array_reach(&counts->streams, &counts->stream_count, tx->stream->index,
                         sizeof *counts->streams))
        return false;
    ftr_loss_count *stream = &counts->streams[tx->stream->index];
    stream->count = count > UINT64_MAX - stream->count ? UINT64_MAX : stream->count + count;
    stream->ends++;
    const uint64_t end = tx->end > tx->begin ? tx->end : tx->begin;
    if (end > stream->last_end)
        stream->last_end = end;
    return true;
}

ftr_status ftr_loss_counts_read(ftr_loss_counts *counts, ftr_reader *reader,
                                const ftr_query *window)
{
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_query query = *window;
    if (!has_losses(reader))
        return FTR_OK;
    query.order = FTR_ORDER_STORED;
    query.choose_stream = choose;
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        if (!add(counts, &tx, count_of(reader, &tx))) {
            status = FTR_ERR_MEMORY;
            break;
        }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_loss_count *ftr_loss_counts_of(const ftr_loss_counts *counts, const ftr_stream_info *stream)
{
    return stream->index < counts->stream_count && counts->streams[stream->index].ends > 0
               ? &counts->streams[stream->index]
               : NULL;
}

void ftr_loss_counts_release(ftr_loss_counts *counts)
{
    free(counts->streams);
    *counts = (ftr_loss_counts){0};
}
