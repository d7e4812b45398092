/* Transfers transactions from a reader to a recorder. Data that cannot be copied exactly is changed
 * or dropped, and counted (ftr_copy_warn()). */
#include "trace_copy.h"

#include "attribute_types.h"
#include "command.h"
#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS, GENERATORS };

/* Maximum length of the name of an undeclared attribute, in bytes. */
#define ATTRIBUTE_NAME_MAX 65535
#define NAME_OF_NAMELESS "unnamed"

/* ---- the output ------------------------------------------------------------------------------ */

/* Stores a message until it is known whether this attempt to write the output is the final one.
 * @return false if out of memory */
static bool keep_message(ftr_copy_output *output, const char *message)
{
    const size_t size = output->messages != NULL ? strlen(output->messages) : 0;
    char *grown = realloc(output->messages, size + strlen(message) + 2);
    if (grown == NULL)
        return false;
    output->messages = grown;
    (void)stpcpy(stpcpy(grown + size, message), "\n");
    return true;
}

static void report(void *user, ftr_severity severity, const char *message)
{
    ftr_copy_output *output = user;
    /* Warnings (changed names and texts, rounded floats) and errors are printed. */
    if (severity == FTR_SEVERITY_NOTE)
        return;
    if (!output->tentative || severity == FTR_SEVERITY_ERROR || !keep_message(output, message))
        ftr_print_error("%s", message);
}

bool ftr_copy_open(ftr_copy_output *output, ftr_output_file *file, ftr_writing_options *options,
                   bool merge_streams)
{
    ftr_recorder_options *recorder = &options->recorder;
    *output = (ftr_copy_output){.path = file->path,
                                .merge_streams = merge_streams,
                                .tentative = ftr_writing_is_tentative(options)};
    recorder->size = sizeof *recorder;
    recorder->threads = 1;
    /* no journal is needed, because the inputs still exist if the process is killed */
    recorder->journal_directory = "none";
    recorder->sink = &file->sink;
    recorder->report = report;
    recorder->report_user = output;
    const ftr_status status = ftr_recorder_open(file->path, recorder, &output->recorder);
    if (status == FTR_ERR_MEMORY)
        ftr_print_error("%s: %s", file->path, ftr_status_text(status));
    return status == FTR_OK; /* on failure, the recorder has already reported the reason */
}

static void release(ftr_copy_output *output)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        ftr_handle_table *table = &output->handles[kind];
        free(table->handles);
        ftr_names_release(&table->names);
    }
    free(output->name);
    free(output->messages);
    output->messages = NULL;
}

bool ftr_copy_close(ftr_copy_output *output, bool *rounded)
{
    ftr_statistics statistics = {0};
    ftr_failure failure;
    const ftr_status status = ftr_recorder_close(output->recorder);
    (void)ftr_recorder_get_statistics(output->recorder, &statistics);
    *rounded = statistics.rounded_floats > 0;
    char *state;
    if (output->messages != NULL && !(*rounded && output->tentative))
        for (char *line = strtok_r(output->messages, "\n", &state); line != NULL;
             line = strtok_r(NULL, "\n", &state))
            ftr_print_error("%s", line);
    release(output);
    if (status == FTR_OK)
        return true;
    if (ftr_recorder_get_failure(output->recorder, &failure) == FTR_OK)
        ftr_print_error("%s", failure.message);
    return false;
}

