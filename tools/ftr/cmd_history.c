/* ftr history: adds nights to a history, prints them, and tells since when their figures have
 * changed. */
#include "command.h"
#include "earlier_nights.h"
#include "figure_table.h"
#include "history_view.h"
#include "plain_message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define TOP_DEFAULT 40

typedef struct history_options {
    ftr_history_view view;
    ftr_night_change_options changes;
    ftr_figure_metric metrics[FTR_NIGHT_METRICS_MAX];
    const char *metric_list;
    size_t last;            /* number of nights; 0: all */
    const char *key, *name; /* of added nights */
    int64_t time;           /* 0: the time of the runs */
    ftr_figure_columns percentiles;
} history_options;

enum {
    OPTION_CSV = 0x100,
    OPTION_SPREADSHEET,
    OPTION_JSON,
    OPTION_TEST,
    OPTION_GENERATOR,
    OPTION_METRICS,
    OPTION_LAST,
    OPTION_TOP,
    OPTION_LEVEL,
    OPTION_EFFECT,
    OPTION_COUNT_EFFECT,
    OPTION_KEY,
    OPTION_NAME,
    OPTION_TIME,
    OPTION_PERCENTILES
};

static const struct option LONG_OPTIONS[] = {
    {"csv", no_argument, NULL, OPTION_CSV},
    {"spreadsheet", no_argument, NULL, OPTION_SPREADSHEET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"test", required_argument, NULL, OPTION_TEST},
    {"generator", required_argument, NULL, OPTION_GENERATOR},
    {"metrics", required_argument, NULL, OPTION_METRICS},
    {"last", required_argument, NULL, OPTION_LAST},
    {"top", required_argument, NULL, OPTION_TOP},
    {"level", required_argument, NULL, OPTION_LEVEL},
    {"effect", required_argument, NULL, OPTION_EFFECT},
    {"count-effect", required_argument, NULL, OPTION_COUNT_EFFECT},
    {"key", required_argument, NULL, OPTION_KEY},
    {"name", required_argument, NULL, OPTION_NAME},
    {"time", required_argument, NULL, OPTION_TIME},
    {"percentiles", required_argument, NULL, OPTION_PERCENTILES},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* ---- options --------------------------------------------------------------------------------- */

static bool parse_size(const char *argument, size_t *number)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(argument, &end, 10);
    *number = value;
    return end != argument && *end == '\0' && *argument != '-' && errno == 0;
}

static bool parse_real(const char *argument, double greatest, double *value)
{
    char *end;
    *value = strtod(argument, &end);
    return end != argument && *end == '\0' && *value >= 0 && *value <= greatest;
}

/* Reads "2026-11-24", with or without a time of day. */
static bool parse_time(const char *argument, int64_t *time)
{
    static const char *const FORMS[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S",
                                        "%Y-%m-%d %H:%M"};
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        struct tm fields = {0};
        const char *end = strptime(argument, FORMS[i], &fields);
        if (end != NULL && (*end == '\0' || strcmp(end, "Z") == 0)) {
            *time = timegm(&fields);
            return true;
        }
    }
    return false;
}

