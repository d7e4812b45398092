/* QNX kernel event logs: reads the head, and assembles complete events with 64-bit times from
 * records. */
#ifndef FTR_KEV_LOG_H
#define FTR_KEV_LOG_H

#include "kev_clock.h"

/* The event of class THREAD with which the life of a thread ends. */
#define FTR_KEV_THREAD_DESTROYED 25U

/* An incomplete event. */
typedef struct ftr_kev_assembly {
    /* time stamp and bits of the header that are equal in all records of the event */
    uint32_t head, stamp;
    uint64_t time, offset;
    uint32_t *words;
    size_t count, capacity;
} ftr_kev_assembly;

typedef struct ftr_kev_head_key {
    const char *key, *value; /* pointers into the head */
} ftr_kev_head_key;

/* Reads up to @p size bytes. @return number of bytes, fewer at the end; -1 on an error */
typedef int64_t ftr_kev_read_bytes(void *user, void *bytes, size_t size);

typedef struct ftr_kev_log {
    ftr_kev_read_bytes *read;
    /* Called for each error, with the offset of the error in the file. */
    void (*find)(void *user, uint64_t offset, const char *message);
    void *user;
    char *head; /* the text before the records */
    ftr_kev_head_key *keys;
    size_t key_count;
    uint64_t frequency; /* cycles per second; 0: unknown */
    uint64_t offset;    /* offset of the next record in the file */
    uint8_t *bytes;     /* buffer of records; bytes[first] to bytes[last - 1] are unread */
    size_t first, last;
    ftr_kev_clock clock;
    ftr_kev_assembly *open;
    size_t open_count, open_capacity;
    uint32_t *words; /* words of the current event */
    size_t word_capacity;
    unsigned release; /* major release of QNX; 0: unknown */
    bool swapped;     /* the log is from a big-endian machine */
    /* set by the caller: only events that name or end processes and threads are returned */
    bool names_only;
    bool failed;
    bool ended;
} ftr_kev_log;

/* Returns true if a file with these first bytes is a log. */
bool ftr_kev_is_log(const unsigned char *bytes, size_t size);

/* Reads the head. @p user is passed to @p read and @p find. The log must be closed even after an
 * error.
 * @param[out] why the reason for an error, a static text; not changed if @p read failed
 * @return FTR_OK; FTR_ERR_IO; FTR_ERR_FORMAT; FTR_ERR_TRUNCATED; FTR_ERR_MEMORY */
ftr_status ftr_kev_log_open(ftr_kev_log *log, ftr_kev_read_bytes *read,
                            void (*find)(void *user, uint64_t offset, const char *message),
                            void *user, const char **why);
void ftr_kev_log_close(ftr_kev_log *log);

/* Gets the next complete event. If an event has several records, it is returned at its last record.
 * @return FTR_OK; FTR_ERR_END; FTR_ERR_IO, which @p read has reported; FTR_ERR_MEMORY */
ftr_status ftr_kev_log_next(ftr_kev_log *log, ftr_kev_event *event);

/* Returns the value of a key of the head; NULL if there is none. */
const char *ftr_kev_log_key(const ftr_kev_log *log, const char *key);

/* Result of ftr_kev_text_word(): the event has no text, or its bytes decide where the text is */
#define FTR_KEV_NO_TEXT SIZE_MAX

/* Returns the index of the word at which the text of an event begins, or FTR_KEV_NO_TEXT. */
size_t ftr_kev_text_word(const ftr_kev_event *event);

/* Copies the text of an event to @p text, NUL-terminated. A text that does not fit into @p size
 * bytes is truncated between two characters.
 * @return length of the copy; 0 if the event has no text, or its bytes are not UTF-8, contain
 * control characters other than newline and tab, or contain no NUL */
size_t ftr_kev_log_text(const ftr_kev_log *log, const ftr_kev_event *event, char *text,
                        size_t size);

#endif
