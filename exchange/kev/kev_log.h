/* QNX kernel event logs: the head, and whole events with 64-bit times out of the records behind it.
 */
#ifndef FTR_KEV_LOG_H
#define FTR_KEV_LOG_H

#include <ftr/kev.h>

/* An event that is not whole yet. */
typedef struct ftr_kev_assembly {
    uint32_t head, stamp; /* what all of its records have */
    uint64_t time, offset;
    uint32_t *words;
    size_t count, capacity;
} ftr_kev_assembly;

typedef struct ftr_kev_head_key {
    const char *key, *value; /* within the head */
} ftr_kev_head_key;

/* Reads up to @p size bytes. @return how many, fewer at the end; -1 after a failure */
typedef int64_t ftr_kev_read_bytes(void *user, void *bytes, size_t size);

typedef struct ftr_kev_log {
    ftr_kev_read_bytes *read;
    /* Told of what is wrong, with where. */
    void (*find)(void *user, uint64_t offset, const char *message);
    void *user;
    char *head; /* the text before the records */
    ftr_kev_head_key *keys;
    size_t key_count;
    uint64_t frequency; /* cycles a second; 0: it is not said */
    uint64_t offset;    /* of the next record */
    uint8_t *bytes;     /* records that were read */
    size_t first, last;
    struct {
        bool known;
        uint64_t time; /* of its last event */
    } cpus[FTR_KEV_CPUS];
    /* Of the last event of any CPU; at the beginning, of the first that says all of its time. */
    uint64_t time;
    ftr_kev_assembly *open;
    size_t open_count, open_capacity;
    uint32_t *words; /* of the event handed out */
    size_t word_capacity;
    unsigned release; /* of QNX, its first number; 0: it is not said */
    bool known;       /* `time` is */
    bool swapped;     /* the machine that was traced was big-endian */
    bool names_only;  /* set by the caller: events that name processes and threads, no others */
    bool failed;
    bool ended;
} ftr_kev_log;

/* Whether the bytes at the beginning of a file are those of a log. */
bool ftr_kev_is_log(const unsigned char *bytes, size_t size);

/* Reads the head. @p user is that of both functions. On failure there is something to close, too.
 * @param[out] why what is wrong, for people; untouched when reading failed
 * @return FTR_OK; FTR_ERR_IO; FTR_ERR_FORMAT; FTR_ERR_TRUNCATED; FTR_ERR_MEMORY */
ftr_status ftr_kev_log_open(ftr_kev_log *log, ftr_kev_read_bytes *read,
                            void (*find)(void *user, uint64_t offset, const char *message),
                            void *user, const char **why);
void ftr_kev_log_close(ftr_kev_log *log);

/* The next whole event, in the order of their last records.
 * @return FTR_OK; FTR_ERR_END; FTR_ERR_IO, which was told; FTR_ERR_MEMORY */
ftr_status ftr_kev_log_next(ftr_kev_log *log, ftr_kev_event *event);

/* The value of a key of the head; NULL without it. */
const char *ftr_kev_log_key(const ftr_kev_log *log, const char *key);

/* The text of an event: behind its first two words, up to a NUL. @return its length; 0 when it has
 * none of a text */
size_t ftr_kev_log_text(const ftr_kev_log *log, const ftr_kev_event *event, char *text,
                        size_t size);

#endif
