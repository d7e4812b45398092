/* The streams and generators of a file: their ids, entries and numbers. */
#include "directory_table.h"

#include "growing_array.h"

#include <inttypes.h>
#include <stdio.h>

ftr_stream_entry *ftr_directory_find_stream(const ftr_directory *directory, uint64_t id)
{
    const uint64_t index = ftr_id_index_get(&directory->stream_ids, id);
    return index != FTR_ID_NONE ? directory->streams[index] : NULL;
}

ftr_generator_entry *ftr_directory_find_generator(const ftr_directory *directory, uint64_t id)
{
    const uint64_t index = ftr_id_index_get(&directory->generator_ids, id);
    return index != FTR_ID_NONE ? directory->generators[index] : NULL;
}

/* ---- entries --------------------------------------------------------------------------------- */

void *ftr_directory_allocate(ftr_directory *directory, ftr_budget *budget, size_t size)
{
    const size_t held = ftr_allocated_size(size);
    if (!ftr_budget_reserve(budget, held))
        return NULL;
    void *entry = calloc(1, size);
    if (entry != NULL)
        directory->held += held;
    else
        ftr_budget_release(budget, held);
    return entry;
}

ftr_view ftr_directory_id_name(char (*text)[24], uint64_t id)
{
    const int length = snprintf(*text, sizeof *text, "#%" PRIu64, id);
    return (ftr_view){*text, (size_t)length};
}

static ftr_status add_stream(ftr_directory *directory, ftr_budget *budget, uint64_t id,
                             uint64_t offset, ftr_stream_entry **added)
{
    ftr_status status = ftr_array_reserve(budget, &directory->streams, &directory->stream_capacity,
                                          directory->stream_count + 1, sizeof(void *));
    if (status != FTR_OK)
        return status;
    ftr_stream_entry *stream = ftr_directory_allocate(directory, budget, sizeof *stream);
    if (stream == NULL)
        return FTR_ERR_LIMIT;
    directory->streams[directory->stream_count] = stream;
    stream->info.id = id;
    stream->info.name = ftr_directory_id_name(&stream->id_text, id);
    stream->info.index = (uint32_t)directory->stream_count++;
    stream->info.first_time = UINT64_MAX;
    stream->offset = offset;
    *added = stream;
    return ftr_id_index_put(&directory->stream_ids, budget, id, stream->info.index);
}

ftr_status ftr_directory_add_generator(ftr_directory *directory, ftr_budget *budget, uint64_t id,
                                       const ftr_stream_info *stream, uint64_t offset,
                                       ftr_generator_entry **added)
{
    ftr_status status =
        ftr_array_reserve(budget, &directory->generators, &directory->generator_capacity,
                          directory->generator_count + 1, sizeof(void *));
    if (status != FTR_OK)
        return status;
    ftr_generator_entry *generator = ftr_directory_allocate(directory, budget, sizeof *generator);
    if (generator == NULL)
        return FTR_ERR_LIMIT;
    directory->generators[directory->generator_count] = generator;
    generator->info.id = id;
    generator->info.stream = stream;
    generator->info.index = (uint32_t)directory->generator_count++;
    generator->offset = offset;
    *added = generator;
    return id != UINT64_MAX
               ? ftr_id_index_put(&directory->generator_ids, budget, id, generator->info.index)
               : FTR_OK;
}

ftr_status ftr_directory_need_stream(ftr_directory *directory, ftr_budget *budget, uint64_t id,
                                     uint64_t offset, ftr_stream_entry **stream)
{
    *stream = ftr_directory_find_stream(directory, id);
    return *stream != NULL ? FTR_OK : add_stream(directory, budget, id, offset, stream);
}

const ftr_generator_info *ftr_directory_undefined(ftr_directory *directory, ftr_budget *budget,
                                                  ftr_stream_entry *stream)
{
    if (stream->undefined == NULL) {
        ftr_generator_entry *generator;
        if (ftr_directory_add_generator(directory, budget, UINT64_MAX, &stream->info, 0,
                                        &generator) != FTR_OK)
            return NULL;
        generator->info.name = (ftr_view){"?", 1};
        stream->undefined = &generator->info;
    }
    return stream->undefined;
}

void ftr_directory_release(ftr_directory *directory, ftr_budget *budget)
{
    for (size_t i = 0; i < directory->stream_count; i++) {
        ftr_stream_entry *stream = directory->streams[i];
        if (stream->info.name.size > 0 && stream->info.name.data != stream->id_text)
            free((char *)stream->info.name.data);
        if (stream->info.kind.size > 0)
            free((char *)stream->info.kind.data);
        free(stream);
    }
    for (size_t i = 0; i < directory->generator_count; i++) {
        ftr_generator_entry *generator = directory->generators[i];
        if (generator->info.defined && generator->info.name.size > 0 &&
            generator->info.name.data != generator->id_text)
            free((char *)generator->info.name.data);
        free(generator);
    }
    ftr_array_release(budget, directory->streams, directory->stream_capacity, sizeof(void *));
    ftr_array_release(budget, directory->generators, directory->generator_capacity, sizeof(void *));
    ftr_id_index_release(&directory->stream_ids, budget);
    ftr_id_index_release(&directory->generator_ids, budget);
    ftr_budget_release(budget, directory->held);
    *directory = (ftr_directory){0};
}
