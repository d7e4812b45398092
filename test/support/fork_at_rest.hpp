// fork() in a process with recorder threads.
#ifndef FTR_TEST_FORK_AT_REST_HPP
#define FTR_TEST_FORK_AT_REST_HPP

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

// True if all threads of this process except the calling one are asleep.
inline bool other_threads_sleep()
{
    const std::string own = std::to_string(gettid());
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(task.path() / "stat");
        std::string stat;
        std::getline(file, stat);
        const std::size_t name_end = stat.rfind(')');
        // A file without content is that of a thread that has just ended.
        if (task.path().filename() != own && name_end != std::string::npos &&
            stat[name_end + 2] != 'S')
            return false;
    }
    return true;
}

// fork() for a child that allocates, while a recorder of this process has threads. The allocator of
// AddressSanitizer (LLVM 14) does not protect its locks at a fork: a lock that a thread of the
// parent holds remains locked in the child. A thread holds these locks only while it runs.
inline pid_t fork_at_rest()
{
    while (!other_threads_sleep())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return fork();
}

#endif
