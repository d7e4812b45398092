/* The layout of the buffer and of its records, and the reconstruction of calls from the
 * records. Records do not contain a number of the call, so an exit belongs to the innermost open
 * call of the same function in the same thread. */
#include "trace_buffer.h"

#include "trace_program.h"
#include "value_fields.h"
#include "whole_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x42525446u /* "FTRB" */
#define HEADER_WORDS 8
#define OVERHEAD 24u
#define RING (1u << 10)

typedef struct raw_buffer {
    const unsigned char *bytes;
    size_t words;
    size_t start; /**< offset of the oldest record, in words */
    size_t used;  /**< number of words with records, counted from `start` */
    bool ring;
} raw_buffer;

typedef struct open_call {
    ftr_tx tx;
    uint32_t function;
    uint64_t begin;
} open_call;

typedef struct call_thread {
    uint32_t id;
    ftr_stream stream;
    ftr_generator *generators; /**< index: number of the function; 0: not defined yet */
    open_call *open;
    size_t depth;
} call_thread;

/** The layout of a function's records. */
typedef struct entry_shape {
    ftr_value_fields arguments;
    ftr_value_fields result;
    ftr_attribute *attributes;
    uint32_t arguments_size;
} entry_shape;

typedef struct conversion {
    ftr_link_arena *arena;
    ftr_link_report *report;
    const ftr_trace_program *program;
    ftr_trace_buffer_counts *counts;
    const ftr_trace_buffer_dump *dump;
    entry_shape *shapes;
    ftr_recorder *recorder;
    ftr_relation nesting;
    call_thread *threads;
    size_t thread_count;
    bool big_endian;
} conversion;

typedef struct raw_record {
    uint32_t function;
    uint32_t size; /**< size of the record in bytes, including its head of OVERHEAD bytes */
    bool exit;
    bool interrupt;
    uint32_t thread;
    uint32_t priority;
    uint32_t state;
    uint64_t time;
    const unsigned char *data;
} raw_record;

