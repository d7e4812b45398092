#ifndef CONTROL_H
#define CONTROL_H

#include <setjmp.h>

extern jmp_buf control_target;

int control_factorial(int n);
int control_recurse(int n);
void control_jump(int depth);
void control_deeper(int depth);
void control_exit_thread(int value);
int control_leaf(int n);

#endif
