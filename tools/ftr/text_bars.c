/* Drawing of bars with characters. */
#include "text_bars.h"

#include "rows.h"

#define EIGHTHS 8u
#define BAR_WIDTH 40u
#define LINES_MAX 24u
/* Each power of two has at most 2^FINE_MAX buckets. */
#define FINE_MAX 2u
#define BUCKETS_MAX 260u

/* Writes the character U+2580 + @p code in UTF-8. @return number of bytes */
static size_t put_block(char *text, unsigned code)
{
    text[0] = (char)0xe2;
    text[1] = (char)0x96;
    text[2] = (char)(0x80 + code);
    return FTR_BAR_BYTES;
}

/* Scales @p value from 0..@p greatest to 0..@p steps; the result for a value above 0 is at least 1.
 */
static unsigned steps_of(ftr_wide value, ftr_wide greatest, unsigned steps)
{
    if (value == 0 || greatest == 0)
        return 0;
    const unsigned count =
        (unsigned)((long double)value / (long double)greatest * (long double)steps + 0.5L);
    return count < 1 ? 1 : count > steps ? steps : count;
}

size_t ftr_bar_row(char *text, ftr_wide value, ftr_wide greatest, unsigned width)
{
    size_t size = 0;
    unsigned left = steps_of(value, greatest, width * EIGHTHS);
    for (; left >= EIGHTHS; left -= EIGHTHS)
        size += put_block(text + size, 8); /* U+2588: a full block */
    if (left > 0)
        size += put_block(text + size, 16 - left); /* U+258F (1/8) to U+2589 (7/8) */
    return size;
}

size_t ftr_bar_column(char *text, ftr_wide value, ftr_wide greatest)
{
    const unsigned steps = steps_of(value, greatest, EIGHTHS);
    if (steps > 0)
        return put_block(text, steps); /* from U+2581 (one eighth) to U+2588 (full) */
    *text = ' ';
    return 1;
}

/* ---- histograms ------------------------------------------------------------------------------ */

/* Buckets on a logarithmic axis. Either each power of two has 2^fine buckets, and `step` is 1; or
 * `step` powers of two share one bucket, and `fine` is 0. */
typedef struct log_buckets {
    uint64_t counts[BUCKETS_MAX];
    uint64_t greatest;
    unsigned first, last, fine, step;
} log_buckets;

/* Returns the number of the bucket that contains a value, for a `step` of 1. */
static unsigned number_of(uint64_t value, unsigned fine)
{
    const unsigned bits = value > 0 ? 64 - (unsigned)__builtin_clzll(value) : 0;
    const unsigned shift = bits > fine ? bits - 1 - fine : 0;
    return (shift << fine) + (unsigned)(value >> shift);
}

/* Returns the least value of a bucket; UINT64_MAX for the bucket after the last one. */
static uint64_t value_of(unsigned number, unsigned fine)
{
    const unsigned shift = number >= 2u << fine ? (number >> fine) - 1 : 0;
    const uint64_t leading = number - (shift << fine);
    return shift + fine >= 64 ? UINT64_MAX : leading << shift;
}

static log_buckets count_buckets(ftr_latency_bins *latency)
{
    log_buckets found = {.fine = FINE_MAX, .step = 1};
    unsigned least = number_of(latency->least, found.fine);
    unsigned most = number_of(latency->greatest, found.fine);
    while (most / found.step - least / found.step >= LINES_MAX) {
        if (found.fine > 0)
            found.fine--;
        else
            found.step++;
        least = number_of(latency->least, found.fine);
        most = number_of(latency->greatest, found.fine);
    }
    found.first = least / found.step;
    found.last = most / found.step;
    ftr_latency_bins_sort(latency);
    for (size_t i = 0; i < latency->used; i++)
        found.counts[number_of(latency->bins[i].value, found.fine) / found.step] +=
            latency->bins[i].count;
    for (unsigned i = found.first; i <= found.last; i++)
        if (found.counts[i] > found.greatest)
            found.greatest = found.counts[i];
    return found;
}

typedef struct bucket_row {
    const log_buckets *found;
    unsigned bucket;
    uint64_t transactions; /* number of transactions in all buckets */
    int time_scale;
    const char *name; /* title of the bars */
} bucket_row;

static void describe_bucket(ftr_rows *rows, const void *row)
{
    char bar[BAR_WIDTH * FTR_BAR_BYTES];
    const bucket_row *of = row;
    const log_buckets *found = of->found;
    const uint64_t count = found->counts[of->bucket];
    const uint64_t next = value_of((of->bucket + 1) * found->step, found->fine);
    ftr_row_time(rows, FTR_IN_TEXT, "from", value_of(of->bucket * found->step, found->fine),
                 of->time_scale);
    ftr_row_time(rows, FTR_IN_TEXT, "to", next == UINT64_MAX ? next : next - 1, of->time_scale);
    ftr_row_count(rows, FTR_IN_TEXT, "count", count);
    ftr_row_share(rows, FTR_IN_TEXT, "share", count, of->transactions);
    ftr_row_text(rows, FTR_IN_TEXT, of->name, bar,
                 ftr_bar_row(bar, count, found->greatest, BAR_WIDTH));
}

bool ftr_print_histogram(ftr_printer *out, ftr_latency_bins *latency, int time_scale,
                         const char *name)
{
    if (latency->count == 0)
        return true;
    const log_buckets found = count_buckets(latency);
    bucket_row row = {&found, found.first, latency->count, time_scale, name};
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TEXT, out);
    ftr_rows_put_titles(&rows, describe_bucket, &row);
    for (; row.bucket <= found.last; row.bucket++)
        ftr_rows_put(&rows, describe_bucket, &row);
    return ftr_rows_end(&rows);
}
