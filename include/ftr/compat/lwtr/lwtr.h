/** @file
 *  The interface of LWTR4SC, recorded by this library. Add the folder `ftr/compat` to the include
 *  path and link ftr::systemc. docs/compat-lwtr.md lists the differences from LWTR4SC. */
#ifndef FTR_COMPAT_LWTR_H
#define FTR_COMPAT_LWTR_H

#include <ftr/compat/lwtr/generator.h>

#endif
