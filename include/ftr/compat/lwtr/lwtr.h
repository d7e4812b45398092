/** @file
 *  The interface of LWTR4SC, recorded by this library: put the folder `ftr/compat` on the include
 * path and link ftr::systemc. docs/compat-lwtr.md lists the differences. */
#ifndef FTR_COMPAT_LWTR_H
#define FTR_COMPAT_LWTR_H

#include <ftr/compat/lwtr/generator.h>

#endif
