/* Owns the search for the attributes of generators. Does not know the output formats. */
#include "generator_attributes.h"

#include "growing_array.h"
#include "text_duplicate.h"
#include "vector_text.h"

/* Upper bounds in an output file: bytes of a transaction without its attributes, bytes of an
 * attribute without its value. */
#define TRANSACTION_BYTES 64
#define ATTRIBUTE_BYTES 11

/* Returns a form to compare: two attributes with the same name and type are the same attribute if
 * this form is equal. A file can contain an attribute in several forms. */
static ftr_form kind_of(const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_NUMBER &&
        (attribute->type == FTR_TYPE_BIT_VECTOR || attribute->type == FTR_TYPE_LOGIC_VECTOR))
        return FTR_FORM_TEXT;
    return attribute->form == FTR_FORM_INTEGER ? FTR_FORM_NUMBER : attribute->form;
}

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
        if (found->visit != generator->visit && found->form == kind_of(attribute) &&
            has_name(found, attribute)) {
            found->visit = generator->visit;
            generator->next = at + 1;
            return found;
        }
    }
    return NULL;
}

static ftr_found_attribute *add(ftr_generator_attributes *generator,
                                const ftr_attribute_value *attribute)
{
    if (!ftr_array_grow(&generator->attributes, &generator->capacity, generator->count,
                        sizeof *generator->attributes))
        return NULL;
    bool is_repeated = false;
    for (size_t i = 0; i < generator->count && !is_repeated; i++)
        is_repeated = has_name(&generator->attributes[i], attribute);
    ftr_found_attribute *found = &generator->attributes[generator->count];
    *found = (ftr_found_attribute){
        .name = ftr_text_duplicate(attribute->name.data, attribute->name.size),
        .name_size = attribute->name.size,
        .class_ = attribute->class_,
        .type = attribute->type,
        .form = kind_of(attribute),
        .visit = generator->visit,
        .is_repeated = is_repeated};
    if (found->name == NULL)
        return NULL;
    generator->next = ++generator->count;
    return found;
}

/* Returns the maximum size of an attribute's value in an output file. */
static size_t value_size(const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_TEXT)
        return ATTRIBUTE_BYTES + attribute->as.text.size;
    return ATTRIBUTE_BYTES + (kind_of(attribute) == FTR_FORM_TEXT ? FTR_VECTOR_DIGITS : 8);
}

static bool find(ftr_attribute_tables *tables, ftr_reader *reader, ftr_transaction *tx)
{
    if (!ftr_array_reach(&tables->generators, &tables->count, tx->generator->index,
                         sizeof *tables->generators))
        return false;
    ftr_generator_attributes *generator = &tables->generators[tx->generator->index];
    ftr_attribute_value attribute;
    size_t size = TRANSACTION_BYTES;
    tables->transactions++;
    generator->transactions++;
    ftr_attribute_visit_begin(generator);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE)
            continue;
        ftr_found_attribute *found = ftr_attribute_visit(generator, &attribute);
        if (found == NULL && (found = add(generator, &attribute)) == NULL)
            return false;
        found->present++;
        size += value_size(&attribute);
    }
    tables->largest = size > tables->largest ? size : tables->largest;
    return true;
}

ftr_status ftr_attribute_tables_find(ftr_attribute_tables *tables, ftr_reader *reader)
{
    const ftr_query query = {.size = sizeof query};
    ftr_cursor *cursor;
    ftr_transaction tx;
    *tables = (ftr_attribute_tables){0};
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        if (!find(tables, reader, &tx)) {
            status = FTR_ERR_MEMORY;
            break;
        }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
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
