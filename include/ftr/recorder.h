/** @file
 * Records transactions into an FTR file: streams, generators, transactions, attributes,
 * relations.
 *
 * Any thread may call any function here at any time, with two exceptions: no other call may run
 * during ftr_recorder_close(), and a transaction must not be used by two threads at the same time.
 * No function is a cancellation point. A signal handler must call no function except
 * ftr_recorder_mark_failed(): any other call returns FTR_ERR_STATE if it needs a lock that the
 * interrupted thread holds. Handles are plain values, valid until the recorder is closed; later use
 * returns a status and is harmless. Text is UTF-8; every text is copied before the call returns.
 * All times are 64-bit ticks of the recorder's time scale. docs/format.md describes the file. */
#ifndef FTR_RECORDER_H
#define FTR_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/detail/recorder_layout.h>
#include <ftr/event.h>
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
    FTR_COMPRESSION_META = 3 /**< LZ4 for all chunks except those of transactions */
} ftr_compression;

typedef enum ftr_floats {
    FTR_FLOATS_SINGLE = 0, /**< readable by viewers; rounded values are counted */
    FTR_FLOATS_DOUBLE = 1, /**< exact; deployed viewers drop a stream that contains a double */
    FTR_FLOATS_TEXT = 2    /**< a STRING: the shortest decimal that reads back as the same value */
} ftr_floats;

typedef enum ftr_when_full {
    FTR_WHEN_FULL_WAIT = 0, /**< the recording thread waits for the writer: nothing is lost */
    /** transactions that end while memory is full are dropped and counted */
    FTR_WHEN_FULL_DROP = 1
} ftr_when_full;

typedef enum ftr_mode {
    FTR_MODE_FILE = 0,
    /** the newest transactions are kept in memory, and written at a trigger: ftr_recorder_trigger()
     */
    FTR_MODE_FLIGHT = 1
} ftr_mode;

typedef enum ftr_keep {
    FTR_KEEP_ALWAYS = 0,
    FTR_KEEP_ON_ERROR = 1 /**< close removes the file, unless the run is marked as failed or the
                             recorder has failed */
} ftr_keep;

/** The traces beside which close writes an index (docs/index-format.md), by which readers find a
 * transaction by its id without reading the whole trace. */
typedef enum ftr_write_index {
    FTR_WRITE_INDEX_LARGE = 0, /**< traces of at least 32 MiB */
    FTR_WRITE_INDEX_ALWAYS = 1,
    FTR_WRITE_INDEX_NEVER = 2
} ftr_write_index;

/** A destination for the bytes of a recorder, instead of a file. */
typedef struct ftr_sink {
    void *user;
    /** Consumes @p size bytes: whole chunks. Returns the number of bytes consumed, at least 1, or a
     *  negated errno value. Called by one thread at a time: first in ftr_recorder_open(), then by
     *  the writer thread, if there is one. NULL: there is no trace, only a summary. */
    int64_t (*write)(void *user, const void *data, size_t size);
    /** Called once, by ftr_recorder_close() on the thread that closes the recorder; may be NULL.
     * Returns 0 or a negated errno value. */
    int (*close)(void *user);
} ftr_sink;

/** The time scale is not known yet; ftr_recorder_set_time_scale() sets it later. */
#define FTR_TIME_SCALE_LATER 126
/** One tick is a second (a scale of 0 in the options means the default). */
#define FTR_TIME_SCALE_SECOND 127

/** Options of a recorder. Must be zero-initialised before members are set; 0 or NULL is the
 * default. */
