/* The options of a recorder, checked and completed. */
#ifndef FTR_RECORDER_OPTIONS_H
#define FTR_RECORDER_OPTIONS_H

#include "recorder_state.h"

/* Reports that the caller was compiled for the recorder layout @p layout, which is not the layout
 * of this library. @p report may be NULL. */
void ftr_layout_report(uint32_t layout,
                       void (*report)(void *user, ftr_severity severity, const char *message),
                       void *report_user);

/* Copies the caller's options, which may be NULL, and fills in the defaults. */
void ftr_options_take(ftr_recorder *rec, const ftr_recorder_options *options);

/* Checks the options. Reports an error and returns FTR_ERR_ARGUMENT if an option is invalid, or if
 * there is neither a sink nor @p path. */
FTR_MUST_USE ftr_status ftr_options_check(const ftr_recorder *rec, const char *path);

/* Reads the times of start and stop from the options. Reports an error and returns FTR_ERR_ARGUMENT
 * if one of them is not a time. */
FTR_MUST_USE ftr_status ftr_options_take_window(ftr_recorder *rec);

/* Checks whether recording needs at most a quarter of the remaining address space, if the address
 * space is limited. If necessary, disables the writer thread. Reports an error and returns
 * FTR_ERR_MEMORY if recording does not fit.
 * @param[out] left the result of ftr_range_left() */
FTR_MUST_USE ftr_status ftr_options_fit(ftr_recorder *rec, size_t *left);

/* Returns the number of blocks for data that is not written yet. */
size_t ftr_options_blocks(const ftr_recorder *rec);
/* Returns the number to which these blocks may grow while many streams have data. */
size_t ftr_options_most_blocks(const ftr_recorder *rec);

/* Returns whether @p scale is -15 to 0 or FTR_TIME_SCALE_SECOND. */
bool ftr_options_is_time_scale(int scale);

#endif
