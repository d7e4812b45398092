/* To whom conversions say what people should know. */
#ifndef FTR_EXCHANGE_REPORT_H
#define FTR_EXCHANGE_REPORT_H

#include <ftr/status.h>

/* Told one sentence at a time, without a newline. */
typedef struct ftr_exchange_report {
    void (*tell)(void *user, const char *message);
    void *user;
} ftr_exchange_report;

__attribute__((format(printf, 2, 3))) void ftr_exchange_tell(const ftr_exchange_report *report,
                                                             const char *format, ...);

/* "PATH: WHY", where an input or output error is what errno says. */
void ftr_exchange_tell_status(const ftr_exchange_report *report, const char *path,
                              ftr_status status);

#endif
