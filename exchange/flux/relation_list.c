/* A list of all relations of a file. It is needed because flux attaches relations to samples, but
 * FTR stores relations separately. */
#include "relation_list.h"

#include "tx_table.h"
#include "growing_array.h"

#include <stdlib.h>

static ftr_status add(void *user, const ftr_relation_info *relation)
{
    ftr_relation_list *list = user;
    if (!ftr_array_grow(&list->relations, &list->capacity, list->count, sizeof *list->relations))
        return FTR_ERR_MEMORY;
    const ftr_name *name = ftr_names_intern(&list->names, relation->name.data, relation->name.size);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    list->relations[list->count] = (ftr_listed_relation){
        relation->from_tx, relation->to_tx, (uint32_t)name->number + 1, (uint32_t)list->count};
    list->count++;
    return FTR_OK;
}

static int compare(const void *left, const void *right)
{
    const ftr_listed_relation *a = left;
    const ftr_listed_relation *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

ftr_status ftr_relation_list_read(ftr_relation_list *list, ftr_reader *reader)
{
    const ftr_status status = ftr_each_relation(reader, add, list);
    if (list->count > 0)
        qsort(list->relations, list->count, sizeof *list->relations, compare);
    return status;
}

const ftr_listed_relation *ftr_relation_list_from(const ftr_relation_list *list, uint64_t id,
                                                  size_t *count)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->relations[middle].from < id)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < list->count && list->relations[low + *count].from == id)
        (*count)++;
    return *count > 0 ? list->relations + low : NULL;
}

void ftr_relation_list_release(ftr_relation_list *list)
{
    ftr_names_release(&list->names);
    free(list->relations);
    *list = (ftr_relation_list){0};
}
