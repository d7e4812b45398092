/* ftr dump: prints transactions as text, JSON lines or columns. */
#include "command.h"

#include "event_parents.h"
#include "exchange_file.h"
#include "filter_expression.h"
#include "formats.h"
#include "kev_log.h"
#include "name_warnings.h"
#include "selection_options.h"
#include "text_view.h"
#include "transaction_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COLUMNS_MAX 64
/* Interval in which the size of a growing file is checked. */
#define FOLLOW_MS 200

typedef struct dump_options {
    ftr_input_options input;
    ftr_choice choice;
    ftr_order order;
    bool json;
    bool decimal;
    bool follow;
    bool relations;
    const char *where;
    const char *format; /* format of a kernel log; NULL: default */
    uint64_t limit;     /* UINT64_MAX: no limit */
    ftr_view columns[COLUMNS_MAX];
    size_t column_count;
} dump_options;

enum {
    OPTION_JSON = FTR_OPTION_OWN,
    OPTION_WHERE,
    OPTION_COLUMNS,
    OPTION_LIMIT,
    OPTION_FOLLOW,
    OPTION_ORDER,
    OPTION_RELATIONS,
    OPTION_DECIMAL,
    OPTION_FORMAT
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_CHOICE_LONG_OPTIONS,
    {"json", no_argument, NULL, OPTION_JSON},
    {"where", required_argument, NULL, OPTION_WHERE},
    {"columns", required_argument, NULL, OPTION_COLUMNS},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"follow", no_argument, NULL, OPTION_FOLLOW},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"relations", no_argument, NULL, OPTION_RELATIONS},
    {"decimal", no_argument, NULL, OPTION_DECIMAL},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_columns(dump_options *options, const char *list)
{
    while (options->column_count < COLUMNS_MAX) {
        const char *comma = strchr(list, ',');
        const size_t size = comma != NULL ? (size_t)(comma - list) : strlen(list);
        if (size == 0)
            return false;
        options->columns[options->column_count++] = (ftr_view){list, size};
        if (comma == NULL)
            return true;
        list = comma + 1;
    }
    return false;
}

static bool parse_count(const char *text, uint64_t *count)
{
    char *end;
    errno = 0;
    *count = strtoull(text, &end, 10);
    return end != text && *end == '\0' && *text != '-' && errno == 0;
}

static bool parse_order(const char *text, ftr_order *order)
{
    if (strcmp(text, "begin") == 0)
        *order = FTR_ORDER_BEGIN;
    else if (strcmp(text, "end") == 0)
        *order = FTR_ORDER_END;
    else if (strcmp(text, "stored") == 0)
        *order = FTR_ORDER_STORED;
    else
        return false;
    return true;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    dump_options *options = taken;
    switch (option) {
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&options->input, option, argument);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_WHERE:
        options->where = argument;
        return true;
    case OPTION_COLUMNS:
        return parse_columns(options, argument);
    case OPTION_LIMIT:
        return parse_count(argument, &options->limit);
    case OPTION_FORMAT:
    case 'p':
        options->format = argument;
        return true;
    case OPTION_DECIMAL:
        options->decimal = true;
        return true;
    case OPTION_FOLLOW:
        options->follow = true;
        options->order = FTR_ORDER_STORED;
        return true;
    case OPTION_ORDER:
        return parse_order(argument, &options->order);
    case OPTION_RELATIONS:
        options->relations = true;
        return true;
    default:
        return ftr_choice_parse_option(&options->choice, option, argument);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The data with which one thread prints lines. */
typedef struct dump_thread {
    ftr_filter *filter;             /* NULL: all transactions */
    bool column_found[COLUMNS_MAX]; /* true: at least one transaction had a value; index: column */
    ftr_printer line;
} dump_thread;

typedef struct dump {
    const dump_options *options;
    ftr_input input;
    bool is_pipe; /* the input is a pipe or a socket, whose bytes can be read only once */
    ftr_value_style style;
    ftr_link_names links; /* empty for a pipe, whose streams are not known yet */
    uint64_t left;
    bool has_printed; /* at least one transaction was printed */
    ftr_event_parents parents;
    dump_thread *threads;
    ftr_printer out;
} dump;

/* @return false if the transaction has no such attribute */
static bool put_attribute(ftr_printer *out, ftr_view name, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.name.size != name.size || attribute.name.data == NULL ||
            memcmp(attribute.name.data, name.data, name.size) != 0)
            continue;
        if (attribute.form == FTR_FORM_TEXT && attribute.as.text.data != NULL)
            ftr_print_plain(out, attribute.as.text.data, attribute.as.text.size);
        else
            ftr_put_value_json(out, &attribute);
        return true;
    }
    return false;
}

