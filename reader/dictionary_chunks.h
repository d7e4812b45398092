/* The texts, streams and generators of a file, read from its dictionary and directory chunks. */
#ifndef FTR_DICTIONARY_CHUNKS_H
#define FTR_DICTIONARY_CHUNKS_H

#include "reader_state.h"

/* Adds the ids in the dictionary with chunk index @p chunk to the table of texts. Invalid entries
 * are reported and skipped. If an id is defined several times, the first definition counts, because
 * a reader of a pipe may return this text before another definition of its id arrives. The same
 * rule applies to streams and generators. */
FTR_MUST_USE ftr_status ftr_dictionary_add(ftr_reader *reader, uint32_t chunk);

/* Returns the text of @p id. Its data is NULL if the id is undefined, or if the content of its
 * dictionary cannot be read or exceeds the budget. The text is valid at least until the cache's
 * `moment` changes. */
ftr_view ftr_text_find(ftr_reader *reader, uint64_t id);

/* Returns the text of @p id if it was found recently, else NULL. */
static inline const ftr_view *ftr_text_recent(const ftr_reader *reader, uint64_t id)
{
    const ftr_text_table *table = &reader->texts;
    const size_t slot = id % FTR_TEXT_CACHE;
    return table->recent[slot].id == id + 1 && table->evictions == reader->cache.evictions
               ? &table->recent[slot].text
               : NULL;
}

/* Like ftr_text_find(), but inline for texts that were found recently. */
static inline ftr_view ftr_text_of(ftr_reader *reader, uint64_t id)
{
    const ftr_view *recent = ftr_text_recent(reader, id);
    return recent != NULL ? *recent : ftr_text_find(reader, id);
}

/* ---- streams and generators (directory_chunks.c) --------------------------------------------- */

/* Adds the entries of the directory with chunk index @p chunk. Invalid entries are reported and
 * skipped. */
FTR_MUST_USE ftr_status ftr_directory_add(ftr_reader *reader, uint32_t chunk);

/* Sets the names of the new streams and generators whose texts are defined. @p last: the file has
 * no further texts. A name whose text is undefined is then reported, and remains "#" and the id. */
void ftr_directory_resolve(ftr_reader *reader, bool last);

#endif
