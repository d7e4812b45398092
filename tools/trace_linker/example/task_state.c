/* Sets the state of tasks. This is a separate file, because the linker cannot wrap calls within a
 * file. */
#include "kernel.h"

void task_set_state(struct task *task, enum task_state state)
{
    task->state = state;
}
