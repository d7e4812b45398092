/* Records the identity of a run. Uses only the public calls. */
#define _GNU_SOURCE
#include "program_identity.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <ftr/version.h>

#include "masked_arguments.h"
#include "stream_name_rules.h"
#include "recorder_state.h"

/* Maximum length of the recorded command line; further arguments are omitted. */
#define COMMAND_LINE_MAX ((size_t)2 << 20)

static ftr_recorder *identified; /* NULL: no identity is recorded, or the run has ended */
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

void ftr_run_make_id(char id[FTR_RUN_ID_SIZE])
{
    unsigned char bytes[(FTR_RUN_ID_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes)
        return;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(id + 2 * i, 3, "%02x", bytes[i]);
}

static void put_program(ftr_recorder *rec, ftr_tx tx)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    put_text(rec, tx, "program", path);
}

/* Returns the command line of this process: words that each end with a NUL. Sets @p size to the
 * number of bytes of all words. malloc'ed, or NULL. */
static char *command_line(size_t *size)
{
    char *words = NULL;
    ssize_t got = 0;
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    *size = 0;
    do {
        char *grown = fd >= 0 ? realloc(words, *size + 4096 + 1) : NULL;
        if (grown == NULL)
            break;
        words = grown;
        got = read(fd, words + *size, 4096);
        *size += got > 0 ? (size_t)got : 0;
    } while (got > 0 && *size < COMMAND_LINE_MAX);
    if (fd >= 0)
        (void)close(fd);
    if (words != NULL)
        words[*size] = '\0';
    return words;
}

static void put_arguments(ftr_recorder *rec, ftr_tx tx)
{
    size_t size;
    char *words = command_line(&size);
    if (words == NULL)
        return;
    const size_t program = strlen(words) + 1;
    char *arguments =
        size > program ? ftr_masked_arguments(words + program, size - program) : strdup("");
    if (arguments != NULL)
        put_text(rec, tx, "arguments", arguments);
    free(arguments);
    free(words);
}

void ftr_run_put_start(ftr_recorder *rec, ftr_stream stream, ftr_tx tx, bool has_arguments)
{
    ftr_generator end;
    char now[32] = "";
    char host[256] = "";
    struct tm fields;
    const time_t seconds = time(NULL);
    const char *tags = secure_getenv("FTR_TAGS");
    if (ftr_generator_define(rec, stream, "run", NULL, 0, &end) == FTR_OK)
        atomic_store(&rec->ending.run_generator, end);
    if (rec->run.id[0] != '\0')
        put_text(rec, tx, "id", rec->run.id);
    put_program(rec, tx);
    if (has_arguments)
        put_arguments(rec, tx);
    if (tags != NULL && *tags != '\0')
        put_text(rec, tx, "tags", tags);
    put_integer(rec, tx, FTR_CLASS_BEGIN, "pid", getpid());
    (void)gethostname(host, sizeof host - 1);
    put_text(rec, tx, "host", host);
    if (gmtime_r(&seconds, &fields) != NULL)
        (void)strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", &fields);
    put_text(rec, tx, "started", now);
}

void ftr_program_identity_begin(ftr_recorder *rec, bool has_arguments)
{
    const uint64_t begin = ftr_run_time(rec, 0);
    ftr_generator start;
    ftr_tx tx;
    if (ftr_stream_define(rec, FTR_RUN_STREAM, "run", &run_stream) != FTR_OK ||
        ftr_generator_define(rec, run_stream, "start", NULL, 0, &start) != FTR_OK ||
        ftr_tx_begin(rec, start, begin, &tx) != FTR_OK)
        return;
    ftr_run_put_start(rec, run_stream, tx, has_arguments);
    put_text(rec, tx, "ftr", FTR_VERSION_TEXT);
    (void)ftr_tx_end(rec, tx, begin);
    identified = rec;
}

bool ftr_run_is_identified(void)
{
    return identified != NULL;
}

ftr_generator ftr_run_end_generator(ftr_recorder *rec)
{
    const ftr_generator end = atomic_load(&rec->ending.run_generator);
    atomic_store(&rec->ending.run_end_is_recorded, true);
    return end;
}

void ftr_run_put_exit(int exit_status)
{
    ftr_recorder *const rec = identified;
    ftr_tx tx;
    identified = NULL;
    /* If the program has closed the recorder, the end of the run was recorded then. */
    if (rec == NULL || ftr_recorder_dead_valve(rec) ||
        ftr_tx_begin(rec, ftr_run_end_generator(rec), ftr_run_time(rec, 0), &tx) != FTR_OK)
        return;
    put_integer(rec, tx, FTR_CLASS_END, "exit_status", exit_status);
    (void)ftr_tx_end(rec, tx, ftr_run_time(rec, 0));
}
