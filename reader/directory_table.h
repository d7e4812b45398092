/* The streams and generators of a file, by id and by number. */
#ifndef FTR_DIRECTORY_TABLE_H
#define FTR_DIRECTORY_TABLE_H

#include "id_index.h"
#include "memory_budget.h"

#include <ftr/reader.h>

typedef struct ftr_stream_entry {
    ftr_stream_info info;
    uint64_t name_id, kind_id;
    uint64_t offset;               /* offset of the chunk that refers to the stream first */
    ftr_generator_info *undefined; /* placeholder for undefined generators; NULL: not needed yet */
    char id_text[24]; /* "#" and the id: the name of the stream until its text is known */
    bool unresolved;  /* the name is not set yet */
} ftr_stream_entry;

typedef struct ftr_generator_entry {
    ftr_generator_info info;
    uint64_t name_id;
    uint64_t offset;  /* offset of the chunk that defines the generator; 0: a placeholder */
    char id_text[24]; /* "#" and the id: the name of the generator until its text is known */
    bool unresolved;  /* the name is not set yet */
} ftr_generator_entry;

typedef struct ftr_directory {
    ftr_stream_entry **streams;
    size_t stream_count, stream_capacity;
    ftr_generator_entry **generators;
    size_t generator_count, generator_capacity;
    ftr_id_index stream_ids, generator_ids;
    size_t unresolved; /* number of streams and generators whose names are not set yet */
    size_t held;       /* size of copied names and entries, in bytes */
} ftr_directory;

/* Finds the stream with this id; if there is none, creates it as undefined. @p offset: offset of
 * the chunk that needs the stream. @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_directory_need_stream(ftr_directory *directory, ftr_budget *budget,
                                                  uint64_t id, uint64_t offset,
                                                  ftr_stream_entry **stream);

/* Creates a generator. If @p id is UINT64_MAX, the generator is a placeholder, and a search by id
 * does not find it. @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_directory_add_generator(ftr_directory *directory, ftr_budget *budget,
                                                    uint64_t id, const ftr_stream_info *stream,
                                                    uint64_t offset, ftr_generator_entry **added);

/* Returns the placeholder for undefined generators of @p stream; creates it if necessary. NULL: out
 * of memory, or the budget is exceeded. */
const ftr_generator_info *ftr_directory_undefined(ftr_directory *directory, ftr_budget *budget,
                                                  ftr_stream_entry *stream);

/* Returns zeroed memory for an entry or the copy of a name, and counts it in `held`. Returns NULL
 * if the budget is exceeded, or if out of memory. */
void *ftr_directory_allocate(ftr_directory *directory, ftr_budget *budget, size_t size);

/* Writes "#" and the id to *text and returns this name, for a stream or generator without a name.
 */
ftr_view ftr_directory_id_name(char (*text)[24], uint64_t id);

ftr_stream_entry *ftr_directory_find_stream(const ftr_directory *directory, uint64_t id);
ftr_generator_entry *ftr_directory_find_generator(const ftr_directory *directory, uint64_t id);

void ftr_directory_release(ftr_directory *directory, ftr_budget *budget);

#endif
