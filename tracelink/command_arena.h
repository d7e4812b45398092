/** @file
 *  Memory of one run of a command: everything taken lives until the arena is reset. */
#ifndef TRACELINK_COMMAND_ARENA_H
#define TRACELINK_COMMAND_ARENA_H

#include <stddef.h>

struct arena_block;

/** Zero-initialise before first use. */
struct arena {
    struct arena_block *blocks;
};

/** Zeroed memory. Never NULL: a command that runs out of memory ends with a message. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/** A copy of @p length bytes with a NUL behind them. */
char *arena_copy(struct arena *arena, const char *text, size_t length);

char *arena_text(struct arena *arena, const char *text);
char *arena_print(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void arena_reset(struct arena *arena);

/** Makes room for one element more in an array that lives in an arena: doubles it when it is full.
 *  @return the array, moved or not */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t element_size);

/** Appends @p value to the array @p items of @p count elements. */
#define ARENA_APPEND(arena, items, count, value)                          \
    do {                                                                  \
        (items) = arena_grow((arena), (items), (count), sizeof *(items)); \
        (items)[(count)++] = (value);                                     \
    } while (0)

#endif
