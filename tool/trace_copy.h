/* Copying transactions of files into a new one, through the recorder. */
#ifndef FTR_TRACE_COPY_H
#define FTR_TRACE_COPY_H

#include "input_file.h"
#include "name_table.h"

#include <ftr/recorder.h>

/* A transaction that a relation needs: its id in the input and what it is in the output. */
typedef struct ftr_copied_tx {
    uint64_t id;
    bool taken; /* the slot holds one */
    ftr_tx tx;  /* id 0: not copied */
} ftr_copied_tx;

typedef struct ftr_named_handle {
    char *name; /* of a generator: that of the stream, a NUL, its own */
    size_t size;
    uint32_t handle;
} ftr_named_handle;

/* The output, and what has been defined in it. */
typedef struct ftr_copy_output {
    const char *path;
    ftr_recorder *recorder;
    ftr_named_handle *handles[2]; /* streams, generators */
    size_t counts[2], capacities[2];
    ftr_name_table names[2];                    /* numbers of handles by name */
    uint64_t transactions, relations, left_out; /* relations with an end that was not copied */
    uint64_t without_value; /* attributes of type NONE, which cannot be written */
    ftr_status status;
} ftr_copy_output;

/* One input. */
typedef struct ftr_copy_source {
    ftr_input *input;
    const char *prefix;   /* of its streams' names; NULL: none */
    uint64_t factor;      /* ticks of the output in one of the input */
    uint64_t offset;      /* ticks of the output added to each time */
    uint32_t *generators; /* handles + 1 by generator index; 0: not defined yet */
    size_t generator_count;
    ftr_copied_tx *related; /* open addressing */
    size_t related_count, related_capacity;
} ftr_copy_source;

/* @return false after saying why */
bool ftr_copy_open(ftr_copy_output *output, const char *path, ftr_recorder_options *options);

/* Notes which transactions relations need. @return false after saying why */
bool ftr_copy_prepare(ftr_copy_source *source);

/* @return false when it cannot be copied exactly, or written; says why */
bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx);

/* Behind all transactions: the relations both of whose ends were copied. */
bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source);

/* @param[out] rounded whether any float was not kept exactly; @return false after saying why */
bool ftr_copy_close(ftr_copy_output *output, bool *rounded);

void ftr_copy_source_release(ftr_copy_source *source);

/* The recorder's time scale for a file's. @return false when it has none */
bool ftr_copy_time_scale(int file_scale, int *recorder_scale);

/* "lz4", "lz4hc", "lz4hc:12", "none", "meta"; "deployed", "text". */
bool ftr_compression_parse(const char *text, ftr_recorder_options *options);
bool ftr_numbering_parse(const char *text, ftr_recorder_options *options);

#endif
