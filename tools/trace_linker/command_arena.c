/* The memory of one run of a command. A run is short and its data small, so nothing is freed before
 * the end. If out of memory, the command exits, so callers need not check for NULL. Therefore
 * libraries must not use this file. */
#include "command_arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct ftr_link_arena_block {
    struct ftr_link_arena_block *next;
    size_t used;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void ftr_link_out_of_memory(void)
{
    fputs("error: out of memory\n", stderr);
    exit(10);
}

static ftr_link_arena_block *new_block(size_t size)
{
    ftr_link_arena_block *block = calloc(1, sizeof *block + size);
    if (block == NULL)
        ftr_link_out_of_memory();
    block->size = size;
    return block;
}

void *ftr_link_arena_allocate(ftr_link_arena *arena, size_t count, size_t size)
{
    const size_t unit = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX / 2) / size)
        ftr_link_out_of_memory();
    size_t bytes = (count * size + unit - 1) / unit * unit;
    ftr_link_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        block = new_block(bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE);
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    return memory;
}

char *ftr_arena_copy(ftr_link_arena *arena, const char *text, size_t length)
{
    char *copy = ftr_link_arena_allocate(arena, length + 1, 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *ftr_arena_text(ftr_link_arena *arena, const char *text)
{
    return ftr_arena_copy(arena, text, strlen(text));
}

char *ftr_arena_print(ftr_link_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        ftr_link_out_of_memory();
    char *text = ftr_link_arena_allocate(arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void ftr_arena_reset(ftr_link_arena *arena)
{
    while (arena->blocks != NULL) {
        ftr_link_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}

void *ftr_link_arena_grow(ftr_link_arena *arena, void *array, size_t count, size_t element_size)
{
    /* The capacity is not stored: it is always `count` rounded up to a power of two. */
    if (count && (count & (count - 1)))
        return array;
    void *larger = ftr_link_arena_allocate(arena, count ? 2 * count : 1, element_size);
    if (count)
        memcpy(larger, array, count * element_size);
    return larger;
}

void ftr_name_list_add(ftr_link_arena *arena, ftr_name_list *list, const char *name)
{
    FTR_ARENA_APPEND(arena, list->names, list->count, name);
}

bool ftr_name_list_has(const ftr_name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}
