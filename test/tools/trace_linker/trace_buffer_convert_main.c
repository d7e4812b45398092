/* Runs the conversion like `ftr convert --input-format trace-buffer`: program, dump, output. */
#include "trace_buffer.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    ftr_link_report report = {.out = stderr};
    ftr_trace_buffer_counts counts;
    ftr_trace_buffer_dump dump;
    if (argc != 4 || !ftr_trace_buffer_read(&report, argv[2], &dump))
        return 2;
    bool good = ftr_trace_buffer_convert(&report, argv[1], &dump, argv[3], NULL, &counts);
    printf("%llu records, %llu calls, %llu exits without entry, %llu abandoned, %llu unfinished\n",
           (unsigned long long)counts.records, (unsigned long long)counts.calls,
           (unsigned long long)counts.exits_without_entry, (unsigned long long)counts.abandoned,
           (unsigned long long)counts.unfinished);
    free(dump.bytes);
    return good ? 0 : 1;
}
