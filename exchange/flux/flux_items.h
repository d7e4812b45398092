/* Scopes and signals of the traces of a flux file, with their members and enumerations. */
#ifndef FTR_FLUX_ITEMS_H
#define FTR_FLUX_ITEMS_H

#include "flux_entry.h"
#include "tx_table.h"

#include <ftr/recorder.h>

typedef struct ftr_flux_legend_member {
    uint64_t id;
    uint8_t type;
    char *label;
    /* For traces written by `ftr convert`. */
    ftr_attribute_class class_;
    ftr_type value_type;
} ftr_flux_legend_member;

typedef struct ftr_flux_legend_item {
    uint64_t id, parent;
    uint32_t trace;
    ftr_stream stream;
    ftr_generator generator;
    uint8_t type;
    bool is_signal;
    bool implicit; /* has no definition */
    /* for signals without a type: set of FTR_FLUX_NOT_..., the types that cannot represent their
     * values */
    uint8_t contents;
    bool any_open;  /* root: some item of its trace was opened */
    bool from_ftr;  /* its samples are transactions with a duration */
    bool relations; /* its samples are relations */
    bool open;
    bool has_last;
    bool late; /* labels of its samples do not follow immediately */
    bool held; /* the last transaction stays open to wait for labels */
    bool sync; /* root: repeated definitions and opens are expected and ignored */
    char *name;
    char *description;
    ftr_flux_legend_member *members;
    size_t member_count, member_capacity;
    char **labels; /* of enumerators, indexed by ftr_tx_entry.owner */
    size_t label_count, label_capacity;
    ftr_tx_table enumerators; /* by enumeration and value */
    uint64_t opened, closed;  /* numbers of the last entries that opened and closed it */
    int64_t position;         /* in its domain base */
    uint64_t factor;          /* ticks of the output per unit of it; 0: too many */
    ftr_tx last;              /* of the last sample */
    int64_t last_position;    /* in its domain */
    uint64_t last_end;        /* of the last transaction; set when that transaction is released */
    char *default_base;       /* root only */
} ftr_flux_legend_item;

typedef struct ftr_flux_items {
    ftr_flux_legend_item *items;
    size_t count, capacity;
    ftr_tx_table index; /* by trace and id */
    ftr_tx_table paths; /* signals, by trace and path */
    uint64_t sequences; /* number of entries that opened or closed */
    bool nested;        /* several items were open at one time */
    size_t open_count;  /* maximum number of open items */
} ftr_flux_items;

/* @return NULL if there is none. Pointers are valid until the next item is added. */
ftr_flux_legend_item *ftr_flux_find_item(const ftr_flux_items *items, uint32_t trace, uint64_t id);
/* Adds an item, or returns the existing one. NULL if out of memory, or beyond a million items. */
ftr_flux_legend_item *ftr_flux_add_item(ftr_flux_items *items, uint32_t trace, uint64_t id);
void ftr_flux_items_release(ftr_flux_items *items);

/* @return false if out of memory, or if there are too many */
bool ftr_flux_add_label(ftr_flux_legend_item *item, uint64_t enumeration, uint64_t value,
                        ftr_view label);
/* @return NULL if there is none */
const char *ftr_flux_find_label(const ftr_flux_legend_item *item, uint64_t enumeration,
                                uint64_t value);

ftr_flux_legend_member *ftr_flux_add_member(ftr_flux_legend_item *item, uint64_t id, ftr_view label,
                                            uint8_t type);
const ftr_flux_legend_member *ftr_flux_find_member(const ftr_flux_legend_item *item, uint64_t id);

void ftr_flux_open_item(ftr_flux_items *items, ftr_flux_legend_item *item);
/* Closes an item and all open items below it. @return false if none was open */
bool ftr_flux_close_item(ftr_flux_items *items, ftr_flux_legend_item *item);

/* Returns the item that supplies the position: the nearest open one on the path to the root; NULL
 * if none is open. */
ftr_flux_legend_item *ftr_flux_opened(const ftr_flux_items *items, ftr_flux_legend_item *item);

/* Returns the names from the root to an item, joined. The caller must free the result. */
char *ftr_flux_path(const ftr_flux_items *items, const ftr_flux_legend_item *item, char separator);

/* Makes a signal known by its path. @return false if out of memory */
bool ftr_flux_add_path(ftr_flux_items *items, const ftr_flux_legend_item *signal);

/* Finds the signal of a relation's target label: "\scope\signal". NULL if there is none. */
ftr_flux_legend_item *ftr_flux_find_path(const ftr_flux_items *items, uint32_t trace,
                                         const char *path);

#endif
