/* Converts scopes to streams and signals to generators, also for items that the file does not
 * define. */
#include "flux_import.h"

#include "flux_names.h"
#include "hash.h"
#include "flux_description.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_A_RANGE 65536
#define MODE_SYNC 1
#define TYPE_MASK 0x0f /* in version 6 the upper bits are flags */

void ftr_flux_import_report_error(void *user, uint64_t offset, const char *message)
{
    ftr_flux_import *r = user;
    if (r->recording)
        ftr_import_find(&r->target, "byte", offset, "%s", message);
}

void ftr_flux_import_keep(ftr_flux_import *r, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&r->target, status);
}

/* ---- keys ------------------------------------------------------------------------------------ */

uint64_t ftr_flux_import_item_key(const ftr_flux_legend_item *item)
{
    return ftr_hash_mix(ftr_hash_mix(item->trace + 1, 0), item->id);
}

uint64_t ftr_flux_import_tx_key(uint32_t trace, uint64_t id)
{
    return ftr_hash_mix(ftr_hash_mix(trace + 1, UINT64_MAX), id);
}

uint64_t ftr_flux_import_late_key(const ftr_flux_legend_item *item)
{
    return ftr_hash_mix(ftr_flux_import_item_key(item), UINT64_C(0x5bd1e995)) ^ UINT64_MAX;
}

/* Returns the key under which the first pass stores facts about the values of an item without a
 * type. */
static uint64_t contents_key(const ftr_flux_legend_item *item)
{
    return ftr_hash_mix(ftr_flux_import_item_key(item), UINT64_C(0x94d049bb)) ^ UINT64_MAX;
}

/* ---- names ----------------------------------------------------------------------------------- */

void ftr_flux_import_set_text(ftr_flux_import *r, char **to, ftr_view text)
{
    free(*to);
    *to = strndup(text.data, text.size);
    if (*to == NULL)
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
}

ftr_flux_legend_item *ftr_flux_import_root(ftr_flux_import *r, uint32_t trace)
{
    return ftr_flux_add_item(&r->items, trace, 0);
}

/* Returns the key under which the stream of a scope is stored between the passes. */
static uint64_t stream_key(const ftr_flux_legend_item *scope)
{
    return ftr_hash_mix(ftr_flux_import_item_key(scope), UINT64_C(0x2545f491)) ^ UINT64_MAX;
}

static ftr_stream stream_of(ftr_flux_import *r, ftr_flux_legend_item *scope)
{
    if (scope->stream != 0)
        return scope->stream;
    const ftr_tx_entry *defined = ftr_tx_table_find(&r->samples, stream_key(scope));
    if (defined != NULL)
        return scope->stream = defined->owner;
    char *name = ftr_flux_stream_name(&r->items, scope, r->many);
    const ftr_flux_legend_item *root = ftr_flux_find_item(&r->items, scope->trace, 0);
    const char *kind = scope->description;
    if (root != NULL && root->from_ftr)
        kind = ftr_flux_description_stream_kind(scope->description);
    ftr_flux_import_keep(
        r, name == NULL ? FTR_ERR_MEMORY
                        : ftr_stream_define(r->target.recorder, name, kind, &scope->stream));
    free(name);
    return scope->stream;
}

/* ---- definitions ----------------------------------------------------------------------------- */

void ftr_flux_import_head(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    if (!r->has_head)
        r->first_trace = entry->trace;
    r->has_head = true;
    if (!r->recording && entry->trace != r->first_trace)
        r->many = true;
    if (entry->version != 4 && entry->version != 6)
        ftr_flux_import_report_error(r, entry->offset,
                                     "unknown version (neither 4 nor 6): read as the nearest one");
    ftr_flux_legend_item *root = ftr_flux_import_root(r, entry->trace);
    if (root == NULL) {
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
        return;
    }
    ftr_flux_import_set_text(r, &root->name, entry->name);
    root->sync = entry->mode == MODE_SYNC;
    root->from_ftr = ftr_flux_description_is_head(entry->description);
}

