#include "fault_injection.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace
{
std::atomic<std::size_t> allocation_count{0};
std::atomic<std::size_t> failing_allocation{0};
std::atomic<bool> allocations_fail_for_good{false};

std::atomic<std::size_t> write_count{0};
std::atomic<std::size_t> failing_write{0};
std::atomic<fault::write_fault> write_failure{fault::write_fault::none};
std::atomic<int> write_error{0};
std::atomic<bool> writes_fail_for_good{false};

std::string without_allocation;
std::string limited;
std::size_t limit;

bool is_below(int fd, const std::string &directory)
{
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t length = directory.empty() ? -1 : readlink(link.c_str(), path, sizeof path);
    return length > 0 &&
           std::string(path, static_cast<std::size_t>(length)).rfind(directory, 0) == 0;
}

bool allocation_fails()
{
    const std::size_t number = ++allocation_count;
    const std::size_t failing = failing_allocation;
    return failing && (number == failing || (allocations_fail_for_good && number > failing));
}
} // namespace

void fault::fail_allocation(std::size_t number, bool for_good)
{
    allocation_count = 0;
    allocations_fail_for_good = for_good;
    failing_allocation = number;
}

void fault::allocations_succeed()
{
    fail_allocation(0, false);
}

std::size_t fault::allocations()
{
    return allocation_count;
}

void fault::allocate_no_space_in(const std::string &directory)
{
    without_allocation = directory;
}

void fault::limit_files_in(const std::string &directory, std::size_t size)
{
    limited = directory;
    limit = size;
}

void fault::fail_write(std::size_t number, write_fault how, int error, bool for_good)
{
    write_count = 0;
    write_failure = how;
    write_error = error;
    writes_fail_for_good = for_good;
    failing_write = number;
}

std::size_t fault::writes()
{
    return write_count;
}

extern "C" {
void *__real_malloc(std::size_t size);
void *__real_calloc(std::size_t count, std::size_t size);
void *__real_realloc(void *memory, std::size_t size);
char *__real_strdup(const char *text);
void *__real_mmap(void *at, std::size_t size, int protection, int flags, int fd, off_t offset);
int __real_mprotect(void *at, std::size_t size, int protection);
int __real_fallocate(int fd, int mode, off_t offset, off_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
ssize_t __real_write(int fd, const void *data, std::size_t size);

void *__wrap_malloc(std::size_t size);
void *__wrap_calloc(std::size_t count, std::size_t size);
void *__wrap_realloc(void *memory, std::size_t size);
char *__wrap_strdup(const char *text);
void *__wrap_mmap(void *at, std::size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_mprotect(void *at, std::size_t size, int protection);
int __wrap_fallocate(int fd, int mode, off_t offset, off_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
ssize_t __wrap_write(int fd, const void *data, std::size_t size);
}

void *__wrap_malloc(std::size_t size)
{
    return allocation_fails() ? nullptr : __real_malloc(size);
}

void *__wrap_calloc(std::size_t count, std::size_t size)
{
    return allocation_fails() ? nullptr : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, std::size_t size)
{
    return allocation_fails() ? nullptr : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return allocation_fails() ? nullptr : __real_strdup(text);
}

void *__wrap_mmap(void *at, std::size_t size, int protection, int flags, int fd, off_t offset)
{
    if (!allocation_fails())
        return __real_mmap(at, size, protection, flags, fd, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int __wrap_mprotect(void *at, std::size_t size, int protection)
{
    if (!allocation_fails())
        return __real_mprotect(at, size, protection);
    errno = ENOMEM;
    return -1;
}

// Allocations beyond the end of a trace (mode FALLOC_FL_KEEP_SIZE) are not counted.
int __wrap_fallocate(int fd, int mode, off_t offset, off_t size)
{
    if (is_below(fd, without_allocation)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    const bool is_full = is_below(fd, limited) && static_cast<std::size_t>(offset + size) > limit;
    if (!is_full && (mode != 0 || !allocation_fails()))
        return __real_fallocate(fd, mode, offset, size);
    errno = ENOSPC;
    return -1;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    return allocation_fails() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

ssize_t __wrap_write(int fd, const void *data, std::size_t size)
{
    const std::size_t number = ++write_count;
    const std::size_t failing = failing_write;
    if (!failing || (number != failing && !(writes_fail_for_good && number > failing)))
        return __real_write(fd, data, size);
    switch (write_failure) {
    case fault::write_fault::error:
        errno = write_error;
        return -1;
    case fault::write_fault::short_write:
        return __real_write(fd, data, size > 1 ? 1 : size);
    case fault::write_fault::interrupted:
        errno = EINTR;
        return -1;
    default:
        return __real_write(fd, data, size);
    }
}
