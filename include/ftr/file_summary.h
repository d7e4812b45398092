/** @file
 *  The content of a file in figures. Included by <ftr/reader.h>. */
#ifndef FTR_FILE_SUMMARY_H
#define FTR_FILE_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ftr_chunk_kind {
    FTR_CHUNK_INFO,
    FTR_CHUNK_DICTIONARY,
    FTR_CHUNK_DIRECTORY,
    FTR_CHUNK_TRANSACTIONS,
    FTR_CHUNK_RELATIONS,
    FTR_CHUNK_UNKNOWN /**< of a tag that the format does not have; skipped */
} ftr_chunk_kind;
#define FTR_CHUNK_KINDS 6

/** What is in a file, as far as the index tells. From a pipe: what has been read so far. */
typedef struct ftr_summary {
    int time_scale;        /**< a tick is 10^time_scale seconds */
    bool has_info;         /**< false: time_scale is -12 for want of better */
    int64_t epoch_seconds; /**< wall-clock time of tick 0, since 1970 */
    uint64_t size;         /**< bytes of the file */
    uint64_t sound_size;   /**< bytes before what is torn or no chunk; `size` when nothing is */
    bool ended;            /**< the closing break is there */
    bool has_times;        /**< there is a transaction chunk */
    uint64_t first_time;   /**< least start of a transaction chunk */
    uint64_t last_time;    /**< greatest end of one */
    uint64_t chunks[FTR_CHUNK_KINDS];
    uint64_t bytes[FTR_CHUNK_KINDS];          /**< of these chunks in the file */
    uint64_t bytes_expanded[FTR_CHUNK_KINDS]; /**< of their contents, expanded */
    uint64_t compressed_chunks;
    uint64_t strings; /**< dictionary entries */
    uint64_t findings;
} ftr_summary;

#ifdef __cplusplus
}
#endif

#endif
