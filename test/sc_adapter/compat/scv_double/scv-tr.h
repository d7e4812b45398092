/* A test double of scv-tr. Its names are in namespace scv_tr. */
#ifndef SCV_TR_SCV_TR_H
#define SCV_TR_SCV_TR_H

#define SCV_DOUBLE_BEGIN \
    namespace scv_tr     \
    {
#define SCV_DOUBLE_END }
#include "recording.h"

#endif
