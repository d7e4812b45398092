/* Chooses the whole transactions, and limits their memory. kept_columns.c packs them. */
#include "kept_transactions.h"

#include "growing_array.h"
#include "report_attributes.h"

#include <string.h>

/* Maximum number of transactions that are kept because of an error, for each generator and in
 * total. The same limits apply to unfinished transactions. */
#define DEFECTS_OF_GENERATOR 500u
#define DEFECTS_MAX 20000u
#define MISSED_MAX 65536u
/* Number of kept transactions after which the memory of all transactions is estimated. The sample
 * is reduced if the estimate exceeds ESTIMATE_MARGIN times the limit. */
#define ESTIMATED_AFTER 4096u
#define ESTIMATE_MARGIN 1.25
/* Memory of a text in addition to its bytes. */
#define TEXT_COST 96u

/* ---- the sample ------------------------------------------------------------------------------ */

uint64_t ftr_kept_threshold(const ftr_kept_transactions *kept)
{
    return atomic_load_explicit(&kept->bounds.threshold, memory_order_relaxed);
}

static void set_threshold(ftr_kept_transactions *kept, uint64_t threshold)
{
    atomic_store_explicit(&kept->bounds.threshold, threshold, memory_order_relaxed);
}

/* Returns the threshold with which about @p part of the sampled families remain in the sample. */
static uint64_t smaller(uint64_t threshold, double part)
{
    return (uint64_t)((double)threshold * part * (1 - 1e-9));
}

/* Returns the least memory that transactions need if they take this number of bytes in chunks. */
#define MEMORY_OF_BYTES(bytes) ((bytes) + (bytes) / 2)

