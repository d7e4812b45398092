/** @file
 *  Calls of the wrappers that `ftr-ld` generates. Included by <ftr/tracelink.h>. */
#ifndef FTR_TRACELINK_CALLS_H
#define FTR_TRACELINK_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#endif
