/* Parses the lines scv_tr_stream and scv_tr_generator, and stores their definitions. */
#include "scv_definitions.h"

#include "growing_array.h"
#include "attribute_types.h"

#include <stdlib.h>
#include <string.h>

#define NO_KIND "<no_stream_kind>"

ftr_type ftr_scv_type(ftr_view name)
{
    unsigned type;
    return ftr_type_of_name(name.data, name.size, &type) ? (ftr_type)type : FTR_TYPE_STRING;
}

static char *copy_of(ftr_view text)
{
    return strndup(text.data, text.size);
}

static bool define_stream(ftr_scv_definitions *definitions, ftr_import_target *target,
                          ftr_scv_rest line)
{
    uint64_t number;
    ftr_view name;
    ftr_view kind;
    if (!ftr_scv_accept(&line, "(ID") || !ftr_scv_parse_number(&line, &number) ||
        !ftr_scv_accept(&line, ", name") || !ftr_scv_parse_quoted(&line, ", kind \"", &name) ||
        !ftr_scv_accept(&line, ", kind") || !ftr_scv_parse_quoted(&line, ")", &kind))
        return false;
    const bool has_room = ftr_array_grow(&definitions->streams, &definitions->stream_capacity,
                                         definitions->stream_count, sizeof *definitions->streams);
    char *name_text = copy_of(name);
    char *kind_text = copy_of(kind);
    ftr_status status = FTR_ERR_MEMORY;
    if (has_room) {
        ftr_scv_stream *stream = &definitions->streams[definitions->stream_count];
        if (name_text != NULL && kind_text != NULL)
            status = ftr_stream_define(target->recorder, name_text,
                                       strcmp(kind_text, NO_KIND) == 0 ? NULL : kind_text,
                                       &stream->handle);
        stream->number = number;
        definitions->stream_count += status == FTR_OK;
    }
    free(name_text);
    free(kind_text);
    ftr_import_keep(target, status);
    return true;
}

static const ftr_scv_stream *find_stream(const ftr_scv_definitions *definitions, uint64_t number)
{
    for (size_t i = 0; i < definitions->stream_count; i++)
        if (definitions->streams[i].number == number)
            return &definitions->streams[i];
    return NULL;
}

ftr_scv_generator *ftr_scv_find_generator(ftr_scv_definitions *definitions, uint64_t number)
{
    /* Fast path: numbers are usually consecutive. */
    const size_t count = definitions->generator_count;
    if (count > 0 && number - definitions->generators[0].number < count) {
        const size_t guess = (size_t)(number - definitions->generators[0].number);
        if (definitions->generators[guess].number == number)
            return &definitions->generators[guess];
    }
    for (size_t i = 0; i < count; i++)
        if (definitions->generators[i].number == number)
            return &definitions->generators[i];
    return NULL;
}

static bool define_generator(ftr_scv_definitions *definitions, ftr_import_target *target,
                             ftr_scv_rest line)
{
    uint64_t number;
    uint64_t stream_number;
    ftr_view name;
    if (!ftr_scv_accept(&line, "(ID") || !ftr_scv_parse_number(&line, &number) ||
        !ftr_scv_accept(&line, ", name") ||
        !ftr_scv_parse_quoted(&line, ", scv_tr_stream ", &name) ||
        !ftr_scv_accept(&line, ", scv_tr_stream") || !ftr_scv_parse_number(&line, &stream_number))
        return false;
    const ftr_scv_stream *stream = find_stream(definitions, stream_number);
    const bool has_room =
        ftr_array_grow(&definitions->generators, &definitions->generator_capacity,
                       definitions->generator_count, sizeof *definitions->generators);
    char *text = copy_of(name);
    ftr_status status = FTR_ERR_MEMORY;
    definitions->open = ftr_scv_accept(&line, ",");
    if (has_room && text != NULL && stream != NULL) {
        ftr_scv_generator *generator = &definitions->generators[definitions->generator_count];
        *generator = (ftr_scv_generator){.number = number};
        status = ftr_generator_define(target->recorder, stream->handle, text, NULL, 0,
                                      &generator->handle);
        definitions->generator_count += status == FTR_OK;
    }
    free(text);
    if (stream == NULL)
        return false;
    ftr_import_keep(target, status);
    return true;
}

static bool declare(ftr_scv_definitions *definitions, ftr_import_target *target, unsigned end,
                    ftr_scv_rest line)
{
    uint64_t number;
    ftr_view name;
    ftr_view type;
    if (definitions->generator_count == 0 || !ftr_scv_accept(&line, "(ID") ||
        !ftr_scv_parse_number(&line, &number) || !ftr_scv_accept(&line, ", name") ||
        !ftr_scv_parse_quoted(&line, ", type \"", &name) || !ftr_scv_accept(&line, ", type") ||
        !ftr_scv_parse_quoted(&line, ")", &type))
        return false;
    ftr_scv_generator *generator = &definitions->generators[definitions->generator_count - 1];
    const size_t count = generator->counts[end];
    const ftr_scv_attribute added = {copy_of(name), ftr_scv_type(type)};
    if (added.name == NULL || !ftr_array_grow(&generator->attributes[end],
                                              &generator->capacities[end], count, sizeof added)) {
        free(added.name);
        ftr_import_keep(target, FTR_ERR_MEMORY);
        return true;
    }
    generator->attributes[end][generator->counts[end]++] = added;
    return true;
}

bool ftr_scv_define(ftr_scv_definitions *definitions, ftr_import_target *target, ftr_scv_rest line,
                    uint64_t number)
{
    bool ok;
    if (ftr_scv_accept(&line, "scv_tr_stream "))
        ok = define_stream(definitions, target, line);
    else if (ftr_scv_accept(&line, "scv_tr_generator "))
        ok = define_generator(definitions, target, line);
    else if (definitions->open && ftr_scv_accept(&line, "begin_attribute "))
        ok = declare(definitions, target, 0, line);
    else if (definitions->open && ftr_scv_accept(&line, "end_attribute "))
        ok = declare(definitions, target, 1, line);
    else if (definitions->open && ftr_scv_accept(&line, ")"))
        ok = !(definitions->open = false);
    else
        return false;
    if (!ok)
        ftr_import_find(target, "line", number, "an invalid definition");
    return true;
}

void ftr_scv_definitions_release(ftr_scv_definitions *definitions)
{
    for (size_t i = 0; i < definitions->generator_count; i++)
        for (unsigned end = 0; end < 2; end++) {
            ftr_scv_generator *generator = &definitions->generators[i];
            for (size_t k = 0; k < generator->counts[end]; k++)
                free(generator->attributes[end][k].name);
            free(generator->attributes[end]);
        }
    free(definitions->generators);
    free(definitions->streams);
}
