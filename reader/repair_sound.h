/* The chunks that a repair keeps byte for byte, because the check finds no error in them. Several
 * threads check the chunks ahead. */
#ifndef FTR_REPAIR_SOUND_H
#define FTR_REPAIR_SOUND_H

#include "check_state.h"

/* The rules that only viewers need, as bits for ftr_findings.ignored. A repair changes nothing if
 * they are violated. If an entry needs a repair, it violates one of the other rules. */
uint64_t ftr_repair_ignored_rules(void);

/* A file in which no chunk has an error or contradicts another one. `{0}`: no such file. */
typedef struct ftr_sound_file {
    bool is_sound;
    size_t chunk_count;
    ftr_id_map transactions; /* if `is_sound`: for each transaction: 1 + index of its stream */
} ftr_sound_file;

typedef struct ftr_sound_chunks {
    bool is_known;          /* the chunks below `known_count` are known to be sound */
    size_t known_count;     /* the other chunks are then not checked */
    ftr_check check;        /* `streams`: for each kept transaction: 1 + index of its stream */
    ftr_check_ahead *ahead; /* NULL: the calling thread checks the chunks */
    bool is_checking;       /* false: no further chunk is checked */
    uint8_t *kept;          /* a bit for each chunk that was kept */
} ftr_sound_chunks;

/* @param known a file that begins with the chunks of the file of @p reader, and whose reader is
 *              open. If it is sound, its ids of transactions are moved to @p sound. NULL: none
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_sound_init(ftr_sound_chunks *sound, ftr_reader *reader,
                                       ftr_sound_file *known);
void ftr_sound_release(ftr_sound_chunks *sound);

/* Begins a pass over the chunks of relations or over the other chunks. */
void ftr_sound_begin(ftr_sound_chunks *sound, bool relations);
void ftr_sound_end(ftr_sound_chunks *sound);

/* Returns true if chunk @p index can be kept; the ids of its transactions are then stored. Called
 * once for each chunk of transactions or relations, in file order. May also be called for
 * dictionaries and directories.
 * @param has_definitions false if the definitions before the chunk differ from those of the file:
 *                        this chunk and later ones are then not checked */
bool ftr_sound_take(ftr_sound_chunks *sound, uint32_t index, bool has_definitions);

/* Extends the interval of times, and the highest id, by the transactions of the chunks that were
 * kept. @return FTR_OK; the error of the chunk that cannot be read */
FTR_MUST_USE ftr_status ftr_sound_extend(ftr_sound_chunks *sound, uint64_t *first, uint64_t *latest,
                                         uint64_t *highest);

#endif
