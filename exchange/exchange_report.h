/* The callback for messages of conversions. */
#ifndef FTR_EXCHANGE_REPORT_H
#define FTR_EXCHANGE_REPORT_H

#include <ftr/status.h>

/* The destination of messages. `message` is called for each one, a sentence without a newline. */
typedef struct ftr_exchange_report {
    void (*message)(void *user, const char *message);
    void *user;
} ftr_exchange_report;

__attribute__((format(printf, 2, 3))) void ftr_exchange_print(const ftr_exchange_report *report,
                                                              const char *format, ...);

/* Reports "PATH: REASON"; for input and output errors, the reason is the text of errno. */
void ftr_exchange_print_status(const ftr_exchange_report *report, const char *path,
                               ftr_status status);

#endif
