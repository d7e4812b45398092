/** @file
 *  Counts and sizes of a file's content. Included by <ftr/reader.h>. */
#ifndef FTR_FILE_INFO_H
#define FTR_FILE_INFO_H

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
    FTR_CHUNK_UNKNOWN /**< a tag that the format does not define; skipped */
} ftr_chunk_kind;
#define FTR_CHUNK_KINDS 6

/** The content of a file according to the index. For a pipe: the part read so far. */
typedef struct ftr_file_info {
    int time_scale;        /**< a tick is 10^time_scale seconds */
    bool has_info;         /**< false: time_scale is the default, -12 */
    int64_t epoch_seconds; /**< wall-clock time of tick 0, in seconds since 1970 */
    uint64_t size;         /**< bytes of the file */
    /** number of bytes before the first torn chunk or unknown bytes; `size` if there are none */
    uint64_t sound_size;
    bool ended;                               /**< the file has the closing break */
    bool has_times;                           /**< the file has a transaction chunk */
    uint64_t first_time;                      /**< least start of all transaction chunks */
    uint64_t last_time;                       /**< greatest end of all transaction chunks */
    uint64_t chunks[FTR_CHUNK_KINDS];         /**< number of chunks of each kind */
    uint64_t bytes[FTR_CHUNK_KINDS];          /**< size of these chunks in the file */
    uint64_t bytes_expanded[FTR_CHUNK_KINDS]; /**< size of their contents after decompression */
    uint64_t compressed_chunks;
    uint64_t strings; /**< dictionary entries */
    uint64_t findings;
} ftr_file_info;

#ifdef __cplusplus
}
#endif

#endif