static void define_signal(ftr_flux_import *r, ftr_flux_legend_item *item,
                          const ftr_flux_entry *entry)
{
    const ftr_flux_legend_item *root = ftr_flux_find_item(&r->items, item->trace, 0);
    if (!ftr_flux_add_path(&r->items, item))
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    item->from_ftr =
        root != NULL && root->from_ftr &&
        ftr_flux_description_is_generator(item->description != NULL ? item->description : "");
    item->relations = root != NULL && root->from_ftr && item->parent == 0 &&
                      ftr_flux_description_is_relations(item->description);
    ftr_flux_legend_item *parent = ftr_flux_find_item(&r->items, item->trace, item->parent);
    if (parent != NULL && !item->relations)
        parent->is_stream = true;
    if (!r->recording || item->relations)
        return;
    const ftr_stream stream = parent != NULL ? stream_of(r, parent) : 0;
    if (stream == 0)
        return;
    char *name = ftr_flux_generator_name(item, entry);
    ftr_flux_import_keep(r, name == NULL ? FTR_ERR_MEMORY
                                         : ftr_generator_define(r->target.recorder, stream, name,
                                                                NULL, 0, &item->generator));
    free(name);
    item->late = ftr_tx_table_find(&r->samples, ftr_flux_import_late_key(item)) != NULL;
    const ftr_tx_entry *contents = ftr_tx_table_find(&r->samples, contents_key(item));
    item->contents = contents != NULL ? contents->state : 0;
}

void ftr_flux_import_report_once(ftr_flux_import *r, bool *reported, uint64_t offset,
                                 const char *what)
{
    if (!r->recording || *reported || r->target.result->again)
        return;
    *reported = true;
    ftr_exchange_print(r->target.report, "%s: byte %" PRIu64 ": %s", r->input.path, offset, what);
}

/* Adds an item that the file does not define, as a signal below the root. In flux, definitions are
 * optional. */
static ftr_flux_legend_item *add_undefined(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    const ftr_flux_entry nameless = {.tag = FTR_FLUX_SIGNAL};
    ftr_flux_legend_item *item = ftr_flux_import_root(r, entry->trace) != NULL
                                     ? ftr_flux_add_item(&r->items, entry->trace, entry->item)
                                     : NULL;
    if (item == NULL) {
        ftr_flux_import_keep(r, FTR_ERR_LIMIT);
        return NULL;
    }
    item->is_signal = true;
    item->implicit = true;
    ftr_flux_import_report_once(r, &r->undefined_reported, entry->offset,
                                "items without a definition: they get their numbers as names, and "
                                "the types of their values");
    define_signal(r, item, &nameless);
    return item;
}

/* Returns true if a scope above @p scope is also a stream: the name of the upper stream is then the
 * first part of the name of the lower stream. */
static bool is_nested(const ftr_flux_import *r, const ftr_flux_legend_item *scope)
{
    while (scope != NULL && scope->id != 0) {
        scope = ftr_flux_find_item(&r->items, scope->trace, scope->parent);
        if (scope != NULL && scope->is_stream && (scope->id != 0 || r->many))
            return true;
    }
    return false;
}

/* If a stream `a` exists, the recorder changes the name `a.b` of a later stream. Therefore lower
 * streams are defined first: the items are visited in reverse order, because the file defines a
 * scope after the scope that contains it. */
void ftr_flux_import_define_nested(ftr_flux_import *r)
{
    for (size_t i = r->items.count; i > 0; i--) {
        ftr_flux_legend_item *scope = &r->items.items[i - 1];
        if (!scope->is_stream || !is_nested(r, scope))
            continue;
        const ftr_stream stream = stream_of(r, scope);
        ftr_tx_entry *entry = ftr_tx_table_add(&r->samples, stream_key(scope));
        if (entry != NULL)
            entry->owner = stream;
        else
            ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    }
}

