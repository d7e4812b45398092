/* ftr attach: runs a prototype with the recording library preloaded. Sets the environment variables
 * that the library reads; the library defines their meaning. */
#include "command.h"
#include "kernel_search.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses like those of env(1) and timeout(1). Prototypes usually do not exit with these
 * values. */
enum { EXIT_NOT_ATTACHED = 125, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

/* An option and the environment variable that it sets. */
typedef struct setting {
    const char *option;
    const char *variable;
    const char *value; /* value of the variable; NULL: the value is the argument of the option */
} setting;

static const setting SETTINGS[] = {
    {"output", "FTR_TRACE", NULL},
    {"include", "FTR_INCLUDE", NULL},
    {"exclude", "FTR_EXCLUDE", NULL},
    {"from", "FTR_START", NULL},
    {"to", "FTR_STOP", NULL},
    {"tlm", "FTR_TLM", NULL},
    {"payload", "FTR_PAYLOAD", NULL},
    {"dmi", "FTR_DMI", NULL},
    {"debug-transport", "FTR_DEBUG_TRANSPORT", "1"},
    {"compress", "FTR_COMPRESS", NULL},
    {"strict", "FTR_STRICT", "1"},
    {"verbose", "FTR_VERBOSE", "1"},
    {"protocol", "FTR_PROTOCOL", NULL},
    {"summary", "FTR_SUMMARY", NULL},
    {"tags", "FTR_TAGS", NULL},
    /* The names of --from and --to in version 0.1. */
    {"start", "FTR_START", NULL},
    {"stop", "FTR_STOP", NULL},
};

enum {
    SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0],
    OPTION_SETTING = 256, /* OPTION_SETTING + N is the option SETTINGS[N] */
    OPTION_LIBRARY = OPTION_SETTING + SETTING_COUNT
};

static bool set_variable(const char *variable, const char *value)
{
    if (setenv(variable, value, 1) == 0)
        return true;
    ftr_print_error("%s cannot be set: %s", variable, strerror(errno));
    return false;
}

/* Finds libftr_attach.so: in the library directory of the installation, or in the directory of the
 * command. */
