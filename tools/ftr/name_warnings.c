/* Warnings about names. They change neither the result nor the exit status. */
#include "name_warnings.h"

#include "access_names.h"
#include "call_roles.h"
#include "command.h"
#include "name_glob.h"
#include "near_name.h"
#include "printer.h"

#include <inttypes.h>
#include <stdio.h>

/* Limits of the search for the nearest attribute name: number of transactions that are read again,
 * and number of different names that are compared. */
#define TRANSACTIONS_READ 10000
#define NAMES_COMPARED 4096

bool ftr_patterns_add(ftr_patterns *patterns, const char *pattern)
{
    if (patterns->count == FTR_PATTERNS_MAX)
        return false;
    patterns->pattern[patterns->count++] = pattern;
    return true;
}

static void warn(const ftr_input *input, const char *option, ftr_view name, const char *what,
                 const char *nearest)
{
    ftr_print_error("%s: warning: %s '%.*s' %s%s%s%s", input->path, option, (int)name.size,
                    name.data, what, nearest != NULL ? "; did you mean '" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

/* Gets the name of the stream or generator with the number @p i. @return false if there are no
 * more */
typedef bool get_name(const ftr_reader *reader, size_t i, ftr_view *name);

static bool stream_name(const ftr_reader *reader, size_t i, ftr_view *name)
{
    const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
    if (stream != NULL)
        *name = stream->name;
    return stream != NULL;
}

static bool generator_name(const ftr_reader *reader, size_t i, ftr_view *name)
{
    const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
    if (generator != NULL)
        *name = generator->name;
    return generator != NULL;
}

static void warn_of_pattern(const ftr_input *input, const char *option, ftr_view pattern,
                            get_name *get, const char *what)
{
    ftr_near_name near;
    ftr_view name;
    ftr_near_name_init(&near, pattern.data, pattern.size);
    for (size_t i = 0; get(input->reader, i, &name); i++) {
        if (name.data == NULL)
            continue;
        if (ftr_glob_matches(pattern.data, pattern.size, name.data, name.size))
            return;
        ftr_near_name_offer(&near, name.data, name.size);
    }
    /* A name of TLM calls has a known successor in a trace of accesses. */
    char text[FTR_ACCESS_NAME_SIZE], renamed[FTR_ACCESS_NAME_SIZE];
    (void)snprintf(text, sizeof text, "%.*s", (int)pattern.size, pattern.data);
    const bool is_renamed = ftr_trace_has_accesses(input->reader) &&
                            ftr_access_pattern(text, false, renamed, sizeof renamed);
    warn(input, option, pattern, what, is_renamed ? renamed : ftr_near_name_get(&near));
}

static void warn_of_patterns(const ftr_input *input, const char *option,
                             const ftr_patterns *patterns, get_name *get, const char *what)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *rest = patterns->pattern[i];
        ftr_view pattern;
        while (ftr_glob_list_next(&rest, &pattern.data, &pattern.size))
            warn_of_pattern(input, option, pattern, get, what);
    }
}

void ftr_warn_of_names(const ftr_input *input, const ftr_patterns *streams,
                       const ftr_patterns *generators)
{
    /* The streams of a pipe are not known yet. */
    if (ftr_reader_stream_count(input->reader) == 0)
        return;
    warn_of_patterns(input, "--stream", streams, stream_name, "matches no stream");
    warn_of_patterns(input, "--generator", generators, generator_name, "matches no generator");
}

void ftr_warn_of_ticks(const char *path, int time_scale, const char *option, bool negative,
                       uint64_t ticks)
{
    static ftr_printer tick;
    ftr_printer_init(&tick, -1);
    ftr_print_time(&tick, 1, time_scale);
    ftr_print_error("%s: warning: %s %s%" PRIu64 " has no unit: taken as ticks of %.*s", path,
                    option, negative ? "-" : "", ticks, (int)tick.filled, tick.bytes);
}

void ftr_warn_of_bare_option(const ftr_input *input, const char *option, uint64_t ticks)
{
    ftr_file_info info;
    ftr_reader_get_info(input->reader, &info);
    ftr_warn_of_ticks(input->path, info.time_scale, option, false, ticks);
}

static void offer_attributes(ftr_near_name *near, ftr_reader *reader, ftr_cursor *cursor)
{
    static uint64_t seen[NAMES_COMPARED]; /* index: id of the name modulo the size; value: id + 1 */
    ftr_transaction tx;
    ftr_attribute_value attribute;
    for (size_t i = 0; i < NAMES_COMPARED; i++)
        seen[i] = 0;
    for (unsigned i = 0; i < TRANSACTIONS_READ && ftr_cursor_next(cursor, &tx) == FTR_OK; i++)
        while (ftr_reader_next_attribute(reader, &tx, &attribute)) {
            uint64_t *known = &seen[attribute.name_id % NAMES_COMPARED];
            if (*known == attribute.name_id + 1 || attribute.name.data == NULL)
                continue;
            *known = attribute.name_id + 1;
            ftr_near_name_offer(near, attribute.name.data, attribute.name.size);
        }
}

void ftr_warn_of_attribute(const ftr_input *input, const ftr_query *query, const char *option,
                           ftr_view name)
{
    ftr_near_name near;
    ftr_cursor *cursor;
    ftr_query again = *query;
    again.order = FTR_ORDER_STORED;
    ftr_near_name_init(&near, name.data, name.size);
    if (ftr_cursor_open(input->reader, &again, &cursor) == FTR_OK) {
        offer_attributes(&near, input->reader, cursor);
        ftr_cursor_close(cursor);
    }
    const char *renamed =
        ftr_trace_has_accesses(input->reader) ? ftr_access_attribute(name.data, name.size) : NULL;
    warn(input, option, name, "matches no attribute of the transactions read",
         renamed != NULL ? renamed : ftr_near_name_get(&near));
}

void ftr_warn_of_bare_time(const ftr_input *input, const ftr_filter *filter)
{
    uint64_t ticks;
    if (filter != NULL && ftr_filter_bare_time(filter, &ticks))
        ftr_warn_of_bare_option(input, "--where:", ticks);
}

void ftr_warn_of_filter(const ftr_input *input, const ftr_query *query, const ftr_filter *filter)
{
    ftr_view name;
    for (size_t at = 0; filter != NULL && ftr_filter_next_unmatched(filter, &at, &name);)
        ftr_warn_of_attribute(input, query, "--where:", name);
}
