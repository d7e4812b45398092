/** @file
 *  Runs tasks to completion, by priority. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>

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

#endif
