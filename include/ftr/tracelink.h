/** @file
 * Recording of traced calls: the functions that wrappers call, and settings for the program.
 * `ftr-ld` generates the wrappers. Link with -lftr_tracelink; the traced objects need no changes.
 *
 * A call becomes a transaction in a stream of its thread. Its generator has the name of the called
 * function. Any thread may call any function here. docs/tracelink.md is the guide. */
#ifndef FTR_TRACELINK_H
#define FTR_TRACELINK_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Functions of the program that supply recorder, time and thread of traced calls. Must be
 * zero-initialised before members are set; a NULL function selects the default. Any thread may call
 * these functions. `recorder` and `context_name` are called while a lock of this library is held,
 * so they must not call ftr_tracelink_set_...(). */
typedef struct ftr_tracelink_environment {
    size_t size; /**< size of this struct; 0: the struct of this version */
    /** Returns the recorder. If it returns NULL, the current call is not recorded, and the next
     *  traced call asks again. Default: ftr_default_recorder() in nanoseconds. */
    ftr_recorder *(*recorder)(void *user);
    /** Returns ticks of the recorder's time scale, never decreasing within a thread. Default:
     *  CLOCK_MONOTONIC, nanoseconds since the first call. */
    uint64_t (*clock)(void *user);
    /** Identifies the running thread of control. Needed if one thread runs several threads of
     *  control, for example coroutines. Returns the same value, not NULL, whenever the same
     *  coroutine runs; returns NULL if no coroutine runs, only the thread itself. Default: always
     *  the thread itself. */
    const void *(*context)(void *user);
    /** Writes the name of the stream for the running thread of control, truncated to @p size bytes
     * with its NUL. Required if `context` is set. */
    void (*context_name)(void *user, char *name, size_t size);
    void *user; /**< passed to these functions */
} ftr_tracelink_environment;

/** Sets the environment. The struct is copied.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_STATE if a traced call has already asked for the
 *  recorder */
FTR_API ftr_status ftr_tracelink_set_environment(const ftr_tracelink_environment *environment);

/** Sets an environment that contains only a clock; the other members have their defaults.
 *  @param time_scale exponent of ten of a tick in seconds: -15..-1, FTR_TIME_SCALE_SECOND or
 *                    FTR_TIME_SCALE_LATER
 *  @return like ftr_tracelink_set_environment() */
FTR_API ftr_status ftr_tracelink_set_clock(uint64_t (*clock)(void *user), void *user,
                                           int time_scale);

/** Switch the recording of functions (`enabled`), or their triggers, on or off. The change takes
 * effect at the next call. Recording starts at the first call of a function that is enabled and
 * whose trigger is on.
 *  @param functions patterns of function names, separated by commas: `*` matches any text, `?` any
 *  byte
 *  @return number of matching functions */
FTR_API size_t ftr_tracelink_set_enabled(const char *functions, bool on);
FTR_API size_t ftr_tracelink_set_trigger(const char *functions, bool on);

/** Gets the transaction of the innermost open traced call of the running thread of control, for
 * example to record a relation to it.
 * @return false, and @p tx untouched, if there is none */
FTR_API bool ftr_tracelink_current(ftr_tx *tx);

/** Counts of calls that were not recorded, or were not recorded to their end. */
typedef struct ftr_tracelink_statistics {
    /** calls that were made while their thread executed the recorder: by the recorder itself, by
     * the clock, or by a signal handler */
    uint64_t nested;
    uint64_t failed; /**< calls that the recorder refused */
    /** calls that ended by longjmp() or with their thread: recorded, with the attribute
     * `abandoned` */
    uint64_t abandoned;
} ftr_tracelink_statistics;

FTR_API void ftr_tracelink_get_statistics(ftr_tracelink_statistics *statistics);

#ifdef __cplusplus
}
#endif

#include <ftr/detail/tracelink_inline.h>

#endif