static uint32_t word_at(const unsigned char *bytes, bool big_endian)
{
    if (big_endian)
        return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
               bytes[3];
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static bool failed(conversion *c, ftr_status status)
{
    ftr_failure failure;
    if (status == FTR_OK)
        return false;
    bool known = ftr_recorder_get_failure(c->recorder, &failure) == FTR_OK && failure.message[0];
    ftr_report_error(c->report, NULL, "%s", known ? failure.message : ftr_status_text(status));
    return true;
}

/* ---- the dump -------------------------------------------------------------------------------- */

bool ftr_trace_buffer_read(ftr_link_report *report, const char *path, ftr_trace_buffer_dump *dump)
{
    dump->path = path;
    dump->bytes = ftr_read_whole_file(path, SIZE_MAX, &dump->size);
    if (dump->bytes == NULL)
        ftr_report_error(report, path, "%s", strerror(errno));
    return dump->bytes != NULL;
}

static bool report_invalid_dump(conversion *c, const char *what)
{
    ftr_report_error(c->report, c->dump->path, "%s", what);
    return false;
}

static bool read_described(conversion *c, const unsigned char *bytes, size_t size,
                           raw_buffer *buffer)
{
    uint32_t header[HEADER_WORDS];
    for (size_t i = 0; i < HEADER_WORDS; i++)
        header[i] = word_at(bytes + 4 * i, c->big_endian);
    size_t words = header[3];
    buffer->bytes = bytes + sizeof header;
    buffer->words = words;
    buffer->ring = header[2] & RING;
    buffer->start = buffer->ring ? header[5] : 0;
    buffer->used = buffer->ring ? header[6] : header[4];
    if (header[1] != 1)
        return report_invalid_dump(c, "its description is of a later version");
    if (buffer->start > words || buffer->used > words)
        return report_invalid_dump(c, "its description is invalid");
    const size_t there = (size - sizeof header) / 4;
    if (words > there && buffer->ring)
        return report_invalid_dump(c, "is incomplete: its description states a larger buffer");
    if (words > there && buffer->used > there) {
        ftr_report_error(c->report, c->dump->path,
                         "is incomplete: its description states a larger buffer; the records in it "
                         "are converted");
        buffer->used = there;
    }
    buffer->words = words < there ? words : there;
    if (header[7])
        ftr_report_warning(c->report, c->dump->path, "%u records were too large and are missing",
                           (unsigned)header[7]);
    return true;
}

static bool read_dump(conversion *c, raw_buffer *buffer)
{
    const unsigned char *bytes = (const unsigned char *)c->dump->bytes;
    const size_t size = c->dump->size;
    if (size >= sizeof(uint32_t) * HEADER_WORDS && word_at(bytes, c->big_endian) == MAGIC)
        return read_described(c, bytes, size, buffer);
    if (size >= 4 && word_at(bytes, !c->big_endian) == MAGIC)
        return report_invalid_dump(c, "is of a machine of another byte order than the program");
    if (c->program->has_mode && c->program->mode & RING)
        return report_invalid_dump(
            c, "is the plain buffer of a ring: its start is unknown; dump it with "
               "ftr_trace_buffer_dump()");
    *buffer = (raw_buffer){.bytes = bytes, .words = size / 4, .used = size / 4};
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

static void make_shape(conversion *c, const ftr_program_function *function, entry_shape *shape)
{
    size_t argument_fields = 0;
    for (size_t i = 0; i < function->count; i++) {
        const ftr_traced_value *value = &function->arguments[i];
        ftr_value_fields_of(c->arena, value->name, value->type, value->type_text, value->size,
                            &shape->arguments);
        for (; argument_fields < shape->arguments.count; argument_fields++)
            shape->arguments.fields[argument_fields].offset += shape->arguments_size;
        shape->arguments_size += value->size;
    }
    if (function->result.size)
        ftr_value_fields_of(c->arena, "return", function->result.type, function->result.type_text,
                            function->result.size, &shape->result);
    size_t count = shape->arguments.count + shape->result.count;
    shape->attributes = ftr_link_arena_allocate(c->arena, count + 1, sizeof *shape->attributes);
    for (size_t i = 0; i < count; i++) {
        bool argument = i < shape->arguments.count;
        const ftr_value_field *field = argument ? &shape->arguments.fields[i]
                                                : &shape->result.fields[i - shape->arguments.count];
        shape->attributes[i] =
            (ftr_attribute){field->name, field->type, argument ? FTR_CLASS_BEGIN : FTR_CLASS_END};
    }
}

static call_thread *thread_of(conversion *c, uint32_t id)
{
    for (size_t i = 0; i < c->thread_count; i++)
        if (c->threads[i].id == id)
            return &c->threads[i];
    call_thread thread = {.id = id};
    const char *name = ftr_arena_print(c->arena, "calls.thread_%u", (unsigned)id);
    if (failed(c, ftr_stream_define(c->recorder, name, "calls", &thread.stream)))
        return NULL;
    thread.generators =
        ftr_link_arena_allocate(c->arena, c->program->count, sizeof *thread.generators);
    FTR_ARENA_APPEND(c->arena, c->threads, c->thread_count, thread);
    return &c->threads[c->thread_count - 1];
}

static bool define_generator(conversion *c, call_thread *thread, uint32_t function)
{
    const entry_shape *shape = &c->shapes[function];
    if (thread->generators[function])
        return true;
    return !failed(c, ftr_generator_define(c->recorder, thread->stream,
                                           c->program->functions[function].name, shape->attributes,
                                           shape->arguments.count + shape->result.count,
                                           &thread->generators[function]));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool put_fields(conversion *c, ftr_tx tx, const ftr_value_fields *fields, unsigned first,
                       const unsigned char *data)
{
    for (size_t i = 0; i < fields->count; i++) {
        ftr_value v = ftr_value_field_read(c->arena, &fields->fields[i], data, c->big_endian);
        unsigned number = first + (unsigned)i;
        ftr_status status;
        if (v.type == FTR_TYPE_BOOLEAN)
            status = ftr_tx_put_bool(c->recorder, tx, number, v.as.boolean);
        else if (v.type == FTR_TYPE_INTEGER)
            status = ftr_tx_put_int(c->recorder, tx, number, v.as.integer);
        else if (v.type == FTR_TYPE_FLOATING_POINT)
            status = ftr_tx_put_real(c->recorder, tx, number, v.as.real);
        else if (v.type == FTR_TYPE_STRING || v.type == FTR_TYPE_ENUMERATION)
            status = ftr_tx_put_text(c->recorder, tx, number, v.as.text, v.text_length);
        else
            status = ftr_tx_put_number(c->recorder, tx, number, v.as.number);
        if (failed(c, status))
            return false;
    }
    return true;
}

/* Puts the attributes interrupt, priority and state, but only those that are not 0. In most
 * records, all three are 0. */
static bool put_state(conversion *c, ftr_tx tx, const raw_record *record)
{
    ftr_value interrupt = {.type = FTR_TYPE_BOOLEAN, .as.boolean = true};
    ftr_value priority = {.type = FTR_TYPE_UNSIGNED, .as.number = record->priority >> 8};
    ftr_value state = {.type = FTR_TYPE_UNSIGNED, .as.number = record->state};
    return !(record->interrupt && failed(c, ftr_tx_put_named(c->recorder, tx, FTR_CLASS_BEGIN,
                                                             "interrupt", &interrupt))) &&
           !(record->priority && failed(c, ftr_tx_put_named(c->recorder, tx, FTR_CLASS_BEGIN,
                                                            "priority", &priority))) &&
           !(record->state &&
             failed(c, ftr_tx_put_named(c->recorder, tx, FTR_CLASS_BEGIN, "state", &state)));
}

static bool end_call(conversion *c, open_call *open, uint64_t time)
{
    return !failed(c, ftr_tx_end(c->recorder, open->tx, time > open->begin ? time : open->begin));
}

static bool enter(conversion *c, call_thread *thread, const raw_record *record)
{
    open_call open = {.function = record->function, .begin = record->time};
    const entry_shape *shape = &c->shapes[record->function];
    if (failed(c, ftr_tx_begin(c->recorder, thread->generators[record->function], record->time,
                               &open.tx)) ||
        !put_fields(c, open.tx, &shape->arguments, 0, record->data) ||
        !put_state(c, open.tx, record))
        return false;
    if (thread->depth && failed(c, ftr_relation_put(c->recorder, c->nesting,
                                                    thread->open[thread->depth - 1].tx, open.tx)))
        return false;
    FTR_ARENA_APPEND(c->arena, thread->open, thread->depth, open);
    c->counts->calls++;
    return true;
}

static bool leave(conversion *c, call_thread *thread, const raw_record *record)
{
    const ftr_value abandoned = {.type = FTR_TYPE_BOOLEAN, .as.boolean = true};
    const entry_shape *shape = &c->shapes[record->function];
    size_t depth = thread->depth;
    while (depth && thread->open[depth - 1].function != record->function)
        depth--;
    if (!depth) {
        c->counts->exits_without_entry++;
        return true;
    }
    for (; thread->depth > depth; thread->depth--) {
        open_call *open = &thread->open[thread->depth - 1];
        c->counts->abandoned++;
        if (failed(c, ftr_tx_put_named(c->recorder, open->tx, FTR_CLASS_END, "abandoned",
                                       &abandoned)) ||
            !end_call(c, open, record->time))
            return false;
    }
    open_call *open = &thread->open[--thread->depth];
    return put_fields(c, open->tx, &shape->result, (unsigned)shape->arguments.count,
                      record->data) &&
           end_call(c, open, record->time);
}

/* ---- records --------------------------------------------------------------------------------- */

static bool read_record(conversion *c, const raw_buffer *buffer, size_t at, raw_record *record)
{
    const unsigned char *bytes = buffer->bytes + 4 * at;
    uint32_t head = word_at(bytes, c->big_endian);
    *record = (raw_record){.function = head & 0xffff,
                           .size = head >> 16 & 0x3fff,
                           .exit = head >> 30 & 1,
                           .interrupt = head >> 31};
    if (record->size < OVERHEAD || (record->size + 3) / 4 > buffer->words - at ||
        record->function >= c->program->count)
        return false;
    const entry_shape *shape = &c->shapes[record->function];
    uint32_t result = c->program->functions[record->function].result.size;
    uint32_t expected = record->exit ? result : shape->arguments_size;
    if (record->size - OVERHEAD != expected)
        return false;
    record->thread = word_at(bytes + 4, c->big_endian);
    record->priority = word_at(bytes + 8, c->big_endian);
    record->state = word_at(bytes + 12, c->big_endian);
    record->time =
        (uint64_t)word_at(bytes + 16, c->big_endian) << 32 | word_at(bytes + 20, c->big_endian);
    record->data = bytes + OVERHEAD;
    return true;
}

static bool convert_record(conversion *c, const raw_record *record)
{
    call_thread *thread = thread_of(c, record->thread);
    c->counts->records++;
    if (thread == NULL || !define_generator(c, thread, record->function))
        return false;
    return record->exit ? leave(c, thread, record) : enter(c, thread, record);
}

static bool convert_records(conversion *c, const raw_buffer *buffer)
{
    size_t at = buffer->start;
    size_t done = 0;
    while (done < buffer->used) {
        raw_record record;
        if (at == buffer->words)
            at = 0;
        if (word_at(buffer->bytes + 4 * at, c->big_endian) == 0) {
            if (!buffer->ring)
                return true; /* the rest of the buffer was never written */
            done += buffer->words - at;
            at = 0;
            continue;
        }
        if (!read_record(c, buffer, at, &record)) {
            ftr_report_error(
                c->report, c->dump->path,
                "word %zu: not a record of this program; the records before it are converted", at);
            return false;
        }
        if (!convert_record(c, &record))
            return false;
        at += (record.size + 3) / 4;
        done += (record.size + 3) / 4;
    }
    return true;
}

static bool convert(conversion *c, const char *output, const ftr_recorder_options *recorder)
{
    ftr_recorder_options options = {.size = sizeof options, .time_scale = -9};
    if (recorder != NULL) {
        options.sink = recorder->sink;
        options.floats = recorder->floats;
        /* no journal: if the process is killed, the conversion can be repeated */
        options.journal_directory = "none";
    }
    raw_buffer buffer = {0};
    if (!read_dump(c, &buffer))
        return false;
    c->shapes = ftr_link_arena_allocate(c->arena, c->program->count, sizeof *c->shapes);
    for (size_t i = 0; i < c->program->count; i++)
        make_shape(c, &c->program->functions[i], &c->shapes[i]);
    ftr_status status = ftr_recorder_open(output, &options, &c->recorder);
    if (status != FTR_OK) {
        ftr_report_error(c->report, output, "%s", ftr_status_text(status));
        return false;
    }
    bool good = !failed(c, ftr_relation_define(c->recorder, "PARENT_CHILD", &c->nesting)) &&
                convert_records(c, &buffer);
    for (size_t i = 0; i < c->thread_count; i++)
        c->counts->unfinished += c->threads[i].depth;
    c->counts->written = !failed(c, ftr_recorder_close(c->recorder));
    ftr_statistics statistics = {0};
    (void)ftr_recorder_get_statistics(c->recorder, &statistics);
    c->counts->rounded = statistics.rounded_floats > 0;
    return c->counts->written && good;
}

bool ftr_trace_buffer_convert(ftr_link_report *report, const char *program_path,
                              const ftr_trace_buffer_dump *dump, const char *output,
                              const ftr_recorder_options *recorder, ftr_trace_buffer_counts *counts)
{
    ftr_link_arena arena = {0};
    ftr_trace_program program = {0};
    *counts = (ftr_trace_buffer_counts){0};
    conversion c = {
        .arena = &arena, .report = report, .program = &program, .counts = counts, .dump = dump};
    bool good = ftr_trace_program_read(&arena, report, program_path, &program);
    c.big_endian = program.big_endian;
    good = good && convert(&c, output, recorder);
    ftr_arena_reset(&arena);
    return good;
}
