/* Chooses among possible alignments of a section. There are three candidates. The first candidate
 * pairs transactions that begin at the same time, as if only single transactions changed. The
 * second candidate pairs transactions with equal attributes, and the third one transactions with
 * equal identities. The candidate with the lowest cost of differences is chosen. */
#include "alignment_window.h"

#include "edit_script.h"

#include <stdlib.h>
#include <string.h>

/* Number of consecutive pairs after which the traces are assumed to agree again. */
#define AGREEING 4
/* Maximum number of unpaired transactions among which a partner is searched. */
#define REACH 64

enum { COST_CHANGE = 2, COST_ALONE = 2, COST_REPLACED = 3, ADVANTAGE = 4 };

bool ftr_window_reserve(ftr_window *window, uint32_t count)
{
    if (count <= window->capacity)
        return true;
    uint32_t capacity = window->capacity > 0 ? window->capacity : 256;
    while (capacity < count)
        capacity *= 2;
    ftr_window_release(window);
    bool ok = true;
    for (unsigned s = 0; s < 2; s++) {
        window->tx[s] = malloc(capacity * sizeof(const ftr_aligned_tx *));
        window->numbers[s] = malloc(capacity * sizeof *window->numbers[s]);
        window->partner[s] = malloc(capacity * sizeof *window->partner[s]);
        window->candidate[s] = malloc(capacity * sizeof *window->candidate[s]);
        window->keys[s] = malloc(capacity * sizeof *window->keys[s]);
        ok &= window->tx[s] != NULL && window->numbers[s] != NULL && window->partner[s] != NULL &&
              window->candidate[s] != NULL && window->keys[s] != NULL;
    }
    if (ok)
        window->capacity = capacity;
    else
        ftr_window_release(window);
    return ok;
}

void ftr_window_release(ftr_window *window)
{
    for (unsigned s = 0; s < 2; s++) {
        free((void *)window->tx[s]);
        free(window->numbers[s]);
        free(window->partner[s]);
        free(window->candidate[s]);
        free(window->keys[s]);
        window->tx[s] = NULL;
        window->numbers[s] = NULL;
        window->partner[s] = window->candidate[s] = NULL;
        window->keys[s] = NULL;
    }
    window->capacity = 0;
}

static int64_t displacement(const ftr_aligned_tx *a, const ftr_aligned_tx *b)
{
    return (int64_t)(b->begin - a->begin);
}

static bool is_near(const ftr_window *w, int64_t a, int64_t b)
{
    return (uint64_t)(a > b ? a - b : b - a) <= w->rules->tolerance;
}

static bool is_same_duration(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b)
{
    return w->rules->ignore_times ||
           is_near(w, (int64_t)(a->end - a->begin), (int64_t)(b->end - b->begin));
}

/* ---- by time --------------------------------------------------------------------------------- */

typedef struct indexed_tx {
    const ftr_aligned_tx *tx;
    uint32_t index; /* index in the window */
} indexed_tx;

/* The transactions of each side that begin at one time: indices `from` to `to` - 1. */
typedef struct time_group {
    uint32_t from[2], to[2];
} time_group;

static int compare_content(const void *x, const void *y)
{
    const ftr_aligned_tx *a = ((const indexed_tx *)x)->tx;
    const ftr_aligned_tx *b = ((const indexed_tx *)y)->tx;
    if (a->identity != b->identity)
        return a->identity < b->identity ? -1 : 1;
    if (a->content != b->content)
        return a->content < b->content ? -1 : 1;
    const uint64_t duration_a = a->end - a->begin;
    const uint64_t duration_b = b->end - b->begin;
    return (duration_a > duration_b) - (duration_a < duration_b);
}

