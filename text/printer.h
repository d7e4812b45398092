/* Text on its way to stdout, for data by the million lines: numbers, JSON strings, times. */
#ifndef FTR_PRINTER_H
#define FTR_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FTR_PRINTER_SIZE ((size_t)64 << 10)

/* A sink writes to a descriptor, or keeps the first bytes that fit when it has none. */
typedef struct ftr_printer {
    int fd; /* -1: keeps what fits */
    /* Takes all of the bytes instead of the descriptor, or answers false. NULL: there is none. */
    bool (*take)(void *user, const char *bytes, size_t size);
    void *user;
    bool failed;
    int error; /* errno of the first write that failed; 0: not known */
    size_t filled;
    char bytes[FTR_PRINTER_SIZE];
} ftr_printer;

void ftr_printer_init(ftr_printer *text, int fd);

/* Writes what is held. @return false when any write failed */
bool ftr_printer_flush(ftr_printer *text);

/* Makes room for at least @p size bytes, at most FTR_PRINTER_SIZE. */
static inline char *ftr_printer_room(ftr_printer *text, size_t size)
{
    if (size > FTR_PRINTER_SIZE - text->filled) {
        (void)ftr_printer_flush(text);
        text->filled = 0;
    }
    return text->bytes + text->filled;
}

/* What ftr_print() does with more than fits at once: not for others to call. */
void ftr_print_slowly(ftr_printer *text, const char *bytes, size_t size);

static inline void ftr_print(ftr_printer *text, const char *bytes, size_t size)
{
    if (size > FTR_PRINTER_SIZE - text->filled) {
        ftr_print_slowly(text, bytes, size);
        return;
    }
    memcpy(text->bytes + text->filled, bytes, size);
    text->filled += size;
}

void ftr_print_uint(ftr_printer *text, uint64_t value);
void ftr_print_int(ftr_printer *text, int64_t value);

/* The shortest decimal that reads back the same as a float of @p size bytes. */
void ftr_print_real(ftr_printer *text, double value, unsigned size);

/* Bytes of the valid UTF-8 character at @p bytes, or 0. */
size_t ftr_utf8_length(const unsigned char *bytes, size_t size);

/* As a JSON string, in quotes. Bytes that are not UTF-8 become U+FFFD. */
void ftr_print_json(ftr_printer *text, const char *bytes, size_t size);

/* For people: characters that a terminal acts on, control characters and those that change the
 * direction of text, as \xNN. */
void ftr_print_plain(ftr_printer *text, const char *bytes, size_t size);

/* @p ticks of 10^@p scale seconds, exactly, in the unit that makes it short: "12.5 us". */
void ftr_print_time(ftr_printer *text, uint64_t ticks, int scale);

static inline void ftr_print_char(ftr_printer *text, char byte)
{
    *ftr_printer_room(text, 1) = byte;
    text->filled++;
}

static inline void ftr_print_string(ftr_printer *text, const char *string)
{
    ftr_print(text, string, strlen(string));
}

#endif
