/** @file
 *  Writes items inline. Included by recorder_inline.h. */
#ifndef FTR_ITEM_INLINE_H
#define FTR_ITEM_INLINE_H

#include <stdint.h>
#include <string.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/recorder_layout.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The memory of an item. A separate type tells compilers that writing an item changes no slot. */
typedef struct ftr_item_halves {
    volatile uint64_t head;
    volatile uint64_t value;
} ftr_item_halves;

/** Returns the first half of an item of a declared attribute. */
FTR_INLINE uint64_t ftr_declared_head(const ftr_entity *entity, unsigned attribute)
{
    uint64_t half;
    if (__builtin_constant_p(attribute) && attribute < FTR_ENTITY_HEADS)
        memcpy(&half, &entity->heads[attribute], sizeof half);
    else
        memcpy(&half, &entity->attributes.at[attribute], sizeof half);
    return half;
}

/** Write the halves of an item. They are volatile, because compilers would otherwise combine them
 *  in a vector register, which takes longer. */
FTR_INLINE void ftr_item_write_head(uint8_t *to, uint64_t head)
{
    ((ftr_item_halves *)(void *)to)->head = head;
}
FTR_INLINE void ftr_item_write_value(uint8_t *to, uint64_t value)
{
    ((ftr_item_halves *)(void *)to)->value = value;
}

/** Writes an item. */
FTR_INLINE void ftr_item_write(uint8_t *to, uint64_t head, uint64_t value)
{
    ftr_item_write_head(to, head);
    ftr_item_write_value(to, value);
}

#ifdef __cplusplus
}
#endif

#endif
