/* Texts in events: process names, paths, user strings. The class and number of an event show
 * whether its words are a text. User events may contain numbers or a text, so the bytes of the
 * event decide. */
#include "kev_log.h"

#include "utf8.h"

#define SYSTEM_PATHMGR 2
#define SYSTEM_APS_NAME 3
#define SYSTEM_MMAP 6
#define SYSTEM_MAPNAME 8
#define SYSTEM_SLOG 12
#define SYSTEM_MAPNAME_64 21

size_t ftr_kev_text_word(const ftr_kev_event *event)
{
    if (event->class_ == FTR_KEV_THREAD)
        return event->number == FTR_KEV_PROCESS_CREATE_NAME ||
                       event->number == FTR_KEV_PROCESS_DESTROY_NAME ||
                       event->number == FTR_KEV_THREAD_NAME
                   ? 2
                   : FTR_KEV_NO_TEXT;
    if (event->class_ != FTR_KEV_SYSTEM)
        return FTR_KEV_NO_TEXT;
    switch (event->number) {
    case SYSTEM_APS_NAME: /* behind the number of the partition */
        return 1;
    case SYSTEM_PATHMGR: /* behind process and thread */
    case SYSTEM_SLOG:    /* behind code and severity */
        return 2;
    case SYSTEM_MAPNAME: /* behind process, address, length */
        return 3;
    /* behind the same arguments, but address and length have two words each */
    case SYSTEM_MAPNAME_64:
        return 5;
    case SYSTEM_MMAP: /* behind process, address, length, flags, protection, file, alignment,
                         offset; four of them have two words */
        return 12;
    default:
        return FTR_KEV_NO_TEXT;
    }
}

static uint8_t byte_at(const ftr_kev_log *log, const ftr_kev_event *event, size_t at)
{
    const size_t place = log->swapped ? 3 - at % 4 : at % 4;
    return (uint8_t)(event->words[at / 4] >> 8 * place);
}

/* Returns the size in bytes of the character at byte @p at; 0 if the character is not printable. */
static size_t character_at(const ftr_kev_log *log, const ftr_kev_event *event, size_t at)
{
    uint8_t bytes[4] = {0};
    size_t count = 0;
    size_t invalid;
    for (; count < sizeof bytes && at + count < 4 * event->word_count; count++)
        bytes[count] = byte_at(log, event, at + count);
    const bool is_printable =
        bytes[0] >= ' ' ? bytes[0] != 0x7f : bytes[0] == '\n' || bytes[0] == '\t';
    return is_printable ? ftr_utf8_length(bytes, count, &invalid) : 0;
}

/* Returns the length of the NUL-terminated UTF-8 text that begins at byte @p from; 0 if the bytes
 * are not such a text.
 * @param padded true: accepts only a text that is followed by zeros up to the end of the last
 * record */
static size_t length_of(const ftr_kev_log *log, const ftr_kev_event *event, size_t from,
                        bool padded)
{
    const size_t size = 4 * event->word_count;
    size_t at = from;
    while (at < size && byte_at(log, event, at) != 0) {
        const size_t character = character_at(log, event, at);
        if (character == 0)
            return 0;
        at += character;
    }
    const size_t length = at - from;
    if (at >= size || (padded && size - at > 2 * sizeof(uint32_t)))
        return 0;
    for (; padded && at < size; at++)
        if (byte_at(log, event, at) != 0)
            return 0;
    return length;
}

size_t ftr_kev_log_text(const ftr_kev_log *log, const ftr_kev_event *event, char *text, size_t size)
{
    const size_t word = ftr_kev_text_word(event);
    size_t from = 0;
    size_t length = 0;
    if (size == 0)
        return 0;
    if (event->class_ == FTR_KEV_USER && event->word_count > 2) {
        length = length_of(log, event, from, true);
        if (length == 0) { /* the text can also be behind two words */
            from = 2 * sizeof(uint32_t);
            length = length_of(log, event, from, true);
        }
    } else if (word < event->word_count) {
        from = word * sizeof(uint32_t);
        length = length_of(log, event, from, false);
    }
    size_t copied = 0;
    while (copied < length) {
        const size_t character = character_at(log, event, from + copied);
        if (copied + character >= size)
            break;
        for (const size_t next = copied + character; copied < next; copied++)
            text[copied] = (char)byte_at(log, event, from + copied);
    }
    text[copied] = '\0';
    return copied;
}
