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

/* ---- for programs -----------------------------------------------------------------------------
 */

/** Where traced calls take time, thread and recorder from. Zero-initialise it, then set what
 * differs: NULL is the default. The functions may be called by any thread, with no lock held. */
typedef struct ftr_tracelink_environment {
    size_t size; /**< sizeof(ftr_tracelink_environment), or 0 for this version's */
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

/* ---- for generated wrappers -------------------------------------------------------------------
 */

typedef struct ftr_traced_enumerator {
    const char *name;
    int64_t value;
    ftr_text text; /**< defined when first met */
} ftr_traced_enumerator;

typedef struct ftr_traced_enumeration {
    ftr_traced_enumerator *enumerators;
    size_t count;
} ftr_traced_enumeration;

typedef struct ftr_traced_function {
    const char *name;
    const ftr_attribute *attributes;
    size_t count;
} ftr_traced_function;

/** The wrappers of one generated file. */
typedef struct ftr_traced_unit {
    const char *name;
    const ftr_traced_function *functions;
    size_t count;
    uint32_t *enables;  /**< a bit a function */
    uint32_t *triggers; /**< the same; the first call of one starts recording */
    /* from here on the recorder's; zero at first */
    struct ftr_traced_unit *next;
    size_t first; /**< number of its first function among all units */
    int triggered;
} ftr_traced_unit;

/** One call, in its wrapper's frame. */
typedef struct ftr_call {
    void *context; /**< NULL: not recorded */
    size_t depth;
} ftr_call;

/** Makes the unit known to ftr_tracelink_set_enabled(). Once, before its first call. */
FTR_API void ftr_tracelink_register(ftr_traced_unit *unit);

/** Begins the call of function @p index and puts its first @p count attributes: the bits of
 * numbers, 0 or 1 of booleans, ftr_call_real() of floating point ones. */
FTR_API void ftr_call_begin(ftr_call *call, ftr_traced_unit *unit, size_t index,
                            const uint64_t *words, size_t count);

/** Takes the time of return; what the result is follows, then ftr_call_close(). */
FTR_API void ftr_call_return(ftr_call *call);
FTR_API void ftr_call_close(ftr_call *call);

/** Both at once, for a function without a result, or whose result is attribute @p attribute. */
FTR_API void ftr_call_end(ftr_call *call);
FTR_API void ftr_call_end_word(ftr_call *call, unsigned attribute, uint64_t word);

FTR_API void ftr_call_put_word(const ftr_call *call, unsigned attribute, uint64_t word);

/** The enumerator's name; the number of a value that has none. */
FTR_API void ftr_call_put_enumerator(const ftr_call *call, unsigned attribute,
                                     ftr_traced_enumeration *enumeration, int64_t value);

/** At most @p limit bytes of text at @p text, read so that a bad pointer does no harm. What is no
 * text is shown as its address. */
FTR_API void ftr_call_put_string(const ftr_call *call, unsigned attribute, const char *text,
                                 size_t limit);

/** An array of characters, up to its end or a NUL. */
FTR_API void ftr_call_put_characters(const ftr_call *call, unsigned attribute, const char *text,
                                     size_t size);

/** Bytes in hexadecimal, in memory order. */
FTR_API void ftr_call_put_bytes(const ftr_call *call, unsigned attribute, const void *bytes,
                                size_t size);

/** The word of a floating point attribute. */
static inline uint64_t ftr_call_real(double value)
{
    union {
        double real;
        uint64_t word;
    } both;
    both.real = value;
    return both.word;
}

#ifdef __cplusplus
}
#endif

#include <ftr/tracelink_inline.h>

#endif
