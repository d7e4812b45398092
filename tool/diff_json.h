/* Differences between two traces as JSON: an object a line. */
#ifndef FTR_DIFF_JSON_H
#define FTR_DIFF_JSON_H

#include "diff_view.h"

void ftr_diff_json_difference(ftr_diff_view *view, const ftr_difference *difference);
void ftr_diff_json_relation(ftr_diff_view *view, const ftr_relation_difference *difference);

/* Streams, latencies and the summary, which is the last line. */
void ftr_diff_json_end(ftr_diff_view *view);

#endif
