/* Owns the reconstruction of declarations, which FTR does not have: an attribute that every
 * transaction of its generator has, with one type and class, counts as declared. */
#include "common_attributes.h"

#include "growing_array.h"
#include "indexed_table.h"

#include <stdlib.h>
#include <string.h>

static bool is_same(const ftr_common_attribute *declared, const ftr_attribute_value *attribute)
{
    return declared->type == attribute->type && declared->name_size == attribute->name.size &&
           (attribute->name.size == 0 ||
            memcmp(declared->name, attribute->name.data, attribute->name.size) == 0);
}

static size_t find(const ftr_common_list *list, const ftr_attribute_value *attribute, size_t hint)
{
    if (hint < list->count && is_same(&list->attributes[hint], attribute))
        return hint;
    for (size_t i = 0; i < list->count; i++)
        if (is_same(&list->attributes[i], attribute))
            return i;
    return SIZE_MAX;
}

size_t ftr_common_number(const ftr_common_generator *generator,
                         const ftr_attribute_value *attribute, size_t hint)
{
    return find(&generator->lists[attribute->class_], attribute, hint);
}

static bool add(ftr_common_list *list, const ftr_attribute_value *attribute)
{
    ftr_common_attribute *grown =
        ftr_array_room(list->attributes, &list->capacity, list->count + 1, sizeof *grown);
    if (grown == NULL)
        return false;
    list->attributes = grown;
    char *name = malloc(attribute->name.size + 1);
    if (name == NULL)
        return false;
    if (attribute->name.size > 0)
        memcpy(name, attribute->name.data, attribute->name.size);
    list->attributes[list->count++] = (ftr_common_attribute){
        .name = name, .name_size = attribute->name.size, .type = attribute->type};
    return true;
}

static ftr_common_generator *generator_of(ftr_common_attributes *declarations, size_t index)
{
    ftr_common_generator *grown =
        ftr_table_reach(declarations->generators, &declarations->count, index, sizeof *grown);
    if (grown == NULL)
        return NULL;
    declarations->generators = grown;
    return &declarations->generators[index];
}

/* An attribute that the first transaction of a generator does not have cannot be in all of them. */
static bool note(ftr_common_generator *generator, ftr_reader *reader, ftr_transaction *tx)
{
    size_t next[3] = {0};
    ftr_attribute_value attribute;
    const bool first = generator->transactions++ == 0;
    if (!first && generator->lists[FTR_CLASS_BEGIN].count == 0 &&
        generator->lists[FTR_CLASS_END].count == 0)
        return true;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.class_ == FTR_CLASS_RECORD || attribute.form == FTR_FORM_NONE)
            continue;
        ftr_common_list *list = &generator->lists[attribute.class_];
        size_t at = find(list, &attribute, next[attribute.class_]);
        if (at == SIZE_MAX && first && add(list, &attribute))
            at = list->count - 1;
        else if (at == SIZE_MAX && first)
            return false;
        if (at == SIZE_MAX)
            continue;
        if (list->attributes[at].last != generator->transactions) {
            list->attributes[at].last = generator->transactions;
            list->attributes[at].present++;
        }
        next[attribute.class_] = at + 1;
    }
    return true;
}

static void keep_common(ftr_common_generator *generator)
{
    for (unsigned class_ = 0; class_ < 3; class_++) {
        ftr_common_list *list = &generator->lists[class_];
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++)
            if (list->attributes[i].present == generator->transactions)
                list->attributes[kept++] = list->attributes[i];
            else
                free(list->attributes[i].name);
        list->count = kept;
    }
}

ftr_status ftr_common_attributes_find(ftr_common_attributes *declarations, ftr_reader *reader)
{
    const ftr_query query = {.size = sizeof query};
    ftr_cursor *cursor;
    ftr_transaction tx;
    *declarations = (ftr_common_attributes){0};
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        ftr_common_generator *generator = generator_of(declarations, tx.generator->index);
        if (generator == NULL || !note(generator, reader, &tx)) {
            status = FTR_ERR_MEMORY;
            break;
        }
    }
    ftr_cursor_close(cursor);
    for (size_t i = 0; i < declarations->count; i++)
        keep_common(&declarations->generators[i]);
    return status == FTR_ERR_END ? FTR_OK : status;
}

void ftr_common_attributes_release(ftr_common_attributes *declarations)
{
    for (size_t i = 0; i < declarations->count; i++)
        for (unsigned class_ = 0; class_ < 3; class_++) {
            ftr_common_list *list = &declarations->generators[i].lists[class_];
            for (size_t k = 0; k < list->count; k++)
                free(list->attributes[k].name);
            free(list->attributes);
        }
    free(declarations->generators);
    *declarations = (ftr_common_attributes){0};
}
