/* Two ranges that contain the transaction ids of a chunk. One range is not enough: if one old
 * transaction has a relation in every chunk of relations, for example the parent of all calls of a
 * run, a single range would contain nearly all ids. */
#ifndef FTR_ID_COVER_H
#define FTR_ID_COVER_H

#include <stdbool.h>
#include <stdint.h>

/* Ids are reserved in stocks of this size (docs/format.md, "Ids"). An id that follows the upper
 * range at most at this distance extends the range. */
#define FTR_ID_NEAR UINT64_C(65536)

typedef struct ftr_id_cover {
    uint64_t low_first, low_last; /* the lower range; low_first > low_last: there is none */
    uint64_t first, last;         /* the upper range; first > last: the cover has no id */
} ftr_id_cover;

static const ftr_id_cover ftr_id_cover_none = {1, 0, UINT64_MAX, UINT64_MAX - FTR_ID_NEAR};
/* The ids are not known. */
static const ftr_id_cover ftr_id_cover_all = {1, 0, 0, UINT64_MAX};

static inline bool ftr_id_cover_is_empty(const ftr_id_cover *cover)
{
    return cover->first > cover->last;
}

static inline bool ftr_id_cover_is_split(const ftr_id_cover *cover)
{
    return cover->low_first <= cover->low_last;
}

static inline bool ftr_id_cover_has(const ftr_id_cover *cover, uint64_t id)
{
    return (id >= cover->first && id <= cover->last) ||
           (id >= cover->low_first && id <= cover->low_last);
}

/* Adds an id that ftr_id_cover_add() cannot add by extending the upper range. */
void ftr_id_cover_add_far(ftr_id_cover *cover, uint64_t id);

/* Adds an id. If the ids do not fit into two ranges, the gap between the ranges is a large one, but
 * perhaps not the largest one. */
static inline void ftr_id_cover_add(ftr_id_cover *cover, uint64_t id)
{
    if (id >= cover->first && id - cover->first <= cover->last - cover->first + FTR_ID_NEAR)
        cover->last = id > cover->last ? id : cover->last;
    else
        ftr_id_cover_add_far(cover, id);
}

#endif
