/* A reading thread appends the value of the attribute to each transaction. The calling thread finds
 * the part of this value, and adds the transaction to the part. */
#include "value_parts.h"

#include "growing_array.h"
#include "text_view.h"
#include "transaction_text.h"

#include <stdio.h>

/* A value as bytes: this head, and the bytes of a text. Equal values have equal bytes. */
typedef struct value_head {
    uint8_t form; /* ftr_form; FTR_FORM_NONE: the transaction does not have the attribute */
    uint8_t type; /* ftr_type */
    uint16_t unused;
    uint32_t text_size;
    uint64_t bits;
} value_head;

_Static_assert(sizeof(value_head) == 16, "no padding, because its bytes are compared");

/* The value of `form` in the key of the part for the other values. */
#define FORM_OTHERS 0xffu

/* ---- values ---------------------------------------------------------------------------------- */

static value_head head_of(const ftr_attribute_value *value)
{
    value_head head = {.form = (uint8_t)value->form, .type = (uint8_t)value->type};
    switch (value->form) {
    case FTR_FORM_BOOLEAN:
        head.bits = value->as.boolean;
        break;
    case FTR_FORM_INTEGER:
        head.bits = (uint64_t)value->as.integer;
        break;
    case FTR_FORM_NUMBER:
        head.bits = value->as.number;
        break;
    case FTR_FORM_REAL:
        memcpy(&head.bits, &value->as.real, sizeof head.bits);
        break;
    case FTR_FORM_TEXT:
        head.text_size = (uint32_t)(value->as.text.size < FTR_VALUE_TEXT_MAX ? value->as.text.size
                                                                             : FTR_VALUE_TEXT_MAX);
        break;
    default:
        break;
    }
    return head;
}

/* Returns the value of a key. A text points into the key. */
static ftr_attribute_value value_of(const ftr_value_parts *parts, const char *key)
{
    value_head head;
    memcpy(&head, key, sizeof head);
    ftr_attribute_value value = {.name = {parts->attribute, strlen(parts->attribute)},
                                 .type = (ftr_type)head.type,
                                 .form = (ftr_form)head.form,
                                 .real_size = sizeof(double)};
    if (value.form == FTR_FORM_BOOLEAN)
        value.as.boolean = head.bits != 0;
    else if (value.form == FTR_FORM_INTEGER)
        value.as.integer = (int64_t)head.bits;
    else if (value.form == FTR_FORM_REAL)
        memcpy(&value.as.real, &head.bits, sizeof head.bits);
    else if (value.form == FTR_FORM_TEXT)
        value.as.text = (ftr_view){key + sizeof head, head.text_size};
    else
        value.as.number = head.bits;
    return value;
}

/* ---- on a reading thread --------------------------------------------------------------------- */

