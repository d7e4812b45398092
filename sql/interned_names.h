/* Texts that live as long as a connection: names of streams and generators, so that SQLite need not
 * copy them for each row. */
#ifndef FTR_INTERNED_NAMES_H
#define FTR_INTERNED_NAMES_H

#include <ftr/reader.h>

/* A text in valid UTF-8, NUL-terminated. */
typedef struct ftr_name {
    size_t size;
    char text[];
} ftr_name;

typedef struct ftr_names {
    ftr_name **slots; /* a hash table with open addressing; NULL: free */
    size_t capacity;  /* a power of two */
    size_t count;
} ftr_names;

/* Returns the name with the text of @p view; bytes that are not UTF-8 become U+FFFD.
 * @return NULL if out of memory */
const ftr_name *ftr_names_intern(ftr_names *names, ftr_view view);

void ftr_names_release(ftr_names *names);

#endif
