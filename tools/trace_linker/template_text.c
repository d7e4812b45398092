/* The macros of templates: their names, and the templates in which they are valid. */
#include "template_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is(const char *name, size_t length, const char *macro)
{
    return strlen(macro) == length && memcmp(name, macro, length) == 0;
}

static const char *function_macro(ftr_link_arena *arena, const char *name, size_t length,
                                  const ftr_template_macros *m)
{
    if (is(name, length, "FUNC_NAME"))
        return ftr_arena_print(arena, "\"%s\"", m->function);
    if (is(name, length, "FUNC_INDEX"))
        return ftr_arena_print(arena, "%zu", m->index);
    if (is(name, length, "FUNC_LABEL"))
        return m->function;
    if (is(name, length, "FUNC_RECORD_ENTRY"))
        return m->record_entry;
    if (is(name, length, "FUNC_RECORD_EXIT"))
        return m->record_exit;
    if (is(name, length, "FUNC_DATA_SIZE") || is(name, length, "FUNC_DATA_ENTRY_SIZE") ||
        is(name, length, "FUNC_DATA_RET_SIZE"))
        return ftr_arena_print(arena, "%.*s_%s", (int)length, name, m->function);
    return NULL;
}

static const char *value_macro(ftr_link_arena *arena, const char *name, size_t length,
                               const char *prefix, const ftr_template_value *value)
{
    size_t skip = strlen(prefix);
    if (value == NULL || length < skip || memcmp(name, prefix, skip) != 0)
        return NULL;
    name += skip;
    length -= skip;
    if (is(name, length, "TYPE"))
        return ftr_arena_print(arena, "\"%s\"", value->type);
    if (is(name, length, "SIZE"))
        return value->size;
    if (is(name, length, "LABEL"))
        return value->label;
    return NULL;
}

static const char *expansion(ftr_link_arena *arena, const char *name, size_t length,
                             const ftr_template_macros *m)
{
    const char *text = function_macro(arena, name, length, m);
    if (text == NULL && m->argument != NULL && is(name, length, "ARG_NUM"))
        text = ftr_arena_print(arena, "%zu", m->argument_number);
    if (text == NULL)
        text = value_macro(arena, name, length, "ARG_", m->argument);
    if (text == NULL)
        text = value_macro(arena, name, length, "RET_", m->returned);
    return text;
}

/* Returns the length of the macro name at @p text, which follows an '@'. Returns 0 if this '@' does
 * not start a macro. */
static size_t macro_length(const char *text)
{
    size_t length = 0;
    while (isupper((unsigned char)text[length]) || text[length] == '_')
        length++;
    return text[length] == '@' ? length : 0;
}

const char *ftr_template_expand(ftr_link_arena *arena, ftr_link_report *report, const char *text,
                                const ftr_template_macros *macros)
{
    const char *expanded = "";
    for (;;) {
        size_t plain = strcspn(text, "@");
        expanded = ftr_arena_print(arena, "%s%.*s", expanded, (int)plain, text);
        text += plain;
        if (!*text)
            return expanded;
        size_t length = macro_length(text + 1);
        if (!length) {
            expanded = ftr_arena_print(arena, "%s@", expanded);
            text++;
            continue;
        }
        const char *value = expansion(arena, text + 1, length, macros);
        if (value == NULL) {
            ftr_report_error(report, macros->where, "@%.*s@ is not a macro, or not valid here",
                             (int)length, text + 1);
            return NULL;
        }
        expanded = ftr_arena_print(arena, "%s%s", expanded, value);
        text += length + 2;
    }
}