static bool parse_metrics(const char *list, history_options *options)
{
    size_t count = 0;
    for (const char *at = list;; at++) {
        const size_t size = strcspn(at, ",");
        if (count == FTR_NIGHT_METRICS_MAX ||
            !ftr_figure_metric_parse(at, size, &options->metrics[count++]))
            return false;
        at += size;
        if (*at == '\0')
            break;
    }
    options->changes.metrics = options->metrics;
    options->changes.metric_count = count;
    return true;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    history_options *options = taken;
    switch (option) {
    case OPTION_CSV:
        options->view.format = FTR_ROWS_CSV;
        return true;
    case OPTION_SPREADSHEET:
        options->view.for_spreadsheet = true;
        return true;
    case OPTION_JSON:
        options->view.format = FTR_ROWS_JSON;
        return true;
    case OPTION_TEST:
        options->changes.tests = argument;
        return true;
    case OPTION_GENERATOR:
        options->changes.generators = argument;
        return true;
    case OPTION_METRICS:
        return parse_metrics(argument, options);
    case OPTION_LAST:
        return parse_size(argument, &options->last);
    case OPTION_TOP:
        return parse_size(argument, &options->view.top);
    case OPTION_LEVEL:
        return parse_real(argument, 1, &options->changes.points.level);
    case OPTION_EFFECT:
        return parse_real(argument, 1e6, &options->changes.effect);
    case OPTION_COUNT_EFFECT:
        return parse_real(argument, 1e15, &options->changes.count_effect);
    case OPTION_KEY:
        options->key = argument;
        return argument[0] != '\0';
    case OPTION_NAME:
        options->name = argument;
        return argument[0] != '\0' && strlen(argument) < FTR_NIGHT_NAME_SIZE;
    case OPTION_TIME:
        return parse_time(argument, &options->time);
    default:
        return ftr_figure_columns_parse(argument, &options->percentiles);
    }
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void say_added(const char *path, const ftr_history_entry *night)
{
    ftr_print_message(stdout, "", "%s: night %s: %llu runs", path, night->name,
                      (unsigned long long)night->runs);
}

/* Tells that a night is in the history already. @return FTR_EXIT_OK if it is the same night */
static int refuse(const char *path, const ftr_history_entry *known, const char *input, bool is_same)
{
    if (is_same) {
        ftr_print_message(stdout, "", "%s: has the night of %s already: %s", path, input,
                          known->name);
        return FTR_EXIT_OK;
    }
    ftr_print_error("%s: has another night with the name '%s'; nothing of %s is added; give the "
                    "night another --name, or remove the other one with 'ftr history drop'",
                    path, known->name, input);
    return FTR_EXIT_TROUBLE;
}

/* Returns the exit status for a night that the history has; FTR_EXIT_FOUND if it has none. */
static int find_known(const ftr_history *history, const char *path, const char *input,
                      const uint8_t *identity, const char *name)
{
    const ftr_history_entry *known = ftr_history_find(history, identity);
    if (known != NULL)
        return refuse(path, known, input, true);
    known = ftr_history_find_name(history, name);
    return known != NULL ? refuse(path, known, input, false) : FTR_EXIT_FOUND;
}

static bool is_done(ftr_status status, const char *path)
{
    if (status != FTR_OK)
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status == FTR_OK;
}

static int add_history(ftr_history *to, const char *path, const char *input)
{
    ftr_history from;
    int worst = ftr_history_input_open(&from, input) ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
    for (size_t i = 0; i < from.count && worst != FTR_EXIT_TROUBLE; i++) {
        const ftr_history_entry *night = &from.nights[i];
        const int known = find_known(to, path, input, night->identity, night->name);
        if (known == FTR_EXIT_TROUBLE)
            worst = known;
        else if (known == FTR_EXIT_FOUND && !is_done(ftr_history_copy(to, &from, i), path))
            worst = FTR_EXIT_TROUBLE;
        else if (known == FTR_EXIT_FOUND)
            say_added(path, night);
    }
    worst = worst == FTR_EXIT_OK && from.is_cut ? FTR_EXIT_FOUND : worst;
    ftr_history_close(&from);
    return worst;
}

/* Chooses the metrics of a history. */
static bool measure(ftr_history_night *night, const history_options *options)
{
    static const char *const USUAL[] = {"count",       "errors",     "unfinished", "bytes",
                                        "outstanding", "throughput", "bandwidth",  "busy",
                                        "min",         "mean",       "max",        "p50",
                                        "p90",         "p95",        "p99",        "p99.9"};
    bool ok = true;
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0]; i++) {
        ftr_figure_metric metric = {0};
        ok &= ftr_figure_metric_parse(USUAL[i], strlen(USUAL[i]), &metric) &&
              ftr_history_night_measure(night, metric);
    }
    for (unsigned i = 0; i < options->percentiles.percentile_count; i++)
        ok &= ftr_history_night_measure(
            night, (ftr_figure_metric){.kind = FTR_METRIC_PERCENTILE,
                                       .percent = options->percentiles.percentiles[i]});
    return ok;
}

