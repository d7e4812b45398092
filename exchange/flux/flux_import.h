/* The state of a flux import, and what both its parts need: definitions (flux_import_items.c), and
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
    ftr_tx_table samples; /* those of ours by id; what the first pass found of items, by key */
    bool recording;       /* the second pass */
    int time_scale;       /* the finest base; FTR_FLUX_NO_BASE: there is none */
    bool told_ticks;      /* of a base that is no time */
    bool told_undefined;
    ftr_generator domains; /* of bases that are no time; 0: there was none */
    bool many;             /* more than one trace: streams are named after theirs */
    bool has_head;
    uint32_t first_trace;
    uint64_t entries;
    /* The last sample's transaction is open: attachments may follow. */
    bool current;
    uint32_t current_trace;
    uint64_t current_item;
    ftr_tx tx;
    uint64_t end;
} ftr_flux_import;

/* Only the second pass tells: the first sees the same. @p user is the import. */
void ftr_flux_import_complain(void *user, uint64_t offset, const char *message);
/* Tells something by which nothing is lost: no finding. */
void ftr_flux_import_tell_once(ftr_flux_import *r, bool *told, uint64_t offset, const char *what);
void ftr_flux_import_keep(ftr_flux_import *r, ftr_status status);
void ftr_flux_import_set_text(ftr_flux_import *r, char **to, ftr_view text);

/* Keys of `samples` and of relations. */
uint64_t ftr_flux_import_item_key(const ftr_flux_legend_item *item);
/* A sample of ours: by the id it had. */
uint64_t ftr_flux_import_own_key(uint32_t trace, uint64_t id);
/* That an item has samples whose labels come late. */
uint64_t ftr_flux_import_late_key(const ftr_flux_legend_item *item);

/* A trace is an item of its own, with id 0: the root of its scopes. NULL without memory. */
ftr_flux_legend_item *ftr_flux_import_root(ftr_flux_import *r, uint32_t trace);
/* The item an entry is of, or NULL after a word. */
ftr_flux_legend_item *ftr_flux_import_item(ftr_flux_import *r, const ftr_flux_entry *entry);

/* Take entries: the head of a trace; scopes and signals; enumerations and members. */
void ftr_flux_import_head(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_items(ftr_flux_import *r, const ftr_flux_entry *entry);
void ftr_flux_import_legend(ftr_flux_import *r, const ftr_flux_entry *entry);

/* Between the passes: keeps what was found of items, which the second pass defines again. */
void ftr_flux_import_keep_contents(ftr_flux_import *r);

#endif
