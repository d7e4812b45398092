/* The component source.ftr.file: its parameters, files, ports and queries. source_messages.c
 * produces its messages. */
#include "source_component.h"

#include "plain_message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".ftr"
/* Weight (0 to 1) of the answer that a file is an FTR trace. This answer is given if the name and
 * the first bytes of the file are those of FTR. */
#define WEIGHT 0.75

/* ---- files ----------------------------------------------------------------------------------- */

/* Prints a finding in the form of a warning of babeltrace, because the API has no logger for
 * plug-ins. */
static void report_finding(void *user, const ftr_finding *finding)
{
    const ftr_source_trace *trace = user;
    if (finding->severity != FTR_SEVERITY_ERROR || finding->concerns != FTR_FOR_ALL)
        return;
    if (trace->warns)
        ftr_print_message(stderr, "WARNING: [source.ftr.file] ", "%s: byte %" PRIu64 ": %s [%s]",
                          trace->path, finding->offset, finding->message, finding->rule);
}

static const char *why_not(ftr_status status)
{
    switch (status) {
    case FTR_ERR_IO:
        return strerror(errno);
    case FTR_ERR_FORMAT:
        return "not an FTR file";
    default:
        return ftr_status_text(status);
    }
}

/* Sets the name of a trace to the name of its file: "run" for "/tmp/run.ftr". */
static bool set_trace_name(bt_trace *trace, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    size_t size = strlen(base);
    if (size > sizeof SUFFIX - 1 && strcmp(base + size - (sizeof SUFFIX - 1), SUFFIX) == 0)
        size -= sizeof SUFFIX - 1;
    char *name = strndup(base, size);
    const bool ok = name != NULL && bt_trace_set_name(trace, name) == BT_TRACE_SET_NAME_STATUS_OK;
    free(name);
    return ok;
}

static bool set_environment(bt_trace *trace, const ftr_file_info *info)
{
    return bt_trace_set_environment_entry_string(trace, "domain", "transactions") ==
               BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK &&
           bt_trace_set_environment_entry_string(trace, "tracer_name", "ftr") ==
               BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK &&
           bt_trace_set_environment_entry_integer(trace, "time_scale", info->time_scale) ==
               BT_TRACE_SET_ENVIRONMENT_ENTRY_STATUS_OK;
}

/* Opens the file of a trace. @return NULL, or the reason why the trace cannot be opened */
static const char *open_trace(ftr_source_trace *trace, bt_self_component *component,
                              const char *path, int64_t offset_s, int64_t offset_ns)
{
    trace->path = strdup(path);
    if (trace->path == NULL)
        return ftr_status_text(FTR_ERR_MEMORY);
    trace->warns = bt_component_get_logging_level(bt_self_component_as_component(component)) <=
                   BT_LOGGING_LEVEL_WARNING;
    const ftr_reader_options reading = {
        .size = sizeof reading, .spool = true, .finding = report_finding, .finding_user = trace};
    errno = 0;
    const ftr_status status = ftr_reader_open(path, &reading, &trace->reader);
    if (status != FTR_OK)
        return why_not(status);
    ftr_file_info info;
    const char *why = NULL;
    ftr_reader_get_info(trace->reader, &info);
    if (!ftr_event_clock_of(&info, offset_s, offset_ns, &trace->clock, &why))
        return why;
    if (!ftr_layout_create(&trace->layout, component, &trace->clock) ||
        (trace->trace = bt_trace_create(trace->layout.trace_class)) == NULL ||
        !set_trace_name(trace->trace, path) || !set_environment(trace->trace, &info))
        return ftr_status_text(FTR_ERR_MEMORY);
    return NULL;
}

static void close_trace(ftr_source_trace *trace)
{
    for (size_t i = 0; i < trace->stream_count; i++)
        bt_stream_put_ref(trace->streams[i]);
    free(trace->streams);
    bt_stream_put_ref(trace->relations);
    bt_trace_put_ref(trace->trace);
    ftr_layout_destroy(&trace->layout);
    ftr_reader_close(trace->reader);
    free(trace->path);
}

/* ---- parameters ------------------------------------------------------------------------------ */

typedef struct parameters {
    const bt_value *inputs;
    int64_t offset_s, offset_ns;
    const char *begin, *end;
} parameters;

static const bt_value *parameter(const bt_value *params, const char *name, bt_value_type type,
                                 const char **why)
{
    const bt_value *value = bt_value_map_borrow_entry_value_const(params, name);
    if (value == NULL)
        return NULL;
    if (bt_value_get_type(value) == type)
        return value;
    /* In babeltrace's library, a positive integer is either signed or unsigned. Users of the
     * command line do not distinguish them, so both are accepted. */
    if (type == BT_VALUE_TYPE_SIGNED_INTEGER &&
        bt_value_get_type(value) == BT_VALUE_TYPE_UNSIGNED_INTEGER)
        return value;
    *why = name;
    return NULL;
}

