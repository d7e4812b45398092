/* Finds the attribute of the first repaired text. When the encoder repairs a text, it does not know
 * the attribute, because passing on the attribute would cost time for every text. Instead, the
 * records are searched for the text afterwards, once in a run. If no attribute has the text, the
 * text is a name. */
#include "repaired_text.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

void ftr_repaired_text_keep(ftr_repaired_text *kept, const uint8_t *text, size_t length)
{
    kept->length = length;
    memcpy(kept->text, text, length < sizeof kept->text ? length : sizeof kept->text);
    kept->is_sought = true;
}

static bool is_kept(const ftr_repaired_text *kept, const void *text, size_t length)
{
    return length == kept->length &&
           memcmp(text, kept->text, length < sizeof kept->text ? length : sizeof kept->text) == 0;
}

static bool is_kept_definition(const ftr_repaired_text *kept, const ftr_definitions *definitions,
                               uint64_t handle)
{
    const ftr_defined_text *defined = ftr_definitions_text(definitions, (uint32_t)handle);
    return is_kept(kept, defined->text, defined->length);
}

static void set_name(char name[FTR_REPAIRED_NAME_SIZE], const char *from, size_t length)
{
    const size_t size = length < FTR_REPAIRED_NAME_SIZE ? length : FTR_REPAIRED_NAME_SIZE - 1;
    memcpy(name, from, size);
    name[size] = '\0';
}

/* Searches declared attributes that were recorded as words. */
static bool seek_words(ftr_repaired_text *kept, const ftr_definitions *definitions,
                       const ftr_item *words)
{
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(definitions, words->attribute ^ FTR_ITEM_WORDS);
    const uint64_t *const word = &words->value;
    for (uint32_t i = 0; i < words->name_length; i++, attribute++) {
        if (ftr_word_form(attribute->form) == FTR_ITEM_FORM_DEFINED &&
            is_kept_definition(kept, definitions, word[i])) {
            set_name(kept->attribute, attribute->name, strlen(attribute->name));
            return true;
        }
    }
    return false;
}

static bool seek_items(ftr_repaired_text *kept, const ftr_definitions *definitions,
                       const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        if (ftr_item_is_words(item)) {
            if (seek_words(kept, definitions, item))
                return true;
            at += ftr_words_size(item->name_length);
            continue;
        }
        at += sizeof *item;
        const bool is_named = item->attribute == FTR_ITEM_NAMED;
        const char *name = is_named ? (const char *)at
                                    : ftr_definitions_attribute(definitions, item->attribute)->name;
        const size_t name_length = is_named ? item->name_length : strlen(name);
        if (is_named)
            at += ftr_item_pad(item->name_length);
        const unsigned form = ftr_item_form(item);
        if (form == FTR_ITEM_FORM_TEXT      ? is_kept(kept, at, (size_t)item->value)
            : form == FTR_ITEM_FORM_DEFINED ? is_kept_definition(kept, definitions, item->value)
                                            : false) {
            set_name(kept->attribute, name, name_length);
            return true;
        }
        at += ftr_item_text_size(item);
    }
    return false;
}

void ftr_repaired_text_seek(ftr_repaired_text *kept, const ftr_definitions *definitions,
                            const ftr_stored_tx *tx, const uint8_t *items)
{
    if (kept->is_found)
        return;
    kept->is_found = seek_items(kept, definitions, items, items + tx->items_size);
    if (!kept->is_found)
        return;
    const ftr_entity *generator = ftr_definitions_entity(definitions, tx->generator);
    const char *stream = ftr_definitions_entity(definitions, generator->stream)->name;
    set_name(kept->generator, generator->name, strlen(generator->name));
    set_name(kept->stream, stream, strlen(stream));
}

/* ---- the message ---------------------------------------------------------------------------- */

/* A text in a message: repaired, terminated, without control characters. */
typedef struct shown_text {
    char text[3 * FTR_REPAIRED_NAME_SIZE + 1];
} shown_text;

static const char *show(const char *text, size_t length, shown_text *shown)
{
    const size_t size = ftr_utf8_repair((const uint8_t *)text, length, (uint8_t *)shown->text);
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)shown->text[i] < ' ' || shown->text[i] == 0x7f)
            shown->text[i] = '?';
    shown->text[size] = '\0';
    return shown->text;
}

void ftr_repaired_text_describe(const ftr_repaired_text *kept, char *out, size_t size)
{
    shown_text text;
    shown_text attribute;
    shown_text generator;
    shown_text stream;
    const bool is_cut = kept->length > sizeof kept->text;
    show(kept->text, is_cut ? sizeof kept->text : kept->length, &text);
    const char *dots = is_cut ? "..." : "";
    if (!kept->is_found)
        (void)snprintf(out, size, "the name \"%s%s\"", text.text, dots);
    else
        (void)snprintf(out, size, "\"%s%s\", attribute \"%s\" of generator \"%s\" in stream \"%s\"",
                       text.text, dots, show(kept->attribute, strlen(kept->attribute), &attribute),
                       show(kept->generator, strlen(kept->generator), &generator),
                       show(kept->stream, strlen(kept->stream), &stream));
}
