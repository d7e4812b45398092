/* Relations of a flux file. A relation is attached to a sample and names its other end by a signal
 * and a position. The sample at this position may come later in the file, so relations are kept
 * until all samples are known. */
#ifndef FTR_FLUX_RELATIONS_H
#define FTR_FLUX_RELATIONS_H

#include "import_target.h"
#include "tx_table.h"

/* The other end of relations: a position of a signal, and the transaction of the sample at this
 * position. */
typedef struct ftr_flux_end {
    int64_t position;
    ftr_tx tx;
    bool found;
} ftr_flux_end;

/* All ends of relations at one signal, and the last sample of this signal. */
typedef struct ftr_flux_ends {
    ftr_flux_end *ends; /* sorted by ftr_flux_relations_sort() */
    size_t count, capacity;
    size_t next; /* index of the first end after the last sample */
    bool has_last;
    int64_t last_position;
    ftr_tx last;
} ftr_flux_ends;

typedef struct ftr_flux_relation {
    char *name;
    ftr_tx from;
    uint64_t to; /* key of the signal */
    int64_t position;
    bool reversed;
    uint64_t offset; /* offset of the entry in the file */
} ftr_flux_relation;

/* Must be zero-initialised. */
typedef struct ftr_flux_relations {
    ftr_tx_table index; /* key: signal; `owner` is the index in `signals` */
    ftr_flux_ends *signals;
    size_t signal_count, signal_capacity;
    ftr_flux_relation *waiting;
    size_t count, capacity;
} ftr_flux_relations;

/* First pass: adds an end, because a relation refers to @p position of @p signal. @return false if
 * out of memory */
bool ftr_flux_relations_expect(ftr_flux_relations *relations, uint64_t signal, int64_t position);
/* Called between the passes. */
void ftr_flux_relations_sort(ftr_flux_relations *relations);

/* Second pass: stores the transaction of a sample in the ends that refer to the sample. Must be
 * called for all samples, in the order of the file. */
void ftr_flux_relations_note(ftr_flux_relations *relations, uint64_t signal, int64_t position,
                             ftr_tx tx);
/* Second pass: keeps a relation, with a copy of its name. @return false if out of memory */
bool ftr_flux_relations_keep(ftr_flux_relations *relations, const ftr_flux_relation *relation);

/* Records all relations. A relation ends at the first sample at its position. If there is none, the
 * relation ends at the last sample before the position, because the signal still has the value of
 * that sample. If there is no earlier sample either, the relation ends at the first sample after
 * the position.
 * @param lost called for each relation to a signal without samples */
void ftr_flux_relations_put(ftr_flux_relations *relations, ftr_import_target *target,
                            void (*lost)(void *user, uint64_t offset), void *user);
void ftr_flux_relations_release(ftr_flux_relations *relations);

#endif
