/* Owns the search for the transactions of a difference. Does not know how they are shown. */
#include "diff_view.h"

void ftr_diff_find(ftr_diff_view *view, const ftr_difference *difference, ftr_transaction tx[2],
                   bool found[2])
{
    const ftr_diff_generator *generator = &view->diff->generators[difference->generator];
    const ftr_diff_stream *stream = &view->diff->streams[generator->stream];
    for (unsigned s = 0; s < 2; s++) {
        const ftr_tx_location *location = &difference->tx[s];
        view->lookup[s].reader = view->input[s]->reader;
        found[s] =
            location->exists && ftr_tx_lookup_find(&view->lookup[s], stream->names[s],
                                                   location->begin, location->id, &tx[s]) == FTR_OK;
    }
}

uint64_t ftr_diff_total(const ftr_trace_diff *diff)
{
    uint64_t total = diff->relations_differing < UINT64_MAX ? diff->relations_differing : 0;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        total += diff->counts[kind];
    return total;
}
