/* Edit distance between names: insertions, removals, replacements and swaps of neighbours. */
#include "near_name.h"

#include <stdint.h>
#include <string.h>

/* The cost of an edit, in half edits. Replacing a letter by the same letter in the other case costs
 * half as much as other edits. */
#define EDIT 2
#define CASE_EDIT 1

void ftr_near_name_init(ftr_near_name *near, const char *wanted, size_t size)
{
    *near = (ftr_near_name){.wanted = wanted, .size = size, .distance = SIZE_MAX};
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static size_t replacement(char a, char b)
{
    if (a == b)
        return 0;
    return lower(a) == lower(b) ? CASE_EDIT : EDIT;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the distance of two names of at most FTR_NEAR_NAME_MAX characters (optimal string
 * alignment). */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][FTR_NEAR_NAME_MAX + 1];
    for (size_t k = 0; k <= b_size; k++)
        rows[0][k] = k * EDIT;
    for (size_t i = 1; i <= a_size; i++) {
        const size_t *before = rows[(i + 1) % 3]; /* the row of i - 2 */
        const size_t *above = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];
        row[0] = i * EDIT;
        for (size_t k = 1; k <= b_size; k++) {
            row[k] = least(above[k] + EDIT, row[k - 1] + EDIT);
            row[k] = least(row[k], above[k - 1] + replacement(a[i - 1], b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], before[k - 2] + EDIT);
        }
    }
    return rows[a_size % 3][b_size];
}

/* Returns the distance to the wanted name in half edits. Returns SIZE_MAX if the distance is too
 * large for a suggestion, or if the lengths of the names already show that the distance is not
 * below the best distance so far. */
static size_t near_distance(const ftr_near_name *near, const char *name, size_t size)
{
    const size_t longer = size > near->size ? size : near->size;
    const size_t allowed = (longer + 2) / 3 * EDIT;
    const size_t apart = (longer == size ? size - near->size : near->size - size) * EDIT;
    if (size == 0 || apart > allowed || apart >= near->distance)
        return SIZE_MAX;
    const size_t found = distance(near->wanted, near->size, name, size);
    /* Names of one or two characters must have a character in common. */
    return found > allowed || found >= longer * EDIT ? SIZE_MAX : found;
}

void ftr_near_name_offer(ftr_near_name *near, const char *name, size_t size)
{
    if (size > FTR_NEAR_NAME_MAX || near->size == 0 || near->size > FTR_NEAR_NAME_MAX)
        return;
    size_t found = near_distance(near, name, size);
    size_t tail = size;
    while (tail > 0 && name[tail - 1] != '.')
        tail--;
    if (tail > 0) {
        const size_t of_tail = near_distance(near, name + tail, size - tail);
        found = of_tail < SIZE_MAX ? least(found, of_tail + EDIT) : found;
    }
    if (found >= near->distance)
        return;
    near->distance = found;
    memcpy(near->best, name, size);
    near->best[size] = '\0';
}

const char *ftr_near_name_get(const ftr_near_name *near)
{
    return near->distance == SIZE_MAX ? NULL : near->best;
}
