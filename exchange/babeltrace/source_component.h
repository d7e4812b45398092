/* The component class source.ftr.file. */
#ifndef FTR_SOURCE_COMPONENT_H
#define FTR_SOURCE_COMPONENT_H

#include "trace_layout.h"

#define FTR_SOURCE_DESCRIPTION "Read FTR (Fast Transaction Recording) files"
#define FTR_SOURCE_HELP "docs/exchange.md of ftr describes the parameters and the layout of events."

/* One input file, which has one output port. */
typedef struct ftr_source_trace {
    char *path;
    ftr_reader *reader;
    ftr_layout layout;
    bt_trace *trace;
    bt_stream **streams; /* index: number of the stream in the file; NULL until its first event */
    size_t stream_count;
    bt_stream *relations; /* NULL until the first relation */
    ftr_event_clock clock;
    ftr_query window;
    bool warns; /* true: the log level of the component includes warnings */
} ftr_source_trace;

bt_component_class_initialize_method_status
ftr_source_initialize(bt_self_component_source *self,
                      bt_self_component_source_configuration *config, const bt_value *params,
                      void *data);
void ftr_source_finalize(bt_self_component_source *self);
bt_component_class_query_method_status ftr_source_query(bt_self_component_class_source *self,
                                                        bt_private_query_executor *executor,
                                                        const char *object, const bt_value *params,
                                                        void *data, const bt_value **result);

bt_message_iterator_class_initialize_method_status
ftr_source_iterator_initialize(bt_self_message_iterator *self,
                               bt_self_message_iterator_configuration *config,
                               bt_self_component_port_output *port);
void ftr_source_iterator_finalize(bt_self_message_iterator *self);
bt_message_iterator_class_next_method_status
ftr_source_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
                         uint64_t capacity, uint64_t *count);
bt_message_iterator_class_seek_beginning_method_status
ftr_source_iterator_seek_beginning(bt_self_message_iterator *self);
bt_message_iterator_class_can_seek_beginning_method_status
ftr_source_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can);
bt_message_iterator_class_seek_ns_from_origin_method_status
ftr_source_iterator_seek_time(bt_self_message_iterator *self, int64_t ns);
bt_message_iterator_class_can_seek_ns_from_origin_method_status
ftr_source_iterator_can_seek_time(bt_self_message_iterator *self, int64_t ns, bt_bool *can);

typedef struct ftr_source {
    ftr_source_trace *traces;
    size_t count;
} ftr_source;

#endif
