/* What a recorder is opened with, checked and completed. */
#ifndef FTR_RECORDER_OPTIONS_H
#define FTR_RECORDER_OPTIONS_H

#include "recorder_state.h"

/* Tells @p report, if there is one, that the caller was compiled for another layout. */
void ftr_layout_report(uint32_t layout,
                       void (*report)(void *user, ftr_severity severity, const char *message),
                       void *report_user);

/* Copies the caller's options, which may be NULL, and fills in the defaults. */
void ftr_options_take(ftr_recorder *rec, const ftr_recorder_options *options);

/* FTR_ERR_ARGUMENT, reported, if one of them has no meaning, or there is neither sink nor @p path.
 */
FTR_MUST_USE ftr_status ftr_options_check(const ftr_recorder *rec, const char *path);

/* Takes the times of start and stop from the options. */
FTR_MUST_USE ftr_status ftr_options_take_window(ftr_recorder *rec);

/* Whether recording fits into a limited address space and leaves the program three quarters of what
 * there is; gives up the writer thread for that. FTR_ERR_MEMORY, reported, if it does not fit. */
FTR_MUST_USE ftr_status ftr_options_fit(ftr_recorder *rec);

/* Blocks of memory for what waits to be written. */
size_t ftr_options_blocks(const ftr_recorder *rec);

bool ftr_options_is_time_scale(int scale);

#endif