bool ftr_copy_warn(const ftr_copy_output *output)
{
    if (output->without_value > 0)
        ftr_print_error("%s: %" PRIu64 " attributes discarded: no value, or a time above 64 bits",
                        output->path, output->without_value);
    if (output->named > 0)
        ftr_print_error("%s: %" PRIu64 " empty names written as '%s'", output->path, output->named,
                        NAME_OF_NAMELESS);
    if (output->changed)
        ftr_print_error("%s: NUL replaced by '?' in names", output->path);
    if (output->shortened > 0)
        ftr_print_error("%s: %" PRIu64 " names of attributes cut to %d bytes", output->path,
                        output->shortened, ATTRIBUTE_NAME_MAX);
    return output->shortened > 0;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Returns the address of a name's handle; the handle is 0 if the name is not defined yet. Returns
 * NULL if out of memory. */
static uint32_t *handle_of(ftr_handle_table *table, const char *name, size_t size)
{
    const ftr_name *known = ftr_names_intern(&table->names, name, size);
    if (known == NULL ||
        !ftr_array_reach(&table->handles, &table->count, known->number, sizeof *table->handles))
        return NULL;
    return &table->handles[known->number];
}

/* Copies a name, terminates the copy with NUL, and replaces NUL bytes within it, which the recorder
 * does not accept. */
static void copy_name(ftr_copy_output *output, char *to, ftr_view name)
{
    if (name.size > 0)
        memcpy(to, name.data, name.size);
    to[name.size] = '\0';
    char *nul = memchr(to, '\0', name.size);
    output->changed |= nul != NULL;
    for (; nul != NULL; nul = memchr(nul, '\0', name.size - (size_t)(nul - to)))
        *nul = '?';
}

/* Returns a malloc'ed, NUL-terminated copy of @p prefix followed by @p text; NULL if out of
 * memory. */
static char *copy_text(ftr_copy_output *output, const char *prefix, ftr_view text)
{
    const size_t before = strlen(prefix);
    char *copy = malloc(before + text.size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, prefix, before);
    copy_name(output, copy + before, text);
    return copy;
}

/* Returns the name, or a substitute for an empty name, which the recorder does not accept. */
static const char *named(ftr_copy_output *output, const char *name)
{
    if (*name != '\0')
        return name;
    output->named++;
    return NAME_OF_NAMELESS;
}

/* Returns the key that identifies a stream, or a generator of a stream, in the output. If the
 * streams of several inputs are merged, the key is the name; otherwise it is the index, because a
 * single input may have two streams with the same name. The key is malloc'ed; NULL if out of
 * memory. */
static char *key_of(const ftr_copy_output *output, ftr_stream stream, uint32_t index,
                    const char *name)
{
    char *key = NULL;
    const int size = output->merge_streams ? asprintf(&key, "%" PRIu32 " %s", stream, name)
                                           : asprintf(&key, "%" PRIu32, index);
    return size >= 0 ? key : NULL;
}

static bool define_stream(ftr_copy_output *output, const ftr_copy_source *source,
                          const ftr_stream_info *stream, ftr_stream *handle)
{
    char *name = copy_text(output, source->prefix != NULL ? source->prefix : "", stream->name);
    char *kind = copy_text(output, "", stream->kind);
    char *key = name != NULL ? key_of(output, 0, stream->index, name) : NULL;
    uint32_t *known =
        kind != NULL && key != NULL ? handle_of(&output->handles[STREAMS], key, strlen(key)) : NULL;
    const bool ok =
        known != NULL && (*known != 0 || ftr_stream_define(output->recorder, named(output, name),
                                                           kind, known) == FTR_OK);
    if (ok)
        *handle = *known;
    free(key);
    free(kind);
    free(name);
    return ok;
}

static bool define(ftr_copy_output *output, const ftr_copy_source *source,
                   const ftr_generator_info *generator, uint32_t *handle)
{
    ftr_stream stream = 0;
    char *name = copy_text(output, "", generator->name);
    bool ok = name != NULL && define_stream(output, source, generator->stream, &stream);
    char *key = ok ? key_of(output, stream, generator->index, name) : NULL;
    uint32_t *known =
        key != NULL ? handle_of(&output->handles[GENERATORS], key, strlen(key)) : NULL;
    ok = known != NULL &&
         (*known != 0 || ftr_generator_define(output->recorder, stream, named(output, name), NULL,
                                              0, known) == FTR_OK);
    if (ok)
        *handle = *known;
    else
        ftr_print_error("%s: stream '%.*s' or its generator cannot be defined", output->path,
                        (int)generator->stream->name.size, generator->stream->name.data);
    free(key);
    free(name);
    return ok;
}

static bool generator_of(ftr_copy_output *output, ftr_copy_source *source,
                         const ftr_generator_info *generator, ftr_generator *handle)
{
    if (!ftr_array_reach(&source->generators, &source->generator_count, generator->index,
                         sizeof *source->generators))
        return false;
    uint32_t *known = &source->generators[generator->index];
    if (*known == 0 && !define(output, source, generator, known))
        return false;
    *handle = *known;
    return true;
}

bool ftr_copy_define_all(ftr_copy_output *output, ftr_copy_source *source)
{
    ftr_reader *reader = source->input->reader;
    uint32_t handle;
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        if (stream->defined && (source->is_defined == NULL || source->is_defined(stream)) &&
            !define_stream(output, source, stream, &handle)) {
            ftr_print_error("%s: stream '%.*s' cannot be defined", output->path,
                            (int)stream->name.size, stream->name.data);
            return false;
        }
    }
    for (size_t i = 0; i < ftr_reader_generator_count(reader); i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
        if (generator->defined &&
            (source->is_defined == NULL || source->is_defined(generator->stream)) &&
            !generator_of(output, source, generator, &handle))
            return false;
    }
    return true;
}

