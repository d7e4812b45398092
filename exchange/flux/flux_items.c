/* The definitions that were read so far from a flux file. */
#include "flux_items.h"

#include "growing_array.h"
#include "hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX ((size_t)1 << 20)
#define MEMBERS_MAX ((size_t)1 << 24)
#define DEPTH_MAX 64

static uint64_t key_of(uint32_t trace, uint64_t id)
{
    return (uint64_t)trace << 32 ^ id;
}

ftr_flux_legend_item *ftr_flux_find_item(const ftr_flux_items *items, uint32_t trace, uint64_t id)
{
    const ftr_tx_entry *entry = ftr_tx_table_find(&items->index, key_of(trace, id));
    return entry != NULL ? &items->items[entry->owner] : NULL;
}

ftr_flux_legend_item *ftr_flux_add_item(ftr_flux_items *items, uint32_t trace, uint64_t id)
{
    ftr_flux_legend_item *known = ftr_flux_find_item(items, trace, id);
    if (known != NULL)
        return known;
    if (items->count >= ITEMS_MAX ||
        !ftr_array_grow(&items->items, &items->capacity, items->count, sizeof *items->items))
        return NULL;
    ftr_tx_entry *entry = ftr_tx_table_add(&items->index, key_of(trace, id));
    if (entry == NULL)
        return NULL;
    entry->owner = (uint32_t)items->count;
    ftr_flux_legend_item *item = &items->items[items->count++];
    *item = (ftr_flux_legend_item){.trace = trace, .id = id};
    return item;
}

static void release_item(ftr_flux_legend_item *item)
{
    free(item->name);
    free(item->description);
    for (size_t i = 0; i < item->member_count; i++)
        free(item->members[i].label);
    free(item->members);
    for (size_t i = 0; i < item->label_count; i++)
        free(item->labels[i]);
    free(item->labels);
    free(item->default_base);
    ftr_tx_table_release(&item->enumerators);
    ftr_tx_table_release(&item->member_index);
}

void ftr_flux_items_release(ftr_flux_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        release_item(&items->items[i]);
    free(items->items);
    ftr_tx_table_release(&items->index);
    ftr_tx_table_release(&items->paths);
    *items = (ftr_flux_items){0};
}

/* ---- legends --------------------------------------------------------------------------------- */

static uint64_t enumerator_key(uint64_t enumeration, uint64_t value)
{
    return enumeration << 40 ^ value;
}

