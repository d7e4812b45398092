/* Adds ids to covers. */
#include "id_cover.h"

/* Adds an id to a cover with one range. */
static void split(ftr_id_cover *cover, uint64_t id)
{
    if (id > cover->last) {
        cover->low_first = cover->first;
        cover->low_last = cover->last;
        cover->first = cover->last = id;
    } else if (cover->first - id > FTR_ID_NEAR) {
        cover->low_first = cover->low_last = id;
    } else {
        cover->first = id;
    }
}

void ftr_id_cover_add_far(ftr_id_cover *cover, uint64_t id)
{
    if (ftr_id_cover_is_empty(cover)) {
        cover->first = cover->last = id;
        return;
    }
    if (ftr_id_cover_has(cover, id))
        return;
    if (!ftr_id_cover_is_split(cover)) {
        split(cover, id);
        return;
    }
    /* The gap becomes the larger one of the present gap and of the gap before the new id. */
    const uint64_t gap = cover->first - cover->low_last;
    if (id > cover->last && id - cover->last > gap) {
        cover->low_last = cover->last;
        cover->first = cover->last = id;
    } else if (id > cover->last) {
        cover->last = id;
    } else if (id < cover->low_first && cover->low_first - id > gap) {
        cover->first = cover->low_first;
        cover->low_first = cover->low_last = id;
    } else if (id < cover->low_first) {
        cover->low_first = id;
    } else if (id - cover->low_last < cover->first - id) {
        cover->low_last = id;
    } else {
        cover->first = id;
    }
}
