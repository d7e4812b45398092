/* The one default recorder of a process. Knows when to open and when to close it. */
#define _GNU_SOURCE
#include <ftr/environment.h>

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool was_asked;
static ftr_recorder *default_recorder;

static void close_at_exit(void)
{
    /* Closed already is the usual case and no error; a failure was reported when it happened. */
    (void)ftr_recorder_close(default_recorder);
}

static ftr_recorder *
open_default(int time_scale, void (*report)(void *user, ftr_severity severity, const char *message),
             void *report_user)
{
    static ftr_environment environment;
    ftr_recorder *rec = NULL;
    if (!getenv("FTR_TRACE") || ftr_environment_read(&environment, report, report_user) != FTR_OK ||
        !environment.path[0])
        return NULL;
    environment.options.time_scale = time_scale;
    if (ftr_recorder_open(environment.path, &environment.options, &rec) != FTR_OK)
        return NULL;
    default_recorder = rec;
    atexit(close_at_exit);
    return rec;
}

ftr_recorder *ftr_default_recorder(int time_scale,
                                   void (*report)(void *user, ftr_severity severity,
                                                  const char *message),
                                   void *report_user)
{
    pthread_mutex_lock(&default_mutex);
    if (!was_asked) {
        was_asked = true;
        default_recorder = open_default(time_scale, report, report_user);
    }
    pthread_mutex_unlock(&default_mutex);
    return default_recorder;
}
