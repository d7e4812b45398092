/* Aligns two sequences of keys: Myers' algorithm in its linear-space form ("An O(ND) Difference
 * Algorithm and Its Variations", 1986). If the sequences differ too much for this algorithm, keys
 * that occur exactly once in each sequence are paired first, as anchors. */
#include "edit_script.h"

#include "id_index.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of differences for Myers' algorithm, because its time grows with the square of
 * this number. */
#define DISTANCE_MAX 512
/* Maximum depth of the recursion between anchors. */
#define DEPTH_MAX 24

typedef struct aligner {
    const uint64_t *a, *b;
    uint32_t *partner;
    /* on each diagonal: the furthest index in a that the search from the start has reached */
    int64_t forward[2 * DISTANCE_MAX + 3];
    int64_t backward[2 * DISTANCE_MAX + 3];
    bool failed;
} aligner;

/* A part of both sequences: indices a to a_end - 1, and b to b_end - 1. */
typedef struct part {
    uint32_t a, a_end, b, b_end;
} part;

/* A point on a shortest path through a part. */
typedef struct crossing {
    uint32_t a, b;
} crossing;

static void align(aligner *s, part p, unsigned depth);

/* ---- Myers ----------------------------------------------------------------------------------- */

/* Makes one step of the search that begins at the start of the part, or at its end if @p backward
 * is true. Indices are counted from this start or end. The diagonal is the index in a minus the
 * index in b.
 * @return true if this search meets the search from the other side */
static inline bool step(aligner *s, const part *p, int64_t distance, bool backward, crossing *met)
{
    const int64_t n = p->a_end - p->a;
    const int64_t m = p->b_end - p->b;
    const int64_t direction = backward ? -1 : 1;
    const uint64_t *a = s->a + (backward ? p->a_end - 1 : p->a);
    const uint64_t *b = s->b + (backward ? p->b_end - 1 : p->b);
    int64_t *reach = (backward ? s->backward : s->forward) + DISTANCE_MAX + 1;
    const int64_t *other = (backward ? s->forward : s->backward) + DISTANCE_MAX + 1;
    /* The search from the start makes its step first. Therefore it can meet the other search only
     * on paths of odd length, and the search from the end only on paths of even length. */
    const bool can_meet = (((n - m) & 1) == 0) == backward;
    const int64_t other_distance = backward ? distance : distance - 1;
    for (int64_t k = -distance; k <= distance; k += 2) {
        const bool down = k == -distance || (k != distance && reach[k - 1] < reach[k + 1]);
        int64_t x = down ? reach[k + 1] : reach[k - 1] + 1;
        int64_t y = x - k;
        if (x > n || y > m || x < 0 || y < 0) {
            reach[k] = x;
            continue;
        }
        while (x < n && y < m && a[direction * x] == b[direction * y]) {
            x++;
            y++;
        }
        reach[k] = x;
        const int64_t mirrored = n - m - k;
        if (can_meet && mirrored >= -other_distance && mirrored <= other_distance &&
            x + other[mirrored] >= n) {
            *met = backward ? (crossing){(uint32_t)(p->a_end - x), (uint32_t)(p->b_end - y)}
                            : (crossing){(uint32_t)(p->a + x), (uint32_t)(p->b + y)};
            return true;
        }
    }
    return false;
}

/* Finds a point in the middle of a shortest path. @return false if the part has more than
 * DISTANCE_MAX differences */
static bool find_middle(aligner *s, const part *p, crossing *met)
{
    const int64_t centre = DISTANCE_MAX + 1;
    s->forward[centre + 1] = 0;
    s->backward[centre + 1] = 0;
    for (int64_t distance = 0; distance <= DISTANCE_MAX / 2; distance++)
        if (step(s, p, distance, false, met) || step(s, p, distance, true, met))
            return true;
    return false;
}

/* ---- anchors --------------------------------------------------------------------------------- */

typedef struct occurrence {
    uint32_t index[2];
    uint32_t count[2];
} occurrence;

typedef struct anchor {
    uint32_t a, b;
    /* index of the previous anchor in the longest increasing chain that ends with this anchor */
    uint32_t before;
} anchor;

/* Counts the occurrences of a key in the sequence @p side. @return false if out of memory */
static bool count_key(ftr_id_index *numbers, ftr_budget *budget, occurrence *occurrences,
                      uint64_t key, unsigned side, uint32_t at)
{
    uint64_t number = ftr_id_index_get(numbers, key);
    if (number == FTR_ID_NONE) {
        number = numbers->count;
        if (ftr_id_index_put(numbers, budget, key, number) != FTR_OK)
            return false;
    }
    occurrences[number].index[side] = at;
    occurrences[number].count[side]++;
    return true;
}

