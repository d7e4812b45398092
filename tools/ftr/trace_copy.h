/* Copies transactions of files into a new file, through the recorder. */
#ifndef FTR_TRACE_COPY_H
#define FTR_TRACE_COPY_H

#include "input_file.h"
#include "name_table.h"
#include "tx_table.h"
#include "writing_options.h"

/* The handles of streams or generators in the output, by their keys. The key of a generator
 * includes the handle of its stream. */
typedef struct ftr_handle_table {
    ftr_names names;
    uint32_t *handles; /* index: number of the key in `names`; 0: not defined yet */
    size_t count, capacity;
} ftr_handle_table;

/* The output of a copy, and the streams and generators that are already defined in this output. */
typedef struct ftr_copy_output {
    const char *path;
    ftr_recorder *recorder;
    ftr_handle_table handles[2]; /* [0]: of streams; [1]: of generators */
    char *name;                  /* buffer for a NUL-terminated copy of a name */
    size_t name_capacity;
    char *messages; /* stored messages of a tentative attempt, one per line; NULL: none */
    bool tentative;
    /* streams with the same name become one stream in the output; generators of the same name in it
     * become one generator */
    bool merge_streams;
    /* numbers of copied items; relations_dropped: number of relations that were not copied because
     * one of their transactions was not copied */
    uint64_t transactions, relations, relations_dropped;
    uint64_t without_value; /* number of attributes that cannot be written: of type NONE, or times
                               that exceed 64 bits */
    uint64_t named;         /* number of empty names, which were written as "unnamed" */
    uint64_t shortened;     /* number of attribute names that were truncated to 65535 bytes */
    bool changed;           /* a name contained a NUL, which was replaced by a question mark */
} ftr_copy_output;

/* One input. */
typedef struct ftr_copy_source {
    ftr_input *input;
    const char *prefix; /* prefix of the names of its streams in the output; NULL: none */
    uint64_t factor;    /* number of ticks of the output in a tick of the input */
    uint64_t offset;    /* ticks of the output that are added to each begin and end */
    bool backwards;     /* the offset is subtracted */
    /* Returns whether ftr_copy_define_all() defines a stream; NULL: all are defined. */
    bool (*is_defined)(const ftr_stream_info *stream);
    /* handles in the output; index: number of the generator; 0: not defined in the output yet */
    uint32_t *generators;
    size_t generator_count;
    ftr_tx_table related; /* the transactions that have relations, with their handles */
    ftr_tx copied;        /* the latest copy */
} ftr_copy_source;

/* Opens a recorder that writes to @p file.
 * @param merge_streams whether streams with the same name become one stream
 * @return false after an error message */
bool ftr_copy_open(ftr_copy_output *output, ftr_output_file *file, ftr_writing_options *options,
                   bool merge_streams);

/* Collects the transactions that have relations. @return false after an error message */
bool ftr_copy_prepare(ftr_copy_source *source);

/* Defines all streams and generators of a source in the output, in the same order, including those
 * without a transaction.
 * @return false after an error message */
bool ftr_copy_define_all(ftr_copy_output *output, ftr_copy_source *source);

/* Converts a time of a source to ticks of the output. @return false if it exceeds 64 bits */
bool ftr_copy_time(const ftr_copy_source *source, uint64_t time, uint64_t *converted);

/* Copies a transaction. If the transaction ends before its begin, the copy ends at its begin.
 * Attributes that cannot be written are dropped and counted. @return false after an error message
 * if the times of the transaction exceed 64 bits, or if the copy cannot be written */
bool ftr_copy_put(ftr_copy_output *output, ftr_copy_source *source, ftr_transaction *tx);

/* Puts an attribute of a transaction of the source on an open transaction of the output. An
 * attribute that cannot be written is dropped and counted.
 * @return FTR_OK, or an error of the recorder */
ftr_status ftr_copy_put_attribute(ftr_copy_output *output, const ftr_copy_source *source,
                                  ftr_attribute_value *attribute, ftr_tx to);

/* Puts a relation between transactions of the output. @return FTR_OK, or an error of the recorder
 */
ftr_status ftr_copy_put_relation(ftr_copy_output *output, ftr_view name, ftr_tx from, ftr_tx to);

/* Copies the relations between copied transactions. Must be called after all transactions have been
 * copied. */
bool ftr_copy_put_relations(ftr_copy_output *output, ftr_copy_source *source);

/* Closes the output.
 * @param[out] rounded whether any float was rounded
 * @return false after an error message */
bool ftr_copy_close(ftr_copy_output *output, bool *rounded);

/* Prints warnings to stderr about data that was changed or dropped. @return true if anything was
 * lost */
bool ftr_copy_warn(const ftr_copy_output *output);

void ftr_copy_source_release(ftr_copy_source *source);

/* Converts the time scale of a file to an option of the recorder. @return false if the recorder
 * does not support it */
bool ftr_copy_time_scale(int file_scale, int *recorder_scale);

#endif
