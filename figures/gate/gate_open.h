/* The generators with open transactions at the end of a run that did not end regularly: what a hang
 * waits for. */
#ifndef FTR_GATE_OPEN_H
#define FTR_GATE_OPEN_H

#include "gate_cases.h"
#include "run_record.h"

/* Adds a line for each generator that had an open transaction at the latest time of the run: how
 * many, and since when. The generators that stopped first come first. A summary does not have the
 * ids and the begins of open transactions, so the times come from the series. */
void ftr_gate_say_open(const ftr_run_record *run, ftr_gate_message *message);

#endif
