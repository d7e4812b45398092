/* Calls every shape once. */
#include "shapes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int triple(int n, void *user)
{
    return 3 * n + *(int *)user;
}

int main(void)
{
    enum color color;
    struct box box = {{1, 2}, {11, 22}, "eightchr", 5};
    rgb ref = {7, 8, 9};
    struct bulky bulky = {{0}};
    union either either = {.i = 3};
    char buffer[32] = "";
    int seven = 7;
    int rows[2][3] = {{0}, {0, 0, 40}};
    const char *names[] = {"A"};
    volatile int flag = 1;
    int good = shape_flags(true, 'x', 255, -7, 1ul << 63);
    good += shape_real(0.5f, 0.25, 0.125L) == 0.875;
    errno = EDOM;
    good += shape_color(BLUE, &color) == BLUE && color == BLUE;
    good += shape_color((enum color)77, &color) == BLUE;
    good += shape_color(RED, &color) == DARK;
    good += errno == EDOM;
    struct point moved = shape_move((struct point){1, 2}, 10, -20);
    good += moved.x == 11 && moved.y == -18;
    good += shape_box(box, (rgb){1, 2, 3}, &ref) == 26;
    good += shape_bulky(bulky, either).values[0] == 3;
    good += strcmp(shape_name("a name\twith \"quotes\"", buffer, sizeof buffer - 1),
                   "a name\twith \"quotes\"") == 0;
    good += shape_name("", buffer, 0) == buffer;
    good += shape_apply(triple, 5, &seven) == 22;
    good += shape_callback(1)(4, NULL) == 8;
    good += shape_matrix(rows, names, &flag) == 106;
    shape_nothing();
    printf("%d of 14\n", good);
    return good != 14;
}
