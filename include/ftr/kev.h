/** @file
 *  Reads QNX kernel event logs (`.kev`, written by tracelogger) event by event, for programs that
 *  process the events themselves. An event that the log stores in several records is returned as
 *  one event. Times have 64 bits, and words have the byte order of this machine. `ftr convert
 *  --input-format kev` converts a log to an FTR file; docs/exchange.md describes the format and the
 *  source of its numbers.
 *
 *      static int on_state(void *user, const ftr_kev_event *event)
 *      {
 *          printf("%" PRIu64 " %" PRIu32 "-%" PRIu32 "\n", event->time, event->words[0],
 *                 event->words[1]);
 *          return 0;
 *      }
 *
 *      ftr_kev_parser *parser;
 *      if (ftr_kev_open("trace.kev", &parser) == FTR_OK) {
 *          ftr_kev_on(parser, FTR_KEV_THREAD, 0, 63, on_state, NULL);
 *          ftr_kev_parse(parser, NULL);
 *          ftr_kev_close(parser);
 *      }
 *
 *  Link with libftr_kev.a, which needs only libc. A parser must be used by one thread at a time. */
#ifndef FTR_KEV_H
#define FTR_KEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Classes of events, with their numbers in the log. */
enum {
    FTR_KEV_EMPTY = 0,
    FTR_KEV_CONTROL = 1,
    /** kernel calls; an event of call N has the number N for the entry, 128 + N for the exit, and
     * 256 + N for an interruption */
    FTR_KEV_CALL = 2,
    FTR_KEV_INTERRUPT = 3,
    /** event numbers below 64: states of threads; from 64 on: other events of processes and
     * threads */
    FTR_KEV_THREAD = 4,
    FTR_KEV_SYSTEM = 5,
    FTR_KEV_USER = 6,
    FTR_KEV_COMMUNICATION = 7,
    FTR_KEV_QUIP = 8,
    FTR_KEV_SECURITY = 9,
    FTR_KEV_QVM = 10,
    FTR_KEV_PMU = 11,
    FTR_KEV_CLASSES = 32
};

/** Events of FTR_KEV_CONTROL. */
enum { FTR_KEV_TIME = 1, FTR_KEV_BUFFER = 2, FTR_KEV_BUFFER_END = 4, FTR_KEV_DROPPED = 8 };
/** Events of FTR_KEV_INTERRUPT. */
enum {
    FTR_KEV_INTERRUPT_ENTRY = 1,
    FTR_KEV_INTERRUPT_EXIT = 2,
    FTR_KEV_HANDLER_ENTRY = 3,
    FTR_KEV_HANDLER_EXIT = 4,
    FTR_KEV_INTERRUPT_ENTRY_64 = 5,
    FTR_KEV_HANDLER_ENTRY_64 = 6,
    FTR_KEV_INTERRUPT_DELIVER = 7 /**< only in QNX 8 */
};
/** Events of FTR_KEV_THREAD that are not states. */
enum {
    FTR_KEV_PROCESS_CREATE = 1 << 6,
    FTR_KEV_PROCESS_DESTROY = 2 << 6,
    FTR_KEV_PROCESS_CREATE_NAME = 3 << 6, /**< words: pid of the parent, pid, name */
    FTR_KEV_PROCESS_DESTROY_NAME = 4 << 6,
    FTR_KEV_THREAD_NAME = 5 << 6 /**< words: pid, tid, name */
};
/** Events of FTR_KEV_SYSTEM that begin and end a transaction: entry and exit of a function. Each
 * other event of this class becomes a transaction without duration. */
enum { FTR_KEV_FUNCTION_ENTER = 10, FTR_KEV_FUNCTION_EXIT = 11 };

/** Bit in the number of an event of class FTR_KEV_CALL or FTR_KEV_SYSTEM: the process, and the
 * words of the event, have 64 bits. */
#define FTR_KEV_64 0x200U
#define FTR_KEV_CALL_NUMBERS 128U
#define FTR_KEV_EVENT_NUMBERS 1024U
#define FTR_KEV_CPUS 64

