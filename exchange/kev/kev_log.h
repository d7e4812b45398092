/* QNX kernel event logs: the head, and whole events with 64-bit times out of the records behind it.
 */
#ifndef FTR_KEV_LOG_H
#define FTR_KEV_LOG_H

#include "exchange_file.h"

#include <ftr/status.h>

#define FTR_KEV_CPUS 64

enum {
    FTR_KEV_CONTROL = 1,
    FTR_KEV_CALL = 2,
    FTR_KEV_INTERRUPT = 3,
    FTR_KEV_THREAD = 4 /* and processes */
};
/* Of class FTR_KEV_CONTROL. */
enum { FTR_KEV_TIME = 1, FTR_KEV_BUFFER = 2 };

typedef struct ftr_kev_event {
    uint64_t time;   /* cycles */
    uint32_t stamp;  /* their low half, as recorded */
    uint64_t offset; /* bytes into the file, of its last record */
    unsigned cpu, class_, number;
    const uint32_t *words; /* valid until the next event */
    size_t word_count;
} ftr_kev_event;

/* An event that is not whole yet. */
typedef struct ftr_kev_assembly {
    uint32_t head, stamp; /* what all of its records have */
    uint64_t time, offset;
    uint32_t *words;
    size_t count, capacity;
} ftr_kev_assembly;

typedef struct ftr_kev_key {
    const char *key, *value; /* within the head */
} ftr_kev_key;

typedef struct ftr_kev_log {
    ftr_byte_input *input;
    /* Told of what is wrong, with where. */
    void (*find)(void *user, uint64_t offset, const char *message);
    void *user;
    char *head; /* the text before the records */
    ftr_kev_key *keys;
    size_t key_count;
    bool swapped;       /* the machine that was traced was big-endian */
    uint64_t frequency; /* cycles a second; 0: it is not said */
    uint64_t offset;    /* of the next record */
    bool failed;
    uint8_t *bytes; /* records that were read */
    size_t first, last;
    bool ended;
    struct {
        bool known;
        uint64_t time; /* of its last event */
    } cpus[FTR_KEV_CPUS];
    /* Of the last event of any CPU; at the beginning, of the first that says all of its time. */
    bool known;
    uint64_t time;
    ftr_kev_assembly *open;
    size_t open_count, open_capacity;
    uint32_t *words; /* of the event handed out */
    size_t word_capacity;
} ftr_kev_log;

/* Whether the bytes at the beginning of a file are those of a log. */
bool ftr_kev_is_log(const unsigned char *bytes, size_t size);

/* Reads the head. @return false after telling @p report why not */
bool ftr_kev_log_open(ftr_kev_log *log, ftr_byte_input *input, const ftr_exchange_report *report,
                      void (*find)(void *user, uint64_t offset, const char *message), void *user);
void ftr_kev_log_close(ftr_kev_log *log);

/* The next whole event, in the order of their last records.
 * @return FTR_OK; FTR_ERR_END; FTR_ERR_IO, which was told; FTR_ERR_MEMORY */
ftr_status ftr_kev_log_next(ftr_kev_log *log, ftr_kev_event *event);

/* Names for people: of a class, of a thread's state. NULL: there is none. */
const char *ftr_kev_class_name(unsigned class_);
const char *ftr_kev_state_name(unsigned state);

#endif
