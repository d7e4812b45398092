/* Finds the streams and generators of a collector by name. The tables contain hashes and numbers
 * only: the names are those of the streams and generators. */
#ifndef FTR_COLLECTED_NAMES_H
#define FTR_COLLECTED_NAMES_H

#include "collector_parts.h"

/* Return the number of a stream, or of a generator of a stream; SIZE_MAX if there is none. */
size_t ftr_collected_stream_find(const struct ftr_run_collector *collector, const char *name,
                                 size_t size);
size_t ftr_collected_generator_find(const struct ftr_run_collector *collector, size_t stream,
                                    const char *name, size_t size);

/* Add the stream or generator with this number, which is not in the table yet. @return false if out
 * of memory */
bool ftr_collected_stream_enter(struct ftr_run_collector *collector, size_t number);
bool ftr_collected_generator_enter(struct ftr_run_collector *collector, size_t number);

void ftr_collected_names_release(ftr_collected_names *names);

#endif
