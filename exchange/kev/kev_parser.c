/* The callback interface for programs that read logs (include/ftr/kev.h). */
#include "kev_log.h"
#include "kev_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct handler {
    ftr_kev_callback *callback;
    void *user;
} handler;

struct ftr_kev_parser {
    FILE *file;
    int error; /* errno of a failed read */
    ftr_kev_log log;
    /* the handlers of each class, as an array with the event number as its index; NULL: the class
     * has no handler */
    handler *handlers[FTR_KEV_CLASSES];
    void (*find)(void *user, uint64_t offset, const char *message);
    void *find_user;
};

static int64_t read_file(void *user, void *bytes, size_t size)
{
    ftr_kev_parser *parser = user;
    const size_t got = fread(bytes, 1, size, parser->file);
    if (got < size && ferror(parser->file)) {
        parser->error = errno;
        return -1;
    }
    return (int64_t)got;
}

static void find(void *user, uint64_t offset, const char *message)
{
    const ftr_kev_parser *parser = user;
    if (parser->find != NULL)
        parser->find(parser->find_user, offset, message);
}

ftr_status ftr_kev_open(const char *path, ftr_kev_parser **parser)
{
    const char *why;
    if (path == NULL || parser == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_kev_parser *p = calloc(1, sizeof *p);
    if (p == NULL)
        return FTR_ERR_MEMORY;
    p->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
    if (p->file == NULL) {
        free(p);
        return FTR_ERR_IO;
    }
    const ftr_status status = ftr_kev_log_open(&p->log, read_file, find, p, &why);
    if (status == FTR_OK) {
        *parser = p;
        return FTR_OK;
    }
    const int error = p->error;
    ftr_kev_close(p);
    errno = error;
    return status;
}

void ftr_kev_close(ftr_kev_parser *parser)
{
    if (parser == NULL)
        return;
    ftr_kev_log_close(&parser->log);
    for (unsigned i = 0; i < FTR_KEV_CLASSES; i++)
        free(parser->handlers[i]);
    if (parser->file != stdin)
        (void)fclose(parser->file);
    free(parser);
}

const char *ftr_kev_key(const ftr_kev_parser *parser, const char *key)
{
    return ftr_kev_log_key(&parser->log, key);
}

uint64_t ftr_kev_frequency(const ftr_kev_parser *parser)
{
    return parser->log.frequency;
}

ftr_status ftr_kev_on(ftr_kev_parser *parser, unsigned class_, unsigned first, unsigned last,
                      ftr_kev_callback *callback, void *user)
{
    if (class_ >= FTR_KEV_CLASSES || first > last || last >= FTR_KEV_EVENT_NUMBERS)
        return FTR_ERR_ARGUMENT;
    handler **handlers = &parser->handlers[class_];
    if (*handlers == NULL && (*handlers = calloc(FTR_KEV_EVENT_NUMBERS, sizeof **handlers)) == NULL)
        return FTR_ERR_MEMORY;
    for (unsigned number = first; number <= last; number++)
        (*handlers)[number] = (handler){callback, user};
    return FTR_OK;
}

void ftr_kev_on_finding(ftr_kev_parser *parser,
                        void (*to)(void *user, uint64_t offset, const char *message), void *user)
{
    parser->find = to;
    parser->find_user = user;
}

ftr_status ftr_kev_parse(ftr_kev_parser *parser, int *stopped)
{
    ftr_kev_event event;
    ftr_status status = FTR_OK;
    int result = 0;
    while (result == 0 && (status = ftr_kev_log_next(&parser->log, &event)) == FTR_OK) {
        const handler *handlers = parser->handlers[event.class_];
        if (handlers != NULL && handlers[event.number].callback != NULL)
            result = handlers[event.number].callback(handlers[event.number].user, &event);
    }
    if (stopped != NULL)
        *stopped = result;
    errno = parser->error;
    return status == FTR_ERR_END ? FTR_OK : status;
}

size_t ftr_kev_text(const ftr_kev_parser *parser, const ftr_kev_event *event, char *text,
                    size_t size)
{
    return ftr_kev_log_text(&parser->log, event, text, size);
}

const char *ftr_kev_event_name(const ftr_kev_parser *parser, const ftr_kev_event *event)
{
    return ftr_kev_name_of(event, parser->log.release);
}
