/* The state of a flux import, shared by its two parts: definitions (flux_import_items.c), and
 * sequences, samples and attachments (flux_reader.c). */
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
    ftr_tx_table samples; /* samples of transactions from FTR by id; facts about items from the
                             first pass, by key */
    bool recording;       /* second pass */
    int time_scale;       /* exponent of the finest base; FTR_FLUX_NO_BASE: there is none */
    bool ticks_reported;  /* a base other than time was reported */
    bool undefined_reported;
    ftr_generator domains; /* records bases other than time; 0: none yet */
    bool many;             /* several traces: stream names begin with the name of the trace */
    bool has_head;
    uint32_t first_trace;
    uint64_t entries;
    /* The last sample's transaction is open, because attachments may follow. */
    bool current;
    uint32_t current_trace;
    uint64_t current_item;
    ftr_tx tx;
    uint64_t end;
} ftr_flux_import;

/* Reports an error in the second pass only: the first sees the same errors. @p user is the
 * import. */
void ftr_flux_import_report_error(void *user, uint64_t offset, const char *message);
/* Reports, once, a fact that loses no data; not counted as a finding. */
void ftr_flux_import_report_once(ftr_flux_import *r, bool *reported, uint64_t offset,
                                 const char *what);
void ftr_flux_import_keep(ftr_flux_import *r, ftr_status status);
void ftr_flux_import_set_text(ftr_flux_import *r, char **to, ftr_view text);

/* Key of an item in `samples` and in relations. */
uint64_t ftr_flux_import_item_key(const ftr_flux_legend_item *item);
/* Key of a sample that is a transaction from FTR, by its original id. */
uint64_t ftr_flux_import_tx_key(uint32_t trace, uint64_t id);
/* Key for the fact that an item has samples with late labels. */
uint64_t ftr_flux_import_late_key(const ftr_flux_legend_item *item);

/* Returns the root of a trace's scopes, an item with id 0. NULL if out of memory. */
ftr_flux_legend_item *ftr_flux_import_root(ftr_flux_import *r, uint32_t trace);
/* Returns the item of an entry, or NULL after an error message. */
ftr_flux_legend_item *ftr_flux_import_item(ftr_flux_import *r, const ftr_flux_entry *entry);

/* Process entries: the head of a trace; scopes and signals; enumerations and members. */
void ftr_flux_import_head(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_items(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_legend(ftr_flux_import *r, const ftr_flux_entry *entry);

/* Between the passes: keeps facts about items, which the second pass defines again. */
void ftr_flux_import_keep_contents(ftr_flux_import *r);

#endif
