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
    uint64_t last;     /* the last id in the chunk under construction */
    uint64_t limit;    /* one past the greatest id that a lost text can have */
    uint64_t fillable; /* number of missing texts that may still be invented */
    ftr_id_map marks;  /* PRESENT or ABSENT for some ids (repair_texts.c) */
    bool changed;      /* a text or a dictionary differs from the input */
    ftr_status status; /* the first failure to store a mark */
} ftr_repaired_texts;

void ftr_repaired_texts_init(ftr_repaired_texts *texts, ftr_repair_run *run, ftr_reader *reader);
void ftr_repaired_texts_release(ftr_repaired_texts *texts);

typedef bool ftr_text_test(ftr_repaired_texts *texts, uint64_t id);

/* Returns true if the output already defines text @p id. */
bool ftr_has_text(ftr_repaired_texts *texts, uint64_t id);

/* Defines text @p id if the output does not define it yet. The definition is written as a new
 * chunk, so no chunk may be under construction. @return true if the output now defines the text;
 * false if the id is so great, or so many texts are missing, that the id must be damaged */
bool ftr_need_text(ftr_repaired_texts *texts, uint64_t id);

/* Puts a new text into the dictionary under construction. Must be called after all chunks were
 * repaired, with `chunk` one past the last of them. @return the id of the text */
uint64_t ftr_add_text(ftr_repaired_texts *texts, ftr_view text);

/* Repairs a dictionary. @return true if the caller can copy it unchanged; false if this function
 * has written it with changes */
bool ftr_repair_dictionary(ftr_repaired_texts *texts, const ftr_content *content);

#endif
