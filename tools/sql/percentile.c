/* percentile(), percentile_cont(), percentile_disc() and median() of SQL (docs/sql.md,
 * "Functions"), exact for any group of values, each of which may have a weight: the number of times
 * that the value occurs. Equal values are stored once, with a count, so the memory depends on the
 * number of different values. */
#include "exact_fraction.h"
#include "growing_array.h"
#include "trace_set.h"

#include <stdlib.h>
#include <string.h>

typedef struct counted_value {
    union {
        sqlite3_int64 integer;
        double real;
    } as;
    uint64_t count;
} counted_value;

typedef struct percentile {
    counted_value *values;
    size_t count, capacity;
    uint64_t total;
    double stated; /* the fraction: the second argument; 0.5 without a second argument */
    bool is_started, is_real;
} percentile;

static int compare_integers(const void *a, const void *b)
{
    const sqlite3_int64 x = ((const counted_value *)a)->as.integer;
    const sqlite3_int64 y = ((const counted_value *)b)->as.integer;
    return (x > y) - (x < y);
}

static int compare_reals(const void *a, const void *b)
{
    const double x = ((const counted_value *)a)->as.real;
    const double y = ((const counted_value *)b)->as.real;
    return (x > y) - (x < y);
}

static bool is_equal(const percentile *p, const counted_value *a, const counted_value *b)
{
    return (p->is_real ? compare_reals : compare_integers)(a, b) == 0;
}

/* Sorts the values and merges equal ones. */
static void settle(percentile *p)
{
    if (p->count == 0)
        return;
    qsort(p->values, p->count, sizeof *p->values, p->is_real ? compare_reals : compare_integers);
    size_t kept = 0;
    for (size_t i = 1; i < p->count; i++) {
        if (is_equal(p, &p->values[kept], &p->values[i]))
            p->values[kept].count += p->values[i].count;
        else
            p->values[++kept] = p->values[i];
    }
    p->count = kept + 1;
}

static int make_room(percentile *p, const ftr_sql_context *context)
{
    if (p->count < p->capacity)
        return SQLITE_OK;
    settle(p);
    if (p->count < p->capacity / 2)
        return SQLITE_OK;
    if (ftr_array_larger(p->capacity, p->count + 1) * sizeof *p->values > context->memory)
        return SQLITE_TOOBIG;
    return ftr_array_grow(&p->values, &p->capacity, p->count, sizeof *p->values) ? SQLITE_OK
                                                                                 : SQLITE_NOMEM;
}

static void become_real(percentile *p)
{
    for (size_t i = 0; i < p->count; i++)
        p->values[i].as.real = (double)p->values[i].as.integer;
    p->is_real = true;
}

static bool parse_fraction(percentile *p, sqlite3_context *result, int argc, sqlite3_value **argv)
{
    const int type = argc > 1 ? sqlite3_value_numeric_type(argv[1]) : SQLITE_FLOAT;
    const double stated = argc > 1 ? sqlite3_value_double(argv[1]) : 0.5;
    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !(stated >= 0 && stated <= 1)) {
        sqlite3_result_error(
            result, "percentile: a fraction from 0 to 1 is expected, for example 0.99", -1);
        return false;
    }
    if (p->is_started && p->stated != stated) {
        sqlite3_result_error(result, "percentile: the fraction differs between rows", -1);
        return false;
    }
    if (p->is_started)
        return true;
    p->stated = stated;
    p->is_started = true;
    return true;
}

/* Reads the weight of a value: the third argument; 1 without a third argument. @return false after
 * setting an error */
static bool get_weight(const percentile *p, sqlite3_context *result, int argc, sqlite3_value **argv,
                       uint64_t *weight)
{
    *weight = 1;
    if (argc < 3)
        return true;
    const sqlite3_int64 stated = sqlite3_value_int64(argv[2]);
    if (sqlite3_value_numeric_type(argv[2]) != SQLITE_INTEGER || stated < 0) {
        sqlite3_result_error(result, "percentile: a weight is an integer from 0 on", -1);
        return false;
    }
    *weight = (uint64_t)stated;
    if (p->total <= UINT64_MAX - *weight)
        return true;
    sqlite3_result_error(result, "percentile: the sum of the weights exceeds 64 bits", -1);
    return false;
}

