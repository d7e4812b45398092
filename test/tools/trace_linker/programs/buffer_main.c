/* Calls the shapes and dumps the trace buffer to the file given as argument. */
#include "control.h"
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>

void ftr_trace_buffer_dump(void (*put)(void *user, const void *data, size_t size), void *user);

static void put(void *user, const void *data, size_t size)
{
    fwrite(data, 1, size, user);
}

int main(int argc, char **argv)
{
    enum color color;
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < rounds; ++i) {
        shape_flags(true, 'x', 255, (short)-i, 1ul << 63);
        shape_color(BLUE, &color);
        shape_color((enum color)77, &color);
        shape_move((struct point){1, 2}, 10, -20);
        shape_real(0.5f, 0.25, 0.125L);
        control_factorial(3);
    }
    FILE *file = fopen(argv[1], "wb");
    if (!file)
        return 1;
    ftr_trace_buffer_dump(put, file);
    return fclose(file);
}
