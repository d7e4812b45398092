/** @file
 *  Macros for the compilation of this library's inline functions. */
#ifndef FTR_INLINE_MACROS_H
#define FTR_INLINE_MACROS_H

#ifndef __GNUC__
#error "the inline calls of ftr need GCC or clang; define FTR_NO_INLINE for other compilers"
#endif

/** Always inline, so that computations on constant arguments vanish. */
#define FTR_INLINE static inline __attribute__((always_inline))
/** Unrolls a loop with a constant number of iterations. Empty without optimisation, because
 * compilers would warn. */
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
/** Defined if the library may read bytes behind a text that are in the same page. These reads
 * cannot fail, but sanitizers report them. */
#if defined(__SSE2__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_HWADDRESS__) && !defined(FTR_THREAD_SANITIZER)
#define FTR_READS_BESIDE_TEXTS
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(hwaddress_sanitizer) || \
    __has_feature(memory_sanitizer)
#undef FTR_READS_BESIDE_TEXTS
#endif
#endif
/** Declares an exported function again under the name NAME_in_full, as rarely called. Compilers
 * then place the fast path before the call without jumps, and save registers only around the
 * call. */
#define FTR_COLD_CALL(name, ...) \
    FTR_API ftr_status name##_in_full(__VA_ARGS__) __asm__(#name) __attribute__((cold))
/** Reads a value that other threads modify rarely; a stale value is harmless. Compilers may read
 * the value once for several calls. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_SELDOM_CHANGED(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#else
#define FTR_SELDOM_CHANGED(place) (place)
#endif
/** Stores a value after all earlier volatile accesses; other threads see the same order. On x86-64,
 * this is a volatile store: after an atomic store, compilers would read data again that they have
 * in registers. */
#if defined(__x86_64__) && !defined(FTR_THREAD_SANITIZER)
#define FTR_STORE_LAST(place, value) (*(volatile __typeof__(place) *)&(place) = (value))
#else
#define FTR_STORE_LAST(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)
#endif
/** Marks a function that reads the data of a slot before it knows whether the slot belongs to this
 * thread. If it belongs to another thread, the values read are ignored; ThreadSanitizer cannot know
 * this. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_PEEK static __attribute__((unused, noinline, no_sanitize("thread")))
#else
#define FTR_PEEK FTR_INLINE
#endif

#endif