/* Collects the keys that occur exactly once in each sequence, in the order of sequence a. */
static anchor *collect_anchors(const aligner *s, const part *p, uint32_t *count)
{
    const size_t items = (size_t)(p->a_end - p->a) + (p->b_end - p->b);
    ftr_budget budget = {.limit = SIZE_MAX};
    ftr_id_index numbers = {0};
    occurrence *occurrences = calloc(items + 1, sizeof *occurrences);
    anchor *anchors = malloc(((size_t)(p->a_end - p->a) + 1) * sizeof *anchors);
    bool ok = occurrences != NULL && anchors != NULL;
    for (uint32_t i = p->a; i < p->a_end && ok; i++)
        ok = count_key(&numbers, &budget, occurrences, s->a[i], 0, i);
    for (uint32_t i = p->b; i < p->b_end && ok; i++)
        ok = count_key(&numbers, &budget, occurrences, s->b[i], 1, i);
    *count = 0;
    /* The keys of a are numbered in the order of their first occurrences. */
    for (size_t i = 0; i < numbers.count && ok; i++)
        if (occurrences[i].count[0] == 1 && occurrences[i].count[1] == 1)
            anchors[(*count)++] =
                (anchor){.a = occurrences[i].index[0], .b = occurrences[i].index[1]};
    ftr_id_index_release(&numbers, &budget);
    free(occurrences);
    if (!ok) {
        free(anchors);
        return NULL;
    }
    return anchors;
}

/* Keeps the longest chain of anchors with increasing indices in b. @return length of the chain */
static uint32_t keep_longest_chain(anchor *anchors, uint32_t count)
{
    /* last[n - 1] is the last anchor of the best chain of n anchors: the chain whose last anchor
     * has the least index in b */
    uint32_t *last = malloc(((size_t)count + 1) * sizeof *last);
    uint32_t length = 0;
    if (last == NULL)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low = 0;
        uint32_t high = length;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (anchors[last[middle]].b < anchors[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        anchors[i].before = low > 0 ? last[low - 1] : UINT32_MAX;
        last[low] = i;
        if (low == length)
            length++;
    }
    for (uint32_t at = length > 0 ? last[length - 1] : UINT32_MAX, i = length; i-- > 0;) {
        const uint32_t before = anchors[at].before;
        last[i] = at;
        at = before;
    }
    for (uint32_t i = 0; i < length; i++)
        anchors[i] = anchors[last[i]];
    free(last);
    return length;
}

static void align_between_anchors(aligner *s, part p, unsigned depth)
{
    uint32_t count;
    anchor *anchors = collect_anchors(s, &p, &count);
    s->failed |= anchors == NULL;
    if (anchors == NULL || depth == DEPTH_MAX) {
        free(anchors);
        return;
    }
    count = keep_longest_chain(anchors, count);
    for (uint32_t i = 0; i < count; i++) {
        s->partner[anchors[i].a] = anchors[i].b;
        align(s, (part){p.a, anchors[i].a, p.b, anchors[i].b}, depth + 1);
        p.a = anchors[i].a + 1;
        p.b = anchors[i].b + 1;
    }
    if (count > 0)
        align(s, p, depth + 1);
    free(anchors);
}

/* ---- public functions ------------------------------------------------------------------------ */

static void align(aligner *s, part p, unsigned depth)
{
    for (;;) {
        while (p.a < p.a_end && p.b < p.b_end && s->a[p.a] == s->b[p.b])
            s->partner[p.a++] = p.b++;
        while (p.a < p.a_end && p.b < p.b_end && s->a[p.a_end - 1] == s->b[p.b_end - 1])
            s->partner[--p.a_end] = --p.b_end;
        if (p.a == p.a_end || p.b == p.b_end)
            return;
        crossing middle;
        if (!find_middle(s, &p, &middle)) {
            align_between_anchors(s, p, depth);
            return;
        }
        /* Each half contains half of the differences, so the recursion depth is logarithmic. */
        align(s, (part){p.a, middle.a, p.b, middle.b}, depth);
        p.a = middle.a;
        p.b = middle.b;
    }
}

bool ftr_edit_script(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                     uint32_t *partner)
{
    aligner s = {.a = a, .b = b, .partner = partner};
    memset(partner, 0xff, a_count * sizeof *partner);
    align(&s, (part){0, a_count, 0, b_count}, 0);
    return !s.failed;
}
