/* Owns the way of transactions from a reader to a recorder. Refuses to choose which ones go it, and
   to change what they say: what would not be exact is refused. */
#include "trace_copy.h"

#include "command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS, GENERATORS };

/* ---- the output ------------------------------------------------------------------------------ */

static void report(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    /* What the recorder repaired in the way of names and texts is worth a word, and errors are. */
    if (severity != FTR_SEVERITY_NOTE)
        ftr_complain("%s", message);
}

bool ftr_copy_open(ftr_copy_output *output, const char *path, ftr_recorder_options *options)
{
    *output = (ftr_copy_output){.path = path};
    options->size = sizeof *options;
    options->threads = 1;
    options->journal_directory = "none"; /* the inputs are still there if we are killed */
    options->report = report;
    const ftr_status status = ftr_recorder_open(path, options, &output->recorder);
    if (status == FTR_ERR_MEMORY)
        ftr_complain("%s: %s", path, ftr_status_text(status));
    return status == FTR_OK; /* the recorder has said why not */
}

bool ftr_copy_close(ftr_copy_output *output, bool *rounded)
{
    ftr_statistics statistics = {0};
    ftr_failure failure;
    const ftr_status status = ftr_recorder_close(output->recorder);
    (void)ftr_recorder_get_statistics(output->recorder, &statistics);
    *rounded = statistics.rounded_floats > 0;
    for (unsigned kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < output->counts[kind]; i++)
            free(output->handles[kind][i].name);
        free(output->handles[kind]);
        ftr_name_table_release(&output->names[kind]);
    }
    if (status == FTR_OK)
        return true;
    if (ftr_recorder_get_failure(output->recorder, &failure) == FTR_OK)
        ftr_complain("%s", failure.message);
    return false;
}

/* The handle for a name, or room for it: *found tells which. NULL without memory. */
static ftr_named_handle *handle_of(ftr_copy_output *output, unsigned kind, const char *name,
                                   size_t size, bool *found)
{
    const size_t known = ftr_name_table_find(&output->names[kind], name, size, 0);
    *found = known != FTR_NAME_UNKNOWN;
    if (*found)
        return &output->handles[kind][known];
    if (output->counts[kind] == output->capacities[kind]) {
        const size_t capacity = output->capacities[kind] * 2 + 16;
        ftr_named_handle *grown =
            realloc(output->handles[kind], capacity * sizeof *output->handles[kind]);
        if (grown == NULL)
            return NULL;
        output->handles[kind] = grown;
        output->capacities[kind] = capacity;
    }
    ftr_named_handle *handle = &output->handles[kind][output->counts[kind]];
    *handle = (ftr_named_handle){.name = malloc(size + 1), .size = size};
    if (handle->name == NULL)
        return NULL;
    memcpy(handle->name, name, size);
    if (!ftr_name_table_add(&output->names[kind], handle->name, size, 0, output->counts[kind])) {
        free(handle->name);
        return NULL;
    }
    output->counts[kind]++;
    return handle;
}

/* Streams of one name are one stream in the output, and so are their generators of one name. */
static bool define(ftr_copy_output *output, ftr_copy_source *source,
                   const ftr_generator_info *generator, uint32_t *handle)
{
    const char *prefix = source->prefix != NULL ? source->prefix : "";
    const ftr_stream_info *stream = generator->stream;
    const size_t stream_size = strlen(prefix) + stream->name.size;
    const size_t size = stream_size + 1 + generator->name.size;
    char *name = calloc(1, size + 1);
    char *kind = calloc(1, stream->kind.size + 1);
    bool well = name != NULL && kind != NULL;
    bool found = false;
    if (well) {
        memcpy(name, prefix, strlen(prefix));
        memcpy(name + strlen(prefix), stream->name.data, stream->name.size);
        memcpy(name + stream_size + 1, generator->name.data, generator->name.size);
        if (stream->kind.size > 0)
            memcpy(kind, stream->kind.data, stream->kind.size);
        ftr_named_handle *in = handle_of(output, STREAMS, name, stream_size, &found);
        well = in != NULL &&
               (found || ftr_stream_define(output->recorder, name, kind, &in->handle) == FTR_OK);
        const ftr_stream defined = well ? in->handle : 0;
        ftr_named_handle *at = well ? handle_of(output, GENERATORS, name, size, &found) : NULL;
        well = at != NULL &&
               (found || ftr_generator_define(output->recorder, defined, name + stream_size + 1,
                                              NULL, 0, &at->handle) == FTR_OK);
        if (well)
            *handle = at->handle;
    }
    if (!well)
        ftr_complain("%s: stream '%.*s' or its generator cannot be defined", output->path,
                     (int)stream->name.size, stream->name.data);
    free(name);
    free(kind);
    return well;
}

