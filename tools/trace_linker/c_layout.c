/* Infers from sizes and offsets which structs are packed, with the usual alignments of C types.
 * Does not print types. */
#include "c_layout.h"

#define ALIGNMENT_MAX 16
#define VECTOR_MAX 16 /* bytes */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t ftr_c_layout_requested(const ftr_c_member *member)
{
    uint64_t alignment = member->alignment;
    const ftr_c_type *type = member->type;
    for (; type->kind == FTR_C_TYPEDEF || type->kind == FTR_C_CONST || type->kind == FTR_C_VOLATILE;
         type = type->target)
        alignment = larger(alignment, type->alignment);
    return alignment;
}

typedef struct type_layout {
    uint64_t alignment;
    bool packed; /* the type is a packed struct or union */
} type_layout;

static type_layout layout_of(const ftr_c_type *type);

static uint64_t power_of_two_in(uint64_t size)
{
    const uint64_t power = size & (~size + 1);
    return power < ALIGNMENT_MAX ? power : ALIGNMENT_MAX;
}

static bool crosses_its_unit(const ftr_c_member *member)
{
    const uint64_t unit = 8 * ftr_c_type_bare(member->type)->size;
    return unit && member->offset != FTR_C_BIT_UNKNOWN &&
           member->offset % unit + member->bits > unit;
}

static type_layout layout_of_aggregate(const ftr_c_type *type)
{
    type_layout layout = {1, false};
    for (size_t i = 0; i < type->member_count; i++) {
        const ftr_c_member *member = &type->members[i];
        const uint64_t alignment = layout_of(member->type).alignment;
        layout.packed |= member->bits ? crosses_its_unit(member) : member->offset % alignment != 0;
        layout.alignment =
            larger(layout.alignment, larger(alignment, ftr_c_layout_requested(member)));
    }
    layout.packed |= type->size % layout.alignment != 0;
    if (layout.packed)
        layout.alignment = 1;
    return layout;
}

/* Returns the alignment of a type, and whether it is packed, neither of which the debug information
 * contains. The alignment of a scalar is the greatest power of two in its size, at most 16. A
 * struct is packed if its size or the offset of a member contradicts these alignments. If the
 * machine aligns a type to less than its size, a struct that is not packed may be taken for packed.
 * This is harmless, because its members have the same offsets in both cases. */
static type_layout layout_of(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    type_layout layout = {1, false};
    switch (bare->kind) {
    case FTR_C_ARRAY:
        return layout_of(bare->target);
    case FTR_C_STRUCT:
    case FTR_C_UNION:
        layout = layout_of_aggregate(bare);
        break;
    case FTR_C_COMPLEX:
        layout.alignment = power_of_two_in(bare->size / 2);
        break;
    default:
        layout.alignment = power_of_two_in(bare->size);
    }
    layout.alignment = larger(layout.alignment, larger(bare->alignment, 1));
    return layout;
}

bool ftr_c_layout_is_packed(const ftr_c_type *type)
{
    return layout_of(type).packed;
}

bool ftr_c_layout_needs_options(const ftr_c_type *type)
{
    const ftr_c_type *bare = ftr_c_type_bare(type);
    if (bare->kind == FTR_C_VECTOR)
        return bare->size > VECTOR_MAX;
    if (bare->kind == FTR_C_ARRAY)
        return ftr_c_layout_needs_options(bare->target);
    for (size_t i = 0; i < bare->member_count; i++)
        if (ftr_c_layout_needs_options(bare->members[i].type))
            return true;
    return false;
}
