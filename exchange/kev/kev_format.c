/* Owns the format: %[-][0][WIDTH][.[-]PRECISION]LETTER. A negative precision keeps the end of a
 * text and not its beginning. */
#include "kev_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LETTERS "cCetZz%"
#define DIGITS_MAX 3

typedef struct field {
    bool is_left, has_zeros, has_precision, keeps_end;
    size_t width, precision;
    char letter;
} field;

/* Reads a number of at most DIGITS_MAX digits. @return the first byte behind it */
static const char *read_number(const char *at, size_t *number)
{
    *number = 0;
    for (size_t i = 0; i < DIGITS_MAX && *at >= '0' && *at <= '9'; i++, at++)
        *number = *number * 10 + (size_t)(*at - '0');
    return at;
}

/* Reads a field behind its percent sign. @return the first byte behind it; NULL if it is invalid */
static const char *read_field(const char *at, field *f)
{
    *f = (field){0};
    for (; *at == '-' || *at == '0'; at++) {
        f->is_left |= *at == '-';
        f->has_zeros |= *at == '0';
    }
    at = read_number(at, &f->width);
    if (*at == '.') {
        f->has_precision = true;
        f->keeps_end = at[1] == '-';
        at = read_number(at + 1 + f->keeps_end, &f->precision);
    }
    f->letter = *at;
    return *at != '\0' && strchr(LETTERS, *at) != NULL ? at + 1 : NULL;
}

const char *ftr_kev_format_check(const char *format)
{
    field f;
    for (const char *at = format; (at = strchr(at, '%')) != NULL;) {
        const char *next = read_field(at + 1, &f);
        if (next == NULL)
            return at;
        at = next;
    }
    return NULL;
}

static const char *value_of(const ftr_kev_line *line, char letter, char *text, size_t size)
{
    switch (letter) {
    case 'c':
        (void)snprintf(text, size, "%" PRIx64, line->cycles);
        return text;
    case 'C':
        (void)snprintf(text, size, "%u", line->cpu);
        return text;
    case 'e':
        (void)snprintf(text, size, "%" PRIu64, line->number);
        return text;
    case 't': /* seconds, milliseconds, microseconds */
        (void)snprintf(text, size, "%" PRIu64 ".%03u.%03uus", line->nanoseconds / 1000000000,
                       (unsigned)(line->nanoseconds / 1000000 % 1000),
                       (unsigned)(line->nanoseconds / 1000 % 1000));
        return text;
    case 'Z':
        return line->class_;
    case 'z':
        return line->event;
    default:
        return "%";
    }
}

static void repeat(ftr_printer *out, char byte, size_t count)
{
    for (; count > 0; count--)
        ftr_print_char(out, byte);
}

static void put_field(ftr_printer *out, const field *f, const ftr_kev_line *line)
{
    char text[48];
    const char *value = value_of(line, f->letter, text, sizeof text);
    const bool is_number = strchr("cCe", f->letter) != NULL;
    size_t size = strlen(value);
    size_t zeros = 0;
    if (f->has_precision && is_number && !f->keeps_end) {
        zeros = f->precision > size ? f->precision - size : 0;
    } else if (f->has_precision && size > f->precision) {
        value += f->keeps_end ? size - f->precision : 0;
        size = f->precision;
    }
    const size_t padding = f->width > size + zeros ? f->width - size - zeros : 0;
    if (!f->is_left)
        repeat(out, f->has_zeros && f->letter != 'Z' && f->letter != 'z' ? '0' : ' ', padding);
    repeat(out, '0', zeros);
    ftr_print(out, value, size);
    if (f->is_left)
        repeat(out, ' ', padding);
}

void ftr_kev_format_print(ftr_printer *out, const char *format, const ftr_kev_line *line)
{
    for (const char *at = format; *at != '\0';) {
        field f;
        const char *next = *at == '%' ? read_field(at + 1, &f) : NULL;
        if (next != NULL)
            put_field(out, &f, line);
        else
            ftr_print_char(out, *at);
        at = next != NULL ? next : at + 1;
    }
}
