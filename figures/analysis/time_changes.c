/* Separates causes from consequences among changes of time. The displacement of a begin or an end
 * is its time in the second trace minus its time in the first trace. The displacement of a begin is
 * explained if another stream, or the end of a transaction with a changed duration, had the same
 * displacement since the previous transaction of the stream. A displacement that is not explained
 * is a shift if the stream stays displaced, and a single move if the stream returns to its earlier
 * displacement. */
#include "time_changes.h"

#include <stdlib.h>
#include <string.h>

/* Number of displaced transactions in a row after which a stream counts as shifted. */
#define STAYING 8
#define ENDS_MAX 65536

typedef struct suspect {
    ftr_timed_pair pair;
    int64_t from, to; /* displacements of the previous transaction and of `pair`, in ticks */
    uint64_t since;   /* begin of the previous transaction, in ticks */
    bool step;        /* `pair` is the first pair with the displacement `to` */
    bool unreported;
} suspect;

struct ftr_stream_times {
    int64_t base;   /* displacement of the last transaction */
    int64_t before; /* displacement before the last explained change */
    uint64_t last;  /* begin of the last transaction */
    bool has_last;
    int64_t rest; /* displacement before the first suspect */
    suspect *suspects;
    size_t suspect_count; /* number of suspects stored, at most STAYING */
};

bool ftr_time_changes_init(ftr_time_changes *changes, size_t stream_count)
{
    changes->streams = calloc(stream_count + 1, sizeof *changes->streams);
    changes->ends = malloc(ENDS_MAX * sizeof *changes->ends);
    changes->shifts = malloc(FTR_FOUND_SHIFTS * sizeof *changes->shifts);
    changes->stream_count = stream_count;
    if (changes->streams != NULL && changes->ends != NULL && changes->shifts != NULL)
        return true;
    ftr_time_changes_release(changes);
    return false;
}

void ftr_time_changes_release(ftr_time_changes *changes)
{
    for (size_t i = 0; changes->streams != NULL && i < changes->stream_count; i++)
        free(changes->streams[i].suspects);
    free(changes->streams);
    free(changes->ends);
    free(changes->shifts);
    changes->shifts = NULL;
    changes->streams = NULL;
    changes->ends = NULL;
}

static bool is_near(const ftr_time_changes *changes, int64_t a, int64_t b)
{
    return (uint64_t)(a > b ? a - b : b - a) <= changes->tolerance;
}

static int64_t displacement_of_begin(const ftr_timed_pair *pair)
{
    return (int64_t)(pair->begin[1] - pair->begin[0]);
}

static int64_t displacement_of_end(const ftr_timed_pair *pair)
{
    return (int64_t)(pair->end[1] - pair->end[0]);
}

/* ---- observed displacements ------------------------------------------------------------------ */

static ftr_seen_displacement *see(ftr_time_changes *changes, int64_t displacement)
{
    size_t at = 0;
    while (at < changes->seen_count && changes->seen[at].displacement != displacement)
        at++;
    ftr_seen_displacement seen = {.displacement = displacement, .stream = UINT32_MAX};
    if (at < changes->seen_count)
        seen = changes->seen[at];
    else if (changes->seen_count < FTR_SEEN_DISPLACEMENTS)
        changes->seen_count++;
    else
        at--;
    memmove(changes->seen + 1, changes->seen, at * sizeof *changes->seen);
    changes->seen[0] = seen;
    return &changes->seen[0];
}

static void note_begin(ftr_time_changes *changes, int64_t displacement, uint64_t time,
                       uint32_t stream)
{
    ftr_seen_displacement *seen = see(changes, displacement);
    if (seen->stream != stream && seen->stream != UINT32_MAX) {
        seen->has_other = true;
        seen->other_time = seen->time;
        seen->other_stream = seen->stream;
    }
    seen->stream = stream;
    seen->time = time;
}

