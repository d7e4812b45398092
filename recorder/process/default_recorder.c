/* The default recorder; a process has only one. Decides when to open and close it, and finds a
 * default recorder that another copy of this library opened. */
#define _GNU_SOURCE
#include <ftr/environment.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftr/detail/process.h>
#include <ftr/recorder.h>
#include <ftr/version.h>

#include "flight.h"
#include "guarded_call.h"
#include "output_path.h"
#include "program_identity.h"
#include "recorder_options.h"
#include "recorder_state.h"
#include "signal_end.h"
#include "trace.h"

static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool was_asked;
static ftr_recorder *default_recorder;

typedef void report_function(void *user, ftr_severity severity, const char *message);

static void close_at_exit(void)
{
    /* The status is ignored: the recorder may already be closed, and failures were reported when
     * they occurred. */
    (void)ftr_recorder_close(default_recorder);
}

static void note_exit_status(int status, void *ignored)
{
    (void)ignored;
    ftr_run_put_exit(status);
    if (status != EXIT_SUCCESS)
        (void)ftr_recorder_mark_failed(default_recorder);
}

/* Only a hook of on_exit() gets the exit status. This hook cannot be removed, so the library that
 * contains it must not be unloaded. */
static void watch_exit_status(void)
{
    Dl_info here;
    if (dladdr(&default_recorder, &here) && here.dli_fname != NULL)
        (void)dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    on_exit(note_exit_status, NULL);
}

/* Creates missing directories. Without FTR_TRACE only a summary is written. */
static void choose_output(ftr_environment *environment)
{
    static const ftr_sink no_trace = {0};
    ftr_recorder_options *options = &environment->options;
    /* A failure is ignored here, because opening the file then fails, too. */
    if (options->summary != NULL)
        (void)ftr_parent_directories_create(options->summary);
    (void)ftr_parent_directories_create(environment->path);
    if (environment->path[0])
        return;
    options->sink = &no_trace;
    options->keep = FTR_KEEP_ALWAYS;
}

/* Returns whether to record the identity of the run in `ftr.run`. Returns true if the environment
 * requests it and the process is not attached. For an attached process, the plug-in records the
 * identity. */
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

/* Without a handler for a signal that ends the program, the latest data would only be in the
 * journal. The handlers of SIGTERM and SIGINT request the end of the file from the writer thread,
 * wait for a limited time, and let the signal take effect; SIGUSR1 triggers the flight recorder.
 * All of this is async-signal-safe. A handler that the program itself installs, earlier or later,
 * is not replaced: this handler decides how the program ends. */

static ftr_recorder *_Atomic watched;

/* Returns whether the interrupted thread holds locks that the writer needs and will release soon. A
 * thread that itself writes to a pipe is not counted as busy, because it may wait for the reader of
 * the pipe without limit. */
static bool is_busy(const ftr_recorder *rec)
{
    sig_atomic_t kind = ftr_current_call.kind;
    return kind == FTR_CALL_LOCKS || (kind == FTR_CALL_WRITES && rec->output.is_regular);
}

static void on_signal(int number);

static void watch_ending(int number)
{
    const struct sigaction action = {.sa_handler = on_signal,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    sigaction(number, &action, NULL);
}

/* Ends the file of a recorder whose writer thread runs. Returns false if the interrupted call must
 * complete first: the signal is raised again at its end. */
static bool end_on_writer(ftr_recorder *rec, int number)
{
    ftr_call_start_signal(&rec->ending.is_awaited_by_signal);
    if (is_busy(rec)) {
        ftr_current_call.deferred = number;
        return false;
    }
    if (ftr_current_call.kind == FTR_CALL_NONE)
        ftr_call_finish_signal();
    return true;
}

/* The same for a recorder whose writer thread is scheduled. At the end of the interrupted call,
 * this handler is called again. */
static bool end_in_child(ftr_recorder *rec, int number)
{
    if (is_busy(rec) && ftr_current_call.rec == rec) {
        watch_ending(number);
        ftr_current_call.deferred = number;
        return false;
    }
    ftr_call_start_signal(&rec->ending.is_awaited_by_signal);
    return ftr_signal_end_in_child(rec) || !ftr_writer_is_running(rec) ||
           end_on_writer(rec, number);
}

static void on_signal(int number)
{
    int saved = errno;
    bool is_done = true;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec != NULL && !ftr_recorder_dead_valve(rec)) {
        (void)ftr_recorder_mark_failed(rec);
        atomic_store(&rec->ending.signal, number);
        if (ftr_writer_is_running(rec))
            is_done = end_on_writer(rec, number);
        else if (ftr_writer_is_scheduled(rec))
            is_done = end_in_child(rec, number);
    }
    errno = saved;
    /* SA_RESETHAND removed this handler when it was called, so the signal ends the program now, as
     * would a second signal during the wait. */
    if (is_done)
        raise(number);
}

static bool is_default(int number)
{
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
           before.sa_handler == SIG_DFL;
}

/* Handles SIGTERM and SIGINT for this recorder if they would end the program. */
static void watch_endings(ftr_recorder *rec)
{
    static const int numbers[] = {SIGTERM, SIGINT};
    atomic_store(&watched, rec);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (is_default(numbers[i]))
            watch_ending(numbers[i]);
    }
}

static void on_trigger(int number)
{
    (void)number;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec != NULL)
        ftr_flight_trigger(rec);
}

/* Makes SIGUSR1 trigger this recorder, if SIGUSR1 would otherwise end the program. */
static void watch_trigger(ftr_recorder *rec)
{
    atomic_store(&watched, rec);
    if (is_default(SIGUSR1))
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_trigger, .sa_flags = SA_RESTART},
                  NULL);
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
    watch_endings(rec);
    bool has_ring = environment.options.mode == FTR_MODE_FLIGHT || environment.buffers != NULL;
    if (has_ring)
        watch_trigger(rec);
    if (has_ring || environment.options.keep == FTR_KEEP_ON_ERROR || ftr_run_is_identified())
        watch_exit_status();
    return rec;
}

/* Returns a text that identifies this build: its version, and the layout of the structure of a
 * recorder. Two copies of the library share a recorder only if their texts are equal. */
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

/* Returns the recorder that another copy of this library opened, or opens one for all copies. NULL:
 * the recorder could not be opened, or its copy is another build, which is reported. */
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
