/* The order of open ends. */
#include "open_ends.h"

#include "growing_array.h"

/* ---- the heap -------------------------------------------------------------------------------- */

static void push_far(ftr_open_ends *ends, ftr_open_end added)
{
    ftr_open_end *far = ends->far;
    size_t at = ends->far_count++;
    for (; at > 0 && far[(at - 1) / 2].end > added.end; at = (at - 1) / 2)
        far[at] = far[(at - 1) / 2];
    far[at] = added;
}

static ftr_open_end pop_far(ftr_open_ends *ends)
{
    ftr_open_end *far = ends->far;
    const ftr_open_end least = far[0];
    const ftr_open_end moving = far[--ends->far_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < ends->far_count; at = child) {
        if (child + 1 < ends->far_count)
            child += far[child + 1].end < far[child].end;
        if (far[child].end >= moving.end)
            break;
        far[at] = far[child];
    }
    far[at] = moving;
    return least;
}

/* ---- the near ends --------------------------------------------------------------------------- */

/* Moves the near ends to the start of their array. */
static void compact(ftr_open_ends *ends)
{
    const unsigned count = ends->near_end - ends->near_first;
    memmove(ends->near, ends->near + ends->near_first, count * sizeof *ends->near);
    ends->near_first = 0;
    ends->near_end = count;
}

static void insert_near(ftr_open_ends *ends, ftr_open_end added)
{
    if (ends->near_end == 2 * FTR_OPEN_NEAR_MAX)
        compact(ends);
    ftr_open_end *const first = ends->near + ends->near_first;
    ftr_open_end *at = ends->near + ends->near_end++;
    for (; at > first && at[-1].end > added.end; at--)
        *at = at[-1];
    *at = added;
}

bool ftr_open_ends_insert(ftr_open_ends *ends, ftr_open_end added)
{
    if (ends->near == NULL) {
        ends->near = calloc((size_t)2 * FTR_OPEN_NEAR_MAX, sizeof *ends->near);
        if (ends->near == NULL)
            return false;
    }
    const bool uses_far =
        ends->far_count > 0 || ends->near_end - ends->near_first >= FTR_OPEN_NEAR_MAX;
    if (uses_far &&
        !ftr_array_grow(&ends->far, &ends->far_capacity, ends->far_count, sizeof *ends->far))
        return false;
    ends->count++;
    if (uses_far && ends->near[ends->near_end - 1].end <= added.end) {
        push_far(ends, added);
        return true;
    }
    if (ends->near_end - ends->near_first >= FTR_OPEN_NEAR_MAX)
        push_far(ends, ends->near[--ends->near_end]);
    insert_near(ends, added);
    return true;
}

void ftr_open_ends_refill(ftr_open_ends *ends)
{
    while (ends->far_count > 0 && ends->near_end < FTR_OPEN_NEAR_MAX / 2)
        ends->near[ends->near_end++] = pop_far(ends);
}

void ftr_open_ends_release(ftr_open_ends *ends)
{
    free(ends->near);
    free(ends->far);
    *ends = (ftr_open_ends){0};
}
