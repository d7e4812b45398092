/* Numbers for the kinds of attributes. Two attributes have the same kind if their name, class, type
 * and form are equal. */
#ifndef FTR_ATTRIBUTE_KINDS_H
#define FTR_ATTRIBUTE_KINDS_H

#include "name_table.h"

#include <ftr/reader.h>

#include <pthread.h>

/* A set of kinds that several threads use. `{0}` is empty. */
typedef struct ftr_attribute_kinds {
    pthread_mutex_t lock; /* protects `keys` */
    ftr_names keys;       /* class, type and form as one byte each, and the name */
} ftr_attribute_kinds;

/* The recent kinds of one thread, so that names need not be compared. `{0}` is empty. */
#define FTR_RECENT_KINDS 256u
typedef struct ftr_recent_kinds {
    struct {
        uint64_t name_id;
        uint32_t number; /* number of the kind + 1; 0: free */
        uint8_t class_, type, form;
    } known[FTR_RECENT_KINDS];
} ftr_recent_kinds;

static inline size_t ftr_recent_kind_slot(const ftr_attribute_value *attribute)
{
    return (attribute->name_id * 4 + attribute->class_) % FTR_RECENT_KINDS;
}

typedef struct ftr_attribute_kind {
    const char *name; /* NUL-terminated; valid until the set is released */
    size_t name_size;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form; /* NUMBER also stands for INTEGER, and TEXT also stands for all vectors */
} ftr_attribute_kind;

/* Returns the form of the kind of an attribute. A file can contain attributes of one kind in
 * several forms: integers and numbers, texts and vectors. */
static inline ftr_form ftr_attribute_kind_form(const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_NUMBER &&
        (attribute->type == FTR_TYPE_BIT_VECTOR || attribute->type == FTR_TYPE_LOGIC_VECTOR))
        return FTR_FORM_TEXT;
    return attribute->form == FTR_FORM_INTEGER ? FTR_FORM_NUMBER : attribute->form;
}

/* Like ftr_attribute_kinds_find(), for kinds that are not in @p recent. */
uint32_t ftr_attribute_kinds_search(ftr_attribute_kinds *kinds, ftr_recent_kinds *recent,
                                    const ftr_attribute_value *attribute);

/* Returns the number of the kind of an attribute; UINT32_MAX if out of memory. May be called on any
 * thread. */
static inline uint32_t ftr_attribute_kinds_find(ftr_attribute_kinds *kinds,
                                                ftr_recent_kinds *recent,
                                                const ftr_attribute_value *attribute)
{
    const size_t slot = ftr_recent_kind_slot(attribute);
    return recent->known[slot].number > 0 && recent->known[slot].name_id == attribute->name_id &&
                   recent->known[slot].class_ == attribute->class_ &&
                   recent->known[slot].type == attribute->type &&
                   recent->known[slot].form == ftr_attribute_kind_form(attribute)
               ? recent->known[slot].number - 1
               : ftr_attribute_kinds_search(kinds, recent, attribute);
}

/* Returns a kind by its number. May be called on any thread. */
ftr_attribute_kind ftr_attribute_kinds_get(ftr_attribute_kinds *kinds, uint32_t number);

void ftr_attribute_kinds_release(ftr_attribute_kinds *kinds);

#endif
