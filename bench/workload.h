/* A workload: a way to record transactions, as a loop over the workload data. All measurements run
 * workloads. docs/performance.md describes the workloads with the names W1 to W5, and their
 * variants. */
#ifndef FTR_WORKLOAD_H
#define FTR_WORKLOAD_H

#ifdef __cplusplus
#include <functional>
#endif
#include <stdint.h>

#include <ftr/recorder.h>

#include "workload_data.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Runs @p count transactions of @p data, and advances @p data to the next ones.
 *  @param opened the result of workload.open; the loop without recording lines ignores it */
typedef void workload_loop(void *opened, workload_data *data, uint64_t count);

typedef struct workload {
    const char *name;
    /** Starts recording to @p path; exits on an error. */
    void *(*open)(const char *path, ftr_compression compression);
    workload_loop *recorded;
    workload_loop *plain; /**< the same loop without its recording lines */
    void (*close)(void *opened);
} workload;

/** Lists of workloads. Each list ends with a workload without a name. */
extern const workload core_workloads[];
extern const workload adapter_workloads[];
extern const workload lwtr_workloads[];
extern const workload attribute_workloads[];
/** Other recorders of W2. */
extern const workload fprintf_workload;
extern const workload libcbor_workload;
extern const workload vcd_workload;

/** Begins the definition of a loop. The loop is inlined, so that constant arguments select its code
 * at compile time. */
#define WORKLOAD_LOOP static inline __attribute__((always_inline)) void

/** Prints an error message and exits. */
__attribute__((noreturn)) void workload_fail(const char *what);

/** Finds a workload by name; exits if there is no workload of this name. */
const workload *workload_find(const workload *list, const char *name);

/** Runs one workload once, as the arguments state:
 *
 *      PROGRAM WORKLOAD TRANSACTIONS [FILE [COMPRESSION]]
 *
 *  Without FILE the loop runs without its recording lines. COMPRESSION is `lz4`, `lz4hc` or `none`.
 */
int workload_main(const workload *list, int argc, char **argv);

#ifdef __cplusplus
}

/** Elaborates a model of one process that runs @p body, and simulates it. The resolution is 1 ps.
 *  @return the result of @p body */
int simulate(const std::function<int()> &body);
#endif

#endif
