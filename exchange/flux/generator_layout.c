/* Owns the layouts of generators: flux declares members, but FTR does not declare attributes. */
#include "generator_layout.h"

#include "growing_array.h"
#include "indexed_table.h"
#include "vector_text.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a sample besides its members, and of a member besides its value. */
#define SAMPLE_BYTES 64
#define MEMBER_BYTES 11

/* Boolean, number and real are distinguished by form in addition to type, because files may contain
 * any combination. */
static ftr_form kind_of(ftr_form form)
{
    return form == FTR_FORM_INTEGER ? FTR_FORM_NUMBER : form;
}

static bool is_same(const ftr_layout_member *member, const ftr_attribute_value *attribute)
{
    return member->class_ == attribute->class_ && member->type == attribute->type &&
           member->form == kind_of(attribute->form) && member->name_size == attribute->name.size &&
           (member->name_size == 0 ||
            memcmp(member->name, attribute->name.data, member->name_size) == 0);
}

ftr_layout_member *ftr_layout_take(ftr_generator_layout *layout,
                                   const ftr_attribute_value *attribute, uint64_t number,
                                   size_t hint)
{
    for (size_t i = 0; i < layout->count; i++) {
        ftr_layout_member *member = &layout->members[(hint + i) % layout->count];
        if (member->last != number && is_same(member, attribute)) {
            member->last = number;
            return member;
        }
    }
    return NULL;
}

static ftr_layout_member *add(ftr_generator_layout *layout, const ftr_attribute_value *attribute,
                              uint64_t number)
{
    ftr_layout_member *grown =
        ftr_array_room(layout->members, &layout->capacity, layout->count + 1, sizeof *grown);
    if (grown == NULL)
        return NULL;
    layout->members = grown;
    char *name = malloc(attribute->name.size + 1);
    if (name == NULL)
        return NULL;
    if (attribute->name.size > 0)
        memcpy(name, attribute->name.data, attribute->name.size);
    name[attribute->name.size] = '\0';
    ftr_layout_member *member = &layout->members[layout->count++];
    *member = (ftr_layout_member){.name = name,
                                  .name_size = attribute->name.size,
                                  .class_ = attribute->class_,
                                  .type = attribute->type,
                                  .form = kind_of(attribute->form),
                                  .last = number};
    return member;
}

static ftr_generator_layout *layout_of(ftr_layouts *layouts, size_t index)
{
    ftr_generator_layout *grown =
        ftr_table_reach(layouts->generators, &layouts->count, index, sizeof *grown);
    if (grown == NULL)
        return NULL;
    layouts->generators = grown;
    return &layouts->generators[index];
}

static bool note(ftr_layouts *layouts, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_generator_layout *layout = layout_of(layouts, tx->generator->index);
    ftr_attribute_value attribute;
    size_t size = SAMPLE_BYTES;
    size_t hint = 0;
    if (layout == NULL)
        return false;
    layouts->transactions++;
    layout->transactions++;
    char digits[FTR_VECTOR_DIGITS];
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE)
            continue;
        ftr_vector_as_text(&attribute, digits);
        ftr_layout_member *member =
            ftr_layout_take(layout, &attribute, layouts->transactions, hint);
        if (member == NULL)
            member = add(layout, &attribute, layouts->transactions);
        if (member == NULL)
            return false;
        hint = (size_t)(member - layout->members) + 1;
        size += MEMBER_BYTES + (attribute.form == FTR_FORM_TEXT ? attribute.as.text.size : 8);
    }
    layouts->largest = size > layouts->largest ? size : layouts->largest;
    return true;
}

ftr_status ftr_layouts_find(ftr_layouts *layouts, ftr_reader *reader)
{
    const ftr_query query = {.size = sizeof query};
    ftr_cursor *cursor;
    ftr_transaction tx;
    *layouts = (ftr_layouts){0};
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        if (!note(layouts, reader, &tx)) {
            status = FTR_ERR_MEMORY;
            break;
        }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

void ftr_layouts_release(ftr_layouts *layouts)
{
    for (size_t i = 0; i < layouts->count; i++) {
        for (size_t k = 0; k < layouts->generators[i].count; k++)
            free(layouts->generators[i].members[k].name);
        free(layouts->generators[i].members);
    }
    free(layouts->generators);
    *layouts = (ftr_layouts){0};
}
