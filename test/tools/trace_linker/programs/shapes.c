#include "shapes.h"

#include <stdio.h>
#include <string.h>

bool shape_flags(bool on, char letter, unsigned char byte, short small, unsigned long large)
{
    return on && letter && byte && small && large;
}

double shape_real(float f, double d, long double l)
{
    return f + d + (double)l;
}

enum color shape_color(enum color color, enum color *out)
{
    *out = color;
    return color == RED ? DARK : BLUE;
}

struct point shape_move(struct point p, int dx, int dy)
{
    return (struct point){p.x + dx, p.y + dy};
}

int shape_box(struct box box, rgb color, const rgb *ref)
{
    return box.high.x - box.low.x + (int)box.flags + color.g + ref->b;
}

struct bulky shape_bulky(struct bulky b, union either e)
{
    b.values[0] = e.i;
    return b;
}

const char *shape_name(const char *name, char *buffer, size_t size)
{
    strncpy(buffer, name, size);
    return buffer;
}

int shape_apply(callback f, int n, void *user)
{
    return f(n, user);
}

static int doubled(int n, void *user)
{
    (void)user;
    return 2 * n;
}

callback shape_callback(int which)
{
    return which ? doubled : NULL;
}

int shape_matrix(int (*rows)[3], const char *const *names, volatile int *flag)
{
    return rows[1][2] + names[0][0] + *flag;
}

int shape_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    return length;
}

void shape_nothing(void) {}
