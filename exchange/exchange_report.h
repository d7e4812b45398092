/* To whom conversions say what people should know. */
#ifndef FTR_EXCHANGE_REPORT_H
#define FTR_EXCHANGE_REPORT_H

/* Told one sentence at a time, without a newline. */
typedef struct ftr_exchange_report {
    void (*tell)(void *user, const char *message);
    void *user;
} ftr_exchange_report;

__attribute__((format(printf, 2, 3))) void ftr_exchange_tell(const ftr_exchange_report *report,
                                                             const char *format, ...);

#endif
