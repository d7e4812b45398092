/** @file
 *  Recording of traced calls: what the wrappers that `ftr-ld` generates call, and what a program
 * may set about it. Link -lftr_tracelink; the traced objects need nothing of this.
 *
 *  A call is a transaction of the generator named after its function, in a stream of its thread.
 *  Any thread may call any function here. docs/tracelink.md is the guide. */
#ifndef FTR_TRACELINK_H
#define FTR_TRACELINK_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where traced calls take time, thread and recorder from. Zero-initialise it, then set what
 * differs: NULL is the default. The functions may be called by any thread, with no lock held. */
typedef struct ftr_tracelink_environment {
    size_t size; /**< bytes of this struct; 0: as the program was compiled */
    /** The recorder, asked until it is there; NULL is none. Default: ftr_default_recorder() in
     *  nanoseconds. */
    ftr_recorder *(*recorder)(void *user);
    /** Ticks of the recorder's time scale, never decreasing within a thread. Default:
     *  CLOCK_MONOTONIC, nanoseconds since the first call. */
    uint64_t (*clock)(void *user);
    /** Which thread of control runs, for programs that have several on one thread, as coroutines:
     *  anything but NULL that stays the same; NULL: the thread itself. */
    const void *(*context)(void *user);
    /** The name of the stream of the current context, truncated to @p size. */
    void (*context_name)(void *user, char *name, size_t size);
    void *user;
} ftr_tracelink_environment;

/** Sets the environment. Copied.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_STATE when a call has been recorded already */
FTR_API ftr_status ftr_tracelink_set_environment(const ftr_tracelink_environment *environment);

/** As above for a struct of @p size bytes: see recorder.h, "sizes of structs". */
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

/** Sets the clock alone, and the exponent of ten of its tick (-15..0, FTR_TIME_SCALE_LATER).
 *  @return as ftr_tracelink_set_environment() */
FTR_API ftr_status ftr_tracelink_set_clock(uint64_t (*clock)(void *user), void *user,
                                           int time_scale);

/** Switches functions on or off at run time, also the triggers of the next call on.
 *  @param functions patterns of names, separated by commas: `*` matches any text, `?` any byte
 *  @return how many functions of this name there are */
FTR_API size_t ftr_tracelink_set_enabled(const char *functions, bool on);
FTR_API size_t ftr_tracelink_set_trigger(const char *functions, bool on);

/** The innermost traced call that is open on the current thread of control, to relate other
 * transactions to. @return false, and @p tx untouched, when none is */
FTR_API bool ftr_tracelink_current(ftr_tx *tx);

/** What went unrecorded. */
typedef struct ftr_tracelink_statistics {
    uint64_t nested;    /**< calls made by the recorder's own doing: clock, signal handler */
    uint64_t failed;    /**< calls the recorder declined */
    uint64_t abandoned; /**< calls that longjmp or a thread's end left: recorded, marked */
} ftr_tracelink_statistics;

FTR_API void ftr_tracelink_get_statistics(ftr_tracelink_statistics *statistics);

/** As above for a struct of @p size bytes: see recorder.h, "sizes of structs". */
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