/* ---- transactions with relations ------------------------------------------------------------- */

bool ftr_copy_prepare(ftr_copy_source *source)
{
    return ftr_input_check_end(source->input,
                               ftr_tx_table_add_related(&source->related, source->input->reader));
}

void ftr_copy_source_release(ftr_copy_source *source)
{
    free(source->generators);
    ftr_tx_table_release(&source->related);
}

/* ---- copying --------------------------------------------------------------------------------- */

static bool scale_time(const ftr_copy_source *source, uint64_t time, uint64_t *converted)
{
    if (time > UINT64_MAX / source->factor)
        return false;
    *converted = time * source->factor;
    return true;
}

bool ftr_copy_time(const ftr_copy_source *source, uint64_t time, uint64_t *converted)
{
    uint64_t scaled;
    if (!scale_time(source, time, &scaled) ||
        (source->backwards ? scaled < source->offset : scaled > UINT64_MAX - source->offset))
        return false;
    *converted = source->backwards ? scaled - source->offset : scaled + source->offset;
    return true;
}

/* Returns a NUL-terminated copy of @p name that is valid until the next call; NULL if out of
 * memory. */
static const char *name_of(ftr_copy_output *output, ftr_view name)
{
    if (!ftr_array_grow(&output->name, &output->name_capacity, name.size, 1))
        return NULL;
    copy_name(output, output->name, name);
    return named(output, output->name);
}

static bool has_texts(ftr_type type)
{
    return type == FTR_TYPE_STRING || type == FTR_TYPE_ENUMERATION || type == FTR_TYPE_BIT_VECTOR ||
           type == FTR_TYPE_LOGIC_VECTOR;
}

/* @return false if the value cannot be written: its type has no values, or a time is out of
 * range */
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
        return from->type != FTR_TYPE_TIME || scale_time(source, from->as.number, &to->as.number);
    case FTR_FORM_REAL:
        if (from->type != FTR_TYPE_FIXED_POINT_INTEGER &&
            from->type != FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER)
            to->type = FTR_TYPE_FLOATING_POINT;
        to->as.real = from->as.real;
        return true;
    case FTR_FORM_TEXT:
        if (!has_texts(from->type))
            to->type = FTR_TYPE_STRING;
        to->as.text = from->as.text.data != NULL ? from->as.text.data : "";
        to->text_length = from->as.text.size;
        return true;
    default:
        return false;
    }
}

