/* Keeps the first two times of a transaction, and of a generator. */
#include "named_times.h"

#include "stream_name_rules.h"
#include "text_view.h"

#include <stdlib.h>

/* ---- the order of names ---------------------------------------------------------------------- */

/* Times of the model come before the delays, which say how far a process ran ahead of the
 * kernel. */
typedef enum time_rank { RANK_REQUEST, RANK_RESPONSE, RANK_OTHER, RANK_DELAY } time_rank;

static time_rank rank_of(const char *name, size_t size)
{
    return ftr_text_is(name, size, "request_time")    ? RANK_REQUEST
           : ftr_text_is(name, size, "response_time") ? RANK_RESPONSE
           : ftr_text_is(name, size, "delay") || ftr_text_is(name, size, "lowered_by") ? RANK_DELAY
                                                                                       : RANK_OTHER;
}

/* Returns a number less than 0 if the name @p a comes before the name @p b. */
static int compare_names(const char *a, size_t a_size, const char *b, size_t b_size)
{
    const time_rank a_rank = rank_of(a, a_size);
    const time_rank b_rank = rank_of(b, b_size);
    const size_t size = a_size < b_size ? a_size : b_size;
    if (a_rank != b_rank)
        return a_rank < b_rank ? -1 : 1;
    const int order = size > 0 ? memcmp(a, b, size) : 0;
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* ---- one transaction ------------------------------------------------------------------------- */

void ftr_tx_times_add(ftr_tx_time *times, uint8_t *count, const char *name, size_t name_size,
                      uint64_t ticks)
{
    unsigned at = 0;
    int order = -1;
    while (at < *count &&
           (order = compare_names(times[at].name, times[at].name_size, name, name_size)) < 0)
        at++;
    if (at == FTR_TIMES_MAX || (at < *count && order == 0))
        return;
    *count = (uint8_t)(*count + (*count < FTR_TIMES_MAX));
    for (unsigned i = *count - 1u; i > at; i--)
        times[i] = times[i - 1];
    times[at] = (ftr_tx_time){name, name_size, ticks};
}

/* ---- generators ------------------------------------------------------------------------------ */

ftr_times_rule ftr_times_rule_of(const char *kind, size_t kind_size)
{
    return ftr_text_begins(kind, kind_size, FTR_CALL_KIND_PREFIX) ? FTR_TIMES_NONE
           : ftr_text_is(kind, kind_size, FTR_ACCESS_KIND)        ? FTR_TIMES_NO_DELAYS
                                                                  : FTR_TIMES_ALL;
}

static void release(ftr_named_times *times)
{
    free(times->name.bytes);
    ftr_latency_bins_release(&times->bins);
    *times = (ftr_named_times){0};
}

/* Finds the distribution of a name. A new name gets a distribution if there is room, or if it comes
 * before one of the present names, of which it replaces the last.
 * @param[out] found NULL: the name has no distribution
 * @return false if out of memory */
static bool find(ftr_named_times *of, unsigned *count, const ftr_tx_time *time,
                 ftr_named_times **found)
{
    unsigned at = 0;
    int order = -1;
    *found = NULL;
    while (at < *count && (order = compare_names(of[at].name.bytes, of[at].name.size, time->name,
                                                 time->name_size)) < 0)
        at++;
    if (at == FTR_TIMES_MAX)
        return true;
    if (at == *count || order != 0) {
        ftr_figure_text name = {0};
        if (!ftr_figure_text_set(&name, time->name, time->name_size))
            return false;
        if (*count == FTR_TIMES_MAX)
            release(&of[--*count]);
        for (unsigned i = (*count)++; i > at; i--)
            of[i] = of[i - 1];
        of[at] = (ftr_named_times){.name = name};
    }
    *found = &of[at];
    return true;
}

static bool has_name(const ftr_named_times *of, const ftr_tx_time *time)
{
    return of->name.size == time->name_size &&
           (time->name_size == 0 || memcmp(of->name.bytes, time->name, time->name_size) == 0);
}

bool ftr_named_times_add(ftr_named_times **at, unsigned *count, ftr_times_rule rule,
                         const ftr_tx_time *times, unsigned time_count)
{
    if (rule == FTR_TIMES_NONE)
        return true;
    if (*at == NULL)
        *at = calloc(FTR_TIMES_MAX, sizeof **at);
    ftr_named_times *const of = *at;
    if (of == NULL)
        return false;
    for (unsigned i = 0; i < time_count; i++) {
        const ftr_tx_time *time = &times[i];
        /* Usually, all transactions of a generator have the same names. */
        ftr_named_times *found = i < *count && has_name(&of[i], time) ? &of[i] : NULL;
        if (found == NULL) {
            if (rule == FTR_TIMES_NO_DELAYS && rank_of(time->name, time->name_size) == RANK_DELAY)
                continue;
            if (!find(of, count, time, &found))
                return false;
        }
        if (found != NULL && !ftr_latency_bins_add_usual(&found->bins, time->ticks) &&
            !ftr_latency_bins_add(&found->bins, time->ticks, 1))
            return false;
    }
    return true;
}

void ftr_named_times_sort(ftr_named_times *of, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const ftr_named_times moving = of[i];
        unsigned at = i;
        for (; at > 0 && ftr_figure_text_compare(&moving.name, &of[at - 1].name) < 0; at--)
            of[at] = of[at - 1];
        of[at] = moving;
        ftr_latency_bins_sort(&of[at].bins);
    }
}

void ftr_named_times_release(ftr_named_times *of, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        release(&of[i]);
    free(of);
}
