/* The component class sink.ftr.file. */
#ifndef FTR_SINK_FILE_H
#define FTR_SINK_FILE_H

#include "atomic_file.h"
#include "import_target.h"
#include "sink_clock.h"
#include "tx_table.h"

#include <babeltrace2/babeltrace.h>

#define FTR_SINK_DESCRIPTION "Write an FTR (Fast Transaction Recording) file"
#define FTR_SINK_HELP "docs/exchange.md of ftr describes the parameters and the mapping of events."

/* A pair of words. One word marks the events that begin a transaction, and the other word the
 * events that end it. */
typedef struct ftr_sink_pair {
    char *begin, *end;
} ftr_sink_pair;

typedef struct ftr_sink_options {
    char *path;
    bool force; /* replace an existing file */
    ftr_floats floats;
    ftr_sink_pair *pairs;
    size_t pair_count, pair_capacity;
    /* names of the fields that identify a transaction: its begin and its end have the same values
     * in these fields */
    char **keys;
    size_t key_count, key_capacity;
} ftr_sink_options;

typedef enum ftr_sink_role {
    FTR_SINK_INSTANT,
    FTR_SINK_BEGIN,
    FTR_SINK_END,
    /* the following roles are for events of a trace that source.ftr.file or `ftr convert` made */
    FTR_SINK_FTR_BEGIN,
    FTR_SINK_FTR_END,
    FTR_SINK_FTR_INSTANT,
    FTR_SINK_FTR_RELATION
} ftr_sink_role;

/* A stream of the trace. */
typedef struct ftr_sink_stream {
    /* a counted reference, which also keeps the classes of the stream alive */
    const bt_stream *stream;
    ftr_stream handle; /* 0: not defined yet */
    bool from_ftr;
} ftr_sink_stream;

/* An event class within a stream. */
typedef struct ftr_sink_event {
    ftr_sink_role role;
    /* name of the event without the word that marks it as a begin or an end */
    char *name;
    ftr_generator generator, instants; /* 0: not defined yet */
} ftr_sink_event;

/* A transaction that waits for the event that ends it. */
typedef struct ftr_sink_open {
    ftr_tx tx;
    uint64_t begin;
    size_t next; /* 1 + index of the previous transaction with the same key; 0: none */
} ftr_sink_open;

typedef struct ftr_sink_file {
    bt_self_component *self;
    bt_message_iterator *messages;
    ftr_sink_options options;
    ftr_exchange_report report;
    ftr_import_result result;
    ftr_import_target target;
    ftr_atomic_file output; /* gets its final name when the file is complete */
    bool opened, closed;
    ftr_sink_clock clock;
    uint64_t last; /* time of the last event with a clock, in ticks */
    /* indices and handles; key: a stream; a stream and an event class; a stream and the name of a
     * generator; or a stream that lost events, for its stream of losses */
    ftr_tx_table index;
    ftr_sink_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_sink_event *events;
    size_t event_count, event_capacity;
    /* The key fields of the current event; index: number of the key. NULL: the event does not have
     * the field, or the value of the field is not compared */
    const bt_field **key_fields;
    size_t key_field_capacity;
    /* key: pair_key(); `time`: 1 + index in `opens`. In traces made from FTR files, contains all
     * transactions, also ended ones, because relations may refer to them; key: trace and id */
    ftr_tx_table pending;
    ftr_sink_open *opens;
    size_t open_count, open_capacity, free_open, pending_count;
    uint64_t untimed, unmatched, discarded_events, discarded_packets, discarded_unknown;
} ftr_sink_file;

/* These functions record an event, and discarded events or packets. They store errors in
 * `target`. */
void ftr_sink_import_event(ftr_sink_file *sink, const bt_message *message);
void ftr_sink_import_discarded(ftr_sink_file *sink, const bt_message *message, bool packets);
void ftr_sink_release_tables(ftr_sink_file *sink);

/* Returns the entry of a stream; adds it if there is none. NULL if out of memory */
ftr_sink_stream *ftr_sink_stream_of(ftr_sink_file *sink, const bt_stream *stream);
/* Returns the generator with the name @p name in the FTR stream @p stream. Defines it if needed.
 * Returns 0 after an error. */
ftr_generator ftr_sink_generator(ftr_sink_file *sink, ftr_stream stream, const char *name);

/* ---- traces that were FTR files (sink_ftr_events.c) ------------------------------------------ */

ftr_sink_role ftr_sink_ftr_role(const char *event);
void ftr_sink_import_ftr_event(ftr_sink_file *sink, ftr_sink_stream *stream, ftr_sink_role role,
                               const bt_event *event, uint64_t time);

/* ---- open transactions ----------------------------------------------------------------------- */

/* Stores an open transaction under @p key. @return false if out of memory; the error is stored in
 * `target` */
bool ftr_sink_push(ftr_sink_file *sink, uint64_t key, ftr_tx tx, uint64_t begin);
/* Removes the transaction that was last pushed with this key, and copies it to @p open. @return
 * false if there is no such transaction */
bool ftr_sink_pop(ftr_sink_file *sink, uint64_t key, ftr_sink_open *open);

bt_component_class_initialize_method_status
ftr_sink_initialize(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
                    const bt_value *params, void *data);
void ftr_sink_finalize(bt_self_component_sink *self);
bt_component_class_sink_graph_is_configured_method_status
ftr_sink_graph_is_configured(bt_self_component_sink *self);
bt_component_class_sink_consume_method_status ftr_sink_consume(bt_self_component_sink *self);

#endif
