/* Recursion, threads, longjmp, thread exit, callbacks through pointers. */
#include "control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 200 };

static void *work(void *argument)
{
    int (*through_pointer)(int) = control_leaf;
    long sum = 0;
    for (int i = 0; i < ROUNDS; ++i)
        sum += through_pointer(i) + control_factorial(4);
    if (argument)
        control_exit_thread(3);
    return (void *)sum;
}

int main(void)
{
    pthread_t threads[THREADS];
    volatile int jumps = 0;
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work, i % 2 ? &threads : NULL);
    for (int i = 0; i < THREADS; ++i)
        pthread_join(threads[i], NULL);
    if (setjmp(control_target) == 0 || ++jumps < 3)
        control_jump(4);
    control_leaf(1);
    printf("%d jumps\n", jumps);
    return 0;
}