/* Compares by content, then by id. Ids show the order of the calls that began the transactions. */
static int compare_content_id(const void *x, const void *y)
{
    const ftr_aligned_tx *a = ((const indexed_tx *)x)->tx;
    const ftr_aligned_tx *b = ((const indexed_tx *)y)->tx;
    const int order = compare_content(x, y);
    return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

static int compare_id(const void *x, const void *y)
{
    const ftr_aligned_tx *a = ((const indexed_tx *)x)->tx;
    const ftr_aligned_tx *b = ((const indexed_tx *)y)->tx;
    return (a->id > b->id) - (a->id < b->id);
}

static int compare_identity(const void *x, const void *y)
{
    const ftr_aligned_tx *a = ((const indexed_tx *)x)->tx;
    const ftr_aligned_tx *b = ((const indexed_tx *)y)->tx;
    return (a->identity > b->identity) - (a->identity < b->identity);
}

/* Compares by identity, then by id. Ids show the order of the calls that began the transactions, if
 * one thread made these calls. */
static int compare_identity_id(const void *x, const void *y)
{
    const ftr_aligned_tx *a = ((const indexed_tx *)x)->tx;
    const ftr_aligned_tx *b = ((const indexed_tx *)y)->tx;
    const int order = compare_identity(x, y);
    return order != 0 ? order : (a->id > b->id) - (a->id < b->id);
}

static void pair_up(ftr_window *w, uint32_t a, uint32_t b)
{
    w->candidate[0][a] = b;
    w->candidate[1][b] = a;
}

/* The transactions of a group that have no partner, sorted. */
typedef struct sorted_group {
    indexed_tx *of[2];
    size_t count[2];
} sorted_group;

/* @return false if out of memory; otherwise, the caller frees `of[0]` */
static bool sort_group(const ftr_window *w, const time_group *g,
                       int (*sort)(const void *, const void *), sorted_group *sorted)
{
    const size_t most = (size_t)(g->to[0] - g->from[0]) + (g->to[1] - g->from[1]);
    indexed_tx *of = malloc(most * sizeof *of);
    if (of == NULL)
        return false;
    *sorted = (sorted_group){{of, of + (g->to[0] - g->from[0])}, {0, 0}};
    for (unsigned s = 0; s < 2; s++) {
        for (uint32_t i = g->from[s]; i < g->to[s]; i++)
            if (w->candidate[s][i] == FTR_NO_PARTNER)
                sorted->of[s][sorted->count[s]++] = (indexed_tx){w->tx[s][i], i};
        if (sorted->count[s] > 1)
            qsort(sorted->of[s], sorted->count[s], sizeof *of, sort);
    }
    return true;
}

/* Pairs the transactions of a group that are equal under @p compare. They are sorted with @p sort
 * first, because the order of transactions that begin at the same time is arbitrary. */
static bool pair_sorted(ftr_window *w, const time_group *g, int (*sort)(const void *, const void *),
                        int (*compare)(const void *, const void *))
{
    sorted_group sorted;
    if (!sort_group(w, g, sort, &sorted))
        return false;
    for (size_t i = 0, k = 0; i < sorted.count[0] && k < sorted.count[1];) {
        const int order = compare(&sorted.of[0][i], &sorted.of[1][k]);
        if (order == 0)
            pair_up(w, sorted.of[0][i].index, sorted.of[1][k].index);
        i += order <= 0;
        k += order >= 0;
    }
    free(sorted.of[0]);
    return true;
}

/* Returns the number of consecutive transactions that have the same content as transaction @p from,
 * including this transaction. */
static size_t equal_from(const sorted_group *sorted, unsigned side, size_t from)
{
    size_t to = from + 1;
    while (to < sorted->count[side] &&
           compare_content(&sorted->of[side][from], &sorted->of[side][to]) == 0)
        to++;
    return to - from;
}

/* Pairs transactions with the same content in order of id, if both sides have the same number of
 * them. */
static bool pair_complete_sets(ftr_window *w, const time_group *g)
{
    sorted_group sorted;
    if (!sort_group(w, g, compare_content_id, &sorted))
        return false;
    for (size_t i = 0, k = 0; i < sorted.count[0] && k < sorted.count[1];) {
        const int order = compare_content(&sorted.of[0][i], &sorted.of[1][k]);
        const size_t count[2] = {order <= 0 ? equal_from(&sorted, 0, i) : 0,
                                 order >= 0 ? equal_from(&sorted, 1, k) : 0};
        if (count[0] == count[1])
            for (size_t n = 0; n < count[0]; n++)
                pair_up(w, sorted.of[0][i + n].index, sorted.of[1][k + n].index);
        i += count[0];
        k += count[1];
    }
    free(sorted.of[0]);
    return true;
}

static void pair_if_equal(ftr_window *w, const indexed_tx *a, const indexed_tx *b)
{
    if (compare_content(a, b) == 0)
        pair_up(w, a->index, b->index);
}

/* Pairs equal transactions of a group if the distance of their ids is the same as in the last pair
 * before the window. Among identical transactions, only the ids show which one was edited. */
static bool pair_by_id(ftr_window *w, const time_group *g)
{
    sorted_group sorted;
    if (!sort_group(w, g, compare_id, &sorted))
        return false;
    for (size_t i = 0, k = 0; i < sorted.count[0] && k < sorted.count[1];) {
        const uint64_t expected = sorted.of[0][i].tx->id + w->id_base;
        const uint64_t found = sorted.of[1][k].tx->id;
        if (found == expected)
            pair_if_equal(w, &sorted.of[0][i], &sorted.of[1][k]);
        i += found >= expected;
        k += found <= expected;
    }
    free(sorted.of[0]);
    return true;
}

/* If both sides of a group have the same number of transactions, pairs transactions that are equal
 * and have the same position in order of id. */
static bool pair_by_position(ftr_window *w, const time_group *g)
{
    sorted_group sorted;
    if (!sort_group(w, g, compare_id, &sorted))
        return false;
    if (sorted.count[0] == sorted.count[1])
        for (size_t i = 0; i < sorted.count[0]; i++)
            pair_if_equal(w, &sorted.of[0][i], &sorted.of[1][i]);
    free(sorted.of[0]);
    return true;
}

static bool pair_group(ftr_window *w, const time_group *g)
{
    if (g->to[0] - g->from[0] == 1 && g->to[1] - g->from[1] == 1) {
        if (w->tx[0][g->from[0]]->identity == w->tx[1][g->from[1]]->identity)
            pair_up(w, g->from[0], g->from[1]);
        return true;
    }
    return pair_complete_sets(w, g) && pair_by_id(w, g) && pair_by_position(w, g) &&
           pair_sorted(w, g, compare_content_id, compare_content) &&
           pair_sorted(w, g, compare_identity_id, compare_identity);
}

static uint32_t end_of_group(const ftr_window *w, unsigned side, uint32_t from)
{
    uint32_t to = from + 1;
    while (to < w->count[side] && w->tx[side][to]->begin == w->tx[side][from]->begin)
        to++;
    return to;
}

static bool align_by_time(ftr_window *w)
{
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < w->count[0] && k < w->count[1]) {
        const uint64_t expected = w->tx[0][i]->begin + (uint64_t)w->base;
        const int64_t ahead = (int64_t)(w->tx[1][k]->begin - expected);
        if (ahead != 0) {
            if (ahead > 0)
                i++;
            else
                k++;
            continue;
        }
        const time_group g = {{i, k}, {end_of_group(w, 0, i), end_of_group(w, 1, k)}};
        if (!pair_group(w, &g))
            return false;
        i = g.to[0];
        k = g.to[1];
    }
    return true;
}