ftr_status ftr_kept_init(ftr_kept_transactions *kept, ftr_reader *reader, size_t memory,
                         uint64_t expected)
{
    uint64_t threshold = UINT64_MAX;
    *kept = (ftr_kept_transactions){.reader = reader, .memory = memory, .expected = expected};
    if (!ftr_kept_bounds_init(&kept->bounds, ftr_reader_generator_count(reader)))
        return FTR_ERR_MEMORY;
    for (uint64_t part = MEMORY_OF_BYTES(expected); part / 2 > memory; part /= 2)
        threshold = smaller(threshold, 0.5);
    set_threshold(kept, threshold);
    return FTR_OK;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Stores a text and sets *number to the number of the text. @return false if out of memory */
static bool take_text(ftr_kept_transactions *kept, const char *text, size_t size, uint32_t *number)
{
    char cut[FTR_KEPT_TEXT_ROOM];
    const ftr_view shown = ftr_kept_text((ftr_view){text, size}, cut);
    const size_t before = kept->texts.count;
    const ftr_name *name = ftr_names_intern(&kept->texts, shown.data, shown.size);
    if (name == NULL)
        return false;
    if (kept->texts.count > before)
        kept->text_size += shown.size + TEXT_COST;
    *number = (uint32_t)name->number;
    return true;
}

/* Like take_text(), with a cache. @param id id of the text in the reader */
static bool take_known(ftr_kept_transactions *kept, ftr_known_text *cache, uint64_t id,
                       ftr_view text, uint32_t *number)
{
    ftr_known_text *known = &cache[id % FTR_KEPT_NAMES];
    const bool is_in_dictionary = id != UINT64_MAX; /* otherwise, the text is in the attribute */
    if (!is_in_dictionary || !known->is_known || known->id != id) {
        known->is_known = false;
        if (!take_text(kept, text.data, text.size, &known->number))
            return false;
        known->is_known = true;
        known->id = id;
    }
    *number = known->number;
    return true;
}

static bool take_value(ftr_kept_transactions *kept, const ftr_attribute_value *from,
                       ftr_kept_attribute *to)
{
    uint32_t text = FTR_KEPT_NO_TEXT;
    switch (from->form) {
    case FTR_FORM_BOOLEAN:
        to->form = FTR_KEPT_BOOLEAN;
        to->value = from->as.boolean;
        return true;
    case FTR_FORM_INTEGER:
        to->form = FTR_KEPT_INTEGER;
        to->value = (uint64_t)from->as.integer;
        return true;
    case FTR_FORM_NUMBER:
        to->form = FTR_KEPT_NUMBER;
        to->value = from->as.number;
        return true;
    case FTR_FORM_REAL:
        to->form = from->real_size == sizeof(double) ? FTR_KEPT_DOUBLE : FTR_KEPT_SINGLE;
        memcpy(&to->value, &from->as.real, sizeof to->value);
        return true;
    case FTR_FORM_TEXT:
        to->form = FTR_KEPT_TEXT;
        if (from->as.text.data != NULL &&
            !take_known(kept, kept->values, from->text_id, from->as.text, &text))
            return false;
        to->value = text;
        return true;
    default:
        to->form = FTR_KEPT_NONE;
        return true;
    }
}

static bool take_name(ftr_kept_transactions *kept, const ftr_attribute_value *from,
                      uint32_t *number)
{
    return from->name.data != NULL
               ? take_known(kept, kept->names, from->name_id, from->name, number)
               : take_text(kept, "?", 1, number);
}

static bool take_attribute(ftr_kept_transactions *kept, const ftr_attribute_value *from)
{
    ftr_kept_attribute attribute = {.class_ = (uint8_t)from->class_, .type = (uint8_t)from->type};
    if (!ftr_array_grow(&kept->attributes, &kept->attribute_capacity, kept->attribute_count,
                        sizeof *kept->attributes) ||
        !take_name(kept, from, &attribute.name) || !take_value(kept, from, &attribute))
        return false;
    kept->encoded += from->size;
    kept->attributes[kept->attribute_count++] = attribute;
    return true;
}

static bool take_copied(ftr_kept_transactions *kept, const ftr_offered_tx *tx, ftr_kept_tx *to)
{
    const void *next = tx->attributes;
    ftr_attribute_value from;
    to->attribute_first = (uint32_t)kept->attribute_count;
    while (next != tx->attributes_end) {
        next = ftr_copied_attributes_next(next, &from);
        if (!take_attribute(kept, &from))
            return false;
    }
    to->attribute_count = (uint32_t)kept->attribute_count - to->attribute_first;
    return true;
}

static bool take_attributes(ftr_kept_transactions *kept, ftr_transaction *tx, ftr_kept_tx *to)
{
    ftr_attribute_value from;
    to->attribute_first = (uint32_t)kept->attribute_count;
    while (ftr_reader_next_attribute(kept->reader, tx, &from))
        if (!take_attribute(kept, &from))
            return false;
    to->attribute_count = (uint32_t)kept->attribute_count - to->attribute_first;
    return true;
}

/* ---- the selection --------------------------------------------------------------------------- */

static ftr_kept_generator *generator_of(ftr_kept_transactions *kept, size_t number)
{
    return ftr_array_reach(&kept->generators, &kept->generator_count, number,
                           sizeof *kept->generators)
               ? &kept->generators[number]
               : NULL;
}

static bool is_among(const ftr_slowest *slowest, uint64_t id, uint64_t latency)
{
    if (slowest->count == 0 || latency < slowest->of[slowest->count - 1].latency)
        return false;
    for (unsigned i = 0; i < slowest->count; i++)
        if (slowest->of[i].id == id && slowest->of[i].latency == latency)
            return true;
    return false;
}

static bool is_slow(ftr_kept_generator *generator, const ftr_report_tx *tx)
{
    if (tx->unfinished)
        return false;
    const ftr_slow_tx slow = {tx->end - tx->begin, tx->begin, tx->id};
    const ftr_slowest *slowest = &generator->slowest;
    /* Often many transactions have the greatest latency. The first of them are kept, so that the
     * bounds exclude the others. */
    if (slowest->count == FTR_SLOWEST_MAX &&
        slow.latency <= slowest->of[FTR_SLOWEST_MAX - 1].latency)
        return false;
    return ftr_slowest_add(&generator->slowest, &slow) && is_among(slowest, tx->id, slow.latency);
}

/* Sets a flag that reading threads test. Stores a value only if it differs, because each store
 * evicts the flag from the caches of the processors that run these threads. */
static void set_flag(atomic_bool *flag, bool value)
{
    if (value != atomic_load_explicit(flag, memory_order_relaxed))
        atomic_store_explicit(flag, value, memory_order_relaxed);
}

/* Updates the bounds of a generator after a transaction was kept, so that the reading threads skip
 * transactions that can no longer be kept. */
static void narrow(ftr_kept_bounds *bounds, uint32_t index, const ftr_kept_transactions *kept,
                   const ftr_kept_generator *generator)
{
    const ftr_slowest *slowest = &generator->slowest;
    uint64_t slow = 0;
    if (slowest->count == FTR_SLOWEST_MAX)
        slow = slowest->of[FTR_SLOWEST_MAX - 1].latency;
    if (slowest->count == FTR_SLOWEST_MAX && slow < UINT64_MAX)
        slow++;
    if (index >= bounds->count)
        return;
    ftr_generator_bounds *of = &bounds->of[index];
    if (slow != atomic_load_explicit(&of->slow, memory_order_relaxed))
        atomic_store_explicit(&of->slow, slow, memory_order_relaxed);
    set_flag(&of->all_errors,
             generator->errors >= DEFECTS_OF_GENERATOR || kept->errors >= DEFECTS_MAX);
    set_flag(&of->all_unfinished,
             generator->unfinished >= DEFECTS_OF_GENERATOR || kept->unfinished >= DEFECTS_MAX);
}

/* If a transaction has a @p defect, and the limits are not reached, counts the transaction and
 * returns true. Otherwise, it is not kept because of this defect. */
static bool is_first(bool defect, uint32_t *of_generator, uint64_t *in_all)
{
    if (!defect || *of_generator >= DEFECTS_OF_GENERATOR || *in_all >= DEFECTS_MAX)
        return false;
    *of_generator += 1;
    *in_all += 1;
    return true;
}

static uint8_t reasons_of(ftr_kept_transactions *kept, ftr_kept_generator *generator,
                          const ftr_report_tx *tx, const ftr_family_member *family, uint64_t hash)
{
    unsigned reasons = 0;
    if (is_slow(generator, tx))
        reasons |= FTR_KEPT_SLOWEST;
    if (is_first(tx->error, &generator->errors, &kept->errors))
        reasons |= FTR_KEPT_ERROR;
    if (is_first(tx->unfinished, &generator->unfinished, &kept->unfinished))
        reasons |= FTR_KEPT_UNFINISHED;
    if (family->parent != NULL && family->parent->is_followed)
        reasons |= FTR_KEPT_RELATIVE;
    if (hash <= ftr_kept_threshold(kept))
        reasons |= FTR_KEPT_SAMPLE;
    return (uint8_t)reasons;
}

/* Collects the ids of the slowest transactions of all generators. */
static ftr_status find_slow(const ftr_kept_transactions *kept, ftr_id_index *slow,
                            ftr_budget *budget)
{
    ftr_status status = FTR_OK;
    for (size_t g = 0; g < kept->generator_count; g++)
        for (unsigned i = 0; status == FTR_OK && i < kept->generators[g].slowest.count; i++)
            status = ftr_id_index_put(slow, budget, kept->generators[g].slowest.of[i].id, 1);
    return status;
}

/* If a transaction is no longer among the slowest, its relatives are not needed: removes them from
 * the list of missed transactions. */
static bool remove_missed(ftr_kept_transactions *kept)
{
    ftr_budget budget = {.limit = SIZE_MAX};
    ftr_id_index slow = {0};
    const bool ok = find_slow(kept, &slow, &budget) == FTR_OK;
    size_t count = 0;
    for (size_t i = 0; ok && i < kept->missed_count; i++)
        if (ftr_id_index_get(&slow, kept->missed[i].slow) != FTR_ID_NONE)
            kept->missed[count++] = kept->missed[i];
    ftr_id_index_release(&slow, &budget);
    kept->is_missing_all = ok && count > MISSED_MAX / 2;
    kept->missed_count = ok ? count : kept->missed_count;
    return ok;
}

static bool miss(ftr_kept_transactions *kept, const ftr_missed_tx *missed)
{
    if (kept->missed_count == MISSED_MAX && !kept->is_missing_all && !remove_missed(kept))
        return false;
    if (kept->missed_count == MISSED_MAX)
        return true;
    if (!ftr_array_grow(&kept->missed, &kept->missed_capacity, kept->missed_count,
                        sizeof *kept->missed))
        return false;
    kept->missed[kept->missed_count++] = *missed;
    return true;
}

/* Stores the relatives of a transaction. If the transaction is slow, its parent and its children
 * are relatives. If it is a relative itself, its children are relatives, too. */
static bool follow(ftr_kept_transactions *kept, const ftr_kept_tx *tx,
                   const ftr_family_member *family)
{
    const bool slow = (tx->reasons & FTR_KEPT_SLOWEST) != 0;
    bool ok = true;
    if (family->self != NULL && (tx->reasons & (FTR_KEPT_SLOWEST | FTR_KEPT_RELATIVE)) != 0) {
        family->self->is_followed = true;
        family->self->slow = slow ? tx->id : tx->slow;
        for (size_t i = 0; ok && i < family->earlier_count; i++) {
            const ftr_waiting_child *child = &family->earlier[i];
            const ftr_missed_tx missed = {child->position, child->tx, child->parent,
                                          family->self->slow};
            ok = miss(kept, &missed);
        }
    }
    if (!ok || !slow || family->parent == NULL)
        return ok;
    const ftr_open_parent *parent = family->parent;
    const ftr_missed_tx missed = {parent->position, parent->tx, parent->root, tx->id};
    return miss(kept, &missed);
}

static size_t memory_of(const ftr_kept_transactions *kept)
{
    return kept->count * sizeof *kept->txs + kept->attribute_count * sizeof *kept->attributes +
           kept->text_size;
}

static ftr_kept_tx kept_of(const ftr_report_tx *tx, uint64_t root, ftr_kept_parentage parentage)
{
    return (ftr_kept_tx){.id = tx->id,
                         .begin = tx->begin,
                         .duration = tx->end - tx->begin,
                         .family = ftr_family_hash(root),
                         .generator = (uint32_t)tx->generator,
                         .error = tx->error,
                         .unfinished = tx->unfinished,
                         .parentage = (uint8_t)parentage};
}

/* Returns true if the transaction must be fetched from the file later. This includes relatives that
 * are selected for no other reason, because their attributes are usually not copied. */
static bool is_fetched(const ftr_kept_tx *added, const ftr_offered_tx *tx)
{
    return added->reasons == FTR_KEPT_RELATIVE || !tx->has_attributes;
}

/* Returns the greatest size of a transaction in its chunk, without attributes, in bytes. */
static unsigned head_size(const ftr_kept_tx *tx)
{
    const uint64_t numbers[] = {tx->id, tx->begin, tx->begin + tx->duration};
    unsigned size = 3 + 9; /* arrays, a tag, and the generator */
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        size += numbers[i] > UINT32_MAX ? 9 : numbers[i] > UINT16_MAX ? 5 : 3;
    return size;
}

/* Reduces the sample if its estimated final size exceeds the memory. Otherwise, most sampled
 * transactions would first be copied and later be removed. The final size is estimated: the
 * memory for each byte of the trace that was read, times the expected bytes of the trace, times the
 * sampled part. */
static ftr_status reduce_early(ftr_kept_transactions *kept)
{
    const double memory = (double)(memory_of(kept) - kept->text_size);
    const double part = (double)ftr_kept_threshold(kept) / (double)UINT64_MAX;
    double all = memory / (double)kept->encoded * (double)kept->expected * part;
    ftr_status status = FTR_OK;
    kept->is_estimated = true;
    /* If all transactions may fit, none is removed because of an estimate. */
    if (part >= 1)
        return FTR_OK;
    for (; status == FTR_OK && all > ESTIMATE_MARGIN * (double)kept->memory; all /= 2)
        status = ftr_kept_reduce(kept, 0.5);
    return status;
}

ftr_status ftr_kept_offer(ftr_kept_transactions *kept, const ftr_offered_tx *tx,
                          const ftr_family_member *family)
{
    const ftr_report_tx *figures = &tx->figures;
    ftr_kept_generator *generator = generator_of(kept, figures->generator);
    if (generator == NULL)
        return FTR_ERR_MEMORY;
    ftr_kept_tx added = kept_of(figures, family->root, FTR_KEPT_NO_PARENT);
    kept->offered++;
    if (tx->entry != NULL && tx->entry->has_parent) {
        added.parentage = FTR_KEPT_PARENT_KNOWN;
        added.parent = tx->entry->parent;
    }
    added.slow = family->parent != NULL ? family->parent->slow : 0;
    added.reasons = reasons_of(kept, generator, figures, family, added.family);
    if (added.reasons == 0)
        return FTR_OK;
    narrow(&kept->bounds, tx->generator, kept, generator);
    if (!follow(kept, &added, family))
        return FTR_ERR_MEMORY;
    if (is_fetched(&added, tx)) {
        const ftr_missed_tx missed = {tx->position, *figures, family->root, added.slow};
        return miss(kept, &missed) ? FTR_OK : FTR_ERR_MEMORY;
    }
    if (!take_copied(kept, tx, &added) ||
        !ftr_array_grow(&kept->txs, &kept->capacity, kept->count, sizeof *kept->txs))
        return FTR_ERR_MEMORY;
    kept->txs[kept->count++] = added;
    kept->encoded += head_size(&added);
    if (kept->count == ESTIMATED_AFTER && !kept->is_estimated && reduce_early(kept) != FTR_OK)
        return FTR_ERR_MEMORY;
    while (memory_of(kept) > kept->memory && ftr_kept_threshold(kept) > 0)
        if (ftr_kept_reduce(kept, 0.5) != FTR_OK)
            return FTR_ERR_MEMORY;
    return FTR_OK;
}

/* ---- a smaller sample ------------------------------------------------------------------------ */

/* Texts before they are interned again, and their new numbers. A text that was not yet interned
 * again has the number FTR_KEPT_NO_TEXT. */
typedef struct old_texts {
    ftr_names names;
    uint32_t *renewed;
} old_texts;

/* Interns an old text again, unless this was already done for an earlier attribute. @return false
 * if out of memory */
static inline bool renew_text(ftr_kept_transactions *kept, const old_texts *old, uint32_t *number)
{
    uint32_t *renewed = &old->renewed[*number];
    if (*renewed == FTR_KEPT_NO_TEXT) {
        const ftr_name *name = old->names.names[*number];
        if (!take_text(kept, name->text, name->size, renewed))
            return false;
    }
    *number = *renewed;
    return true;
}

/* Interns the texts of the kept attributes again, so that unused texts disappear. */
static bool renew_texts(ftr_kept_transactions *kept)
{
    old_texts old = {kept->texts, malloc((kept->texts.count + 1) * sizeof *old.renewed)};
    bool ok = old.renewed != NULL;
    if (!ok)
        return false;
    memset(old.renewed, 0xff, kept->texts.count * sizeof *old.renewed);
    kept->texts = (ftr_names){0};
    kept->text_size = 0;
    memset(kept->names, 0, sizeof kept->names);
    memset(kept->values, 0, sizeof kept->values);
    for (size_t i = 0; ok && i < kept->attribute_count; i++) {
        ftr_kept_attribute *attribute = &kept->attributes[i];
        uint32_t value = (uint32_t)attribute->value;
        ok = renew_text(kept, &old, &attribute->name);
        if (!ok || attribute->form != FTR_KEPT_TEXT || value == FTR_KEPT_NO_TEXT)
            continue;
        ok = renew_text(kept, &old, &value);
        attribute->value = value;
    }
    ftr_names_release(&old.names);
    free(old.renewed);
    return ok;
}

/* Removes transactions without a reason to keep them, and their attributes. */
static void remove_idle(ftr_kept_transactions *kept)
{
    size_t count = 0, attributes = 0;
    for (size_t i = 0; i < kept->count; i++) {
        ftr_kept_tx tx = kept->txs[i];
        if (tx.reasons == 0)
            continue;
        if (attributes < tx.attribute_first)
            memmove(kept->attributes + attributes, kept->attributes + tx.attribute_first,
                    tx.attribute_count * sizeof *kept->attributes);
        tx.attribute_first = (uint32_t)attributes;
        attributes += tx.attribute_count;
        kept->txs[count++] = tx;
    }
    kept->count = count;
    kept->attribute_count = attributes;
}

/* Computes the order of begin. `txs` is in another order for two reasons: fetched transactions are
 * at the end; and if there are no families, the transactions of one stream are read together. */
static ftr_status arrange(ftr_kept_transactions *kept)
{
    ftr_tx_key *keys = malloc((2 * kept->count + 1) * sizeof *keys);
    free(kept->order);
    kept->order = malloc((kept->count + 1) * sizeof *kept->order);
    if (keys == NULL || kept->order == NULL) {
        free(keys);
        return FTR_ERR_MEMORY;
    }
    for (size_t i = 0; i < kept->count; i++)
        keys[i] = (ftr_tx_key){kept->txs[i].begin, i};
    const ftr_tx_key *sorted = ftr_tx_keys_sort(keys, kept->count, keys + kept->count);
    for (size_t i = 0; i < kept->count; i++)
        kept->order[i] = (uint32_t)sorted[i].index;
    free(keys);
    return FTR_OK;
}

ftr_status ftr_kept_reduce(ftr_kept_transactions *kept, double part)
{
    const uint64_t threshold = smaller(ftr_kept_threshold(kept), part);
    set_threshold(kept, threshold);
    for (size_t i = 0; i < kept->count; i++) {
        ftr_kept_tx *tx = &kept->txs[i];
        const ftr_slowest *slowest = &kept->generators[tx->generator].slowest;
        if (tx->family > threshold)
            tx->reasons &= (uint8_t)~FTR_KEPT_SAMPLE;
        if (!is_among(slowest, tx->id, tx->duration))
            tx->reasons &= (uint8_t)~FTR_KEPT_SLOWEST;
    }
    remove_idle(kept);
    if (!renew_texts(kept))
        return FTR_ERR_MEMORY;
    return kept->order != NULL ? arrange(kept) : FTR_OK;
}

/* ---- relatives ------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const ftr_tx_position *x = &((const ftr_missed_tx *)a)->position;
    const ftr_tx_position *y = &((const ftr_missed_tx *)b)->position;
    if (x->chunk_offset != y->chunk_offset)
        return x->chunk_offset < y->chunk_offset ? -1 : 1;
    return (x->chunk_within > y->chunk_within) - (x->chunk_within < y->chunk_within);
}

/* The value in the index of index_missed() that marks a missed transaction as not kept. */
#define NOT_KEPT (FTR_ID_NONE - 1)

/* Fills an index from the ids of missed transactions to their places in `txs`, or to NOT_KEPT. */
static ftr_status index_missed(const ftr_kept_transactions *kept, ftr_id_index *ids,
                               ftr_budget *budget)
{
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < kept->missed_count; i++)
        status = ftr_id_index_put(ids, budget, kept->missed[i].tx.id, NOT_KEPT);
    for (size_t i = 0; status == FTR_OK && ids->count > 0 && i < kept->count; i++)
        if (ftr_id_index_get(ids, kept->txs[i].id) != FTR_ID_NONE)
            status = ftr_id_index_put(ids, budget, kept->txs[i].id, i);
    return status;
}

