/* Looks like a prototype with a statically linked SystemC: contains the name of the type of its
 * modules. */
#include <stdio.h>

static const char name_of_type[] = "\0N7sc_core9sc_moduleE";

int main(void)
{
    puts(name_of_type + 1);
    return 0;
}
