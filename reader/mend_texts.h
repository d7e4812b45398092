/* The texts of a repaired file. */
#ifndef FTR_MEND_TEXTS_H
#define FTR_MEND_TEXTS_H

#include "id_map.h"
#include "repair.h"

typedef struct ftr_mended_texts {
    ftr_mend *mend;
    ftr_reader *reader;
    uint32_t chunk;    /* index of the chunk being processed */
    uint64_t next;     /* all texts below this id are in the output */
    uint64_t limit;    /* ids from here on were never defined */
    uint64_t fillable; /* how many missing texts may still be made up */
    ftr_id_map marks;  /* ids that are in the output, or not, where the input says otherwise */
    ftr_status status; /* the first failure to hold a mark */
} ftr_mended_texts;

void ftr_mended_texts_init(ftr_mended_texts *texts, ftr_mend *mend, ftr_reader *reader);
void ftr_mended_texts_release(ftr_mended_texts *texts);

typedef bool ftr_text_test(ftr_mended_texts *texts, uint64_t id);

/* Whether the output defines text @p id so far. */
bool ftr_has_text(ftr_mended_texts *texts, uint64_t id);

/* The same, after defining it where an earlier chunk should have. Writes a chunk then: no other may
 * be in the making. @return false when no such text can have been */
bool ftr_need_text(ftr_mended_texts *texts, uint64_t id);

/* @return whether the dictionary can be kept as it is; if not, it was written anew */
bool ftr_mend_dictionary(ftr_mended_texts *texts, const ftr_content *content);

#endif
