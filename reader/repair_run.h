/* The state of a repair that makes a valid file from a damaged one: output, report and messages. */
#ifndef FTR_REPAIR_RUN_H
#define FTR_REPAIR_RUN_H

#include "chunk_output.h"
#include "reader_state.h"

/* The subject of a message. All messages about FTR_REPAIR_FILE are reported. About each other
 * subject, some messages are reported and the rest is counted. */
typedef enum ftr_repair_subject {
    FTR_REPAIR_FILE,
    FTR_REPAIR_BYTES,
    FTR_REPAIR_CHUNK,
    FTR_REPAIR_TEXT,
    FTR_REPAIR_DEFINITION,
    FTR_REPAIR_TRANSACTION,
    FTR_REPAIR_TIMES,
    FTR_REPAIR_RELATION,
    FTR_REPAIR_SUBJECTS
} ftr_repair_subject;

typedef struct ftr_repair_run {
    ftr_chunk_output out;
    ftr_repair *report;
    void (*on_message)(void *user, const char *message);
    void *user;
    uint64_t messages[FTR_REPAIR_SUBJECTS];
    bool altered; /* the output differs from the input */
} ftr_repair_run;

__attribute__((format(printf, 3, 4))) void
ftr_repair_message(ftr_repair_run *run, ftr_repair_subject subject, const char *format, ...);

/* Returns true if data of the input, other than data after its end, is missing in the output. */
bool ftr_repair_has_dropped(const ftr_repair *report);

static inline bool ftr_repair_has_losses(const ftr_repair *report)
{
    return report->was_open || ftr_repair_has_dropped(report);
}

/* Reports the number of suppressed messages. */
void ftr_repair_report_suppressed(ftr_repair_run *run);

/* First step: copies every valid chunk, and the valid entries of damaged chunks. */
ftr_status ftr_repair_chunks(ftr_repair_run *run, ftr_reader *reader);

/* Second step: resolves contradictions between entries. Undefined texts, streams and generators are
 * defined, invalid entries are dropped. A file without contradictions is copied unchanged. */
ftr_status ftr_repair_content(ftr_repair_run *run, ftr_reader *reader);

#endif