ftr_status ftr_copy_put_attribute(ftr_copy_output *output, const ftr_copy_source *source,
                                  ftr_attribute_value *attribute, ftr_tx to)
{
    ftr_value value;
    char digits[FTR_VECTOR_DIGITS];
    ftr_vector_as_text(attribute, digits);
    if (!convert_value(source, attribute, &value)) {
        output->without_value++;
        return FTR_OK;
    }
    if (attribute->name.size > ATTRIBUTE_NAME_MAX) {
        attribute->name.size = ATTRIBUTE_NAME_MAX;
        output->shortened++;
    }
    const char *name = name_of(output, attribute->name);
    return name != NULL ? ftr_tx_put_named(output->recorder, to, attribute->class_, name, &value)
                        : FTR_ERR_MEMORY;
}

static ftr_status put_attributes(ftr_copy_output *output, ftr_copy_source *source,
                                 ftr_transaction *from, ftr_tx to)
{
    ftr_attribute_value attribute;
    ftr_status status = FTR_OK;
    while (status == FTR_OK && ftr_reader_next_attribute(source->input->reader, from, &attribute))
        status = ftr_copy_put_attribute(output, source, &attribute, to);
    return status;
}

bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx)
{
    uint64_t begin;
    uint64_t end;
    ftr_generator generator;
    ftr_tx copied;
    if (!ftr_copy_time(source, tx->begin, &begin) ||
        !ftr_copy_time(source, tx->end > tx->begin ? tx->end : tx->begin, &end)) {
        ftr_print_error("%s: the times of transaction %" PRIu64 " %s", source->input->path, tx->id,
                        source->backwards ? "would be before time 0, or exceed 64 bits"
                                          : "exceed 64 bits in the new time scale");
        return false;
    }
    if (!generator_of(output, source, tx->generator, &generator))
        return false;
    ftr_status status = ftr_tx_begin(output->recorder, generator, begin, &copied);
    if (status == FTR_OK)
        status = put_attributes(output, source, tx, copied);
    source->copied = copied;
    ftr_tx_entry *related = ftr_tx_table_find(&source->related, tx->id);
    if (status == FTR_OK && related != NULL)
        related->tx = copied;
    if (status == FTR_OK)
        status = ftr_tx_end(output->recorder, copied, end);
    output->transactions++;
    if (status != FTR_OK)
        ftr_print_error("%s: transaction %" PRIu64 " cannot be written: %s", output->path, tx->id,
                        ftr_status_text(status));
    return status == FTR_OK;
}

ftr_status ftr_copy_put_relation(ftr_copy_output *output, ftr_view name, ftr_tx from, ftr_tx to)
{
    ftr_relation handle;
    const char *written = name_of(output, name);
    const ftr_status status =
        written != NULL ? ftr_relation_define(output->recorder, written, &handle) : FTR_ERR_MEMORY;
    return status == FTR_OK ? ftr_relation_put(output->recorder, handle, from, to) : status;
}

bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    if (source->related.count == 0)
        return true;
    ftr_status status = ftr_relation_cursor_open(source->input->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return ftr_input_check_end(source->input, status);
    ftr_status written = FTR_OK;
    while (written == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const ftr_tx from = ftr_tx_table_find(&source->related, relation.from_tx)->tx;
        const ftr_tx to = ftr_tx_table_find(&source->related, relation.to_tx)->tx;
        if (from.id == 0 || to.id == 0) {
            output->relations_dropped++;
            continue;
        }
        written = ftr_copy_put_relation(output, relation.name, from, to);
        output->relations++;
    }
    ftr_relation_cursor_close(cursor);
    if (written != FTR_OK)
        ftr_print_error("%s: a relation cannot be written: %s", output->path,
                        ftr_status_text(written));
    return written == FTR_OK && ftr_input_check_end(source->input, status);
}

/* ---- the time scale -------------------------------------------------------------------------- */

bool ftr_copy_time_scale(int file_scale, int *recorder_scale)
{
    if (file_scale < -15 || file_scale > 0)
        return false;
    *recorder_scale = file_scale == 0 ? FTR_TIME_SCALE_SECOND : file_scale;
    return true;
}
