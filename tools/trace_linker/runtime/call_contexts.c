/* The threads of control that make traced calls, and their recording state. When a thread has
 * ended, a later thread with the same name reuses its context, so that a program with many short
 * threads has few streams. Contexts are never freed, because the recorder may be closed late and
 * may still read them then. */
#define _GNU_SOURCE
#include "call_contexts.h"

#include "growing_array.h"
#include "plain_message.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STREAM_KIND "calls"
#define NAME_SIZE 256
#define KEY_BUCKETS 1024

static struct {
    pthread_mutex_t lock;
    pthread_once_t once;
    pthread_key_t key;
    ftr_call_context *unused;
    ftr_call_context *by_key[KEY_BUCKETS];
    void (*prepare)(ftr_call_stack *stack);
    void (*abandon)(ftr_call_context *context);
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

__thread ftr_call_thread ftr_current_thread;

void ftr_call_contexts_install(void (*prepare)(ftr_call_stack *stack),
                               void (*abandon)(ftr_call_context *context))
{
    contexts.prepare = prepare;
    contexts.abandon = abandon;
}

void ftr_call_contexts_lock(void)
{
    pthread_mutex_lock(&contexts.lock);
}

void ftr_call_contexts_unlock(void)
{
    pthread_mutex_unlock(&contexts.lock);
}

void ftr_call_contexts_print(const char *severity, const char *message)
{
    ftr_print_message(stderr, "ftr: ", "%s: %s", severity, message);
}

/* ---- the end of threads ---------------------------------------------------------------------- */

static void end_thread(void *user)
{
    ftr_call_thread *thread = user;
    ftr_call_context *context = thread->own;
    thread->busy = 1;
    thread->own = NULL;
    thread->usual = NULL;
    if (context != NULL) {
        contexts.abandon(context);
        ftr_call_contexts_lock();
        context->next = contexts.unused;
        contexts.unused = context;
        ftr_call_contexts_unlock();
    }
    thread->busy = 0;
}

static void make_key(void)
{
    /* If the key cannot be created, contexts of ended threads are not reused. */
    (void)pthread_key_create(&contexts.key, end_thread);
}

/* ---- contexts -------------------------------------------------------------------------------- */

static void name_thread(char *name, size_t size)
{
    char own[32] = "";
    pid_t tid = (pid_t)syscall(SYS_gettid);
    if (tid == getpid()) {
        snprintf(name, size, "calls.main");
        return;
    }
    pthread_getname_np(pthread_self(), own, sizeof own);
    /* A thread whose name was not set has the name of the program. */
    if (!*own || strncmp(own, program_invocation_short_name, 15) == 0)
        snprintf(name, size, "calls.thread");
    else
        snprintf(name, size, "calls.%s", own);
}

static void find_stack(ftr_call_context *context)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
        context->stack_low = (uintptr_t)low;
        context->stack_high = (uintptr_t)low + size;
    }
    pthread_attr_destroy(&attributes);
}

bool ftr_call_context_shares_stack(const ftr_call_context *context, uintptr_t a, uintptr_t b)
{
    if (!context->stack_high)
        return true; /* unknown bounds, or a coroutine, whose frames are all on one stack */
    return a >= context->stack_low && a < context->stack_high && b >= context->stack_low &&
           b < context->stack_high;
}

static ftr_call_context *make_context(ftr_recorder *recorder, const char *name)
{
    ftr_call_context *context = calloc(1, sizeof *context);
    if (context == NULL || (context->name = strdup(name)) == NULL) {
        free(context);
        return NULL;
    }
    context->stack.recorder = recorder;
    contexts.prepare(&context->stack);
    context->closed =
        ftr_stream_define(recorder, name, STREAM_KIND, &context->stream) != FTR_OK ||
        ftr_relation_define(recorder, "PARENT_CHILD", &context->stack.relation) != FTR_OK;
    return context;
}

static ftr_call_context *reuse_context(const char *name)
{
    ftr_call_context **link = &contexts.unused;
    while (*link != NULL && strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    ftr_call_context *context = *link;
    if (context != NULL)
        *link = context->next;
    return context;
}

ftr_call_context *ftr_call_context_of_thread(ftr_call_thread *thread, ftr_recorder *recorder)
{
    char name[NAME_SIZE];
    pthread_once(&contexts.once, make_key);
    name_thread(name, sizeof name);
    ftr_call_contexts_lock();
    ftr_call_context *context = reuse_context(name);
    ftr_call_contexts_unlock();
    if (context == NULL)
        context = make_context(recorder, name);
    if (context == NULL)
        return NULL;
    find_stack(context);
    thread->own = context;
    (void)pthread_setspecific(contexts.key, thread);
    return context;
}

static size_t bucket_of(const void *key)
{
    uint64_t hash = (uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 54) % KEY_BUCKETS;
}

ftr_call_context *ftr_call_context_of_key(ftr_call_thread *thread, ftr_recorder *recorder,
                                          const void *key,
                                          const ftr_tracelink_environment *environment)
{
    if (thread->last != NULL && thread->last->key == key)
        return thread->last;
    ftr_call_context **bucket = &contexts.by_key[bucket_of(key)];
    ftr_call_contexts_lock();
    ftr_call_context *context = *bucket;
    while (context != NULL && context->key != key)
        context = context->next;
    if (context == NULL) {
        char name[NAME_SIZE] = "";
        environment->context_name(environment->user, name, sizeof name);
        name[sizeof name - 1] = 0;
        context = make_context(recorder, *name ? name : "calls.unnamed");
        if (context != NULL) {
            context->key = key;
            context->next = *bucket;
            *bucket = context;
        }
    }
    ftr_call_contexts_unlock();
    thread->last = context;
    return context;
}

/* ---- definitions and stack bounds ------------------------------------------------------------ */

ftr_generator ftr_call_context_define(ftr_call_context *context, const ftr_traced_unit *unit,
                                      size_t index)
{
    const ftr_traced_function *function = &unit->functions[index];
    ftr_call_stack *stack = &context->stack;
    ftr_generator generator = 0;
    if (context->closed ||
        !ftr_array_reach(&stack->generators, &stack->generator_count, unit->first + unit->count - 1,
                         sizeof *stack->generators))
        return 0;
    if (ftr_generator_define(stack->recorder, context->stream, function->name, function->attributes,
                             function->count, &generator) != FTR_OK)
        return 0;
    stack->generators[unit->first + index] = generator;
    return generator;
}

bool ftr_call_context_grow(ftr_call_context *context)
{
    ftr_call_stack *stack = &context->stack;
    return ftr_array_grow(&stack->open, &stack->room, stack->room, sizeof *stack->open);
}
