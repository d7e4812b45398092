/** @file
 *  How the inline calls of this library are compiled. */
#ifndef FTR_INLINE_MACROS_H
#define FTR_INLINE_MACROS_H

/** Always, so that what is constant at the call costs nothing. */
#define FTR_INLINE static inline __attribute__((always_inline))
/** A loop over what is constant at the call. Compilers that do not optimise warn of it. */
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
/** What another thread may change at any time and hardly ever does. Compilers may read it once for
 * several calls. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_SELDOM_CHANGED(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#else
#define FTR_SELDOM_CHANGED(place) (place)
#endif
/** Reads what may be another thread's at this moment, to learn that it is. ThreadSanitizer cannot
 * know that nothing is made of the rest. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_PEEK static __attribute__((unused, noinline, no_sanitize("thread")))
#else
#define FTR_PEEK FTR_INLINE
#endif

#endif
