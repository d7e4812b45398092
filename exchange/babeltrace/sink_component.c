/* The component sink.ftr.file: parameters, output, and reception of messages. sink_events.c
 * converts the events. */
#include "sink_file.h"

#include "growing_array.h"
#include "stream_name_rules.h"
#include "plain_message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints a message of the conversion in the form of a warning of babeltrace. */
static void print_message(void *user, const char *message)
{
    (void)user;
    ftr_print_message(stderr, "WARNING: [sink.ftr.file] ", "%s", message);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void release_options(ftr_sink_options *options)
{
    free(options->path);
    for (size_t i = 0; i < options->pair_count; i++) {
        free(options->pairs[i].begin);
        free(options->pairs[i].end);
    }
    free(options->pairs);
    for (size_t i = 0; i < options->key_count; i++)
        free(options->keys[i]);
    free(options->keys);
}

/* Parses "begin=end". @return false if the text has another form, if both words are equal, or if
 * out of memory */
static bool add_pair(ftr_sink_options *options, const char *text)
{
    const char *mark = strchr(text, '=');
    if (mark == NULL || mark == text || mark[1] == '\0' ||
        (strlen(mark + 1) == (size_t)(mark - text) &&
         memcmp(text, mark + 1, (size_t)(mark - text)) == 0))
        return false;
    if (!ftr_array_grow(&options->pairs, &options->pair_capacity, options->pair_count,
                        sizeof *options->pairs))
        return false;
    ftr_sink_pair *pair = &options->pairs[options->pair_count++];
    *pair = (ftr_sink_pair){strndup(text, (size_t)(mark - text)), strdup(mark + 1)};
    return pair->begin != NULL && pair->end != NULL;
}

static bool add_key(ftr_sink_options *options, const char *text)
{
    if (!ftr_array_grow(&options->keys, &options->key_capacity, options->key_count, sizeof(char *)))
        return false;
    return (options->keys[options->key_count++] = strdup(text)) != NULL && *text != '\0';
}

static bool read_array(const bt_value *array, ftr_sink_options *options,
                       bool (*add)(ftr_sink_options *options, const char *text))
{
    if (!bt_value_is_array(array))
        return false;
    for (uint64_t i = 0; i < bt_value_array_get_length(array); i++) {
        const bt_value *text = bt_value_array_borrow_element_by_index_const(array, i);
        if (!bt_value_is_string(text) || !add(options, bt_value_string_get(text)))
            return false;
    }
    return true;
}

static bool read_floats(const char *text, ftr_floats *floats)
{
    static const char *const NAMES[] = {"single", "double", "text"};
    for (unsigned i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(text, NAMES[i]) == 0) {
            *floats = (ftr_floats)i;
            return true;
        }
    return false;
}

typedef struct parameter_reader {
    ftr_sink_file *sink;
    const char *wrong; /* name of the first invalid parameter; NULL: none */
    const char *expected;
} parameter_reader;

static bt_value_map_foreach_entry_const_func_status
read_parameter(const char *name, const bt_value *value, void *user)
{
    parameter_reader *r = user;
    ftr_sink_options *options = &r->sink->options;
    const char *text = bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
    bool ok = false;
    r->expected = NULL;
    if (strcmp(name, "path") == 0) {
        r->expected = "the path of the file to write";
        ok = text != NULL && *text != '\0' && (options->path = strdup(text)) != NULL;
    } else if (strcmp(name, "force") == 0) {
        r->expected = "yes or no";
        ok = bt_value_is_bool(value);
        options->force = ok && bt_value_bool_get(value) != BT_FALSE;
    } else if (strcmp(name, "floats") == 0) {
        r->expected = "\"single\", \"double\" or \"text\"";
        ok = text != NULL && read_floats(text, &options->floats);
    } else if (strcmp(name, "time-scale") == 0) {
        r->expected = "\"s\", \"ms\", \"us\", \"ns\", \"ps\" or \"fs\"";
        ok = text != NULL && ftr_sink_scale_of(text, &r->sink->clock.scale);
    } else if (strcmp(name, "pairs") == 0) {
        r->expected = "an array of words, for example [\"begin=end\"]";
        ok = read_array(value, options, add_pair);
    } else if (strcmp(name, "keys") == 0) {
        r->expected = "an array of field names, for example [\"vtid\"]";
        ok = read_array(value, options, add_key);
    }
    if (!ok)
        r->wrong = name;
    return ok ? BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK
              : BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

static bool refuse(const ftr_sink_file *sink, const char *name, const char *expected)
{
    if (expected != NULL)
        (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
            sink->self, "parameter `%s`: expected %s", name, expected);
    else
        (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
            sink->self,
            "unknown parameter `%s`; the parameters are path, force, pairs, keys, floats and "
            "time-scale",
            name);
    return false;
}

static bool read_parameters(ftr_sink_file *sink, const bt_value *params)
{
    parameter_reader r = {.sink = sink};
    (void)bt_value_map_foreach_entry_const(params, read_parameter, &r);
    if (r.wrong != NULL)
        return refuse(sink, r.wrong, r.expected);
    if (sink->options.path == NULL)
        return refuse(sink, "path", "the path of the file to write");
    if (bt_value_map_borrow_entry_value_const(params, "pairs") == NULL &&
        !(add_pair(&sink->options, "begin=end") && add_pair(&sink->options, "entry=exit") &&
          add_pair(&sink->options, "enter=exit")))
        return false;
    if (sink->options.force || access(sink->options.path, F_OK) != 0)
        return true;
    (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
        sink->self, "%s: exists; the parameter force=yes replaces it", sink->options.path);
    return false;
}

/* ---- lifecycle ------------------------------------------------------------------------------- */

static void destroy(ftr_sink_file *sink)
{
    bt_message_iterator_put_ref(sink->messages);
    ftr_atomic_file_discard(&sink->output);
    ftr_sink_release_tables(sink);
    release_options(&sink->options);
    free(sink);
}

bt_component_class_initialize_method_status
ftr_sink_initialize(bt_self_component_sink *self, bt_self_component_sink_configuration *config,
                    const bt_value *params, void *data)
{
    (void)config;
    (void)data;
    ftr_sink_file *sink = calloc(1, sizeof *sink);
    if (sink == NULL)
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
    sink->self = bt_self_component_sink_as_self_component(self);
    sink->clock.scale = FTR_SINK_SCALE_AUTO;
    sink->report = (ftr_exchange_report){.message = print_message};
    sink->output.fd = -1;
    if (!read_parameters(sink, params) ||
        bt_self_component_sink_add_input_port(self, "in", NULL, NULL) !=
            BT_SELF_COMPONENT_ADD_PORT_STATUS_OK) {
        destroy(sink);
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
    }
    bt_self_component_set_data(sink->self, sink);
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

bt_component_class_sink_graph_is_configured_method_status
ftr_sink_graph_is_configured(bt_self_component_sink *self)
{
    ftr_sink_file *sink =
        bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    bt_self_component_port_input *port =
        bt_self_component_sink_borrow_input_port_by_name(self, "in");
    return bt_message_iterator_create_from_sink_component(self, port, &sink->messages) ==
                   BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK
               ? BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK
               : BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
}

/* ---- the output ------------------------------------------------------------------------------ */

static bool open_output(ftr_sink_file *sink, const bt_clock_snapshot *first)
{
    ftr_sink_clock_begin(&sink->clock, first);
    const ftr_status created =
        ftr_atomic_file_create(&sink->output, sink->options.path, FTR_ATOMIC_FILE_MODE);
    if (created != FTR_OK) {
        ftr_exchange_print_status(&sink->report, sink->options.path, created);
        return false;
    }
    const ftr_sink into = {.user = &sink->output, .write = ftr_atomic_file_write};
    const ftr_recorder_options options = {
        .sink = &into,
        .time_scale = sink->clock.scale != 0 ? sink->clock.scale : FTR_TIME_SCALE_SECOND,
        .epoch_seconds = sink->clock.epoch,
        .floats = sink->options.floats};
    sink->result.tentative = true; /* the component itself reports rounded floats */
    sink->opened = ftr_import_open(&sink->target, "babeltrace", sink->options.path, &options,
                                   &sink->report, &sink->result);
    return sink->opened;
}

static void report_count(const ftr_sink_file *sink, uint64_t count, const char *what)
{
    if (count > 0)
        ftr_exchange_print(&sink->report, "%s: %llu %s", sink->options.path,
                           (unsigned long long)count, what);
}

static void report_summary(const ftr_sink_file *sink, uint64_t rounded)
{
    report_count(sink, sink->discarded_events, "events were discarded by the tracer");
    report_count(sink, sink->discarded_packets, "packets were discarded by the tracer");
    report_count(sink, sink->discarded_unknown,
                 "times the tracer may have discarded events or packets, without a count");
    report_count(sink, sink->result.unfinished, "transactions have no end");
    report_count(sink, sink->unmatched,
                 "events or relations without their counterpart: recorded as instants, or skipped");
    report_count(sink, sink->untimed,
                 "events have no time: they get the time of the previous event");
    report_count(
        sink, sink->clock.inexact,
        "times are between two ticks: rounded down; the parameter time-scale sets the tick");
    report_count(sink, rounded,
                 "floats are not exact in single precision: the parameter floats=\"text\" or "
                 "floats=\"double\" keeps them");
}

static bool close_output(ftr_sink_file *sink)
{
    ftr_statistics statistics = {0};
    sink->closed = true;
    const bool ok = ftr_import_close(&sink->target);
    (void)ftr_recorder_get_statistics(sink->target.recorder, &statistics);
    report_summary(sink, statistics.rounded_floats);
    if (ok && sink->clock.wrong > 0) /* transactions have wrong times, which is an error */
        (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
            sink->self,
            "%s: %llu times are before tick 0 or exceed 64 bits of ticks; the parameter time-scale "
            "sets a longer tick",
            sink->options.path, (unsigned long long)sink->clock.wrong);
    if (!ok || sink->clock.wrong > 0) {
        ftr_atomic_file_discard(&sink->output);
        return false;
    }
    const ftr_status status = ftr_atomic_file_commit(&sink->output, sink->options.force);
    if (status != FTR_OK)
        ftr_exchange_print_status(&sink->report, sink->options.path, status);
    return status == FTR_OK;
}

/* Records in the stream of losses that babeltrace's graph was closed before all messages were
 * received. */
static void close_early(ftr_sink_file *sink)
{
    ftr_recorder *recorder = sink->target.recorder;
    static const ftr_value LOSS = {
        .type = FTR_TYPE_STRING,
        .text_length = FTR_NUL_TERMINATED,
        .as.text = "the conversion ended before its input: later events are missing"};
    ftr_stream stream;
    ftr_tx tx;
    if (ftr_stream_define(recorder, FTR_LOSS_STREAM, "losses", &stream) == FTR_OK &&
        ftr_tx_begin(recorder, ftr_sink_generator(sink, stream, "loss"), sink->last, &tx) ==
            FTR_OK) {
        (void)ftr_tx_put_named(recorder, tx, FTR_CLASS_BEGIN, "what", &LOSS);
        (void)ftr_tx_end(recorder, tx, sink->last);
    }
    ftr_exchange_print(&sink->report,
                       "%s: the input ended early: the file contains only the earlier events",
                       sink->options.path);
    (void)close_output(sink);
}

void ftr_sink_finalize(bt_self_component_sink *self)
{
    ftr_sink_file *sink =
        bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    if (sink->opened && !sink->closed)
        close_early(sink);
    destroy(sink);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Returns the time of a message; NULL if the message has no time. */
static const bt_clock_snapshot *time_of(const bt_message *message)
{
    const bt_stream *stream;
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT:
        stream = bt_event_borrow_stream_const(bt_message_event_borrow_event_const(message));
        return bt_stream_class_borrow_default_clock_class_const(
                   bt_stream_borrow_class_const(stream)) != NULL
                   ? bt_message_event_borrow_default_clock_snapshot_const(message)
                   : NULL;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        stream =
            bt_packet_borrow_stream_const(bt_message_packet_beginning_borrow_packet_const(message));
        return bt_stream_class_packets_have_beginning_default_clock_snapshot(
                   bt_stream_borrow_class_const(stream))
                   ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(message)
                   : NULL;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        stream = bt_message_discarded_events_borrow_stream_const(message);
        return bt_stream_class_discarded_events_have_default_clock_snapshots(
                   bt_stream_borrow_class_const(stream))
                   ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
                         message)
                   : NULL;
    default:
        return NULL;
    }
}

/* Returns the clock of the stream that a stream-beginning message announces; NULL if the stream has
 * no clock. */
static const bt_clock_class *clock_of(const bt_message *message)
{
    return bt_stream_class_borrow_default_clock_class_const(
        bt_stream_borrow_class_const(bt_message_stream_beginning_borrow_stream_const(message)));
}

static bool import_message(ftr_sink_file *sink, const bt_message *message)
{
    const bt_message_type type = bt_message_get_type(message);
    const bool is_event = type == BT_MESSAGE_TYPE_EVENT;
    const bool is_loss =
        type == BT_MESSAGE_TYPE_DISCARDED_EVENTS || type == BT_MESSAGE_TYPE_DISCARDED_PACKETS;
    if (!sink->opened) {
        if (type == BT_MESSAGE_TYPE_STREAM_BEGINNING)
            ftr_sink_clock_note(&sink->clock, clock_of(message));
        const bt_clock_snapshot *time = time_of(message);
        if (time == NULL && !is_event && !is_loss)
            return true;
        if (!open_output(sink, time))
            return false;
    }
    if (is_event)
        ftr_sink_import_event(sink, message);
    else if (is_loss)
        ftr_sink_import_discarded(sink, message, type == BT_MESSAGE_TYPE_DISCARDED_PACKETS);
    return sink->target.status == FTR_OK;
}

/* @return false after an error message */
static bool import_messages(ftr_sink_file *sink, bt_message_array_const messages, uint64_t count)
{
    bool ok = true;
    for (uint64_t i = 0; i < count; i++) {
        ok = ok && import_message(sink, messages[i]);
        bt_message_put_ref(messages[i]);
    }
    return ok;
}

static bt_component_class_sink_consume_method_status fail(ftr_sink_file *sink)
{
    const ftr_status status = sink->target.status;
    if (sink->opened && !sink->closed)
        (void)close_output(sink);
    (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
        sink->self, "%s: could not be written%s%s", sink->options.path,
        status != FTR_OK ? ": " : "", status != FTR_OK ? ftr_status_text(status) : "");
    return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
}

bt_component_class_sink_consume_method_status ftr_sink_consume(bt_self_component_sink *self)
{
    ftr_sink_file *sink =
        bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    bt_message_array_const messages;
    uint64_t count = 0;
    switch (bt_message_iterator_next(sink->messages, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
        return import_messages(sink, messages, count)
                   ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK
                   : fail(sink);
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
        return (sink->opened || open_output(sink, NULL)) && close_output(sink)
                   ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
                   : fail(sink);
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_AGAIN;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_MEMORY_ERROR;
    default:
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
    }
}
