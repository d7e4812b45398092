/* The messages and the progress bar of conversions. */
#include "exchange_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_SIZE 1024

void ftr_exchange_print(const ftr_exchange_report *report, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report->message(report->user, message);
}

void ftr_exchange_print_status(const ftr_exchange_report *report, const char *path,
                               ftr_status status)
{
    const bool has_reason = status == FTR_ERR_IO && errno != 0;
    ftr_exchange_print(report, "%s: %s", path,
                       has_reason ? strerror(errno) : ftr_status_text(status));
}

void *ftr_exchange_state(size_t size, const char *path, const ftr_exchange_report *report)
{
    void *const state = calloc(1, size);
    if (state == NULL)
        ftr_exchange_print_status(report, path, FTR_ERR_MEMORY);
    return state;
}

#define EVERY_MS 200
#define WIDTH 30

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void ftr_progress_begin(ftr_progress *progress, uint64_t total, const char *unit)
{
    *progress = (ftr_progress){
        .shown = isatty(STDERR_FILENO) != 0, .total = total, .unit = unit, .drawn = now_ms()};
}

void ftr_progress_show(ftr_progress *progress, uint64_t done)
{
    if (!progress->shown)
        return;
    const int64_t now = now_ms();
    if (now - progress->drawn < EVERY_MS)
        return;
    progress->drawn = now;
    if (progress->total == 0) {
        (void)fprintf(stderr, "\r\033[K%" PRIu64 " %s", done, progress->unit);
        return;
    }
    const uint64_t shown = done < progress->total ? done : progress->total;
    const unsigned filled = (unsigned)((double)shown / (double)progress->total * WIDTH);
    char bar[WIDTH + 1];
    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    (void)fprintf(stderr, "\r\033[K[%s] %u %%, %" PRIu64 " %s", bar,
                  (unsigned)((double)shown / (double)progress->total * 100), done, progress->unit);
}

void ftr_progress_end(ftr_progress *progress)
{
    if (progress->shown)
        (void)fputs("\r\033[K", stderr);
    progress->shown = false;
}
