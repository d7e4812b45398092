/* The flight recorder: its ring contains the newest transactions, and a trigger writes them to the
 * file. */
#ifndef FTR_FLIGHT_H
#define FTR_FLIGHT_H

#include "recorder_state.h"

/* Makes the recorder a flight recorder if the options request it. */
FTR_MUST_USE ftr_status ftr_flight_init(ftr_recorder *rec);

/* Triggers the flight recorder, and all rings of the recorder's traces. Their next drain writes the
 * content. May be called on any thread; async-signal-safe. */
void ftr_flight_trigger(ftr_recorder *rec);

/* Has an effect after a trigger: sets the time at which recording stops; once this time has passed,
 * or if no time is set, writes the file. The caller holds `encoding`. */
void ftr_flight_update(ftr_recorder *rec);

/* Called at close: writes the file if there was a trigger or the run has failed, with the end of
 * the run, which @p put_end puts. The caller holds `encoding`. */
void ftr_flight_end(ftr_recorder *rec, void (*put_end)(ftr_recorder *rec));

#endif
