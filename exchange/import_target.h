/* The FTR file that an import makes, and what is told about its input. */
#ifndef FTR_IMPORT_TARGET_H
#define FTR_IMPORT_TARGET_H

#include "exchange_report.h"

#include <ftr/recorder.h>

#include <stdbool.h>

/* What an import found and did. */
typedef struct ftr_import_result {
    bool again;          /* set by the caller: the same once more, whose findings are known */
    bool tentative;      /* set by the caller: it deals with rounded floats itself */
    uint64_t errors;     /* in the input; the first few were told */
    uint64_t unfinished; /* transactions without an end */
    bool rounded;        /* some float did not fit how floats are written */
} ftr_import_result;

typedef struct ftr_import_target {
    ftr_recorder *recorder;
    const char *input;
    const ftr_exchange_report *report;
    ftr_import_result *result;
    ftr_status status; /* the first failure of a call of the recorder */
    bool failure_told; /* by the recorder itself */
    bool closing;
    char held[1024]; /* what the recorder says when it closes */
} ftr_import_target;

/* Opens a recorder into options->sink; @p path is the name of the output. Of @p options: time
 * scale, epoch, and how to write.
 * @return false after saying why */
bool ftr_import_open(ftr_import_target *target, const char *input, const char *path,
                     const ftr_recorder_options *options, const ftr_exchange_report *report,
                     ftr_import_result *result);

/* @return false after saying what could not be written */
bool ftr_import_close(ftr_import_target *target);

/* Keeps the first failure that matters: that of the file, not of one call. */
void ftr_import_keep(ftr_import_target *target, ftr_status status);

/* Counts something wrong with the input; tells the first few. @p place is a line, or an offset. */
__attribute__((format(printf, 4, 5))) void ftr_import_find(ftr_import_target *target,
                                                           const char *unit, uint64_t place,
                                                           const char *format, ...);

#endif
