/* The scalar functions of SQL for times, addresses, intervals and tags (docs/sql.md, "Functions").
 */
#include "printer.h"
#include "time_text.h"
#include "trace_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void fail(sqlite3_context *result, char *message)
{
    sqlite3_result_error(result, message != NULL ? message : "out of memory", -1);
    sqlite3_free(message);
}

/* Gets the time scale: the second argument; without a second argument, the common time scale of all
 * traces. @return false after setting an error */
static bool get_scale(sqlite3_context *result, int argc, sqlite3_value **argv, int *scale)
{
    char *error = NULL;
    if (argc > 1) {
        *scale = sqlite3_value_int(argv[1]);
        if (sqlite3_value_type(argv[1]) == SQLITE_INTEGER && *scale >= -30 && *scale <= 30)
            return true;
        fail(result,
             sqlite3_mprintf("the time scale is a power of ten from -30 to 30, for example -12"));
        return false;
    }
    if (ftr_sql_common_scale(sqlite3_user_data(result), scale, &error) == SQLITE_OK)
        return true;
    fail(result, error);
    return false;
}

/* Reads a non-negative number: an INTEGER, or a TEXT for numbers above 2^63-1. */
static bool get_number(sqlite3_value *value, uint64_t *number)
{
    if (sqlite3_value_type(value) == SQLITE_INTEGER) {
        *number = (uint64_t)sqlite3_value_int64(value);
        return sqlite3_value_int64(value) >= 0;
    }
    if (sqlite3_value_type(value) != SQLITE_TEXT)
        return false;
    const char *text = (const char *)sqlite3_value_text(value);
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* ftr_time(TEXT [, SCALE]): converts a time like '10 us' to ticks. */
static void time_of_text(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    const char *text = (const char *)sqlite3_value_text(argv[0]);
    ftr_time_value time;
    uint64_t ticks;
    bool exact;
    int scale;
    if (text == NULL)
        return; /* returns NULL */
    if (!ftr_time_parse(text, &time, NULL)) {
        fail(result,
             sqlite3_mprintf("ftr_time: '%s' is not a time: write '10 us' or '1.5ns'", text));
        return;
    }
    if (!get_scale(result, argc, argv, &scale))
        return;
    if (!ftr_time_to_ticks(&time, scale, &ticks, &exact))
        fail(result, sqlite3_mprintf("ftr_time: '%s' exceeds 64 bits of ticks", text));
    else
        ftr_sql_result_number(result, ticks);
}

/* ftr_format_time(TICKS [, SCALE]): formats ticks as a time: "12.5 us". */
static void text_of_time(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    uint64_t ticks;
    int scale;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL || !get_scale(result, argc, argv, &scale))
        return;
    if (!get_number(argv[0], &ticks)) {
        fail(result, sqlite3_mprintf("ftr_format_time: ticks are expected, an integer from 0 on"));
        return;
    }
    ftr_printer *out = malloc(sizeof *out);
    if (out == NULL) {
        sqlite3_result_error_nomem(result);
        return;
    }
    ftr_printer_init(out, -1);
    ftr_print_time(out, ticks, scale);
    sqlite3_result_text(result, out->bytes, (int)out->filled, SQLITE_TRANSIENT);
    free(out);
}

/* hex(NUMBER): formats a number in hexadecimal: 0x1000. For a BLOB or TEXT, returns the bytes in
 * hexadecimal, as the built-in hex() of SQLite does. */
static void hexadecimal(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    (void)argc;
    uint64_t number;
    if (sqlite3_value_type(argv[0]) == SQLITE_INTEGER) {
        number = (uint64_t)sqlite3_value_int64(argv[0]);
        char text[24];
        sqlite3_snprintf(sizeof text, text, "0x%llx", number);
        sqlite3_result_text(result, text, -1, SQLITE_TRANSIENT);
        return;
    }
    /* Numbers above 2^63-1 are passed as TEXT. */
    if (sqlite3_value_type(argv[0]) == SQLITE_TEXT && get_number(argv[0], &number) &&
        number > INT64_MAX) {
        char text[24];
        sqlite3_snprintf(sizeof text, text, "0x%llx", number);
        sqlite3_result_text(result, text, -1, SQLITE_TRANSIENT);
        return;
    }
    const unsigned char *bytes = sqlite3_value_blob(argv[0]);
    const int size = sqlite3_value_bytes(argv[0]);
    char *text = sqlite3_malloc64((sqlite3_uint64)size * 2 + 1);
    if (text == NULL) {
        sqlite3_result_error_nomem(result);
        return;
    }
    char *digit = text;
    for (int i = 0; i < size; i++) {
        *digit++ = DIGITS[bytes[i] >> 4];
        *digit++ = DIGITS[bytes[i] & 15];
    }
    sqlite3_result_text64(result, text, (sqlite3_uint64)size * 2, sqlite3_free, SQLITE_UTF8);
}

/* Compares two times as SQLite does; exact for ticks, also for those passed as TEXT. Returns -1, 0
 * or 1. */
static int compare_times(sqlite3_value *a, sqlite3_value *b)
{
    uint64_t x;
    uint64_t y;
    if (get_number(a, &x) && get_number(b, &y))
        return (x > y) - (x < y);
    const double p = sqlite3_value_double(a);
    const double q = sqlite3_value_double(b);
    return (p > q) - (p < q);
}

/* overlaps(BEGIN1, END1, BEGIN2, END2): true if the intervals, including their ends, have an
 * instant in common. */
static void overlaps(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return; /* returns NULL */
    sqlite3_result_int(result, compare_times(argv[0], argv[3]) <= 0 &&
                                   compare_times(argv[2], argv[1]) <= 0);
}

/* tag(TAGS, NAME): the value of a tag in a text such as `test=boot,seed=17`; NULL if there is no
 * such tag. A decimal integer is an INTEGER. */
static void tag(sqlite3_context *result, int argc, sqlite3_value **argv)
{
    (void)argc;
    const char *tags = (const char *)sqlite3_value_text(argv[0]);
    const char *name = (const char *)sqlite3_value_text(argv[1]);
    if (tags == NULL || name == NULL)
        return; /* returns NULL */
    const ftr_view value = ftr_tag_value(tags, name);
    if (value.data != NULL)
        ftr_sql_result_decimal(result, value);
}

int ftr_sql_register_functions(ftr_sql_context *context)
{
    static const struct {
        const char *name;
        int arguments;
        int flags;
        void (*function)(sqlite3_context *result, int argc, sqlite3_value **argv);
    } FUNCTIONS[] = {
        {"ftr_time", 1, 0, time_of_text},
        {"ftr_time", 2, SQLITE_DETERMINISTIC, time_of_text},
        {"ftr_format_time", 1, 0, text_of_time},
        {"ftr_format_time", 2, SQLITE_DETERMINISTIC, text_of_time},
        {"hex", 1, SQLITE_DETERMINISTIC, hexadecimal},
        {"overlaps", 4, SQLITE_DETERMINISTIC, overlaps},
        {"tag", 2, SQLITE_DETERMINISTIC, tag},
    };
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++) {
        context->references++;
        const int result =
            sqlite3_create_function_v2(context->db, FUNCTIONS[i].name, FUNCTIONS[i].arguments,
                                       SQLITE_UTF8 | SQLITE_INNOCUOUS | FUNCTIONS[i].flags, context,
                                       FUNCTIONS[i].function, NULL, NULL, ftr_sql_context_release);
        if (result != SQLITE_OK)
            return result;
    }
    return SQLITE_OK;
}
