/* Options that select transactions become a query. */
#include "selection_options.h"

#include "command.h"
#include "name_glob.h"

bool ftr_choice_parse_option(ftr_choice *choice, int option, const char *argument)
{
    switch (option) {
    case FTR_OPTION_STREAM:
        return ftr_patterns_add(&choice->streams, argument);
    case FTR_OPTION_GENERATOR:
        return ftr_patterns_add(&choice->generators, argument);
    case FTR_OPTION_FROM:
        choice->has_from = true;
        return ftr_time_parse(argument, &choice->from, NULL);
    default:
        choice->has_to = true;
        return ftr_time_parse(argument, &choice->to, NULL);
    }
}

static bool matches(const ftr_patterns *patterns, ftr_view name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (ftr_glob_list_matches(patterns->pattern[i], name.data, name.size))
            return true;
    return false;
}

static bool choose_stream(void *user, const ftr_stream_info *stream)
{
    const ftr_choice *choice = user;
    return matches(&choice->streams, stream->name);
}

static bool choose_generator(void *user, const ftr_generator_info *generator)
{
    const ftr_choice *choice = user;
    return matches(&choice->generators, generator->name);
}

static void warn(const ftr_choice *choice, const ftr_input *input)
{
    ftr_warn_of_names(input, &choice->streams, &choice->generators);
    if (choice->has_from && choice->from.in_ticks && choice->from.mantissa > 0)
        ftr_warn_of_bare_option(input, "--from", choice->from.mantissa);
    if (choice->has_to && choice->to.in_ticks && choice->to.mantissa > 0)
        ftr_warn_of_bare_option(input, "--to", choice->to.mantissa);
}

bool ftr_choice_query(const ftr_choice *choice, ftr_input *input, ftr_query *query)
{
    ftr_file_info info;
    ftr_reader_get_info(input->reader, &info);
    *query = (ftr_query){.size = sizeof *query, .to = UINT64_MAX, .user = (void *)choice};
    if (choice->streams.count > 0)
        query->choose_stream = choose_stream;
    if (choice->generators.count > 0)
        query->choose_generator = choose_generator;
    query->windowed = choice->has_from || choice->has_to;
    bool exact = true;
    if (choice->has_from) {
        bool fits = ftr_time_to_ticks(&choice->from, info.time_scale, &query->from, &exact);
        if (fits && !exact) /* if the window begins between two ticks, use the later tick */
            fits = query->from++ < UINT64_MAX;
        if (!fits) {
            ftr_print_error("%s: --from exceeds the greatest possible time of the file",
                            input->path);
            return false;
        }
    }
    /* If --to exceeds the maximum time, the window has no end. */
    if (choice->has_to && !ftr_time_to_ticks(&choice->to, info.time_scale, &query->to, &exact))
        query->to = UINT64_MAX;
    if (!input->has_warned)
        warn(choice, input);
    input->has_warned = true;
    if (query->from > query->to) {
        ftr_print_error("%s: --from is after --to", input->path);
        return false;
    }
    return true;
}
