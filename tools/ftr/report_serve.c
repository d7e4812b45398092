/* Handles requests and signals while a run is served. */
#include "report_modes.h"

#include "command.h"
#include "loopback_server.h"
#include "served_search.h"
#include "utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define WAIT_MILLISECONDS 200
/* After a growing file was read, the pause before the file is read again is this multiple of the
 * duration of reading. */
#define PAUSE_FACTOR 4

/* Maximum duration of a part of a search, in milliseconds. After each part, the page shows the
 * progress. Other requests wait until the part ends. */
#define SEARCH_MILLISECONDS 100
/* A search ends if the page does not continue it for this time. */
#define SEARCH_IDLE_SECONDS 10

typedef struct serving {
    ftr_served_run run;
    ftr_served_search search;
    double search_time; /* time of the latest request of the search, in seconds of now() */
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

/* ---- parameters ------------------------------------------------------------------------------ */

/* Answers with an error status and a message. @return false */
__attribute__((format(printf, 3, 4))) static bool refuse(ftr_http_answer *answer, unsigned status,
                                                         const char *format, ...)
{
    char text[2 * FTR_CONDITION_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    answer->status = status;
    answer->type = "text/plain; charset=utf-8";
    answer->body.size = 0;
    if (size > 0)
        (void)ftr_text_buffer_take(&answer->body, text, strlen(text));
    return false;
}

/* Reads a number that the request must have. @return false if the request is refused */
static bool read_number(const ftr_http_query *query, const char *name, uint64_t least,
                        uint64_t *number, ftr_http_answer *answer)
{
    uint64_t value = 0;
    if (!ftr_http_number(query, name, &value) || value < least)
        return refuse(answer, 400, "%s: expected an integer from %" PRIu64 " to %" PRIu64 "\n",
                      name, least, UINT64_MAX);
    *number = value;
    return true;
}

/* Reads a number that the request may have. If it is absent, @p number is untouched. */
static bool read_option(const ftr_http_query *query, const char *name, uint64_t least,
                        uint64_t *number, ftr_http_answer *answer)
{
    return !ftr_http_has(query, name) || read_number(query, name, least, number, answer);
}

static bool refuse_failed(ftr_http_answer *answer, ftr_status status)
{
    return status == FTR_OK || refuse(answer, 500, "%s\n", ftr_status_text(status));
}

/* ---- requests -------------------------------------------------------------------------------- */

static void answer_page(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    (void)query;
    answer->type = "text/html; charset=utf-8";
    if (!ftr_text_buffer_take(&answer->body, served->run.page.bytes, served->run.page.size))
        (void)refuse_failed(answer, FTR_ERR_MEMORY);
}

/* Answers a request for data. If the file has grown and the pause after the last reading is over,
 * reads the file again first. */
static void answer_data(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    uint64_t revision = 0; /* the first revision is 1 */
    bool changed = false;
    if (!read_option(query, "revision", 0, &revision, answer))
        return;
    const double begin = now();
    if (begin >= served->not_before) {
        const ftr_status status = ftr_served_run_refresh(&served->run, &changed);
        if (status != FTR_OK)
            ftr_print_error("%s: %s", served->run.options->file, ftr_status_text(status));
        if (changed)
            served->not_before = now() + PAUSE_FACTOR * (now() - begin);
    }
    if (revision == served->run.revision)
        answer->status = 204;
    else
        answer_page(served, query, answer);
}

/* @param limit name of the parameter with the number of elements, at most @p most */
static bool read_tile(const serving *served, const ftr_http_query *query, const char *limit,
                      uint64_t most, ftr_tile_request *request, ftr_http_answer *answer)
{
    uint64_t count = most, stream = 0;
    *request = (ftr_tile_request){.one_stream = ftr_http_has(query, "stream")};
    if (!read_number(query, "from", 0, &request->from, answer) ||
        !read_number(query, "to", 0, &request->to, answer) ||
        !read_option(query, limit, 2, &count, answer) ||
        !read_option(query, "stream", 0, &stream, answer))
        return false;
    if (request->from > request->to)
        return refuse(answer, 400, "from: greater than `to`\n");
    if (request->one_stream && stream >= served->run.run.stream_count)
        return refuse(answer, 400, "stream: the run has %" PRIu32 " streams\n",
                      (uint32_t)served->run.run.stream_count);
    request->stream = (uint32_t)stream;
    request->limit = (size_t)(count < most ? count : most);
    return true;
}

static void answer_transaction(serving *served, const ftr_http_query *query,
                               ftr_http_answer *answer)
{
    uint64_t id = 0;
    if (read_number(query, "id", 0, &id, answer))
        (void)refuse_failed(answer, ftr_served_transaction(&served->run, id, &answer->body));
}

static void answer_transactions(serving *served, const ftr_http_query *query,
                                ftr_http_answer *answer)
{
    ftr_tile_request request;
    if (read_tile(served, query, "limit", FTR_SERVED_TRANSACTIONS_MAX, &request, answer))
        (void)refuse_failed(answer, ftr_served_transactions(&served->run, &request, &answer->body));
}

static void answer_bins(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    ftr_tile_request request;
    if (read_tile(served, query, "count", FTR_SERVED_BINS_MAX, &request, answer))
        (void)refuse_failed(answer, ftr_served_bins(&served->run, &request, &answer->body));
}

typedef struct search_text {
    char bytes[FTR_SEARCH_SIZE_MAX + 1];
    size_t size;
} search_text;

/* Takes the parameter `condition`. @return false for other parameters, and for a second one */
static bool take_condition(void *user, const char *name, const char *value, size_t size)
{
    search_text *text = user;
    if (strcmp(name, "limit") == 0)
        return true;
    if (strcmp(name, "condition") != 0 || text->size > 0 || size > FTR_SEARCH_SIZE_MAX ||
        size == 0 || memchr(value, '\0', size) != NULL ||
        !ftr_utf8_is_valid((const uint8_t *)value, size))
        return false;
    memcpy(text->bytes, value, size);
    text->size = size;
    return true;
}

/* Ends the former search, and begins the search of the request. */
static bool begin_search(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    ftr_served_search *search = &served->search;
    ftr_served_search_end(search);
    search_text text = {.size = 0};
    ftr_condition_error error;
    if (!ftr_http_parameters(query, take_condition, &text) || text.size == 0)
        return refuse(answer, 400, "one condition of at most %zu bytes of UTF-8 is expected\n",
                      FTR_SEARCH_SIZE_MAX);
    const ftr_status status = ftr_served_search_begin(search, &served->run, text.bytes, &error);
    if (status == FTR_ERR_FORMAT)
        return refuse(answer, 400, "column %u: %s\n", error.column, error.message);
    return refuse_failed(answer, status);
}

/* Begins a search, or takes the search with the number in the parameter `number` of the request.
 * Continues the search for a short time, and answers with its state. */
static void answer_search(serving *served, const ftr_http_query *query, ftr_http_answer *answer)
{
    ftr_served_search *search = &served->search;
    uint64_t number = 0, limit = UINT64_MAX;
    if (!read_option(query, "limit", 2, &limit, answer) ||
        !read_option(query, "number", 0, &number, answer))
        return;
    if (!ftr_http_has(query, "number")) {
        if (!begin_search(served, query, answer))
            return;
    } else if (!ftr_served_search_is(search, number)) {
        (void)refuse(answer, 410, "the search has ended\n");
        return;
    }
    ftr_status status = ftr_served_search_continue(search, SEARCH_MILLISECONDS, limit);
    if (status == FTR_OK)
        status = ftr_served_search_answer(search, &answer->body);
    if (!refuse_failed(answer, status))
        ftr_served_search_end(search);
    served->search_time = now();
}

typedef struct request_kind {
    const char *name;
    void (*answer)(serving *served, const ftr_http_query *query, ftr_http_answer *answer);
} request_kind;

static void handle(void *user, const char *name, const ftr_http_query *query,
                   ftr_http_answer *answer)
{
    static const request_kind kinds[] = {
        {"", answer_page},
        {"data", answer_data},
        {"transaction", answer_transaction},
        {"transactions", answer_transactions},
        {"bins", answer_bins},
        {"search", answer_search},
    };
    answer->type = "application/octet-stream";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].name) == 0) {
            kinds[i].answer(user, query, answer);
            return;
        }
    (void)refuse(answer, 404, "no such request\n");
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
    char journal[4096];
    const bool crashed = ftr_input_find_crash(input->path, journal, sizeof journal);
    const ftr_report_options options = {arguments->budget, input->path, &query, input->threads,
                                        crashed ? journal : NULL};
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