static bool find_library(char *path, size_t size)
{
    static const char *const folders[] = {"../lib", FTR_LIBRARY_FOLDER, "."};
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const int written = snprintf(path, size, "%s/%s/libftr_attach.so", program, folders[i]);
        if (written > 0 && (size_t)written < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Puts @p text and a colon before the value of a variable. */
static bool prepend(const char *variable, const char *text)
{
    const char *const before = secure_getenv(variable);
    const bool is_set = before != NULL && *before != '\0';
    char all[8192];
    const int written =
        snprintf(all, sizeof all, "%s%s%s", text, is_set ? ":" : "", is_set ? before : "");
    if (written < 0 || (size_t)written >= sizeof all) {
        ftr_print_error("%s would be too long", variable);
        return false;
    }
    return set_variable(variable, all);
}

/* The runtime of AddressSanitizer ends a program if another library is loaded before the runtime.
 * The option verify_asan_link_order=0 of the runtime prevents that. Programs without
 * AddressSanitizer do not read the option. */
static bool permit_preload(void)
{
    static const char variable[] = "ASAN_OPTIONS";
    const char *const before = secure_getenv(variable);
    return (before != NULL && strstr(before, "verify_asan_link_order") != NULL) ||
           prepend(variable, "verify_asan_link_order=0");
}

static bool is_strict(void)
{
    const char *const value = secure_getenv("FTR_STRICT");
    return value != NULL && strcmp(value, "1") == 0;
}

/* ---- a run that is watched ------------------------------------------------------------------- */

/* libftr_attach.so appends a character to the file at the path in FTR_ATTACH_MARK: `1` if it
 * records a process, `0` if it has printed why a prototype is not recorded. A file is used instead
 * of a pipe, because programs between this process and the prototype may close all descriptors. */

static const int PASSED_ON[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { PASSED_ON_COUNT = sizeof PASSED_ON / sizeof PASSED_ON[0] };

static volatile sig_atomic_t child;

static void pass_on(int signal)
{
    const int error = errno;
    if (child > 0)
        kill((pid_t)child, signal);
    errno = error;
}

/* Returns whether the terminal sends this signal. The terminal also sends the signal to the child,
 * so this process does not forward it: a prototype may treat a second signal as a request to
 * abort. */
static bool comes_from_terminal(int signal)
{
    return signal == SIGINT || signal == SIGQUIT || signal == SIGHUP;
}

static void handle_signals(void)
{
    struct sigaction action = {0};
    for (int i = 0; i < PASSED_ON_COUNT; i++) {
        action.sa_handler = comes_from_terminal(PASSED_ON[i]) ? SIG_IGN : pass_on;
        sigaction(PASSED_ON[i], &action, NULL);
    }
}

/* Blocks the signals that are forwarded. Between fork() and handle_signals(), they would end this
 * process, but not the prototype. */
static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < PASSED_ON_COUNT; i++)
        sigaddset(&set, PASSED_ON[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

static bool make_mark(char *path, size_t size)
{
    const char *const folder = secure_getenv("TMPDIR");
    const int length =
        snprintf(path, size, "%s/ftr-attach-XXXXXX", folder != NULL && *folder ? folder : "/tmp");
    const int fd = length > 0 && (size_t)length < size ? mkstemp(path) : -1;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && setenv("FTR_ATTACH_MARK", path, 1) == 0)
        return true;
    ftr_print_error("%s, needed to find out whether a prototype is recorded, cannot be created: %s",
                    path, strerror(errno));
    return false;
}

typedef struct marks {
    bool recorded; /* a process loaded the plug-in */
    bool refused;  /* a process printed why it is not recorded */
} marks;

/* Reads the file of marks at @p path, and removes this file. */
static marks take_marks(const char *path)
{
    char text[4096];
    FILE *const file = fopen(path, "re");
    const size_t size = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file != NULL)
        fclose(file);
    unlink(path);
    return (marks){memchr(text, '1', size) != NULL, size > 0};
}

static int start(char **command, pid_t parent)
{
    /* If this process is killed, the prototype is killed, too, as if this process had become the
     * prototype. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    execvp(command[0], command);
    ftr_print_error("%s cannot be run: %s", command[0], strerror(errno));
    return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* Ends this process by the signal that ended the child. */
static int end_by(int signal)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    const struct rlimit no_core = {0}; /* the ended command has already written a core file */
    sigset_t only;
    setrlimit(RLIMIT_CORE, &no_core);
    sigaction(signal, &usual, NULL);
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(signal);
    return 128 + signal;
}

/* Runs @p command and waits for its end. Searches the program like execvp(). Forwards signals that
 * would end this process to the command. If a signal ends the command, this process also ends by
 * this signal. If this process is killed, the command is killed, too. Prints a message on stderr if
 * neither the command nor any process that it started loaded the plug-in.
 * @return the exit status of the command, or one of this file's statuses */
static int run_watched(char **command)
{
    char mark[4096];
    int status = 0;
    sigset_t before;
    if (!make_mark(mark, sizeof mark))
        return EXIT_NOT_ATTACHED;
    fflush(NULL);
    block_signals(&before);
    const pid_t parent = getpid();
    const pid_t started = fork();
    if (started == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        _exit(start(command, parent));
    }
    child = (sig_atomic_t)started;
    handle_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    while (started > 0 && waitpid(started, &status, 0) < 0 && errno == EINTR)
        continue;
    const marks found = take_marks(mark);
    if (started < 0) {
        ftr_print_error("%s cannot be run: %s", command[0], strerror(errno));
        return EXIT_NOT_ATTACHED;
    }
    if (WIFSIGNALED(status))
        return end_by(WTERMSIG(status));
    const int ended = WEXITSTATUS(status);
    if (found.recorded || ended == EXIT_CANNOT_RUN || ended == EXIT_NOT_FOUND)
        return ended;
    const bool has_said_why = found.refused || (is_strict() && ended == EXIT_NOT_ATTACHED);
    if (!has_said_why)
        ftr_print_error(
            "%s is not a SystemC prototype and started none that can be recorded: nothing was "
            "recorded (it ended with status %d)",
            command[0], ended);
    else if (is_strict())
        ftr_print_error("%s ended with status %d: nothing was recorded", command[0], ended);
    return is_strict() ? EXIT_NOT_ATTACHED : ended;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_prototype(char **command, const char *library)
{
    char path[4096];
    char found[4096];
    if (!ftr_find_program(command[0], path, sizeof path)) {
        ftr_print_error("%s: program not found", command[0]);
        return EXIT_NOT_FOUND;
    }
    if (ftr_has_hidden_kernel(path)) {
        ftr_print_error(
            "%s has SystemC linked in statically: LD_PRELOAD has no effect on it. Link the plug-in "
            "too (-Wl,--whole-archive -l:libftr_attach.a -Wl,--no-whole-archive -lftr -llz4) and "
            "set FTR_TRACE, or link with -rdynamic",
            path);
        return EXIT_NOT_ATTACHED;
    }
    if (library == NULL) {
        if (!find_library(found, sizeof found)) {
            ftr_print_error(
                "libftr_attach.so was not found beside this command; set its path with --library");
            return EXIT_NOT_ATTACHED;
        }
        library = found;
    } else if (access(library, R_OK) != 0) {
        ftr_print_error("%s: %s", library, strerror(errno));
        return EXIT_NOT_ATTACHED;
    }
    if (!prepend("LD_PRELOAD", library) || !permit_preload())
        return EXIT_NOT_ATTACHED;
    /* A program without a SystemC kernel is watched, because it may never start a prototype. A user
     * who asked for a recording must then be told that there is none. */
    if (is_strict() || !ftr_has_visible_kernel(path))
        return run_watched(command);
    execvp(command[0], command);
    ftr_print_error("%s cannot be run: %s", command[0], strerror(errno));
    return EXIT_CANNOT_RUN;
}

static void describe_options(struct option *options)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        options[i] = (struct option){SETTINGS[i].option,
                                     SETTINGS[i].value != NULL ? no_argument : required_argument,
                                     NULL, OPTION_SETTING + i};
    options[SETTING_COUNT] = (struct option){"library", required_argument, NULL, OPTION_LIBRARY};
    options[SETTING_COUNT + 1] = (struct option){"help", no_argument, NULL, 'h'};
    options[SETTING_COUNT + 2] = (struct option){NULL, 0, NULL, 0};
}

typedef struct attach_options {
    const char *library;
    bool failed; /* a variable could not be set */
} attach_options;

static bool parse_option(void *taken, int option, const char *argument)
{
    attach_options *options = taken;
    const setting *const chosen = option == 'o' ? &SETTINGS[0] : &SETTINGS[option - OPTION_SETTING];
    if (option == OPTION_LIBRARY)
        options->library = argument;
    else if (!set_variable(chosen->variable, chosen->value != NULL ? chosen->value : argument))
        options->failed = true;
    return true;
}

static int run(int argc, char **argv)
{
    struct option words[SETTING_COUNT + 3];
    const ftr_option_set set = {&ftr_command_attach, "+:ho:", words, parse_option};
    attach_options options = {0};
    int status;
    describe_options(words);
    if (!ftr_parse_options(&set, argc, argv, &options, &status))
        return status == FTR_EXIT_OK ? status : EXIT_NOT_ATTACHED;
    if (options.failed)
        return EXIT_NOT_ATTACHED;
    if (optind == argc) {
        ftr_misuse(&ftr_command_attach, "a prototype to run is expected");
        return EXIT_NOT_ATTACHED;
    }
    /* By default, the trace is in the current directory and is named after the prototype. */
    const char *const trace = secure_getenv("FTR_TRACE");
    if (trace != NULL && strcmp(trace, "-") == 0) {
        ftr_misuse(&ftr_command_attach,
                   "stdout belongs to the prototype; name a file or a FIFO with -o");
        return EXIT_NOT_ATTACHED;
    }
    /* If only FTR_SUMMARY is set, no trace is written. */
    const char *const summary = secure_getenv("FTR_SUMMARY");
    if ((trace == NULL || !*trace) && (summary == NULL || !*summary) &&
        !set_variable("FTR_TRACE", "%e.ftr"))
        return EXIT_NOT_ATTACHED;
    return run_prototype(argv + optind, options.library);
}

const ftr_command ftr_command_attach = {
    "attach",
    "runs a SystemC prototype and records its TLM-2.0 traffic",
    run,
    "[OPTION...] [--] PROTOTYPE [ARGUMENT...]",
    "  -o, --output FILE       the trace to write (FTR_TRACE; default PROTOTYPE.ftr)\n"
    "  --include GLOBS         links and streams to record, comma-separated (FTR_INCLUDE)\n"
    "  --exclude GLOBS         links and streams not to record, comma-separated (FTR_EXCLUDE)\n"
    "  --from TIME, --to TIME\n"
    "                          interval of simulated time to record (FTR_START, FTR_STOP)\n"
    "  --tlm accesses|calls    a transaction is an access (default), or a call (FTR_TLM)\n"
    "  --payload BYTES|all     data bytes to record of each transaction (FTR_PAYLOAD)\n"
    "  --dmi allow|deny        deny: refuse DMI, so that all traffic is visible (FTR_DMI)\n"
    "  --debug-transport       also record transport_dbg (FTR_DEBUG_TRANSPORT)\n"
    "  --protocol MODE         check the rules of the TLM-2.0 base protocol: check prints\n"
    "                          violations, report reports them as warnings of the simulation,\n"
    "                          error ends the simulation (FTR_PROTOCOL)\n"
    "  --summary FILE          keep the figures of the run in this summary (FTR_SUMMARY);\n"
    "                          without -o and FTR_TRACE, no trace is written\n"
    "  --tags TEXT             text that describes the run: seed=17,branch=x (FTR_TAGS)\n"
    "  --compress MODE         lz4, lz4hc[:LEVEL], none or meta (FTR_COMPRESS)\n"
    "  --strict                a failure to record ends the simulation; the status is 125 if no\n"
    "                          prototype was recorded (FTR_STRICT)\n"
    "  --verbose               print the path of the trace and a summary (FTR_VERBOSE)\n"
    "  --library FILE          path of libftr_attach.so, if it is not beside this command\n"
    "Exit status: the status of the prototype; 125 if it cannot be recorded, 126 if it cannot be\n"
    "run, 127 if it is not found.\n",
};