void ftr_flux_import_keep_contents(ftr_flux_import *r)
{
    for (size_t i = 0; i < r->items.count; i++) {
        const ftr_flux_legend_item *item = &r->items.items[i];
        ftr_tx_entry *entry =
            item->contents != 0 ? ftr_tx_table_add(&r->samples, contents_key(item)) : NULL;
        if (entry != NULL)
            entry->state = item->contents;
        else if (item->contents != 0)
            ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    }
}

static void define_item(ftr_flux_import *r, const ftr_flux_entry *entry, uint64_t id)
{
    const bool is_signal = entry->tag != FTR_FLUX_SCOPE;
    const ftr_flux_legend_item *root = ftr_flux_import_root(r, entry->trace);
    if (id == 0 || root == NULL) {
        ftr_flux_import_report_error(r, entry->offset, "an item without a number: skipped");
        return;
    }
    const ftr_flux_legend_item *known = ftr_flux_find_item(&r->items, entry->trace, id);
    if (known != NULL && !known->implicit) {
        if (!root->sync)
            ftr_flux_import_report_error(r, entry->offset,
                                         "an item that is already defined: skipped");
        return;
    }
    if (ftr_flux_find_item(&r->items, entry->trace, entry->parent) == NULL) {
        ftr_flux_import_report_error(r, entry->offset, "an item of an undefined scope: skipped");
        return;
    }
    ftr_flux_legend_item *item = ftr_flux_add_item(&r->items, entry->trace, id);
    if (item == NULL) {
        ftr_flux_import_keep(r, FTR_ERR_LIMIT);
        return;
    }
    item->parent = entry->parent;
    item->is_signal = is_signal;
    item->implicit = false;
    item->type = entry->type & TYPE_MASK;
    ftr_flux_import_set_text(r, &item->name, entry->name);
    ftr_flux_import_set_text(r, &item->description, entry->description);
    if (is_signal)
        define_signal(r, item, entry);
    else
        item->is_stream = ftr_flux_find_item(&r->items, entry->trace, 0)->from_ftr &&
                          ftr_flux_description_stream_kind(item->description) != NULL;
    if (r->recording && item->is_stream)
        (void)stream_of(r, item); /* define the stream even if it will have no generators */
}

void ftr_flux_import_items(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    if (entry->item_to < entry->item || entry->item_to - entry->item >= ITEMS_A_RANGE) {
        ftr_flux_import_report_error(r, entry->offset,
                                     "an empty or too large range of items: skipped");
        return;
    }
    for (uint64_t id = entry->item; id <= entry->item_to; id++)
        define_item(r, entry, id);
}

ftr_flux_legend_item *ftr_flux_import_item(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    const bool may_define = entry->tag == FTR_FLUX_SAMPLE || entry->tag == FTR_FLUX_ENUM ||
                            entry->tag == FTR_FLUX_MEMBER || entry->tag == FTR_FLUX_OPEN;
    ftr_flux_legend_item *item = entry->item == 0
                                     ? ftr_flux_import_root(r, entry->trace)
                                     : ftr_flux_find_item(&r->items, entry->trace, entry->item);
    if (item == NULL && may_define)
        item = add_undefined(r, entry);
    else if (item == NULL)
        ftr_flux_import_report_error(r, entry->offset, "an entry of an undefined item: skipped");
    return item;
}

void ftr_flux_import_legend(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    if (item == NULL)
        return;
    if (entry->tag == FTR_FLUX_ENUM) {
        if (!ftr_flux_add_label(item, entry->enumeration, entry->value, entry->name))
            ftr_flux_import_keep(r, FTR_ERR_LIMIT);
        return;
    }
    ftr_flux_legend_member *member =
        ftr_flux_add_member(item, entry->member, entry->name, entry->type);
    if (member == NULL)
        ftr_flux_import_keep(r, FTR_ERR_LIMIT);
    else if (item->from_ftr)
        ftr_flux_description_type_member(&item->described, item->description, entry->member,
                                         &member->class_, &member->value_type);
}
