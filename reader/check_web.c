/* The rules of Surfer's build for web browsers. That build keeps the whole file in memory. It
 * does not expand compressed transactions. It applies a relation while it reads the transactions
 * stored after the relation, and again at the end. It shows two rows for a generator without
 * transactions. */
#include "check_state.h"

#include "usual_items.h"

#include <inttypes.h>
#include <stdlib.h>

void ftr_check_web_init(ftr_check *check)
{
    const size_t count = check->reader->directory.generator_count;
    if (count == 0 || !ftr_budget_reserve(&check->reader->budget, count))
        return;
    check->web.used = calloc(count, 1);
    check->web.used_count = count;
    if (check->web.used == NULL)
        ftr_check_web_release(check);
}

/* Reports that generators without transactions were not searched, if memory was not sufficient. */
static void say_not_checked(ftr_check *check)
{
    if (check->web.used == NULL && check->reader->directory.generator_count > 0)
        ftr_findings_add(&check->reader->findings, FTR_RULE_NOT_CHECKED, 0, 0,
                         "the memory budget is full: generators without transactions are not "
                         "listed; --memory sets the budget");
}

void ftr_check_web_release(ftr_check *check)
{
    ftr_budget_release(&check->reader->budget, check->web.used_count);
    free(check->web.used);
    check->web.used = NULL;
    check->web.used_count = 0;
}

void ftr_check_web_transactions(ftr_check *check)
{
    if (!check->chunk->compressed)
        return;
    if (check->web.compressed++ == 0)
        check->web.first_compressed = check->chunk->offset;
}

static bool is_early(const ftr_check *check, uint64_t tx)
{
    return ftr_id_map_get(&check->streams, tx) == 0;
}

void ftr_check_web_relations(ftr_check *check)
{
    ftr_cbor_reader r;
    uint64_t count;
    ftr_cbor_reader_init(&r, check->bytes, check->size);
    if (check->ids_untracked || ftr_cbor_get_array(&r, &count) != FTR_OK)
        return;
    while (ftr_cbor_next(&r, &count)) {
        uint64_t field[5];
        unsigned fields;
        if (ftr_relation_parse(&r, field, &fields) != FTR_OK)
            continue;
        const unsigned early = is_early(check, field[1]) + is_early(check, field[2]);
        if (early > 0 && check->web.early == 0)
            check->web.first_relations = check->chunk->offset;
        check->web.early += early;
    }
}

void ftr_check_web_use(ftr_check *check, uint32_t generator)
{
    if (generator >= check->web.used_count || check->web.used[generator] != 0)
        return;
    check->web.used[generator] = 1;
    if (check->facts != NULL)
        ftr_check_add_fact(check, (ftr_check_fact){FTR_FACT_GENERATOR, 0, generator, 0});
}

static void say_unused(ftr_check *check)
{
    const ftr_directory *directory = &check->reader->directory;
    for (size_t i = 0; i < check->web.used_count; i++) {
        const ftr_generator_entry *generator = directory->generators[i];
        const ftr_view name = generator->info.name;
        if (generator->info.defined && !check->web.used[i])
            ftr_findings_add(&check->reader->findings, FTR_RULE_WEB_UNUSED_GENERATOR,
                             generator->offset, 0,
                             "generator '%.*s' has no transaction: it is shown in two rows",
                             (int)(name.size < 200 ? name.size : 200), name.data);
    }
}

void ftr_check_web_end(ftr_check *check)
{
    const ftr_check_web *web = &check->web;
    say_not_checked(check);
    if (web->compressed > 0)
        ftr_findings_add(
            &check->reader->findings, FTR_RULE_WEB_COMPRESSED, web->first_compressed, 0,
            "%" PRIu64 " transaction chunks are compressed: none of their transactions "
            "are shown (record with FTR_COMPRESS=meta, or use 'ftr cut --compress "
            "meta')",
            web->compressed);
    if (!check->ids_untracked && web->early > web->absent)
        ftr_findings_add(
            &check->reader->findings, FTR_RULE_WEB_RELATION_ORDER, web->first_relations, 0,
            "%" PRIu64
            " relations are stored before one of their transactions, which shows them twice",
            web->early - web->absent);
    say_unused(check);
}
