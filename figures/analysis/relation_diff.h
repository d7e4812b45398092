/* Finds relations that only one of two traces has. Relations are equal if they have the same name
 * and connect partners. */
#ifndef FTR_RELATION_DIFF_H
#define FTR_RELATION_DIFF_H

#include "pair_map.h"
#include "trace_differences.h"

/* Compares all relations and sets the counts of relations in @p diff.
 * @param partners maps ids of the first trace to ids of the second
 * @param paired contains the ids of the second trace that have a partner */
FTR_MUST_USE ftr_status ftr_relation_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                              ftr_reader *const readers[2], ftr_pair_map *partners,
                                              ftr_pair_map *paired);

#endif
