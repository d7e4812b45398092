/* Owns the rules of alignment that C types follow by themselves. Spells nothing. */
#include "c_layout.h"

#define ALIGNMENT_MOST 16
#define VECTOR_MOST 16 /* bytes */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t c_layout_asked(const struct c_member *member)
{
    uint64_t alignment = member->alignment;
    const struct c_type *type = member->type;
    for (; type->kind == C_TYPEDEF || type->kind == C_CONST || type->kind == C_VOLATILE;
         type = type->target)
        alignment = larger(alignment, type->alignment);
    return alignment;
}

struct layout {
    uint64_t alignment;
    bool packed; /* of a struct or union */
};

static struct layout layout_of(const struct c_type *type);

static uint64_t power_of_two_in(uint64_t size)
{
    const uint64_t power = size & (~size + 1);
    return power < ALIGNMENT_MOST ? power : ALIGNMENT_MOST;
}

static bool crosses_its_unit(const struct c_member *member)
{
    const uint64_t unit = 8 * c_type_bare(member->type)->size;
    return unit && member->offset != C_BIT_UNKNOWN && member->offset % unit + member->bits > unit;
}

static struct layout layout_of_aggregate(const struct c_type *type)
{
    struct layout layout = {1, false};
    for (size_t i = 0; i < type->member_count; i++) {
        const struct c_member *member = &type->members[i];
        const uint64_t alignment = layout_of(member->type).alignment;
        layout.packed |= member->bits ? crosses_its_unit(member) : member->offset % alignment != 0;
        layout.alignment = larger(layout.alignment, larger(alignment, c_layout_asked(member)));
    }
    layout.packed |= type->size % layout.alignment != 0;
    if (layout.packed)
        layout.alignment = 1;
    return layout;
}

/* Where a machine aligns a type less than by its size, a struct may count as packed that is not:
 * its members lie where they should all the same. */
static struct layout layout_of(const struct c_type *type)
{
    const struct c_type *bare = c_type_bare(type);
    struct layout layout = {1, false};
    switch (bare->kind) {
    case C_ARRAY:
        return layout_of(bare->target);
    case C_STRUCT:
    case C_UNION:
        layout = layout_of_aggregate(bare);
        break;
    case C_COMPLEX:
        layout.alignment = power_of_two_in(bare->size / 2);
        break;
    default:
        layout.alignment = power_of_two_in(bare->size);
    }
    layout.alignment = larger(layout.alignment, larger(bare->alignment, 1));
    return layout;
}

bool c_layout_is_packed(const struct c_type *type)
{
    return layout_of(type).packed;
}

bool c_layout_needs_options(const struct c_type *type)
{
    const struct c_type *bare = c_type_bare(type);
    if (bare->kind == C_VECTOR)
        return bare->size > VECTOR_MOST;
    if (bare->kind == C_ARRAY)
        return c_layout_needs_options(bare->target);
    for (size_t i = 0; i < bare->member_count; i++)
        if (c_layout_needs_options(bare->members[i].type))
            return true;
    return false;
}
