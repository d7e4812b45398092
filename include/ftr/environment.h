/** @file
 *  Recording controlled by the environment: FTR_TRACE and the other FTR_ variables (README.md,
 *  "Environment variables"), and the default recorder of a process. */
#ifndef FTR_ENVIRONMENT_H
#define FTR_ENVIRONMENT_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of the FTR_ variables. */
typedef struct ftr_environment {
    char path[4096]; /**< FTR_TRACE with its placeholders replaced; empty if FTR_TRACE is unset */
    /** Room for options of later versions, so that the members after this union keep their
     * offsets. */
    union {
        /** its texts are values of environment variables, or static */
        ftr_recorder_options options;
        char reserved[512];
    };
    bool strict;   /**< FTR_STRICT=1 */
    bool verbose;  /**< FTR_VERBOSE=1 */
    bool run_info; /**< the stream `ftr.run` is allowed; false with FTR_RUN_INFO=0 */
    /** also the arguments of the program in it; false with FTR_RUN_INFO=0 or
     * FTR_RUN_INFO=no-arguments */
    bool run_arguments;
    const char *buffers; /**< FTR_BUFFERS, for ftr_buffers_define(); NULL: none */
} ftr_environment;

/** Reads the variables. Calls @p report for every invalid value: the message contains the variable,
 * the value and the expected form. Also calls @p report to warn, for example of a variable whose
 * name is similar to that of a variable of ftr. @p report may be NULL.
 * @return FTR_OK; FTR_ERR_ARGUMENT if a value is invalid: the caller should then record nothing */
FTR_API ftr_status ftr_environment_read(ftr_environment *environment,
                                        void (*report)(void *user, ftr_severity severity,
                                                       const char *message),
                                        void *report_user);

/** Warns of a variable with a name similar to FTR_TRACE or FTR_SUMMARY. Called by a program that
 * does not record because both variables are unset. */
FTR_API void ftr_environment_warn_of_misspelt_trace(
    void (*report)(void *user, ftr_severity severity, const char *message), void *report_user);

/** Returns the default recorder of this process. The first call opens it according to the
 * environment; later calls return the same recorder and ignore @p report and @p time_scale (see
 * ftr_recorder_options).
 *  @return NULL if FTR_TRACE and FTR_SUMMARY are unset (then this function warns of variables with
 *          similar names), if the recorder could not be opened, or if another version of this
 *          library in the process has opened it. In the last two cases, the first call calls @p
 *          report. ftr_recorder_close() closes the recorder; otherwise it is closed at process
 *          exit. */
FTR_API ftr_recorder *ftr_default_recorder(int time_scale,
                                           void (*report)(void *user, ftr_severity severity,
                                                          const char *message),
                                           void *report_user);

/** Like ftr_default_recorder(), for a caller with the given FTR_RECORDER_LAYOUT. Returns NULL,
 * after a call of @p report, if the library has another layout. */
FTR_API ftr_recorder *ftr_default_recorder_of(uint32_t layout, int time_scale,
                                              void (*report)(void *user, ftr_severity severity,
                                                             const char *message),
                                              void *report_user);

#ifndef FTR_BUILDING_LIBRARY
static inline ftr_recorder *
ftr_default_recorder_inline(int time_scale,
                            void (*report)(void *user, ftr_severity severity, const char *message),
                            void *report_user)
{
    return ftr_default_recorder_of(FTR_RECORDER_LAYOUT, time_scale, report, report_user);
}
#define ftr_default_recorder ftr_default_recorder_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
