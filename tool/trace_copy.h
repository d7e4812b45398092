/* Copies transactions of files into a new file, through the recorder. */
#ifndef FTR_TRACE_COPY_H
#define FTR_TRACE_COPY_H

#include "input_file.h"
#include "interned_names.h"
#include "tx_table.h"
#include "writing_options.h"

/* Handles in the output. The key of a generator includes the handle of its stream. */
typedef struct ftr_handle_table {
    ftr_names names;
    uint32_t *handles; /* by number of the name; 0: not defined yet */
    size_t count, capacity;
} ftr_handle_table;

/* The output, and the definitions in it. */
typedef struct ftr_copy_output {
    const char *path;
    ftr_recorder *recorder;
    ftr_handle_table handles[2]; /* streams, generators */
    char *name;                  /* a NUL-terminated copy of the current name */
    size_t name_capacity;
    char *messages; /* messages of a tentative attempt, one per line; NULL: none */
    bool tentative;
    /* streams with the same name become one stream in the output, and so do their generators */
    bool merge_streams;
    /* relations dropped because an end was not copied */
    uint64_t transactions, relations, relations_dropped;
    uint64_t without_value; /* attributes of type NONE, which cannot be written */
    uint64_t named;         /* empty names, written as "unnamed" */
    uint64_t shortened;     /* attribute names longer than 65535 bytes, which were truncated */
    bool changed;           /* a name contained a NUL, which was replaced by a question mark */
} ftr_copy_output;

/* One input. */
typedef struct ftr_copy_source {
    ftr_input *input;
    const char *prefix;   /* of its stream names; NULL: none */
    uint64_t factor;      /* ticks of the output per tick of the input */
    uint64_t offset;      /* ticks of the output added to each time */
    bool backwards;       /* the offset is subtracted */
    uint32_t *generators; /* handles by generator index; 0: not defined yet */
    size_t generator_count;
    ftr_tx_table related; /* the transactions that have relations, with their handles */
} ftr_copy_source;

/* Opens a recorder that writes to @p file.
 * @param merge_streams whether streams with the same name become one
 * @return false after an error message */
bool ftr_copy_open(ftr_copy_output *output, ftr_output_file *file, ftr_writing_options *options,
                   bool merge_streams);

/* Collects the transactions that have relations. @return false after an error message */
bool ftr_copy_prepare(ftr_copy_source *source);

/* Defines all streams and generators of a source in their order, also those without a transaction.
 * @return false after an error message */
bool ftr_copy_define_all(ftr_copy_output *output, ftr_copy_source *source);

/* Converts a time of a source to ticks of the output. @return false if it exceeds 64 bits */
bool ftr_copy_time(const ftr_copy_source *source, uint64_t time, uint64_t *converted);

/* @return false after an error message if it cannot be copied exactly, or cannot be written */
bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx);

/* Copies relations if both ends were copied. Must be called after all transactions. */
bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source);

/* @param[out] rounded whether any float was rounded; @return false after an error message */
bool ftr_copy_close(ftr_copy_output *output, bool *rounded);

/* Prints warnings to stderr about the changes that the copying made. @return true if anything was
 * lost */
bool ftr_copy_warn(const ftr_copy_output *output);

void ftr_copy_source_release(ftr_copy_source *source);

/* Converts a file's time scale to the recorder's. @return false if the recorder does not support
 * it */
bool ftr_copy_time_scale(int file_scale, int *recorder_scale);

#endif
