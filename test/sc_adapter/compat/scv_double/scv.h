/* A test double of Accellera's SCV. Its names are global. */
#ifndef SCV_TR_H
#define SCV_TR_H

#define SCV_DOUBLE_BEGIN
#define SCV_DOUBLE_END
#include "recording.h"

#endif
