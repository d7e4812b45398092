/* A web server for one user on this computer. It listens on the loopback interface only. A request
 * without the token of the server gets only an error status. Connections without the token are
 * closed after some seconds, and cannot use up the connections of the user. A handler receives only
 * the part of the path after the token, and the parameters of the query. */
#ifndef FTR_LOOPBACK_SERVER_H
#define FTR_LOOPBACK_SERVER_H

#include "printer.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stdint.h>

#define FTR_SERVER_TOKEN_SIZE 32u

typedef struct ftr_http_query ftr_http_query;

/* Returns true if the query has this parameter, with or without a value. */
bool ftr_http_has(const ftr_http_query *query, const char *name);

/* Reads a number of the query: `from` of `?from=5`. @return false if it is absent or not a number
 * of at most 64 bits; then @p value is untouched */
bool ftr_http_number(const ftr_http_query *query, const char *name, uint64_t *value);

/* Receives a parameter of the query. @param value not NUL-terminated, may contain any byte
 * @return false to refuse the request */
typedef bool ftr_http_parameter(void *user, const char *name, const char *value, size_t size);

/* Calls @p take for each parameter of the query, with its decoded value.
 * @return false if @p take returned false, or if the encoding of a value is malformed */
bool ftr_http_parameters(const ftr_http_query *query, ftr_http_parameter *take, void *user);

typedef struct ftr_http_answer {
    unsigned status;      /* HTTP status; initially 200 */
    const char *type;     /* media type of the body */
    ftr_text_buffer body; /* content, or the cause of an error; the server frees it */
} ftr_http_answer;

/* Answers a request. @param name the path after the token, for example `bins`; empty: the page */
typedef void ftr_http_handler(void *user, const char *name, const ftr_http_query *query,
                              ftr_http_answer *answer);

/* Maximum number of connections, and of those that have not sent the token. */
#define FTR_SERVER_CONNECTIONS_MAX 64u
#define FTR_SERVER_STRANGERS_MAX 32u

/* A connection that has not sent a request with the token yet. */
typedef struct ftr_http_stranger {
    int socket;     /* -1: none */
    int64_t opened; /* ms of the monotonic clock */
} ftr_http_stranger;

typedef struct ftr_loopback_server {
    struct MHD_Daemon *daemon;
    ftr_http_stranger strangers[FTR_SERVER_STRANGERS_MAX];
    uint16_t port;
    char token[FTR_SERVER_TOKEN_SIZE + 1]; /* digits of a random number */
    ftr_http_handler *handler;
    void *user;
} ftr_loopback_server;

/* Begins to listen. @param port 0: any free port
 * @return FTR_OK; FTR_ERR_IO with errno set */
FTR_MUST_USE ftr_status ftr_loopback_server_open(ftr_loopback_server *server, uint16_t port,
                                                 ftr_http_handler *handler, void *user);

/* Waits at most @p milliseconds for requests, and answers them in the calling thread. */
void ftr_loopback_server_run(ftr_loopback_server *server, unsigned milliseconds);

void ftr_loopback_server_close(ftr_loopback_server *server);

#endif
