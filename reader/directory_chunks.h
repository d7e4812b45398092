/* The definitions of streams and generators, read from the directory chunks of a file. */
#ifndef FTR_DIRECTORY_CHUNKS_H
#define FTR_DIRECTORY_CHUNKS_H

#include "reader_state.h"

/* Adds the entries of directory chunk @p chunk; invalid ones are reported and skipped. */
FTR_MUST_USE ftr_status ftr_directory_add(ftr_reader *reader, uint32_t chunk);

/* Sets the names of definitions that precede the text of their name in the file. @p last: the file
 * has no further texts. */
void ftr_directory_resolve(ftr_reader *reader, bool last);

#endif
