/** @file
 *  A heap of fixed blocks. */
#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/** @return NULL if no block is free */
void *heap_take(size_t size);
void heap_give(void *block);

#endif
