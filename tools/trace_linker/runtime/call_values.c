/* Puts arguments that are not a single word: enumerators, texts, bytes. A pointer of the traced
 * program may be invalid, so texts are read with a system call, which then returns an error instead
 * of ending the program. */
#define _GNU_SOURCE
#include "call_contexts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define TEXT_LIMIT 4096
#define BYTES_SHOWN 32
#define PAGE ((uintptr_t)4096)

static const char cut_mark[] = "...";

void ftr_call_put_word(const ftr_call *call, unsigned attribute, uint64_t word)
{
    ftr_entered_call entered;
    if (!ftr_entered_call_begin(call, &entered))
        return;
    ftr_tx_put_word(entered.recorder, entered.tx, attribute, word);
    ftr_entered_call_end(&entered);
}

static ftr_text enumerator_text(ftr_recorder *recorder, ftr_traced_enumerator *enumerator)
{
    ftr_text text = __atomic_load_n(&enumerator->text, __ATOMIC_RELAXED);
    if (!text && ftr_text_define(recorder, enumerator->name, FTR_NUL_TERMINATED, &text) == FTR_OK)
        __atomic_store_n(&enumerator->text, text, __ATOMIC_RELAXED);
    return text;
}

static void put_enumerator(const ftr_entered_call *entered, unsigned attribute,
                           ftr_traced_enumeration *enumeration, int64_t value)
{
    for (size_t i = 0; i < enumeration->count; i++)
        if (enumeration->enumerators[i].value == value) {
            ftr_text text = enumerator_text(entered->recorder, &enumeration->enumerators[i]);
            ftr_tx_put_defined(entered->recorder, entered->tx, attribute, text);
            return;
        }
    char number[24];
    int length = snprintf(number, sizeof number, "%lld", (long long)value);
    ftr_tx_put_text(entered->recorder, entered->tx, attribute, number, (size_t)length);
}

void ftr_call_put_enumerator(const ftr_call *call, unsigned attribute,
                             ftr_traced_enumeration *enumeration, int64_t value)
{
    ftr_entered_call entered;
    if (!ftr_entered_call_begin(call, &entered))
        return;
    put_enumerator(&entered, attribute, enumeration, value);
    ftr_entered_call_end(&entered);
}

/* Reads a text up to its NUL, at most @p limit bytes, page by page. Returns the length of the text;
 * -1 if the memory cannot be read. *whole is true if the NUL was found. */
static ssize_t read_text(const char *from, char *to, size_t limit, bool *whole)
{
    *whole = false;
    size_t got = 0;
    while (got < limit) {
        uintptr_t at = (uintptr_t)from + got;
        size_t part = PAGE - at % PAGE;
        if (part > limit - got)
            part = limit - got;
        struct iovec local = {to + got, part};
        struct iovec remote = {(char *)from + got, part};
        ssize_t read = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
        if (read <= 0)
            return got ? (ssize_t)got : -1;
        const char *nul = memchr(to + got, 0, (size_t)read);
        if (nul != NULL) {
            *whole = true;
            return nul - to;
        }
        got += (size_t)read;
    }
    return (ssize_t)got;
}

/* Returns true if the bytes are a text without control characters. Bytes above 0x7f are accepted,
 * because the recorder checks UTF-8. */
static bool is_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
            return false;
    return true;
}

/* Returns the length of a text, without its last character if this character is incomplete in
 * UTF-8. */
static size_t whole_characters(const char *text, size_t length)
{
    size_t tail = 0;
    while (tail < 3 && tail < length && ((unsigned char)text[length - 1 - tail] & 0xc0) == 0x80)
        tail++;
    if (tail == length)
        return length;
    const unsigned char lead = (unsigned char)text[length - 1 - tail];
    const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return bytes > tail + 1 ? length - tail - 1 : length;
}

/* Shortens a text to @p limit bytes and appends a mark that shows this. Returns the new length. */
static size_t mark_cut(char *text, size_t length, size_t limit)
{
    length = whole_characters(text, length < limit ? length : limit);
    memcpy(text + length, cut_mark, sizeof cut_mark - 1);
    return length + sizeof cut_mark - 1;
}

static void put_address(const ftr_entered_call *entered, unsigned attribute, const void *address)
{
    char number[24];
    int length = snprintf(number, sizeof number, "0x%llx", (unsigned long long)(uintptr_t)address);
    ftr_tx_put_text(entered->recorder, entered->tx, attribute, number, (size_t)length);
}

void ftr_call_put_string(const ftr_call *call, unsigned attribute, const char *text, size_t limit)
{
    char copy[TEXT_LIMIT + 1 + sizeof cut_mark];
    bool whole;
    ftr_entered_call entered;
    if (!ftr_entered_call_begin(call, &entered))
        return;
    if (limit > TEXT_LIMIT)
        limit = TEXT_LIMIT;
    ssize_t length = text != NULL ? read_text(text, copy, limit + 1, &whole) : -1;
    if (length > 0 && !whole)
        length = (ssize_t)mark_cut(copy, (size_t)length, limit);
    if (length < 0 || !is_text(copy, (size_t)length))
        put_address(&entered, attribute, text);
    else
        ftr_tx_put_text(entered.recorder, entered.tx, attribute, copy, (size_t)length);
    ftr_entered_call_end(&entered);
}

void ftr_call_put_characters(const ftr_call *call, unsigned attribute, const char *text,
                             size_t size)
{
    ftr_entered_call entered;
    if (!ftr_entered_call_begin(call, &entered))
        return;
    ftr_tx_put_text(entered.recorder, entered.tx, attribute, text, strnlen(text, size));
    ftr_entered_call_end(&entered);
}

void ftr_call_put_bytes(const ftr_call *call, unsigned attribute, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    char text[2 * BYTES_SHOWN + 3];
    size_t shown = size < BYTES_SHOWN ? size : BYTES_SHOWN;
    ftr_entered_call entered;
    if (!ftr_entered_call_begin(call, &entered))
        return;
    for (size_t i = 0; i < shown; i++) {
        text[2 * i] = digits[from[i] >> 4];
        text[2 * i + 1] = digits[from[i] & 15];
    }
    size_t length = 2 * shown;
    for (; shown < size && length < 2 * BYTES_SHOWN + 3; length++)
        text[length] = '.';
    ftr_tx_put_text(entered.recorder, entered.tx, attribute, text, length);
    ftr_entered_call_end(&entered);
}
