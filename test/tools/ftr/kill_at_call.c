/* kill_at_call N COMMAND...: runs a command and kills it with SIGKILL at the entry of its N-th
 * system call that changes files. Exits with 137 in this case, otherwise with the command's
 * status. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool changes_files(uint64_t number, const uint64_t *arguments)
{
    static const long CALLS[] = {
#ifdef SYS_rename
        SYS_rename,    SYS_unlink,    SYS_mkdir,      SYS_rmdir,   SYS_chmod,
#endif
        SYS_renameat,  SYS_renameat2, SYS_unlinkat,   SYS_mkdirat, SYS_fchmod,
        SYS_linkat,    SYS_write,     SYS_pwrite64,   SYS_writev,  SYS_ftruncate,
        SYS_fallocate, SYS_fsync,     SYS_exit_group,
    };
    if (number == SYS_openat)
        return (arguments[2] & O_CREAT) != 0;
    for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++)
        if ((uint64_t)CALLS[i] == number)
            return true;
    return false;
}

static bool enters_call(pid_t thread)
{
    struct __ptrace_syscall_info info;
    return ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) > 0 &&
           info.op == PTRACE_SYSCALL_INFO_ENTRY && changes_files(info.entry.nr, info.entry.args);
}

static int follow(pid_t command, long kill_at)
{
    const long options =
        PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC;
    int status;
    if (waitpid(command, &status, 0) != command ||
        ptrace(PTRACE_SETOPTIONS, command, 0, options) != 0)
        return 125;
    (void)ptrace(PTRACE_SYSCALL, command, 0, 0);
    for (long calls = 0;;) {
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            return 125;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == command)
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        const int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80) && enters_call(thread) && ++calls == kill_at)
            (void)kill(command, SIGKILL);
        const bool ours = signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP;
        (void)ptrace(PTRACE_SYSCALL, thread, 0, ours ? 0 : signal);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 125;
    const pid_t command = fork();
    if (command == 0) {
        (void)ptrace(PTRACE_TRACEME, 0, 0, 0);
        (void)raise(SIGSTOP);
        (void)execv(argv[2], argv + 2);
        _exit(127);
    }
    return command > 0 ? follow(command, strtol(argv[1], NULL, 10)) : 125;
}
