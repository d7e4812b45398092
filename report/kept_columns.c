/* Owns the columns of whole transactions. Does not know how transactions are chosen. */
#include "kept_columns.h"

#include "growing_array.h"

#include <string.h>

/* ---- relations ------------------------------------------------------------------------------- */

typedef struct kept_relation {
    uint32_t from, to, name; /* places of transactions; number of a text */
} kept_relation;

typedef struct kept_relations {
    kept_relation *of;
    size_t count, capacity;
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

static ftr_status add_relation(kept_relations *relations, ftr_names *names,
                               const ftr_relation_info *info, uint64_t from, uint64_t to)
{
    const ftr_view name = info->name.data != NULL ? info->name : (ftr_view){"?", 1};
    const ftr_name *known = ftr_names_intern(names, name.data, name.size);
    if (known == NULL || !ftr_array_grow(&relations->of, &relations->capacity, relations->count,
                                         sizeof *relations->of))
        return FTR_ERR_MEMORY;
    relations->of[relations->count++] =
        (kept_relation){(uint32_t)from, (uint32_t)to, (uint32_t)known->number};
    return FTR_OK;
}

/* The kept transactions by id. Most relations of a large trace are of other transactions: a bit for
 * the low bits of each kept id excludes them without a look-up. Relations are nearly in order of
 * ids, so the bits of one are near those of the one before. */
#define MARKED_IDS ((uint64_t)1 << 23)

typedef struct kept_ids {
    ftr_id_index places;
    ftr_budget budget;
    uint64_t *marks;
} kept_ids;

static ftr_status index_kept(const ftr_kept_transactions *kept, kept_ids *ids)
{
    ids->budget.limit = SIZE_MAX;
    ids->marks = calloc(MARKED_IDS / 64, sizeof *ids->marks);
    if (ids->marks == NULL)
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < kept->count; i++) {
        const uint64_t id = kept->txs[i].id;
        ids->marks[id % MARKED_IDS / 64] |= (uint64_t)1 << id % 64;
    }
    return ftr_kept_index(kept, &ids->places, &ids->budget);
}

static bool is_marked(const kept_ids *ids, uint64_t id)
{
    return (ids->marks[id % MARKED_IDS / 64] >> id % 64 & 1) != 0;
}

static void release_ids(kept_ids *ids)
{
    ftr_id_index_release(&ids->places, &ids->budget);
    free(ids->marks);
}

/* Reads the relations between kept transactions. */
static ftr_status read_relations(const ftr_kept_transactions *kept, const kept_ids *ids,
                                 ftr_names *names, kept_relations *relations)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info info;
    ftr_status status = ftr_relation_cursor_open(kept->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &info)) == FTR_OK) {
        if (!is_marked(ids, info.from_tx) || !is_marked(ids, info.to_tx))
            continue;
        const uint64_t from = ftr_id_index_get(&ids->places, info.from_tx);
        const uint64_t to = ftr_id_index_get(&ids->places, info.to_tx);
        if (from != FTR_ID_NONE && to != FTR_ID_NONE)
            status = add_relation(relations, names, &info, from, to);
        if (status != FTR_OK)
            break;
    }
    ftr_relation_cursor_close(cursor);
    if (relations->count > 0)
        qsort(relations->of, relations->count, sizeof *relations->of, compare_relations);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static void print_relations(const kept_relations *relations, size_t text_count,
                            ftr_data_block *block, ftr_json *json)
{
    kept_relation *of = relations->of;
    /* The names of relations follow the other texts. */
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

/* The texts of attributes, and the names of relations behind them. */
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

/* Sets the flag of each transaction with an error, also if the transaction is kept for another
 * reason. */
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

ftr_status ftr_kept_print(const ftr_kept_transactions *kept, const uint32_t *numbers,
                          ftr_data_block *block, ftr_json *json)
{
    kept_ids ids = {0};
    ftr_names names = {0};
    kept_relations relations = {0};
    ftr_status status = index_kept(kept, &ids);
    if (status == FTR_OK)
        status = read_relations(kept, &ids, &names, &relations);
    if (status == FTR_OK)
        status = print_all(kept, numbers, &names, &relations, block, json);
    free(relations.of);
    ftr_names_release(&names);
    release_ids(&ids);
    return status;
}
