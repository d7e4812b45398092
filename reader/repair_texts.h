/* The texts of a repaired file. */
#ifndef FTR_REPAIR_TEXTS_H
#define FTR_REPAIR_TEXTS_H

#include "id_map.h"
#include "repair_run.h"

typedef struct ftr_repaired_texts {
    ftr_repair_run *run;
    ftr_reader *reader;
    uint32_t chunk;    /* index of the chunk being processed */
    uint64_t next;     /* all texts below this id are in the output */
    uint64_t limit;    /* one past the greatest id that was ever defined */
    uint64_t fillable; /* number of missing texts that may still be invented */
    ftr_id_map marks;  /* ids for which the output differs from the input: defined or not defined */
    ftr_status status; /* the first failure to store a mark */
} ftr_repaired_texts;

void ftr_repaired_texts_init(ftr_repaired_texts *texts, ftr_repair_run *run, ftr_reader *reader);
void ftr_repaired_texts_release(ftr_repaired_texts *texts);

typedef bool ftr_text_test(ftr_repaired_texts *texts, uint64_t id);

/* Returns true if the output defines text @p id so far. */
bool ftr_has_text(ftr_repaired_texts *texts, uint64_t id);

/* Like ftr_has_text(), but defines the text if an earlier chunk should have defined it. The
 * definition is written as a chunk, so no other chunk may be under construction. @return false if
 * the id is implausible for a text */
bool ftr_need_text(ftr_repaired_texts *texts, uint64_t id);

/* @return true if the dictionary can be copied unchanged; otherwise it was written with changes */
bool ftr_repair_dictionary(ftr_repaired_texts *texts, const ftr_content *content);

#endif
