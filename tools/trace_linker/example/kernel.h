/** @file
 *  The services of the firmware's kernel: tasks that run to completion, in order of priority, and a
 *  heap of blocks of fixed size. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>

enum task_state { TASK_IDLE, TASK_READY, TASK_RUNNING };

struct task {
    const char *name;
    int priority;
    void (*run)(void *argument);
    void *argument;
    enum task_state state;
    struct task *next;
};

void task_add(struct task *task);
void task_set_state(struct task *task, enum task_state state);

/** Runs the ready task with the highest priority. @return false if no task is ready */
bool schedule(void);

/** @return NULL if no block is free */
void *heap_take(size_t size);
void heap_give(void *block);

#endif
