/* The flight recorder: its ring holds the newest transactions, and a trigger has them written. */
#ifndef FTR_FLIGHT_H
#define FTR_FLIGHT_H

#include "recorder_state.h"

/* Makes a flight recorder if the options ask for one. */
FTR_MUST_USE ftr_status ftr_flight_init(ftr_recorder *rec);

/* Triggers it, and all rings of the recorder's traces. The writer threads notice. Any thread;
 * async-signal-safe. */
void ftr_flight_trigger(ftr_recorder *rec);

/* If the flight recorder was triggered: sets the time at which recording stops, or writes the file
 * when that has passed. The caller holds `encoding`. */
void ftr_flight_update(ftr_recorder *rec);

/* The recorder closes: writes the file if it was triggered or the run has failed. The caller holds
 * `encoding`. */
void ftr_flight_end(ftr_recorder *rec);

#endif
