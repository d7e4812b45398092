/* Translates names of calls into names of accesses. */
#include "access_names.h"

#include "name_glob.h"
#include "text_view.h"

#include <stdio.h>

/* `calls`: the ending of the name of a stream of calls. `accesses`: the ending that the stream of
 * accesses has instead. The first ending that a name has is used, so longer endings come first. */
static const struct {
    const char *calls, *accesses;
} ENDS[] = {{"_bl_timed", ""}, {"_nb_timed", ""}, {"_timed", ""},    {"_bl", ""},
            {"_nb", ""},       {"_dmi", ".dmi"},  {"_dbg", ".debug"}};

/* `calls`: a generator of non-blocking calls; accesses are in generators of their commands instead.
 * `time`: a blank and the attribute of accesses that has the duration of these calls; empty:
 * none */
static const struct {
    const char *calls, *time;
} GENERATORS[] = {
    {"fw", ""}, {"bw", ""}, {"request", " request_time"}, {"response", " response_time"}};

/* Returns the index in ENDS of the ending at @p at. The ending must be followed by a dot, an
 * asterisk or the end of the pattern. -1: there is none. */
static int end_at(const char *at, size_t left)
{
    for (int i = 0; i < (int)(sizeof ENDS / sizeof ENDS[0]); i++) {
        const size_t length = strlen(ENDS[i].calls);
        if (ftr_text_begins(at, left, ENDS[i].calls) &&
            (left == length || at[length] == '.' || at[length] == '*'))
            return i;
    }
    return -1;
}

/* Returns the member `time` of a generator of calls; NULL for another generator. */
static const char *time_of(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof GENERATORS / sizeof GENERATORS[0]; i++)
        if (ftr_text_is(name, size, GENERATORS[i].calls))
            return GENERATORS[i].time;
    return NULL;
}

/* Appends bytes to @p text. @return false if @p text is too small */
static bool append(char *text, size_t size, size_t *used, const char *bytes, size_t count)
{
    if (count >= size - *used)
        return false;
    if (count > 0)
        memcpy(text + *used, bytes, count);
    *used += count;
    text[*used] = '\0';
    return true;
}

/* Appends a pattern, translated to names of accesses.
 * @param[out] any set to true if the pattern contains the name of a stream of calls
 * @param[out] time set to time_of() if the pattern contains a generator of calls */
static bool translate(const char *glob, size_t glob_size, char *text, size_t size, size_t *used,
                      bool *any, const char **time)
{
    for (size_t at = 0; at < glob_size; at++) {
        const int end = glob[at] == '_' ? end_at(glob + at, glob_size - at) : -1;
        if (end < 0)
            continue;
        const char *rest = glob + at + strlen(ENDS[end].calls);
        size_t left = glob_size - (size_t)(rest - glob);
        const bool is_any = left > 0 && *rest == '*'; /* `N_bl*`: all streams of N */
        rest += is_any;
        left -= is_any;
        const char *replaced = left > 0 ? time_of(rest + 1, left - 1) : NULL;
        *any = true;
        *time = replaced != NULL ? replaced : *time;
        return append(text, size, used, glob, at) &&
               append(text, size, used, ENDS[end].accesses, strlen(ENDS[end].accesses)) &&
               append(text, size, used, replaced != NULL ? ".*" : rest,
                      replaced != NULL ? 2 : left);
    }
    return append(text, size, used, glob, glob_size);
}

bool ftr_access_pattern(const char *pattern, bool is_time, char *text, size_t size)
{
    const char *glob;
    size_t glob_size;
    size_t used = 0;
    bool any = false;
    const char *time = "";
    while (ftr_glob_list_next(&pattern, &glob, &glob_size))
        if ((used > 0 && !append(text, size, &used, ",", 1)) ||
            !translate(glob, glob_size, text, size, &used, &any, &time))
            return false;
    return any && (!is_time || append(text, size, &used, time, strlen(time)));
}

const char *ftr_access_attribute(const char *name, size_t size)
{
    static const struct {
        const char *calls, *accesses;
    } NAMES[] = {{"trans.id", "payload_id"},
                 {"trans.address", "address"},
                 {"trans.data_length", "length"},
                 {"trans.data", "data"},
                 {"trans.bytes", "data"},
                 {"trans.response_status", "response"},
                 {"trans.streaming_width", "streaming_width"},
                 {"trans.byte_enable", "byte_enable"},
                 {"trans.byte_enable_length", "byte_enable"},
                 {"trans.gp_option", "gp_option"},
                 {"trans.dmi_allowed", "dmi_allowed"},
                 {"trans.command", "generator"},
                 {"start_delay", "delay"},
                 {"tlm_phase", "phase"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (ftr_text_is(name, size, NAMES[i].calls))
            return NAMES[i].accesses;
    return NULL;
}