static bool generator_of(ftr_copy_output *output, ftr_copy_source *source,
                         const ftr_generator_info *generator, ftr_generator *handle)
{
    if (generator->index >= source->generator_count) {
        const size_t count = (size_t)generator->index + 64;
        uint32_t *grown = realloc(source->generators, count * sizeof *grown);
        if (grown == NULL)
            return false;
        memset(grown + source->generator_count, 0,
               (count - source->generator_count) * sizeof *grown);
        source->generators = grown;
        source->generator_count = count;
    }
    uint32_t *known = &source->generators[generator->index];
    if (*known == 0 && !define(output, source, generator, known))
        return false;
    *handle = *known;
    return true;
}

/* ---- transactions that relations need -------------------------------------------------------- */

static ftr_copied_tx *related_slot(const ftr_copy_source *source, uint64_t id)
{
    size_t at =
        (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (source->related_capacity - 1);
    while (source->related[at].taken && source->related[at].id != id)
        at = (at + 1) & (source->related_capacity - 1);
    return &source->related[at];
}

static bool note_related(ftr_copy_source *source, uint64_t id)
{
    if ((source->related_count + 1) * 4 > source->related_capacity * 3) {
        ftr_copied_tx *old = source->related;
        const size_t old_capacity = source->related_capacity;
        const size_t capacity = old_capacity > 0 ? old_capacity * 2 : 256;
        ftr_copied_tx *grown = calloc(capacity, sizeof *grown);
        if (grown == NULL)
            return false;
        source->related = grown;
        source->related_capacity = capacity;
        for (size_t i = 0; i < old_capacity; i++)
            if (old[i].taken)
                *related_slot(source, old[i].id) = old[i];
        free(old);
    }
    ftr_copied_tx *slot = related_slot(source, id);
    if (!slot->taken) {
        *slot = (ftr_copied_tx){.id = id, .taken = true};
        source->related_count++;
    }
    return true;
}

bool ftr_copy_prepare(ftr_copy_source *source)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(source->input->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return ftr_input_ended_well(source->input, status);
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        if (!note_related(source, relation.from_tx) || !note_related(source, relation.to_tx)) {
            status = FTR_ERR_MEMORY;
            break;
        }
    ftr_relation_cursor_close(cursor);
    return ftr_input_ended_well(source->input, status);
}

void ftr_copy_source_release(ftr_copy_source *source)
{
    free(source->generators);
    free(source->related);
}

/* ---- copying --------------------------------------------------------------------------------- */

static bool convert_time(const ftr_copy_source *source, uint64_t time, bool shifted,
                         uint64_t *converted)
{
    const uint64_t offset = shifted ? source->offset : 0;
    if (time > (UINT64_MAX - offset) / source->factor)
        return false;
    *converted = time * source->factor + offset;
    return true;
}

/* @return false for what cannot be written: a type without a value, a time out of range */
static bool convert_value(const ftr_copy_source *source, const ftr_attribute_value *from,
                          ftr_value *to)
{
    *to = (ftr_value){.type = from->type};
    switch (from->form) {
    case FTR_FORM_BOOLEAN:
        to->type = FTR_TYPE_BOOLEAN;
        to->as.boolean = from->as.boolean;
        return true;
    case FTR_FORM_INTEGER:
        to->type = FTR_TYPE_INTEGER;
        to->as.integer = from->as.integer;
        return true;
    case FTR_FORM_NUMBER:
        if (from->type == FTR_TYPE_INTEGER && from->as.number <= INT64_MAX) {
            to->as.integer = (int64_t)from->as.number;
            return true;
        }
        if (from->type != FTR_TYPE_TIME && from->type != FTR_TYPE_POINTER)
            to->type = FTR_TYPE_UNSIGNED;
        to->as.number = from->as.number;
        return from->type != FTR_TYPE_TIME ||
               convert_time(source, from->as.number, false, &to->as.number);
    case FTR_FORM_REAL:
        if (from->type != FTR_TYPE_FIXED_POINT_INTEGER &&
            from->type != FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER)
            to->type = FTR_TYPE_FLOATING_POINT;
        to->as.real = from->as.real;
        return true;
    case FTR_FORM_TEXT:
        if (from->type == FTR_TYPE_NONE)
            to->type = FTR_TYPE_STRING;
        to->as.text = from->as.text.data != NULL ? from->as.text.data : "";
        to->text_length = from->as.text.size;
        return true;
    default:
        return false;
    }
}

static ftr_status put_attributes(ftr_copy_output *output, ftr_copy_source *source,
                                 ftr_transaction *from, ftr_tx to)
{
    ftr_attribute_value attribute;
    ftr_value value;
    char name[1024];
    ftr_status status = FTR_OK;
    while (status == FTR_OK && ftr_reader_next_attribute(source->input->reader, from, &attribute)) {
        if (!convert_value(source, &attribute, &value)) {
            output->without_value++;
            continue;
        }
        if (attribute.name.size >= sizeof name)
            return FTR_ERR_LIMIT;
        if (attribute.name.size > 0)
            memcpy(name, attribute.name.data, attribute.name.size);
        name[attribute.name.size] = '\0';
        status = ftr_tx_put_named(output->recorder, to, attribute.class_, name, &value);
    }
    return status;
}

bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx)
{
    uint64_t begin;
    uint64_t end;
    ftr_generator generator;
    ftr_tx copied;
    if (!convert_time(source, tx->begin, true, &begin) ||
        !convert_time(source, tx->end > tx->begin ? tx->end : tx->begin, true, &end)) {
        ftr_complain("%s: the times of transaction %" PRIu64
                     " exceed 64 bits in the new time scale",
                     source->input->path, tx->id);
        return false;
    }
    if (!generator_of(output, source, tx->generator, &generator))
        return false;
    ftr_status status = ftr_tx_begin(output->recorder, generator, begin, &copied);
    if (status == FTR_OK)
        status = put_attributes(output, source, tx, copied);
    if (status == FTR_OK && source->related_count > 0) {
        ftr_copied_tx *slot = related_slot(source, tx->id);
        if (slot->taken)
            slot->tx = copied;
    }
    if (status == FTR_OK)
        status = ftr_tx_end(output->recorder, copied, end);
    output->transactions++;
    if (status != FTR_OK)
        ftr_complain("%s: transaction %" PRIu64 " cannot be written: %s", output->path, tx->id,
                     ftr_status_text(status));
    return status == FTR_OK;
}

