#ifndef SHAPES_H
#define SHAPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum color { RED, GREEN = 5, BLUE = 200, DARK = -1 };
struct point {
    int x, y;
};
struct box {
    struct point low, high;
    char label[8];
    unsigned flags : 3;
};
struct bulky {
    double values[40];
};
union either {
    int i;
    float f;
};
typedef struct {
    uint8_t r, g, b;
} rgb;
typedef int (*callback)(int, void *);

bool shape_flags(bool on, char letter, unsigned char byte, short small, unsigned long large);
double shape_real(float f, double d, long double l);
enum color shape_color(enum color color, enum color *out);
struct point shape_move(struct point p, int dx, int dy);
int shape_box(struct box box, rgb color, const rgb *ref);
struct bulky shape_bulky(struct bulky b, union either e);
const char *shape_name(const char *name, char *buffer, size_t size);
int shape_apply(callback f, int n, void *user);
callback shape_callback(int which);
int shape_matrix(int (*rows)[3], const char *const *names, volatile int *flag);
int shape_format(const char *format, ...);
void shape_nothing(void);

#endif
