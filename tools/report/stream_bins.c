/* The bins of one stream. */
#include "stream_bins.h"

#include <stdlib.h>

bool ftr_stream_bins_init(ftr_stream_bins *stream, const ftr_time_slots *slots, bool has_bins)
{
    *stream = (ftr_stream_bins){.slots = slots};
    if (has_bins)
        stream->bins = calloc(slots->count, sizeof *stream->bins);
    return stream->bins != NULL || !has_bins;
}

void ftr_stream_bins_add_window(ftr_stream_bins *stream, const ftr_report_tx *tx)
{
    const uint64_t first = ftr_time_slot_begin(stream->slots, 0);
    const uint64_t last = ftr_time_slot_last(stream->slots);
    const uint64_t begin = tx->begin > first ? tx->begin : first;
    const uint64_t end = tx->end <= last ? tx->end : last < UINT64_MAX ? last + 1 : last;
    const size_t at = ftr_time_slot_at(stream->slots, begin);
    if (tx->begin >= first)
        ftr_stream_bins_count(stream, at, tx);
    ftr_stream_bins_cover(stream, at, begin, end > begin ? end : begin);
}

void ftr_stream_bins_print(const ftr_stream_bins *stream, ftr_data_block *block, ftr_json *json)
{
    const ftr_stream_bin *bins = stream->bins;
    const size_t count = stream->slots->count;
#define PUT(member) \
    ftr_json_values(json, #member, block, FTR_DATA_MEMBER(bins, member, count), false)
    PUT(count);
    PUT(errors);
    PUT(unfinished);
    PUT(busy);
    PUT(worst);
    PUT(worst_id);
    PUT(bytes);
#undef PUT
}

void ftr_stream_bins_release(ftr_stream_bins *stream)
{
    free(stream->bins);
    *stream = (ftr_stream_bins){0};
}
