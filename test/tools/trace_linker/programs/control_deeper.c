/* The other halves of the recursions, because the linker cannot wrap calls within one object. */
#include "control.h"

int control_recurse(int n)
{
    return control_factorial(n);
}

void control_deeper(int depth)
{
    control_jump(depth);
}