static void put_link(ftr_printer *out, ftr_view label)
{
    ftr_print_plain(out, label.data, label.size);
}

/* Prints one column. Columns are separated by tabs; a tab within a text is printed as \x09.
 * @return false if the transaction has no such column */
static bool put_column(ftr_printer *out, ftr_view column, ftr_reader *reader, ftr_transaction *tx,
                       uint64_t parent, const ftr_link_names *links)
{
    if (parent != FTR_NO_PARENT && ftr_view_is(column, "parent"))
        ftr_print_uint(out, parent);
    else if (ftr_view_is(column, "id"))
        ftr_print_uint(out, tx->id);
    else if (ftr_view_is(column, "begin"))
        ftr_print_uint(out, tx->begin);
    else if (ftr_view_is(column, "end"))
        ftr_print_uint(out, tx->end);
    else if (ftr_view_is(column, "duration"))
        ftr_print_uint(out, tx->end >= tx->begin ? tx->end - tx->begin : 0);
    else if (ftr_view_is(column, "stream"))
        ftr_print_plain(out, tx->stream->name.data, tx->stream->name.size);
    else if (ftr_view_is(column, "link"))
        put_link(out, ftr_link_label(links, tx->stream->name));
    else if (ftr_view_is(column, "generator"))
        ftr_print_plain(out, tx->generator->name.data, tx->generator->name.size);
    else
        return put_attribute(out, column, reader, tx);
    return true;
}

static void put_header(dump *d)
{
    for (size_t i = 0; i < d->options->column_count; i++) {
        if (i > 0)
            ftr_print_char(&d->out, '\t');
        ftr_print_plain(&d->out, d->options->columns[i].data, d->options->columns[i].size);
    }
    if (d->options->column_count > 0)
        ftr_print_char(&d->out, '\n');
}

/* Prints the line of a transaction to a buffer. Called by any of the reading threads. */
static bool prepare_line(void *user, unsigned number, ftr_reader *reader, ftr_transaction *tx,
                         ftr_prepared *prepared)
{
    const dump *d = user;
    dump_thread *thread = &d->threads[number];
    ftr_printer *line = &thread->line;
    if (thread->filter != NULL && !ftr_filter_accepts(thread->filter, reader, tx))
        return false;
    const uint64_t parent = ftr_event_parents_find(&d->parents, tx);
    ftr_printer_prepare(line, prepared);
    if (d->options->column_count > 0) {
        for (size_t i = 0; i < d->options->column_count; i++) {
            if (i > 0)
                ftr_print_char(line, '\t');
            thread->column_found[i] |=
                put_column(line, d->options->columns[i], reader, tx, parent, d->style.links);
        }
    } else if (d->options->json) {
        ftr_put_transaction_json(line, reader, tx, parent, d->style.links);
    } else {
        ftr_put_transaction_plain(line, reader, tx, parent, d->style);
    }
    ftr_print_char(line, '\n');
    (void)ftr_printer_flush(line);
    return true;
}

static void put_stream_id(ftr_json *json, const char *name, bool has_streams, uint64_t stream)
{
    if (has_streams)
        ftr_json_count(json, name, stream);
    else
        ftr_json_null(json, name);
}

