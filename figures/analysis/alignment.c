/* Stores the transactions that wait to be aligned, and decides how long they wait. */
#include "alignment.h"

#include "edit_script.h"

#include <stdlib.h>
#include <string.h>

/* Number of transactions of each side in the first attempt to align a difference. */
#define WINDOW_FIRST 64
/* If the sides do not agree again within this number of transactions, the stream differs too much
 * to be aligned. */
#define WINDOW_MAX ((size_t)1 << 17)
/* If the memory is full and one side has this many times more transactions than the other, the
 * transactions of the larger side are reported as present in one trace only. */
#define ONE_SIDED 16
#define RING_FIRST 1024

ftr_status ftr_alignment_init(ftr_alignment *alignment, size_t stream_count, size_t held)
{
    alignment->streams = calloc(stream_count + 1, sizeof *alignment->streams);
    if (alignment->streams == NULL)
        return FTR_ERR_MEMORY;
    alignment->stream_count = stream_count;
    for (size_t i = 0; i < stream_count; i++)
        for (unsigned s = 0; s < 2; s++)
            alignment->streams[i].head[s] = alignment->streams[i].tail[s] = FTR_TX_PENDING;
    alignment->ring_limit = RING_FIRST;
    while (alignment->ring_limit * 2 <= held)
        alignment->ring_limit *= 2;
    alignment->window = (ftr_window){.rules = &alignment->rules};
    return FTR_OK;
}

void ftr_alignment_release(ftr_alignment *alignment)
{
    free(alignment->streams);
    alignment->streams = NULL;
    for (unsigned s = 0; s < 2; s++)
        free(alignment->ring[s].entries);
    ftr_window_release(&alignment->window);
}

/* ---- rings ----------------------------------------------------------------------------------- */

static ftr_aligned_tx *entry_at(const ftr_alignment *alignment, unsigned side, uint64_t number)
{
    const ftr_entry_ring *ring = &alignment->ring[side];
    return &ring->entries[number & (ring->capacity - 1)];
}

static bool grow_ring(ftr_entry_ring *ring)
{
    const size_t capacity = ring->capacity > 0 ? ring->capacity * 2 : RING_FIRST;
    ftr_aligned_tx *entries = malloc(capacity * sizeof *entries);
    if (entries == NULL)
        return false;
    for (uint64_t i = ring->first; i != ring->next; i++)
        entries[i & (capacity - 1)] = ring->entries[i & (ring->capacity - 1)];
    free(ring->entries);
    ring->entries = entries;
    ring->capacity = capacity;
    return true;
}

