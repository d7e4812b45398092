/** @file
 *  Macros for the compilation of this library's inline functions. */
#ifndef FTR_INLINE_MACROS_H
#define FTR_INLINE_MACROS_H

#ifndef __GNUC__
#error "the inline calls of ftr need GCC or clang; define FTR_NO_INLINE for other compilers"
#endif

/** Always inline, so that computations on constant arguments vanish. */
#define FTR_INLINE static inline __attribute__((always_inline))
/** A loop with a constant number of iterations. Compilers warn of it without optimisation. */
#ifdef __OPTIMIZE__
#define FTR_UNROLL _Pragma("GCC unroll 16")
#else
#define FTR_UNROLL
#endif
#define FTR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#if defined(__SANITIZE_THREAD__)
#define FTR_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FTR_THREAD_SANITIZER
#endif
#endif
/** Reads a value that other threads modify rarely; a stale value is harmless. Compilers may read it
 * once for several calls. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_SELDOM_CHANGED(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#else
#define FTR_SELDOM_CHANGED(place) (place)
#endif
/** Marks a function that reads data which may belong to another thread, in order to detect that.
 * ThreadSanitizer cannot know that the function ignores the other values read if they belong to
 * another thread. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_PEEK static __attribute__((unused, noinline, no_sanitize("thread")))
#else
#define FTR_PEEK FTR_INLINE
#endif

#endif
