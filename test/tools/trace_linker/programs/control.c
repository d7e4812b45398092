/* Functions that are left in other ways than by returning. */
#include "control.h"

#include <pthread.h>

jmp_buf control_target;

int control_factorial(int n)
{
    return n < 2 ? 1 : n * control_recurse(n - 1);
}

void control_jump(int depth)
{
    if (depth)
        control_deeper(depth - 1);
    else
        longjmp(control_target, 1);
}

void control_exit_thread(int value)
{
    (void)value;
    pthread_exit(NULL);
}

int control_leaf(int n)
{
    return n + 1;
}