/* Reports the oldest pairs and removes reported transactions from the rings. */
static void release_entries(ftr_alignment *alignment)
{
    ftr_entry_ring *first = &alignment->ring[0];
    ftr_entry_ring *second = &alignment->ring[1];
    for (; first->first != first->next; first->first++) {
        const ftr_aligned_tx *a = entry_at(alignment, 0, first->first);
        if (a->partner == FTR_TX_PENDING)
            break;
        if (a->partner == FTR_TX_ALONE || a->partner == FTR_TX_REPORTED)
            continue;
        ftr_aligned_tx *b = entry_at(alignment, 1, a->partner);
        alignment->paired(alignment->user, a, b);
        b->partner = FTR_TX_REPORTED;
    }
    while (second->first != second->next) {
        const uint64_t partner = entry_at(alignment, 1, second->first)->partner;
        if (partner != FTR_TX_REPORTED && partner != FTR_TX_ALONE)
            break;
        second->first++;
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void append(ftr_alignment *alignment, ftr_aligned_stream *stream, unsigned side,
                   uint64_t number)
{
    if (stream->head[side] == FTR_TX_PENDING)
        stream->head[side] = number;
    else
        entry_at(alignment, side, stream->tail[side])->next = number;
    stream->tail[side] = number;
    stream->count[side]++;
    alignment->ring[side].pending++;
}

/* Removes the first transaction of a side from the stream's list and sets its partner. */
static void drop_head(ftr_alignment *alignment, ftr_aligned_stream *stream, unsigned side,
                      uint64_t partner)
{
    ftr_aligned_tx *tx = entry_at(alignment, side, stream->head[side]);
    tx->partner = partner;
    stream->head[side] = tx->next;
    stream->count[side]--;
    alignment->ring[side].pending--;
    if (partner == FTR_TX_ALONE)
        alignment->alone(alignment->user, side, tx);
}

/* ---- windows --------------------------------------------------------------------------------- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Copies at most @p most transactions of each side into the window. */
static bool fill_window(ftr_alignment *alignment, const ftr_aligned_stream *stream, size_t most,
                        bool final)
{
    ftr_window *w = &alignment->window;
    const size_t count[2] = {least(stream->count[0], most), least(stream->count[1], most)};
    if (!ftr_window_reserve(w, (uint32_t)(count[0] > count[1] ? count[0] : count[1])))
        return false;
    for (unsigned s = 0; s < 2; s++) {
        uint64_t number = stream->head[s];
        for (size_t i = 0; i < count[s]; i++) {
            w->tx[s][i] = entry_at(alignment, s, number);
            w->numbers[s][i] = number;
            number = w->tx[s][i]->next;
        }
        w->count[s] = (uint32_t)count[s];
    }
    w->base = stream->base;
    w->id_base = stream->id_base;
    w->final = final;
    return true;
}

/* Removes the settled part of the window from the lists. */
static void settle(ftr_alignment *alignment, ftr_aligned_stream *stream)
{
    const ftr_window *w = &alignment->window;
    for (unsigned s = 0; s < 2; s++)
        for (uint32_t i = 0; i < w->settled[s]; i++) {
            const uint32_t partner = w->partner[s][i];
            if (s == 0 && partner != FTR_NO_PARTNER)
                stream->id_base = w->tx[1][partner]->id - w->tx[0][i]->id;
            drop_head(alignment, stream, s,
                      partner == FTR_NO_PARTNER ? FTR_TX_ALONE : w->numbers[1 - s][partner]);
        }
    if (!alignment->rules.fixed_base)
        stream->base = alignment->base = w->settled_base;
    stream->wanted = 0;
}

/* Stops aligning the stream: from now on, its transactions are only counted. */
static void give_up(ftr_alignment *alignment, ftr_aligned_stream *stream)
{
    stream->alignment_stopped = true;
    stream->aligned_until = entry_at(alignment, 0, stream->head[0])->begin;
    for (unsigned s = 0; s < 2; s++)
        while (stream->count[s] > 0) {
            stream->not_aligned[s]++;
            drop_head(alignment, stream, s, FTR_TX_REPORTED);
        }
}

/* Tries to align the waiting transactions of a stream: all of them if @p final is true, otherwise
 * the first `wanted` of each side. Settles the part of the alignment that later transactions cannot
 * change. If this part is empty, increases `wanted`; at its maximum, gives the stream up. */
static ftr_status align_waiting(ftr_alignment *alignment, ftr_aligned_stream *stream, bool final)
{
    ftr_window *w = &alignment->window;
    if (!fill_window(alignment, stream, final ? SIZE_MAX : stream->wanted, final) ||
        !ftr_window_align(w))
        return FTR_ERR_MEMORY;
    if (w->settled[0] + w->settled[1] > 0)
        settle(alignment, stream);
    else if (stream->wanted >= WINDOW_MAX)
        give_up(alignment, stream);
    else
        stream->wanted *= 4;
    return FTR_OK;
}

static bool agrees(const ftr_alignment *alignment, const ftr_aligned_stream *stream,
                   const ftr_aligned_tx *a, const ftr_aligned_tx *b)
{
    if (a->identity != b->identity || a->content != b->content)
        return false;
    return alignment->rules.ignore_times || (b->begin - a->begin == (uint64_t)stream->base &&
                                             b->end - b->begin == a->end - a->begin);
}

/* Returns true if it is certain that no other transaction of a side begins at the same time as its
 * first transaction. */
static bool is_single(const ftr_alignment *alignment, const ftr_aligned_stream *stream,
                      unsigned side)
{
    const ftr_aligned_tx *head = entry_at(alignment, side, stream->head[side]);
    return stream->count[side] > 1 && entry_at(alignment, side, head->next)->begin != head->begin;
}

typedef enum head_pair { HEADS_AGREE, HEADS_DIFFER, HEADS_WAIT } head_pair;

/* Compares the first transactions of both sides. Two equal transactions agree if their ids have the
 * same distance as in the previous pair, or if no other transaction begins at the same time, which
 * could be the partner instead. HEADS_WAIT: later transactions decide this. */
static head_pair compare_heads(const ftr_alignment *alignment, const ftr_aligned_stream *stream)
{
    const ftr_aligned_tx *a = entry_at(alignment, 0, stream->head[0]);
    const ftr_aligned_tx *b = entry_at(alignment, 1, stream->head[1]);
    if (!agrees(alignment, stream, a, b))
        return HEADS_DIFFER;
    if (b->id - a->id == stream->id_base || alignment->rules.ignore_times)
        return HEADS_AGREE;
    if (stream->count[0] < 2 || stream->count[1] < 2)
        return HEADS_WAIT;
    return is_single(alignment, stream, 0) && is_single(alignment, stream, 1) ? HEADS_AGREE
                                                                              : HEADS_DIFFER;
}

static ftr_status advance(ftr_alignment *alignment, ftr_aligned_stream *stream)
{
    while (stream->count[0] > 0 && stream->count[1] > 0) {
        if (stream->wanted == 0) {
            const uint64_t number[2] = {stream->head[0], stream->head[1]};
            const head_pair heads = compare_heads(alignment, stream);
            if (heads == HEADS_WAIT)
                break;
            if (heads == HEADS_AGREE) {
                stream->id_base =
                    entry_at(alignment, 1, number[1])->id - entry_at(alignment, 0, number[0])->id;
                drop_head(alignment, stream, 0, number[1]);
                drop_head(alignment, stream, 1, number[0]);
                continue;
            }
            stream->wanted = WINDOW_FIRST;
        }
        if (stream->count[0] < stream->wanted || stream->count[1] < stream->wanted)
            break;
        const ftr_status status = align_waiting(alignment, stream, false);
        if (status != FTR_OK)
            return status;
    }
    return FTR_OK;
}

/* Makes the oldest entry of a full ring removable: aligns the stream of this entry with the
 * transactions that were read so far. */
static ftr_status settle_oldest(ftr_alignment *alignment, unsigned side)
{
    const ftr_aligned_tx *oldest = entry_at(alignment, side, alignment->ring[side].first);
    if (oldest->partner != FTR_TX_PENDING) {
        /* The transaction is aligned, but pairs are reported in the order of the first trace, and
         * the oldest transaction of the first trace still waits. Settles that transaction instead.
         */
        side = 0;
        oldest = entry_at(alignment, 0, alignment->ring[0].first);
    }
    ftr_aligned_stream *stream = &alignment->streams[oldest->stream];
    const size_t count = stream->count[side];
    const size_t other_count = stream->count[1 - side];
    if (count >= WINDOW_MAX && other_count < count / ONE_SIDED) {
        while (stream->count[side] > 0)
            drop_head(alignment, stream, side, FTR_TX_ALONE);
        return FTR_OK;
    }
    if (!fill_window(alignment, stream, SIZE_MAX, false) || !ftr_window_align(&alignment->window))
        return FTR_ERR_MEMORY;
    if (alignment->window.settled[side] == 0) {
        if (count >= WINDOW_MAX) {
            give_up(alignment, stream);
            return FTR_OK;
        }
        ftr_window_settle_all(&alignment->window);
        alignment->window.settled_base = stream->base;
    }
    settle(alignment, stream);
    return FTR_OK;
}

/* ---- public functions ------------------------------------------------------------------------ */

static ftr_status make_room(ftr_alignment *alignment, unsigned side)
{
    ftr_entry_ring *ring = &alignment->ring[side];
    while (ring->next - ring->first == ring->capacity) {
        if (ring->capacity < alignment->ring_limit)
            return grow_ring(ring) ? FTR_OK : FTR_ERR_MEMORY;
        const ftr_status status = settle_oldest(alignment, side);
        if (status != FTR_OK)
            return status;
        release_entries(alignment);
    }
    return FTR_OK;
}

ftr_status ftr_alignment_put(ftr_alignment *alignment, unsigned side, const ftr_aligned_tx *tx)
{
    ftr_aligned_stream *stream = &alignment->streams[tx->stream];
    if (stream->one_sided) {
        alignment->alone(alignment->user, side, tx);
        return FTR_OK;
    }
    ftr_status status = stream->alignment_stopped ? FTR_OK : make_room(alignment, side);
    if (status != FTR_OK)
        return status;
    if (stream->alignment_stopped) {
        stream->not_aligned[side]++;
        return FTR_OK;
    }
    const uint64_t number = alignment->ring[side].next++;
    ftr_aligned_tx *kept = entry_at(alignment, side, number);
    *kept = *tx;
    kept->next = kept->partner = FTR_TX_PENDING;
    append(alignment, stream, side, number);
    status = advance(alignment, stream);
    release_entries(alignment);
    return status;
}

unsigned ftr_alignment_wants(const ftr_alignment *alignment, const uint64_t *begins)
{
    const size_t first = alignment->ring[0].pending;
    const size_t second = alignment->ring[1].pending;
    if (first > 2 * second + 1024)
        return 1;
    if (second > 2 * first + 1024)
        return 0;
    return (int64_t)(begins[0] + (uint64_t)alignment->base - begins[1]) > 0 ? 1 : 0;
}

ftr_status ftr_alignment_finish(ftr_alignment *alignment)
{
    for (size_t i = 0; i < alignment->stream_count; i++) {
        ftr_aligned_stream *stream = &alignment->streams[i];
        ftr_status status = advance(alignment, stream);
        if (status == FTR_OK && stream->count[0] + stream->count[1] > 0)
            status = align_waiting(alignment, stream, true);
        if (status != FTR_OK)
            return status;
        release_entries(alignment);
    }
    return FTR_OK;
}
