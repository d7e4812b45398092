/* Owns the conversion of attributes to values of the recorder, and the choice of the declared
 * attributes of a generator. Does not record. */
#include "copied_attributes.h"

#include <stdlib.h>
#include <string.h>

/* Attributes with a longer name are not declared, in bytes. */
#define DECLARED_NAME_MAX 255

typedef struct declared_attribute {
    ftr_attribute attribute;
    size_t name_size;
} declared_attribute;

struct ftr_copied_attributes {
    size_t count;
    declared_attribute list[]; /* followed by the names, each with a NUL */
};

bool ftr_copied_time(uint64_t factor, uint64_t time, uint64_t *converted)
{
    if (time > UINT64_MAX / factor)
        return false;
    *converted = time * factor;
    return true;
}

bool ftr_copied_value(uint64_t factor, const ftr_attribute_value *from, ftr_value *to)
{
    *to = (ftr_value){.type = from->type};
    switch (from->form) {
    case FTR_FORM_BOOLEAN:
        to->type = FTR_TYPE_BOOLEAN;
        to->as.boolean = from->as.boolean;
        return true;
    case FTR_FORM_INTEGER:
        to->type = FTR_TYPE_INTEGER;
        to->as.integer = from->as.integer;
        return true;
    case FTR_FORM_NUMBER:
        if (from->type == FTR_TYPE_INTEGER && from->as.number <= INT64_MAX) {
            to->as.integer = (int64_t)from->as.number;
            return true;
        }
        if (from->type != FTR_TYPE_TIME && from->type != FTR_TYPE_POINTER)
            to->type = FTR_TYPE_UNSIGNED;
        to->as.number = from->as.number;
        return from->type != FTR_TYPE_TIME ||
               ftr_copied_time(factor, from->as.number, &to->as.number);
    case FTR_FORM_REAL:
        if (from->type != FTR_TYPE_FIXED_POINT_INTEGER &&
            from->type != FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER)
            to->type = FTR_TYPE_FLOATING_POINT;
        to->as.real = from->as.real;
        return true;
    case FTR_FORM_TEXT:
        if (from->type == FTR_TYPE_NONE)
            to->type = FTR_TYPE_STRING;
        to->as.text = from->as.text.data != NULL ? from->as.text.data : "";
        to->text_length = from->as.text.size;
        return true;
    default:
        return false;
    }
}

/* Returns true if the value is written as it is stored. An integer of a vector type becomes a text
 * first. */
static bool is_direct(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_TEXT ||
           (attribute->type != FTR_TYPE_BIT_VECTOR && attribute->type != FTR_TYPE_LOGIC_VECTOR);
}

/* The recorder accepts neither an empty name nor a NUL in a name. */
static bool has_usual_name(const ftr_attribute_value *attribute)
{
    const ftr_view name = attribute->name;
    return name.data != NULL && name.size > 0 && name.size <= DECLARED_NAME_MAX &&
           memchr(name.data, '\0', name.size) == NULL;
}

/* Reads the attributes of a transaction. @return their number; 0 if they are not declared */
static size_t read_attributes(uint64_t factor, ftr_reader *reader, ftr_transaction *tx,
                              declared_attribute *list, size_t *names_size)
{
    ftr_attribute_value attribute;
    ftr_value value;
    size_t count = 0;
    *names_size = 0;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (count == FTR_COPIED_ATTRIBUTES_MAX || !is_direct(&attribute) ||
            !has_usual_name(&attribute) || !ftr_copied_value(factor, &attribute, &value))
            return 0;
        list[count++] = (declared_attribute){{attribute.name.data, value.type, attribute.class_},
                                             attribute.name.size};
        *names_size += attribute.name.size + 1;
    }
    return count;
}

ftr_copied_attributes *ftr_copied_attributes_create(uint64_t factor, ftr_reader *reader,
                                                    ftr_transaction *tx)
{
    declared_attribute list[FTR_COPIED_ATTRIBUTES_MAX];
    size_t names_size;
    const size_t count = read_attributes(factor, reader, tx, list, &names_size);
    ftr_transaction_rewind(tx);
    if (count == 0)
        return NULL;
    ftr_copied_attributes *declared = malloc(sizeof *declared + count * sizeof *list + names_size);
    if (declared == NULL)
        return NULL;
    declared->count = count;
    char *names = (char *)(declared->list + count);
    for (size_t i = 0; i < count; i++) {
        declared->list[i] = list[i];
        declared->list[i].attribute.name = names;
        memcpy(names, list[i].attribute.name, list[i].name_size);
        names[list[i].name_size] = '\0';
        names += list[i].name_size + 1;
    }
    return declared;
}

size_t ftr_copied_attributes_list(const ftr_copied_attributes *declared, ftr_attribute *list)
{
    const size_t count = declared != NULL ? declared->count : 0;
    for (size_t i = 0; i < count; i++)
        list[i] = declared->list[i].attribute;
    return count;
}

static bool is_declared(const declared_attribute *declared, const ftr_attribute_value *attribute,
                        ftr_type type)
{
    return declared->attribute.type == type && declared->attribute.class_ == attribute->class_ &&
           declared->name_size == attribute->name.size && attribute->name.data != NULL &&
           memcmp(declared->attribute.name, attribute->name.data, declared->name_size) == 0;
}

bool ftr_copied_attributes_take(const ftr_copied_attributes *declared, uint64_t factor,
                                ftr_reader *reader, ftr_transaction *tx, ftr_value *values,
                                size_t *count)
{
    ftr_attribute_value attribute;
    size_t taken = 0;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (taken == declared->count || !is_direct(&attribute) ||
            !ftr_copied_value(factor, &attribute, &values[taken]) ||
            !is_declared(&declared->list[taken], &attribute, values[taken].type)) {
            ftr_transaction_rewind(tx);
            return false;
        }
        taken++;
    }
    *count = taken;
    return true;
}
