/* Making a sound file of a damaged one: what its two steps share. */
#ifndef FTR_REPAIR_H
#define FTR_REPAIR_H

#include "chunk_output.h"
#include "reader_state.h"

/* What a sentence is about. Of each subject but the first only some are said, the rest is counted.
 */
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
    bool altered; /* the output is not what was read */
} ftr_mend;

__attribute__((format(printf, 3, 4))) void ftr_mend_say(ftr_mend *mend, ftr_mend_subject subject,
                                                        const char *format, ...);

/* The first step: every whole chunk as it is, of others what is whole in them. */
ftr_status ftr_mend_chunks(ftr_mend *mend, ftr_reader *reader);

/* The second: entries that contradict each other. What is defined nowhere is defined, what cannot
 * be is left out. A file without contradictions comes out as it is. */
ftr_status ftr_mend_content(ftr_mend *mend, ftr_reader *reader);

#endif
