/* The records of a QNX log: layout and combined events. The layout follows sys/trace.h, a public
 * header of QNX. This code has not been tested with the log of a real QNX system
 * (docs/exchange.md). */
#include "kev_log.h"

#include "growing_array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN_MARK "TRACE_HEADER_BEGIN::"
#define END_MARK "TRACE_HEADER_END::"
#define HEAD_MAX ((size_t)1 << 20)
#define RECORD 16
#define RECORDS_READ ((size_t)4096 * RECORD)
#define LOOK_AHEAD ((size_t)256 * RECORD)
#define OPEN_MAX 1024
#define WORDS_MAX 65536

/* The bits of a record's header that contain the class and number of the event, and the bits that
 * are 0 if the event has only this record. */
#define EVENT_MASK UINT32_C(0xc0007fff)
#define TIME_EVENT ((uint32_t)FTR_KEV_CONTROL << 10 | FTR_KEV_TIME)

static const char NO_MEMORY[] = "out of memory";

enum { SIMPLE, COMBINE_BEGIN, COMBINE_CONTINUE, COMBINE_END };

bool ftr_kev_is_log(const unsigned char *bytes, size_t size)
{
    return size >= sizeof BEGIN_MARK - 1 && memcmp(bytes, BEGIN_MARK, sizeof BEGIN_MARK - 1) == 0;
}

/* ---- head ------------------------------------------------------------------------------------ */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t'))
        size--;
    text[size] = '\0';
    return text;
}

/* Splits the text into keys and values, at line ends and "::". The number of keys is not limited,
 * because users may add keys. @return false if out of memory */
static bool cut_keys(ftr_kev_log *log)
{
    size_t most = 0;
    char *rest;
    for (const char *at = log->head; (at = strstr(at, "::")) != NULL; at += 2)
        most++;
    ftr_kev_head_key *keys = calloc(most + 1, sizeof *keys);
    size_t count = 0;
    if (keys == NULL)
        return false;
    for (char *line = strtok_r(log->head, "\r\n", &rest); line != NULL;
         line = strtok_r(NULL, "\r\n", &rest)) {
        char *mark = strstr(line, "::");
        if (mark == NULL)
            continue;
        *mark = '\0';
        line = trim(line);
        keys[count].key = strncmp(line, "TRACE_", 6) == 0 ? line + 6 : line;
        keys[count++].value = trim(mark + 2);
    }
    log->keys = keys;
    log->key_count = count;
    return true;
}

const char *ftr_kev_log_key(const ftr_kev_log *log, const char *key)
{
    for (size_t i = 0; i < log->key_count; i++)
        if (strcmp(log->keys[i].key, key) == 0)
            return log->keys[i].value;
    return NULL;
}

static bool is_true(const ftr_kev_log *log, const char *key)
{
    const char *value = ftr_kev_log_key(log, key);
    return value != NULL && strcmp(value, "TRUE") == 0;
}

static uint64_t number_of(const ftr_kev_log *log, const char *key)
{
    const char *value = ftr_kev_log_key(log, key);
    return value != NULL ? strtoull(value, NULL, 10) : 0;
}

static bool read_exactly(ftr_kev_log *log, void *bytes, size_t size)
{
    const int64_t got = log->read(log->user, bytes, size);
    log->failed |= got < 0;
    return got == (int64_t)size;
}

/* Reads the text up to the end mark. Reads single bytes, because the binary part follows directly
 * after the mark and must not be consumed. */
static bool read_head(ftr_kev_log *log)
{
    const size_t mark = sizeof END_MARK - 1;
    size_t size = 0;
    log->head = malloc(HEAD_MAX + 1);
    while (log->head != NULL && size < HEAD_MAX && read_exactly(log, log->head + size, 1)) {
        if (log->head[size] == '\0')
            log->head[size] = '\n'; /* an entry may end with a newline or a NUL */
        size++;
        if (size >= mark && memcmp(log->head + size - mark, END_MARK, mark) == 0) {
            log->head[size - mark] = '\0';
            log->offset = size;
            return ftr_kev_is_log((unsigned char *)log->head, size - mark);
        }
        if (size == sizeof BEGIN_MARK - 1 && !ftr_kev_is_log((unsigned char *)log->head, size))
            return false;
    }
    return false;
}

