/* The plug-in `ftr` for babeltrace2, and for other programs that load plug-ins of babeltrace2.
 * Registers the components source.ftr.file and sink.ftr.file. */
#include "sink_file.h"
#include "source_component.h"

BT_PLUGIN_MODULE()
BT_PLUGIN(ftr);
BT_PLUGIN_DESCRIPTION("FTR (Fast Transaction Recording) files");
BT_PLUGIN_LICENSE(FTR_PLUGIN_LICENSE);

BT_PLUGIN_SOURCE_COMPONENT_CLASS(file, ftr_source_iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(file, FTR_SOURCE_DESCRIPTION);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(file, FTR_SOURCE_HELP);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(file, ftr_source_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(file, ftr_source_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(file, ftr_source_query);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(
    file, ftr_source_iterator_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(
    file, ftr_source_iterator_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(
    file, ftr_source_iterator_seek_beginning, ftr_source_iterator_can_seek_beginning);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_NS_FROM_ORIGIN_METHODS(
    file, ftr_source_iterator_seek_time, ftr_source_iterator_can_seek_time);

BT_PLUGIN_SINK_COMPONENT_CLASS(file, ftr_sink_consume);
BT_PLUGIN_SINK_COMPONENT_CLASS_DESCRIPTION(file, FTR_SINK_DESCRIPTION);
BT_PLUGIN_SINK_COMPONENT_CLASS_HELP(file, FTR_SINK_HELP);
BT_PLUGIN_SINK_COMPONENT_CLASS_INITIALIZE_METHOD(file, ftr_sink_initialize);
BT_PLUGIN_SINK_COMPONENT_CLASS_FINALIZE_METHOD(file, ftr_sink_finalize);
BT_PLUGIN_SINK_COMPONENT_CLASS_GRAPH_IS_CONFIGURED_METHOD(file, ftr_sink_graph_is_configured);
