/* The other halves of the recursions: the linker sees no calls inside one object. */
#include "control.h"

int control_recurse(int n)
{
    return control_factorial(n);
}

void control_deeper(int depth)
{
    control_jump(depth);
}
