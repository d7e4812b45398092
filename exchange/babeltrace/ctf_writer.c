/* Owns the graph source.ftr.file -> sink.ctf.fs that writes one trace. The traces of several files
   are written one after the other: each has a clock of its own, and readers merge them. */
#include "ctf_writer.h"

#include "progress.h"
#include "source_component.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define FINDINGS_TOLD 10

/* ---- what babeltrace says -------------------------------------------------------------------- */

/* The innermost cause names the file and the fault; the others only who called whom. */
static void tell_error(const ftr_exchange_report *report, const char *what)
{
    const bt_error *error = bt_current_thread_take_error();
    if (error == NULL) {
        ftr_exchange_tell(report, "%s", what);
        return;
    }
    if (bt_error_get_cause_count(error) > 0)
        ftr_exchange_tell(report, "%s: %s", what,
                          bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)));
    else
        ftr_exchange_tell(report, "%s", what);
    bt_error_release(error);
}

/* ---- the parts of the graph ------------------------------------------------------------------ */

static bt_component_class_source *create_source_class(void)
{
    bt_message_iterator_class *messages =
        bt_message_iterator_class_create(ftr_source_iterator_next);
    if (messages == NULL)
        return NULL;
    bt_component_class_source *class_ = NULL;
    if (bt_message_iterator_class_set_initialize_method(messages, ftr_source_iterator_initialize) ==
            BT_MESSAGE_ITERATOR_CLASS_SET_METHOD_STATUS_OK &&
        bt_message_iterator_class_set_finalize_method(messages, ftr_source_iterator_finalize) ==
            BT_MESSAGE_ITERATOR_CLASS_SET_METHOD_STATUS_OK)
        class_ = bt_component_class_source_create("file", messages);
    bt_message_iterator_class_put_ref(messages);
    if (class_ != NULL &&
        (bt_component_class_source_set_initialize_method(class_, ftr_source_initialize) !=
             BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK ||
         bt_component_class_source_set_finalize_method(class_, ftr_source_finalize) !=
             BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK)) {
        bt_component_class_source_put_ref(class_);
        return NULL;
    }
    return class_;
}

static bool insert(bt_value *map, const char *name, const char *text)
{
    return text == NULL ||
           bt_value_map_insert_string_entry(map, name, text) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
}

static bt_value *source_parameters(const ftr_ctf_input *input, const ftr_ctf_options *options)
{
    bt_value *map = bt_value_map_create();
    bt_value *inputs = NULL;
    if (map != NULL &&
        bt_value_map_insert_empty_array_entry(map, "inputs", &inputs) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_value_array_append_string_element(inputs, input->path) ==
            BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
        bt_value_map_insert_signed_integer_entry(map, "clock-class-offset-s", input->offset_s) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_value_map_insert_signed_integer_entry(map, "clock-class-offset-ns", input->offset_ns) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        insert(map, "begin", options->begin) && insert(map, "end", options->end))
        return map;
    bt_value_put_ref(map);
    return NULL;
}

static bt_value *sink_parameters(const char *directory)
{
    bt_value *map = bt_value_map_create();
    if (map != NULL && insert(map, "path", directory) &&
        bt_value_map_insert_bool_entry(map, "assume-single-trace", BT_TRUE) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_value_map_insert_bool_entry(map, "quiet", BT_TRUE) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK)
        return map;
    bt_value_put_ref(map);
    return NULL;
}

