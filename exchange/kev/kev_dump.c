/* The text form of kernel events: the lines of QNX's traceprinter with its option -n. */
#include "kev_log.h"
#include "kev_names.h"

#include "exchange_file.h"
#include "formats.h"
#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the beginning of a line ----------------------------------------------------------------- */

/* The format is text with fields: %[-][0][WIDTH][.[-]PRECISION]LETTER. A negative precision keeps
 * the end of a text instead of its beginning. */

#define LETTERS "cCetZz%"
#define DIGITS_MAX 3

typedef struct kev_line {
    uint64_t cycles;      /* %c */
    uint64_t number;      /* %e: number of the event, from 0 */
    uint64_t nanoseconds; /* %t: since the first event */
    unsigned cpu;         /* %C */
    const char *class_;   /* %Z */
    const char *event;    /* %z */
} kev_line;

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

/* Reads a field behind its percent sign. @return the first byte behind the field; NULL if the field
 * is invalid */
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

static const char *value_of(const kev_line *line, char letter, char *text, size_t size)
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

static void put_field(ftr_printer *out, const field *f, const kev_line *line)
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

static void put_beginning(ftr_printer *out, const char *format, const kev_line *line)
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

/* ---- the lines of a log ---------------------------------------------------------------------- */

typedef struct dump {
    const char *path;
    const ftr_exchange_report *report;
    ftr_byte_input *input;
    uint64_t errors;
    ftr_kev_log log;
    /* `events`: number of events so far; `start`: time of the first event */
    uint64_t events, start;
    char *text; /* text of the current event */
    size_t text_capacity;
} dump;

static int64_t read_input(void *user, void *bytes, size_t size)
{
    const dump *d = user;
    return ftr_byte_input_read(d->input, bytes, size);
}

static void find(void *user, uint64_t offset, const char *message)
{
    dump *d = user;
    d->errors++;
    ftr_exchange_print(d->report, "%s: byte %" PRIu64 ": %s", d->path, offset, message);
}

static void put_hexadecimal(ftr_printer *out, const char *form, uint64_t number)
{
    char text[32];
    (void)snprintf(text, sizeof text, form, number);
    ftr_print_string(out, text);
}

static void put_word(ftr_printer *out, uint32_t word)
{
    put_hexadecimal(out, "0x%08" PRIx64, word);
}

/* Prints four bytes as a text, if they are printable, and as a number. */
static void put_message(ftr_printer *out, const ftr_kev_log *log, uint32_t word)
{
    char bytes[4];
    size_t size = 0;
    for (; size < sizeof bytes; size++) {
        bytes[size] = (char)(word >> 8 * (log->swapped ? 3 - size : size));
        if (bytes[size] < ' ' || bytes[size] > '~')
            break;
    }
    const bool is_text = size == sizeof bytes || bytes[size] == '\0';
    ftr_print_char(out, '"');
    ftr_print_plain(out, bytes, is_text ? size : 0);
    ftr_print_string(out, "\" (");
    put_word(out, word);
    ftr_print_char(out, ')');
}

/* Prints the text of an event. @return false if the event has no text */
static bool put_text(dump *d, ftr_printer *out, const ftr_kev_event *event)
{
    const size_t size = event->word_count * sizeof(uint32_t) + 1;
    if (!ftr_array_fit(&d->text, &d->text_capacity, size, 1))
        return false;
    const size_t length = ftr_kev_log_text(&d->log, event, d->text, size);
    ftr_print_plain(out, d->text, length);
    return length > 0;
}

/* Prints an argument in the type that follows the slash in the description of the argument.
 * @return the number of its words; 0 if the words do not have this type */
static size_t put_value(dump *d, ftr_printer *out, const ftr_kev_event *event, size_t at, char type)
{
    const uint32_t *word = &event->words[at];
    switch (type) {
    case 'x':
        put_word(out, *word);
        return 1;
    case 's':
        put_message(out, &d->log, *word);
        return 1;
    case 'X':
        if (at + 1 >= event->word_count)
            return 0;
        put_hexadecimal(out, "0x%" PRIx64, word[0] | (uint64_t)word[1] << 32);
        return 2;
    case 'n':
        return put_text(d, out, event) ? event->word_count - at : 0;
    default:
        put_hexadecimal(out, "%" PRId64, (uint64_t)(int64_t)(int32_t)*word);
        return 1;
    }
}