static bool skip(ftr_kev_log *log, uint64_t size)
{
    while (size > 0) {
        const size_t part = size < RECORDS_READ ? (size_t)size : RECORDS_READ;
        if (!read_exactly(log, log->bytes, part))
            return false;
        log->offset += part;
        size -= part;
    }
    return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

static uint32_t word_at(const ftr_kev_log *log, const uint8_t *at)
{
    return log->swapped
               ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* The records behind the current one. */
typedef struct later_records {
    const ftr_kev_log *log;
    size_t at; /* position in log->bytes */
} later_records;

static ftr_status look_ahead(void *user, ftr_kev_later *later)
{
    later_records *records = user;
    const ftr_kev_log *log = records->log;
    for (; records->at + RECORD <= log->last; records->at += RECORD) {
        const uint8_t *record = log->bytes + records->at;
        const uint32_t head = word_at(log, record);
        const uint32_t words[] = {word_at(log, record + 8), word_at(log, record + 12)};
        if (head >> 30 == COMBINE_CONTINUE || head >> 30 == COMBINE_END)
            continue;
        later->stamp = word_at(log, record + 4);
        later->is_time = (head & EVENT_MASK) == TIME_EVENT;
        later->time = later->is_time ? ftr_kev_time_event(words, later->stamp) : 0;
        records->at += RECORD;
        return FTR_OK;
    }
    return log->ended ? FTR_ERR_END : FTR_ERR_LIMIT;
}

static uint64_t time_of(ftr_kev_log *log, unsigned cpu, uint32_t stamp)
{
    later_records records = {log, log->first};
    return ftr_kev_clock_time(&log->clock, cpu, stamp, look_ahead, &records);
}

/* Returns the bits of a header that are equal in all records of one event. */
static uint32_t key_of(uint32_t head)
{
    return head & UINT32_C(0x3f007fff);
}

static ftr_kev_assembly *find_open(const ftr_kev_log *log, uint32_t head, uint32_t stamp)
{
    for (size_t i = log->open_count; i > 0; i--)
        if (log->open[i - 1].stamp == stamp && log->open[i - 1].head == key_of(head))
            return &log->open[i - 1];
    return NULL;
}

static void drop(ftr_kev_log *log, ftr_kev_assembly *assembly)
{
    ftr_kev_assembly *last = &log->open[--log->open_count];
    free(assembly->words);
    *assembly = *last;
    *last = (ftr_kev_assembly){0};
}

static bool append(ftr_kev_assembly *assembly, const uint32_t *words)
{
    if (!ftr_array_fit(&assembly->words, &assembly->capacity, assembly->count + 2, sizeof *words))
        return false;
    memcpy(assembly->words + assembly->count, words, 2 * sizeof *words);
    assembly->count += 2;
    return true;
}

static ftr_status begin_assembly(ftr_kev_log *log, uint32_t head, uint32_t stamp,
                                 const uint32_t *words)
{
    ftr_kev_assembly *known = find_open(log, head, stamp);
    if (known != NULL) {
        log->find(log->user, known->offset, "an incomplete combined event: skipped");
        drop(log, known);
    }
    if (log->open_count == OPEN_MAX) {
        log->find(log->user, log->open[0].offset, "an incomplete combined event: skipped");
        drop(log, &log->open[0]);
    }
    if (!ftr_array_grow(&log->open, &log->open_capacity, log->open_count, sizeof *log->open))
        return FTR_ERR_MEMORY;
    ftr_kev_assembly *assembly = &log->open[log->open_count++];
    *assembly = (ftr_kev_assembly){.head = key_of(head),
                                   .stamp = stamp,
                                   .time = time_of(log, head >> 24 & 0x3f, stamp),
                                   .offset = log->offset};
    return append(assembly, words) ? FTR_OK : FTR_ERR_MEMORY;
}

static void set_event(const ftr_kev_log *log, ftr_kev_event *event, uint32_t head, uint32_t stamp)
{
    *event = (ftr_kev_event){.stamp = stamp,
                             .offset = log->offset,
                             .cpu = head >> 24 & 0x3f,
                             .class_ = head >> 10 & 0x1f,
                             .number = head & 0x3ff,
                             .words = log->words};
}

static bool keep_words(ftr_kev_log *log, const uint32_t *words, size_t count)
{
    if (!ftr_array_fit(&log->words, &log->word_capacity, count, sizeof *words))
        return false;
    memcpy(log->words, words, count * sizeof *words);
    return true;
}

/* Processes one record. @return FTR_OK if the record completes an event; FTR_ERR_END (not an error)
 * if it does not; FTR_ERR_MEMORY */
static ftr_status read_record(ftr_kev_log *log, const uint8_t *record, ftr_kev_event *event)
{
    const uint32_t head = word_at(log, record);
    const uint32_t stamp = word_at(log, record + 4);
    const uint32_t words[] = {word_at(log, record + 8), word_at(log, record + 12)};
    const unsigned structure = head >> 30;
    if (structure == COMBINE_BEGIN) {
        const ftr_status status = begin_assembly(log, head, stamp, words);
        return status == FTR_OK ? FTR_ERR_END : status;
    }
    if (structure == SIMPLE) {
        if (!keep_words(log, words, 2))
            return FTR_ERR_MEMORY;
        set_event(log, event, head, stamp);
        event->word_count = 2;
        event->time = event->class_ == FTR_KEV_CONTROL && event->number == FTR_KEV_TIME
                          ? ftr_kev_clock_set(&log->clock, event->cpu, words, stamp)
                          : time_of(log, event->cpu, stamp);
        return FTR_OK;
    }
    ftr_kev_assembly *assembly = find_open(log, head, stamp);
    if (assembly == NULL) {
        log->find(log->user, log->offset, "a part of a combined event without its first record");
        return FTR_ERR_END;
    }
    if (assembly->count == WORDS_MAX)
        log->find(log->user, log->offset, "a record beyond the largest size of an event: skipped");
    else if (!append(assembly, words))
        return FTR_ERR_MEMORY;
    if (structure == COMBINE_CONTINUE)
        return FTR_ERR_END;
    if (!keep_words(log, assembly->words, assembly->count))
        return FTR_ERR_MEMORY;
    set_event(log, event, head, stamp);
    event->word_count = assembly->count;
    event->time = assembly->time;
    drop(log, assembly);
    return FTR_OK;
}

static void fill(ftr_kev_log *log)
{
    memmove(log->bytes, log->bytes + log->first, log->last - log->first);
    log->last -= log->first;
    log->first = 0;
    const size_t room = RECORDS_READ - log->last;
    const int64_t got = log->read(log->user, log->bytes + log->last, room);
    log->failed = got < 0;
    log->ended = got < (int64_t)room;
    log->last += got > 0 ? (size_t)got : 0;
}

/* Finds the first CONTROL TIME event, because the records before this event (for example CONTROL
 * BUFFER) also need the upper half of its time. Searches only the records of the first read, which
 * has more records than one buffer of the kernel. */
static void find_first_time(ftr_kev_log *log)
{
    fill(log);
    for (size_t at = log->first; at + RECORD <= log->last && !log->clock.known; at += RECORD) {
        const uint8_t *record = log->bytes + at;
        const uint32_t words[] = {word_at(log, record + 8), word_at(log, record + 12)};
        if ((word_at(log, record) & EVENT_MASK) == TIME_EVENT)
            ftr_kev_clock_begin(&log->clock, words, word_at(log, record + 4));
    }
}

/* Returns the next record; NULL at the end or after an error */
static const uint8_t *next_record(ftr_kev_log *log)
{
    if (log->last - log->first < LOOK_AHEAD && !log->ended)
        fill(log); /* reads more than one record, because look_ahead() needs later records */
    if (log->failed)
        return NULL;
    if (log->last - log->first < RECORD) {
        if (log->last > log->first)
            log->find(log->user, log->offset, "the bytes end in the middle of a record");
        log->first = log->last;
        return NULL;
    }
    const uint8_t *record = log->bytes + log->first;
    log->first += RECORD;
    return record;
}

static ftr_status refuse(const ftr_kev_log *log, ftr_status status, const char *text,
                         const char **why)
{
    if (log->failed)
        return FTR_ERR_IO;
    *why = text;
    return status;
}

ftr_status ftr_kev_log_open(ftr_kev_log *log, ftr_kev_read_bytes *read,
                            void (*find)(void *user, uint64_t offset, const char *message),
                            void *user, const char **why)
{
    *log = (ftr_kev_log){.read = read, .find = find, .user = user};
    log->bytes = malloc(RECORDS_READ);
    if (log->bytes == NULL)
        return refuse(log, FTR_ERR_MEMORY, NO_MEMORY, why);
    if (!read_head(log))
        return refuse(log, FTR_ERR_FORMAT, "not a QNX kernel event log: it has no head", why);
    if (!cut_keys(log))
        return refuse(log, FTR_ERR_MEMORY, NO_MEMORY, why);
    log->swapped = is_true(log, "BIG_ENDIAN");
    log->frequency = number_of(log, "CYCLES_PER_SEC");
    log->release = (unsigned)number_of(log, "SYS_RELEASE");
    if (is_true(log, "MIDDLE_ENDIAN"))
        return refuse(log, FTR_ERR_FORMAT, "its byte order is not supported", why);
    if (!skip(log, number_of(log, "SYSPAGE_LEN")))
        return refuse(log, FTR_ERR_TRUNCATED, "it ends before its first record", why);
    find_first_time(log);
    return FTR_OK;
}

void ftr_kev_log_close(ftr_kev_log *log)
{
    for (size_t i = 0; i < log->open_count; i++)
        free(log->open[i].words);
    free(log->open);
    free(log->words);
    free(log->bytes);
    free(log->head);
    free(log->keys);
}

static bool is_life(uint32_t head)
{
    const uint32_t number = head & 0x3ff;
    return (head >> 10 & 0x1f) == FTR_KEV_THREAD &&
           (number == FTR_KEV_PROCESS_CREATE_NAME || number == FTR_KEV_THREAD_NAME ||
            number == FTR_KEV_THREAD_DESTROYED || number == FTR_KEV_PROCESS_DESTROY ||
            number == FTR_KEV_PROCESS_DESTROY_NAME);
}

ftr_status ftr_kev_log_next(ftr_kev_log *log, ftr_kev_event *event)
{
    const uint8_t *record;
    while ((record = next_record(log)) != NULL) {
        if (log->names_only && !is_life(word_at(log, record))) {
            log->offset += RECORD;
            continue;
        }
        const ftr_status status = read_record(log, record, event);
        log->offset += RECORD;
        if (status != FTR_ERR_END)
            return status;
    }
    if (log->failed)
        return FTR_ERR_IO;
    while (log->open_count > 0) {
        log->find(log->user, log->open[0].offset, "an incomplete combined event: skipped");
        drop(log, &log->open[0]);
    }
    return FTR_ERR_END;
}