/* Sets the time of a night without a time: that of its file. */
static void set_time(ftr_history_night *night, const char *input, const history_options *options)
{
    struct stat about;
    if (options->time != 0) {
        night->time = options->time;
    } else if (night->time == 0 && stat(input, &about) == 0) {
        night->time = about.st_mtime;
        ftr_print_error("%s: warning: its runs do not tell when they began; the night has the time "
                        "of the file (--time TIME sets it)",
                        input);
    }
    if (options->name != NULL)
        (void)snprintf(night->name, sizeof night->name, "%s", options->name);
    else
        (void)ftr_night_time_text(night->time, night->name);
}

static int add_summary(ftr_history *to, const char *path, const char *input,
                       const history_options *options)
{
    ftr_history_night night;
    ftr_history_night_init(&night);
    int status = FTR_EXIT_TROUBLE;
    if (!measure(&night, options)) {
        ftr_print_error("there are more than %u metrics", FTR_NIGHT_METRICS_MAX);
    } else if (ftr_night_read_summary(&night, input, options->key, NULL)) {
        set_time(&night, input, options);
        status = find_known(to, path, input, night.identity, night.name);
        if (status == FTR_EXIT_FOUND) {
            status = is_done(ftr_history_append(to, &night), path) ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
            if (status == FTR_EXIT_OK)
                say_added(path, ftr_history_find(to, night.identity));
        }
    }
    ftr_history_night_release(&night);
    return status;
}

static bool is_history(const char *path)
{
    ftr_history history;
    ftr_summary_problem problem;
    const ftr_status status = ftr_history_open(&history, path, &problem);
    ftr_history_close(&history);
    return status == FTR_OK;
}

static int add(const char *path, char **inputs, size_t count, const history_options *options)
{
    ftr_history history;
    ftr_summary_problem problem;
    int worst = FTR_EXIT_TROUBLE;
    if (count == 0)
        return ftr_misuse(&ftr_command_history, "a history and a summary are expected");
    if (count > 1 && (options->name != NULL || options->time != 0))
        return ftr_misuse(&ftr_command_history, "--name and --time are for one night");
    if (ftr_history_is_read(ftr_history_open_to_add(&history, path, &problem), path, &problem)) {
        worst = FTR_EXIT_OK;
        for (size_t i = 0; i < count; i++) {
            const int status = is_history(inputs[i])
                                   ? add_history(&history, path, inputs[i])
                                   : add_summary(&history, path, inputs[i], options);
            worst = status > worst ? status : worst;
        }
    }
    ftr_history_close(&history);
    return worst;
}

/* ---- removing -------------------------------------------------------------------------------- */

/* Marks the nights that are not named. @return false after an error message */
static bool mark_kept(const ftr_history *history, const char *path, char **names, size_t count,
                      bool *is_kept)
{
    for (size_t i = 0; i < history->count; i++)
        is_kept[i] = true;
    for (size_t i = 0; i < count; i++) {
        const ftr_history_entry *night = ftr_history_find_name(history, names[i]);
        if (night == NULL) {
            ftr_print_error("%s: has no night '%s'; nothing is removed", path, names[i]);
            return false;
        }
        is_kept[night - history->nights] = false;
    }
    return true;
}

static int drop(const char *path, char **names, size_t count)
{
    ftr_history history;
    ftr_summary_problem problem;
    struct stat about;
    if (count == 0)
        return ftr_misuse(&ftr_command_history, "a history and the name of a night are expected");
    if (stat(path, &about) != 0) {
        ftr_print_error("%s: %s", path, strerror(errno));
        return FTR_EXIT_TROUBLE;
    }
    bool ok =
        ftr_history_is_read(ftr_history_open_to_add(&history, path, &problem), path, &problem);
    bool *is_kept = ok ? malloc(history.count + 1) : NULL;
    ok = ok && is_kept != NULL && mark_kept(&history, path, names, count, is_kept) &&
         is_done(ftr_history_keep(&history, path, is_kept), path);
    free(is_kept);
    ftr_history_close(&history);
    if (ok)
        ftr_print_message(stdout, "", "%s: %zu nights removed", path, count);
    return ok ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}

/* ---- printing -------------------------------------------------------------------------------- */

