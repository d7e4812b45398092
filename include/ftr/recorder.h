/** @file
 *  Records transactions into an FTR file: streams, generators, transactions, attributes, relations.
 *
 *  Any thread may call any function here at any time, with two exceptions: nothing else runs while
 *  ftr_recorder_close() does, and one transaction is not used by two threads at once. No function
 * is a cancellation point. A signal handler must not call any, except ftr_recorder_mark_failed():
 * one that needs a lock which its own thread holds returns FTR_ERR_STATE. Handles are plain values,
 *  valid until the recorder closes and harmless (a status) after it. Text is UTF-8; every text is
 *  copied before the call returns. All times are 64-bit ticks of the recorder's time scale. How
 * each item lies in the file: docs/format.md. */
#ifndef FTR_RECORDER_H
#define FTR_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/detail/recorder_layout.h>
#include <ftr/status.h>
#include <ftr/transaction.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ftr_compression {
    FTR_COMPRESSION_LZ4 = 0,
    FTR_COMPRESSION_LZ4HC = 1,
    FTR_COMPRESSION_NONE = 2,
    FTR_COMPRESSION_META = 3 /**< LZ4 for all but the transaction chunks */
} ftr_compression;

typedef enum ftr_floats {
    FTR_FLOATS_SINGLE = 0, /**< what viewers read; values that do not fit are counted */
    FTR_FLOATS_DOUBLE = 1, /**< exact; deployed viewers drop a stream that has one */
    FTR_FLOATS_TEXT = 2    /**< STRING of the shortest decimal that reads back the same */
} ftr_floats;

typedef enum ftr_when_full {
    FTR_WHEN_FULL_WAIT = 0, /**< the recording thread waits for the writer: nothing is lost */
    FTR_WHEN_FULL_DROP = 1  /**< transactions that end meanwhile are dropped and counted */
} ftr_when_full;

typedef enum ftr_mode {
    FTR_MODE_FILE = 0,
    FTR_MODE_FLIGHT = 1 /**< the newest transactions are kept in memory, and written when triggered:
                           ftr_recorder_trigger() */
} ftr_mode;

typedef enum ftr_keep {
    FTR_KEEP_ALWAYS = 0,
    FTR_KEEP_ON_ERROR = 1 /**< close removes the file, unless the run is said to have failed */
} ftr_keep;

/** Where a recorder's bytes go instead of a file. */
typedef struct ftr_sink {
    void *user;
    /** Takes @p size bytes: whole chunks. Returns how many it took, at least 1, or a negated errno
     *  value. Called by one thread at a time. */
    int64_t (*write)(void *user, const void *data, size_t size);
    /** Called once, from ftr_recorder_close(); may be NULL. Returns 0 or a negated errno value. */
    int (*close)(void *user);
} ftr_sink;

/** The time scale is not known yet: ftr_recorder_set_time_scale() will say. */
#define FTR_TIME_SCALE_LATER 126
/** One tick is a second (a scale of 0 in the options means the default). */
#define FTR_TIME_SCALE_SECOND 127

/** How to record. Zero-initialise it, then set what differs: 0 or NULL is the default. */
typedef struct ftr_recorder_options {
    size_t size;           /**< bytes of this struct; 0: as the program was compiled */
    int time_scale;        /**< a tick is 10^time_scale seconds, -15..-1; 0: -12 (ps) */
    int threads;           /**< 0: the caller encodes and writes; 1: a writer thread does */
    int64_t epoch_seconds; /**< wall-clock time of tick 0 in seconds since 1970; 0: now */
    ftr_compression compression;
    int compression_level; /**< of LZ4HC, 1..12; 0: 9 */
    ftr_floats floats;
    ftr_numbering numbering;
    ftr_when_full when_full;
    size_t block_memory;      /**< bytes of recorded, not yet written data; 0: 12 MiB */
    size_t dictionary_memory; /**< bytes of strings remembered for deduplication; 0: 16 MiB */
    size_t chunk_size;        /**< bytes of transactions in a chunk before compression; 0: 63 KiB */
    const char *include;  /**< comma-separated patterns of stream names: `*` matches any text, `?`
                             any byte, other characters themselves; NULL: all streams. A pattern
                             that matched no stream is reported at close */
    const char *exclude;  /**< the same; wins over include */
    const char *start;    /**< a simulated time such as "10 us": only transactions whose */
    const char *stop;     /**< interval overlaps [start, stop] are recorded; NULL: no limit */
    const ftr_sink *sink; /**< copied; NULL: a file at the path given to open */
    /** Where the journal lies, which keeps a killed process's recording (docs/reliability.md):
     * NULL: beside the file; "none": there is none. */
    const char *journal_directory;
    /** Monotonic nanoseconds, for how long data has waited; NULL: CLOCK_MONOTONIC. */
    uint64_t (*clock)(void *user);
    void *clock_user;
    /** Told, in one sentence without a newline, what a person should know: the first failure, and
     * at close each kind of loss. May be called from the writer thread. NULL: nobody is told. */
    void (*report)(void *user, ftr_severity severity, const char *message);
    void *report_user;
    /** Bytes of a file, at least 64 KiB; 0: no limit. What comes then is counted and left out, or,
     * with max_files, recorded to further files, `_file0002`, ... in their names
     * (docs/reliability.md, "Limits"). */
    uint64_t max_size;
    uint32_t max_files; /**< how many files are kept, the newest, 2 to 10000; 0: there is one */
    uint64_t min_free;  /**< recording stops when the disk has less space; 0: no limit */
    ftr_keep keep;
    ftr_mode mode;
    uint64_t flight_size; /**< of FTR_MODE_FLIGHT: bytes that are kept, in place of block_memory, at
                             most 2 GiB; 0: 64 MiB */
    const char
        *flight_after; /**< of FTR_MODE_FLIGHT: a simulated time such as "5 us"; what begins until
                          so long after the trigger is in the file, too; NULL: nothing */
} ftr_recorder_options;

