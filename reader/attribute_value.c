/* Decodes attributes of transactions. */
#include "cbor_reader.h"
#include "numbering.h"
#include "dictionary_chunks.h"
#include "transaction_walk.h"

#include <inttypes.h>

/* Reads an attribute in any form, up to its value. Sets *indefinite if a break follows the value.
 * After an error, the position of @p r is undefined. */
static ftr_status parse_raw(ftr_cbor_reader *r, ftr_raw_attribute *raw, bool *indefinite)
{
    uint64_t count = 0;
    raw->tag = 0;
    (void)ftr_cbor_get_tag(r, &raw->tag);
    (void)ftr_cbor_get_array(r, &count);
    (void)ftr_cbor_get_uint(r, &raw->name);
    (void)ftr_cbor_get_uint(r, &raw->type);
    *indefinite = count == FTR_CBOR_INDEFINITE;
    if (r->status == FTR_OK &&
        (raw->tag < FTR_TAG_BEGIN || raw->tag > FTR_TAG_END || (count != 3 && !*indefinite)))
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    return r->status;
}

/* Returns the type with number @p stored in the file's numbering of types, or FTR_TYPE_NONE if the
 * number is too great. If the value fits this number only in the other numbering, returns the type
 * in the other numbering. */
static ftr_type_row row_of(ftr_reader *reader, uint64_t stored, ftr_cbor_type value)
{
    const ftr_type_row none = {FTR_TYPE_NONE, FTR_EXPECT_NOTHING};
    if (stored >= FTR_STORED_TYPES)
        return none;
    if (!reader->numbering_known)
        ftr_numbering_sample(reader);
    if (!reader->numbering_known && reader->source.is_pipe) {
        const unsigned vote = ftr_numbering_of_value(stored, value);
        if (vote != 0) {
            reader->numbering = (ftr_numbering)(vote - 1);
            reader->numbering_known = true;
        }
    }
    const ftr_type_row row = ftr_type_rows[reader->numbering][stored];
    if (ftr_expected_fits(row.expected, value))
        return row;
    const unsigned vote = ftr_numbering_of_value(stored, value);
    return vote != 0 ? ftr_type_rows[vote - 1][stored] : row;
}

/* Reads the value in its stored form. Returns FTR_ERR_FORMAT if no attribute can have this value.
 */
static ftr_status parse_value(ftr_cbor_reader *r, ftr_attribute_value *attribute)
{
    switch (ftr_cbor_peek(r)) {
    case FTR_CBOR_UINT:
        attribute->form = FTR_FORM_NUMBER;
        return ftr_cbor_get_uint(r, &attribute->as.number);
    case FTR_CBOR_NEGATIVE:
        attribute->form = FTR_FORM_INTEGER;
        return ftr_cbor_get_int(r, &attribute->as.integer);
    case FTR_CBOR_BOOL:
        attribute->form = FTR_FORM_BOOLEAN;
        return ftr_cbor_get_bool(r, &attribute->as.boolean);
    case FTR_CBOR_HALF:
    case FTR_CBOR_FLOAT:
    case FTR_CBOR_DOUBLE:
        attribute->form = FTR_FORM_REAL;
        attribute->real_size = (uint8_t)(1u << (*r->cursor - FTR_CBOR_BYTE_HALF + 1));
        return ftr_cbor_get_double(r, &attribute->as.real);
    case FTR_CBOR_NULL:
    case FTR_CBOR_UNDEFINED: {
        uint8_t simple;
        attribute->form = FTR_FORM_NONE;
        return ftr_cbor_get_simple(r, &simple);
    }
    case FTR_CBOR_TEXT:
        attribute->form = FTR_FORM_TEXT;
        attribute->text_id = UINT64_MAX;
        return ftr_cbor_get_text(r, &attribute->as.text.data, &attribute->as.text.size);
    default:
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    }
}

typedef struct attribute_location {
    ftr_reader *reader;
    const ftr_transaction *tx;
    uint64_t within;
} attribute_location;

static void report_type(const attribute_location *location, const ftr_raw_attribute *raw,
                        const char *what)
{
    ftr_findings_add(&location->reader->findings, FTR_RULE_ATTRIBUTE_TYPE,
                     location->tx->chunk_offset, location->within,
                     "attribute %" PRIu64 " of transaction %" PRIu64 " is of type %" PRIu64
                     " and has %s",
                     raw->name, location->tx->id, raw->type, what);
}

static void report_undefined_text(const attribute_location *location, uint64_t text)
{
    ftr_findings_add(&location->reader->findings, FTR_RULE_UNDEFINED_TEXT,
                     location->tx->chunk_offset, location->within,
                     "transaction %" PRIu64 " refers to text %" PRIu64 ", which is not defined",
                     location->tx->id, text);
}

