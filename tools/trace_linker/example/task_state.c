/* Owns the state of tasks. In a separate file, because the linker cannot wrap calls within a
 * file. */
#include "kernel.h"

void task_set_state(struct task *task, enum task_state state)
{
    task->state = state;
}