/* ---- by attributes --------------------------------------------------------------------------- */

static bool align_part(ftr_window *w, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end)
{
    if (a == a_end || b == b_end)
        return true;
    if (!ftr_edit_script(w->keys[0] + a, a_end - a, w->keys[1] + b, b_end - b, w->candidate[0] + a))
        return false;
    for (uint32_t i = a; i < a_end; i++)
        if (w->candidate[0][i] != FTR_NO_PARTNER) {
            w->candidate[0][i] += b;
            w->candidate[1][w->candidate[0][i]] = i;
        }
    return true;
}

static void set_keys(ftr_window *w, bool with_content)
{
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t i = 0; i < w->count[s]; i++) {
            const ftr_aligned_tx *tx = w->tx[s][i];
            w->keys[s][i] = with_content ? tx->identity * UINT64_C(0x9e3779b97f4a7c15) + tx->content
                                         : tx->identity;
        }
}

static bool align_by_identity(ftr_window *w)
{
    set_keys(w, false);
    return align_part(w, 0, w->count[0], 0, w->count[1]);
}

/* Pairs transactions with the same attributes. Then pairs transactions with the same identity,
 * between the pairs that were found. */
static bool align_by_content(ftr_window *w)
{
    set_keys(w, true);
    if (!align_part(w, 0, w->count[0], 0, w->count[1]))
        return false;
    set_keys(w, false);
    uint32_t a = 0;
    uint32_t b = 0;
    for (uint32_t i = 0; i <= w->count[0]; i++) {
        if (i < w->count[0] && w->candidate[0][i] == FTR_NO_PARTNER)
            continue;
        const uint32_t to = i < w->count[0] ? w->candidate[0][i] : w->count[1];
        if (!align_part(w, a, i, b, to))
            return false;
        a = i + 1;
        b = to + 1;
    }
    return true;
}