static void step(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    percentile *p = sqlite3_aggregate_context(result, sizeof *p);
    const ftr_sql_context *context = sqlite3_user_data(result);
    if (p == NULL) {
        sqlite3_result_error_nomem(result);
        return;
    }
    uint64_t weight;
    if (!parse_fraction(p, result, argc, argv))
        return;
    const int type = sqlite3_value_numeric_type(argv[0]);
    if (type == SQLITE_NULL)
        return;
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
        sqlite3_result_error(result, "percentile: a value is not a number", -1);
        return;
    }
    if (!get_weight(p, result, argc, argv, &weight) || weight == 0)
        return;
    const int room = make_room(p, context);
    if (room == SQLITE_NOMEM)
        sqlite3_result_error_nomem(result);
    else if (room != SQLITE_OK)
        sqlite3_result_error(result,
                             "percentile: too many different values for the memory budget; "
                             "raise --memory",
                             -1);
    if (room != SQLITE_OK)
        return;
    if (type == SQLITE_FLOAT && !p->is_real)
        become_real(p);
    counted_value *value = &p->values[p->count++];
    value->count = weight;
    p->total += weight;
    if (p->is_real)
        value->as.real = sqlite3_value_double(argv[0]);
    else
        value->as.integer = sqlite3_value_int64(argv[0]);
}

/* Returns the value with the rank @p rank, counted from 0. The values must be settled. */
static const counted_value *value_at(const percentile *p, uint64_t rank)
{
    const counted_value *value = p->values;
    while (rank >= value->count) {
        rank -= value->count;
        value++;
    }
    return value;
}

static void result_value(const percentile *p, sqlite3_context *result, const counted_value *value)
{
    if (p->is_real)
        sqlite3_result_double(result, value->as.real);
    else
        sqlite3_result_int64(result, value->as.integer);
}

static percentile *settled(sqlite3_context *result, ftr_fraction *fraction)
{
    percentile *p = sqlite3_aggregate_context(result, 0);
    if (p == NULL || p->total == 0)
        return NULL;
    (void)ftr_fraction_of_double(p->stated, fraction);
    settle(p);
    return p;
}

static void release(percentile *p)
{
    if (p != NULL)
        free(p->values);
}

/* percentile_cont(): interpolates linearly between the two values that are nearest to the rank. */
static void finish_continuous(sqlite3_context *result)
{
    ftr_fraction fraction;
    percentile *p = settled(result, &fraction);
    if (p != NULL) {
        double part;
        const uint64_t below = ftr_fraction_of_steps(fraction, p->total - 1, &part);
        const counted_value *low = value_at(p, below);
        const counted_value *high = part > 0 ? value_at(p, below + 1) : low;
        if (is_equal(p, low, high)) {
            result_value(p, result, low);
        } else {
            const double a = p->is_real ? low->as.real : (double)low->as.integer;
            const double b = p->is_real ? high->as.real : (double)high->as.integer;
            sqlite3_result_double(result, a + (b - a) * part);
        }
    }
    release(sqlite3_aggregate_context(result, 0));
}

/* percentile_disc(): returns the smallest value v for which at least the given fraction of all
 * values is less than or equal to v, by the same function as `ftr stats`. `ftr stats` prints the
 * same value for a generator with at most 65,536 different latencies. */
static void finish_discrete(sqlite3_context *result)
{
    ftr_fraction fraction;
    percentile *p = settled(result, &fraction);
    if (p != NULL) {
        const uint64_t rank = ftr_fraction_rank(fraction, p->total);
        result_value(p, result, value_at(p, rank - 1));
    }
    release(sqlite3_aggregate_context(result, 0));
}

int ftr_sql_register_percentiles(ftr_sql_context *context)
{
    static const struct {
        const char *name;
        int arguments;
        void (*finish)(sqlite3_context *result);
    } FUNCTIONS[] = {
        {"percentile", 2, finish_continuous},      {"percentile_cont", 2, finish_continuous},
        {"percentile_disc", 2, finish_discrete},   {"percentile", 3, finish_continuous},
        {"percentile_cont", 3, finish_continuous}, {"percentile_disc", 3, finish_discrete},
        {"median", 1, finish_continuous},
    };
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++) {
        context->references++;
        const int result = sqlite3_create_function_v2(
            context->db, FUNCTIONS[i].name, FUNCTIONS[i].arguments,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, context, NULL, step,
            FUNCTIONS[i].finish, ftr_sql_context_release);
        if (result != SQLITE_OK)
            return result;
    }
    return SQLITE_OK;
}
