/* A test double of Accellera's SCV, whose names are global. */
#ifndef SCV_TR_H
#define SCV_TR_H

#define SCV_DOUBLE_BEGIN
#define SCV_DOUBLE_END
#include "recording.h"

#endif
