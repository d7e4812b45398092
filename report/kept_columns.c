/* Owns the columns of whole transactions. Does not know the selection of transactions. */
#include "kept_columns.h"

#include "growing_array.h"
#include "kept_index.h"

#include <string.h>

/* ---- relations ------------------------------------------------------------------------------- */

typedef struct kept_relation {
    uint32_t from, to, name; /* from, to: places of transactions; name: number of a text */
} kept_relation;

typedef struct kept_relations {
    kept_relation *of;
    size_t count, capacity;
    ftr_view latest; /* name of the latest relation */
    uint32_t latest_number;
} kept_relations;

static int compare_relations(const void *a, const void *b)
{
    const kept_relation *x = a;
    const kept_relation *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static ftr_status add_relation(kept_relations *relations, ftr_names *names, ftr_view name,
                               size_t from, size_t to)
{
    if (relations->latest.data != name.data || relations->latest.size != name.size) {
        const ftr_name *known = ftr_names_intern(names, name.data, name.size);
        if (known == NULL)
            return FTR_ERR_MEMORY;
        relations->latest = name;
        relations->latest_number = (uint32_t)known->number;
    }
    if (!ftr_array_grow(&relations->of, &relations->capacity, relations->count,
                        sizeof *relations->of))
        return FTR_ERR_MEMORY;
    relations->of[relations->count++] =
        (kept_relation){(uint32_t)from, (uint32_t)to, relations->latest_number};
    return FTR_OK;
}

/* Adds a relation if both of its transactions are kept. */
static ftr_status add_if_kept(kept_relations *relations, ftr_names *names, ftr_kept_index *places,
                              ftr_view name, uint64_t from_id, uint64_t to_id)
{
    const size_t from = ftr_kept_index_find(places, from_id);
    if (from == FTR_KEPT_NOWHERE)
        return FTR_OK;
    const size_t to = ftr_kept_index_find(places, to_id);
    return to != FTR_KEPT_NOWHERE ? add_relation(relations, names, name, from, to) : FTR_OK;
}

/* Adds the known relations between kept transactions. */
static ftr_status add_known(const ftr_kept_transactions *kept, const ftr_run_relations *all,
                            ftr_kept_index *places, ftr_names *names, kept_relations *relations)
{
    const ftr_view family = {FTR_PARENT_CHILD, sizeof FTR_PARENT_CHILD - 1};
    ftr_family_spot spot = {0};
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < kept->count; i++) {
        const ftr_family_entry entry = ftr_family_table_get(&all->families, &spot, kept->txs[i].id);
        if (entry.has_parent)
            status = add_if_kept(relations, names, places, family, entry.parent, kept->txs[i].id);
    }
    for (size_t i = 0; status == FTR_OK && i < all->other_count; i++) {
        const ftr_other_relation *other = &all->others[i];
        status =
            add_if_kept(relations, names, places, (ftr_view){other->name->text, other->name->size},
                        other->from, other->to);
    }
    return status;
}

/* Reads the relations between kept transactions from the file. */
static ftr_status read_relations(const ftr_kept_transactions *kept, ftr_kept_index *places,
                                 ftr_names *names, kept_relations *relations)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info info;
    ftr_status status = ftr_relation_cursor_open(kept->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &info)) == FTR_OK) {
        const ftr_view name = info.name.data != NULL ? info.name : (ftr_view){"?", 1};
        status = add_if_kept(relations, names, places, name, info.from_tx, info.to_tx);
        if (status != FTR_OK)
            break;
        relations->latest = (ftr_view){0}; /* the next iteration may invalidate the text */
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static ftr_status find_relations(const ftr_kept_transactions *kept, const ftr_run_relations *all,
                                 ftr_names *names, kept_relations *relations)
{
    ftr_kept_index places = {0};
    ftr_status status = FTR_OK;
    const bool is_known = all != NULL && all->is_complete;
    if (is_known && all->families.relations == 0 && all->other_count == 0)
        return FTR_OK;
    if (!ftr_kept_index_init(&places, kept))
        status = FTR_ERR_MEMORY;
    else if (is_known)
        status = add_known(kept, all, &places, names, relations);
    else
        status = read_relations(kept, &places, names, relations);
    if (relations->count > 0)
        qsort(relations->of, relations->count, sizeof *relations->of, compare_relations);
    ftr_kept_index_release(&places);
    return status;
}

static void print_relations(const kept_relations *relations, size_t text_count,
                            ftr_data_block *block, ftr_json *json)
{
    kept_relation *of = relations->of;
    /* Names of relations are numbered after the texts of attributes. */
    for (size_t i = 0; i < relations->count; i++)
        of[i].name += (uint32_t)text_count;
    ftr_json_open(json, "relations", '{');
    ftr_json_column(json, "name",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, name, relations->count), false));
    ftr_json_column(json, "from",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, from, relations->count), true));
    ftr_json_column(json, "to",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, to, relations->count), false));
    ftr_json_close(json, '}');
}

/* ---- texts ----------------------------------------------------------------------------------- */

static size_t append_texts(const ftr_names *names, uint32_t *ends, size_t count, uint8_t *bytes,
                           size_t size)
{
    for (size_t i = 0; i < names->count; i++) {
        memcpy(bytes + size, names->names[i]->text, names->names[i]->size);
        size += names->names[i]->size;
        ends[count + i] = (uint32_t)size;
    }
    return size;
}

static size_t size_of(const ftr_names *names)
{
    size_t size = 0;
    for (size_t i = 0; i < names->count; i++)
        size += names->names[i]->size;
    return size;
}