static int show(const char *path, const history_options *options)
{
    ftr_history history;
    ftr_night_changes changes = {.options = &options->changes};
    bool ok = ftr_history_input_open(&history, path);
    const bool is_cut = history.is_cut;
    const size_t first =
        options->last > 0 && history.count > options->last ? history.count - options->last : 0;
    for (size_t i = first; i < history.count && ok; i++) {
        ftr_history_night night;
        ftr_summary_problem problem;
        ok = ftr_history_is_read(ftr_history_read(&history, i, &night, &problem), path, &problem);
        if (ok && !ftr_night_changes_add(&changes, &night)) {
            ftr_print_error("%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
            ok = false;
        }
        ftr_history_night_release(&night);
    }
    if (ok && changes.count == 0 && history.count > 0 &&
        (options->changes.tests != NULL || options->changes.generators != NULL)) {
        ftr_print_error("%s: no figure has this test, generator and metric", path);
        ok = false;
    }
    ok = ok && is_done(ftr_night_changes_find(&changes), path) &&
         ftr_history_print(&history, first, &changes, &options->view);
    ftr_night_changes_release(&changes);
    ftr_history_close(&history);
    return !ok ? FTR_EXIT_TROUBLE : is_cut ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static const ftr_option_set OPTIONS = {&ftr_command_history, ":h", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static history_options options = {
        .changes = {.points = FTR_CHANGE_OPTIONS_DEFAULT, .effect = 1, .count_effect = 1}};
    int status;
    options.view.top = TOP_DEFAULT;
    (void)parse_metrics("count,errors,mean,p99,bandwidth", &options);
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    const size_t count = (size_t)(argc - optind);
    char **words = argv + optind;
    if (options.view.for_spreadsheet && options.view.format != FTR_ROWS_CSV)
        return ftr_misuse(&ftr_command_history, "--spreadsheet is for --csv");
    if (count >= 2 && strcmp(words[0], "add") == 0)
        return add(words[1], words + 2, count - 2, &options);
    if (count >= 2 && strcmp(words[0], "drop") == 0)
        return drop(words[1], words + 2, count - 2);
    if (count != 1)
        return ftr_misuse(&ftr_command_history,
                          "one history is expected, or 'add' or 'drop' before it");
    return show(words[0], &options);
}

const ftr_command ftr_command_history = {
    "history",
    "keeps the figures of many nights, and tells since when they have changed",
    run,
    "[OPTION]... FILE\n"
    "   or: ftr history add [OPTION]... FILE SUMMARY|HISTORY...\n"
    "   or: ftr history drop FILE NIGHT...",
    "Options of add:\n"
    "  --name NAME             name of the night; default: its time\n"
    "  --time TIME             time of the night, as 2026-11-24 or 2026-11-24T22:00 (UTC); "
    "default:\n"
    "                          the median of the times at which its runs began\n"
    "  --key TAG,...           name the test of a run by the values of its tags (FTR_TAGS)\n"
    "  --percentiles LIST      percentiles that are kept, in addition to 50, 90, 95, 99 and 99.9\n"
    "Options for printing:\n"
    "  --test PATTERN          only these tests\n"
    "  --generator PATTERN     only these generators (stream.generator)\n"
    "  --metrics LIST          metrics; default count,errors,mean,p99,bandwidth\n"
    "  --last NUMBER           only the last nights\n"
    "  --top NUMBER            number of changes that are printed, 0 for all; default 40\n"
    "  --level NUMBER          probability that a figure without a change has one; default 0.005\n"
    "  --effect PERCENT        smallest change of times and rates; default 1\n"
    "  --count-effect NUMBER   smallest change of counts; default 1\n"
    "  --csv                   print the medians of all nights, one per line; times in seconds\n"
    "  --spreadsheet           with --csv: put ' before a name that a spreadsheet could take for "
    "a\n"
    "                          formula; default: the exact name\n"
    "  --json                  print nights, changes and medians as one JSON object\n"
    "Adds the runs of each SUMMARY as a night, or the nights of another history. A night that the\n"
    "history has already is not added again. Exit status: 0 success, 1 the file ends with an\n"
    "incomplete night, 2 error.\n",
};
