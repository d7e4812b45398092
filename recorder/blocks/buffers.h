/* Functions for all buffers of a recorder. Each buffer has a budget of blocks and a policy for full
 * blocks. */
#ifndef FTR_BUFFERS_H
#define FTR_BUFFERS_H

#include "recorder_state.h"

/* The initial value of ftr_buffer_entry.unread_usual, in blocks: 1 MiB. */
#define FTR_UNREAD_USUAL ((size_t)16)

/* Sets the budget of a buffer that no thread uses yet. */
void ftr_buffer_set_budget(ftr_buffer_entry *buffer, size_t blocks);

/* Names the main buffer, and sets its budget. If @p blocks is 0, the budget stays. */
void ftr_buffers_set_main(ftr_recorder *rec, const char *name, size_t blocks);

/* Sets up the main buffer, which has number 0, with a budget of @p blocks blocks and with @p
 * policy. */
void ftr_buffers_init(ftr_recorder *rec, const ftr_block_policy *policy, size_t blocks);
void ftr_buffers_release(ftr_recorder *rec);

/* Allows the budget of the main buffer to grow to @p blocks blocks, or to as many as the address
 * space has room for. */
void ftr_buffers_allow_growth(ftr_recorder *rec, size_t blocks);

/* Adjusts the budget of a buffer to the number of streams with data. With many streams, more blocks
 * are retained, because otherwise each stream would have only a few transactions in a chunk. The
 * budget does not grow beyond the space of the journal. Returns whether the budget has grown: the
 * blocks for which a thread waits may then be free. The caller holds `encoding`. */
bool ftr_buffer_fit(ftr_recorder *rec, ftr_buffer_entry *buffer);

/* Returns whether enough blocks of the buffer are retained to release some of them: all but half of
 * its usual budget. The caller holds `encoding`. */
static inline bool ftr_buffer_retains_enough(const ftr_buffer_entry *buffer)
{
    return buffer->retained + buffer->blocks_usual / 2 >= buffer->blocks_max;
}

/* Returns the number of the first buffer with a glob that matches the name of a stream or of its
 * owner (NULL: none); 0: there is no such buffer. */
uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *owner, const char *name);

/* Called when a drain begins: returns whether the drain must write the content of triggered rings.
 * The caller holds `encoding`. */
bool ftr_buffers_begin_drain(ftr_recorder *rec);

/* Called when a drain has written the content of triggered rings. The caller holds `encoding`. */
void ftr_buffers_end_drain(ftr_recorder *rec);

/* Returns whether a buffer is full because of its retained blocks, and its budget cannot grow. If a
 * buffer is full because of blocks that the drain has not read yet, returns false: the next pass of
 * the drain helps. The caller holds `encoding`. */
bool ftr_buffers_are_short(ftr_recorder *rec);

/* Returns the number of full blocks of a buffer that are not yet released. */
size_t ftr_buffer_in_use(ftr_recorder *rec, uint32_t buffer);

/* Adds a buffer and sets @p number to the number of the buffer. Returns false if the recorder has
 * FTR_BUFFERS_MAX buffers. The caller holds `encoding`. */
FTR_MUST_USE bool ftr_buffers_add(ftr_recorder *rec, const ftr_buffer_entry *entry,
                                  uint32_t *number);

#endif
