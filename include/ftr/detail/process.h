/** @file
 *  State shared by all copies of libftr in one process, so that they have one default recorder: a
 *  prototype may link one copy statically while libftr_attach.so contains another. The state is
 *  also the interface between the attach plug-in and libftr_attach.so. Recording programs do not
 *  use this header; they call ftr_default_recorder(). */
#ifndef FTR_PROCESS_H
#define FTR_PROCESS_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the ftr_process that libftr_attach.so exports. The symbol is looked up by name and never
 * linked, because it exists only in processes that have loaded the library. */
#define FTR_PROCESS_SYMBOL "ftr_process_shared"

/** A function of another type, for example SystemC's report handlers. */
typedef void (*ftr_function)(void);

/** Zero-initialised; accessed only with the compiler's __atomic functions. New fields are only
 *  added at the end. */
typedef struct ftr_process {
    ftr_recorder *recorder; /**< the default recorder, once a copy has opened it */
    /** version and layout of the libftr that opened `recorder`; only copies with an equal text may
     * use it. "none": opening failed, and no copy tries again. NULL: not yet tried. */
    const char *made_by;
    unsigned attached; /**< not 0: a plug-in observes the sockets of this process */
    /** libftr_attach.so intercepts SystemC's sc_report_handler::set_handler() and get_handler(),
     * and calls these functions instead unless they are NULL. */
    ftr_function (*set_report_handler)(ftr_function handler);
    ftr_function (*get_report_handler)(void);
} ftr_process;

#ifdef __cplusplus
}
#endif

#endif
