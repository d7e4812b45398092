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
    /* of a trace that is ours */
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
    bool implicit;    /* it has no definition */
    uint8_t contents; /* of a signal without a type: what its values are not; FTR_FLUX_NOT_... */
    bool any_open;    /* of a root: some item of its trace was opened */
    bool ours;        /* its samples are transactions with a duration */
    bool relations;   /* its samples are relations */
    bool open;
    bool has_last;
    bool late; /* labels of its samples do not follow them at once */
    bool held; /* the last transaction is open for that */
    bool sync; /* of a root: what was defined or opened may be so again, which means nothing */
    char *name;
    char *description;
    ftr_flux_legend_member *members;
    size_t member_count, member_capacity;
    char **labels; /* of enumerators, found by ftr_tx_entry.owner */
    size_t label_count, label_capacity;
    ftr_tx_table enumerators; /* by enumeration and value */
    uint64_t opened, closed;  /* numbers of the last entries that said so */
    int64_t position;         /* in its domain base */
    uint64_t factor;          /* ticks of the output in a unit of it; 0: too many */
    ftr_tx last;              /* of the last sample */
    int64_t last_position;    /* in its domain */
    uint64_t last_end;        /* which it has when it is not held any more */
    char *default_base;       /* of a root */
} ftr_flux_legend_item;

typedef struct ftr_flux_items {
    ftr_flux_legend_item *items;
    size_t count, capacity;
    ftr_tx_table index; /* by trace and id */
    ftr_tx_table paths; /* signals, by trace and path */
    uint64_t sequences; /* entries that opened or closed */
    bool nested;        /* more than one item was open at a time */
    size_t open_count;  /* at most so many are */
} ftr_flux_items;

/* @return NULL when there is none. Pointers are valid until the next is added. */
ftr_flux_legend_item *ftr_flux_find_item(const ftr_flux_items *items, uint32_t trace, uint64_t id);
/* Adds it, or gives the one there is. NULL without memory, and past a million. */
ftr_flux_legend_item *ftr_flux_add_item(ftr_flux_items *items, uint32_t trace, uint64_t id);
void ftr_flux_items_release(ftr_flux_items *items);

/* @return false without memory, or when there are too many */
bool ftr_flux_add_label(ftr_flux_legend_item *item, uint64_t enumeration, uint64_t value,
                        ftr_view label);
/* @return NULL when there is none */
const char *ftr_flux_find_label(const ftr_flux_legend_item *item, uint64_t enumeration,
                                uint64_t value);

ftr_flux_legend_member *ftr_flux_add_member(ftr_flux_legend_item *item, uint64_t id, ftr_view label,
                                            uint8_t type);
const ftr_flux_legend_member *ftr_flux_find_member(const ftr_flux_legend_item *item, uint64_t id);

void ftr_flux_open_item(ftr_flux_items *items, ftr_flux_legend_item *item);
/* Closes also what is open below it. @return false when nothing can be */
bool ftr_flux_close_item(ftr_flux_items *items, ftr_flux_legend_item *item);

/* Whose position counts for an item: the nearest that is open, up to the root. NULL: none is. */
ftr_flux_legend_item *ftr_flux_opened(const ftr_flux_items *items, ftr_flux_legend_item *item);

/* The names down to an item, joined. The caller's to free. */
char *ftr_flux_path(const ftr_flux_items *items, const ftr_flux_legend_item *item, char separator);

/* Has a signal found by its path. @return false without memory */
bool ftr_flux_add_path(ftr_flux_items *items, const ftr_flux_legend_item *signal);

/* The signal that a relation's target label names: "\scope\signal". NULL when there is none. */
ftr_flux_legend_item *ftr_flux_find_path(const ftr_flux_items *items, uint32_t trace,
                                         const char *path);

#endif
