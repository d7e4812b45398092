/* Checks chunks on several threads. Each thread checks whole chunks, and collects facts about them
 * with the functions of check_transactions.c. The calling thread takes the chunks in file order and
 * compares their facts with the facts of earlier chunks. If a chunk has a finding, or contradicts
 * an earlier fact, the calling thread checks this chunk again and reports the finding. */

#include "check_state.h"
#include "read_ahead.h"

#include <stdlib.h>

struct ftr_check_ahead {
    const ftr_check *check; /* the check of the calling thread */
    /* true: checks the chunks of relations; false: checks the chunks of transactions */
    bool relations;
    ftr_check *threads; /* the check of each thread */
    unsigned thread_count;
    ftr_chosen_ahead chunks;
};

/* ---- on any thread --------------------------------------------------------------------------- */

static ftr_status read_chunk(void *user, unsigned number, ftr_reader *view, ftr_chunk *chunk,
                             uint32_t index, const ftr_content *content, ftr_chunk_entries *entries)
{
    const ftr_check_ahead *ahead = user;
    ftr_check *check = &ahead->threads[number];
    if (check->reader == NULL) {
        ftr_id_map streams = {0};
        if (ahead->relations && ftr_id_map_view(&ahead->check->streams, &streams) != FTR_OK)
            return FTR_ERR_MEMORY;
        check->reader = view;
        check->numbering_reported = true; /* only the calling thread reports the numbering */
        ftr_check_transactions_init(check);
        if (ahead->relations) {
            /* All transactions are known, so the map does not change any more. */
            check->streams = streams;
            check->ids_untracked = ahead->check->ids_untracked;
        } else
            ftr_check_web_init(check);
    }
    check->facts = ahead->relations ? NULL : &entries->prepared;
    check->chunk = chunk;
    check->index = index;
    check->bytes = content->bytes;
    check->size = content->size;
    if (ahead->relations) {
        ftr_check_relations(check);
        return FTR_OK;
    }
    const ftr_status status = ftr_check_transactions(check);
    return entries->prepared.failed ? FTR_ERR_MEMORY : status;
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static bool is_checked(void *user, const ftr_chunk *chunk)
{
    ftr_check_ahead *ahead = user;
    return ahead->relations ? chunk->kind == FTR_CHUNK_RELATIONS
                            : ftr_selection_may_include(&ahead->chunks.selection, chunk);
}

ftr_check_ahead *ftr_check_ahead_create(ftr_check *check, bool relations)
{
    ftr_check_ahead *ahead = check->reader->threads > 1 ? calloc(1, sizeof *ahead) : NULL;
    if (ahead == NULL)
        return NULL;
    ahead->check = check;
    ahead->relations = relations;
    ahead->thread_count = check->reader->threads;
    ahead->threads = calloc(ahead->thread_count, sizeof *ahead->threads);
    if (ahead->threads == NULL) {
        free(ahead);
        return NULL;
    }
    const ftr_ahead_reader how = {read_chunk, ahead};
    if (ftr_chosen_ahead_start(&ahead->chunks, check->reader, is_checked, ahead, 0, &how))
        return ahead;
    ftr_check_ahead_destroy(ahead);
    return NULL;
}

void ftr_check_ahead_destroy(ftr_check_ahead *ahead)
{
    if (ahead == NULL)
        return;
    /* The threads end first. Their views are destroyed last, because the budgets of the views count
     * the memory of the checks. */
    ftr_read_ahead_stop(ahead->chunks.read);
    for (unsigned i = 0; i < ahead->thread_count; i++) {
        ftr_check *check = &ahead->threads[i];
        if (check->reader == NULL)
            continue;
        ftr_check_web_release(check);
        ftr_id_map_end_view(&check->streams);
        ftr_id_index_release(&check->names, &check->reader->budget);
    }
    ftr_chosen_ahead_release(&ahead->chunks);
    free(ahead->threads);
    free(ahead);
}

static ftr_id_run run_of(const ftr_check_fact *fact)
{
    return (ftr_id_run){fact->id, (const uint16_t *)(fact + 1), fact->count, (uint32_t)fact->value};
}

static const ftr_check_fact *next_fact(const ftr_check_fact *fact)
{
    return (const ftr_check_fact *)((const char *)(fact + 1) + ftr_check_fact_ids(fact));
}

/* Returns false if @p use differs from the first use of the name, or cannot be stored. */
static bool store_name(ftr_check *check, uint64_t name, uint64_t use)
{
    const uint64_t known = ftr_id_index_get(&check->names, name);
    return known == use ||
           (known == FTR_ID_NONE &&
            ftr_id_index_put(&check->names, &check->reader->budget, name, use) == FTR_OK);
}

/* Stores a fact. Returns false if the fact contradicts an earlier fact, or if memory is exhausted.
 * @param[out] put number of transactions that were stored */
static bool store_fact(ftr_check *check, const ftr_check_fact *fact, size_t *put)
{
    const ftr_id_run run = run_of(fact);
    *put = 0;
    if (fact->kind == FTR_FACT_NAME)
        return check->names_unused || store_name(check, fact->id, fact->value);
    if (fact->kind == FTR_FACT_GENERATOR)
        ftr_check_web_use(check, (uint32_t)fact->id);
    else if (!check->ids_untracked)
        *put = ftr_id_map_put_new(&check->streams, &run);
    return check->ids_untracked || *put == run.count;
}

/* Stores all facts of a chunk. If one of them contradicts an earlier fact or cannot be stored,
 * removes the stored transactions again and returns false. Also returns false if the reader ignores
 * the declared times of the chunk. */
static bool store_facts(ftr_check *check, const ftr_prepared *facts)
{
    if (facts->size == 0 || check->chunk->inverted_range)
        return !check->chunk->inverted_range;
    const ftr_check_fact *first = (const ftr_check_fact *)facts->bytes;
    const ftr_check_fact *end = (const ftr_check_fact *)(facts->bytes + facts->size);
    const ftr_check_fact *fact = first;
    size_t put = 0;
    while (fact != end && store_fact(check, fact, &put))
        fact = next_fact(fact);
    if (fact == end)
        return true;
    /* Removes the stored transactions. Stored names remain, because the second check of the chunk
     * stores the same values. */
    for (const ftr_check_fact *stored = first; stored != next_fact(fact) && !check->ids_untracked;
         stored = next_fact(stored)) {
        const ftr_id_run run = run_of(stored);
        if (stored->kind == FTR_FACT_TX &&
            !ftr_id_map_remove(&check->streams, &run, stored == fact ? put : run.count))
            ftr_check_stop_ids(check, NULL);
    }
    return false;
}

/* Checks a chunk. Returns true if there is no finding and the facts of the chunk contradict no
 * earlier facts. */
static bool check_content(ftr_check *check, const ftr_content *content)
{
    ftr_findings *findings = &check->reader->findings;
    const ftr_findings before = *findings;
    ftr_prepared facts = {0};
    ftr_status status = FTR_OK;
    *findings = (ftr_findings){.ignored = before.ignored};
    check->bytes = content->bytes;
    check->size = content->size;
    switch (check->chunk->kind) {
    case FTR_CHUNK_DICTIONARY:
        ftr_check_dictionary(check);
        break;
    case FTR_CHUNK_DIRECTORY:
        ftr_check_directory(check);
        break;
    case FTR_CHUNK_RELATIONS:
        ftr_check_relations(check);
        break;
    default:
        check->facts = &facts;
        status = ftr_check_transactions(check);
        check->facts = NULL;
    }
    const bool well = status == FTR_OK && findings->count == 0 && !facts.failed;
    *findings = before;
    const bool is_stored = well && store_facts(check, &facts);
    free(facts.bytes);
    return is_stored;
}

bool ftr_check_here(ftr_check *check)
{
    ftr_chunk_cache *cache = &check->reader->cache;
    ftr_content *content;
    if (ftr_chunk_cache_pin(cache, check->chunk, &content) != FTR_OK)
        return false;
    const bool well = check_content(check, content);
    ftr_chunk_cache_unpin(cache, content);
    return well;
}

bool ftr_check_ahead_take(ftr_check_ahead *ahead, ftr_check *check)
{
    ftr_chunk_ahead taken;
    if (!ftr_read_ahead_take(ahead->chunks.read, check->index, &taken))
        return false;
    const bool is_numbering_new = check->reader->numbering == FTR_NUMBERING_SPEC &&
                                  check->reader->numbering_known && !check->numbering_reported;
    const bool well = !is_numbering_new && store_facts(check, &taken.entries.prepared);
    ftr_chunk_ahead_release(&taken); /* the read-ahead may have been destroyed for lack of memory */
    return well;
}
