/* Scopes and signals of the traces of a flux file, with their members and enumerations. */
#ifndef FTR_FLUX_ITEMS_H
#define FTR_FLUX_ITEMS_H

#include "flux_description.h"
#include "flux_entry.h"
#include "tx_table.h"

#include <ftr/recorder.h>

typedef struct ftr_flux_legend_member {
    uint64_t id;
    uint8_t type;
    char *label;
    /* set only in traces of `ftr convert`: class and type of the attribute */
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
    bool implicit; /* the file does not define the item */
    bool is_stream;
    /* for signals without a type: FTR_FLUX_SEEN if there are samples, and FTR_FLUX_NOT_... for each
     * type that cannot represent all values */
    uint8_t contents;
    bool any_open; /* root only: any item of the trace has been opened */
    /* root: `ftr convert` wrote the trace; a signal in such a trace: its samples are transactions
     * with a duration */
    bool from_ftr;
    bool relations; /* in a trace of `ftr convert`: the samples are relations */
    bool open;
    bool has_last;
    bool late; /* labels may follow their sample after other entries */
    bool held; /* the transaction of the last sample is still open, because it waits for labels */
    bool sync; /* root only: repeated definitions and opens are expected and ignored */
    char *name;
    char *description;
    ftr_flux_legend_member *members;
    size_t member_count, member_capacity;
    ftr_tx_table member_index; /* key: id; owner: index in `members` */
    ftr_flux_description_reader described;
    char **labels; /* labels of enumerators; index: `owner` of the entry in `enumerators` */
    size_t label_count, label_capacity;
    ftr_tx_table enumerators; /* key: enumeration and value */
    /* numbers of the last open entry and the last close entry (see ftr_flux_items.sequences) */
    uint64_t opened, closed;
    int64_t position;      /* current position, in units of the domain base */
    uint64_t factor;       /* ticks of the output per unit of `position`; 0: exceeds 64 bits */
    ftr_tx last;           /* transaction of the last sample */
    int64_t last_position; /* position of the last sample */
    uint64_t last_end;     /* end of `last` in ticks; used to end a held transaction */
    char *default_base;    /* root only: domain base of sequences that are opened without one */
} ftr_flux_legend_item;

typedef struct ftr_flux_items {
    ftr_flux_legend_item *items;
    size_t count, capacity;
    ftr_tx_table index; /* key: trace and id */
    ftr_tx_table paths; /* signals by path; key: trace and path */
    uint64_t sequences; /* number of open and close entries so far */
    bool nested;        /* several items have been open at the same time */
    size_t open_count;  /* current number of open items */
} ftr_flux_items;

/* Returns an item; NULL if there is none. Pointers to items are valid until the next item is
 * added. */
ftr_flux_legend_item *ftr_flux_find_item(const ftr_flux_items *items, uint32_t trace, uint64_t id);
/* Adds an item, or returns the existing one. NULL if out of memory, or beyond a million items. */
ftr_flux_legend_item *ftr_flux_add_item(ftr_flux_items *items, uint32_t trace, uint64_t id);
void ftr_flux_items_release(ftr_flux_items *items);

/* Adds the label of a value of an enumeration. @return false if out of memory, or if there are too
 * many labels */
bool ftr_flux_add_label(ftr_flux_legend_item *item, uint64_t enumeration, uint64_t value,
                        ftr_view label);
/* Returns the label of a value of an enumeration; NULL if the value has no label */
const char *ftr_flux_find_label(const ftr_flux_legend_item *item, uint64_t enumeration,
                                uint64_t value);

/* Adds a member, or replaces the label and type of the member with this id. Returns NULL if out of
 * memory, or if there are too many members. */
ftr_flux_legend_member *ftr_flux_add_member(ftr_flux_legend_item *item, uint64_t id, ftr_view label,
                                            uint8_t type);
/* Returns the member with this id; NULL if there is none. */
const ftr_flux_legend_member *ftr_flux_find_member(const ftr_flux_legend_item *item, uint64_t id);

void ftr_flux_open_item(ftr_flux_items *items, ftr_flux_legend_item *item);
/* Closes an item and all open items below it. @return true if @p item was open; for a scope also if
 * any item of the file was open, because this item may be below the scope */
bool ftr_flux_close_item(ftr_flux_items *items, ftr_flux_legend_item *item);

/* Returns the item whose position applies to @p item: the nearest open item on the path from @p
 * item (included) to the root. NULL if no item on this path is open. */
ftr_flux_legend_item *ftr_flux_opened(const ftr_flux_items *items, ftr_flux_legend_item *item);

/* Returns the names on the path from the root to an item, joined with @p separator. The caller must
 * free the result. NULL if out of memory. */
char *ftr_flux_path(const ftr_flux_items *items, const ftr_flux_legend_item *item, char separator);

/* Adds the path of a signal, for ftr_flux_find_path(). @return false if out of memory */
bool ftr_flux_add_path(ftr_flux_items *items, const ftr_flux_legend_item *signal);

/* Returns the signal with the path @p path, for example "\scope\signal". Labels of relation targets
 * have this form. NULL if there is none. */
ftr_flux_legend_item *ftr_flux_find_path(const ftr_flux_items *items, uint32_t trace,
                                         const char *path);

#endif
