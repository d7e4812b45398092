/* The FTR file that an import writes, and messages about its input. */
#ifndef FTR_IMPORT_TARGET_H
#define FTR_IMPORT_TARGET_H

#include "exchange_report.h"

#include <ftr/recorder.h>

#include <stdbool.h>

/* The results of an import. */
typedef struct ftr_import_result {
    /* set by the caller: this is a second attempt, so findings are not reported again */
    bool again;
    bool tentative;      /* set by the caller if the caller itself handles rounded floats */
    uint64_t errors;     /* number of errors in the input; the first few were reported */
    uint64_t unfinished; /* number of transactions without an end */
    bool rounded;        /* at least one float was rounded to the chosen precision */
} ftr_import_result;

typedef struct ftr_import_target {
    ftr_recorder *recorder;
    const char *input;
    const ftr_exchange_report *report;
    ftr_import_result *result;
    ftr_status status;     /* the first error of a recorder call */
    bool failure_reported; /* the recorder has reported the error */
    bool closing;
    char held[1024]; /* messages of the recorder while it closes */
} ftr_import_target;

/* Opens a recorder with @p options. If options->sink is set, the recorder writes to it, and @p path
 * is only the name of the output, for messages. Some options are replaced: the recorder has one
 * thread and no journal, and reports to @p report.
 * @return false after an error message */
bool ftr_import_open(ftr_import_target *target, const char *input, const char *path,
                     const ftr_recorder_options *options, const ftr_exchange_report *report,
                     ftr_import_result *result);

/* Closes the recorder, and sets the members of the result. @return false after an error message if
 * the file could not be completed, or if a call of the recorder failed before */
bool ftr_import_close(ftr_import_target *target);

/* Stores @p status in the target if it is the first error. */
void ftr_import_keep(ftr_import_target *target, ftr_status status);

/* Writes a relation. If this fails, stores the status with ftr_import_keep(). */
void ftr_import_relation(ftr_import_target *target, const char *name, ftr_tx from, ftr_tx to);

/* Counts an error in the input, and reports it if it is one of the first. @p number is the number
 * of a line, or an offset in bytes; @p unit is the word for it in the message. */
__attribute__((format(printf, 4, 5))) void ftr_import_find(ftr_import_target *target,
                                                           const char *unit, uint64_t number,
                                                           const char *format, ...);

#endif
