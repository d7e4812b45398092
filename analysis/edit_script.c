/* Owns the alignment of two sequences of keys: Myers' algorithm in its linear-space form ("An O(ND)
 * Difference Algorithm and Its Variations", 1986), with unique keys as anchors if the sequences
 * differ too much for it. Does not know the meaning of a key. */
#include "edit_script.h"

#include "hash.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of differences for Myers' algorithm, because its time grows with their square. */
#define DISTANCE_MAX 512
/* Maximum depth of recursive anchors. */
#define DEPTH_MAX 24

typedef struct aligner {
    const uint64_t *a, *b;
    uint32_t *partner;
    int64_t forward[2 * DISTANCE_MAX + 3]; /* by diagonal: the furthest index in a */
    int64_t backward[2 * DISTANCE_MAX + 3];
    bool failed;
} aligner;

/* A part of both sequences, ends exclusive. */
typedef struct part {
    uint32_t a, a_end, b, b_end;
} part;

/* A point on a shortest path through a part. */
typedef struct crossing {
    uint32_t a, b;
} crossing;

static void align(aligner *s, part p, unsigned depth);

/* ---- Myers ----------------------------------------------------------------------------------- */

/* One step of the search from the start. Indices count from the part's start; the diagonal is the
 * index in a minus the index in b. @return true if it meets the search from the end */
static bool step_forward(aligner *s, const part *p, int64_t distance, crossing *met)
{
    const int64_t n = p->a_end - p->a;
    const int64_t m = p->b_end - p->b;
    int64_t *reach = s->forward + DISTANCE_MAX + 1;
    const int64_t *other = s->backward + DISTANCE_MAX + 1;
    for (int64_t k = -distance; k <= distance; k += 2) {
        const bool down = k == -distance || (k != distance && reach[k - 1] < reach[k + 1]);
        int64_t x = down ? reach[k + 1] : reach[k - 1] + 1;
        int64_t y = x - k;
        if (x > n || y > m || x < 0 || y < 0) {
            reach[k] = x;
            continue;
        }
        while (x < n && y < m && s->a[p->a + x] == s->b[p->b + y]) {
            x++;
            y++;
        }
        reach[k] = x;
        const int64_t mirrored = n - m - k;
        if (((n - m) & 1) != 0 && mirrored >= -(distance - 1) && mirrored <= distance - 1 &&
            x + other[mirrored] >= n) {
            *met = (crossing){(uint32_t)(p->a + x), (uint32_t)(p->b + y)};
            return true;
        }
    }
    return false;
}

/* One step of the search from the end; indices count from the part's end. */
static bool step_backward(aligner *s, const part *p, int64_t distance, crossing *met)
{
    const int64_t n = p->a_end - p->a;
    const int64_t m = p->b_end - p->b;
    int64_t *reach = s->backward + DISTANCE_MAX + 1;
    const int64_t *other = s->forward + DISTANCE_MAX + 1;
    for (int64_t k = -distance; k <= distance; k += 2) {
        const bool down = k == -distance || (k != distance && reach[k - 1] < reach[k + 1]);
        int64_t x = down ? reach[k + 1] : reach[k - 1] + 1;
        int64_t y = x - k;
        if (x > n || y > m || x < 0 || y < 0) {
            reach[k] = x;
            continue;
        }
        while (x < n && y < m && s->a[p->a_end - 1 - x] == s->b[p->b_end - 1 - y]) {
            x++;
            y++;
        }
        reach[k] = x;
        const int64_t mirrored = n - m - k;
        if (((n - m) & 1) == 0 && mirrored >= -distance && mirrored <= distance &&
            x + other[mirrored] >= n) {
            *met = (crossing){(uint32_t)(p->a_end - x), (uint32_t)(p->b_end - y)};
            return true;
        }
    }
    return false;
}

/* Finds a point in the middle of a shortest path. @return false if the part has too many
 * differences */
static bool find_middle(aligner *s, const part *p, crossing *met)
{
    const int64_t centre = DISTANCE_MAX + 1;
    s->forward[centre + 1] = 0;
    s->backward[centre + 1] = 0;
    for (int64_t distance = 0; distance <= DISTANCE_MAX / 2; distance++)
        if (step_forward(s, p, distance, met) || step_backward(s, p, distance, met))
            return true;
    return false;
}

/* ---- anchors --------------------------------------------------------------------------------- */

typedef struct occurrence {
    uint64_t key;
    uint32_t index[2];
    uint32_t count[2];
} occurrence;

typedef struct anchor {
    uint32_t a, b;
    uint32_t before; /* index of the previous anchor in the longest increasing chain */
} anchor;

static occurrence *find_occurrence(occurrence *table, size_t capacity, uint64_t key)
{
    size_t at = ftr_hash_slot(key, capacity);
    while (table[at].count[0] + table[at].count[1] > 0 && table[at].key != key)
        at = (at + 1) & (capacity - 1);
    table[at].key = key;
    return &table[at];
}

/* Collects the keys that occur exactly once in each sequence, in order of a. */
static anchor *collect_anchors(const aligner *s, const part *p, uint32_t *count)
{
    const size_t items = (size_t)(p->a_end - p->a) + (p->b_end - p->b);
    size_t capacity = 64;
    while (capacity < items * 2)
        capacity *= 2;
    occurrence *table = calloc(capacity, sizeof *table);
    anchor *anchors = malloc(((size_t)(p->a_end - p->a) + 1) * sizeof *anchors);
    *count = 0;
    if (table == NULL || anchors == NULL) {
        free(table);
        free(anchors);
        return NULL;
    }
    for (uint32_t i = p->a; i < p->a_end; i++) {
        occurrence *found = find_occurrence(table, capacity, s->a[i]);
        found->index[0] = i;
        found->count[0]++;
    }
    for (uint32_t i = p->b; i < p->b_end; i++) {
        occurrence *found = find_occurrence(table, capacity, s->b[i]);
        found->index[1] = i;
        found->count[1]++;
    }
    for (uint32_t i = p->a; i < p->a_end; i++) {
        const occurrence *found = find_occurrence(table, capacity, s->a[i]);
        if (found->count[0] == 1 && found->count[1] == 1)
            anchors[(*count)++] = (anchor){.a = i, .b = found->index[1]};
    }
    free(table);
    return anchors;
}

/* Keeps the longest chain of anchors with increasing indices in b. @return its length */
static uint32_t keep_longest_chain(anchor *anchors, uint32_t count)
{
    /* for each length, the end of a chain */
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
        /* Each half has half of the differences, so that the recursion depth is logarithmic. */
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
