/** @file
 *  Memory of one run of a command, and growing arrays and lists in it. All allocations are valid
 * until the arena is reset. */
#ifndef FTR_COMMAND_ARENA_H
#define FTR_COMMAND_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_link_arena_block ftr_link_arena_block;

/** Must be zero-initialised. */
typedef struct ftr_link_arena {
    ftr_link_arena_block *blocks;
} ftr_link_arena;

/* Prints an error and ends the command. */
__attribute__((noreturn)) void ftr_link_out_of_memory(void);

/** Allocates zeroed memory for @p count elements of @p size bytes. Never returns NULL: if out of
 * memory, the command exits with a message. */
void *ftr_link_arena_allocate(ftr_link_arena *arena, size_t count, size_t size);

/** Returns a copy of @p length bytes with a NUL added. */
char *ftr_arena_copy(ftr_link_arena *arena, const char *text, size_t length);

char *ftr_arena_text(ftr_link_arena *arena, const char *text);
char *ftr_arena_print(ftr_link_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void ftr_arena_reset(ftr_link_arena *arena);

/** Makes room for one more element behind the @p count elements of @p array. The array must come
 * from this function (NULL: there is no array yet, and @p count is 0). A full array is copied to
 * one of twice the size.
 *  @return the array, which may have moved */
void *ftr_link_arena_grow(ftr_link_arena *arena, void *array, size_t count, size_t element_size);

/** Appends @p value to the array @p items, which has @p count elements, and increments @p count. */
#define FTR_ARENA_APPEND(arena, items, count, value)                               \
    do {                                                                           \
        (items) = ftr_link_arena_grow((arena), (items), (count), sizeof *(items)); \
        (items)[(count)++] = (value);                                              \
    } while (0)

/** An ordered list of texts. The texts are not copied. */
typedef struct ftr_name_list {
    const char **names;
    size_t count;
} ftr_name_list;

void ftr_name_list_add(ftr_link_arena *arena, ftr_name_list *list, const char *name);
bool ftr_name_list_has(const ftr_name_list *list, const char *name);

#endif
