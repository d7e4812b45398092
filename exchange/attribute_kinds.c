/* The set of attribute kinds, which threads extend while they read. */
#include "attribute_kinds.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a key before the name. */
#define KEY_HEAD 3

static uint32_t intern(ftr_attribute_kinds *kinds, const ftr_attribute_value *attribute,
                       ftr_form form)
{
    const size_t size = KEY_HEAD + attribute->name.size;
    char *key = malloc(size);
    if (key == NULL)
        return UINT32_MAX;
    key[0] = (char)attribute->class_;
    key[1] = (char)attribute->type;
    key[2] = (char)form;
    if (attribute->name.size > 0)
        memcpy(key + KEY_HEAD, attribute->name.data, attribute->name.size);
    pthread_mutex_lock(&kinds->lock);
    const ftr_name *found = ftr_names_intern(&kinds->keys, key, size);
    pthread_mutex_unlock(&kinds->lock);
    free(key);
    return found != NULL && found->number < UINT32_MAX ? (uint32_t)found->number : UINT32_MAX;
}

uint32_t ftr_attribute_kinds_search(ftr_attribute_kinds *kinds, ftr_recent_kinds *recent,
                                    const ftr_attribute_value *attribute)
{
    const ftr_form form = ftr_attribute_kind_form(attribute);
    const size_t slot = ftr_recent_kind_slot(attribute);
    const uint32_t number = intern(kinds, attribute, form);
    /* A name that the file does not define yet is not stored in `recent`, because it may be defined
     * later. */
    if (number != UINT32_MAX && attribute->name.data != NULL) {
        recent->known[slot].name_id = attribute->name_id;
        recent->known[slot].number = number + 1;
        recent->known[slot].class_ = (uint8_t)attribute->class_;
        recent->known[slot].type = (uint8_t)attribute->type;
        recent->known[slot].form = (uint8_t)form;
    }
    return number;
}

ftr_attribute_kind ftr_attribute_kinds_get(ftr_attribute_kinds *kinds, uint32_t number)
{
    pthread_mutex_lock(&kinds->lock);
    const ftr_name *key = kinds->keys.names[number];
    pthread_mutex_unlock(&kinds->lock);
    return (ftr_attribute_kind){.name = key->text + KEY_HEAD,
                                .name_size = key->size - KEY_HEAD,
                                .class_ = (ftr_attribute_class)key->text[0],
                                .type = (ftr_type)key->text[1],
                                .form = (ftr_form)key->text[2]};
}

void ftr_attribute_kinds_release(ftr_attribute_kinds *kinds)
{
    ftr_names_release(&kinds->keys);
}
