/* Finds relations that only one of two traces has, by the transactions that they connect. */
#ifndef FTR_RELATION_DIFF_H
#define FTR_RELATION_DIFF_H

#include "pair_map.h"
#include "trace_differences.h"

/* Compares all relations and sets the counts of relations in @p diff.
 * @param partners from ids of the first trace to ids of the second
 * @param paired the ids of the second trace that have a partner */
FTR_MUST_USE ftr_status ftr_relation_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                              ftr_reader *const readers[2], ftr_pair_map *partners,
                                              ftr_pair_map *paired);

#endif