typedef struct ftr_recorder_options {
    size_t size;    /**< size of this struct; 0: the struct of this version */
    int time_scale; /**< a tick is 10^time_scale seconds, -15..-1; 0: -12 (ps) */
    /** 0: the calling thread encodes and writes; 1: a writer thread does both. In a long run in
     * which recording threads wait for the writer thread or drop transactions, a second thread
     * compresses for the writer thread, if the process may use two processors. */
    int threads;
    int64_t epoch_seconds; /**< wall-clock time of tick 0 in seconds since 1970; 0: now */
    ftr_compression compression;
    int compression_level; /**< level of LZ4HC, 1..12; 0: 9 */
    ftr_floats floats;
    ftr_numbering numbering;
    ftr_when_full when_full;
    size_t block_memory;      /**< bytes for data not written yet; 0: 12 to 48 MiB, by streams */
    size_t dictionary_memory; /**< bytes for strings, to detect duplicates; 0: 16 MiB */
    size_t chunk_size;        /**< bytes of transactions in a chunk before compression; 0: 63 KiB */
    const char *include;  /**< comma-separated patterns of stream names: `*` matches any text, `?`
                             any byte, `.` also `/`, other characters themselves; NULL: all streams.
                             A pattern that matched no stream is reported at close */
    const char *exclude;  /**< patterns of excluded streams; takes precedence over include */
    const char *start;    /**< a simulated time, for example "10 us"; NULL: no limit */
    const char *stop;     /**< as start; transactions that overlap [start, stop] are recorded */
    const ftr_sink *sink; /**< copied; NULL: a file at the path given to open */
    /** Directory of the journal, which preserves the recording of a killed process
     * (docs/reliability.md). NULL: the directory of the file; "none": no journal. */
    const char *journal_directory;
    /** Returns monotonic nanoseconds, to measure the age of waiting data; NULL: CLOCK_MONOTONIC. */
    uint64_t (*clock)(void *user);
    void *clock_user;
    /** Called with each message, which is one sentence without a newline. There is a message for
     * the first failure and for the first invalid call of each kind; at close, for each kind of
     * loss and for the number of invalid calls. May be called from the writer thread, and during an
     * invalid call. May be NULL. */
    void (*report)(void *user, ftr_severity severity, const char *message);
    void *report_user;
    /** Maximum size of a file, at least 64 KiB; 0: no limit. Later transactions are not recorded,
     * but counted; with max_files, they are recorded to further files with `_file0002`, ... in
     * their names (docs/reliability.md, "Limits"). */
    uint64_t max_size;
    uint32_t max_files; /**< number of newest files that are kept, 2 to 10000; 0: a single file */
    uint64_t min_free;  /**< recording stops if the disk has fewer free bytes; 0: no limit */
    ftr_keep keep;
    ftr_mode mode;
    /** for FTR_MODE_FLIGHT: memory for the newest transactions, replaces block_memory; at most 2
     * GiB; 0: 64 MiB */
    uint64_t flight_size;
    /** for FTR_MODE_FLIGHT: a simulated time, for example "5 us"; transactions that begin within
     * this time after the trigger are recorded, too; NULL: none */
    const char *flight_after;
    /** Path of the file for a summary of the run (docs/summary-format.md), which is written from
     * time to time and at close; copied; NULL: no summary. */
    const char *summary;
    ftr_write_index index;
} ftr_recorder_options;

/** Statistics of a recorder. Calls in progress on other threads may not be counted yet, and
 * counters of recorded data stay 0 until the time scale is known. */
typedef struct ftr_statistics {
    uint64_t transactions;      /**< written or waiting to be written */
    uint64_t attributes;        /**< attributes of these transactions; 0 without a trace */
    uint64_t relations;         /**< written or waiting to be written; 0 without a trace */
    uint64_t open_transactions; /**< begun, not ended */
    /** not recorded because of include, exclude, start, stop or ftr_recorder_set_recording() */
    uint64_t filtered;
    uint64_t dropped;             /**< lost because the writer was too slow (FTR_WHEN_FULL_DROP) */
    uint64_t relations_discarded; /**< not written: a transaction was filtered or dropped */
    uint64_t unfinished;          /**< ended by close, with `unfinished` = true */
    uint64_t misuses;             /**< invalid calls; they had no effect and returned an error */
    uint64_t repaired_texts;      /**< texts in which invalid UTF-8 became U+FFFD */
    uint64_t rounded_floats;      /**< values that single precision cannot express exactly */
    uint64_t renamed_streams;     /**< written under another name than the given one */
    uint64_t strings;             /**< dictionary entries written or waiting to be written */
    uint64_t strings_evicted;     /**< entries evicted to stay within the dictionary's budget */
    uint64_t waits;               /**< number of times a recording thread waited for the writer */
    uint64_t chunks;              /**< chunks written */
    uint64_t bytes;               /**< bytes written */
    uint64_t bytes_uncompressed;  /**< size of the bodies of these chunks before compression */
    uint64_t memory;              /**< bytes for used blocks, open transactions and encoding */
} ftr_statistics;

