/* The text form of flux entries: offset, trace, kind, fields, and values. A value is printed in the
 * type of its signal. If this type is not known, the value is printed in the form that the entry
 * suggests. */
#include "formats.h"

#include "flux_items.h"
#include "flux_parser.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct dump {
    const char *path;
    const ftr_exchange_report *report;
    ftr_printer *out;
    ftr_flux_items items; /* the definitions, which contain the types of samples */
    uint64_t errors;
} dump;

bool ftr_flux_is_flux(const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    /* A file with several traces may begin with a switch entry. */
    if (size >= 3 && bytes[0] == 0 && bytes[1] == FTR_FLUX_SWITCH) {
        for (at = 2; at < size && bytes[at] >= 0x80; at++)
            ;
        at++;
    }
    return size >= at + 7 && bytes[at] == 0 && bytes[at + 1] == FTR_FLUX_HEAD &&
           bytes[at + 6] >= 1 && bytes[at + 6] <= 9;
}

static void find(void *user, uint64_t offset, const char *message)
{
    dump *d = user;
    d->errors++;
    ftr_exchange_print(d->report, "%s: byte %" PRIu64 ": %s", d->path, offset, message);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void put_number(dump *d, const char *name, uint64_t value)
{
    ftr_print_string(d->out, name);
    ftr_print_uint(d->out, value);
}

static void put_integer(dump *d, const char *name, int64_t value)
{
    ftr_print_string(d->out, name);
    ftr_print_int(d->out, value);
}

static void put_text(dump *d, const char *name, ftr_view text)
{
    ftr_print_string(d->out, name);
    ftr_print_json(d->out, text.data, text.size);
}

static void put_optional(dump *d, const char *name, ftr_view text)
{
    if (text.size > 0)
        put_text(d, name, text);
}

static void put_hexadecimal(dump *d, ftr_view bytes)
{
    static const char DIGITS[] = "0123456789abcdef";
    for (size_t i = 0; i < bytes.size; i++) {
        ftr_print_char(d->out, DIGITS[(unsigned char)bytes.data[i] >> 4]);
        ftr_print_char(d->out, DIGITS[(unsigned char)bytes.data[i] & 15]);
    }
}

static const char *kind_of(ftr_flux_tag tag)
{
    switch (tag) {
    case FTR_FLUX_SAMPLE:
        return "sample";
    case FTR_FLUX_HEAD:
        return "head";
    case FTR_FLUX_SWITCH:
        return "switch";
    case FTR_FLUX_PACKED:
        return "packed";
    case FTR_FLUX_SECTION:
        return "section";
    case FTR_FLUX_SCOPE:
        return "scope";
    case FTR_FLUX_SIGNAL:
        return "signal";
    case FTR_FLUX_SIGNALS:
        return "signals";
    case FTR_FLUX_REFERENCE:
        return "reference";
    case FTR_FLUX_SCATTERED:
        return "scattered";
    case FTR_FLUX_SCATTERED_REFERENCE:
        return "scattered-reference";
    case FTR_FLUX_OPEN:
        return "open";
    case FTR_FLUX_CLOSE:
        return "close";
    case FTR_FLUX_DOMAIN:
        return "domain";
    case FTR_FLUX_CURRENT:
        return "current";
    case FTR_FLUX_ENUM:
        return "enum";
    case FTR_FLUX_MEMBER:
        return "member";
    case FTR_FLUX_RELATION:
        return "relation";
    case FTR_FLUX_LABEL:
        return "label";
    case FTR_FLUX_REQUEST:
        return "request";
    default:
        return "result";
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

static void put_integer_value(dump *d, ftr_view bytes)
{
    int64_t integer;
    if (ftr_flux_integer(bytes, &integer))
        ftr_print_int(d->out, integer);
    else
        put_hexadecimal(d, bytes);
}

static void put_real_value(dump *d, ftr_view bytes)
{
    double real;
    if (ftr_flux_real(bytes, &real))
        ftr_print_real(d->out, real, (unsigned)bytes.size);
    else
        put_hexadecimal(d, bytes);
}

static void put_members(dump *d, ftr_view bytes)
{
    ftr_flux_bytes from = {(const uint8_t *)bytes.data, (const uint8_t *)bytes.data + bytes.size,
                           false, false};
    while (from.at < from.end) {
        const uint64_t id = ftr_flux_get_pint(&from);
        const uint8_t type = ftr_flux_get_byte(&from) & 0x0f;
        const ftr_view value = ftr_flux_get_value(&from);
        if (from.cut || from.bad)
            break;
        put_number(d, " ", id);
        ftr_print_char(d->out, '=');
        if (type == 1)
            ftr_print_json(d->out, value.data, value.size);
        else if (type == 4)
            put_real_value(d, value);
        else if (type == 2 || type == 3 || type == 7 || type == 8)
            put_integer_value(d, value);
        else
            put_hexadecimal(d, value);
    }
}

static void put_logic(dump *d, const ftr_flux_entry *entry)
{
    char letters[512];
    size_t count = ftr_flux_logic_letters(entry->bytes, entry->format, letters, sizeof letters);
    if (count > sizeof letters)
        count = sizeof letters;
    ftr_print(d->out, letters, count);
}

static void put_sample(dump *d, const ftr_flux_entry *entry)
{
    const ftr_flux_legend_item *item = ftr_flux_find_item(&d->items, entry->trace, entry->item);
    put_number(d, " item ", entry->item);
    put_number(d, " +", entry->delta);
    if (entry->conflict)
        ftr_print_string(d->out, " conflict");
    if (entry->none) {
        ftr_print_string(d->out, " none");
        return;
    }
    put_number(d, " format ", entry->format);
    ftr_print_char(d->out, ' ');
    switch (item != NULL ? item->type & 0x0f : 0) {
    case 1:
    case 2:
        put_integer_value(d, entry->bytes);
        break;
    case 3:
        put_logic(d, entry);
        break;
    case 4:
        put_real_value(d, entry->bytes);
        break;
    case 5:
        ftr_print_json(d->out, entry->bytes.data, entry->bytes.size);
        break;
    case 7:
        ftr_print_char(d->out, '{');
        put_members(d, entry->bytes);
        ftr_print_string(d->out, " }");
        break;
    default:
        put_hexadecimal(d, entry->bytes);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void note_signal(dump *d, const ftr_flux_entry *entry)
{
    if (entry->item_to < entry->item || entry->item_to - entry->item > UINT16_MAX)
        return;
    for (uint64_t id = entry->item; id <= entry->item_to; id++) {
        ftr_flux_legend_item *item = ftr_flux_add_item(&d->items, entry->trace, id);
        if (item != NULL)
            item->type = entry->type;
    }
}

static void put_definition(dump *d, const ftr_flux_entry *entry)
{
    put_number(d, " item ", entry->item);
    if (entry->tag == FTR_FLUX_SIGNALS)
        put_number(d, " to ", entry->item_to);
    put_number(d, " in ", entry->parent);
    put_text(d, " ", entry->name);
    put_optional(d, " description ", entry->description);
    if (entry->tag == FTR_FLUX_SIGNAL || entry->tag == FTR_FLUX_SIGNALS ||
        entry->tag == FTR_FLUX_SCATTERED) {
        put_number(d, " type ", entry->type);
        put_optional(d, " descriptor ", entry->descriptor);
        note_signal(d, entry);
    }
    if (entry->tag == FTR_FLUX_SCATTERED || entry->tag == FTR_FLUX_SCATTERED_REFERENCE) {
        put_number(d, " bits ", entry->first_bit);
        put_number(d, " to ", entry->last_bit);
    }
}

static void put_head(dump *d, const ftr_flux_entry *entry)
{
    put_text(d, " ", entry->descriptor);
    put_number(d, " version ", entry->version);
    put_text(d, " name ", entry->name);
    put_optional(d, " description ", entry->description);
    put_number(d, " mode ", entry->mode);
    put_number(d, " items ", entry->max_item);
    put_number(d, " entry ", entry->max_entry);
}

static void put_attachment(dump *d, const ftr_flux_entry *entry)
{
    put_number(d, " item ", entry->item);
    if (entry->tag == FTR_FLUX_RELATION) {
        put_number(d, " target ", entry->enumeration);
        put_number(d, " style ", entry->value);
        put_integer(d, entry->relation_type >= 2 ? " position " : " delta ", entry->position);
        if ((entry->relation_type & 1) != 0)
            ftr_print_string(d->out, " reversed");
    } else {
        put_number(d, " style ", entry->value);
        put_integer(d, " x ", entry->x);
        put_integer(d, " y ", entry->y);
    }
}

static void put_fields(dump *d, const ftr_flux_entry *entry)
{
    switch (entry->tag) {
    case FTR_FLUX_SAMPLE:
        put_sample(d, entry);
        break;
    case FTR_FLUX_HEAD:
        put_head(d, entry);
        break;
    case FTR_FLUX_SWITCH:
        break;
    case FTR_FLUX_PACKED:
        put_number(d, " mode ", entry->mode);
        put_number(d, " bytes ", entry->bytes.size);
        put_number(d, " of ", entry->original_size);
        break;
    case FTR_FLUX_SECTION:
        put_number(d, " counter ", entry->counter & 0x0f);
        put_number(d, " bytes ", entry->bytes.size);
        break;
    case FTR_FLUX_OPEN:
        put_number(d, " item ", entry->item);
        put_text(d, " base ", entry->domain);
        put_integer(d, " at ", entry->position);
        put_number(d, " rate ", entry->rate);
        break;
    case FTR_FLUX_CLOSE:
    case FTR_FLUX_CURRENT:
        put_number(d, " item ", entry->item);
        put_integer(d, " at ", entry->position);
        break;
    case FTR_FLUX_DOMAIN:
        put_text(d, " base ", entry->domain);
        break;
    case FTR_FLUX_ENUM:
        put_number(d, " item ", entry->item);
        put_number(d, " enumeration ", entry->enumeration);
        put_number(d, " ", entry->value);
        put_text(d, " = ", entry->name);
        break;
    case FTR_FLUX_MEMBER:
        put_number(d, " item ", entry->item);
        put_number(d, " member ", entry->member);
        put_text(d, " ", entry->name);
        put_number(d, " type ", entry->type);
        put_optional(d, " descriptor ", entry->descriptor);
        break;
    case FTR_FLUX_RELATION:
    case FTR_FLUX_LABEL:
        put_attachment(d, entry);
        break;
    case FTR_FLUX_REQUEST:
    case FTR_FLUX_RESULT:
        put_number(d, " control ", entry->item);
        put_number(d, " message ", entry->value);
        put_members(d, entry->bytes);
        break;
    default:
        put_definition(d, entry);
    }
}

bool ftr_flux_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                   uint64_t *errors)
{
    dump d = {.path = path, .report = report, .out = out};
    ftr_byte_input input;
    ftr_flux_parser parser;
    ftr_flux_entry entry;
    if (!ftr_byte_input_open(&input, path, report))
        return false;
    bool ok = ftr_flux_parser_init(&parser, &input, find, &d);
    while (ok && !out->failed && ftr_flux_parser_next(&parser, true, &entry)) {
        ftr_print_uint(out, entry.offset);
        put_number(&d, " trace ", entry.trace);
        ftr_print_char(out, ' ');
        ftr_print_string(out, kind_of(entry.tag));
        put_fields(&d, &entry);
        ftr_print_char(out, '\n');
    }
    ok = ok && !parser.failed;
    ftr_flux_parser_release(&parser);
    ftr_byte_input_close(&input);
    ftr_flux_items_release(&d.items);
    *errors = d.errors;
    return ok;
}