/* ---- cost of an alignment -------------------------------------------------------------------- */

typedef struct evaluation {
    uint64_t cost;
    uint32_t advantage; /* another candidate is better only if its cost is lower by this factor */
    uint32_t pairs;
    uint32_t settled[2];
    int64_t base;
} evaluation;

static uint64_t cost_of_gap(uint32_t a, uint32_t b)
{
    const uint32_t shorter = a < b ? a : b;
    return (uint64_t)shorter * COST_REPLACED + (uint64_t)(a + b - 2 * shorter) * COST_ALONE;
}

/* Displacements of the begin and the end of the previous pair, in ticks. */
typedef struct displaced {
    int64_t begin, end;
} displaced;

/* A pair always costs less than a deleted and an inserted transaction together. A displacement
 * costs nothing if the begin or the end of the previous pair has the same displacement. If
 * `fixed_base` is set, every displacement costs. */
static uint64_t cost_of_pair(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b,
                             displaced *before)
{
    bool differs = a->content != b->content || !is_same_duration(w, a, b);
    const int64_t moved = displacement(a, b);
    if (!w->rules->ignore_times && !is_near(w, moved, before->begin)) {
        differs |= w->rules->fixed_base || !is_near(w, moved, before->end);
        if (!w->rules->fixed_base)
            before->begin = moved;
    }
    before->end = (int64_t)(b->end - a->end);
    return differs ? COST_CHANGE : 0;
}

/* Returns the cost of the candidate, and for each side the number of transactions whose alignment
 * is final. */
