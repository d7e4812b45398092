/** @file
 *  What all copies of libftr in one process share, so that they have one default recorder: a
 *  prototype may have one linked in statically while libftr_attach.so brings its own. And what the
 *  attach plug-in asks of that library. Not for programs that record; they call
 *  ftr_default_recorder(). */
#ifndef FTR_PROCESS_H
#define FTR_PROCESS_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the ftr_process that libftr_attach.so exports. Looked up by name, never linked: it is
 *  there only in processes that the library is loaded into. */
#define FTR_PROCESS_SYMBOL "ftr_process_shared"

/** A function of another type, as SystemC's report handlers are. */
typedef void (*ftr_function)(void);

/** Zero-initialised; read and written with the compiler's __atomic functions alone. Fields are only
 *  ever added at the end. */
typedef struct ftr_process {
    ftr_recorder *recorder; /**< the default recorder, once some copy has opened it */
    const char *made_by;    /**< which build did: copies of another cannot use it */
    unsigned attached;      /**< not 0: a plug-in observes the sockets of this process */
    /** Not NULL: these stand for SystemC's sc_report_handler::set_handler() and get_handler(),
     * which the library interposes. */
    ftr_function (*set_report_handler)(ftr_function handler);
    ftr_function (*get_report_handler)(void);
} ftr_process;

#ifdef __cplusplus
}
#endif

#endif
