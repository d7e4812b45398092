/* Owns the tables of attributes, and the search in them. Does not know how they are filled. */
#include "generator_attributes.h"

#include "attribute_kinds.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const ftr_found_attribute *found, const ftr_attribute_value *attribute)
{
    return found->class_ == attribute->class_ && found->type == attribute->type &&
           found->name_size == attribute->name.size &&
           (found->name_size == 0 ||
            memcmp(found->name, attribute->name.data, found->name_size) == 0);
}

void ftr_attribute_visit_begin(ftr_generator_attributes *generator)
{
    generator->visit++;
    generator->next = 0;
}

ftr_found_attribute *ftr_attribute_visit(ftr_generator_attributes *generator,
                                         const ftr_attribute_value *attribute)
{
    for (size_t i = 0; i < generator->count; i++) {
        const size_t at = (generator->next + i) % generator->count;
        ftr_found_attribute *found = &generator->attributes[at];
        if (found->visit != generator->visit && found->form == ftr_attribute_kind_form(attribute) &&
            has_name(found, attribute)) {
            found->visit = generator->visit;
            generator->next = at + 1;
            return found;
        }
    }
    return NULL;
}

bool ftr_attribute_tables_copy(const ftr_attribute_tables *tables, ftr_attribute_tables *copy)
{
    *copy = (ftr_attribute_tables){
        .is_copy = true, .largest = tables->largest, .transactions = tables->transactions};
    copy->generators = calloc(tables->count + 1, sizeof *copy->generators);
    if (copy->generators == NULL)
        return false;
    for (; copy->count < tables->count; copy->count++) {
        const ftr_generator_attributes *from = &tables->generators[copy->count];
        ftr_generator_attributes *to = &copy->generators[copy->count];
        if (from->count == 0)
            continue;
        to->attributes = malloc(from->count * sizeof *to->attributes);
        if (to->attributes == NULL)
            return false;
        memcpy(to->attributes, from->attributes, from->count * sizeof *to->attributes);
        to->count = to->capacity = from->count;
        to->transactions = from->transactions;
        to->visit = from->visit;
    }
    return true;
}

void ftr_attribute_tables_release(ftr_attribute_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        for (size_t k = 0; k < tables->generators[i].count && !tables->is_copy; k++)
            free(tables->generators[i].attributes[k].name);
        free(tables->generators[i].attributes);
    }
    free(tables->generators);
    *tables = (ftr_attribute_tables){0};
}
