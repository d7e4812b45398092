/* Makes a valid file from a damaged one: declarations shared by both steps. */
#ifndef FTR_REPAIR_H
#define FTR_REPAIR_H

#include "chunk_output.h"
#include "reader_state.h"

/* The subject of a message. For each subject but the first, only some messages are reported; the
 * rest is counted. */
typedef enum ftr_mend_subject {
    FTR_SAID_FILE,
    FTR_SAID_BYTES,
    FTR_SAID_CHUNK,
    FTR_SAID_TEXT,
    FTR_SAID_DEFINITION,
    FTR_SAID_TRANSACTION,
    FTR_SAID_TIMES,
    FTR_SAID_RELATION,
    FTR_SAID_SUBJECTS
} ftr_mend_subject;

typedef struct ftr_mend {
    ftr_chunk_output out;
    ftr_repair *report;
    void (*told)(void *user, const char *message);
    void *user;
    uint64_t said[FTR_SAID_SUBJECTS];
    bool altered; /* the output differs from the input */
} ftr_mend;

__attribute__((format(printf, 3, 4))) void ftr_mend_say(ftr_mend *mend, ftr_mend_subject subject,
                                                        const char *format, ...);

/* First step: copies every valid chunk, and keeps the valid entries of damaged ones. */
ftr_status ftr_mend_chunks(ftr_mend *mend, ftr_reader *reader);

/* Second step: resolves contradictions between entries. Undefined texts, streams and generators are
 * defined, invalid entries are dropped. A file without contradictions is copied unchanged. */
ftr_status ftr_mend_content(ftr_mend *mend, ftr_reader *reader);

#endif
