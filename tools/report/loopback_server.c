/* Serves requests over HTTP; the caller makes the content of the answers. */
#include "loopback_server.h"

#include "html_page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>

#define TIMEOUT_SECONDS 60u
#define STRANGER_MILLISECONDS 10000 /* time limit for a complete request with the token */

struct ftr_http_query {
    struct MHD_Connection *connection;
};

bool ftr_http_has(const ftr_http_query *query, const char *name)
{
    const char *value;
    size_t size;
    return MHD_lookup_connection_value_n(query->connection, MHD_GET_ARGUMENT_KIND, name,
                                         strlen(name), &value, &size) == MHD_YES;
}

bool ftr_http_number(const ftr_http_query *query, const char *name, uint64_t *value)
{
    const char *text = MHD_lookup_connection_value(query->connection, MHD_GET_ARGUMENT_KIND, name);
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*end != '\0' || errno != 0)
        return false;
    *value = number;
    return true;
}

static int hexadecimal(char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char lower = (char)(byte >= 'A' && byte <= 'F' ? byte + ('a' - 'A') : byte);
    const char *at = lower != '\0' ? strchr(digits, lower) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes %XX in place. The library has already replaced `+` by a space. @return false if two
 * hexadecimal digits do not follow a `%` */
static bool decode(char *text, size_t *size)
{
    size_t written = 0;
    for (size_t i = 0; i < *size; i++) {
        text[written] = text[i];
        if (text[i] == '%') {
            const int high = i + 2 < *size ? hexadecimal(text[i + 1]) : -1;
            const int low = i + 2 < *size ? hexadecimal(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            text[written] = (char)(high << 4 | low);
            i += 2;
        }
        written++;
    }
    *size = written;
    return true;
}

typedef struct parameter_walk {
    ftr_http_parameter *take;
    void *user;
    bool ok;
} parameter_walk;

static enum MHD_Result take_parameter(void *user, enum MHD_ValueKind kind, const char *name,
                                      const char *value)
{
    parameter_walk *walk = user;
    size_t size = value != NULL ? strlen(value) : 0;
    char *decoded = malloc(size + 1);
    (void)kind;
    walk->ok = decoded != NULL;
    if (walk->ok && size > 0)
        memcpy(decoded, value, size);
    walk->ok = walk->ok && decode(decoded, &size) && walk->take(walk->user, name, decoded, size);
    free(decoded);
    return walk->ok ? MHD_YES : MHD_NO;
}

bool ftr_http_parameters(const ftr_http_query *query, ftr_http_parameter *take, void *user)
{
    parameter_walk walk = {take, user, true};
    (void)MHD_get_connection_values(query->connection, MHD_GET_ARGUMENT_KIND, take_parameter,
                                    &walk);
    return walk.ok;
}

/* ---- connections ------------------------------------------------------------------------------
 * Every local user can connect, and send a request very slowly or not at all. Connections that have
 * not sent the token therefore have a deadline for a complete request, and a limit of their own: if
 * it is reached, the oldest of these connections is closed to make room for a new one. */

static int64_t now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Ends a connection: the library then closes its socket. */
static void end_stranger(ftr_http_stranger *stranger)
{
    (void)shutdown(stranger->socket, SHUT_RDWR);
    stranger->socket = -1;
}

static void end_late_strangers(ftr_loopback_server *server)
{
    const int64_t time = now();
    for (size_t i = 0; i < FTR_SERVER_STRANGERS_MAX; i++) {
        ftr_http_stranger *stranger = &server->strangers[i];
        if (stranger->socket >= 0 && time - stranger->opened >= STRANGER_MILLISECONDS)
            end_stranger(stranger);
    }
}

static void add_stranger(ftr_loopback_server *server, int socket)
{
    ftr_http_stranger *chosen = &server->strangers[0];
    for (size_t i = 1; i < FTR_SERVER_STRANGERS_MAX && chosen->socket >= 0; i++) {
        ftr_http_stranger *stranger = &server->strangers[i];
        if (stranger->socket < 0 || stranger->opened < chosen->opened)
            chosen = stranger;
    }
    if (chosen->socket >= 0)
        end_stranger(chosen);
    *chosen = (ftr_http_stranger){socket, now()};
}

/* Called when a connection has sent the token, and before its socket is closed. */
static void forget_stranger(ftr_loopback_server *server, int socket)
{
    for (size_t i = 0; i < FTR_SERVER_STRANGERS_MAX; i++) {
        if (server->strangers[i].socket == socket)
            server->strangers[i].socket = -1;
    }
}

static int socket_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

static void notice_connection(void *user, struct MHD_Connection *connection, void **state,
                              enum MHD_ConnectionNotificationCode code)
{
    const int socket = socket_of(connection);
    (void)state;
    if (socket >= 0 && code == MHD_CONNECTION_NOTIFY_STARTED)
        add_stranger(user, socket);
    else if (socket >= 0)
        forget_stranger(user, socket);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Checks the header Host: a page of another site can make a browser send requests to this server,
 * but the header of these requests contains the name of the other site. */
static bool is_addressed(const ftr_loopback_server *server, struct MHD_Connection *connection)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char expected[32];
    const char *host =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    for (size_t i = 0; host != NULL && i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(expected, sizeof expected, "%s:%u", names[i], (unsigned)server->port);
        if (strcmp(host, expected) == 0)
            return true;
    }
    return false;
}

/* Returns the part of the path after the token; NULL if the token is wrong. Compares all
 * characters, so that the duration does not reveal the number of correct characters. */
static const char *name_of(const ftr_loopback_server *server, const char *path)
{
    unsigned difference = 0;
    if (strlen(path) < FTR_SERVER_TOKEN_SIZE + 2)
        return NULL;
    for (size_t i = 0; i < FTR_SERVER_TOKEN_SIZE; i++)
        difference |= (unsigned)(path[i + 1] ^ server->token[i]);
    const bool fits = path[0] == '/' && path[FTR_SERVER_TOKEN_SIZE + 1] == '/' && difference == 0;
    return fits ? path + FTR_SERVER_TOKEN_SIZE + 2 : NULL;
}

static void make_answer(ftr_loopback_server *server, struct MHD_Connection *connection,
                        const char *path, const char *method, ftr_http_answer *answer)
{
    const ftr_http_query query = {connection};
    const char *name = name_of(server, path);
    if (!is_addressed(server, connection))
        answer->status = MHD_HTTP_FORBIDDEN;
    else if (name == NULL)
        answer->status = MHD_HTTP_NOT_FOUND;
    else
        forget_stranger(server, socket_of(connection));
    if (answer->status != MHD_HTTP_OK)
        return;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0)
        answer->status = MHD_HTTP_METHOD_NOT_ALLOWED;
    else
        server->handler(server->user, name, &query, answer);
}

/* Adds headers with which the browser loads only data of this server, does not store responses, and
 * does not show the page in a frame of another page. */
static void add_headers(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        (void)MHD_add_response_header(response, headers[i][0], headers[i][1]);
    char policy[512];
    (void)snprintf(policy, sizeof policy, "%s; frame-ancestors 'none'", ftr_embedded_page_policy);
    (void)MHD_add_response_header(response, "Content-Security-Policy", policy);
    if (type != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
}

static enum MHD_Result answer_request(void *user, struct MHD_Connection *connection,
                                      const char *path, const char *method, const char *version,
                                      const char *upload, size_t *upload_size, void **state)
{
    static char begun;
    (void)version;
    (void)upload;
    if (*state == NULL) { /* first call of a request: the body has not been read yet */
        *state = &begun;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    ftr_http_answer answer = {.status = MHD_HTTP_OK};
    make_answer(user, connection, path, method, &answer);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer.body.size, answer.body.bytes, MHD_RESPMEM_MUST_FREE);
    if (response == NULL) {
        ftr_text_buffer_release(&answer.body);
        return MHD_NO;
    }
    add_headers(response, answer.type);
    const enum MHD_Result queued = MHD_queue_response(connection, answer.status, response);
    MHD_destroy_response(response);
    return queued;
}

/* ---- the server ------------------------------------------------------------------------------ */

/* Prevents the library from decoding percent-encoding. Paths are words that need no encoding, and
 * take_parameter() decodes the parameters. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

static bool make_token(char token[FTR_SERVER_TOKEN_SIZE + 1])
{
    unsigned char random[FTR_SERVER_TOKEN_SIZE / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(token + 2 * i, 3, "%02x", random[i]);
    return true;
}

ftr_status ftr_loopback_server_open(ftr_loopback_server *server, uint16_t port,
                                    ftr_http_handler *handler, void *user)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    *server = (ftr_loopback_server){.handler = handler, .user = user};
    for (size_t i = 0; i < FTR_SERVER_STRANGERS_MAX; i++)
        server->strangers[i].socket = -1;
    if (!make_token(server->token))
        return FTR_ERR_IO;
    errno = 0;
    server->daemon = MHD_start_daemon(
        MHD_NO_FLAG, port, NULL, NULL, answer_request, server, MHD_OPTION_SOCK_ADDR,
        (const struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT, FTR_SERVER_CONNECTIONS_MAX,
        MHD_OPTION_NOTIFY_CONNECTION, notice_connection, server, MHD_OPTION_CONNECTION_TIMEOUT,
        TIMEOUT_SECONDS, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
    if (server->daemon == NULL) {
        errno = errno != 0 ? errno : EADDRINUSE;
        return FTR_ERR_IO;
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = info != NULL && info->port != 0 ? info->port : port;
    return FTR_OK;
}

void ftr_loopback_server_run(ftr_loopback_server *server, unsigned milliseconds)
{
    end_late_strangers(server);
    (void)MHD_run_wait(server->daemon, (int32_t)milliseconds);
}

void ftr_loopback_server_close(ftr_loopback_server *server)
{
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    server->daemon = NULL;
}