/* Prints the texts of attributes, then the names of relations. */
static ftr_status print_texts(const ftr_names *texts, const ftr_names *names, ftr_data_block *block,
                              ftr_json *json)
{
    const size_t count = texts->count + names->count;
    const size_t size = size_of(texts) + size_of(names);
    uint32_t *ends = malloc((count + 1) * sizeof *ends);
    uint8_t *bytes = malloc(size + 1);
    if (ends != NULL && bytes != NULL) {
        const size_t first = append_texts(texts, ends, 0, bytes, 0);
        (void)append_texts(names, ends, texts->count, bytes, first);
        ftr_json_open(json, "strings", '{');
        ftr_json_column(json, "end", ftr_data_block_put(block, FTR_DATA_ARRAY(ends, count), true));
        ftr_json_column(json, "bytes",
                        ftr_data_block_put(block, FTR_DATA_ARRAY(bytes, size), false));
        ftr_json_close(json, '}');
    }
    const bool ok = ends != NULL && bytes != NULL;
    free(ends);
    free(bytes);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static void print_selection(const ftr_kept_transactions *kept, ftr_json *json)
{
    uint64_t of[8] = {0};
    for (size_t i = 0; i < kept->count; i++)
        for (unsigned bit = 0; bit < 8; bit++)
            of[bit] += kept->txs[i].reasons >> bit & 1u;
    ftr_json_open(json, "selection", '{');
    ftr_json_count(json, "errors", of[0]);
    ftr_json_count(json, "unfinished", of[1]);
    ftr_json_count(json, "slowest", of[2]);
    ftr_json_count(json, "relatives", of[3]);
    ftr_json_count(json, "sampled", of[4]);
    ftr_json_real(json, "sample", ftr_kept_sample(kept));
    ftr_json_close(json, '}');
}

/* Returns the flags of a transaction. The flag for an error is also set if the transaction is kept
 * for another reason. */
static uint8_t flags_of(const ftr_kept_tx *tx)
{
    const unsigned defects =
        (tx->error ? FTR_KEPT_ERROR : 0u) | (tx->unfinished ? FTR_KEPT_UNFINISHED : 0u);
    return (uint8_t)(tx->reasons | defects);
}

/* Prints the columns that are not members of ftr_kept_tx. */
static ftr_status print_derived(const ftr_kept_transactions *kept, const uint32_t *numbers,
                                ftr_data_block *block, ftr_json *json)
{
    uint32_t *values = malloc((kept->count + 1) * sizeof *values);
    uint8_t *flags = malloc(kept->count + 1);
    if (values != NULL && flags != NULL) {
        for (size_t i = 0; i < kept->count; i++) {
            values[i] = numbers[kept->txs[i].generator];
            flags[i] = flags_of(&kept->txs[i]);
        }
        ftr_json_column(json, "generator",
                        ftr_data_block_put(block, FTR_DATA_ARRAY(values, kept->count), false));
        ftr_json_column(json, "flags",
                        ftr_data_block_put(block, FTR_DATA_ARRAY(flags, kept->count), false));
        for (size_t i = 0; i < kept->count; i++)
            values[i] = kept->txs[i].attribute_first;
        values[kept->count] = (uint32_t)kept->attribute_count;
        ftr_json_column(json, "attribute_first",
                        ftr_data_block_put(block, FTR_DATA_ARRAY(values, kept->count + 1), true));
    }
    const bool ok = values != NULL && flags != NULL;
    free(values);
    free(flags);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

static void print_attributes(const ftr_kept_transactions *kept, ftr_data_block *block,
                             ftr_json *json)
{
    const ftr_kept_attribute *of = kept->attributes;
    const size_t count = kept->attribute_count;
    ftr_json_open(json, "attributes", '{');
    ftr_json_column(json, "name",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, name, count), false));
    ftr_json_column(json, "class",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, class_, count), false));
    ftr_json_column(json, "type",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, type, count), false));
    ftr_json_column(json, "form",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, form, count), false));
    ftr_json_column(json, "value",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(of, value, count), false));
    ftr_json_close(json, '}');
}

static ftr_status print_all(const ftr_kept_transactions *kept, const uint32_t *numbers,
                            const ftr_names *names, const kept_relations *relations,
                            ftr_data_block *block, ftr_json *json)
{
    const ftr_kept_tx *txs = kept->txs;
    ftr_json_open(json, "transactions", '{');
    ftr_json_bool(json, "complete", ftr_kept_is_complete(kept));
    ftr_json_count(json, "count", kept->count);
    ftr_json_count(json, "of", kept->offered);
    print_selection(kept, json);
    ftr_json_column(json, "id",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(txs, id, kept->count), true));
    ftr_json_column(json, "begin",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(txs, begin, kept->count), true));
    ftr_json_column(json, "duration",
                    ftr_data_block_put(block, FTR_DATA_MEMBER(txs, duration, kept->count), false));
    ftr_status status = print_derived(kept, numbers, block, json);
    print_attributes(kept, block, json);
    print_relations(relations, kept->texts.count, block, json);
    if (status == FTR_OK)
        status = print_texts(&kept->texts, names, block, json);
    ftr_json_close(json, '}');
    return status == FTR_OK && block->failed ? FTR_ERR_MEMORY : status;
}

ftr_status ftr_kept_print(const ftr_kept_transactions *kept, const ftr_run_relations *all,
                          const uint32_t *numbers, ftr_data_block *block, ftr_json *json)
{
    ftr_names names = {0};
    kept_relations relations = {0};
    ftr_status status = find_relations(kept, all, &names, &relations);
    if (status == FTR_OK)
        status = print_all(kept, numbers, &names, &relations, block, json);
    free(relations.of);
    ftr_names_release(&names);
    return status;
}
