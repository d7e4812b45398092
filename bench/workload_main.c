/* The command line of the programs that run one workload once, for callgrind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

void workload_fail(const char *what)
{
    fprintf(stderr, "workload: %s\n", what);
    exit(2);
}

const workload *workload_find(const workload *list, const char *name)
{
    for (; list->name != NULL; list++) {
        if (strcmp(list->name, name) == 0)
            return list;
    }
    workload_fail("no such workload");
}

static ftr_compression compression_of(const char *name)
{
    if (strcmp(name, "lz4") == 0)
        return FTR_COMPRESSION_LZ4;
    if (strcmp(name, "lz4hc") == 0)
        return FTR_COMPRESSION_LZ4HC;
    if (strcmp(name, "none") == 0)
        return FTR_COMPRESSION_NONE;
    workload_fail("no such compression");
}

int workload_main(const workload *list, int argc, char **argv)
{
    if (argc < 3 || argc > 5)
        workload_fail("give WORKLOAD TRANSACTIONS [FILE [COMPRESSION]]");
    const workload *const one = workload_find(list, argv[1]);
    const uint64_t count = strtoull(argv[2], NULL, 10);
    const ftr_compression compression = compression_of(argc > 4 ? argv[4] : "lz4");
    workload_data data = workload_start();
    if (argc == 3) {
        one->plain(NULL, &data, count);
        return 0;
    }
    void *const opened = one->open(argv[3], compression);
    one->recorded(opened, &data, count);
    one->close(opened);
    return 0;
}
