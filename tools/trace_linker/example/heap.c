/* Owns the blocks of the heap: eight blocks of 64 bytes. */
#include "kernel.h"

enum { BLOCKS = 8, BLOCK_SIZE = 64 };

static union {
    max_align_t aligned;
    unsigned char bytes[BLOCK_SIZE];
} blocks[BLOCKS];
static unsigned used;

void *heap_take(size_t size)
{
    for (unsigned i = 0; size <= BLOCK_SIZE && i < BLOCKS; i++)
        if (!(used & 1u << i)) {
            used |= 1u << i;
            return blocks[i].bytes;
        }
    return NULL;
}

void heap_give(void *block)
{
    for (unsigned i = 0; i < BLOCKS; i++)
        if (block == blocks[i].bytes)
            used &= ~(1u << i);
}
