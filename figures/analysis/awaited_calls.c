/* The table of calls with an expected second transaction. */
#include "awaited_calls.h"

#include "open_table.h"

#define CAPACITY_MIN 256
#define LIMIT_MIN 1024

static bool is_free(const void *call)
{
    return !((const ftr_awaited_call *)call)->is_used;
}

static bool has_key(const void *call, const void *key)
{
    return memcmp(call, key, sizeof(ftr_awaited_key)) == 0;
}

static uint64_t hash_key(const ftr_awaited_key *key)
{
    uint64_t hash = FTR_HASH_SEED;
    const uint64_t parts[] = {key->link, key->command, key->begin,
                              key->end,  key->address, key->length};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hash = ftr_hash_mix(hash, parts[i]);
    return hash;
}

static uint64_t hash_call(const void *call)
{
    return hash_key(&((const ftr_awaited_call *)call)->key);
}

static const ftr_table_rule RULE = {sizeof(ftr_awaited_call), 0, is_free, has_key, hash_call};

/* Removes the calls without a second transaction in the trace. The table is rebuilt, because a
 * removal in a loop over the table would move calls that the loop has not reached. */
static bool remove_late(ftr_awaited_calls *awaited, uint64_t now)
{
    if (awaited->capacity == 0)
        return true;
    for (size_t i = 0; i < awaited->capacity; i++) {
        ftr_awaited_call *call = &awaited->calls[i];
        if (call->is_used && call->last < now) {
            call->is_used = false;
            awaited->count--;
        }
    }
    awaited->limit = 2 * awaited->count > LIMIT_MIN ? 2 * awaited->count : LIMIT_MIN;
    return ftr_table_resize(&RULE, &awaited->calls, &awaited->capacity, awaited->capacity);
}

bool ftr_awaited_add(ftr_awaited_calls *awaited, const ftr_awaited_call *call, uint64_t now)
{
    if (awaited->limit == 0)
        awaited->limit = LIMIT_MIN;
    if (awaited->count >= awaited->limit && !remove_late(awaited, now))
        return false;
    if (!ftr_table_grow(&RULE, &awaited->calls, &awaited->capacity, awaited->count, CAPACITY_MIN))
        return false;
    ftr_awaited_call *slot =
        ftr_table_search(&RULE, awaited->calls, awaited->capacity, hash_key(&call->key), NULL);
    *slot = *call;
    slot->is_used = true;
    awaited->count++;
    return true;
}

ftr_awaited_call *ftr_awaited_find(const ftr_awaited_calls *awaited, const ftr_awaited_key *key)
{
    if (awaited->count == 0)
        return NULL;
    ftr_awaited_call *slot =
        ftr_table_search(&RULE, awaited->calls, awaited->capacity, hash_key(key), key);
    return slot->is_used ? slot : NULL;
}

void ftr_awaited_remove(ftr_awaited_calls *awaited, ftr_awaited_call *call)
{
    ftr_table_remove(&RULE, awaited->calls, awaited->capacity, call);
    awaited->count--;
}

void ftr_awaited_release(ftr_awaited_calls *awaited)
{
    free(awaited->calls);
    *awaited = (ftr_awaited_calls){0};
}
