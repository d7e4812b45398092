/* Texts that live as long as a connection: names of streams and generators, so that SQLite need not
 * copy them for each row. */
#ifndef FTR_INTERNED_NAMES_H
#define FTR_INTERNED_NAMES_H

#include <ftr/reader.h>

/* A text in valid UTF-8, 0-terminated. */
typedef struct ftr_name {
    size_t size;
    char text[];
} ftr_name;

typedef struct ftr_names {
    ftr_name **slots; /* open addressing; NULL: free */
    size_t capacity;  /* a power of two */
    size_t count;
} ftr_names;

/* The name with the text of @p view; bytes that are not UTF-8 become U+FFFD.
 * @return NULL without memory */
const ftr_name *ftr_names_intern(ftr_names *names, ftr_view view);

void ftr_names_release(ftr_names *names);

#endif
