/* Writes and parses the descriptions in flux files of `ftr convert`. */
#include "flux_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CLASSES[] = "bre";

static bool begins(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

bool ftr_flux_description_is_head(ftr_view description)
{
    return description.size == sizeof FTR_FLUX_DESCRIPTION_HEAD - 1 &&
           memcmp(description.data, FTR_FLUX_DESCRIPTION_HEAD, description.size) == 0;
}

bool ftr_flux_description_is_generator(const char *description)
{
    return begins(description, FTR_FLUX_DESCRIPTION_GENERATOR);
}

bool ftr_flux_description_is_relations(const char *description)
{
    return begins(description, FTR_FLUX_DESCRIPTION_RELATIONS);
}

const char *ftr_flux_description_stream_kind(const char *description)
{
    return begins(description, FTR_FLUX_DESCRIPTION_STREAM)
               ? description + sizeof FTR_FLUX_DESCRIPTION_STREAM - 1
               : NULL;
}

void ftr_flux_description_type_member(ftr_flux_description_reader *reader, const char *description,
                                      uint64_t id, ftr_attribute_class *class_, ftr_type *type)
{
    *class_ = FTR_CLASS_RECORD;
    *type = FTR_TYPE_STRING;
    if (id < FTR_FLUX_TX_FIRST)
        return;
    const uint64_t wanted = id - FTR_FLUX_TX_FIRST + 1;
    if (reader->words > wanted)
        *reader = (ftr_flux_description_reader){0};
    for (; reader->words < wanted; reader->words++) {
        const char *blank = strchr(description + reader->at, ' ');
        if (blank == NULL)
            return;
        reader->at = (size_t)(blank - description) + 1;
    }
    const char *at = description + reader->at;
    if (*at == '\0')
        return;
    const char *letter = strchr(CLASSES, *at);
    const long number = strtol(at + 1, NULL, 10);
    if (letter == NULL || number < 0 || number > FTR_TYPE_TIME)
        return;
    *class_ = (ftr_attribute_class)(letter - CLASSES);
    *type = (ftr_type)number;
}

void ftr_flux_description_word(ftr_attribute_class class_, ftr_type type, char *word)
{
    (void)snprintf(word, 8, " %c%u", CLASSES[class_], (unsigned)type % 100);
}
