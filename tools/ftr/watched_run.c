/* Owns the run of a prototype and the wait for its end. To report that a process was recorded,
 * libftr_attach.so appends `1` to the file with the path FTR_ATTACH_MARK; `0` if it has printed why
 * a prototype is not recorded. A file is used instead of a pipe, because programs between this
 * process and the prototype may close all descriptors. */
#include "watched_run.h"

#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Returns whether the terminal sends this signal. The terminal also sends it to the child, so it is
 * not forwarded: a prototype may treat a second signal as a request to abort. */
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

/* Reads and removes the file. */
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
    /* The prototype does not survive this process, as if this process had become the prototype. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    execvp(command[0], command);
    ftr_print_error("%s cannot be run: %s", command[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

/* Ends this process by the signal that ended the child. */
static int end_by(int signal)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    const struct rlimit no_core = {0}; /* the command has already written one */
    sigset_t only;
    setrlimit(RLIMIT_CORE, &no_core);
    sigaction(signal, &usual, NULL);
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(signal);
    return 128 + signal;
}

int ftr_run_watched(char **command, bool is_strict, int not_attached)
{
    char mark[4096];
    int status = 0;
    sigset_t before;
    if (!make_mark(mark, sizeof mark))
        return not_attached;
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
        return not_attached;
    }
    if (WIFSIGNALED(status))
        return end_by(WTERMSIG(status));
    const int ended = WEXITSTATUS(status);
    if (found.recorded || ended == 126 || ended == 127)
        return ended;
    const bool has_said_why = found.refused || (is_strict && ended == not_attached);
    if (!has_said_why)
        ftr_print_error(
            "%s is not a SystemC prototype and started none that can be recorded: nothing was "
            "recorded (it ended with status %d)",
            command[0], ended);
    else if (is_strict)
        ftr_print_error("%s ended with status %d: nothing was recorded", command[0], ended);
    return is_strict ? not_attached : ended;
}
