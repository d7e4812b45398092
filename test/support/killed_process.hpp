// Runs a process that is killed.
#ifndef FTR_TEST_KILLED_PROCESS_HPP
#define FTR_TEST_KILLED_PROCESS_HPP

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

// Runs @p record in a process of its own, which is killed afterwards. Returns its pid. Expects that
// nothing else ends it: record may call _exit() on an error.
template <typename Record> pid_t killed_process(const Record &record)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        record();
        raise(SIGKILL);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    return child;
}

#endif
