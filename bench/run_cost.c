/* Measures whole runs of W2, each in a process of its own, from before the recorder is opened until
 * it is closed. The cost includes page faults, which dominate short runs.
 *
 *     run_cost DIRECTORY REPETITIONS TRANSACTIONS...
 *
 * Records in DIRECTORY. The cost of a run is the difference from the same loop without its
 * recording lines, which runs immediately before. Prints a table with the medians of these
 * differences. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

#define REPETITIONS_MAX 1000

typedef struct cost {
    double thread;  /* ms of processor time of the simulation's thread */
    double process; /* ms of processor time of all threads */
    double wall;    /* ms of elapsed time */
    double faults;  /* page faults of all threads */
} cost;

static double milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static cost cost_now(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (cost){milliseconds(CLOCK_THREAD_CPUTIME_ID), milliseconds(CLOCK_PROCESS_CPUTIME_ID),
                  milliseconds(CLOCK_MONOTONIC), (double)usage.ru_minflt};
}

static cost minus(cost a, cost b)
{
    return (cost){a.thread - b.thread, a.process - b.process, a.wall - b.wall, a.faults - b.faults};
}

/* Runs W2 in this process. @p path is NULL for the loop without its recording lines. */
static cost run(const workload *way, uint64_t transactions, const char *path)
{
    workload_data data = workload_start();
    const cost before = cost_now();
    void *const opened = path != NULL ? way->open(path, FTR_COMPRESSION_LZ4) : NULL;
    (path != NULL ? way->recorded : way->plain)(opened, &data, transactions);
    if (path != NULL)
        way->close(opened);
    return minus(cost_now(), before);
}

static cost run_in_child(const workload *way, uint64_t transactions, const char *path)
{
    int ends[2];
    int status;
    cost found;
    if (path != NULL)
        unlink(path); /* the time to replace a long file is not a part of the run */
    if (pipe(ends) != 0)
        workload_fail("pipe");
    const pid_t child = fork();
    if (child == 0) {
        found = run(way, transactions, path);
        _exit(write(ends[1], &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &found, sizeof found) != (ssize_t)sizeof found)
        workload_fail("a run failed");
    close(ends[0]);
    waitpid(child, &status, 0);
    return found;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of the member at @p offset. */
static double median(const cost *runs, size_t count, size_t offset)
{
    double values[REPETITIONS_MAX];
    for (size_t i = 0; i < count; i++)
        values[i] = *(const double *)((const char *)&runs[i] + offset);
    qsort(values, count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void print_row(const cost *runs, size_t count, uint64_t transactions)
{
    const double thread = median(runs, count, offsetof(cost, thread));
    char each[32] = "-";
    if (transactions)
        snprintf(each, sizeof each, "%.1f", 1e6 * thread / (double)transactions);
    printf("| %llu | %.2f | %s | %.2f | %.2f | %.0f |\n", (unsigned long long)transactions, thread,
           each, median(runs, count, offsetof(cost, process)),
           median(runs, count, offsetof(cost, wall)), median(runs, count, offsetof(cost, faults)));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char path[4096];
    const workload *const way = workload_find(core_workloads, "W2");
    const size_t repetitions = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (argc < 4 || repetitions < 1 || repetitions > REPETITIONS_MAX)
        workload_fail("give DIRECTORY REPETITIONS TRANSACTIONS...");
    snprintf(path, sizeof path, "%s/run_cost.ftr", argv[1]);
    printf(
        "| transactions | ms of the simulation | ns a transaction | ms of the process | ms | page "
        "faults |\n|--|--|--|--|--|--|\n");
    fflush(stdout);
    for (int i = 3; i < argc; i++) {
        const uint64_t transactions = strtoull(argv[i], NULL, 10);
        cost runs[REPETITIONS_MAX];
        for (size_t k = 0; k < repetitions; k++) {
            const cost plain = run_in_child(way, transactions, NULL);
            runs[k] = minus(run_in_child(way, transactions, path), plain);
        }
        print_row(runs, repetitions, transactions);
    }
    unlink(path);
    return 0;
}
