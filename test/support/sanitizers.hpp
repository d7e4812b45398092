// The sanitizers that a test is compiled with, by GCC or clang: FTR_TEST_HAS_TSAN, and
// FTR_TEST_IS_SANITIZED for any of those that change the memory, the system calls or the speed of a
// program.
#ifndef FTR_TEST_SANITIZERS_HPP
#define FTR_TEST_SANITIZERS_HPP

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define FTR_TEST_HAS_TSAN 1
#else
#define FTR_TEST_HAS_TSAN 0
#endif

#if FTR_TEST_HAS_TSAN || defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define FTR_TEST_IS_SANITIZED 1
#else
#define FTR_TEST_IS_SANITIZED 0
#endif

#endif
