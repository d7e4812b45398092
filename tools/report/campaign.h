/* The report of many runs, from their summaries (docs/report-format.md, "Manifest of a campaign").
 */
#ifndef FTR_CAMPAIGN_H
#define FTR_CAMPAIGN_H

#include "data_block.h"
#include "run_totals.h"

#include <ftr/status.h>

/* The figures of a generator in one run, in ticks of the campaign. */
typedef struct ftr_campaign_entry {
    uint32_t run;
    uint64_t count, errors, bytes;
    uint64_t p50, p99, max;
} ftr_campaign_entry;

/* A generator in all runs. */
typedef struct ftr_campaign_row {
    char *name; /* name of the row in the totals; borrowed */
    ftr_campaign_entry *entries;
    size_t count, capacity;
} ftr_campaign_row;

/* The data of a run for the manifest. */
typedef struct ftr_campaign_run {
    char *file;
    ftr_run_record figures; /* without the streams */
    ftr_run_figures sums;
    ftr_time_series series; /* sum of all generators */
    uint32_t failed;        /* number of failed checks of `ftr gate` */
    char *report;           /* path of the run's report relative to the folder of this report;
                               owned by the campaign; NULL: none */
} ftr_campaign_run;

typedef struct ftr_campaign {
    ftr_run_totals totals;
    ftr_campaign_row *rows; /* index: row number in `totals` before the totals are sorted */
    size_t row_count, row_capacity;
    ftr_campaign_run *runs;
    size_t run_count, run_capacity;
    ftr_name_table files; /* maps the name of a file to the number of its run */
} ftr_campaign;

/* @param time_scale the finest time scale of the runs */
void ftr_campaign_init(ftr_campaign *campaign, int time_scale);

/* Adds a run and moves its attributes and texts out of the record, which keeps only its streams.
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_campaign_add(ftr_campaign *campaign, ftr_run_record *run);

/* Returns the number of the run that was made from this file; SIZE_MAX if there is none. */
size_t ftr_campaign_find_run(const ftr_campaign *campaign, const char *file);

/* Returns the path of a run's file relative to the folder of the report, or NULL if the file does
 * not exist. The caller frees the path. */
typedef char *ftr_campaign_link(void *user, const char *file);

/* Writes `time_scale`, `runs` and `generators` as members of the open object.
 * @return false if out of memory */
bool ftr_campaign_print(ftr_campaign *campaign, ftr_campaign_link *link, void *user,
                        ftr_data_block *block, ftr_json *json);

void ftr_campaign_release(ftr_campaign *campaign);

#endif
