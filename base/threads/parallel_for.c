/* Pieces of different sizes: a thread takes a piece when it has finished the previous one. */
#include "parallel_for.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct pieces {
    void (*work)(void *user, unsigned thread, size_t piece);
    void *user;
    size_t count;
    atomic_size_t next; /* the first piece that no thread has taken */
} pieces;

typedef struct worker {
    pieces *all;
    pthread_t thread;
    unsigned number;
} worker;

bool ftr_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *user)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_started)
        pthread_setname_np(*thread, name);
    return is_started;
}

static void *work_on(void *user)
{
    const worker *self = user;
    pieces *all = self->all;
    size_t piece;
    while ((piece = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed)) < all->count)
        all->work(all->user, self->number, piece);
    return NULL;
}

void ftr_parallel_for(size_t count, unsigned threads,
                      void (*work)(void *user, unsigned thread, size_t piece), void *user)
{
    pieces all = {work, user, count, 0};
    worker self = {.all = &all};
    const size_t most = threads < count ? threads : count;
    worker *others = most > 1 ? calloc(most - 1, sizeof *others) : NULL;
    size_t started = 0;
    for (; others != NULL && started + 1 < most; started++) {
        others[started] = (worker){.all = &all, .number = (unsigned)started + 1};
        if (!ftr_thread_start(&others[started].thread, "ftr-worker", work_on, &others[started]))
            break;
    }
    (void)work_on(&self);
    while (started > 0)
        (void)pthread_join(others[--started].thread, NULL);
    free(others);
}
