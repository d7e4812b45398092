/* W2 recorded as LTTng-UST events, one for each transaction, in a separate LTTng session. LTTng's
 * session daemon must run. This file is a separate library that is loaded only for this
 * measurement, because LTTng's library starts threads in every program that links it. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_provider.h"

#include <stdio.h>
#include <stdlib.h>

#include "payload_loop.h"
#include "workload.h"

static void command(const char *line)
{
    if (system(line) != 0)
        workload_fail(line);
}

static void *open_session(const char *path, ftr_compression compression)
{
    (void)compression;
    char line[4096];
    snprintf(line, sizeof line,
             "exec >/dev/null && lttng create ftr-bench --output='%s' &&"
             /* Blocking, so that no event is lost, as in ftr: the recording thread waits for the
              * writer. */
             " lttng enable-channel --userspace --blocking-timeout=inf payloads &&"
             " lttng enable-event --userspace --channel=payloads 'ftr_bench:*' &&"
             " lttng start",
             path);
    command(line);
    return NULL;
}

static void close_session(void *opened)
{
    (void)opened;
    command("lttng destroy ftr-bench >/dev/null");
}

static inline void trace(void *opened, const workload_tx *next, uint64_t begin)
{
    (void)opened;
    lttng_ust_tracepoint(ftr_bench, payload, begin, begin + next->duration,
                         2 * next->stream + next->generator, next->address, next->length,
                         next->response);
}

__attribute__((visibility("default"))) extern const workload lttng_workload;
WORKLOAD_OF_PAYLOADS(lttng_workload, "LTTng-UST", open_session, trace, close_session)
