/* The buffer of a printer, and the conversion of numbers, strings and times to text. */
#include "printer.h"

#include "growing_array.h"
#include "time_text.h"
#include "utf8.h"

#include <ftr/detail/decimal.h>
#include <ftr/detail/plain_text.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void ftr_printer_init(ftr_printer *text, int fd)
{
    text->fd = fd;
    text->for_spreadsheet = false;
    text->is_terminal = fd >= 0 && isatty(fd) != 0;
    text->take = NULL;
    text->failed = false;
    text->error = 0;
    text->filled = 0;
}

static void fail(ftr_printer *text)
{
    text->failed = true;
    text->error = errno;
}

bool ftr_printer_flush(ftr_printer *text)
{
    const char *at = text->bytes;
    errno = 0;
    if (text->take != NULL) {
        if (!text->failed && !text->take(text->user, text->bytes, text->filled))
            fail(text);
        text->filled = 0;
        return !text->failed;
    }
    while (text->fd >= 0 && text->filled > 0 && !text->failed) {
        const ssize_t written = write(text->fd, at, text->filled);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            fail(text);
            break;
        }
        at += written;
        text->filled -= (size_t)written;
    }
    if (text->fd >= 0)
        text->filled = 0;
    return !text->failed;
}

bool ftr_text_buffer_take(void *user, const char *bytes, size_t size)
{
    ftr_text_buffer *buffer = user;
    if (!ftr_array_fit(&buffer->bytes, &buffer->capacity, buffer->size + size + 1, 1))
        return false;
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

void ftr_text_buffer_connect(ftr_text_buffer *buffer, ftr_printer *printer)
{
    ftr_printer_init(printer, -1);
    printer->take = ftr_text_buffer_take;
    printer->user = buffer;
}

void ftr_text_buffer_release(ftr_text_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (ftr_text_buffer){0};
}

void ftr_print_slow(ftr_printer *text, const char *bytes, size_t size)
{
    while (size > 0) {
        const size_t piece = size < FTR_PRINTER_SIZE ? size : FTR_PRINTER_SIZE;
        memcpy(ftr_printer_room(text, piece), bytes, piece);
        text->filled += piece;
        bytes += piece;
        size -= piece;
    }
}

static const char DIGIT_PAIRS[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546"
    "4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293"
    "949596979899";

/* Writes the digits of @p value to the bytes before @p end. @return address of the first digit */
static char *digits_before(char *end, uint64_t value)
{
    while (value >= 100) {
        const unsigned pair = (unsigned)(value % 100) * 2;
        value /= 100;
        end -= 2;
        memcpy(end, DIGIT_PAIRS + pair, 2);
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, DIGIT_PAIRS + value * 2, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

static unsigned digit_count(uint64_t value)
{
    unsigned count = 1;
    for (; value >= 10000; value /= 10000)
        count += 4;
    return count + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Writes directly into the buffer, because most of the output is numbers, and this is faster. */
void ftr_print_uint(ftr_printer *text, uint64_t value)
{
    const unsigned count = digit_count(value);
    (void)digits_before(ftr_printer_room(text, count) + count, value);
    text->filled += count;
}

void ftr_print_hexadecimal(ftr_printer *text, uint64_t value)
{
    static const char DIGITS[] = "0123456789abcdef";
    const unsigned count = 2 + (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    char *at = ftr_printer_room(text, count) + count;
    for (unsigned i = 2; i < count; i++, value >>= 4)
        *--at = DIGITS[value & 15];
    *--at = 'x';
    *--at = '0';
    text->filled += count;
}

void ftr_print_int(ftr_printer *text, int64_t value)
{
    if (value < 0)
        ftr_print_char(text, '-');
    ftr_print_uint(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void ftr_print_real(ftr_printer *text, double value, unsigned size)
{
    char decimal[FTR_DECIMAL_SIZE];
    /* The shortest decimal. From 0.0001 on, doubles with up to 15 digits before the point and
     * singles with up to 6 have no exponent. */
    (void)ftr_decimal_format(value, size, size == sizeof value ? 15 : 6, decimal);
    ftr_print_string(text, decimal);
    /* Keeps reals recognisable as reals: 1 becomes 1.0. */
    if (isfinite(value) && strpbrk(decimal, ".e") == NULL)
        ftr_print_string(text, ".0");
}

static void put_json_escape(ftr_printer *text, unsigned code)
{
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i < sizeof SHORT - 1; i += 2)
        if ((unsigned char)SHORT[i] == code) {
            ftr_print_char(text, '\\');
            ftr_print_char(text, SHORT[i + 1]);
            return;
        }
    char escape[8];
    (void)snprintf(escape, sizeof escape, "\\u%04x", code);
    ftr_print_string(text, escape);
}

/* ---- strings: eight bytes at a time, because most bytes need no escape ----------------------- */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t load_eight(const char *bytes)
{
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    return eight;
}

/* Returns nonzero if one of the eight bytes equals @p byte. The bits for the bytes behind the first
 * match may be wrong. */
static uint64_t has_byte(uint64_t eight, unsigned char byte)
{
    const uint64_t zero = eight ^ EACH_BYTE(byte);
    return (zero - EACH_BYTE(0x01)) & ~zero & EACH_BYTE(0x80);
}

/* Returns nonzero if one of the eight bytes is a control character. */
static uint64_t has_control(uint64_t eight)
{
    return ((eight - EACH_BYTE(0x20)) & ~eight & EACH_BYTE(0x80)) | has_byte(eight, 0x7f);
}

/* Returns nonzero if one of the eight bytes must be escaped in a JSON string. */
static uint64_t has_json_special(uint64_t eight)
{
    return has_control(eight) | has_byte(eight, '"') | has_byte(eight, '\\') |
           (eight & EACH_BYTE(0x80));
}

/* Returns true if @p has finds nothing in any of the bytes. */
static inline bool is_free_of(uint64_t (*has)(uint64_t eight), const char *bytes, size_t size)
{
    if (size < 8) {
        uint64_t eight = EACH_BYTE(' ');
        for (size_t i = 0; i < size; i++)
            eight = eight << 8 | (unsigned char)bytes[i];
        return has(eight) == 0;
    }
    uint64_t found = has(load_eight(bytes + size - 8));
    for (size_t i = 0; i + 8 < size; i += 8)
        found |= has(load_eight(bytes + i));
    return found == 0;
}

/* Decodes a valid UTF-8 character of at most three bytes. */
static unsigned code_point(const unsigned char *at, size_t length)
{
    if (length == 1)
        return at[0];
    if (length == 2)
        return (at[0] & 0x1fU) << 6 | (at[1] & 0x3fU);
    return (at[0] & 0x0fU) << 12 | (at[1] & 0x3fU) << 6 | (at[2] & 0x3fU);
}

/* Returns true if a byte needs no escape in a JSON string. */
static bool is_json_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void ftr_print_json(ftr_printer *text, const char *bytes, size_t size)
{
    if (size <= FTR_PRINTER_SIZE / 2 && is_free_of(has_json_special, bytes, size)) {
        char *at = ftr_printer_room(text, size + 2);
        *at = '"';
        memcpy(at + 1, bytes, size);
        at[size + 1] = '"';
        text->filled += size + 2;
        return;
    }
    const unsigned char *at = (const unsigned char *)bytes;
    const unsigned char *end = at + size;
    ftr_print_char(text, '"');
    while (at < end) {
        const unsigned char *from = at;
        while (at < end && is_json_plain(*at))
            at++;
        ftr_print(text, (const char *)from, (size_t)(at - from));
        if (at == end)
            break;
        size_t invalid;
        const size_t length = ftr_utf8_length(at, (size_t)(end - at), &invalid);
        if (length == 0) {
            ftr_print(text, FTR_UTF8_REPLACEMENT, FTR_UTF8_REPLACEMENT_SIZE);
            at += invalid;
        } else if (length == 1 || ftr_plain_is_acting(at, length)) {
            put_json_escape(text, code_point(at, length));
            at += length;
        } else {
            ftr_print(text, (const char *)at, length);
            at += length;
        }
    }
    ftr_print_char(text, '"');
}

/* Returns nonzero if one of the eight bytes is a control character or not ASCII. */
static uint64_t has_special(uint64_t eight)
{
    return has_control(eight) | (eight & EACH_BYTE(0x80));
}

/* Maximum number of bytes that are escaped at a time. */
#define PLAIN_PIECE ((size_t)4096)

/* Returns the size of the first piece of a text that is longer than PLAIN_PIECE: at most
 * PLAIN_PIECE bytes, ending with a whole character. */
static size_t plain_piece(const char *bytes)
{
    size_t size = PLAIN_PIECE;
    while (size > PLAIN_PIECE - 3 && ((unsigned char)bytes[size] & 0xc0) == 0x80)
        size--;
    return size;
}

void ftr_print_plain(ftr_printer *text, const char *bytes, size_t size)
{
    if (is_free_of(has_special, bytes, size)) {
        ftr_print(text, bytes, size);
        return;
    }
    while (size > 0) {
        const size_t piece = size <= PLAIN_PIECE ? size : plain_piece(bytes);
        char *at = ftr_printer_room(text, FTR_PLAIN_ESCAPE_SIZE * piece);
        text->filled += ftr_plain_text(bytes, piece, at);
        bytes += piece;
        size -= piece;
    }
}

static void print_zeros(ftr_printer *text, int count)
{
    for (; count > 0; count--)
        ftr_print_char(text, '0');
}

void ftr_print_time(ftr_printer *text, uint64_t ticks, int scale)
{
    if (ticks == 0) {
        ftr_print_string(text, "0 s");
        return;
    }
    char digits[24];
    const char *first = digits_before(digits + sizeof digits, ticks);
    const char *last = digits + sizeof digits;
    while (last[-1] == '0') { /* whole powers of ten are moved to the exponent */
        last--;
        scale++;
    }
    const int count = (int)(last - first);
    /* The unit leaves one to three digits before the decimal point, or is the nearest one to it. */
    const int magnitude = count + scale; /* the number is 0.ddd * 10^magnitude */
    int unit = magnitude > 0 ? 0 : (3 - magnitude) / 3;
    if (unit > 5)
        unit = 5;
    const int point = count + scale + 3 * unit; /* digits before the decimal point */
    if (point > 0 && point < count) {
        ftr_print(text, first, (size_t)point);
        ftr_print_char(text, '.');
        ftr_print(text, first + point, (size_t)(count - point));
    } else if (point > 0) {
        ftr_print(text, first, (size_t)count);
        print_zeros(text, point - count);
    } else {
        ftr_print_string(text, "0.");
        print_zeros(text, -point);
        ftr_print(text, first, (size_t)count);
    }
    ftr_print_char(text, ' ');
    ftr_print_string(text, ftr_time_units[unit]);
}

void ftr_print_exact(ftr_printer *text, const char *bytes, size_t size)
{
    (text->is_terminal ? ftr_print_plain : ftr_print)(text, bytes, size);
}

/* Formulas begin with = + - or @. The list also contains characters that a spreadsheet may remove,
 * so that it sees the next character: tab and line ends, which are not printed, and the quote,
 * which in TSV begins a quoted cell. (In CSV, quotes are doubled.) */
void ftr_print_cell_begin(ftr_printer *text, const char *bytes, size_t size)
{
    if (text->for_spreadsheet && size > 0 && bytes[0] != '\0' &&
        strchr("=+-@\t\r\n\"", bytes[0]) != NULL)
        ftr_print_char(text, '\'');
}

void ftr_print_csv_field(ftr_printer *text, const char *bytes, size_t size)
{
    ftr_print_char(text, '"');
    ftr_print_cell_begin(text, bytes, size);
    while (size > 0) {
        const char *quote = memchr(bytes, '"', size);
        const size_t piece = quote != NULL ? (size_t)(quote - bytes) + 1 : size;
        ftr_print_exact(text, bytes, piece);
        if (quote != NULL)
            ftr_print_char(text, '"');
        bytes += piece;
        size -= piece;
    }
    ftr_print_char(text, '"');
}

size_t ftr_text_width(const char *bytes, size_t size)
{
    size_t width = 0;
    for (size_t i = 0; i < size; i++)
        width += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    return width;
}

/* Returns the number of bytes of the first @p count characters. */
static size_t size_of_first(const char *bytes, size_t size, size_t count)
{
    size_t at = 0;
    for (; at < size; at++)
        if (((unsigned char)bytes[at] & 0xc0) != 0x80 && count-- == 0)
            break;
    return at;
}

size_t ftr_text_shorten(const char *bytes, size_t size, size_t width, char *shortened)
{
    static const char ELLIPSIS[] = "\xe2\x80\xa6";
    const size_t whole = ftr_text_width(bytes, size);
    const size_t head = whole > width ? size_of_first(bytes, size, (width - 1) / 3) : size;
    size_t filled = head < 4 * width ? head : 4 * width; /* limits bytes that are not UTF-8 */
    if (filled > 0)
        memcpy(shortened, bytes, filled);
    if (whole <= width)
        return filled;
    memcpy(shortened + filled, ELLIPSIS, sizeof ELLIPSIS - 1);
    filled += sizeof ELLIPSIS - 1;
    const size_t tail = width - 1 - (width - 1) / 3;
    const size_t from = size_of_first(bytes, size, whole - tail);
    const size_t room = FTR_SHORTENED_SIZE(width) - filled;
    const size_t left = size - from < room ? size - from : room;
    memcpy(shortened + filled, bytes + from, left);
    return filled + left;
}

void ftr_print_spaces(ftr_printer *text, size_t count)
{
    for (; count > 0; count--)
        ftr_print_char(text, ' ');
}
