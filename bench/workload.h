/* What every measurement runs: a way to record transactions, as a loop over the workload data. */
#ifndef FTR_WORKLOAD_H
#define FTR_WORKLOAD_H

#include <stdint.h>

#include <ftr/recorder.h>

#include "workload_data.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs @p count transactions of @p data, and leaves it where the next loop goes on.
 *  @param opened what workload.open returned; the loop without recording lines does not look at it
 */
typedef void workload_loop(void *opened, workload_data *data, uint64_t count);

typedef struct workload {
    const char *name;
    /** Starts recording to @p path; ends the program when it cannot. */
    void *(*open)(const char *path, ftr_compression compression);
    workload_loop *recorded;
    workload_loop *plain; /**< the same loop without its recording lines */
    void (*close)(void *opened);
} workload;

/** Those of a list that ends with one without a name. */
extern const workload core_workloads[];
extern const workload adapter_workloads[];
extern const workload attribute_workloads[];
/** What else records W2. */
extern const workload fprintf_workload;
extern const workload libcbor_workload;
extern const workload vcd_workload;

/** For the loops: what is constant at the call makes one of each kind. */
#define WORKLOAD_LOOP static inline __attribute__((always_inline)) void

/** Says what went wrong, and ends the program. */
__attribute__((noreturn)) void workload_fail(const char *what);

/** The one of a list that is called so; ends the program when there is none. */
const workload *workload_find(const workload *list, const char *name);

/** Runs one workload once, as the arguments have it:
 *
 *      PROGRAM WORKLOAD TRANSACTIONS [FILE [COMPRESSION]]
 *
 *  Without FILE the loop runs without its recording lines. COMPRESSION is `lz4`, `lz4hc` or `none`.
 */
int workload_main(const workload *list, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
