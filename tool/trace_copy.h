/* Copying transactions of files into a new one, through the recorder. */
#ifndef FTR_TRACE_COPY_H
#define FTR_TRACE_COPY_H

#include "input_file.h"
#include "name_table.h"
#include "writing_options.h"

/* A transaction that a relation needs: its id in the input and what it is in the output. */
typedef struct ftr_copied_tx {
    uint64_t id;
    bool taken; /* the slot holds one */
    ftr_tx tx;  /* id 0: not copied */
} ftr_copied_tx;

typedef struct ftr_named_handle {
    char *name;      /* the key: of a generator it contains the handle of its stream */
    uint32_t handle; /* 0: not defined yet */
} ftr_named_handle;

typedef struct ftr_handle_table {
    ftr_named_handle *handles;
    size_t count, capacity;
    ftr_name_table names; /* to indexes of handles */
} ftr_handle_table;

/* The output, and what has been defined in it. */
typedef struct ftr_copy_output {
    const char *path;
    ftr_recorder *recorder;
    ftr_handle_table handles[2]; /* streams, generators */
    char *name;                  /* a NUL-terminated copy of the name in use */
    size_t name_capacity;
    char *held; /* messages of a tentative attempt, each with a newline; NULL: none */
    bool tentative;
    bool joins; /* streams of one name are one in the output, and so are their generators */
    uint64_t transactions, relations, left_out; /* relations with an end that was not copied */
    uint64_t without_value; /* attributes of type NONE, which cannot be written */
    uint64_t named;         /* names that were empty, written as "unnamed" */
    uint64_t shortened;     /* names of attributes that exceeded 65535 bytes */
    bool changed;           /* a name had a NUL, which is written as a question mark */
} ftr_copy_output;

/* One input. */
typedef struct ftr_copy_source {
    ftr_input *input;
    const char *prefix;   /* of its streams' names; NULL: none */
    uint64_t factor;      /* ticks of the output in one of the input */
    uint64_t offset;      /* ticks of the output added to each time */
    bool backwards;       /* the offset is subtracted */
    uint32_t *generators; /* handles by generator index; 0: not defined yet */
    size_t generator_count;
    ftr_copied_tx *related; /* open addressing */
    size_t related_count, related_capacity;
} ftr_copy_source;

/* Opens a recorder into @p file.
 * @param joins whether streams of one name become one
 * @return false after saying why */
bool ftr_copy_open(ftr_copy_output *output, ftr_output_file *file, ftr_writing_options *options,
                   bool joins);

/* Notes which transactions relations need. @return false after saying why */
bool ftr_copy_prepare(ftr_copy_source *source);

/* Defines all streams and generators of a source in their order, also those without a transaction.
 * @return false after saying why */
bool ftr_copy_define_all(ftr_copy_output *output, ftr_copy_source *source);

/* Converts a time of a source to ticks of the output. @return false when it does not fit 64 bits */
bool ftr_copy_time(const ftr_copy_source *source, uint64_t time, uint64_t *converted);

/* @return false when it cannot be copied exactly, or written; says why */
bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx);

/* Behind all transactions: the relations both of whose ends were copied. */
bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source);

/* @param[out] rounded whether any float was not kept exactly; @return false after saying why */
bool ftr_copy_close(ftr_copy_output *output, bool *rounded);

/* Says on stderr what could not be copied as it was. @return whether anything was lost by it */
bool ftr_copy_warn(const ftr_copy_output *output);

void ftr_copy_source_release(ftr_copy_source *source);

/* The recorder's time scale for a file's. @return false when it has none */
bool ftr_copy_time_scale(int file_scale, int *recorder_scale);

#endif
