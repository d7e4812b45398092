/* Owns the identity of a run that is recorded by hand. Uses the public calls alone. */
#define _GNU_SOURCE
#include "program_identity.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <ftr/version.h>

static ftr_stream run_stream;

static void put_text(ftr_recorder *rec, ftr_tx tx, const char *name, const char *text)
{
    const ftr_value value = {
        .type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
    (void)ftr_tx_put_named(rec, tx, FTR_CLASS_BEGIN, name, &value);
}

static void put_integer(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_, const char *name,
                        int64_t integer)
{
    const ftr_value value = {.type = FTR_TYPE_INTEGER, .as.integer = integer};
    (void)ftr_tx_put_named(rec, tx, class_, name, &value);
}

static void put_id(ftr_recorder *rec, ftr_tx tx)
{
    unsigned char bytes[8];
    char text[2 * sizeof bytes + 1];
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes)
        return;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    put_text(rec, tx, "id", text);
}

static void put_program(ftr_recorder *rec, ftr_tx tx)
{
    char path[PATH_MAX];
    char host[256] = "";
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        put_text(rec, tx, "program", path);
    }
    put_integer(rec, tx, FTR_CLASS_BEGIN, "pid", getpid());
    if (gethostname(host, sizeof host - 1) == 0)
        put_text(rec, tx, "host", host);
}

void ftr_program_identity_begin(ftr_recorder *rec)
{
    ftr_generator start;
    ftr_tx tx;
    char now[32] = "";
    struct tm fields;
    const time_t seconds = time(NULL);
    const char *tags = secure_getenv("FTR_TAGS");
    if (ftr_stream_define(rec, "ftr.run", "run", &run_stream) != FTR_OK ||
        ftr_generator_define(rec, run_stream, "start", NULL, 0, &start) != FTR_OK ||
        ftr_tx_begin(rec, start, 0, &tx) != FTR_OK)
        return;
    put_id(rec, tx);
    put_program(rec, tx);
    if (gmtime_r(&seconds, &fields) != NULL &&
        strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &fields) > 0)
        put_text(rec, tx, "started", now);
    put_text(rec, tx, "ftr", FTR_VERSION_TEXT);
    if (tags != NULL && *tags != '\0')
        put_text(rec, tx, "tags", tags);
    (void)ftr_tx_end(rec, tx, 0);
}

void ftr_program_identity_end(ftr_recorder *rec, int exit_status)
{
    ftr_generator run;
    ftr_tx tx;
    if (run_stream == 0 || ftr_generator_define(rec, run_stream, "run", NULL, 0, &run) != FTR_OK ||
        ftr_tx_begin(rec, run, 0, &tx) != FTR_OK)
        return;
    put_integer(rec, tx, FTR_CLASS_END, "exit_status", exit_status);
    (void)ftr_tx_end(rec, tx, 0);
    run_stream = 0;
}
