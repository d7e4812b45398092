/* A transaction as it is read for a report. */
#ifndef FTR_REPORT_TX_H
#define FTR_REPORT_TX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_report_tx {
    uint64_t id, begin, end; /* end >= begin */
    uint64_t bytes;
    uint32_t generator; /* number of the generator in the run collector */
    bool error, unfinished;
} ftr_report_tx;

#endif