/** What a recorder did so far. Counters of calls in flight on other threads may lag, and those of
 * what is recorded stay 0 until the time scale is known. */
typedef struct ftr_statistics {
    uint64_t transactions;       /**< written or waiting to be */
    uint64_t attributes;         /**< of these transactions */
    uint64_t relations;          /**< written or waiting to be */
    uint64_t open_transactions;  /**< begun, not ended */
    uint64_t filtered;           /**< not recorded by include, exclude, start, stop or switch */
    uint64_t dropped;            /**< lost because the writer was behind (FTR_WHEN_FULL_DROP) */
    uint64_t relations_left_out; /**< not written: an end was filtered or dropped */
    uint64_t unfinished;         /**< ended by close, with `unfinished` = true */
    uint64_t misuses;            /**< calls that were wrong and did nothing: _ARGUMENT .. _LIMIT */
    uint64_t repaired_texts;     /**< texts in which invalid UTF-8 became U+FFFD */
    uint64_t rounded_floats;     /**< values that single precision does not hold exactly */
    uint64_t renamed_streams;    /**< written under another name than asked for */
    uint64_t strings;            /**< dictionary entries written or waiting to be */
    uint64_t strings_forgotten;  /**< entries the dictionary's budget made it forget */
    uint64_t waits;              /**< times a recording thread waited for the writer */
    uint64_t chunks;             /**< written */
    uint64_t bytes;              /**< written */
    uint64_t bytes_uncompressed; /**< the bodies of the same chunks before compression */
    uint64_t memory;             /**< bytes held for blocks, open transactions and encoding */
} ftr_statistics;

/** The first failure a recorder met; every call answers it from then on. */
typedef struct ftr_failure {
    ftr_status status; /**< FTR_OK: none */
    int system_error;  /**< errno of the cause, or 0 */
    uint64_t offset;   /**< bytes of the file that are sound */
    char message[512]; /**< path, place and cause in one sentence */
} ftr_failure;

/* ---- the recorder's life --------------------------------------------------------------------- */

/** Opens @p path for recording, replacing a file that is there. With options.sink it may be NULL;
 * if not, it names a trace that exists in its journal only, for `ftr recover` to make a file of.
 * A closed recorder keeps its handle, about 14 KiB, until the process ends, so that later calls
 * return FTR_ERR_CLOSED.
 *  @param options NULL: all defaults, with a writer thread
 *  @return FTR_OK; FTR_ERR_ARGUMENT (an option out of range: options.report says which);
 *          FTR_ERR_IO (options.report is told path and cause); FTR_ERR_MEMORY. @p rec is untouched
 *          on error. */
FTR_API FTR_MUST_USE ftr_status ftr_recorder_open(const char *path,
                                                  const ftr_recorder_options *options,
                                                  ftr_recorder **rec);

/** Says what a tick is, for a recorder opened with FTR_TIME_SCALE_LATER. Until then transactions
 * are kept in memory; close without it assumes ps.
 *  @param time_scale exponent of ten, -15..0, or FTR_TIME_SCALE_SECOND
 *  @return FTR_OK, also when it is this one already; FTR_ERR_ARGUMENT; FTR_ERR_STATE when it is
 *          another one */
FTR_API ftr_status ftr_recorder_set_time_scale(ftr_recorder *rec, int time_scale);

/** Switches recording off or on again. Off: transactions that begin are filtered; open ones go on.
 */
FTR_API ftr_status ftr_recorder_set_recording(ftr_recorder *rec, bool on);

/** Brings into the file all that had ended when the call was made. No fsync.
 *  @return FTR_OK, FTR_ERR_STATE before the time scale is known, or the failure */
FTR_API ftr_status ftr_recorder_flush(ftr_recorder *rec);

/** Says that the run which is recorded has failed: its file is worth keeping (FTR_KEEP_ON_ERROR). A
 * recorder that itself failed keeps its file as well. May be called from a signal handler.
 *  @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_mark_failed(ftr_recorder *rec);

/** Triggers all rings among the recorder's buffers (buffer.h), which go on, and writes what a
 * flight recorder (FTR_MODE_FLIGHT) holds: a whole file, with what is open as `unfinished`. When
 * the call returns the file is complete, unless there is a time to go on
 * (ftr_recorder_options.flight_after) or the time scale is not known yet: then it is later, at the
 * latest at close. Nothing is recorded after that. A flight recorder that is not triggered leaves
 * no file, unless the run is marked as failed when it closes.
 *  @return FTR_OK, also when it was triggered before, or is no flight recorder; FTR_ERR_ARGUMENT;
 * or the failure */
