/** @file
 * Recording of traced calls: functions for the wrappers that `ftr-ld` generates, and settings
 * for the program. Link -lftr_tracelink; the traced objects need no changes.
 *
 * A call is a transaction of the generator named after its function, in a stream of its thread.
 * Any thread may call any function here. docs/tracelink.md is the guide. */
#ifndef FTR_TRACELINK_H
#define FTR_TRACELINK_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The source of time, thread and recorder for traced calls. Must be zero-initialised before
 * members are set; NULL is the default. The functions may be called by any thread, with no lock
 * held. */
typedef struct ftr_tracelink_environment {
    size_t size; /**< size of this struct; 0: the size in the headers of the program */
    /** Returns the recorder; called until it is not NULL. Default: ftr_default_recorder() in
     *  nanoseconds. */
    ftr_recorder *(*recorder)(void *user);
    /** Returns ticks of the recorder's time scale, never decreasing within a thread. Default:
     *  CLOCK_MONOTONIC, nanoseconds since the first call. */
    uint64_t (*clock)(void *user);
    /** Identifies the running thread of control, for programs with several of them on one thread,
     *  for example coroutines: any constant value but NULL; NULL: the thread itself. */
    const void *(*context)(void *user);
    /** Writes the name of the current context's stream, truncated to @p size. */
    void (*context_name)(void *user, char *name, size_t size);
    void *user;
} ftr_tracelink_environment;

/** Sets the environment, which is copied.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_STATE if a call has already been recorded */
FTR_API ftr_status ftr_tracelink_set_environment(const ftr_tracelink_environment *environment);

/** Like the function above, for a struct of @p size bytes: see recorder.h, "sizes of structs". */
FTR_API ftr_status ftr_tracelink_set_environment_sized(const ftr_tracelink_environment *environment,
                                                       size_t size);

#ifndef FTR_BUILDING_TRACELINK
static inline ftr_status
ftr_tracelink_set_environment_inline(const ftr_tracelink_environment *environment)
{
    return ftr_tracelink_set_environment_sized(environment, sizeof *environment);
}
#define ftr_tracelink_set_environment ftr_tracelink_set_environment_inline
#endif

/** Sets only the clock, and the exponent of ten of its tick (-15..0, FTR_TIME_SCALE_LATER).
 *  @return like ftr_tracelink_set_environment() */
FTR_API ftr_status ftr_tracelink_set_clock(uint64_t (*clock)(void *user), void *user,
                                           int time_scale);

/** Switches functions on or off at run time, including triggers, from the next call on.
 *  @param functions patterns of names, separated by commas: `*` matches any text, `?` any byte
 *  @return number of matching functions */
FTR_API size_t ftr_tracelink_set_enabled(const char *functions, bool on);
FTR_API size_t ftr_tracelink_set_trigger(const char *functions, bool on);

/** Gets the innermost open traced call on the current thread of control, as an end of relations.
 * @return false, and @p tx untouched, if there is none */
FTR_API bool ftr_tracelink_current(ftr_tx *tx);

/** Counts of unrecorded calls. */
typedef struct ftr_tracelink_statistics {
    uint64_t nested;    /**< calls made by the recorder itself: clock, signal handler */
    uint64_t failed;    /**< calls that the recorder refused */
    uint64_t abandoned; /**< calls left by longjmp or the end of their thread: recorded, marked */
} ftr_tracelink_statistics;

FTR_API void ftr_tracelink_get_statistics(ftr_tracelink_statistics *statistics);

/** Like the function above, for a struct of @p size bytes: see recorder.h, "sizes of structs". */
FTR_API void ftr_tracelink_get_statistics_sized(ftr_tracelink_statistics *statistics, size_t size);

#ifndef FTR_BUILDING_TRACELINK
static inline void ftr_tracelink_get_statistics_inline(ftr_tracelink_statistics *statistics)
{
    ftr_tracelink_get_statistics_sized(statistics, sizeof *statistics);
}
#define ftr_tracelink_get_statistics ftr_tracelink_get_statistics_inline
#endif

#ifdef __cplusplus
}
#endif

#include <ftr/detail/tracelink_inline.h>

#endif
