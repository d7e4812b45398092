/* The buffers of a recorder together: each has a budget of blocks and a policy for full ones. */
#ifndef FTR_BUFFERS_H
#define FTR_BUFFERS_H

#include "recorder_state.h"

/* The initial value of ftr_buffer_entry.unread_usual: 1 MiB. */
#define FTR_UNREAD_USUAL ((size_t)16)

/* Sets the budget of a buffer. */
void ftr_buffer_set_budget(ftr_buffer_entry *buffer, size_t blocks);

/* Sets up number 0, with a budget of @p blocks. */
void ftr_buffers_init(ftr_recorder *rec, size_t blocks);
void ftr_buffers_release(ftr_recorder *rec);

/* The buffer with a glob that matches the stream name; 0: none. */
uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *name);

/* A drain begins: returns whether it has to write content that was triggered. The caller holds
 * `encoding`. */
bool ftr_buffers_begin_drain(ftr_recorder *rec);

/* A drain has written triggered content. The caller holds `encoding`. */
void ftr_buffers_end_drain(ftr_recorder *rec);

/* Returns whether a buffer blocks threads, or soon will. The caller holds `encoding` and `lock`. */
bool ftr_buffers_are_short(const ftr_recorder *rec);

#endif