static int64_t integer_of(const bt_value *value)
{
    if (value == NULL)
        return 0;
    if (bt_value_get_type(value) == BT_VALUE_TYPE_SIGNED_INTEGER)
        return bt_value_integer_signed_get(value);
    const uint64_t number = bt_value_integer_unsigned_get(value);
    return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

static bt_value_map_foreach_entry_const_func_status find_unknown(const char *name,
                                                                 const bt_value *value, void *user)
{
    static const char *const NAMES[] = {"inputs", "begin", "end", "clock-class-offset-s",
                                        "clock-class-offset-ns"};
    const char **unknown = user;
    (void)value;
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
    *unknown = name;
    return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_INTERRUPT;
}

/* Reads the parameters of a component or query. @return NULL, or the name of the first invalid
 * parameter */
static const char *read_parameters(const bt_value *params, parameters *read)
{
    const char *why = NULL;
    const bt_value *begin = parameter(params, "begin", BT_VALUE_TYPE_STRING, &why);
    const bt_value *end = parameter(params, "end", BT_VALUE_TYPE_STRING, &why);
    *read = (parameters){
        .inputs = parameter(params, "inputs", BT_VALUE_TYPE_ARRAY, &why),
        .offset_s = integer_of(
            parameter(params, "clock-class-offset-s", BT_VALUE_TYPE_SIGNED_INTEGER, &why)),
        .offset_ns = integer_of(
            parameter(params, "clock-class-offset-ns", BT_VALUE_TYPE_SIGNED_INTEGER, &why)),
        .begin = begin != NULL ? bt_value_string_get(begin) : NULL,
        .end = end != NULL ? bt_value_string_get(end) : NULL,
    };
    if (why != NULL)
        return why;
    if (read->inputs == NULL || bt_value_array_is_empty(read->inputs))
        return "inputs";
    for (uint64_t i = 0; i < bt_value_array_get_length(read->inputs); i++)
        if (!bt_value_is_string(bt_value_array_borrow_element_by_index_const(read->inputs, i)))
            return "inputs";
    return NULL;
}

/* ---- the component --------------------------------------------------------------------------- */

static void destroy_source(ftr_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        close_trace(&source->traces[i]);
    free(source->traces);
    free(source);
}

static bool add_port(bt_self_component_source *self, ftr_source_trace *trace)
{
    return bt_self_component_source_add_output_port(self, trace->path, trace, NULL) ==
           BT_SELF_COMPONENT_ADD_PORT_STATUS_OK;
}

/* Opens all inputs, and adds a port for each. @return false after adding the reason to the error of
 * babeltrace */
static bool open_all(ftr_source *source, bt_self_component_source *self, const parameters *read)
{
    bt_self_component *component = bt_self_component_source_as_self_component(self);
    for (uint64_t i = 0; i < bt_value_array_get_length(read->inputs); i++) {
        const char *path =
            bt_value_string_get(bt_value_array_borrow_element_by_index_const(read->inputs, i));
        ftr_source_trace *trace = &source->traces[source->count++];
        const char *why = open_trace(trace, component, path, read->offset_s, read->offset_ns);
        if (why != NULL) {
            (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(component, "%s: %s", path,
                                                                      why);
            return false;
        }
        ftr_file_info info;
        ftr_reader_get_info(trace->reader, &info);
        const char *wrong = ftr_timeline_window(&info, read->begin, read->end, &trace->window);
        if (wrong != NULL) {
            (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
                component, "parameter `%s`: not a time such as \"10 us\", or out of order", wrong);
            return false;
        }
        if (!add_port(self, trace))
            return false;
    }
    return true;
}

bt_component_class_initialize_method_status
ftr_source_initialize(bt_self_component_source *self,
                      bt_self_component_source_configuration *config, const bt_value *params,
                      void *data)
{
    (void)config;
    (void)data;
    bt_self_component *component = bt_self_component_source_as_self_component(self);
    parameters read;
    const char *unknown = NULL;
    (void)bt_value_map_foreach_entry_const(params, find_unknown, &unknown);
    const char *wrong = read_parameters(params, &read);
    if (unknown != NULL)
        (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
            component,
            "unknown parameter `%s`; the parameters are inputs, begin, end, clock-class-offset-s "
            "and clock-class-offset-ns",
            unknown);
    else if (wrong != NULL)
        (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_COMPONENT(
            component, "parameter `%s` is missing or has the wrong type", wrong);
    if (unknown != NULL || wrong != NULL)
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
    ftr_source *source = calloc(1, sizeof *source);
    if (source == NULL)
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
    source->traces = calloc((size_t)bt_value_array_get_length(read.inputs), sizeof *source->traces);
    if (source->traces == NULL || !open_all(source, self, &read)) {
        destroy_source(source);
        return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
    }
    bt_self_component_set_data(component, source);
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void ftr_source_finalize(bt_self_component_source *self)
{
    destroy_source(bt_self_component_get_data(bt_self_component_source_as_self_component(self)));
}

/* ---- queries --------------------------------------------------------------------------------- */

static bool is_ours(const char *path)
{
    const size_t size = strlen(path);
    if (size < sizeof SUFFIX || strcmp(path + size - (sizeof SUFFIX - 1), SUFFIX) != 0)
        return false;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return false;
    static const unsigned char MAGIC[] = {0xd9, 0xd9, 0xf7};
    unsigned char first[sizeof MAGIC];
    const bool is_ftr = fread(first, 1, sizeof first, file) == sizeof first &&
                        memcmp(first, MAGIC, sizeof first) == 0;
    (void)fclose(file);
    return is_ftr;
}

/* Called by babeltrace to find the component for a file on its command line. */
static bt_component_class_query_method_status query_support(const bt_value *params,
                                                            const bt_value **result)
{
    const bt_value *type = bt_value_map_borrow_entry_value_const(params, "type");
    const bt_value *input = bt_value_map_borrow_entry_value_const(params, "input");
    const bool is_ftr =
        type != NULL && input != NULL && bt_value_is_string(type) && bt_value_is_string(input) &&
        strcmp(bt_value_string_get(type), "file") == 0 && is_ours(bt_value_string_get(input));
    *result = bt_value_real_create_init(is_ftr ? WEIGHT : 0);
    return *result != NULL ? BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK
                           : BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
}

/* Inserts the range of times of a stream, unless nanoseconds cannot express these times. */
static bool insert_range(bt_value *stream, const ftr_file_info *info, const ftr_event_clock *clock)
{
    int64_t begin;
    int64_t end;
    bt_value *range = NULL;
    if (!info->has_times || !ftr_layout_ns(clock, info->first_time, &begin) ||
        !ftr_layout_ns(clock, info->last_time, &end))
        return true;
    return bt_value_map_insert_empty_map_entry(stream, "range-ns", &range) ==
               BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
           bt_value_map_insert_signed_integer_entry(range, "begin", begin) ==
               BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
           bt_value_map_insert_signed_integer_entry(range, "end", end) ==
               BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
}

static bool append_trace(bt_value *traces, const char *path, const ftr_file_info *info,
                         const ftr_event_clock *clock)
{
    bt_value *entry = NULL;
    bt_value *streams = NULL;
    bt_value *stream = NULL;
    return bt_value_array_append_empty_map_element(traces, &entry) ==
               BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
           bt_value_map_insert_empty_array_entry(entry, "stream-infos", &streams) ==
               BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
           bt_value_array_append_empty_map_element(streams, &stream) ==
               BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
           bt_value_map_insert_string_entry(stream, "port-name", path) ==
               BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
           insert_range(stream, info, clock);
}

static bool describe(bt_value *traces, const char *path, const parameters *read)
{
    const ftr_reader_options reading = {.size = sizeof reading};
    ftr_reader *reader;
    ftr_file_info info;
    ftr_event_clock clock;
    const char *why;
    if (ftr_reader_open(path, &reading, &reader) != FTR_OK)
        return false;
    ftr_reader_get_info(reader, &info);
    ftr_reader_close(reader);
    return ftr_event_clock_of(&info, read->offset_s, read->offset_ns, &clock, &why) &&
           append_trace(traces, path, &info, &clock);
}

/* Returns the begin and end times of each port, for babeltrace's option `--stream-intersection`. */
static bt_component_class_query_method_status query_traces(const bt_value *params,
                                                           const bt_value **result)
{
    parameters read;
    if (read_parameters(params, &read) != NULL)
        return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
    bt_value *traces = bt_value_array_create();
    bool ok = traces != NULL;
    for (uint64_t i = 0; ok && i < bt_value_array_get_length(read.inputs); i++)
        ok = describe(
            traces,
            bt_value_string_get(bt_value_array_borrow_element_by_index_const(read.inputs, i)),
            &read);
    if (!ok) {
        bt_value_put_ref(traces);
        return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
    }
    *result = traces;
    return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK;
}

bt_component_class_query_method_status ftr_source_query(bt_self_component_class_source *self,
                                                        bt_private_query_executor *executor,
                                                        const char *object, const bt_value *params,
                                                        void *data, const bt_value **result)
{
    (void)self;
    (void)executor;
    (void)data;
    if (strcmp(object, "babeltrace.support-info") == 0)
        return query_support(params, result);
    if (strcmp(object, "babeltrace.trace-infos") == 0)
        return query_traces(params, result);
    return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
}
