/* A map from ids of transactions to values of 16 bytes, for traces with more transactions than
 * memory. The values are in a temporary file without a name; the kernel keeps its used pages in
 * memory. Ids that follow one another take 16 bytes of the file each. */
#ifndef FTR_ID_FILE_H
#define FTR_ID_FILE_H

#include <ftr/status.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct ftr_id_file ftr_id_file;

/* The value of an id; {0, 0} is the value of each id that was not put. */
typedef struct ftr_id_value {
    uint64_t word[2];
} ftr_id_value;

/* @return NULL if out of memory */
ftr_id_file *ftr_id_file_create(void);

/* Accepts NULL. */
void ftr_id_file_destroy(ftr_id_file *map);

/* Sets the value of @p id. @return FTR_OK; FTR_ERR_MEMORY; FTR_ERR_IO with errno set: the temporary
 * file cannot be created or enlarged */
FTR_MUST_USE ftr_status ftr_id_file_put(ftr_id_file *map, uint64_t id, ftr_id_value value);

ftr_id_value ftr_id_file_get(const ftr_id_file *map, uint64_t id);

#endif
