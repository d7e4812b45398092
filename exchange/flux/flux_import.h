/* The state of a flux import. Two files use it: flux_import_items.c for definitions, flux_reader.c
 * for sequences, samples and attachments. */
#ifndef FTR_FLUX_IMPORT_H
#define FTR_FLUX_IMPORT_H

#include "flux_items.h"
#include "flux_parser.h"
#include "flux_relations.h"
#include "flux_values.h"
#include "import_target.h"

#define FTR_FLUX_NO_BASE 127

typedef struct ftr_flux_import {
    ftr_byte_input input;
    ftr_flux_parser parser;
    ftr_import_target target;
    ftr_import_result *result;
    ftr_flux_items items;
    ftr_flux_values values;
    ftr_flux_relations relations;
    /* Samples of transactions that come from FTR; key: ftr_flux_import_tx_key(). Also facts about
     * items from the first pass; key: ftr_flux_import_late_key() or contents_key() */
    ftr_tx_table samples;
    bool recording; /* second pass */
    /* finest domain base, as an exponent of ten in seconds; FTR_FLUX_NO_BASE: no domain base is a
     * time */
    int time_scale;
    bool ticks_reported; /* a domain base other than time was reported */
    bool undefined_reported;
    /* generator of the transactions that name units other than time; 0: not defined yet */
    ftr_generator domains;
    /* the file has several traces, so stream names begin with the name of the trace */
    bool many;
    bool has_head;
    uint32_t first_trace;
    uint64_t entries;
    /* true: the transaction of the last sample, `tx`, is still open, because attachments may
     * follow */
    bool current;
    uint32_t current_trace;
    uint64_t current_item;
    ftr_tx tx;
    uint64_t end;
} ftr_flux_import;

/* Reports an error, but only in the second pass, because both passes find the same errors. @p user
 * is the ftr_flux_import. */
void ftr_flux_import_report_error(void *user, uint64_t offset, const char *message);
/* Reports a fact that causes no loss of data. Sets *reported, so that the fact is reported only
 * once. Does not count the fact as a finding. */
void ftr_flux_import_report_once(ftr_flux_import *r, bool *reported, uint64_t offset,
                                 const char *what);
/* Stores the first error in `target`, which ends the import. FTR_OK has no effect. */
void ftr_flux_import_keep(ftr_flux_import *r, ftr_status status);
void ftr_flux_import_set_text(ftr_flux_import *r, char **to, ftr_view text);

/* Returns the key of an item in `samples` and in relations. */
uint64_t ftr_flux_import_item_key(const ftr_flux_legend_item *item);
/* Returns the key of the sample of a transaction that comes from FTR. @p id is the original id of
 * the transaction. */
uint64_t ftr_flux_import_tx_key(uint32_t trace, uint64_t id);
/* Returns the key that the first pass adds to `samples` if labels of an item do not follow their
 * samples immediately. */
uint64_t ftr_flux_import_late_key(const ftr_flux_legend_item *item);

/* Returns the root of the scopes of a trace, the item with id 0. NULL if out of memory. */
ftr_flux_legend_item *ftr_flux_import_root(ftr_flux_import *r, uint32_t trace);
/* Returns the item of an entry, or NULL after an error message. */
ftr_flux_legend_item *ftr_flux_import_item(ftr_flux_import *r, const ftr_flux_entry *entry);

/* These functions process entries: the head of a trace; scopes and signals; enumerations and
 * members. */
void ftr_flux_import_head(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_items(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_legend(ftr_flux_import *r, const ftr_flux_entry *entry);

/* Called between the passes. Stores facts about items in `samples`, because the second pass defines
 * all items again. */
void ftr_flux_import_keep_contents(ftr_flux_import *r);
/* Called between the passes, with the items of the first pass. Defines each stream that is below
 * another stream, because its name would change if the other stream were defined first. */
void ftr_flux_import_define_nested(ftr_flux_import *r);

#endif