static bool is_explained(const ftr_time_changes *changes, int64_t displacement, uint64_t since,
                         uint32_t stream)
{
    for (size_t i = 0; i < changes->seen_count; i++) {
        const ftr_seen_displacement *seen = &changes->seen[i];
        if (!is_near(changes, seen->displacement, displacement))
            continue;
        if (seen->has_duration && seen->duration_time >= since)
            return true;
        if (seen->stream != UINT32_MAX && seen->stream != stream && seen->time >= since)
            return true;
        if (seen->has_other && seen->other_stream != stream && seen->other_time >= since)
            return true;
    }
    return false;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Compares by end. If ends are equal, the transaction that begins later comes first, because it
 * lies inside the other one. */
static bool ends_before(const ftr_timed_pair *a, const ftr_timed_pair *b)
{
    if (a->end[0] != b->end[0])
        return a->end[0] < b->end[0];
    if (a->begin[0] != b->begin[0])
        return a->begin[0] > b->begin[0];
    return a->id[0] > b->id[0];
}

static void push_end(ftr_time_changes *changes, const ftr_changed_end *end)
{
    size_t at = changes->end_count++;
    while (at > 0 && ends_before(&end->pair, &changes->ends[(at - 1) / 2].pair)) {
        changes->ends[at] = changes->ends[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    changes->ends[at] = *end;
}

static ftr_changed_end pop_end(ftr_time_changes *changes)
{
    const ftr_changed_end first = changes->ends[0];
    const ftr_changed_end moving = changes->ends[--changes->end_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < changes->end_count; at = child) {
        if (child + 1 < changes->end_count &&
            ends_before(&changes->ends[child + 1].pair, &changes->ends[child].pair))
            child++;
        if (!ends_before(&changes->ends[child].pair, &moving.pair))
            break;
        changes->ends[at] = changes->ends[child];
    }
    changes->ends[at] = moving;
    return first;
}

/* Returns true if the end or begin of another transaction, inside this transaction, has the same
 * displacement as the end of this transaction. */
static bool follows_another(const ftr_time_changes *changes, const ftr_timed_pair *pair)
{
    const int64_t displacement = displacement_of_end(pair);
    for (size_t i = 0; i < changes->seen_count; i++) {
        const ftr_seen_displacement *seen = &changes->seen[i];
        if (is_near(changes, seen->displacement, displacement) &&
            ((seen->has_duration && seen->duration_time > pair->begin[0]) ||
             (seen->stream != UINT32_MAX && seen->time > pair->begin[0])))
            return true;
    }
    return false;
}

static void settle_first_end(ftr_time_changes *changes)
{
    const ftr_changed_end end = pop_end(changes);
    const int64_t displacement = displacement_of_end(&end.pair);
    const bool follows = !changes->fixed_base && follows_another(changes, &end.pair);
    ftr_seen_displacement *seen = see(changes, displacement);
    seen->has_duration = true;
    seen->duration_time = end.pair.end[0];
    if (!end.unreported)
        changes->report(changes->user, FTR_TIME_DURATION, &end.pair,
                        displacement - displacement_of_begin(&end.pair), follows);
}

/* ---- begins ---------------------------------------------------------------------------------- */

/* The stream returned to its earlier displacement: reports each suspect as a single move. */
static void report_single_moves(ftr_time_changes *changes, ftr_stream_times *stream)
{
    for (size_t i = 0; i < stream->suspect_count; i++)
        if (!stream->suspects[i].unreported)
            changes->report(changes->user, FTR_TIME_MOVED, &stream->suspects[i].pair,
                            stream->suspects[i].to - stream->rest, false);
    stream->suspect_count = 0;
}

static void report_shifts(ftr_time_changes *changes)
{
    for (size_t i = 0; i < changes->shift_count; i++)
        changes->report(changes->user, FTR_TIME_SHIFTED, &changes->shifts[i].pair,
                        changes->shifts[i].delta, false);
    changes->shift_count = 0;
}

static void find_shift(ftr_time_changes *changes, const suspect *s)
{
    if (changes->shift_count == FTR_FOUND_SHIFTS)
        report_shifts(changes);
    changes->shifts[changes->shift_count++] = (ftr_found_shift){s->pair, s->to - s->from, s->to};
}

/* Among shifts of the same size, the earliest shift is the cause of the others. If @p s starts
 * before a found shift of the same size, @p s replaces that shift. */
static void merge_shift(ftr_time_changes *changes, const suspect *s)
{
    for (size_t i = changes->shift_count; i-- > 0;) {
        ftr_found_shift *found = &changes->shifts[i];
        if (is_near(changes, found->displacement, s->to) &&
            is_near(changes, found->delta, s->to - s->from) &&
            found->pair.begin[0] > s->pair.begin[0]) {
            found->pair = s->pair;
            return;
        }
    }
}

/* The stream stays displaced: reports each new displacement without an explanation as a shift. */
static void confirm_shift(ftr_time_changes *changes, ftr_stream_times *stream)
{
    for (size_t i = 0; i < stream->suspect_count; i++) {
        const suspect *s = &stream->suspects[i];
        if (s->step && is_explained(changes, s->to, s->since, s->pair.stream))
            merge_shift(changes, s);
        else if (s->step)
            find_shift(changes, s);
        note_begin(changes, s->to, s->pair.begin[0], s->pair.stream);
        stream->before = s->to;
    }
    stream->suspect_count = 0;
}

static void add_suspect(ftr_time_changes *changes, ftr_stream_times *stream, const suspect *added)
{
    if (stream->suspects == NULL)
        stream->suspects = calloc(STAYING, sizeof *stream->suspects);
    if (stream->suspects == NULL) { /* out of memory: reports a shift at once */
        find_shift(changes, added);
        return;
    }
    stream->suspects[stream->suspect_count++] = *added;
    if (stream->suspect_count == STAYING)
        confirm_shift(changes, stream);
}

static void put_begin(ftr_time_changes *changes, const ftr_timed_pair *pair, bool unreported)
{
    ftr_stream_times *stream = &changes->streams[pair->stream];
    const int64_t displacement = displacement_of_begin(pair);
    const uint64_t since = stream->has_last ? stream->last : 0;
    suspect s = {.pair = *pair,
                 .from = stream->base,
                 .to = displacement,
                 .since = since,
                 .unreported = unreported};
    if (stream->suspect_count > 0 && is_near(changes, displacement, stream->rest)) {
        report_single_moves(changes, stream);
        stream->base = stream->rest;
        note_begin(changes, stream->base, pair->begin[0], pair->stream);
    } else if (is_near(changes, displacement, stream->base)) {
        if (stream->suspect_count > 0)
            add_suspect(changes, stream, &s);
        else
            note_begin(changes, stream->base, pair->begin[0], pair->stream);
    } else if ((stream->has_last && is_near(changes, displacement, stream->before)) ||
               is_explained(changes, displacement, since, pair->stream)) {
        stream->before = stream->base;
        stream->base = displacement;
        note_begin(changes, displacement, pair->begin[0], pair->stream);
    } else {
        if (stream->suspect_count == 0)
            stream->rest = stream->base;
        stream->base = displacement;
        s.step = true;
        add_suspect(changes, stream, &s);
    }
    stream->last = pair->begin[0];
    stream->has_last = true;
}

bool ftr_time_changes_put(ftr_time_changes *changes, const ftr_timed_pair *pair, bool unreported)
{
    const int64_t begin = displacement_of_begin(pair);
    const bool duration_changed = !is_near(changes, begin, displacement_of_end(pair));
    while (changes->end_count > 0 &&
           (changes->ends[0].pair.end[0] <= pair->begin[0] || changes->end_count == ENDS_MAX))
        settle_first_end(changes);
    if (!changes->fixed_base)
        put_begin(changes, pair, unreported);
    else if (!is_near(changes, begin, 0) && !unreported)
        changes->report(changes->user, FTR_TIME_MOVED, pair, begin, false);
    if (duration_changed) {
        const bool moved = changes->fixed_base && !is_near(changes, begin, 0);
        const ftr_changed_end end = {*pair, unreported || moved};
        push_end(changes, &end);
    }
    return duration_changed;
}

void ftr_time_changes_finish(ftr_time_changes *changes)
{
    while (changes->end_count > 0)
        settle_first_end(changes);
    for (size_t i = 0; i < changes->stream_count; i++) {
        ftr_stream_times *stream = &changes->streams[i];
        if (stream->suspect_count == 1 &&
            !is_explained(changes, stream->base, stream->suspects[0].since, (uint32_t)i))
            report_single_moves(changes, stream);
        else if (stream->suspect_count > 0)
            confirm_shift(changes, stream);
    }
    report_shifts(changes);
}
