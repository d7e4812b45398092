// Functions that a test replaces in the code below it, with the option --wrap of the linker.
#ifndef FTR_TEST_WRAPPED_CALLS_HPP
#define FTR_TEST_WRAPPED_CALLS_HPP

// Declares the original function (__real_NAME) and the function that replaces it (__wrap_NAME).
#define FTR_WRAPPED(result, name, ...)            \
    extern "C" result __real_##name(__VA_ARGS__); \
    extern "C" result __wrap_##name(__VA_ARGS__)

#endif
