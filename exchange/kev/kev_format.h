/* The format of the beginning of a line, as for traceprinter's option -p. */
#ifndef FTR_KEV_FORMAT_H
#define FTR_KEV_FORMAT_H

#include "printer.h"

#include <stdbool.h>
#include <stdint.h>

#define FTR_KEV_FORMAT_DEFAULT "t:0x%08c CPU:%02C %-16Z:%-18z"

typedef struct ftr_kev_line {
    uint64_t cycles;      /* %c */
    uint64_t number;      /* %e: number of the event, from 0 */
    uint64_t nanoseconds; /* %t: since the first event */
    unsigned cpu;         /* %C */
    const char *class_;   /* %Z */
    const char *event;    /* %z */
} ftr_kev_line;

/* Returns NULL if the format is valid, otherwise its first invalid part. */
const char *ftr_kev_format_check(const char *format);

/* Prints a line's beginning. @p format must be valid. */
void ftr_kev_format_print(ftr_printer *out, const char *format, const ftr_kev_line *line);

#endif
