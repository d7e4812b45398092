/** @file
 *  Attributes of the stream `ftr.run`, for the adapter and the attach plug-in. Not for recording
 *  programs. */
#ifndef FTR_RUN_IDENTITY_H
#define FTR_RUN_IDENTITY_H

#include <ftr/detail/recorder_layout.h>
#include <ftr/recorder.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the time for a transaction of `ftr.run` at @p now, in ticks: @p now, or FTR_START if
 * this is later. The description of a run is recorded whatever the time window is. */
FTR_INLINE uint64_t ftr_run_time(const ftr_recorder *rec, uint64_t now)
{
    const ftr_window_front *window = &((const ftr_recorder_front *)rec)->window;
    const uint64_t start = __atomic_load_n(&window->start, __ATOMIC_RELAXED);
    return start > now ? start : now;
}

/** Puts attributes on @p tx, a transaction of the stream @p stream: the id of the run, the program,
 * its arguments, FTR_TAGS, the process, the host and the time of the start.
 *  @param has_arguments false: without the arguments. Otherwise secrets in the arguments are masked
 *                       (FTR_RUN_INFO in the README) */
FTR_API void ftr_run_put_start(ftr_recorder *rec, ftr_stream stream, ftr_tx tx, bool has_arguments);

/** Returns the generator of `ftr.run` for the transaction that describes the end of the run; 0:
 * none. The caller records this transaction. If this function is never called, the recorder itself
 * records the end when it closes: with the signal that ends the program, or with the attribute
 * `closed`. */
FTR_API ftr_generator ftr_run_end_generator(ftr_recorder *rec);

/** Returns true if the default recorder itself has recorded the start of the run in `ftr.run`. In
 * an attached process, the plug-in records it. */
FTR_API bool ftr_run_is_identified(void);

/** Records the exit status if ftr_run_is_identified() returns true; later calls do nothing. The
 * recorder must still be open. */
FTR_API void ftr_run_put_exit(int exit_status);

#ifdef __cplusplus
}
#endif

#endif
