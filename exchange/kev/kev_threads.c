/* Names of processes and threads in a log. */
#include "kev_threads.h"

#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 128
#define NAMES_MAX ((size_t)1 << 20)

/* The thread number under which the name of a process is stored. No thread has this number. */
#define WHOLE_PROCESS UINT32_MAX

/* Returns the key of the present life of a thread or process. The life ends with the thread or
 * process; its number can then be used again. */
static uint64_t life_of(const ftr_kev_threads *threads, uint64_t key)
{
    const ftr_tx_entry *entry = ftr_tx_table_find(&threads->lives, key);
    return key + (entry != NULL ? entry->time : 0) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool set_name(ftr_kev_threads *threads, uint64_t key, const char *name)
{
    if (threads->count >= NAMES_MAX ||
        !ftr_array_grow(&threads->names, &threads->capacity, threads->count, sizeof(char *)))
        return false;
    const ftr_tx_entry *known = ftr_tx_table_find(&threads->index, key);
    if (known != NULL && strcmp(threads->names[known->owner], name) == 0)
        return true;
    ftr_tx_entry *entry = ftr_tx_table_add(&threads->index, key);
    char *copy = entry != NULL ? strdup(name) : NULL;
    if (copy == NULL)
        return false;
    entry->owner = (uint32_t)threads->count;
    threads->names[threads->count++] = copy;
    return true;
}

/* Returns the last part of a path. In this part, replaces characters that separate the parts of
 * stream names. */
static const char *plain(char *name)
{
    char *slash = strrchr(name, '/');
    char *part = slash != NULL && slash[1] != '\0' ? slash + 1 : name;
    for (char *at = part; *at != '\0'; at++)
        if (*at == '.' || *at == '/' || *at == '\n' || *at == '\t')
            *at = '_';
    return part;
}

bool ftr_kev_threads_note(ftr_kev_threads *threads, const ftr_kev_log *log,
                          const ftr_kev_event *event)
{
    char name[NAME_SIZE];
    if (event->class_ != FTR_KEV_THREAD ||
        (event->number != FTR_KEV_PROCESS_CREATE_NAME && event->number != FTR_KEV_THREAD_NAME) ||
        ftr_kev_log_text(log, event, name, sizeof name) == 0)
        return true;
    const uint64_t key = event->number == FTR_KEV_THREAD_NAME
                             ? ftr_kev_thread_of(event->words[0], event->words[1])
                             : ftr_kev_thread_of(event->words[1], WHOLE_PROCESS);
    return set_name(threads, life_of(threads, key), plain(name));
}

bool ftr_kev_threads_follow(ftr_kev_threads *threads, const ftr_kev_event *event)
{
    const bool is_thread = event->number == FTR_KEV_THREAD_DESTROYED;
    const bool is_process =
        event->number == FTR_KEV_PROCESS_DESTROY || event->number == FTR_KEV_PROCESS_DESTROY_NAME;
    if (event->class_ != FTR_KEV_THREAD || !(is_thread || is_process))
        return true;
    ftr_tx_entry *entry = ftr_tx_table_add(
        &threads->lives, is_thread ? ftr_kev_thread_of(event->words[0], event->words[1])
                                   : ftr_kev_thread_of(event->words[1], WHOLE_PROCESS));
    if (entry != NULL)
        entry->time++;
    return entry != NULL;
}

void ftr_kev_threads_begin_again(ftr_kev_threads *threads)
{
    ftr_tx_table_release(&threads->lives);
    threads->lives = (ftr_tx_table){0};
}

static const char *find_name(const ftr_kev_threads *threads, uint64_t key)
{
    const ftr_tx_entry *entry = ftr_tx_table_find(&threads->index, life_of(threads, key));
    return entry != NULL ? threads->names[entry->owner] : "";
}

void ftr_kev_threads_stream(const ftr_kev_threads *threads, const char *kind, uint64_t thread,
                            char *name, size_t size)
{
    const uint32_t process = (uint32_t)(thread >> 32);
    if (threads->count == 0) {
        (void)snprintf(name, size, "%s.%" PRIu32 "-%" PRIu32, kind, process, (uint32_t)thread);
        return;
    }
    const char *of = find_name(threads, ftr_kev_thread_of(process, WHOLE_PROCESS));
    const char *own = find_name(threads, thread);
    (void)snprintf(name, size, "%s.%s%s%" PRIu32 "-%" PRIu32 "%s%s", kind, of,
                   *of != '\0' ? "." : "", process, (uint32_t)thread, *own != '\0' ? ":" : "", own);
}

void ftr_kev_threads_release(ftr_kev_threads *threads)
{
    for (size_t i = 0; i < threads->count; i++)
        free(threads->names[i]);
    free(threads->names);
    ftr_tx_table_release(&threads->index);
    ftr_tx_table_release(&threads->lives);
    *threads = (ftr_kev_threads){0};
}
