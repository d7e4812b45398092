/* Owns the requests and signals while a run is served. Does not know HTTP or the content of
 * answers. */
#include "report_serve.h"

#include "command.h"
#include "loopback_server.h"
#include "served_search.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WAIT_MILLISECONDS 200
/* After a reading of a growing file, the pause before the next reading is this multiple of the
 * duration of the reading. */
#define PAUSE_FACTOR 4

/* Maximum duration of a part of a search, in milliseconds: the page shows the progress, and other
 * requests wait for this time. */
#define SEARCH_MILLISECONDS 100
/* A search that the page does not continue for this time has ended. */
#define SEARCH_IDLE_SECONDS 10

typedef struct serving {
    ftr_served_run run;
    ftr_served_search search;
    double search_time; /* time of the latest request of the search */
    double not_before; /* earliest time at which the file is read again, in seconds of the monotonic
                          clock */
} serving;

static volatile sig_atomic_t is_ended;

static void end(int signal_number)
{
    (void)signal_number;
    is_ended = 1;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void answer_page(const serving *served, ftr_http_answer *answer)
{
    answer->type = "text/html; charset=utf-8";
    if (!ftr_text_buffer_take(&answer->body, served->run.page.bytes, served->run.page.size))
        answer->status = 500;
}

/* Answers a request for data. If the file has grown, reads it again first, unless the pause after
 * the last reading is not over. */
static void answer_data(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    uint64_t revision = 0;
    bool changed = false;
    const double begin = now();
    if (begin >= served->not_before) {
        const ftr_status status = ftr_served_run_refresh(&served->run, &changed);
        if (status != FTR_OK)
            ftr_print_error("%s: %s", served->run.options->file, ftr_status_text(status));
        if (changed)
            served->not_before = now() + PAUSE_FACTOR * (now() - begin);
    }
    if (ftr_http_number(query, "revision", &revision) && revision == served->run.revision)
        answer->status = 204;
    else
        answer_page(served, answer);
}

static bool parse_tile(const serving *served, const ftr_http_query *query, const char *limit,
                       uint64_t most, ftr_tile_request *request)
{
    uint64_t count = most, stream;
    *request = (ftr_tile_request){.to = UINT64_MAX};
    (void)ftr_http_number(query, limit, &count);
    request->one_stream = ftr_http_number(query, "stream", &stream);
    if (request->one_stream && stream >= served->run.run.stream_count)
        return false;
    request->stream = request->one_stream ? (uint32_t)stream : 0;
    request->limit = (size_t)(count < most ? count : most);
    return ftr_http_number(query, "from", &request->from) &&
           ftr_http_number(query, "to", &request->to) && request->from <= request->to &&
           request->limit >= 2;
}

static ftr_status answer_tile(serving *served, const char *name, const ftr_http_query *query,
                              ftr_http_answer *answer)
{
    ftr_tile_request request;
    uint64_t id;
    if (strcmp(name, "transaction") == 0)
        return ftr_http_number(query, "id", &id)
                   ? ftr_served_transaction(&served->run, id, &answer->body)
                   : FTR_ERR_ARGUMENT;
    if (strcmp(name, "transactions") == 0)
        return parse_tile(served, query, "limit", FTR_SERVED_TRANSACTIONS_MAX, &request)
                   ? ftr_served_transactions(&served->run, &request, &answer->body)
                   : FTR_ERR_ARGUMENT;
    return parse_tile(served, query, "count", FTR_SERVED_BINS_MAX, &request)
               ? ftr_served_bins(&served->run, &request, &answer->body)
               : FTR_ERR_ARGUMENT;
}

static bool take_condition(void *user, const char *name, const char *value, size_t size)
{
    return strcmp(name, "limit") == 0 || ftr_search_conditions_add(user, name, value, size);
}

/* Begins a search, or continues the search with the number of the request. */
static unsigned answer_search(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    ftr_served_search *search = &served->search;
    uint64_t number, limit = UINT64_MAX;
    ftr_status status = FTR_OK;
    (void)ftr_http_number(query, "limit", &limit);
    if (limit < 2)
        return 400;
    if (ftr_http_number(query, "number", &number)) {
        if (!ftr_served_search_is(search, number))
            return 410;
    } else {
        ftr_served_search_end(search);
        status = ftr_http_parameters(query, take_condition, &search->conditions)
                     ? ftr_served_search_begin(search, &served->run)
                     : FTR_ERR_ARGUMENT;
    }
    if (status == FTR_OK)
        status = ftr_served_search_continue(search, SEARCH_MILLISECONDS, limit);
    if (status == FTR_OK)
        status = ftr_served_search_answer(search, &answer->body);
    if (status != FTR_OK)
        ftr_served_search_end(search);
    served->search_time = now();
    return status == FTR_OK ? 200 : status == FTR_ERR_ARGUMENT ? 400 : 500;
}

static void handle(void *user, const char *name, const ftr_http_query *query,
                   ftr_http_answer *answer)
{
    if (name[0] == '\0') {
        answer_page(user, answer);
    } else if (strcmp(name, "data") == 0) {
        answer_data(user, query, answer);
    } else if (strcmp(name, "transaction") == 0 || strcmp(name, "transactions") == 0 ||
               strcmp(name, "bins") == 0) {
        const ftr_status status = answer_tile(user, name, query, answer);
        answer->type = "application/octet-stream";
        answer->status = status == FTR_OK ? 200 : status == FTR_ERR_ARGUMENT ? 400 : 500;
    } else if (strcmp(name, "search") == 0) {
        answer->type = "application/octet-stream";
        answer->status = answer_search(user, query, answer);
    } else {
        answer->status = 404;
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int serve(const ftr_report_arguments *arguments, serving *served)
{
    ftr_loopback_server server;
    const struct sigaction action = {.sa_handler = end};
    if (ftr_loopback_server_open(&server, arguments->port, handle, served) != FTR_OK) {
        ftr_print_error("port %u: %s", (unsigned)arguments->port, strerror(errno));
        return FTR_EXIT_TROUBLE;
    }
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)printf("http://127.0.0.1:%u/%s/\n", (unsigned)server.port, server.token);
    (void)fflush(stdout);
    while (!is_ended) {
        ftr_loopback_server_run(&server, WAIT_MILLISECONDS);
        if (served->search.cursor != NULL && now() > served->search_time + SEARCH_IDLE_SECONDS)
            ftr_served_search_end(&served->search);
    }
    ftr_loopback_server_close(&server);
    return FTR_EXIT_OK;
}

static int serve_open(const ftr_report_arguments *arguments, ftr_input *input)
{
    static serving served;
    ftr_query query;
    if (!ftr_choice_query(&arguments->choice, input, &query))
        return FTR_EXIT_TROUBLE;
    const ftr_report_options options = {arguments->budget, input->path, &query, input->threads};
    served.run =
        (ftr_served_run){.reader = input->reader, .options = &options, .errors = &input->errors};
    const ftr_status status = ftr_served_run_make(&served.run);
    const bool ok = ftr_input_check_end(input, status);
    const int result = ok ? serve(arguments, &served) : FTR_EXIT_TROUBLE;
    ftr_served_search_end(&served.search);
    ftr_served_run_release(&served.run);
    return result;
}

int ftr_report_serve(const ftr_report_arguments *arguments, const char *path)
{
    ftr_input input;
    if (!ftr_input_open(&input, path, &arguments->input))
        return FTR_EXIT_TROUBLE;
    const int status = serve_open(arguments, &input);
    ftr_input_close(&input);
    return status;
}
