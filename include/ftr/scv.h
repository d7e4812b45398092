/** @file
 *  Records the transactions of SCV, the SystemC Verification Library (Accellera's SCV, or scv-tr).
 *  Include this header in one source file, after the headers of SCV, and call scv_tr_ftr_init()
 *  instead of scv_tr_text_init(). docs/compat-scv.md is the guide. C++ only. */
#ifndef FTR_SCV_H
#define FTR_SCV_H

#if !defined(SCV_TR_H) && !defined(SCV_TR_SCV_TR_H)
#if defined(__has_include)
#if __has_include(<scv-tr.h>)
#include <scv-tr.h>
#elif __has_include(<scv.h>)
#include <scv.h>
#else
#error "SCV's headers are not found: include <scv.h> or <scv-tr.h> before <ftr/scv.h>"
#endif
#endif
#endif

#include <ftr/compat/scv/back_end.h>

/** Records all databases that are created after this call. The database NAME is recorded to the
 *  file NAME.ftr, with the settings of the FTR_ variables. @param compressed false: without
 *  compression */
inline void scv_tr_ftr_init(bool compressed = true)
{
    ftr::detail::select_database_format(compressed ? ftr::detail::database_format::compressed
                                                   : ftr::detail::database_format::plain);
    ftr::detail::scv::back_end::of_process().start();
}

#endif
