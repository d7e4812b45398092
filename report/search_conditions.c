/* Owns the form of conditions. Does not know transactions and attributes. */
#include "search_conditions.h"

#include "folded_text.h"
#include "text_compare.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static int digit_of(char byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* Parses digits. @param[out] exceeds true if the number exceeds 64 bits
 * @return false if the text is empty or contains a byte that is not a digit */
static bool parse_digits(const char *text, size_t size, unsigned base, uint64_t *number,
                         bool *exceeds)
{
    *number = 0;
    *exceeds = false;
    for (size_t i = 0; i < size; i++) {
        const unsigned digit = (unsigned)digit_of(text[i]);
        if (digit >= base)
            return false;
        *exceeds |= *number > (UINT64_MAX - digit) / base;
        *number = *number * base + digit;
    }
    return size > 0;
}

/* Notes the number that a value denotes. A decimal with a zero before it is a text. */
static void note_number(ftr_search_condition *condition)
{
    const char *text = condition->value.data;
    const size_t size = condition->value.size;
    char real[64], *end;
    bool exceeds;
    condition->as_real = NAN;
    if (size > 0 && size < sizeof real) {
        memcpy(real, text, size);
        real[size] = '\0';
        condition->as_real = strtod(real, &end);
        if (end != real + size)
            condition->as_real = NAN;
    }
    if (size > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
        condition->is_hexadecimal =
            parse_digits(text + 2, size - 2, 16, &condition->as_number, &exceeds) && !exceeds;
    else if (size > 0 && (text[0] != '0' || size == 1))
        condition->is_decimal =
            parse_digits(text, size, 10, &condition->as_number, &exceeds) && !exceeds;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const char *const NAMES[] = {
    [FTR_SEARCH_TEXT] = "text",         [FTR_SEARCH_ID] = "id",
    [FTR_SEARCH_LONGER] = "longer",     [FTR_SEARCH_SHORTER] = "shorter",
    [FTR_SEARCH_AT_LEAST] = "at_least", [FTR_SEARCH_AT_MOST] = "at_most",
};

static bool set_state(ftr_search_condition *condition)
{
    const ftr_view state = condition->value;
    condition->kind = FTR_SEARCH_ERROR;
    if (ftr_text_is(state.data, state.size, "error"))
        return true;
    condition->kind = FTR_SEARCH_UNFINISHED;
    return ftr_text_is(state.data, state.size, "unfinished");
}

/* Divides `name=value` or `name~part`. */
static bool set_attribute(ftr_search_condition *condition, char *text, size_t size)
{
    size_t sign = 0;
    while (sign < size && text[sign] != '=' && text[sign] != '~')
        sign++;
    if (sign == 0 || sign == size)
        return false;
    condition->name = (ftr_view){text, sign};
    condition->value = (ftr_view){text + sign + 1, size - sign - 1};
    condition->kind = text[sign] == '=' ? FTR_SEARCH_EQUAL : FTR_SEARCH_PART;
    if (condition->kind == FTR_SEARCH_PART)
        ftr_fold_text(text + sign + 1, size - sign - 1);
    note_number(condition);
    return true;
}

static bool set(ftr_search_condition *condition, const char *name, char *text, size_t size)
{
    condition->value = (ftr_view){text, size};
    if (strcmp(name, "attribute") == 0)
        return set_attribute(condition, text, size);
    if (strcmp(name, "state") == 0)
        return set_state(condition);
    for (size_t kind = 0; kind < sizeof NAMES / sizeof NAMES[0]; kind++) {
        if (NAMES[kind] == NULL || strcmp(name, NAMES[kind]) != 0)
            continue;
        condition->kind = (ftr_search_kind)kind;
        if (condition->kind != FTR_SEARCH_TEXT)
            return parse_digits(text, size, 10, &condition->number, &condition->exceeds);
        ftr_fold_text(text, size);
        note_number(condition);
        return true;
    }
    return false;
}

bool ftr_search_conditions_add(ftr_search_conditions *conditions, const char *name,
                               const char *value, size_t size)
{
    ftr_search_condition condition = {0};
    char *text = conditions->texts + conditions->text_size;
    if (conditions->count == FTR_SEARCH_CONDITIONS_MAX ||
        size > sizeof conditions->texts - conditions->text_size ||
        !ftr_utf8_is_valid((const uint8_t *)value, size))
        return false;
    if (size > 0)
        memcpy(text, value, size);
    if (!set(&condition, name, text, size))
        return false;
    conditions->text_size += size;
    conditions->of[conditions->count++] = condition;
    return true;
}

bool ftr_search_number_fits(const ftr_search_condition *condition, uint64_t id, uint64_t duration)
{
    const uint64_t number = condition->number;
    switch (condition->kind) {
    case FTR_SEARCH_ID:
        return !condition->exceeds && id == number;
    case FTR_SEARCH_LONGER:
        return !condition->exceeds && duration > number;
    case FTR_SEARCH_SHORTER:
        return condition->exceeds || duration < number;
    case FTR_SEARCH_AT_LEAST:
        return !condition->exceeds && duration >= number;
    case FTR_SEARCH_AT_MOST:
        return condition->exceeds || duration <= number;
    default:
        return true;
    }
}