static void prepare(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                    const ftr_tx_figures *figures, ftr_prepared *prepared)
{
    const ftr_value_parts *parts = ((const ftr_parts_pass *)user)->parts;
    ftr_attribute_value value;
    value_head head = {0};
    (void)thread;
    (void)figures;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &value))
        if (value.form != FTR_FORM_NONE && value.name.data != NULL &&
            ftr_view_is(value.name, parts->attribute)) {
            head = head_of(&value);
            break;
        }
    if (head.text_size > 0 && value.as.text.data == NULL)
        head.text_size = 0;
    /* Words of 64 bits follow, so the size is a multiple of 8. */
    const size_t size =
        sizeof head + (head.text_size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    char *to = ftr_prepared_append(prepared, size);
    if (to == NULL)
        return;
    memcpy(to, &head, sizeof head);
    if (head.text_size > 0)
        memcpy(to + sizeof head, value.as.text.data, head.text_size);
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static ftr_status add_generator(ftr_value_parts *parts, const ftr_generator_info *info,
                                size_t *number)
{
    const ftr_view stream = info->stream->name;
    const size_t size = stream.size + 1 + info->name.size;
    if (!ftr_array_grow(&parts->generators, &parts->generator_capacity, parts->generator_count,
                        sizeof *parts->generators))
        return FTR_ERR_MEMORY;
    char *name = malloc(size + 1);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    if (stream.size > 0)
        memcpy(name, stream.data, stream.size);
    name[stream.size] = '.';
    if (info->name.size > 0)
        memcpy(name + stream.size + 1, info->name.data, info->name.size);
    name[size] = '\0';
    *number = ftr_name_table_find(&parts->generator_names, name, size, stream.size);
    if (*number != FTR_NAME_UNKNOWN) {
        free(name);
        return FTR_OK;
    }
    if (!ftr_name_table_add(&parts->generator_names, name, size, stream.size,
                            parts->generator_count)) {
        free(name);
        return FTR_ERR_MEMORY;
    }
    *number = parts->generator_count++;
    parts->generators[*number] =
        (ftr_parted_generator){.name = name, .name_size = size, .stream_size = stream.size};
    return FTR_OK;
}

static ftr_status generator_of(ftr_parts_pass *pass, uint32_t index, size_t *number)
{
    if (!ftr_array_reach(&pass->generators, &pass->generator_count, index,
                         sizeof *pass->generators))
        return FTR_ERR_MEMORY;
    if (pass->generators[index] == 0) {
        const ftr_status status =
            add_generator(pass->parts, ftr_reader_get_generator(pass->reader, index), number);
        if (status != FTR_OK)
            return status;
        pass->generators[index] = *number + 1;
    }
    *number = pass->generators[index] - 1;
    return FTR_OK;
}

/* Adds a part. @param key the value, or the head for the other values */
static ftr_status add_part(ftr_parts_pass *pass, size_t generator, const char *key, size_t size,
                           size_t *number)
{
    static ftr_printer out; /* static because its buffer is large */
    ftr_value_parts *parts = pass->parts;
    ftr_text_buffer shown = {0};
    if (!ftr_array_grow(&parts->parts, &parts->part_capacity, parts->part_count,
                        sizeof *parts->parts))
        return FTR_ERR_MEMORY;
    ftr_value_part part = {.generator = generator, .key = ftr_text_duplicate(key, size)};
    if (part.key == NULL)
        return FTR_ERR_MEMORY;
    const uint8_t form = (uint8_t)key[0];
    part.kind = form == FTR_FORM_NONE ? FTR_PART_ABSENT
                : form == FORM_OTHERS ? FTR_PART_OTHERS
                                      : FTR_PART_VALUE;
    bool ok = true;
    if (part.kind == FTR_PART_VALUE) {
        part.value = value_of(parts, part.key);
        ftr_text_buffer_connect(&shown, &out);
        if (part.value.form == FTR_FORM_TEXT) /* escaped where it is printed */
            ftr_print(&out, part.value.as.text.data, part.value.as.text.size);
        else
            ftr_put_value_plain(&out, &part.value,
                                (ftr_value_style){.time_scale = pass->time_scale});
        ok = ftr_printer_flush(&out) && ftr_figure_text_set(&part.shown, shown.bytes, shown.size);
        parts->generators[generator].values++;
    }
    ftr_text_buffer_release(&shown);
    parts->generators[generator].has_others |= part.kind == FTR_PART_OTHERS;
    if (!ok ||
        !ftr_name_table_add(&parts->part_keys, part.key, size, generator, parts->part_count)) {
        free(part.key);
        free(part.shown.bytes);
        return FTR_ERR_MEMORY;
    }
    *number = parts->part_count++;
    parts->parts[*number] = part;
    return FTR_OK;
}

static ftr_status part_of(ftr_parts_pass *pass, size_t generator, const char *bytes, size_t *number)
{
    ftr_value_parts *parts = pass->parts;
    value_head head;
    memcpy(&head, bytes, sizeof head);
    size_t size = sizeof head + head.text_size;
    pass->is_found |= head.form != FTR_FORM_NONE;
    *number = ftr_name_table_find(&parts->part_keys, bytes, size, generator);
    if (*number != FTR_NAME_UNKNOWN)
        return FTR_OK;
    const value_head others = {.form = FORM_OTHERS};
    if (head.form != FTR_FORM_NONE && parts->generators[generator].values == FTR_VALUES_MAX) {
        bytes = (const char *)&others;
        size = sizeof others;
        *number = ftr_name_table_find(&parts->part_keys, bytes, size, generator);
        if (*number != FTR_NAME_UNKNOWN)
            return FTR_OK;
    }
    return add_part(pass, generator, bytes, size, number);
}

/* Gets the generator of the collector for a part. The name of this generator is the number of the
 * part. */
static ftr_status collected_of(ftr_parts_pass *pass, size_t part, uint32_t index, size_t *collected)
{
    char name[24];
    size_t stream;
    if (!ftr_array_reach(&pass->numbers, &pass->number_count, part, sizeof *pass->numbers))
        return FTR_ERR_MEMORY;
    if (pass->numbers[part] > 0) {
        *collected = pass->numbers[part] - 1;
        return FTR_OK;
    }
    const ftr_stream_info *of = ftr_reader_get_generator(pass->reader, index)->stream;
    const int length = snprintf(name, sizeof name, "%zu", part);
    ftr_status status = ftr_run_collector_stream(pass->collector, of->name.data, of->name.size,
                                                 of->kind.data, of->kind.size, &stream);
    if (status == FTR_OK)
        status =
            ftr_run_collector_generator(pass->collector, stream, name, (size_t)length, collected);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_measure(pass->collector, stream);
    pass->numbers[part] = *collected + 1;
    return FTR_OK;
}

static ftr_status add_transaction(void *user, const ftr_measured_tx *tx)
{
    ftr_parts_pass *pass = user;
    ftr_tx_figures figures = *tx->figures;
    size_t generator, part, collected;
    /* The name of the generator, which decides about errors, is not the one of the part. */
    figures.error = tx->error;
    figures.incomplete = false;
    ftr_status status = generator_of(pass, tx->index, &generator);
    if (status == FTR_OK)
        status = part_of(pass, generator, tx->bytes, &part);
    if (status == FTR_OK)
        status = collected_of(pass, part, tx->index, &collected);
    return status == FTR_OK ? ftr_run_collector_add(pass->collector, collected, &figures) : status;
}

/* ---- the pass -------------------------------------------------------------------------------- */

ftr_status ftr_parts_pass_begin(ftr_parts_pass *pass, ftr_value_parts *parts, ftr_reader *reader,
                                ftr_trace_measure *measure)
{
    ftr_file_info info;
    *pass = (ftr_parts_pass){.parts = parts, .reader = reader};
    const ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &pass->collector);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_reduce(pass->collector, true);
    ftr_reader_get_info(reader, &info);
    pass->time_scale = info.time_scale;
    measure->by_stream = true;
    measure->prepare = prepare;
    measure->prepare_user = pass;
    measure->transaction = add_transaction;
    measure->transaction_user = pass;
    return FTR_OK;
}

