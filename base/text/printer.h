/* Buffered text output for millions of lines: numbers, JSON strings, times. */
#ifndef FTR_PRINTER_H
#define FTR_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FTR_PRINTER_SIZE ((size_t)64 << 10)

/* Writes to a file descriptor or to a callback. If there is neither of them, the text stays in
 * `bytes`, and the printer fails if the caller prints more than FTR_PRINTER_SIZE bytes. */
typedef struct ftr_printer {
    int fd; /* -1: there is no descriptor */
    bool is_terminal;
    /* cells of CSV and TSV are for a spreadsheet that must not take them for formulas */
    bool for_spreadsheet;
    /* If not NULL, receives all bytes instead of the descriptor; returns false on failure. */
    bool (*take)(void *user, const char *bytes, size_t size);
    void *user;
    bool failed;
    int error; /* errno of the first failed write; 0: none failed, or the error is unknown */
    size_t filled;
    char bytes[FTR_PRINTER_SIZE];
} ftr_printer;

void ftr_printer_init(ftr_printer *text, int fd);

/* Writes the buffered bytes. @return false if this write or an earlier one failed */
bool ftr_printer_flush(ftr_printer *text);

/* A text in memory to which printers append. `{0}` is an empty text. */
typedef struct ftr_text_buffer {
    char *bytes;
    size_t size, capacity;
} ftr_text_buffer;

/* Initialises @p printer to append to @p buffer. The text is complete after ftr_printer_flush(),
 * which returns false if out of memory. */
void ftr_text_buffer_connect(ftr_text_buffer *buffer, ftr_printer *printer);
/* Appends bytes to the ftr_text_buffer @p user. @return false if out of memory */
bool ftr_text_buffer_take(void *user, const char *bytes, size_t size);
void ftr_text_buffer_release(ftr_text_buffer *buffer);

/* Returns the address of at least @p size free bytes in the buffer; flushes the buffer if needed.
 * The caller writes to this address, and adds the number of written bytes to `filled`. @p size must
 * not exceed FTR_PRINTER_SIZE. */
static inline char *ftr_printer_room(ftr_printer *text, size_t size)
{
    if (size > FTR_PRINTER_SIZE - text->filled) {
        text->failed |= text->fd < 0 && text->take == NULL;
        (void)ftr_printer_flush(text);
        text->filled = 0;
    }
    return text->bytes + text->filled;
}

/* The slow path of ftr_print(), for text larger than the free buffer. Not for direct use. */
void ftr_print_slow(ftr_printer *text, const char *bytes, size_t size);

static inline void ftr_print(ftr_printer *text, const char *bytes, size_t size)
{
    if (size > FTR_PRINTER_SIZE - text->filled) {
        ftr_print_slow(text, bytes, size);
        return;
    }
    memcpy(text->bytes + text->filled, bytes, size);
    text->filled += size;
}

void ftr_print_uint(ftr_printer *text, uint64_t value);
/* Prints in hexadecimal, as in 0x1f. */
void ftr_print_hexadecimal(ftr_printer *text, uint64_t value);
void ftr_print_int(ftr_printer *text, int64_t value);

/* Prints a decimal that reads back as the same float of @p size bytes: up to 15 digits for a
 * double, up to 6 for a float, and more only if needed. The decimal contains a point or an
 * exponent. Other values are printed as `nan`, `inf` and `-inf`. */
void ftr_print_real(ftr_printer *text, double value, unsigned size);

/* Prints a JSON string, in quotes. Bytes that are not UTF-8 become U+FFFD; control characters, and
 * characters that change the direction of text, are escaped. */
void ftr_print_json(ftr_printer *text, const char *bytes, size_t size);

/* Prints text for a terminal: each byte of a control character, and of a character that changes the
 * direction of text, becomes \xNN (ftr/detail/plain_text.h). */
void ftr_print_plain(ftr_printer *text, const char *bytes, size_t size);

/* Prints the exact time of @p ticks of 10^@p scale seconds, for example "12.5 us". Uses the unit
 * (fs to s) that leaves one to three digits before the decimal point, or the nearest unit if none
 * does. 0 is printed as "0 s". */
void ftr_print_time(ftr_printer *text, uint64_t ticks, int scale);

/* Prints text in a format for programs: unchanged, except on a terminal, where it prints like
 * ftr_print_plain(). */
void ftr_print_exact(ftr_printer *text, const char *bytes, size_t size);

/* Prints "'" in front of the text of a cell of CSV or TSV, if the cell is for a spreadsheet that
 * could take the text for a formula; otherwise prints nothing. */
void ftr_print_cell_begin(ftr_printer *text, const char *bytes, size_t size);

/* Prints a quoted field of CSV (RFC 4180): the opening quote, then ftr_print_cell_begin(), then the
 * text like ftr_print_exact() with doubled quotes, and the closing quote. */
void ftr_print_csv_field(ftr_printer *text, const char *bytes, size_t size);

/* Returns the number of UTF-8 characters. Each character is assumed to take one column of the
 * terminal. */
size_t ftr_text_width(const char *bytes, size_t size);

/* Shortens a name to at most @p width characters: if it is longer, its middle is replaced by an
 * ellipsis. Names differ at their begin and more often at their end, so both are kept, and the end
 * gets the larger part.
 * @param shortened memory for FTR_SHORTENED_SIZE(width) bytes; @p width is at least 1
 * @return the number of bytes */
#define FTR_SHORTENED_SIZE(width) ((size_t)4 * (width) + 4)
size_t ftr_text_shorten(const char *bytes, size_t size, size_t width, char *shortened);

void ftr_print_spaces(ftr_printer *text, size_t count);

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
