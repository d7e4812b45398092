/* Owns the memory of one run of a command. A link is short and its data small, so nothing is freed
 * before the end and no caller checks for NULL: out of memory ends the command. Not for libraries.
 */
#include "command_arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

static _Noreturn void out_of_memory(void)
{
    fputs("error: out of memory\n", stderr);
    exit(10);
}

static struct arena_block *new_block(size_t size)
{
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (block == NULL)
        out_of_memory();
    block->size = size;
    return block;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX / 2) / size)
        out_of_memory();
    size_t bytes = (count * size + unit - 1) / unit * unit;
    struct arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        block = new_block(bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE);
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    return memory;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1, 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_copy(arena, text, strlen(text));
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        out_of_memory();
    char *text = arena_take(arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_reset(struct arena *arena)
{
    while (arena->blocks != NULL) {
        struct arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t element_size)
{
    /* Room is always the power of two at or above the count, so it need not be stored. */
    if (count && (count & (count - 1)))
        return array;
    void *larger = arena_take(arena, count ? 2 * count : 1, element_size);
    if (count)
        memcpy(larger, array, count * element_size);
    return larger;
}
