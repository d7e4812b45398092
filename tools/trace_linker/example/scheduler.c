/* Owns the list of tasks. */
#include "kernel.h"

static struct task *tasks;

void task_add(struct task *task)
{
    task->next = tasks;
    tasks = task;
}

bool schedule(void)
{
    struct task *best = NULL;
    for (struct task *task = tasks; task != NULL; task = task->next)
        if (task->state == TASK_READY && (best == NULL || task->priority > best->priority))
            best = task;
    if (best == NULL)
        return false;
    task_set_state(best, TASK_RUNNING);
    best->run(best->argument);
    task_set_state(best, TASK_IDLE);
    return true;
}
