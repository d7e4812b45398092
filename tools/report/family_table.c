/* The table of parents. */
#include "family_table.h"

#include "growing_array.h"

#define PAGE_BITS 8
#define PAGE_SIZE (1u << PAGE_BITS)
/* Special values in `up`. NO_PARENT: the child has no parent. The value 0 is free for this, because
 * no transaction is its own parent. FAR_PARENT: the difference of the ids does not fit, and the
 * parent is in the index `far`. */
#define NO_PARENT 0
#define FAR_PARENT INT32_MAX

struct ftr_family_page {
    int32_t up[PAGE_SIZE]; /* id of the child minus id of the parent */
    uint64_t is_parent[PAGE_SIZE / 64];
    uint64_t is_hop[PAGE_SIZE / 64];
};

static ftr_family_page *find_page(const ftr_family_table *table, ftr_family_spot *spot,
                                  uint64_t number)
{
    if (spot->page != NULL && spot->number == number)
        return spot->page;
    const uint64_t at = ftr_id_index_get(&table->page_of, number);
    if (at == FTR_ID_NONE)
        return NULL;
    *spot = (ftr_family_spot){number, table->pages[at]};
    return spot->page;
}

/* @param[out] page untouched on error */
static ftr_status add_page(ftr_family_table *table, uint64_t id, ftr_family_page **page)
{
    const uint64_t number = id >> PAGE_BITS;
    ftr_family_page *found = find_page(table, &table->latest, number);
    if (found != NULL) {
        *page = found;
        return FTR_OK;
    }
    if (!ftr_budget_reserve(&table->budget, sizeof *found))
        return FTR_ERR_LIMIT;
    ftr_status status = ftr_array_reserve(&table->budget, &table->pages, &table->page_capacity,
                                          table->page_count + 1, sizeof(ftr_family_page *));
    if (status == FTR_OK)
        status = ftr_id_index_put(&table->page_of, &table->budget, number, table->page_count);
    found = status == FTR_OK ? calloc(1, sizeof *found) : NULL;
    if (found == NULL) {
        ftr_budget_release(&table->budget, sizeof *found);
        return status == FTR_OK ? FTR_ERR_MEMORY : status;
    }
    table->pages[table->page_count++] = found;
    *page = found;
    return FTR_OK;
}

static inline ftr_status page_for(ftr_family_table *table, uint64_t id, ftr_family_page **page)
{
    if (table->latest.page == NULL || table->latest.number != id >> PAGE_BITS)
        return add_page(table, id, page);
    *page = table->latest.page;
    return FTR_OK;
}

static ftr_status add(ftr_family_table *table, uint64_t parent, uint64_t child, bool *is_added)
{
    ftr_family_page *of_child, *of_parent;
    ftr_status status = page_for(table, child, &of_child);
    if (status == FTR_OK)
        status = page_for(table, parent, &of_parent);
    if (status != FTR_OK)
        return status;
    int32_t *up = &of_child->up[child % PAGE_SIZE];
    if (*up != NO_PARENT)
        return FTR_OK;
    const int64_t difference = (int64_t)(child - parent);
    if (difference <= INT32_MIN || difference >= FAR_PARENT) {
        status = ftr_id_index_put(&table->far, &table->budget, child, parent);
        if (status != FTR_OK)
            return status;
        *up = FAR_PARENT;
    } else {
        *up = (int32_t)difference;
    }
    of_parent->is_parent[parent % PAGE_SIZE / 64] |= (uint64_t)1 << parent % 64;
    *is_added = true;
    return FTR_OK;
}

ftr_status ftr_family_table_add(ftr_family_table *table, uint64_t parent, uint64_t child,
                                bool *is_added)
{
    table->relations++;
    *is_added = false;
    if (parent == child)
        return FTR_OK;
    const ftr_status status = add(table, parent, child, is_added);
    if (status != FTR_ERR_LIMIT)
        return status;
    table->omitted++;
    return FTR_OK;
}

void ftr_family_table_mark_hop(ftr_family_table *table, uint64_t child)
{
    ftr_family_page *page = find_page(table, &table->latest, child >> PAGE_BITS);
    if (page != NULL)
        page->is_hop[child % PAGE_SIZE / 64] |= (uint64_t)1 << child % 64;
}

ftr_family_entry ftr_family_table_get(const ftr_family_table *table, ftr_family_spot *spot,
                                      uint64_t id)
{
    ftr_family_entry entry = {0};
    const ftr_family_page *page =
        table->page_count > 0 ? find_page(table, spot, id >> PAGE_BITS) : NULL;
    if (page == NULL)
        return entry;
    const int32_t up = page->up[id % PAGE_SIZE];
    entry.has_parent = up != NO_PARENT;
    entry.has_children = (page->is_parent[id % PAGE_SIZE / 64] >> id % 64 & 1) != 0;
    entry.is_hop = (page->is_hop[id % PAGE_SIZE / 64] >> id % 64 & 1) != 0;
    entry.parent =
        up == FAR_PARENT ? ftr_id_index_get(&table->far, id) : id - (uint64_t)(int64_t)up;
    return entry;
}

void ftr_family_table_release(ftr_family_table *table)
{
    for (size_t i = 0; i < table->page_count; i++)
        free(table->pages[i]);
    ftr_budget_release(&table->budget, table->page_count * sizeof(ftr_family_page));
    ftr_array_release(&table->budget, table->pages, table->page_capacity,
                      sizeof(ftr_family_page *));
    ftr_id_index_release(&table->page_of, &table->budget);
    ftr_id_index_release(&table->far, &table->budget);
    *table = (ftr_family_table){.budget = {.limit = table->budget.limit}};
}
