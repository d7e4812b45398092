/* The flight recorder: its ring contains the newest transactions, and a trigger writes them to the
 * file. */
#ifndef FTR_FLIGHT_H
#define FTR_FLIGHT_H

#include "recorder_state.h"

/* Makes the recorder a flight recorder if the options request it.
 * @return FTR_OK; FTR_ERR_ARGUMENT, after a report, if the option `flight_after` is not a time */
FTR_MUST_USE ftr_status ftr_flight_init(ftr_recorder *rec);

/* Triggers the flight recorder, and all rings of the recorder's traces. The next drain of a trace
 * writes the content of its rings. May be called on any thread; async-signal-safe. */
void ftr_flight_trigger(ftr_recorder *rec);

/* Writes the file of a triggered flight recorder: at once, or, with the option `flight_after`, when
 * a transaction has begun after the time at which recording stops. With this option, the first call
 * after the trigger sets this time. Has no effect before a trigger. The caller holds `encoding`. */
void ftr_flight_update(ftr_recorder *rec);

/* Called at close: writes the file if there was a trigger or the run has failed, unless the file
 * was written before. If it writes the file, calls @p put_end to record the end of the run in the
 * file. The caller holds `encoding`. */
void ftr_flight_end(ftr_recorder *rec, void (*put_end)(ftr_recorder *rec));

#endif