/* Sets the name, class and type of an attribute, and its text if its value is a dictionary id.
 * Reports an undefined text, and a value that does not fit the type. */
static void finish(const attribute_location *location, const ftr_raw_attribute *raw,
                   ftr_cbor_type value, ftr_attribute_value *attribute)
{
    ftr_reader *reader = location->reader;
    const ftr_type_row row = row_of(reader, raw->type, value);
    attribute->type = row.type;
    attribute->class_ = (ftr_attribute_class)(raw->tag - FTR_TAG_BEGIN);
    attribute->name_id = raw->name;
    attribute->name = ftr_text_of(reader, raw->name);
    if (attribute->name.data == NULL)
        report_undefined_text(location, raw->name);
    if (row.expected == FTR_EXPECT_TEXT && attribute->form == FTR_FORM_NUMBER) {
        attribute->form = FTR_FORM_TEXT;
        attribute->text_id = attribute->as.number;
        attribute->as.text = ftr_text_of(reader, attribute->text_id);
        if (attribute->as.text.data == NULL)
            report_undefined_text(location, attribute->text_id);
    } else if (!ftr_expected_fits(row.expected, value)) {
        /* An integer with the wrong sign for its type is still a valid integer. */
        if (row.expected != FTR_EXPECT_NUMBER || attribute->form != FTR_FORM_INTEGER)
            report_type(location, raw, "a value of another type: it is returned unchanged");
    }
}

/* Fast path of finish() for an unsigned number. Returns false and changes nothing if the numbering
 * of types is not final, the value does not fit the type, or the name or the text was not found
 * recently. */
static bool finish_usual(ftr_reader *reader, const ftr_raw_attribute *raw, uint64_t number,
                         ftr_attribute_value *attribute)
{
    if (raw->type >= FTR_STORED_TYPES || !ftr_numbering_is_final(reader))
        return false;
    const ftr_type_row row = ftr_type_rows[reader->numbering][raw->type];
    const ftr_view *name = ftr_text_recent(reader, raw->name);
    if (!ftr_expected_fits(row.expected, FTR_CBOR_UINT) || name == NULL || name->data == NULL)
        return false;
    if (row.expected == FTR_EXPECT_TEXT) {
        const ftr_view *text = ftr_text_recent(reader, number);
        if (text == NULL || text->data == NULL)
            return false;
        attribute->form = FTR_FORM_TEXT;
        attribute->text_id = number;
        attribute->as.text = *text;
    } else {
        attribute->form = FTR_FORM_NUMBER;
        attribute->as.number = number;
    }
    attribute->type = row.type;
    attribute->class_ = (ftr_attribute_class)(raw->tag - FTR_TAG_BEGIN);
    attribute->name_id = raw->name;
    attribute->name = *name;
    return true;
}

/* Reads the next attribute in any form. Reports and skips items that are not attributes. Returns
 * false after the last attribute. */
static __attribute__((noinline)) bool next_of_any_form(ftr_reader *reader, ftr_transaction *tx,
                                                       ftr_attribute_value *attribute)
{
    while (tx->attributes.next < tx->attributes.last) {
        const attribute_location location = {
            reader, tx,
            tx->attributes.within + (uint64_t)(tx->attributes.next - tx->attributes.first)};
        ftr_raw_attribute raw;
        ftr_cbor_reader r;
        ftr_cbor_reader_init(&r, tx->attributes.next,
                             (size_t)(tx->attributes.last - tx->attributes.next));
        bool indefinite;
        if (parse_raw(&r, &raw, &indefinite) == FTR_OK) {
            const ftr_cbor_type value = ftr_cbor_peek(&r);
            if (parse_value(&r, attribute) == FTR_OK &&
                (!indefinite || ftr_cbor_get_break(&r) == FTR_OK)) {
                attribute->size = (uint32_t)ftr_cbor_reader_offset(&r);
                tx->attributes.next = r.cursor;
                finish(&location, &raw, value, attribute);
                return true;
            }
        }
        ftr_findings_add(
            &reader->findings, FTR_RULE_ATTRIBUTE_SHAPE, tx->chunk_offset, location.within,
            "transaction %" PRIu64 " contains an item that is not an attribute: skipped", tx->id);
        /* The walk over the transactions has already skipped this item, so it can be skipped
         * here. */
        ftr_cbor_reader_init(&r, tx->attributes.next,
                             (size_t)(tx->attributes.last - tx->attributes.next));
        if (ftr_cbor_skip(&r) != FTR_OK)
            break;
        tx->attributes.next = r.cursor;
    }
    tx->attributes.next = tx->attributes.last;
    return false;
}

