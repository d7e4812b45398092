/* The report of the runs of a summary. */
#ifndef FTR_REPORT_CAMPAIGN_H
#define FTR_REPORT_CAMPAIGN_H

#include "report_file.h"

/* Returns whether @p path is the name of a summary (`.fts`). */
bool ftr_report_is_summary(const char *path);

/* Writes the report of the summary at @p path. @return an exit status */
int ftr_report_campaign(const ftr_report_arguments *arguments, char *path);

#endif
