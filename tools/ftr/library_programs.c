/* The programs that `ftr` starts for commands with large libraries. If `ftr` were linked with these
 * libraries, each command would load them, which takes 2 ms. Each function here only starts such a
 * program. The program is linked with another function of the same name, which does the work. */
#include "command.h"

#ifdef FTR_HAS_SQL
#include "sql_options.h"

int ftr_sql_execute(const ftr_sql_options *options, char **files, size_t count, const char *query)
{
    (void)options;
    (void)files;
    (void)count;
    (void)query;
    return ftr_run_installed("ftr-sql");
}
#endif

#ifdef FTR_HAS_REPORT_SERVER
#include "report_modes.h"

int ftr_report_serve(const ftr_report_arguments *arguments, const char *path)
{
    (void)arguments;
    (void)path;
    return ftr_run_installed("ftr-report-serve");
}
#endif

#ifdef FTR_HAS_TRACE_BUFFER
#include "convert_format.h"

int ftr_trace_buffer_import(ftr_convert_options *options)
{
    (void)options;
    return ftr_run_installed("ftr-convert-trace-buffer");
}
#endif