FTR_API ftr_status ftr_recorder_trigger(ftr_recorder *rec);

/** Ends what is still open at the latest time seen, with the boolean END attribute `unfinished`,
 * writes everything, ends the file and frees all but the handle itself. Always succeeds in freeing.
 *  @return FTR_OK, or the first failure of the recorder's life; FTR_ERR_CLOSED the second time */
FTR_API ftr_status ftr_recorder_close(ftr_recorder *rec);

/** Also after close. @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_get_statistics(ftr_recorder *rec, ftr_statistics *statistics);

/** Brings into the file all that had ended, as ftr_recorder_flush(), and calls @p each for every
 *  stream that is recorded, in the order of their definition: its name in the file, and how many
 *  transactions of it are there.
 *  @return FTR_OK; otherwise nothing was called: FTR_ERR_ARGUMENT, or as of flush */
FTR_API ftr_status ftr_recorder_list_streams(ftr_recorder *rec,
                                             void (*each)(void *user, const char *name,
                                                          uint64_t transactions),
                                             void *user);

/** Also after close. @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_get_failure(ftr_recorder *rec, ftr_failure *failure);

/* ---- definitions ------------------------------------------------------------------------------
 */

/** Defines a stream. A name in use gets `#2` (`#3`, ...) appended; where a stream named like a
 * dotted prefix exists, that dot is written as `/` (docs/format.md, "Stream names").
 *  @param kind NULL: empty */
FTR_API FTR_MUST_USE ftr_status ftr_stream_define(ftr_recorder *rec, const char *name,
                                                  const char *kind, ftr_stream *stream);

/** Whether transactions of @p stream are recorded, as include and exclude have it. False for what
 * is no stream. An observer of an excluded stream need not be placed. */
FTR_API bool ftr_stream_is_recorded(ftr_recorder *rec, ftr_stream stream);

/** Defines a generator of @p stream with the attributes its transactions may have. They are put by
 *  their number in @p attributes.
 *  @param attributes NULL with @p count 0; at most 65535 */
FTR_API FTR_MUST_USE ftr_status ftr_generator_define(ftr_recorder *rec, ftr_stream stream,
                                                     const char *name,
                                                     const ftr_attribute *attributes, size_t count,
                                                     ftr_generator *generator);

/** Defines a kind of relation. The same name gives the same handle. */
FTR_API FTR_MUST_USE ftr_status ftr_relation_define(ftr_recorder *rec, const char *name,
                                                    ftr_relation *relation);

/** Defines a text that will be put often: putting it by handle costs as little as an integer. */
FTR_API FTR_MUST_USE ftr_status ftr_text_define(ftr_recorder *rec, const char *text, size_t length,
                                                ftr_text *defined);

/* ---- sizes of structs ------------------------------------------------------------------------
 *
 * A program passes the sizes of the structs that it was compiled with: a library of another size
 * reads and writes no byte outside of them. Options beyond the size have their default. */

/** @param layout FTR_RECORDER_LAYOUT of the caller
 *  @return as of ftr_recorder_open(); FTR_ERR_LAYOUT when the library has another layout */
FTR_API FTR_MUST_USE ftr_status ftr_recorder_open_sized(const char *path,
                                                        const ftr_recorder_options *options,
                                                        size_t size, uint32_t layout,
                                                        ftr_recorder **rec);
FTR_API ftr_status ftr_recorder_get_statistics_sized(ftr_recorder *rec, ftr_statistics *statistics,
                                                     size_t size);
FTR_API ftr_status ftr_recorder_get_failure_sized(ftr_recorder *rec, ftr_failure *failure,
                                                  size_t size);

#ifndef FTR_BUILDING_LIBRARY

FTR_MUST_USE static inline ftr_status
ftr_recorder_open_inline(const char *path, const ftr_recorder_options *options, ftr_recorder **rec)
{
    return ftr_recorder_open_sized(path, options, sizeof *options, FTR_RECORDER_LAYOUT, rec);
}

static inline ftr_status ftr_recorder_get_statistics_inline(ftr_recorder *rec,
                                                            ftr_statistics *statistics)
{
    return ftr_recorder_get_statistics_sized(rec, statistics, sizeof *statistics);
}

static inline ftr_status ftr_recorder_get_failure_inline(ftr_recorder *rec, ftr_failure *failure)
{
    return ftr_recorder_get_failure_sized(rec, failure, sizeof *failure);
}

#define ftr_recorder_open ftr_recorder_open_inline
#define ftr_recorder_get_statistics ftr_recorder_get_statistics_inline
#define ftr_recorder_get_failure ftr_recorder_get_failure_inline

#endif

#ifdef __cplusplus
}
#endif

#ifndef FTR_NO_INLINE
#include <ftr/detail/recorder_inline.h>
#include <ftr/detail/record_inline.h>
#endif

#endif