ftr_status ftr_parts_pass_end(ftr_parts_pass *pass, const ftr_run_source *source,
                              ftr_run_record *run)
{
    const ftr_status status = ftr_run_collector_record(pass->collector, source, run);
    ftr_run_collector_destroy(pass->collector);
    free(pass->generators);
    free(pass->numbers);
    return status;
}

void ftr_value_parts_release(ftr_value_parts *parts)
{
    for (size_t i = 0; i < parts->part_count; i++) {
        free(parts->parts[i].key);
        free(parts->parts[i].shown.bytes);
    }
    for (size_t i = 0; i < parts->generator_count; i++)
        free(parts->generators[i].name);
    free(parts->parts);
    free(parts->generators);
    ftr_name_table_release(&parts->part_keys);
    ftr_name_table_release(&parts->generator_names);
    *parts = (ftr_value_parts){.attribute = parts->attribute};
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int compare_numbers(const ftr_attribute_value *a, const ftr_attribute_value *b)
{
    switch (a->form) {
    case FTR_FORM_INTEGER:
        return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
    case FTR_FORM_REAL:
        return (a->as.real > b->as.real) - (a->as.real < b->as.real);
    case FTR_FORM_BOOLEAN:
        return (int)a->as.boolean - (int)b->as.boolean;
    default:
        return (a->as.number > b->as.number) - (a->as.number < b->as.number);
    }
}

/* Negative numbers come first, then other numbers, then texts. */
static int compare_values(const ftr_attribute_value *a, const ftr_attribute_value *b)
{
    if (a->form != b->form)
        return a->form < b->form ? -1 : 1;
    if (a->form != FTR_FORM_TEXT)
        return compare_numbers(a, b);
    const size_t size = a->as.text.size < b->as.text.size ? a->as.text.size : b->as.text.size;
    const int order = size > 0 ? memcmp(a->as.text.data, b->as.text.data, size) : 0;
    return order != 0 ? order
                      : (a->as.text.size > b->as.text.size) - (a->as.text.size < b->as.text.size);
}

static int compare_rows(const void *x, const void *y)
{
    const ftr_figure_part *a = x;
    const ftr_figure_part *b = y;
    const int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    if (a->stream_size != b->stream_size)
        return a->stream_size < b->stream_size ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    const int value = a->kind == FTR_PART_VALUE ? compare_values(&a->value, &b->value) : 0;
    return value != 0 ? value : strcmp(a->row->name, b->row->name);
}

bool ftr_value_parts_rows(const ftr_value_parts *parts, ftr_run_totals *totals,
                          ftr_figure_parts *rows)
{
    *rows = (ftr_figure_parts){.of = calloc(totals->row_count + 1, sizeof *rows->of)};
    if (rows->of == NULL)
        return false;
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_total_row *row = &totals->rows[i];
        const ftr_value_part *part =
            &parts->parts[strtoul(row->name + row->stream_size + 1, NULL, 10)];
        const ftr_parted_generator *generator = &parts->generators[part->generator];
        rows->of[rows->count++] = (ftr_figure_part){.name = generator->name,
                                                    .name_size = generator->name_size,
                                                    .stream_size = generator->stream_size,
                                                    .kind = part->kind,
                                                    .value = part->value,
                                                    .shown = {part->shown.bytes, part->shown.size},
                                                    .row = row};
    }
    if (rows->count > 1)
        qsort(rows->of, rows->count, sizeof *rows->of, compare_rows);
    return true;
}
