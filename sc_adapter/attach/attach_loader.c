/* libftr_attach.so: decides whether this process is a prototype to be recorded, and only then loads
 * the plug-in that records. libftr_attach.so is preloaded into shells, make and every other program
 * that a regression script starts. It therefore depends only on libc, and without FTR_TRACE,
 * FTR_SUMMARY and FTR_PROTOCOL it only reads these variables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ftr/detail/process.h>
#include <ftr/version.h>

#include "kernel_search.h"
#include "loaded_symbols.h"
#include "plain_message.h"

/* Exit status of `ftr attach` for a process that is not recorded. */
enum { NOT_ATTACHED = 125 };

/* Shared by the copies of libftr in this process (ftr/detail/process.h). */
__attribute__((visibility("default"))) extern ftr_process ftr_process_shared;
ftr_process ftr_process_shared;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ftr_vprint_message(stderr, "ftr: ", format, arguments, "\n");
    va_end(arguments);
}

static bool is_set(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value != NULL && *value;
}

/* @return true if a failure to record must be an error */
static bool is_strict(void)
{
    const char *value = secure_getenv("FTR_STRICT");
    return value != NULL && strcmp(value, "1") == 0;
}

/* Informs `ftr attach` that a message with the reason was printed (tools/ftr/watched_run.c). */
static void mark_refused(void)
{
    const char *const path = secure_getenv("FTR_ATTACH_MARK");
    const int fd = path != NULL && *path
                       ? open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)
                       : -1;
    if (fd < 0)
        return;
    if (write(fd, "0", 1) != 1)
        say("%s cannot be written: `ftr attach` will print a second message", path);
    close(fd);
}

/* Ends the attempt to record a process, after a message. If FTR_STRICT=1, ends the process, with
 * the exit status that `ftr attach` has in this case. */
static void refuse(void)
{
    mark_refused();
    if (!is_strict())
        return;
    fflush(NULL);
    _exit(NOT_ATTACHED);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The properties of a SystemC kernel that determine the plug-in. */
typedef struct kernel {
    unsigned major;
    unsigned minor;
    unsigned patch;
    long standard; /* value of __cplusplus with which the kernel was built; 0: unknown */
} kernel;

static bool read_number(const char *symbol, unsigned *number)
{
    const unsigned *found = dlsym(RTLD_DEFAULT, symbol);
    if (found != NULL)
        *number = *found;
    return found != NULL;
}

/* Returns true if the kernel was built for @p standard. A kernel defines a constructor whose name
 * contains the version and the standard of the kernel, so that programs for another version or
 * standard fail to link. The class of the constructor is a template until 2.3.4; its last parameter
 * was added in 2.3.4. */
static bool is_built_for(const kernel *found, long standard)
{
    static const char template_argument[] = "IXadL_ZNS_34SC_DISABLE_VIRTUAL_BIND_UNDEFINED_EEEE";
    static const char *const arguments[] = {template_argument, ""};
    static const char *const parameters[] = {"16sc_writer_policyEb", "16sc_writer_policyE"};
    char class_name[64];
    int length = snprintf(class_name, sizeof class_name, "sc_api_version_%u_%u_%u_cxx%ldL",
                          found->major, found->minor, found->patch, standard);
    for (size_t i = 0; i < 4; i++) {
        char symbol[256];
        snprintf(symbol, sizeof symbol, "_ZN7sc_core%d%s%sC1ENS_%s", length, class_name,
                 arguments[i / 2], parameters[i % 2]);
        if (dlsym(RTLD_DEFAULT, symbol) != NULL)
            return true;
    }
    return false;
}

static bool find_kernel(kernel *found)
{
    /* The numbers that are not official are those of compilers that support only a part of a
     * standard. */
    static const long standards[] = {199711, 201103, 201402, 201703, 201709,
                                     202002, 202100, 202101, 202302, 202400};
    *found = (kernel){0};
    if (!read_number("_ZN7sc_core16sc_version_majorE", &found->major) ||
        !read_number("_ZN7sc_core16sc_version_minorE", &found->minor) ||
        !read_number("_ZN7sc_core16sc_version_patchE", &found->patch))
        return false;
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++) {
        if (is_built_for(found, standards[i]))
            found->standard = standards[i];
    }
    return true;
}

