/* Differences between two traces as JSON, one object per line. */
#ifndef FTR_DIFF_JSON_H
#define FTR_DIFF_JSON_H

#include "diff_view.h"

void ftr_diff_json_difference(ftr_diff_view *view, const ftr_difference *difference);
void ftr_diff_json_relation(ftr_diff_view *view, const ftr_relation_difference *difference);

/* Prints the lines that follow the differences: streams, latencies, and the summary as the last
 * line. */
void ftr_diff_json_end(ftr_diff_view *view);

#endif