static evaluation evaluate(const ftr_window *w)
{
    evaluation v = {.base = w->base};
    displaced before = {w->base, w->base};
    uint32_t i = 0;
    uint32_t k = 0;
    uint32_t beyond[2] = {0, 0}; /* for each side: 1 + greatest index of a partner so far */
    for (uint32_t agreeing = 0;;) {
        const uint32_t from[2] = {i, k};
        while (i < w->count[0] && w->candidate[0][i] == FTR_NO_PARTNER)
            i++;
        while (k < w->count[1] && w->candidate[1][k] == FTR_NO_PARTNER)
            k++;
        const uint32_t gap[2] = {i - from[0], k - from[1]};
        if (i == w->count[0] || k == w->count[1]) {
            /* Unpaired transactions at the end of one side may still find partners. */
            const uint32_t shorter = gap[0] < gap[1] ? gap[0] : gap[1];
            v.cost += w->final ? cost_of_gap(gap[0], gap[1]) : (uint64_t)shorter * COST_REPLACED;
            return v;
        }
        v.cost += cost_of_gap(gap[0], gap[1]);
        agreeing = gap[0] + gap[1] > 0 ? 1 : agreeing + 1;
        v.cost += cost_of_pair(w, w->tx[0][i], w->tx[1][w->candidate[0][i]], &before);
        v.pairs++;
        if (w->candidate[0][i] >= beyond[1])
            beyond[1] = w->candidate[0][i] + 1;
        if (w->candidate[1][k] >= beyond[0])
            beyond[0] = w->candidate[1][k] + 1;
        const int64_t moved = displacement(w->tx[0][i], w->tx[1][w->candidate[0][i]]);
        i++;
        k++;
        if (agreeing >= AGREEING && beyond[0] <= i && beyond[1] <= k) {
            v.settled[0] = i;
            v.settled[1] = k;
            v.base = moved;
        }
    }
}

/* Keeps the candidate if it is better than the best candidate so far. The alignment by time is
 * considered first. If it pairs many transactions, another candidate must be much better, because
 * among transactions with equal attributes only the times show the partner of each. */
static void consider(ftr_window *w, evaluation *best, bool by_time)
{
    const evaluation v = evaluate(w);
    if (!by_time && (v.pairs == 0 || (best->pairs > 0 && v.cost * best->advantage >= best->cost)))
        return;
    *best = v;
    const uint32_t shorter = w->count[0] < w->count[1] ? w->count[0] : w->count[1];
    best->advantage = by_time && v.pairs >= shorter / 8 ? ADVANTAGE : 1;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t *taken = w->candidate[s];
        w->candidate[s] = w->partner[s];
        w->partner[s] = taken;
    }
}

static void clear_candidate(ftr_window *w)
{
    for (unsigned s = 0; s < 2; s++)
        memset(w->candidate[s], 0xff, w->count[s] * sizeof *w->candidate[s]);
}

/* ---- unpaired transactions ------------------------------------------------------------------- */

typedef bool pair_rule(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b,
                       const int64_t *bases);

static bool has_same_identity(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b,
                              const int64_t *bases)
{
    (void)w;
    (void)bases;
    return a->identity == b->identity;
}

static bool has_same_time(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b,
                          const int64_t *bases)
{
    const int64_t moved = displacement(a, b);
    return a->generator == b->generator &&
           (w->rules->ignore_times || is_near(w, moved, bases[0]) || is_near(w, moved, bases[1]));
}

static bool has_same_content(const ftr_window *w, const ftr_aligned_tx *a, const ftr_aligned_tx *b,
                             const int64_t *bases)
{
    (void)bases;
    return a->generator == b->generator && a->content == b->content && a->content != 0 &&
           is_same_duration(w, a, b);
}

/* Pairs transactions between two neighbouring pairs. Applies the most reliable rule first. */
static void pair_in_gap(ftr_window *w, const uint32_t *from, const uint32_t *to,
                        const int64_t *bases)
{
    static pair_rule *const RULES[] = {has_same_identity, has_same_time, has_same_content};
    for (size_t rule = 0; rule < sizeof RULES / sizeof RULES[0]; rule++) {
        uint32_t first = from[1];
        for (uint32_t i = from[0]; i < to[0]; i++) {
            if (w->partner[0][i] != FTR_NO_PARTNER)
                continue;
            while (first < to[1] && w->partner[1][first] != FTR_NO_PARTNER)
                first++;
            const uint32_t last = to[1] - first < REACH ? to[1] : first + REACH;
            for (uint32_t k = first; k < last; k++)
                if (w->partner[1][k] == FTR_NO_PARTNER &&
                    RULES[rule](w, w->tx[0][i], w->tx[1][k], bases)) {
                    w->partner[0][i] = k;
                    w->partner[1][k] = i;
                    break;
                }
        }
    }
}