/** The first failure of a recorder. Later calls that define or record data, or write the file,
 * return its status. */
typedef struct ftr_failure {
    ftr_status status; /**< FTR_OK: none */
    int system_error;  /**< errno of the cause, or 0 */
    uint64_t offset;   /**< number of valid bytes in the file */
    char message[512]; /**< path, position and cause in one sentence */
} ftr_failure;

/* ---- life cycle ------------------------------------------------------------------------------ */

/** Opens @p path for recording. An existing file is replaced, unless another process records to it,
 * or a process of the same run has written it: in these cases, the recorder writes to a file with
 * the process id of this process in its name (docs/reliability.md). A crashed run at this path is
 * recovered first. With options.sink, the recorder creates no file, and @p path may be NULL. If it
 * is not NULL, the recorder creates the journal of @p path; `ftr recover` makes a file from this
 * journal. A closed recorder keeps its handle, less than 32 KiB, until the process ends, so that
 * later calls return FTR_ERR_CLOSED.
 * @param options NULL: all defaults, with a writer thread
 * @return FTR_OK; FTR_ERR_ARGUMENT (an option out of range, passed to options.report); FTR_ERR_IO
 *         (path and cause are passed to options.report); FTR_ERR_MEMORY. @p rec is untouched on
 *         error. */
FTR_API FTR_MUST_USE ftr_status ftr_recorder_open(const char *path,
                                                  const ftr_recorder_options *options,
                                                  ftr_recorder **rec);

/** Sets the time scale of a recorder opened with FTR_TIME_SCALE_LATER. Until then transactions are
 * kept in memory; close without this call assumes ps.
 * @param time_scale exponent of ten, -15..0, or FTR_TIME_SCALE_SECOND
 * @return FTR_OK, also if this is already the time scale; FTR_ERR_ARGUMENT; FTR_ERR_STATE if the
 * recorder has another time scale */
FTR_API ftr_status ftr_recorder_set_time_scale(ftr_recorder *rec, int time_scale);

/** Switches recording off or on again. While it is off, transactions that begin are filtered;
 * transactions that are already open continue.
 * @return FTR_OK; FTR_ERR_ARGUMENT; or the failure */
FTR_API ftr_status ftr_recorder_set_recording(ftr_recorder *rec, bool on);

/** Writes all transactions that ended before the call to the file, without fsync. Does not write
 * the content of rings, nor of a flight recorder before its trigger.
 *  @return FTR_OK, FTR_ERR_STATE before the time scale is known, or the failure */
FTR_API ftr_status ftr_recorder_flush(ftr_recorder *rec);

/** Marks the recorded run as failed, so that its file is kept (FTR_KEEP_ON_ERROR). A recorder that
 * itself failed keeps its file as well. May be called from a signal handler.
 * @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_mark_failed(ftr_recorder *rec);

/** Triggers all rings among the recorder's buffers (buffer.h); these rings continue. A flight
 * recorder (FTR_MODE_FLIGHT) also writes its content: a complete file, with open transactions as
 * `unfinished`. After that, a flight recorder records nothing. The file is complete when the call
 * returns. With ftr_recorder_options.flight_after, or if the time scale is not known yet, the file
 * is complete later, at the latest at close. A flight recorder that was not triggered leaves no
 * file, unless the run is marked as failed when the recorder closes.
 * @return FTR_OK, also if the recorder was triggered before, or is not a flight recorder;
 *         FTR_ERR_ARGUMENT; or the failure */
FTR_API ftr_status ftr_recorder_trigger(ftr_recorder *rec);

/** Ends open transactions at the latest time recorded, with the boolean END attribute `unfinished`.
 * Then writes everything and ends the file. Frees everything but the handle itself, also after a
 * failure.
 * @return FTR_OK, or the recorder's first failure; FTR_ERR_CLOSED if the recorder was closed
 *         before; FTR_ERR_FORKED, without effect, in a child process of the process that opened it;
 *         FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_close(ftr_recorder *rec);

/** Gets the statistics of the recorder with all its buffers. After close, these are the statistics
 * at close. @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_get_statistics(ftr_recorder *rec, ftr_statistics *statistics);

/** Flushes like ftr_recorder_flush(), and calls @p each for every recorded stream, in the order of
 *  definition, with its name in the file and its number of transactions there.
 *  @return FTR_OK; on error FTR_ERR_ARGUMENT, or as ftr_recorder_flush(): @p each was then not
 *          called */
