/* Processor time and memory of a part of a program. */
#ifndef FTR_BENCH_USAGE_HPP
#define FTR_BENCH_USAGE_HPP

/** Returns the processor time of the calling thread. */
double thread_seconds();
/** Returns the processor time of all threads of the process. */
double process_seconds();
/** Returns the elapsed time since an arbitrary moment. */
double wall_seconds();

/** Resets the maximum memory use of the process. */
void forget_peak_memory();
/** Returns the maximum memory use since then, in MiB. */
double peak_memory();

#endif