/* Like finish(), for a number. */
static __attribute__((noinline)) void finish_number(ftr_reader *reader, const ftr_transaction *tx,
                                                    ftr_raw_attribute raw, uint64_t number,
                                                    ftr_attribute_value *attribute)
{
    const attribute_location location = {
        reader, tx, tx->attributes.within + (uint64_t)(tx->attributes.next - tx->attributes.first)};
    attribute->form = FTR_FORM_NUMBER;
    attribute->as.number = number;
    finish(&location, &raw, FTR_CBOR_UINT, attribute);
}

/* Sets @p attribute from its form and from its value @p number.
 * @return false if the fast path does not apply */
static inline bool finish_by_form(const ftr_reader *reader, const ftr_attribute_form *form,
                                  uint64_t number, ftr_attribute_value *attribute)
{
    const ftr_text_table *texts = &reader->texts;
    if (texts->evictions != reader->cache.evictions)
        return false;
    if (form->meaning == FTR_FORM_OF_NUMBERS) {
        attribute->form = FTR_FORM_NUMBER;
        attribute->as.number = number;
    } else if (form->meaning == FTR_FORM_OF_TEXTS) {
        const size_t slot = number % FTR_TEXT_CACHE;
        if (texts->recent[slot].id != number + 1)
            return false;
        attribute->form = FTR_FORM_TEXT;
        attribute->text_id = number;
        attribute->as.text = texts->recent[slot].text;
    } else {
        return false;
    }
    attribute->name = form->name;
    attribute->class_ = form->class_;
    attribute->type = form->type;
    attribute->name_id = form->name_id;
    return true;
}

/* Stores the meaning of the attribute at @p at in its form, if the walk has decoded this attribute
 * and found its form. */
static void teach_form(ftr_attribute_forms *forms, const uint8_t *at,
                       const ftr_attribute_value *attribute)
{
    if (forms->at != at || forms->next->form == NULL)
        return;
    ftr_attribute_form *form = &forms->form[forms->next->form - forms->form];
    form->name = attribute->name;
    form->name_id = attribute->name_id;
    form->class_ = attribute->class_;
    form->type = attribute->type;
    form->meaning = attribute->form == FTR_FORM_TEXT ? FTR_FORM_OF_TEXTS : FTR_FORM_OF_NUMBERS;
}

static bool next_of_usual_form(ftr_reader *reader, ftr_transaction *tx,
                               ftr_attribute_value *attribute)
{
    const uint8_t *const at = tx->attributes.next;
    ftr_raw_attribute raw;
    uint64_t number;
    const uint8_t *const behind = ftr_take_usual_attribute(at, tx->attributes.last, &raw, &number);
    if (behind == NULL)
        return next_of_any_form(reader, tx, attribute);
    if (finish_usual(reader, &raw, number, attribute))
        teach_form(&reader->forms, at, attribute);
    else
        finish_number(reader, tx, raw, number, attribute);
    attribute->size = (uint32_t)(behind - at);
    tx->attributes.next = behind;
    return true;
}

/* Reads the next attribute if the fast path does not apply. If the caller returns to the first
 * attribute of the transaction that the walk has decoded, uses the decoded attributes again. */
static __attribute__((noinline)) bool next_undecoded(ftr_reader *reader, ftr_transaction *tx,
                                                     ftr_attribute_value *attribute)
{
    ftr_attribute_forms *const forms = &reader->forms;
    const uint8_t *const at = tx->attributes.next;
    if (at == forms->decoded_first && at != forms->at) {
        ftr_forms_begin(forms, at);
        return ftr_reader_next_attribute(reader, tx, attribute);
    }
    const bool found = next_of_usual_form(reader, tx, attribute);
    if (forms->at == at) {
        forms->at = tx->attributes.next;
        forms->next++;
    }
    return found;
}

bool ftr_reader_next_attribute(ftr_reader *reader, ftr_transaction *tx,
                               ftr_attribute_value *attribute)
{
    ftr_attribute_forms *const forms = &reader->forms;
    const uint8_t *const at = tx->attributes.next;
    if (at == tx->attributes.last)
        return false;
    const ftr_decoded_attribute *decoded = forms->next;
    if (at != forms->at || decoded->form == NULL ||
        !finish_by_form(reader, decoded->form, decoded->number, attribute))
        return next_undecoded(reader, tx, attribute);
    attribute->size = (uint32_t)(decoded->behind - at);
    tx->attributes.next = forms->at = decoded->behind;
    forms->next = decoded + 1;
    return true;
}

void ftr_transaction_rewind(ftr_transaction *tx)
{
    tx->attributes.next = tx->attributes.first;
}