/* Adds a transaction with its attributes. */
static bool add_read(ftr_kept_transactions *kept, ftr_kept_tx *added, ftr_transaction *tx)
{
    if (!take_attributes(kept, tx, added) ||
        !ftr_array_grow(&kept->txs, &kept->capacity, kept->count, sizeof *kept->txs))
        return false;
    kept->txs[kept->count++] = *added;
    return true;
}

ftr_status ftr_kept_add(ftr_kept_transactions *kept, const ftr_report_tx *figures,
                        ftr_transaction *tx)
{
    ftr_kept_tx added = kept_of(figures, figures->id, FTR_KEPT_PARENT_UNKNOWN);
    added.reasons = FTR_KEPT_SAMPLE;
    kept->offered++;
    return generator_of(kept, figures->generator) != NULL && add_read(kept, &added, tx)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

static ftr_status fetch(ftr_kept_transactions *kept, ftr_cursor *cursor,
                        const ftr_missed_tx *missed)
{
    ftr_transaction tx;
    const ftr_status status =
        ftr_cursor_seek(cursor, missed->position.chunk_offset, missed->position.chunk_within, &tx);
    if (status != FTR_OK)
        return status;
    ftr_kept_tx added = kept_of(&missed->tx, missed->root, FTR_KEPT_PARENT_UNKNOWN);
    added.slow = missed->slow;
    added.reasons = FTR_KEPT_RELATIVE;
    return add_read(kept, &added, &tx) ? FTR_OK : FTR_ERR_MEMORY;
}

/* Fetches those missed relatives that are not kept, in the order of their positions in the file. */
static ftr_status fetch_missed(ftr_kept_transactions *kept, const ftr_id_index *slow,
                               ftr_id_index *ids, ftr_budget *budget)
{
    const ftr_query all = {.size = sizeof all};
    ftr_cursor *cursor;
    if (kept->missed_count == 0)
        return FTR_OK;
    qsort(kept->missed, kept->missed_count, sizeof *kept->missed, compare_places);
    ftr_status status = ftr_cursor_open(kept->reader, &all, &cursor);
    if (status != FTR_OK)
        return status;
    for (size_t i = 0; status == FTR_OK && i < kept->missed_count; i++) {
        const ftr_missed_tx *missed = &kept->missed[i];
        if (ftr_id_index_get(slow, missed->slow) == FTR_ID_NONE)
            continue;
        const uint64_t at = ftr_id_index_get(ids, missed->tx.id);
        if (at != NOT_KEPT) {
            kept->txs[at].reasons |= FTR_KEPT_RELATIVE;
            kept->txs[at].slow = missed->slow;
            continue;
        }
        status = fetch(kept, cursor, missed);
        if (status == FTR_OK)
            status = ftr_id_index_put(ids, budget, missed->tx.id, kept->count - 1);
    }
    ftr_cursor_close(cursor);
    return status;
}

/* Removes the reasons SLOWEST and RELATIVE if they became invalid because slower transactions were
 * read later. */
static void correct_reasons(ftr_kept_transactions *kept, const ftr_id_index *slow)
{
    for (size_t i = 0; i < kept->count; i++) {
        ftr_kept_tx *tx = &kept->txs[i];
        if (!is_among(&kept->generators[tx->generator].slowest, tx->id, tx->duration))
            tx->reasons &= (uint8_t)~FTR_KEPT_SLOWEST;
        if ((tx->reasons & FTR_KEPT_RELATIVE) != 0 &&
            ftr_id_index_get(slow, tx->slow) == FTR_ID_NONE)
            tx->reasons &= (uint8_t)~FTR_KEPT_RELATIVE;
    }
}

ftr_status ftr_kept_settle(ftr_kept_transactions *kept)
{
    ftr_budget budget = {.limit = SIZE_MAX};
    ftr_id_index slow = {0}, ids = {0};
    ftr_status status = find_slow(kept, &slow, &budget);
    if (status == FTR_OK)
        status = index_missed(kept, &ids, &budget);
    if (status == FTR_OK)
        status = fetch_missed(kept, &slow, &ids, &budget);
    if (status == FTR_OK) {
        correct_reasons(kept, &slow);
        remove_idle(kept);
        status = arrange(kept);
    }
    ftr_id_index_release(&slow, &budget);
    ftr_id_index_release(&ids, &budget);
    return status;
}

/* ---- queries --------------------------------------------------------------------------------- */

bool ftr_kept_is_complete(const ftr_kept_transactions *kept)
{
    return kept->count == kept->offered;
}

double ftr_kept_sample(const ftr_kept_transactions *kept)
{
    const uint64_t threshold = ftr_kept_threshold(kept);
    return threshold > 0 ? (double)UINT64_MAX / (double)threshold : 0;
}

const ftr_slowest *ftr_kept_slowest(const ftr_kept_transactions *kept, size_t generator)
{
    static const ftr_slowest none;
    return generator < kept->generator_count ? &kept->generators[generator].slowest : &none;
}

void ftr_kept_release(ftr_kept_transactions *kept)
{
    free(kept->txs);
    free(kept->order);
    free(kept->attributes);
    ftr_names_release(&kept->texts);
    for (size_t i = 0; i < kept->generator_count; i++)
        free(kept->generators[i].slowest.of);
    free(kept->generators);
    free(kept->missed);
    ftr_kept_bounds_release(&kept->bounds);
    *kept = (ftr_kept_transactions){0};
}
