/* The default recorder; a process has only one. Decides when to open and close it, and finds a
 * default recorder that another copy of this library opened. */
#define _GNU_SOURCE
#include <ftr/environment.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftr/detail/process.h>
#include <ftr/version.h>

#include "recorder_options.h"
#include "recorder_state.h"
#include "output_path.h"
#include "program_identity.h"
#include "signal_watch.h"
#include "trace.h"

static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool was_asked;
static ftr_recorder *default_recorder;

typedef void report_function(void *user, ftr_severity severity, const char *message);

static void close_at_exit(void)
{
    /* It is normal that the recorder is already closed. Failures were reported when they occurred.
     */
    (void)ftr_recorder_close(default_recorder);
}

static void note_exit_status(int status, void *ignored)
{
    (void)ignored;
    ftr_run_put_exit(status);
    if (status != EXIT_SUCCESS)
        (void)ftr_recorder_mark_failed(default_recorder);
}

/* The hook of on_exit(), which gets the exit status, cannot be removed when its library is
 * unloaded. Therefore the library must not be unloaded. */
static void watch_exit_status(void)
{
    Dl_info here;
    if (dladdr(&default_recorder, &here) && here.dli_fname != NULL)
        (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    on_exit(note_exit_status, NULL);
}

/* The sink of a trace that is not written, because only its summary is requested. */
static int64_t discard(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return (int64_t)size;
}

/* Creates missing directories. Without FTR_TRACE only a summary is written: the trace then goes to
 * a sink without compression, and only its journal is a file. */
static void choose_output(ftr_environment *environment)
{
    static const ftr_sink nowhere = {.write = discard};
    ftr_recorder_options *options = &environment->options;
    /* If this fails, opening the file fails, too. */
    if (options->summary != NULL)
        (void)ftr_parent_directories_create(options->summary);
    (void)ftr_parent_directories_create(environment->path);
    if (environment->path[0])
        return;
    options->sink = &nowhere;
    options->compression = FTR_COMPRESSION_NONE;
    options->keep = FTR_KEEP_ALWAYS;
}

/* Returns whether to record the identity of the run in `ftr.run`: if the environment requests it
 * and the process is not attached. For an attached process, the plug-in records it. */
static bool should_identify(const ftr_environment *environment)
{
    const char *asked = secure_getenv("FTR_RUN_INFO");
    const ftr_process *process = dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL);
    const bool is_attached =
        process != NULL && __atomic_load_n(&process->attached, __ATOMIC_ACQUIRE);
    return environment->run_info && !is_attached &&
           (environment->options.summary != NULL || secure_getenv("FTR_TAGS") != NULL ||
            (asked != NULL && *asked != '\0'));
}

static ftr_recorder *open_default(int time_scale, report_function *report, void *report_user)
{
    static ftr_environment environment;
    ftr_recorder *rec = NULL;
    if (secure_getenv("FTR_TRACE") == NULL && secure_getenv("FTR_SUMMARY") == NULL) {
        ftr_environment_warn_of_misspelt_trace(report, report_user);
        return NULL;
    }
    if (ftr_environment_read(&environment, report, report_user) != FTR_OK ||
        (!environment.path[0] && environment.options.summary == NULL))
        return NULL;
    environment.options.time_scale = time_scale;
    choose_output(&environment);
    ftr_run run = ftr_run_enter();
    if (environment.run_info)
        ftr_run_make_id(run.id);
    const char *path = environment.path[0] ? environment.path : environment.options.summary;
    if (ftr_trace_create(path, &environment.options, &run, &rec) != FTR_OK)
        return NULL;
    if (environment.buffers != NULL && ftr_buffers_define(rec, environment.buffers) != FTR_OK) {
        (void)ftr_recorder_close(rec);
        return NULL;
    }
    default_recorder = rec;
    if (should_identify(&environment))
        ftr_program_identity_begin(rec, environment.run_arguments);
    atexit(close_at_exit);
    ftr_signal_watch_endings(rec);
    bool has_ring = environment.options.mode == FTR_MODE_FLIGHT || environment.buffers != NULL;
    if (has_ring)
        ftr_signal_watch_trigger(rec);
    if (has_ring || environment.options.keep == FTR_KEEP_ON_ERROR || ftr_run_is_identified())
        watch_exit_status();
    return rec;
}

/* Two copies can share one recorder if they have the same layout of the recorder structure. */
static const char *this_build(void)
{
    static char text[64];
    snprintf(text, sizeof text, "%s (layout %08x-%zu)", FTR_VERSION_TEXT, FTR_RECORDER_LAYOUT,
             sizeof(struct ftr_recorder));
    return text;
}

/* Value of ftr_process.made_by if the default recorder could not be opened. The copy that tried to
 * open it has reported the error. */
static const char by_nobody[] = "none";

/* Returns the recorder that another copy of this library opened, or opens one for all copies. */
static ftr_recorder *share_default(ftr_process *process, int time_scale, report_function *report,
                                   void *report_user)
{
    ftr_recorder *rec = __atomic_load_n(&process->recorder, __ATOMIC_ACQUIRE);
    const char *made_by = __atomic_load_n(&process->made_by, __ATOMIC_RELAXED);
    if (rec == NULL && made_by != NULL && strcmp(made_by, by_nobody) == 0)
        return NULL;
    if (rec == NULL) {
        rec = open_default(time_scale, report, report_user);
        __atomic_store_n(&process->made_by, rec != NULL ? this_build() : by_nobody,
                         __ATOMIC_RELAXED);
        __atomic_store_n(&process->recorder, rec, __ATOMIC_RELEASE);
        return rec;
    }
    if (strcmp(made_by, this_build()) == 0)
        return rec;
    if (report != NULL) {
        char message[256];
        snprintf(message, sizeof message,
                 "this process already records with libftr %s; the calls of libftr %s, which is "
                 "also linked in, are not recorded",
                 made_by, this_build());
        report(report_user, FTR_SEVERITY_WARNING, message);
    }
    return NULL;
}

ftr_recorder *ftr_default_recorder(int time_scale,
                                   void (*report)(void *user, ftr_severity severity,
                                                  const char *message),
                                   void *report_user)
{
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&default_mutex);
    if (!was_asked) {
        was_asked = true;
        ftr_process *process = dlsym(RTLD_DEFAULT, FTR_PROCESS_SYMBOL);
        default_recorder = process != NULL ? share_default(process, time_scale, report, report_user)
                                           : open_default(time_scale, report, report_user);
    }
    pthread_mutex_unlock(&default_mutex);
    pthread_setcancelstate(cancel_state, NULL);
    return default_recorder;
}

ftr_recorder *ftr_default_recorder_of(uint32_t layout, int time_scale,
                                      void (*report)(void *user, ftr_severity severity,
                                                     const char *message),
                                      void *report_user)
{
    if (layout == FTR_RECORDER_LAYOUT)
        return ftr_default_recorder(time_scale, report, report_user);
    if (secure_getenv("FTR_TRACE") != NULL || secure_getenv("FTR_SUMMARY") != NULL)
        ftr_layout_report(layout, report, report_user);
    return NULL;
}
