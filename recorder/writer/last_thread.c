/* Determines whether only writer threads keep the process alive, by reading /proc. */
#define _GNU_SOURCE
#include "last_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the first @p size - 1 bytes of a /proc file of a thread of this process into @p text.
 * Returns false if nothing could be read, for example because the thread has ended. */
static bool read_of_thread(const char *thread, const char *name, char *text, size_t size)
{
    char path[64];
    if ((size_t)snprintf(path, sizeof path, "/proc/self/task/%s/%s", thread, name) >= sizeof path)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, size - 1);
    close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Returns whether the main thread has ended. The kernel keeps the main thread as a zombie until all
 * other threads have ended. */
static bool main_has_ended(const char *main_thread)
{
    char text[128];
    if (!read_of_thread(main_thread, "stat", text, sizeof text))
        return false;
    const char *state = strrchr(text, ')'); /* the thread's name before it may contain ")" */
    return state != NULL && strncmp(state, ") Z", 3) == 0;
}

bool ftr_only_writers_are_left(void)
{
    char main_thread[16];
    char name[32];
    snprintf(main_thread, sizeof main_thread, "%ld", (long)getpid());
    if (!main_has_ended(main_thread))
        return false;
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL)
        return false;
    bool only_writers = true;
    for (const struct dirent *entry; only_writers && (entry = readdir(threads)) != NULL;) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, main_thread) == 0)
            continue;
        only_writers = read_of_thread(entry->d_name, "comm", name, sizeof name) &&
                       strcmp(name, FTR_WRITER_THREAD_NAME "\n") == 0;
    }
    closedir(threads);
    return only_writers;
}