static void put_relation(dump *d, const ftr_relation_info *relation)
{
    ftr_printer *out = &d->out;
    if (d->options->json) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "record", "relation");
        ftr_json_view(&json, "name", relation->name);
        ftr_json_count(&json, "from", relation->from_tx);
        ftr_json_count(&json, "to", relation->to_tx);
        put_stream_id(&json, "from_stream", relation->has_streams, relation->from_stream);
        put_stream_id(&json, "to_stream", relation->has_streams, relation->to_stream);
        ftr_json_end_line(&json);
        return;
    }
    ftr_print_char(out, '#');
    ftr_print_uint(out, relation->from_tx);
    ftr_print_char(out, ' ');
    if (relation->name.data != NULL)
        ftr_print_plain(out, relation->name.data, relation->name.size);
    else
        ftr_print_char(out, '?');
    ftr_print_string(out, " #");
    ftr_print_uint(out, relation->to_tx);
    ftr_print_char(out, '\n');
}

static void warn_of_columns(const dump *d, const ftr_query *query)
{
    for (size_t i = 0; d->has_printed && i < d->options->column_count; i++)
        if (!d->threads[0].column_found[i])
            ftr_warn_of_attribute(&d->input, query, "--columns:", d->options->columns[i]);
}

/* Notes in the data of the first thread which names of attributes the other threads found. */
static void gather_names(const dump *d)
{
    for (unsigned k = 1; k < d->input.threads; k++) {
        for (size_t i = 0; i < COLUMNS_MAX; i++)
            d->threads[0].column_found[i] |= d->threads[k].column_found[i];
        if (d->threads[0].filter != NULL)
            ftr_filter_gather(d->threads[0].filter, d->threads[k].filter);
    }
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Waits until a growing file has grown. @return false if the file cannot grow any more */
static bool wait_for_more(dump *d)
{
    (void)ftr_printer_flush(&d->out);
    ftr_file_info info;
    while (!d->is_pipe) {
        bool grown = false;
        const ftr_status status = ftr_reader_refresh(d->input.reader, &grown);
        if (!ftr_input_check_end(&d->input, status))
            return false;
        if (grown)
            return true;
        ftr_reader_get_info(d->input.reader, &info);
        if (info.ended || d->out.failed)
            return false;
        const struct timespec pause = {.tv_nsec = FOLLOW_MS * 1000000L};
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

static bool dump_transactions(dump *d)
{
    ftr_query query;
    if (!ftr_choice_query(&d->options->choice, &d->input, &query))
        return false;
    const ftr_query choice = query;
    query.order = d->options->order;
    query.prepare = prepare_line;
    query.prepare_user = d;
    /* Several threads would also test transactions behind the last printed line, and names of
     * attributes in these transactions would count as found. */
    if (d->options->limit != UINT64_MAX)
        query.threads = 1;
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(d->input.reader, &query, &cursor);
    if (status != FTR_OK)
        return ftr_input_check_end(&d->input, status);
    while (d->left > 0 && !d->out.failed) {
        const void *line;
        size_t size;
        status = ftr_cursor_next_prepared(cursor, &line, &size);
        if (status == FTR_ERR_END && d->options->follow && wait_for_more(d))
            continue;
        if (status != FTR_OK)
            break;
        ftr_print(&d->out, line, size);
        d->has_printed = true;
        d->left--;
        /* Print transactions immediately: the next bytes of the pipe may come much later. */
        if (d->is_pipe && d->options->follow)
            (void)ftr_printer_flush(&d->out);
    }
    ftr_cursor_close(cursor);
    (void)ftr_printer_flush(&d->out);
    gather_names(d);
    warn_of_columns(d, &choice);
    ftr_warn_of_filter(&d->input, &choice, d->threads[0].filter);
    return ftr_input_check_end(&d->input, status);
}

static bool dump_relations(dump *d)
{
    ftr_relation_cursor *cursor;
    ftr_status status = ftr_relation_cursor_open(d->input.reader, false, 0, &cursor);
    if (status != FTR_OK)
        return ftr_input_check_end(&d->input, status);
    ftr_relation_info relation;
    while (!d->out.failed && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        put_relation(d, &relation);
    ftr_relation_cursor_close(cursor);
    return ftr_input_check_end(&d->input, status);
}

/* Returns true if the bytes of @p path ("-": standard input) can be read more than once. */
static bool is_regular(const char *path)
{
    struct stat status;
    const bool known =
        (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0;
    return !known || S_ISREG(status.st_mode);
}

/* Creates a filter for each thread. @return false after an error message */
static bool open_filters(const dump *d)
{
    const char *where = d->options->where;
    for (unsigned k = 0; where != NULL && k < d->input.threads; k++) {
        d->threads[k].filter = ftr_filter_create(where, d->style.time_scale);
        if (d->threads[k].filter == NULL)
            return false;
    }
    if (where != NULL)
        ftr_warn_of_bare_time(&d->input, d->threads[0].filter);
    return true;
}

/* Reads the labels of links. @return false after an error message */
static bool open_links(dump *d)
{
    if (ftr_run_links_read(d->input.reader, &d->links) == FTR_OK)
        return true;
    ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    return false;
}

static bool open_threads(dump *d)
{
    d->threads = calloc(d->input.threads, sizeof *d->threads);
    for (unsigned k = 0; d->threads != NULL && k < d->input.threads; k++)
        ftr_printer_init(&d->threads[k].line, -1);
    if (d->threads == NULL)
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    return d->threads != NULL && open_filters(d);
}

static void close_threads(dump *d)
{
    for (unsigned k = 0; d->threads != NULL && k < d->input.threads; k++)
        ftr_filter_destroy(d->threads[k].filter);
    free(d->threads);
}

static int dump_file(const dump_options *options, const char *path)
{
    static dump d; /* static because its output buffer is large */
    d.options = options;
    d.left = options->limit;
    d.has_printed = false;
    d.is_pipe = !is_regular(path);
    ftr_printer_init(&d.out, STDOUT_FILENO);
    ftr_input_options input = options->input;
    input.growing = options->follow && !d.is_pipe;
    if (!ftr_input_open(&d.input, path, &input))
        return FTR_EXIT_TROUBLE;
    ftr_file_info info;
    ftr_reader_get_info(d.input.reader, &info);
    d.style = (ftr_value_style){info.time_scale, options->decimal, &d.links};
    bool ok = open_links(&d) && open_threads(&d);
    d.parents = (ftr_event_parents){0};
    /* The relations of a growing file, or of a pipe that is read only once, come after the events.
     */
    if (ok && !options->follow && (!d.is_pipe || options->input.spool))
        ok = ftr_event_parents_read(&d.parents, &d.input);
    if (ok) {
        put_header(&d);
        ok = dump_transactions(&d) && (!options->relations || dump_relations(&d));
    }
    ok &= ftr_stdout_finish(&d.out);
    close_threads(&d);
    ftr_event_parents_release(&d.parents);
    ftr_link_names_release(&d.links);
    const bool errors = d.input.errors > 0;
    ftr_input_close(&d.input);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    /* Errors in a growing file may be temporary, because the end of the file is still being
     * written. */
    return errors && (!options->follow || d.is_pipe) ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

/* ---- other formats --------------------------------------------------------------------------- */

static void print_message(void *user, const char *message)
{
    (void)user;
    ftr_print_error("%s", message);
}

typedef bool dump_function(const char *path, const char *format, ftr_printer *out,
                           const ftr_exchange_report *report, uint64_t *errors);

static bool dump_flux(const char *path, const char *format, ftr_printer *out,
                      const ftr_exchange_report *report, uint64_t *errors)
{
    (void)format;
    return ftr_flux_dump(path, out, report, errors);
}

/* Reads the first bytes of a file, or of stdin if stdin is a file. */
static size_t read_first(const char *path, unsigned char *first, size_t size)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = !is_regular(path) ? -1
                   : is_stdin        ? STDIN_FILENO
                                     : open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? pread(fd, first, size, 0) : 0;
    if (fd >= 0 && !is_stdin)
        (void)close(fd);
    return got > 0 ? (size_t)got : 0;
}

/* Returns the function that dumps a file of another format; NULL if the format is unknown. */
static dump_function *other_format(const char *path)
{
    unsigned char first[32];
    const size_t size = read_first(path, first, sizeof first);
    return ftr_flux_is_flux(first, size) ? dump_flux
           : ftr_kev_is_log(first, size) ? ftr_kev_dump
                                         : NULL;
}

static int dump_other(const char *path, const char *format, dump_function *show)
{
    static ftr_printer out;
    const ftr_exchange_report report = {print_message, NULL};
    uint64_t errors = 0;
    ftr_printer_init(&out, STDOUT_FILENO);
    const bool ok =
        show(path, format != NULL ? format : FTR_KEV_FORMAT_DEFAULT, &out, &report, &errors);
    if (!ftr_stdout_finish(&out))
        return FTR_EXIT_TROUBLE;
    return !ok ? FTR_EXIT_TROUBLE : errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static const ftr_option_set OPTIONS = {&ftr_command_dump, ":hj:p:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    dump_options options = {.order = FTR_ORDER_BEGIN, .limit = UINT64_MAX};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 1)
        return ftr_misuse(&ftr_command_dump, "one file is expected");
    if (options.follow && options.order != FTR_ORDER_STORED)
        return ftr_misuse(&ftr_command_dump, "--follow shows transactions as they are stored");
    /* A pipe can be read in stored order only; for any other order, it is first copied to a
     * temporary file. */
    options.input.spool = options.order != FTR_ORDER_STORED || options.relations;
    dump_function *other = other_format(argv[optind]);
    const char *invalid = options.format != NULL ? ftr_kev_format_check(options.format) : NULL;
    if (invalid != NULL)
        return ftr_misuse(
            &ftr_command_dump,
            "--format: invalid field at '%s'; a field is %%c, %%C, %%e, %%t, %%Z, %%z or "
            "%%%%, with flags (- 0), width and precision behind the percent sign",
            invalid);
    if (options.format != NULL && other != ftr_kev_dump)
        return ftr_misuse(&ftr_command_dump, "%s: --format is only valid for a QNX kernel log",
                          argv[optind]);
    if (other != NULL)
        return dump_other(argv[optind], options.format, other);
    return dump_file(&options, argv[optind]);
}

const ftr_command ftr_command_dump = {
    "dump",
    "prints transactions as text, JSON lines or columns, in order of time",
    run,
    "[OPTION]... FILE",
    "  --json                  print one JSON object per line\n"
    "  --columns NAME,...      print these columns, separated by tabs: id, begin, end, duration\n"
    "                          (in ticks), stream, link, generator, parent (of an event), and\n"
    "                          names of attributes\n" FTR_CHOICE_OPTIONS_TEXT
    "  --where CONDITION       only transactions that fulfil the condition:\n"
    "                          'address >= 0x1000 && duration > 10us'\n"
    "  --decimal               print addresses and pointers as decimal numbers\n"
    "  --limit N               only the first N transactions\n"
    "  --order ORDER           begin (default), end or stored\n"
    "  --relations             also print the relations, after the transactions\n"
    "  --follow                continue while the file is being written, in stored "
    "order\n" FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "Flux files and QNX logs are printed entry by entry. Only one option has an effect on them:\n"
    "  -p, --format FORMAT     QNX logs: format of the beginning of a line, as for traceprinter;\n"
    "                          default: 't:0x%08c CPU:%02C %-16Z:%-18z'\n",
};
