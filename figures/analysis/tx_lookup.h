/* Finds single transactions of a file again, by stream, begin and id. */
#ifndef FTR_TX_LOOKUP_H
#define FTR_TX_LOOKUP_H

#include <ftr/reader.h>

typedef struct ftr_tx_lookup {
    ftr_reader *reader;
    ftr_cursor *cursor;
    ftr_view stream;
    uint64_t begin; /* begin of the last transaction found, in ticks of the file */
} ftr_tx_lookup;

/* Finds the transaction @p id that begins at @p begin, in the streams of this name. Fast for
 * successive transactions. @param[out] tx valid until the next call
 * @return FTR_OK; FTR_ERR_END if the transaction does not exist; or the error of the search */
FTR_MUST_USE ftr_status ftr_tx_lookup_find(ftr_tx_lookup *lookup, ftr_view stream, uint64_t begin,
                                           uint64_t id, ftr_transaction *tx);
void ftr_tx_lookup_release(ftr_tx_lookup *lookup);

#endif
