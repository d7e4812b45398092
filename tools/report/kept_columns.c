/* Packs the whole transactions of a report and their relations into columns. */
#include "kept_index.h"

#include "growing_array.h"
#include "work_queue.h"

#include <string.h>

/* ---- relations ------------------------------------------------------------------------------- */

typedef struct kept_relation {
    uint32_t from, to, name; /* places of two transactions, and the number of a text */
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

/* Adds those of the known relations that are between kept transactions. */
static ftr_status add_known(const ftr_kept_transactions *kept, const ftr_run_relations *all,
                            ftr_kept_index *places, ftr_names *names, kept_relations *relations)
{
    const ftr_view family = {FTR_PARENT_CHILD, sizeof FTR_PARENT_CHILD - 1};
    ftr_family_spot spot = {0};
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < kept->count; i++) {
        const ftr_kept_tx *tx = &kept->txs[i];
        ftr_family_entry entry = {.has_parent = tx->parentage == FTR_KEPT_PARENT_KNOWN,
                                  .parent = tx->parent};
        if (tx->parentage == FTR_KEPT_PARENT_UNKNOWN)
            entry = ftr_family_table_get(&all->families, &spot, tx->id);
        if (entry.has_parent)
            status = add_if_kept(relations, names, places, family, entry.parent, tx->id);
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

/* The search for the relations between kept transactions. It may run on another thread. */
typedef struct relation_search {
    const ftr_kept_transactions *kept;
    const ftr_run_relations *all;
    ftr_names names;
    kept_relations found;
    ftr_status status;
} relation_search;

/* Returns true if no relation must be read from the file. */
static bool is_known(const ftr_run_relations *all)
{
    return all != NULL && all->is_complete;
}

static bool has_none(const ftr_run_relations *all)
{
    return is_known(all) && all->families.relations == 0 && all->other_count == 0;
}

static void find_relations(relation_search *search)
{
    const ftr_run_relations *all = search->all;
    kept_relations *found = &search->found;
    ftr_kept_index places = {0};
    if (has_none(all))
        return;
    if (!ftr_kept_index_init(&places, search->kept))
        search->status = FTR_ERR_MEMORY;
    else if (is_known(all))
        search->status = add_known(search->kept, all, &places, &search->names, found);
    else
        search->status = read_relations(search->kept, &places, &search->names, found);
    if (found->count > 0)
        qsort(found->of, found->count, sizeof *found->of, compare_relations);
    ftr_kept_index_release(&places);
}

static void print_relations(const kept_relations *relations, size_t text_count,
                            ftr_data_block *block, ftr_json *json)
{
    kept_relation *of = relations->of;
    /* The numbers of names of relations follow the numbers of texts of attributes. */
    for (size_t i = 0; i < relations->count; i++)
        of[i].name += (uint32_t)text_count;
    ftr_json_open(json, "relations", '{');
    ftr_json_values(json, "name", block, FTR_DATA_MEMBER(of, name, relations->count), false);
    ftr_json_values(json, "from", block, FTR_DATA_MEMBER(of, from, relations->count), true);
    ftr_json_values(json, "to", block, FTR_DATA_MEMBER(of, to, relations->count), false);
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
        ftr_json_values(json, "end", block, FTR_DATA_ARRAY(ends, count), true);
        ftr_json_values(json, "bytes", block, FTR_DATA_ARRAY(bytes, size), false);
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

/* The columns of transactions and of attributes. */
typedef struct tx_columns {
    ftr_data_column id, begin, duration, generator, flags, attribute_first;
    ftr_data_column name, class_, type, form, value; /* columns of attributes */
} tx_columns;

/* Sizes of the values of a transaction and of an attribute in the columns, in bytes. */
#define TX_SIZE ((size_t)8 + 8 + 8 + 4 + 1 + 4)
#define ATTRIBUTE_SIZE ((size_t)4 + 1 + 1 + 1 + 8)

/* Appends the columns to the block, without their values. */
static void reserve_columns(const ftr_kept_transactions *kept, ftr_data_block *block,
                            ftr_json *json, tx_columns *columns)
{
    const size_t count = kept->count;
    const size_t attributes = kept->attribute_count;
    ftr_data_block_make_room(block, (count + 1) * TX_SIZE + attributes * ATTRIBUTE_SIZE);
#define RESERVE(member, text, size, number, differences)                              \
    columns->member = ftr_data_block_reserve(block, (size), (number), (differences)); \
    ftr_json_column(json, text, columns->member)
    RESERVE(id, "id", 8, count, true);
    RESERVE(begin, "begin", 8, count, true);
    RESERVE(duration, "duration", 8, count, false);
    RESERVE(generator, "generator", 4, count, false);
    RESERVE(flags, "flags", 1, count, false);
    RESERVE(attribute_first, "attribute_first", 4, count + 1, true);
    ftr_json_open(json, "attributes", '{');
    RESERVE(name, "name", 4, attributes, false);
    RESERVE(class_, "class", 1, attributes, false);
    RESERVE(type, "type", 1, attributes, false);
    RESERVE(form, "form", 1, attributes, false);
    RESERVE(value, "value", 8, attributes, false);
    ftr_json_close(json, '}');
#undef RESERVE
}

#define TXS_AT_ONCE 1024u
#define ATTRIBUTES_AT_ONCE 4096u
#define PARTS_MAX 8u

/* The sources of the values, and the columns in which the values are stored. */
typedef struct filling {
    const ftr_kept_transactions *kept;
    const uint32_t *numbers;
    ftr_data_block *block;
    tx_columns columns;
} filling;

/* A part of the transactions in order of begin. */
typedef struct filled_part {
    const filling *all;
    size_t next, end;         /* places of transactions */
    size_t attribute;         /* number of the next attribute in the columns */
    uint64_t id, begin;       /* values of the transaction before `next` */
    uint32_t attribute_first; /* value of the transaction before `next` */
    size_t tx_count;          /* elements of the following arrays */
    uint64_t ids[TXS_AT_ONCE], begins[TXS_AT_ONCE], durations[TXS_AT_ONCE];
    uint32_t generators[TXS_AT_ONCE], attribute_firsts[TXS_AT_ONCE];
    uint8_t flags[TXS_AT_ONCE];
    size_t attribute_count; /* elements of `attributes` */
    ftr_kept_attribute attributes[ATTRIBUTES_AT_ONCE];
} filled_part;

static void fill_attributes(filled_part *part)
{
    const ftr_kept_attribute *of = part->attributes;
    const size_t count = part->attribute_count;
    const size_t first = part->attribute - count;
#define FILL(member)                                                         \
    ftr_data_block_fill(part->all->block, &part->all->columns.member, first, \
                        FTR_DATA_MEMBER(of, member, count), 0)
    FILL(name);
    FILL(class_);
    FILL(type);
    FILL(form);
    FILL(value);
#undef FILL
    part->attribute_count = 0;
}

static void fill_txs(filled_part *part)
{
    const size_t count = part->tx_count;
    const size_t first = part->next - count;
#define FILL(member, array, before)                                          \
    ftr_data_block_fill(part->all->block, &part->all->columns.member, first, \
                        FTR_DATA_ARRAY(part->array, count), (before))
    FILL(id, ids, part->id);
    FILL(begin, begins, part->begin);
    FILL(duration, durations, 0);
    FILL(generator, generators, 0);
    FILL(flags, flags, 0);
    FILL(attribute_first, attribute_firsts, part->attribute_first);
#undef FILL
    if (count > 0) {
        part->id = part->ids[count - 1];
        part->begin = part->begins[count - 1];
        part->attribute_first = part->attribute_firsts[count - 1];
    }
    part->tx_count = 0;
}

static void take_attributes(filled_part *part, const ftr_kept_tx *tx)
{
    for (uint32_t i = 0; i < tx->attribute_count; i++) {
        if (part->attribute_count == ATTRIBUTES_AT_ONCE)
            fill_attributes(part);
        part->attributes[part->attribute_count++] =
            part->all->kept->attributes[tx->attribute_first + i];
        part->attribute++;
    }
}

static void fill_part(filled_part *part)
{
    while (part->next < part->end) {
        const ftr_kept_tx *tx = &part->all->kept->txs[part->all->kept->order[part->next++]];
        const size_t at = part->tx_count++;
        part->ids[at] = tx->id;
        part->begins[at] = tx->begin;
        part->durations[at] = tx->duration;
        part->generators[at] = part->all->numbers[tx->generator];
        part->flags[at] = flags_of(tx);
        part->attribute_firsts[at] = (uint32_t)part->attribute;
        take_attributes(part, tx);
        if (part->tx_count == TXS_AT_ONCE)
            fill_txs(part);
    }
    fill_txs(part);
    fill_attributes(part);
}

/* Divides the transactions into equal parts. */
static void divide(const filling *all, filled_part *parts, size_t count)
{
    const ftr_kept_transactions *kept = all->kept;
    size_t place = 0, attribute = 0;
    for (size_t i = 0; i < count; i++) {
        filled_part *part = &parts[i];
        part->all = all;
        part->next = place;
        part->end = i + 1 < count ? kept->count / count * (i + 1) : kept->count;
        part->attribute = attribute;
        if (place > 0) {
            const ftr_kept_tx *before = &kept->txs[kept->order[place - 1]];
            part->id = before->id;
            part->begin = before->begin;
            part->attribute_first = (uint32_t)attribute - before->attribute_count;
        }
        for (; place < part->end && i + 1 < count; place++)
            attribute += kept->txs[kept->order[place]].attribute_count;
    }
}

/* The pieces of work: the search for relations, then the parts. */
typedef struct column_work {
    relation_search *search; /* NULL: already done */
    filled_part *parts;
} column_work;

static void work_on_piece(void *user, unsigned thread, size_t piece)
{
    const column_work *work = user;
    (void)thread;
    if (piece > 0)
        fill_part(&work->parts[piece - 1]);
    else if (work->search != NULL)
        find_relations(work->search);
}

/* Stores the values of all columns, and searches for relations at the same time. */
static ftr_status fill_and_search(const filling *all, unsigned threads, relation_search *search)
{
    const ftr_kept_transactions *kept = all->kept;
    const uint32_t attribute_count = (uint32_t)kept->attribute_count;
    column_work work = {.search = search};
    size_t count = 1;
    while (count < threads && count < PARTS_MAX && kept->count / count > TXS_AT_ONCE)
        count++;
    work.parts = all->block->failed ? NULL : calloc(count, sizeof *work.parts);
    if (work.parts == NULL)
        return FTR_ERR_MEMORY;
    divide(all, work.parts, count);
    if (!is_known(search->all)) { /* only the calling thread may use the reader */
        find_relations(search);
        work.search = NULL;
    }
    ftr_parallel_for(1 + count, threads, work_on_piece, &work);
    ftr_data_block_fill(all->block, &all->columns.attribute_first, kept->count,
                        FTR_DATA_ARRAY(&attribute_count, 1), work.parts[count - 1].attribute_first);
    free(work.parts);
    return search->status;
}

static ftr_status print_all(const ftr_kept_transactions *kept, const uint32_t *numbers,
                            relation_search *search, unsigned threads, ftr_data_block *block,
                            ftr_json *json)
{
    filling all = {.kept = kept, .numbers = numbers, .block = block};
    ftr_json_open(json, "transactions", '{');
    ftr_json_bool(json, "complete", ftr_kept_is_complete(kept));
    ftr_json_count(json, "count", kept->count);
    ftr_json_count(json, "of", kept->offered);
    print_selection(kept, json);
    reserve_columns(kept, block, json, &all.columns);
    ftr_status status = fill_and_search(&all, threads, search);
    if (status != FTR_OK)
        return status;
    print_relations(&search->found, kept->texts.count, block, json);
    status = print_texts(&kept->texts, &search->names, block, json);
    ftr_json_close(json, '}');
    return status == FTR_OK && block->failed ? FTR_ERR_MEMORY : status;
}

ftr_status ftr_kept_print(const ftr_kept_transactions *kept, const ftr_run_relations *all,
                          const uint32_t *numbers, unsigned threads, ftr_data_block *block,
                          ftr_json *json)
{
    relation_search search = {.kept = kept, .all = all};
    const ftr_status status = print_all(kept, numbers, &search, threads, block, json);
    free(search.found.of);
    ftr_names_release(&search.names);
    return status;
}
