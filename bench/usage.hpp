/* What a piece of a program used: processor time and memory. */
#ifndef FTR_BENCH_USAGE_HPP
#define FTR_BENCH_USAGE_HPP

/** Processor time that the calling thread has used. */
double thread_seconds();
/** Processor time that all threads of the process have used. */
double process_seconds();
/** Time that has passed, from any beginning. */
double wall_seconds();

/** Forgets how much memory the process held at most. */
void forget_peak_memory();
/** MiB that it held at most since then. */
double peak_memory();

#endif
