/** @file
 *  Memory of one run of a command: everything taken lives until the arena is reset. */
#ifndef FTR_COMMAND_ARENA_H
#define FTR_COMMAND_ARENA_H

#include <stddef.h>

typedef struct ftr_link_arena_block ftr_link_arena_block;

/** Zero-initialise before first use. */
typedef struct ftr_link_arena {
    ftr_link_arena_block *blocks;
} ftr_link_arena;

/** Zeroed memory. Never NULL: a command that runs out of memory ends with a message. */
void *ftr_link_arena_take(ftr_link_arena *arena, size_t count, size_t size);

/** A copy of @p length bytes with a NUL behind them. */
char *ftr_arena_copy(ftr_link_arena *arena, const char *text, size_t length);

char *ftr_arena_text(ftr_link_arena *arena, const char *text);
char *ftr_arena_print(ftr_link_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ftr_arena_reset(ftr_link_arena *arena);

/** Makes room for one element more in an array that lives in an arena: doubles it when it is full.
 *  @return the array, moved or not */
void *ftr_link_arena_grow(ftr_link_arena *arena, void *array, size_t count, size_t element_size);

/** Appends @p value to the array @p items of @p count elements. */
#define FTR_ARENA_APPEND(arena, items, count, value)                               \
    do {                                                                           \
        (items) = ftr_link_arena_grow((arena), (items), (count), sizeof *(items)); \
        (items)[(count)++] = (value);                                              \
    } while (0)

#endif