/* Returns true if only one of the unpaired transactions of a side has the digest of @p tx. */
static bool is_unique(const ftr_window *w, unsigned side, const uint32_t *alone, uint32_t count,
                      const ftr_aligned_tx *tx)
{
    unsigned found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ftr_aligned_tx *other = w->tx[side][alone[i]];
        found += other->identity == tx->identity && other->content == tx->content;
    }
    return found == 1;
}

/* Pairs equal transactions that moved past others, if the distance of their ids is the same as in
 * the last pair before the window, or if no other unpaired transaction has their digest. Does
 * nothing if a side has more than REACH unpaired transactions. */
static void pair_across_gaps(ftr_window *w)
{
    uint32_t alone[2][REACH];
    uint32_t count[2] = {0, 0};
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t i = 0; i < w->settled[s]; i++)
            if (w->partner[s][i] == FTR_NO_PARTNER) {
                if (count[s] == REACH)
                    return;
                alone[s][count[s]++] = i;
            }
    for (uint32_t i = 0; i < count[0]; i++)
        for (uint32_t k = 0; k < count[1]; k++) {
            const ftr_aligned_tx *a = w->tx[0][alone[0][i]];
            const ftr_aligned_tx *b = w->tx[1][alone[1][k]];
            if (w->partner[1][alone[1][k]] == FTR_NO_PARTNER && a->identity == b->identity &&
                a->content == b->content &&
                (b->id - a->id == w->id_base || (is_unique(w, 0, alone[0], count[0], a) &&
                                                 is_unique(w, 1, alone[1], count[1], b)))) {
                w->partner[0][alone[0][i]] = alone[1][k];
                w->partner[1][alone[1][k]] = alone[0][i];
                break;
            }
        }
}

static void pair_the_rest(ftr_window *w)
{
    int64_t bases[2] = {w->base, w->base};
    uint32_t i = 0;
    uint32_t k = 0;
    while (i < w->settled[0] || k < w->settled[1]) {
        const uint32_t from[2] = {i, k};
        while (i < w->settled[0] && w->partner[0][i] == FTR_NO_PARTNER)
            i++;
        while (k < w->settled[1] && w->partner[1][k] == FTR_NO_PARTNER)
            k++;
        const uint32_t to[2] = {i, k};
        if (i < w->settled[0] && w->partner[0][i] < w->count[1])
            bases[1] = displacement(w->tx[0][i], w->tx[1][w->partner[0][i]]);
        if (to[0] > from[0] && to[1] > from[1])
            pair_in_gap(w, from, to, bases);
        bases[0] = bases[1];
        i += i < w->settled[0];
        k += k < w->settled[1];
    }
    pair_across_gaps(w);
}

/* ---- public functions ------------------------------------------------------------------------ */

bool ftr_window_align(ftr_window *w)
{
    static bool (*const ALIGN[])(ftr_window *) = {align_by_time, align_by_content,
                                                  align_by_identity};
    evaluation best = {0};
    for (size_t i = 0; i < sizeof ALIGN / sizeof ALIGN[0]; i++) {
        clear_candidate(w);
        if (!ALIGN[i](w))
            return false;
        consider(w, &best, i == 0);
        if (best.pairs > 0 && best.cost <= COST_REPLACED)
            break;
    }
    memcpy(w->settled, best.settled, sizeof w->settled);
    w->settled_base = best.base;
    if (w->final)
        memcpy(w->settled, w->count, sizeof w->settled);
    pair_the_rest(w);
    return true;
}

void ftr_window_settle_all(ftr_window *w)
{
    memcpy(w->settled, w->count, sizeof w->settled);
    pair_the_rest(w);
}
