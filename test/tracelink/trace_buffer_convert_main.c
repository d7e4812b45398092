/* Runs the conversion like `ftr convert --input-format trace-buffer`: program, dump, output. */
#include "trace_buffer.h"

int main(int argc, char **argv)
{
    ftr_link_report report = {.out = stderr};
    ftr_trace_buffer_counts counts;
    if (argc != 4)
        return 2;
    bool good = ftr_trace_buffer_convert(&report, argv[1], argv[2], argv[3], NULL, &counts);
    printf("%llu records, %llu calls, %llu exits without entry, %llu abandoned, %llu unfinished\n",
           (unsigned long long)counts.records, (unsigned long long)counts.calls,
           (unsigned long long)counts.exits_without_entry, (unsigned long long)counts.abandoned,
           (unsigned long long)counts.unfinished);
    return good ? 0 : 1;
}
