/* Searches for single transactions in a file. */
#include "trace_differences.h"

#include "text_view.h"

/* Maximum number of transactions to skip before the wanted one. If more must be skipped, a new
 * search is faster. */
#define PASSED_MAX 512

static bool choose_stream(void *user, const ftr_stream_info *stream)
{
    return ftr_view_equals(stream->name, ((const ftr_tx_lookup *)user)->stream);
}

void ftr_tx_lookup_release(ftr_tx_lookup *lookup)
{
    ftr_cursor_close(lookup->cursor);
    lookup->cursor = NULL;
}

/* Advances to the transaction. Returns FTR_ERR_END if it is not among the next @p most
 * transactions. */
static ftr_status go_on(ftr_tx_lookup *lookup, uint64_t begin, uint64_t id, unsigned most,
                        ftr_transaction *tx)
{
    for (unsigned passed = 0; passed < most;) {
        const ftr_status status = ftr_cursor_next(lookup->cursor, tx);
        if (status != FTR_OK)
            return status;
        lookup->begin = tx->begin;
        if (tx->begin == begin && tx->id == id)
            return FTR_OK;
        if (tx->begin > begin)
            break;
        passed += tx->begin < begin && most != UINT32_MAX;
    }
    return FTR_ERR_END;
}

ftr_status ftr_tx_lookup_find(ftr_tx_lookup *lookup, ftr_view stream, uint64_t begin, uint64_t id,
                              ftr_transaction *tx)
{
    if (lookup->cursor != NULL && ftr_view_equals(lookup->stream, stream) &&
        lookup->begin < begin && go_on(lookup, begin, id, PASSED_MAX, tx) == FTR_OK)
        return FTR_OK;
    ftr_tx_lookup_release(lookup);
    lookup->stream = stream;
    const ftr_query query = {.size = sizeof query,
                             .threads = 1,
                             .order = FTR_ORDER_BEGIN,
                             .windowed = true,
                             .from = begin,
                             .to = UINT64_MAX,
                             .choose_stream = choose_stream,
                             .user = lookup};
    const ftr_status status = ftr_cursor_open(lookup->reader, &query, &lookup->cursor);
    return status == FTR_OK ? go_on(lookup, begin, id, UINT32_MAX, tx) : status;
}