bool ftr_flux_add_label(ftr_flux_legend_item *item, uint64_t enumeration, uint64_t value,
                        ftr_view label)
{
    if (item->label_count >= ITEMS_MAX ||
        !ftr_array_grow(&item->labels, &item->label_capacity, item->label_count, sizeof(char *)))
        return false;
    ftr_tx_entry *entry = ftr_tx_table_add(&item->enumerators, enumerator_key(enumeration, value));
    char *copy = strndup(label.data, label.size);
    if (entry == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    entry->owner = (uint32_t)item->label_count;
    item->labels[item->label_count++] = copy;
    return true;
}

const char *ftr_flux_find_label(const ftr_flux_legend_item *item, uint64_t enumeration,
                                uint64_t value)
{
    const ftr_tx_entry *entry =
        ftr_tx_table_find(&item->enumerators, enumerator_key(enumeration, value));
    return entry != NULL ? item->labels[entry->owner] : NULL;
}

const ftr_flux_legend_member *ftr_flux_find_member(const ftr_flux_legend_item *item, uint64_t id)
{
    /* Fast path: ids are usually consecutive. */
    if (id < item->member_count && item->members[id].id == id)
        return &item->members[id];
    const ftr_tx_entry *entry = ftr_tx_table_find(&item->member_index, id);
    return entry != NULL ? &item->members[entry->owner] : NULL;
}

/* Returns the member with this id. Adds the member if there is none. NULL if out of memory, or if
 * there are too many members */
static ftr_flux_legend_member *member_of(ftr_flux_legend_item *item, uint64_t id)
{
    const ftr_tx_entry *known = ftr_tx_table_find(&item->member_index, id);
    if (known != NULL)
        return &item->members[known->owner];
    if (item->member_count >= MEMBERS_MAX ||
        !ftr_array_grow(&item->members, &item->member_capacity, item->member_count,
                        sizeof *item->members))
        return NULL;
    ftr_tx_entry *entry = ftr_tx_table_add(&item->member_index, id);
    if (entry == NULL)
        return NULL;
    entry->owner = (uint32_t)item->member_count;
    ftr_flux_legend_member *member = &item->members[item->member_count++];
    *member = (ftr_flux_legend_member){.id = id};
    return member;
}

ftr_flux_legend_member *ftr_flux_add_member(ftr_flux_legend_item *item, uint64_t id, ftr_view label,
                                            uint8_t type)
{
    ftr_flux_legend_member *member = member_of(item, id);
    char *copy = member != NULL ? strndup(label.data, label.size) : NULL;
    if (copy == NULL)
        return NULL;
    free(member->label);
    member->label = copy;
    member->type = type;
    return member;
}

/* ---- the tree -------------------------------------------------------------------------------- */

void ftr_flux_open_item(ftr_flux_items *items, ftr_flux_legend_item *item)
{
    items->open_count += !item->open;
    items->nested |= items->open_count > 1;
    item->open = true;
    item->opened = ++items->sequences;
}

/* Does not search for the open items below @p item. ftr_flux_opened() detects that these items are
 * closed, because they were opened before @p item was closed. */
bool ftr_flux_close_item(ftr_flux_items *items, ftr_flux_legend_item *item)
{
    const bool ok = item->open || (!item->is_signal && items->open_count > 0);
    items->open_count -= item->open;
    item->open = false;
    item->closed = ++items->sequences;
    return ok;
}

ftr_flux_legend_item *ftr_flux_opened(const ftr_flux_items *items, ftr_flux_legend_item *item)
{
    ftr_flux_legend_item *nearest = NULL;
    for (unsigned depth = 0; item != NULL && depth < DEPTH_MAX; depth++) {
        if (nearest == NULL || item->closed > nearest->opened)
            nearest = item->open ? item : NULL;
        if (item->id == 0 || (nearest != NULL && !items->nested))
            break;
        item = ftr_flux_find_item(items, item->trace, item->parent);
    }
    return nearest;
}

char *ftr_flux_path(const ftr_flux_items *items, const ftr_flux_legend_item *item, char separator)
{
    const char *names[DEPTH_MAX];
    unsigned count = 0;
    size_t size = 1;
    for (; item != NULL && item->id != 0 && count < DEPTH_MAX;
         item = ftr_flux_find_item(items, item->trace, item->parent)) {
        names[count] = item->name != NULL ? item->name : "";
        size += strlen(names[count++]) + 1;
    }
    char *path = calloc(1, size);
    for (char *at = path; path != NULL && count > 0;) {
        at = stpcpy(at, names[--count]);
        if (count > 0)
            *at++ = separator;
    }
    return path;
}

/* Returns the key of a path. Ignores a separator at the beginning of the path. */
static uint64_t path_key(uint32_t trace, const char *path)
{
    path += *path == '\\';
    return ftr_hash_text(FTR_HASH_SEED ^ trace, path, strlen(path));
}

bool ftr_flux_add_path(ftr_flux_items *items, const ftr_flux_legend_item *signal)
{
    char *path = ftr_flux_path(items, signal, '\\');
    ftr_tx_entry *entry =
        path != NULL ? ftr_tx_table_add(&items->paths, path_key(signal->trace, path)) : NULL;
    free(path);
    if (entry == NULL)
        return false;
    if (entry->state == 0) { /* if several signals have the same path, the first one is found */
        entry->state = 1;
        entry->owner = (uint32_t)(signal - items->items);
    }
    return true;
}

ftr_flux_legend_item *ftr_flux_find_path(const ftr_flux_items *items, uint32_t trace,
                                         const char *path)
{
    const ftr_tx_entry *entry = ftr_tx_table_find(&items->paths, path_key(trace, path));
    return entry != NULL ? &items->items[entry->owner] : NULL;
}
