/** @file
 *  Writes a sound file from a truncated or damaged one. Included by <ftr/reader.h>. */
#ifndef FTR_FILE_REPAIR_H
#define FTR_FILE_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a repair kept and lost. */
typedef struct ftr_repair {
    uint64_t chunks_kept;           /**< byte for byte */
    uint64_t chunks_salvaged;       /**< cut or corrupt chunks of which the beginning was kept */
    uint64_t transactions_salvaged; /**< in them */
    uint64_t relations_salvaged;    /**< in them */
    uint64_t chunks_dropped;        /**< of which nothing could be kept */
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bytes_dropped;        /**< bytes of the input that have no trace in the output */
    bool was_sound;                /**< the output is the input */
    uint64_t transactions_dropped; /**< whole, but in contradiction to others */
    uint64_t attributes_dropped;   /**< without a valid type, value or text */
    uint64_t relations_dropped;    /**< their name or one of their transactions is lost */
    uint64_t definitions_lost;     /**< streams and generators that got a made-up definition */
    uint64_t texts_lost;           /**< texts that are nowhere defined, or are not UTF-8 */
    uint64_t times_changed;        /**< transactions that ended before they began */
    bool lost;                     /**< the output lacks something that the input had */
} ftr_repair;

/** Makes a sound file of a torn or damaged one: keeps every chunk that is whole, of a cut one the
 *  leading entries that are, and ends it properly. Never touches the input.
 *  @param told is given one sentence for each thing done or lost; NULL: nobody is
 *  @return FTR_OK; FTR_ERR_FORMAT when the input is no FTR file; FTR_ERR_IO with errno set, then
 *          there is no output; FTR_ERR_ARGUMENT when output and input are the same file */
FTR_API ftr_status ftr_file_repair(const char *input, const char *output,
                                   void (*told)(void *user, const char *message), void *told_user,
                                   ftr_repair *repair);

/** As above for a struct of @p size bytes: see recorder.h, "sizes of structs". */
FTR_API ftr_status ftr_file_repair_sized(const char *input, const char *output,
                                         void (*on_message)(void *user, const char *message),
                                         void *user, ftr_repair *repair, size_t size);

#ifndef FTR_BUILDING_LIBRARY
static inline ftr_status ftr_file_repair_inline(const char *input, const char *output,
                                                void (*on_message)(void *user, const char *message),
                                                void *user, ftr_repair *repair)
{
    return ftr_file_repair_sized(input, output, on_message, user, repair, sizeof *repair);
}
#define ftr_file_repair ftr_file_repair_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
