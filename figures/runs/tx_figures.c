/* The names of attributes and responses that have a meaning for the figures. */
#include "tx_figures.h"

#include "stream_name_rules.h"
#include "text_view.h"

/* Returns true if @p part is the part of a name after its last dot. For example, "data_length" is
 * the last part of "trans.data_length". */
static bool has_last_part(const char *name, size_t size, const char *part)
{
    const size_t length = strlen(part);
    return ftr_text_ends(name, size, part) && (size == length || name[size - length - 1] == '.');
}

/* Compares the last character first, to save time: names that are not declared are compared for
 * each transaction. */
ftr_figure_meaning ftr_figure_meaning_of(const char *name, size_t size)
{
    bool is_size = false;
    switch (size > 0 ? name[size - 1] : '\0') {
    case 'h':
        is_size = has_last_part(name, size, "data_length") || has_last_part(name, size, "length");
        break;
    case 'e':
        if (ftr_text_is(name, size, "response"))
            return FTR_MEANS_RESPONSE;
        is_size = has_last_part(name, size, "data_size") || has_last_part(name, size, "size");
        break;
    case 'n':
        is_size = has_last_part(name, size, "len");
        break;
    case 's':
        is_size = has_last_part(name, size, "bytes");
        break;
    case 't':
        return ftr_text_is(name, size, "count") ? FTR_MEANS_COUNT : FTR_MEANS_NOTHING;
    case 'd':
        return ftr_text_is(name, size, "unfinished") ? FTR_MEANS_UNFINISHED : FTR_MEANS_NOTHING;
    default:
        break;
    }
    return is_size ? FTR_MEANS_BYTES : FTR_MEANS_NOTHING;
}

/* ---- responses ------------------------------------------------------------------------------- */

/* The errors of tlm_response_status, as the attribute `response` of an access has them. */
static bool is_error_name(const char *text, size_t size)
{
    static const char *const NAMES[] = {"GENERIC_ERROR", "ADDRESS_ERROR", "COMMAND_ERROR",
                                        "BURST_ERROR", "BYTE_ENABLE_ERROR"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (ftr_text_is(text, size, NAMES[i]))
            return true;
    return false;
}

void ftr_tx_figures_response(ftr_tx_figures *tx, ftr_figure_meaning meaning, const char *text,
                             size_t size)
{
    if (ftr_is_no_error((const uint8_t *)text, size))
        return;
    /* A call has the name of its response with `TLM_` and `_RESPONSE`, in any attribute. */
    if (ftr_text_ends(text, size, "_INCOMPLETE_RESPONSE"))
        tx->incomplete = true;
    else
        tx->error |= ftr_text_ends(text, size, "_RESPONSE");
    if (meaning == FTR_MEANS_RESPONSE) {
        tx->incomplete |= ftr_text_is(text, size, "INCOMPLETE");
        tx->error |= is_error_name(text, size);
    }
}

ftr_response_rule ftr_response_rule_of(const char *kind, size_t kind_size, const char *name,
                                       size_t name_size)
{
    if (ftr_text_is(kind, kind_size, FTR_ACCESS_KIND))
        return FTR_RESPONSE_AT_END;
    /* A debug access has no response of its own. */
    if (ftr_text_is(kind, kind_size, FTR_DEBUG_KIND) ||
        ftr_text_begins(kind, kind_size, "[TLM][base-protocol][dbg]"))
        return FTR_RESPONSE_OF_OTHERS;
    /* A non-blocking call, or a request, ends before there is a response. */
    return ftr_text_begins(kind, kind_size, "[TLM][base-protocol][nb]") &&
                   !ftr_text_is(name, name_size, "response")
               ? FTR_RESPONSE_OF_OTHERS
               : FTR_RESPONSE_OWN;
}

/* ---- attributes ------------------------------------------------------------------------------ */

void ftr_tx_figures_attribute(ftr_tx_figures *tx, ftr_figure_meaning meaning,
                              const ftr_figure_attribute *attribute)
{
    if (attribute->form == FTR_FIGURE_TEXT) {
        if (attribute->text != NULL)
            ftr_tx_figures_response(tx, meaning, attribute->text, attribute->text_size);
    } else if (attribute->form == FTR_FIGURE_TRUE) {
        tx->unfinished |= meaning == FTR_MEANS_UNFINISHED;
    } else if (attribute->form == FTR_FIGURE_NUMBER) {
        ftr_tx_figures_number(tx, meaning, attribute->number);
        if (attribute->is_time && tx->times != NULL && attribute->name != NULL)
            ftr_tx_times_add(tx->times, &tx->time_count, attribute->name, attribute->name_size,
                             attribute->number);
    }
}
