/* Reads only the ids of the transactions and relations in chunks. */
#include "ids_ahead.h"

#include "cbor_reader.h"
#include "transaction_walk.h"
#include "usual_items.h"

#include <string.h>

/* Minimum number of chunks for which threads are started. */
#define CHUNKS_MIN 16u

/* ---- collecting ------------------------------------------------------------------------------ */

static bool collect_transactions(ftr_reader *reader, const ftr_content *content, ftr_id_cover *ids)
{
    ftr_tx_walk walk;
    ftr_tx_head head;
    ftr_status status;
    ftr_tx_walk_init(&walk, content->bytes, content->size, &reader->forms);
    while ((status = ftr_tx_walk_next(&walk, &head)) == FTR_OK)
        ftr_id_cover_add(ids, head.id);
    return status == FTR_ERR_END && ftr_cbor_reader_left(&walk.r) == 0;
}

static bool collect_relations(const ftr_content *content, ftr_id_cover *ids)
{
    ftr_cbor_reader r;
    uint64_t left = 0;
    uint64_t field[5];
    unsigned count;
    ftr_cbor_reader_init(&r, content->bytes, content->size);
    (void)ftr_cbor_get_array(&r, &left);
    while (ftr_cbor_next(&r, &left)) {
        if (ftr_relation_parse(&r, field, &count) != FTR_OK)
            return false;
        ftr_id_cover_add(ids, field[1]);
        ftr_id_cover_add(ids, field[2]);
    }
    return r.status == FTR_OK && ftr_cbor_reader_left(&r) == 0;
}

bool ftr_chunk_ids_collect(ftr_reader *reader, ftr_chunk_kind kind, const ftr_content *content,
                           ftr_id_cover *ids)
{
    *ids = ftr_id_cover_none;
    return kind == FTR_CHUNK_TRANSACTIONS ? collect_transactions(reader, content, ids)
                                          : collect_relations(content, ids);
}

/* ---- reading on several threads -------------------------------------------------------------- */

/* Collects the ids of a chunk on any thread. If a chunk contains damaged items, the calling thread
 * must read it, because it reports them. */
static ftr_status read_ids(void *user, unsigned thread, ftr_reader *view, ftr_chunk *chunk,
                           uint32_t index, const ftr_content *content, ftr_chunk_entries *entries)
{
    ftr_id_cover *ids = ftr_prepared_append(&entries->prepared, sizeof *ids);
    (void)user;
    (void)thread;
    (void)index;
    if (ids == NULL)
        return FTR_ERR_MEMORY;
    if (!ftr_chunk_ids_collect(view, (ftr_chunk_kind)chunk->kind, content, ids))
        view->findings.count++;
    return FTR_OK;
}

void ftr_ids_ahead_start(ftr_ids_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                         void *user)
{
    static const ftr_ahead_reader how = {read_ids, NULL};
    *ahead = (ftr_ids_ahead){.is_running = true};
    if (!ftr_chosen_ahead_start(&ahead->chosen, reader, chooses, user, CHUNKS_MIN, &how))
        ftr_ids_ahead_stop(ahead);
}

void ftr_ids_ahead_take(ftr_ids_ahead *ahead, ftr_reader *reader, size_t index)
{
    const ftr_chunk_order *order = &ahead->chosen.order;
    while (ahead->is_running && ahead->next < order->count && order->list[ahead->next] <= index) {
        const uint32_t next = order->list[ahead->next++];
        ftr_chunk_ahead taken;
        ftr_id_cover ids;
        if (!ftr_read_ahead_take(ahead->chosen.read, next, &taken))
            continue;
        memcpy(&ids, taken.entries.prepared.bytes, sizeof ids);
        ftr_chunk_ids_set(reader, next, &ids);
        ftr_read_ahead_reuse(ahead->chosen.read, &taken);
    }
}

void ftr_ids_ahead_stop(ftr_ids_ahead *ahead)
{
    if (ahead->is_running)
        ftr_chosen_ahead_release(&ahead->chosen);
    *ahead = (ftr_ids_ahead){0};
}