/** An event. */
typedef struct ftr_kev_event {
    uint64_t time;   /**< in cycles */
    uint32_t stamp;  /**< low half of the time, as recorded */
    uint64_t offset; /**< offset of the last record of the event in the file */
    unsigned cpu, class_, number;
    const uint32_t *words; /**< valid until the next event */
    size_t word_count;     /**< number of words; even, because each record has two */
} ftr_kev_event;

typedef struct ftr_kev_parser ftr_kev_parser;

/** The type of callbacks. @return 0 to continue; another value ends ftr_kev_parse() */
typedef int ftr_kev_callback(void *user, const ftr_kev_event *event);

/** Opens a log and reads its head; "-" is the standard input. The file must not be compressed.
 *  @param[out] parser must be closed with ftr_kev_close(); untouched on error
 *  @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT if the file is not a log, or its byte
 *          order is neither big nor little endian; FTR_ERR_TRUNCATED if the file ends before the
 *          first record; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_kev_open(const char *path, ftr_kev_parser **parser);

/** Closes a parser. NULL is ignored. */
FTR_API void ftr_kev_close(ftr_kev_parser *parser);

/** Returns the value of a key in the head of the log, for example of "SYS_RELEASE" or "CPU_NUM";
 * NULL if the head does not contain the key. Valid until the parser is closed. */
FTR_API const char *ftr_kev_key(const ftr_kev_parser *parser, const char *key);
/** Returns the number of cycles per second; 0 if the head does not contain it. */
FTR_API uint64_t ftr_kev_frequency(const ftr_kev_parser *parser);

/** Registers @p callback for the events @p first to @p last of @p class_. Each event has at most
 * one callback: a new registration replaces the previous one, and NULL removes it. Events without a
 * callback are skipped.
 * @return FTR_OK; FTR_ERR_ARGUMENT for numbers out of range; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_kev_on(ftr_kev_parser *parser, unsigned class_, unsigned first,
                              unsigned last, ftr_kev_callback *callback, void *user);

/** Registers @p find, which is called for each error in the log. @p offset is the position of the
 * error in the file. A new registration replaces the previous one, and NULL removes it. Errors of a
 * combined event, which has several records:
 * - The last record of the event is missing, or 1024 other events began before it.
 * - The first record is missing: each other record of the event is an error.
 * Missing records between the first and the last one are not found. An incomplete record at the end
 * of the log is an error, too. */
FTR_API void ftr_kev_on_finding(ftr_kev_parser *parser,
                                void (*find)(void *user, uint64_t offset, const char *message),
                                void *user);

/** Calls the callbacks for all events, in the order of the file, which may differ from the order of
 * time.
 *  @param[out] stopped return value of the callback that ended ftr_kev_parse(), otherwise 0; may be
 *                      NULL. The next call of ftr_kev_parse() continues after that event
 *  @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_kev_parse(ftr_kev_parser *parser, int *stopped);

/** Copies the text of an event to @p text, NUL-terminated and truncated to @p size bytes. Names of
 * processes and threads, paths, names of mappings and partitions, and log messages are texts. User
 * events can have numbers or a text. The words of a user event with more than two words are a text
 * if they contain printable UTF-8 (newline and tab included), a NUL, and then only zero bytes, at
 * most 8 with the NUL. The text begins at the first or at the third word. @return length of the
 * copied text; 0 if the event has no text */
FTR_API size_t ftr_kev_text(const ftr_kev_parser *parser, const ftr_kev_event *event, char *text,
                            size_t size);

/** Return the name of an event's class, and of the event; NULL: unknown. The names depend on the
 * release of QNX. */
FTR_API const char *ftr_kev_class_name(const ftr_kev_event *event);
FTR_API const char *ftr_kev_event_name(const ftr_kev_parser *parser, const ftr_kev_event *event);

#ifdef __cplusplus
}
#endif

#endif