static bool connect(bt_graph *graph, const bt_component_source *source,
                    const bt_component_sink *sink)
{
    return bt_graph_connect_ports(graph,
                                  bt_component_source_borrow_output_port_by_index_const(source, 0),
                                  bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                                  NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

typedef struct writer {
    const ftr_exchange_report *report;
    const ftr_ctf_options *options;
    const bt_plugin *ctf;
    bt_component_class_source *source_class;
    uint64_t *errors;
} writer;

static bool build_graph(const writer *w, bt_graph *graph, const ftr_ctf_input *input,
                        const char *directory, ftr_source_watch *watch)
{
    const bt_component_source *source = NULL;
    const bt_component_sink *sink = NULL;
    bt_value *from = source_parameters(input, w->options);
    bt_value *to = sink_parameters(directory);
    const bool well =
        from != NULL && to != NULL &&
        bt_graph_add_source_component_with_initialize_method_data(
            graph, w->source_class, "ftr", from, watch, BT_LOGGING_LEVEL_WARNING, &source) ==
            BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
        bt_graph_add_sink_component(
            graph, bt_plugin_borrow_sink_component_class_by_name_const(w->ctf, "fs"), "ctf", to,
            BT_LOGGING_LEVEL_WARNING, &sink) == BT_GRAPH_ADD_COMPONENT_STATUS_OK &&
        connect(graph, source, sink);
    bt_value_put_ref(from);
    bt_value_put_ref(to);
    return well;
}

typedef struct watched {
    const ftr_exchange_report *report;
    ftr_progress progress;
    uint64_t *errors;
} watched;

static void advance(void *user, uint64_t ticks, uint64_t total)
{
    watched *w = user;
    w->progress.total = total;
    ftr_progress_show(&w->progress, ticks);
}

static void find(void *user, const char *path, const ftr_finding *finding)
{
    watched *w = user;
    if (++*w->errors <= FINDINGS_TOLD)
        ftr_exchange_tell(w->report, "%s: byte %" PRIu64 ": %s [%s]", path, finding->offset,
                          finding->message, finding->rule);
}

static bool write_trace(const writer *w, const ftr_ctf_input *input, const char *directory)
{
    struct stat there;
    if (stat(directory, &there) == 0) {
        ftr_exchange_tell(w->report, "%s: %s", directory, strerror(EEXIST));
        return false;
    }
    watched seen = {.report = w->report, .errors = w->errors};
    ftr_source_watch watch = {advance, find, &seen};
    bt_graph *graph = bt_graph_create(0);
    if (graph == NULL) {
        tell_error(w->report, directory);
        return false;
    }
    bool well = build_graph(w, graph, input, directory, &watch);
    if (well) {
        ftr_progress_begin(&seen.progress, 0, "ticks");
        well = bt_graph_run(graph) == BT_GRAPH_RUN_STATUS_OK;
        ftr_progress_end(&seen.progress);
    }
    bt_graph_put_ref(graph); /* the sink ends its files here */
    if (!well)
        tell_error(w->report, directory);
    return well;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* A trace has a file open for each stream. */
static void allow_open_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* DIRECTORY/NAME for ".../NAME.ftr", with a number behind it where that is taken. */
static char *folder_for(const char *directory, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    size_t size = strlen(base);
    if (size > 4 && strcmp(base + size - 4, ".ftr") == 0)
        size -= 4;
    struct stat there;
    char *folder = malloc(strlen(directory) + size + 16);
    if (folder == NULL)
        return NULL;
    int length = sprintf(folder, "%s/%.*s", directory, (int)size, base);
    for (unsigned number = 2; stat(folder, &there) == 0 && number < 1000000; number++)
        (void)sprintf(folder + length, "-%u", number);
    return folder;
}

static bool write_each(const writer *w, const ftr_ctf_input *inputs, size_t count,
                       const char *directory)
{
    if (mkdir(directory, 0777) != 0) {
        ftr_exchange_tell(w->report, "%s: %s", directory, strerror(errno));
        return false;
    }
    bool well = true;
    for (size_t i = 0; i < count && well; i++) {
        char *folder = folder_for(directory, inputs[i].path);
        well = folder != NULL && write_trace(w, &inputs[i], folder);
        free(folder);
    }
    return well;
}

bool ftr_ctf_write(const ftr_ctf_input *inputs, size_t count, const char *directory,
                   const ftr_ctf_options *options, const ftr_exchange_report *report,
                   uint64_t *errors)
{
    writer w = {.report = report,
                .options = options,
                .source_class = create_source_class(),
                .errors = errors};
    *errors = 0;
    bool well = w.source_class != NULL &&
                bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &w.ctf) ==
                    BT_PLUGIN_FIND_STATUS_OK;
    if (!well) {
        tell_error(report, "babeltrace's plug-in `ctf` is not to be found");
    } else {
        allow_open_files();
        well = count == 1 ? write_trace(&w, &inputs[0], directory)
                          : write_each(&w, inputs, count, directory);
    }
    bt_plugin_put_ref(w.ctf);
    bt_component_class_source_put_ref(w.source_class);
    return well;
}
