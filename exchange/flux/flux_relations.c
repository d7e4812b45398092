/* Stores the relations that wait for their second sample, and searches for this sample. */
#include "flux_relations.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

static ftr_flux_ends *find_signal(const ftr_flux_relations *relations, uint64_t signal)
{
    const ftr_tx_entry *entry = ftr_tx_table_find(&relations->index, signal);
    return entry != NULL ? &relations->signals[entry->owner] : NULL;
}

static ftr_flux_ends *add_signal(ftr_flux_relations *relations, uint64_t signal)
{
    if (!ftr_array_grow(&relations->signals, &relations->signal_capacity, relations->signal_count,
                        sizeof *relations->signals))
        return NULL;
    ftr_tx_entry *entry = ftr_tx_table_add(&relations->index, signal);
    if (entry == NULL)
        return NULL;
    entry->owner = (uint32_t)relations->signal_count;
    relations->signals[relations->signal_count] = (ftr_flux_ends){0};
    return &relations->signals[relations->signal_count++];
}

bool ftr_flux_relations_expect(ftr_flux_relations *relations, uint64_t signal, int64_t position)
{
    ftr_flux_ends *ends = find_signal(relations, signal);
    if (ends == NULL && (ends = add_signal(relations, signal)) == NULL)
        return false;
    if (!ftr_array_grow(&ends->ends, &ends->capacity, ends->count, sizeof *ends->ends))
        return false;
    ends->ends[ends->count++] = (ftr_flux_end){.position = position};
    return true;
}

static int compare(const void *left, const void *right)
{
    const ftr_flux_end *a = left;
    const ftr_flux_end *b = right;
    return a->position < b->position ? -1 : a->position > b->position;
}

void ftr_flux_relations_sort(ftr_flux_relations *relations)
{
    for (size_t i = 0; i < relations->signal_count; i++) {
        ftr_flux_ends *ends = &relations->signals[i];
        qsort(ends->ends, ends->count, sizeof *ends->ends, compare);
        size_t kept = 0;
        for (size_t k = 0; k < ends->count; k++) /* keep each position only once */
            if (kept == 0 || ends->ends[k].position != ends->ends[kept - 1].position)
                ends->ends[kept++] = ends->ends[k];
        ends->count = kept;
    }
}

/* Returns the index of the first end at or after @p position. */
static size_t lower_bound(const ftr_flux_ends *ends, int64_t position)
{
    size_t low = 0;
    size_t high = ends->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ends->ends[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void settle(ftr_flux_end *end, ftr_tx tx)
{
    if (!end->found)
        end->tx = tx;
    end->found = true;
}

void ftr_flux_relations_note(ftr_flux_relations *relations, uint64_t signal, int64_t position,
                             ftr_tx tx)
{
    ftr_flux_ends *ends = find_signal(relations, signal);
    if (ends == NULL)
        return;
    if (ends->has_last && position < ends->last_position) { /* the sequence was opened again */
        ends->next = lower_bound(ends, position);
        ends->has_last = false;
    }
    while (ends->next < ends->count && ends->ends[ends->next].position < position)
        settle(&ends->ends[ends->next++], ends->has_last ? ends->last : tx);
    if (ends->next < ends->count && ends->ends[ends->next].position == position)
        settle(&ends->ends[ends->next++], tx);
    ends->has_last = true;
    ends->last_position = position;
    ends->last = tx;
}

bool ftr_flux_relations_keep(ftr_flux_relations *relations, const ftr_flux_relation *relation)
{
    if (!ftr_array_grow(&relations->waiting, &relations->capacity, relations->count,
                        sizeof *relations->waiting))
        return false;
    ftr_flux_relation *waiting = &relations->waiting[relations->count++];
    *waiting = *relation;
    waiting->name = strdup(relation->name);
    return waiting->name != NULL;
}

/* Finds the other end of a relation. @return false if the signal of this end has no sample */
static bool find_end(const ftr_flux_relations *relations, const ftr_flux_relation *relation,
                     ftr_tx *tx)
{
    const ftr_flux_ends *ends = find_signal(relations, relation->to);
    const size_t at = ends != NULL ? lower_bound(ends, relation->position) : 0;
    if (ends == NULL || at == ends->count || (!ends->ends[at].found && !ends->has_last))
        return false;
    *tx = ends->ends[at].found ? ends->ends[at].tx : ends->last;
    return true;
}

void ftr_flux_relations_put(ftr_flux_relations *relations, ftr_import_target *target,
                            void (*lost)(void *user, uint64_t offset), void *user)
{
    for (size_t i = 0; i < relations->count && target->status == FTR_OK; i++) {
        const ftr_flux_relation *waiting = &relations->waiting[i];
        ftr_tx to;
        if (!find_end(relations, waiting, &to)) {
            lost(user, waiting->offset);
            continue;
        }
        ftr_import_relation(target, waiting->name, waiting->reversed ? to : waiting->from,
                            waiting->reversed ? waiting->from : to);
    }
}

void ftr_flux_relations_release(ftr_flux_relations *relations)
{
    for (size_t i = 0; i < relations->count; i++)
        free(relations->waiting[i].name);
    for (size_t i = 0; i < relations->signal_count; i++)
        free(relations->signals[i].ends);
    free(relations->waiting);
    free(relations->signals);
    ftr_tx_table_release(&relations->index);
    *relations = (ftr_flux_relations){0};
}