static ftr_status put_relation(ftr_copy_output *output, const ftr_relation_info *relation,
                               ftr_tx from, ftr_tx to)
{
    char name[1024];
    ftr_relation handle;
    if (relation->name.size >= sizeof name)
        return FTR_ERR_LIMIT;
    if (relation->name.size > 0)
        memcpy(name, relation->name.data, relation->name.size);
    name[relation->name.size] = '\0';
    const ftr_status status = ftr_relation_define(output->recorder, name, &handle);
    return status == FTR_OK ? ftr_relation_put(output->recorder, handle, from, to) : status;
}

bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    if (source->related_count == 0)
        return true;
    ftr_status status = ftr_relation_cursor_open(source->input->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return ftr_input_ended_well(source->input, status);
    ftr_status written = FTR_OK;
    while (written == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const ftr_tx from = related_slot(source, relation.from_tx)->tx;
        const ftr_tx to = related_slot(source, relation.to_tx)->tx;
        if (from.id == 0 || to.id == 0) {
            output->left_out++;
            continue;
        }
        written = put_relation(output, &relation, from, to);
        output->relations++;
    }
    ftr_relation_cursor_close(cursor);
    if (written != FTR_OK)
        ftr_complain("%s: a relation cannot be written: %s", output->path,
                     ftr_status_text(written));
    return written == FTR_OK && ftr_input_ended_well(source->input, status);
}

/* ---- options --------------------------------------------------------------------------------- */

bool ftr_copy_time_scale(int file_scale, int *recorder_scale)
{
    if (file_scale < -15 || file_scale > 0)
        return false;
    *recorder_scale = file_scale == 0 ? FTR_TIME_SCALE_SECOND : file_scale;
    return true;
}

bool ftr_compression_parse(const char *text, ftr_recorder_options *options)
{
    if (strcmp(text, "lz4") == 0) {
        options->compression = FTR_COMPRESSION_LZ4;
    } else if (strcmp(text, "none") == 0) {
        options->compression = FTR_COMPRESSION_NONE;
    } else if (strcmp(text, "meta") == 0) {
        options->compression = FTR_COMPRESSION_META;
    } else if (strncmp(text, "lz4hc", 5) == 0 && (text[5] == '\0' || text[5] == ':')) {
        options->compression = FTR_COMPRESSION_LZ4HC;
        if (text[5] == ':') {
            char *end;
            const long level = strtol(text + 6, &end, 10);
            if (end == text + 6 || *end != '\0' || level < 1 || level > 12)
                return false;
            options->compression_level = (int)level;
        }
    } else {
        return false;
    }
    return true;
}

bool ftr_numbering_parse(const char *text, ftr_recorder_options *options)
{
    if (strcmp(text, "deployed") == 0)
        options->numbering = FTR_NUMBERING_DEPLOYED;
    else if (strcmp(text, "text") == 0)
        options->numbering = FTR_NUMBERING_TEXT;
    else
        return false;
    return true;
}
