/* The tables of names. Their owners compare the names, because the tables do not contain them. */
#include "collected_names.h"

#include "hash.h"
#include "open_table.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 16u

/* A name that is sought: of a stream if `stream` is SIZE_MAX. */
typedef struct sought_name {
    const struct ftr_run_collector *collector;
    size_t stream;
    const char *name;
    size_t size;
    uint32_t hash;
} sought_name;

static sought_name sought_of(const struct ftr_run_collector *collector, size_t stream,
                             const char *name, size_t size)
{
    const uint64_t hash = ftr_hash_text(FTR_HASH_SEED ^ stream, name, size);
    return (sought_name){collector, stream, name, size, (uint32_t)(hash ^ hash >> 29)};
}

static bool is_free(const void *item)
{
    return ((const ftr_collected_name *)item)->number == 0;
}

static bool has_name(const void *item, const void *key)
{
    const ftr_collected_name *entry = item;
    const sought_name *sought = key;
    const size_t number = entry->number - 1;
    const ftr_figure_text *name;
    if (entry->hash != sought->hash)
        return false;
    if (sought->stream == SIZE_MAX) {
        name = &sought->collector->streams[number].figures.name;
    } else {
        const ftr_collected_generator *generator = &sought->collector->generators[number];
        if (generator->stream != sought->stream)
            return false;
        name = &generator->figures.name;
    }
    return name->size == sought->size &&
           (name->size == 0 || memcmp(name->bytes, sought->name, name->size) == 0);
}

static uint64_t hash_of_item(const void *item)
{
    return ((const ftr_collected_name *)item)->hash;
}

static const ftr_table_rule RULE = {sizeof(ftr_collected_name), 0, is_free, has_name, hash_of_item};

static size_t find(const ftr_collected_names *names, const sought_name *sought)
{
    if (names->count == 0)
        return SIZE_MAX;
    const ftr_collected_name *found =
        ftr_table_search(&RULE, names->names, names->capacity, sought->hash, sought);
    return found->number > 0 ? found->number - 1 : SIZE_MAX;
}

static bool enter(ftr_collected_names *names, const sought_name *added, size_t number)
{
    if (!ftr_table_grow(&RULE, &names->names, &names->capacity, names->count, CAPACITY_MIN))
        return false;
    ftr_collected_name *place =
        ftr_table_search(&RULE, names->names, names->capacity, added->hash, NULL);
    *place = (ftr_collected_name){added->hash, (uint32_t)number + 1};
    names->count++;
    return true;
}

size_t ftr_collected_stream_find(const struct ftr_run_collector *collector, const char *name,
                                 size_t size)
{
    const sought_name sought = sought_of(collector, SIZE_MAX, name, size);
    return find(&collector->stream_names, &sought);
}

size_t ftr_collected_generator_find(const struct ftr_run_collector *collector, size_t stream,
                                    const char *name, size_t size)
{
    const sought_name sought = sought_of(collector, stream, name, size);
    return find(&collector->generator_names, &sought);
}

bool ftr_collected_stream_enter(struct ftr_run_collector *collector, size_t number)
{
    const ftr_figure_text *name = &collector->streams[number].figures.name;
    const sought_name added = sought_of(collector, SIZE_MAX, name->bytes, name->size);
    return enter(&collector->stream_names, &added, number);
}

bool ftr_collected_generator_enter(struct ftr_run_collector *collector, size_t number)
{
    const ftr_collected_generator *generator = &collector->generators[number];
    const ftr_figure_text *name = &generator->figures.name;
    const sought_name added = sought_of(collector, generator->stream, name->bytes, name->size);
    return enter(&collector->generator_names, &added, number);
}

void ftr_collected_names_release(ftr_collected_names *names)
{
    free(names->names);
    *names = (ftr_collected_names){0};
}
