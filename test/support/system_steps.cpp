#include "system_steps.hpp"

#include <csignal>
#include <cstdarg>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace
{
std::size_t steps;
std::size_t chosen;
int chosen_signal;

void step()
{
    if (chosen && ++steps == chosen)
        raise(chosen_signal);
}
} // namespace

void raise_at_step(std::size_t number, int signal)
{
    steps = 0;
    chosen = number;
    chosen_signal = signal;
}

extern "C" {
int __real_open(const char *path, int flags, mode_t mode);
int __real_close(int fd);
int __real_unlink(const char *path);
int __real_rename(const char *from, const char *to);
int __real_fchmod(int fd, mode_t mode);
int __real_fsync(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_fallocate(int fd, int mode, off_t offset, off_t size);
ssize_t __real_write(int fd, const void *data, std::size_t size);
ssize_t __real_pwrite(int fd, const void *data, std::size_t size, off_t offset);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
int __wrap_unlink(const char *path);
int __wrap_rename(const char *from, const char *to);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fsync(int fd);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_fallocate(int fd, int mode, off_t offset, off_t size);
ssize_t __wrap_write(int fd, const void *data, std::size_t size);
ssize_t __wrap_pwrite(int fd, const void *data, std::size_t size, off_t offset);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    step();
    return __real_open(path, flags, mode);
}

int __wrap_close(int fd)
{
    step();
    return __real_close(fd);
}

int __wrap_unlink(const char *path)
{
    step();
    return __real_unlink(path);
}

int __wrap_rename(const char *from, const char *to)
{
    step();
    return __real_rename(from, to);
}

int __wrap_fchmod(int fd, mode_t mode)
{
    step();
    return __real_fchmod(fd, mode);
}

int __wrap_fsync(int fd)
{
    step();
    return __real_fsync(fd);
}

int __wrap_ftruncate(int fd, off_t size)
{
    step();
    return __real_ftruncate(fd, size);
}

int __wrap_fallocate(int fd, int mode, off_t offset, off_t size)
{
    step();
    return __real_fallocate(fd, mode, offset, size);
}

ssize_t __wrap_write(int fd, const void *data, std::size_t size)
{
    step();
    return __real_write(fd, data, size);
}

ssize_t __wrap_pwrite(int fd, const void *data, std::size_t size, off_t offset)
{
    step();
    return __real_pwrite(fd, data, size, offset);
}