/* ---- report handlers --------------------------------------------------------------------------
 * This library precedes the SystemC library, so it gets the prototype's calls of these two
 * functions. If there is a plug-in, this library passes the calls to the plug-in, which records
 * reports; otherwise, to SystemC. */

static const char SET_HANDLER[] =
    "_ZN7sc_core17sc_report_handler11set_handlerEPFvRKNS_9sc_reportERKjE";
static const char GET_HANDLER[] = "_ZN7sc_core17sc_report_handler11get_handlerEv";

/* Finds SystemC's own function, which exists, because the prototype has called it. dlsym() does not
 * find it in a library that was opened with RTLD_LOCAL. */
static bool find_kernel_function(const char *symbol, void *function)
{
    void *found = dlsym(RTLD_NEXT, symbol);
    if (found == NULL)
        found = ftr_loaded_symbol(symbol, &ftr_process_shared, NULL);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

__attribute__((visibility("default"))) ftr_function
ftr_set_report_handler(ftr_function handler) __asm__(
    "_ZN7sc_core17sc_report_handler11set_handlerEPFvRKNS_9sc_reportERKjE");
__attribute__((visibility("default"))) ftr_function
ftr_get_report_handler(void) __asm__("_ZN7sc_core17sc_report_handler11get_handlerEv");

ftr_function ftr_set_report_handler(ftr_function handler)
{
    ftr_function (*set)(ftr_function) =
        __atomic_load_n(&ftr_process_shared.set_report_handler, __ATOMIC_ACQUIRE);
    return set != NULL || find_kernel_function(SET_HANDLER, (void *)&set) ? set(handler) : NULL;
}

ftr_function ftr_get_report_handler(void)
{
    ftr_function (*get)(void) =
        __atomic_load_n(&ftr_process_shared.get_report_handler, __ATOMIC_ACQUIRE);
    return get != NULL || find_kernel_function(GET_HANDLER, (void *)&get) ? get() : NULL;
}

/* ---- the plug-in ----------------------------------------------------------------------------- */

/* Returns the path for plug-ins of one user: `ftr build-plugin` uses it if it cannot write to the
 * folder of this library. The path contains the version, because plug-ins of other versions are not
 * compatible. */
static bool user_path(const char *name, char *path, size_t size)
{
    const char *const data = secure_getenv("XDG_DATA_HOME");
    const char *const home = secure_getenv("HOME");
    const bool has_data = data != NULL && *data;
    if (!has_data && (home == NULL || !*home))
        return false;
    return (size_t)snprintf(path, size, "%s%s/ftr/" FTR_VERSION_TEXT "/%s", has_data ? data : home,
                            has_data ? "" : "/.local/share", name) < size;
}

/* Returns the path for all other plug-ins: the folder of this library. */
static bool library_path(const char *name, char *path, size_t size)
{
    Dl_info about;
    if (!dladdr(&ftr_process_shared, &about) || about.dli_fname == NULL)
        return false;
    const char *slash = strrchr(about.dli_fname, '/');
    const int length = slash != NULL ? (int)(slash + 1 - about.dli_fname) : 0;
    return (size_t)snprintf(path, size, "%.*s%s", length, about.dli_fname, name) < size;
}

static bool plugin_path(const kernel *found, char *path, size_t size)
{
    const char *chosen = secure_getenv("FTR_ATTACH_PLUGIN");
    if (chosen != NULL && *chosen)
        return (size_t)snprintf(path, size, "%s", chosen) < size;
    char name[64];
    snprintf(name, sizeof name, "ftr_attach-%u.%u.%u-cxx%ld.so", found->major, found->minor,
             found->patch, found->standard);
    return (user_path(name, path, size) && access(path, R_OK) == 0) ||
           library_path(name, path, size);
}

static void load_plugin(const kernel *found)
{
    char path[4096];
    if (!plugin_path(found, path, sizeof path)) {
        say("the path of the plug-in is too long: this run is not recorded");
        refuse();
        return;
    }
    /* RTLD_LAZY: a statically linked kernel lacks functions that the model does not use, for
     * example those of extended phases. The plug-in does not call functions that are missing. */
    void *plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (plugin != NULL) {
        /* An incompatible plug-in has already printed a message. */
        if (__atomic_load_n(&ftr_process_shared.attached, __ATOMIC_ACQUIRE) == 0)
            refuse();
        return;
    }
    const char *why = dlerror();
    const bool is_missing = access(path, R_OK) != 0;
    say("this prototype has SystemC %u.%u.%u for C++ standard %ld, and its plug-in cannot be "
        "loaded: %s; %sbuild one with `ftr build-plugin --systemc DIR` (this run is not recorded)",
        found->major, found->minor, found->patch, found->standard, why != NULL ? why : path,
        is_missing ? "" : "if it was built for another kernel, ");
    refuse();
}

/* At exit, reports a kernel that the program has loaded with dlopen(), too late for recording. If a
 * host, for example Python, loaded it with a library that contains sc_main(), the user must preload
 * that library: the symbol sc_main of a kernel that is preloaded alone cannot be resolved. */
static void report_late_kernel(void)
{
    const char *kernel_path;
    const char *main_path;
    if (ftr_loaded_symbol("_ZN7sc_core16sc_version_majorE", NULL, &kernel_path) == NULL)
        return;
    /* The name of the program itself is empty. */
    const bool is_host = ftr_loaded_symbol("sc_main", NULL, &main_path) != NULL && *main_path;
    say("the program loaded SystemC after its start, when libftr_attach.so had already searched "
        "for it: nothing was recorded; preload %s%s as well",
        is_host ? main_path : kernel_path, is_host ? ", which has sc_main()," : "");
    refuse();
}

/* Reports a statically linked kernel. Does this only with FTR_STRICT=1, because the search reads
 * the file of the program. */
static void refuse_hidden_kernel(void)
{
    if (!is_strict() || !ftr_has_hidden_kernel("/proc/self/exe"))
        return;
    say("%s has SystemC linked in statically, so LD_PRELOAD has no effect on it, and FTR_STRICT is "
        "set: link the plug-in too, as docs/attach.md describes, or link with -rdynamic",
        program_invocation_name);
    refuse();
}

/* Begins the run in the first preloaded process. The processes that this process starts record to
 * other files, so that they do not overwrite the file of this process. FTR_RUN also contains the
 * process id and the precise time, for the plug-in in this process (recorder/storage/run_claim.c).
 * If FTR_RUN exists already, this process enters an existing run, and removes the process id and
 * the precise time from FTR_RUN: a program that has replaced the first one by exec() has the same
 * process id. */
static void enter_run(void)
{
    struct timespec time;
    struct timespec precise;
    char text[128];
    const char *run = getenv("FTR_RUN");
    if (run != NULL) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(run, " "), run);
    } else {
        clock_gettime(CLOCK_REALTIME_COARSE, &time);
        clock_gettime(CLOCK_REALTIME, &precise);
        snprintf(text, sizeof text, "%lld.%09ld %ld %lld.%09ld", (long long)time.tv_sec,
                 time.tv_nsec, (long)getpid(), (long long)precise.tv_sec, precise.tv_nsec);
    }
    setenv("FTR_RUN", text, 1);
}

__attribute__((constructor)) static void attach(void)
{
    if (is_set("FTR_TRACE") || is_set("FTR_SUMMARY"))
        enter_run();
    else if (!is_set("FTR_PROTOCOL"))
        return;
    kernel found;
    if (find_kernel(&found)) {
        load_plugin(&found);
        return;
    }
    refuse_hidden_kernel();
    atexit(report_late_kernel);
}