/* Prints the arguments whose names are known. @return the number of their words */
static size_t put_named(dump *d, ftr_printer *out, const ftr_kev_event *event)
{
    const char *at = ftr_kev_arguments(event, d->log.release);
    size_t word = 0;
    while (at != NULL && *at != '\0' && word < event->word_count) {
        const bool in_short = *at == '*' || *at == '-';
        const char *name = at + (*at == '*');
        const size_t size = strcspn(name, " ");
        const char *slash = memchr(name, '/', size);
        const char type = (char)(slash != NULL ? slash[1] : '\0');
        at = name + size + (name[size] == ' ');
        if (event->word_count == 2 && !in_short)
            continue;
        if (*name == '-') { /* the label contains the word */
            word++;
            continue;
        }
        ftr_print_char(out, ' ');
        /* an argument without a name is a further part of a message: only its value is printed */
        if (slash != name) {
            ftr_print(out, name, slash != NULL ? (size_t)(slash - name) : size);
            ftr_print_char(out, ':');
        }
        const size_t words = put_value(d, out, event, word, type);
        if (words == 0)
            break;
        word += words;
    }
    return word;
}

/* Prints the arguments of an event, also if they have a special form. @return number of words
 * printed */
static size_t put_arguments(dump *d, ftr_printer *out, const ftr_kev_event *event)
{
    char text[96];
    const bool is_exit =
        event->class_ == FTR_KEV_CALL && (event->number & ~FTR_KEV_64) / FTR_KEV_CALL_NUMBERS == 1;
    if (event->class_ == FTR_KEV_CONTROL && event->number == FTR_KEV_BUFFER)
        (void)snprintf(text, sizeof text, " sequence = %" PRIu32 ", num_events = %" PRIu32,
                       event->words[0], event->words[1]);
    else if (is_exit && event->words[0] == UINT32_MAX)
        (void)snprintf(text, sizeof text, " ret_val:-1 errno:%" PRIu32, event->words[1]);
    else if (event->class_ == FTR_KEV_USER && event->word_count == 2)
        (void)snprintf(text, sizeof text, " d0:0x%08" PRIx32 " d1:0x%08" PRIx32, event->words[0],
                       event->words[1]);
    else
        return put_named(d, out, event);
    ftr_print_string(out, text);
    return 2;
}

/* Prints the text of a user event, if its bytes can be a text. The words of the event are printed,
 * too, because they may still be numbers. */
static void put_user_text(dump *d, ftr_printer *out, const ftr_kev_event *event)
{
    char first[2];
    if (event->word_count == 2 || ftr_kev_log_text(&d->log, event, first, sizeof first) == 0)
        return;
    ftr_print_string(out, " STR:\"");
    (void)put_text(d, out, event);
    ftr_print_char(out, '"');
}

static void put_event(dump *d, ftr_printer *out, const char *format, const ftr_kev_event *event)
{
    __extension__ typedef unsigned __int128 wide;
    char class_[FTR_KEV_LABEL_SIZE];
    char label[FTR_KEV_LABEL_SIZE];
    ftr_kev_class_label(event, class_);
    ftr_kev_event_label(event, d->log.release, label);
    if (d->events == 0)
        d->start = event->time;
    const uint64_t since = event->time > d->start ? event->time - d->start : 0;
    const uint64_t frequency = d->log.frequency > 0 ? d->log.frequency : 1;
    const kev_line line = {.cycles = event->time,
                           .number = d->events++,
                           .nanoseconds = (uint64_t)((wide)since * 1000000000 / frequency),
                           .cpu = event->cpu,
                           .class_ = class_,
                           .event = label};
    put_beginning(out, format, &line);
    if (event->class_ == FTR_KEV_USER)
        put_user_text(d, out, event);
    for (size_t i = put_arguments(d, out, event); i < event->word_count; i++) {
        ftr_print_char(out, ' ');
        put_word(out, event->words[i]);
    }
    ftr_print_char(out, '\n');
}

bool ftr_kev_dump(const char *path, const char *format, ftr_printer *out,
                  const ftr_exchange_report *report, uint64_t *errors)
{
    dump d = {.path = path, .report = report};
    ftr_byte_input input;
    ftr_kev_log *log = &d.log;
    ftr_kev_event event;
    if (!ftr_byte_input_open(&input, path, report))
        return false;
    d.input = &input;
    const char *why = NULL;
    bool ok = ftr_kev_log_open(log, read_input, find, &d, &why) == FTR_OK;
    if (why != NULL)
        ftr_exchange_print(report, "%s: %s", path, why);
    for (size_t i = 0; ok && i < log->key_count; i++) {
        ftr_print_string(out, log->keys[i].key);
        ftr_print_string(out, ":: ");
        ftr_print_plain(out, log->keys[i].value, strlen(log->keys[i].value));
        ftr_print_char(out, '\n');
    }
    ftr_status status = FTR_ERR_END;
    while (ok && !out->failed && (status = ftr_kev_log_next(log, &event)) == FTR_OK)
        put_event(&d, out, format, &event);
    ok = ok && (status == FTR_ERR_END || status == FTR_OK);
    ftr_kev_log_close(log);
    free(d.text);
    ftr_byte_input_close(&input);
    *errors = d.errors;
    return ok;
}