FTR_API ftr_status ftr_recorder_list_streams(ftr_recorder *rec,
                                             void (*each)(void *user, const char *name,
                                                          uint64_t transactions),
                                             void *user);

/** Gets the first failure of the recorder or, if there is none, of a buffer with a separate trace.
 * May be called after close. @return FTR_OK or FTR_ERR_ARGUMENT */
FTR_API ftr_status ftr_recorder_get_failure(ftr_recorder *rec, ftr_failure *failure);

/* ---- definitions -------------------------------------------------------------------------------
 *
 * These functions return FTR_OK; FTR_ERR_ARGUMENT for NULL, an empty name, or a name or text of
 * more than 1 GiB; FTR_ERR_LIMIT if there are too many definitions; FTR_ERR_MEMORY; or the failure
 * of the recorder. On error, the handle is untouched. */

/** Defines a stream. A duplicate name gets `#2` (`#3`, ...) appended; if a stream `a` exists, the
 * name `a.b` is written as `a/b` (docs/format.md, "Stream names").
 * @param kind NULL: empty */
FTR_API FTR_MUST_USE ftr_status ftr_stream_define(ftr_recorder *rec, const char *name,
                                                  const char *kind, ftr_stream *stream);

/** Returns true if include and exclude allow transactions of @p stream. Returns false for an
 * invalid stream, and if the recorder is closed or has failed. If the function returns false, the
 * caller need not observe calls for the stream. */
FTR_API bool ftr_stream_is_recorded(ftr_recorder *rec, ftr_stream stream);

/** Defines a generator of @p stream with the attributes of its transactions. Calls identify an
 *  attribute by its index in @p attributes.
 *  @param attributes NULL with @p count 0; at most 65535
 *  @return also FTR_ERR_UNDEFINED if @p stream is invalid */
FTR_API FTR_MUST_USE ftr_status ftr_generator_define(ftr_recorder *rec, ftr_stream stream,
                                                     const char *name,
                                                     const ftr_attribute *attributes, size_t count,
                                                     ftr_generator *generator);

/** Defines a kind of relation. The same name gives the same handle. */
FTR_API FTR_MUST_USE ftr_status ftr_relation_define(ftr_recorder *rec, const char *name,
                                                    ftr_relation *relation);

/** Defines a text for frequent use: putting its handle costs as little as putting an integer.
 *  @param length bytes, or FTR_NUL_TERMINATED */
FTR_API FTR_MUST_USE ftr_status ftr_text_define(ftr_recorder *rec, const char *text, size_t length,
                                                ftr_text *defined);

/* ---- layout ------------------------------------------------------------------------------------
 */

/** Opens a recorder for a program that was compiled with the recorder layout @p layout.
 *  ftr_recorder_open() calls this function with FTR_RECORDER_LAYOUT.
 *  @return like ftr_recorder_open(); FTR_ERR_LAYOUT if the library has another layout */
FTR_API FTR_MUST_USE ftr_status ftr_recorder_open_layout(const char *path,
                                                         const ftr_recorder_options *options,
                                                         uint32_t layout, ftr_recorder **rec);

#ifndef FTR_BUILDING_LIBRARY
FTR_MUST_USE static inline ftr_status
ftr_recorder_open_inline(const char *path, const ftr_recorder_options *options, ftr_recorder **rec)
{
    return ftr_recorder_open_layout(path, options, FTR_RECORDER_LAYOUT, rec);
}
#define ftr_recorder_open ftr_recorder_open_inline
#endif

#ifdef __cplusplus
}
#endif

#ifndef FTR_NO_INLINE
#include <ftr/detail/recorder_inline.h>
#include <ftr/detail/relation_inline.h>
#include <ftr/detail/record_inline.h>
#include <ftr/detail/event_inline.h>
#endif

#endif
