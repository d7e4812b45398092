/** @file
 *  Writes a valid file from a truncated or damaged one. Included by <ftr/reader.h>. */
#ifndef FTR_FILE_REPAIR_H
#define FTR_FILE_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Counts of a repair. */
typedef struct ftr_repair {
    uint64_t chunks_kept;           /**< chunks copied byte for byte */
    uint64_t chunks_salvaged;       /**< truncated or corrupt chunks of which a part was kept */
    uint64_t transactions_salvaged; /**< in salvaged chunks */
    uint64_t relations_salvaged;    /**< in salvaged chunks */
    uint64_t chunks_dropped;        /**< chunks of which nothing could be kept */
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bytes_dropped;        /**< bytes of the input that are missing in the output */
    bool was_sound;                /**< the output is equal to the input */
    uint64_t transactions_dropped; /**< undamaged transactions that contradict others */
    uint64_t attributes_dropped;   /**< attributes without a valid type, value or text */
    uint64_t relations_dropped;    /**< relations of which the name or a transaction is lost */
    uint64_t definitions_lost;     /**< streams and generators that got an invented definition */
    uint64_t texts_lost;           /**< texts that are not defined anywhere, or are not UTF-8 */
    /** transactions that ended before they began; their duration was set to 0 */
    uint64_t times_changed;
    /** the output lacks data of the input, or data recorded after the input's end (`was_open`) */
    bool lost;
    bool was_open; /**< the input has no end: data recorded after its last chunk is missing */
} ftr_repair;

/** Options of a repair. Must be zero-initialised before members are set. */
typedef struct ftr_repair_options {
    size_t size;      /**< size of this struct; 0: the struct of this version */
    unsigned threads; /**< number of threads that read a large file; 0: one for each processor */
    /** called with one sentence for each repair or loss; may be NULL */
    void (*on_message)(void *user, const char *message);
    void *user;
} ftr_repair_options;

/** Writes a valid file from a torn or damaged one. Keeps the undamaged chunks, and the undamaged
 * entries of damaged chunks. Drops entries that contradict others. Gives substitute names to
 * streams, generators and texts whose names are lost. Ends the file correctly. Never changes the
 * input. On error, there is no output. The output is the same for all numbers of threads.
 *  @param options NULL: all defaults
 *  @param[out] repair filled on success; may be NULL
 *  @return FTR_OK; FTR_ERR_FORMAT if the input is not an FTR file; FTR_ERR_IO with errno set;
 *          FTR_ERR_LIMIT or FTR_ERR_MEMORY if the repair needs too much memory; FTR_ERR_ARGUMENT if
 *          output and input are the same file */
FTR_API ftr_status ftr_file_repair_with(const char *input, const char *output,
                                        const ftr_repair_options *options, ftr_repair *repair);

/** Like ftr_file_repair_with(), with the default number of threads. */
FTR_API ftr_status ftr_file_repair(const char *input, const char *output,
                                   void (*on_message)(void *user, const char *message), void *user,
                                   ftr_repair *repair);

#ifdef __cplusplus
}
#endif

#endif
