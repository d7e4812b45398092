/* The rules about transactions, their attributes, and relations. */
#include "check_state.h"

#include "numbering.h"
#include "usual_items.h"
#include "transaction_walk.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- attributes ------------------------------------------------------------------------------ */

/* The type and tag of the first attribute with a name. `reported`: an attribute of this name with
 * another type or tag was reported. */
typedef struct name_use {
    uint8_t type, tag;
    bool reported;
} name_use;

/* Stores the first use of a name. If memory is exhausted, the use is not stored, and later uses of
 * the name are not compared with it. A thread that reads ahead does not report this, because the
 * calling thread compares all uses again. */
static void remember_use(ftr_check *check, uint64_t name, name_use use, const uint8_t *at)
{
    const uint64_t packed = use.type | (uint64_t)use.tag << 8 | (uint64_t)use.reported << 16;
    if (check->facts != NULL)
        ftr_check_add_fact(check, (ftr_check_fact){FTR_FACT_NAME, 0, name, packed});
    const ftr_status status = ftr_id_index_put(&check->names, &check->reader->budget, name, packed);
    if (status == FTR_OK || check->facts != NULL || check->names_untracked)
        return;
    check->names_untracked = true;
    ftr_check_report(check, FTR_RULE_NOT_CHECKED, at,
                     "the memory budget is full: the types of attribute name %" PRIu64
                     " and of later ones are not compared; --memory sets the budget",
                     name);
}

/* Reports a name that is used with different types or tags: SCViewer displays all uses with the
 * type and class of the first use. */
static void check_name(ftr_check *check, uint64_t name, uint64_t type, uint64_t tag,
                       const uint8_t *at)
{
    const uint64_t known = ftr_id_index_get(&check->names, name);
    name_use use = {(uint8_t)type, (uint8_t)tag, false};
    if (known == FTR_ID_NONE) {
        remember_use(check, name, use, at);
        return;
    }
    use = (name_use){(uint8_t)known, (uint8_t)(known >> 8), known >> 16 != 0};
    if ((use.type != type || use.tag != tag) && !use.reported) {
        use.reported = true;
        remember_use(check, name, use, at);
        ftr_check_report(check, FTR_RULE_ATTRIBUTE_NAME, at,
                         "attribute name %" PRIu64 " is of type %" PRIu64 " and tag %" PRIu64
                         " here, of %u and %u before",
                         name, type, tag, use.type, use.tag);
    }
}

static void check_value(ftr_check *check, uint64_t type, ftr_cbor_reader *r, const uint8_t *at)
{
    const ftr_cbor_type value = ftr_cbor_peek(r);
    const ftr_expected expected = type < FTR_STORED_TYPES
                                      ? ftr_type_rows[check->reader->numbering][type].expected
                                      : FTR_EXPECT_NOTHING;
    if (expected == FTR_EXPECT_NOTHING) {
        ftr_check_report(check, FTR_RULE_ATTRIBUTE_TYPE, at, "type %" PRIu64 " does not exist",
                         type);
        return;
    }
    if (!ftr_expected_fits(expected, value)) {
        ftr_check_report(check, FTR_RULE_ATTRIBUTE_TYPE, at,
                         "a value that does not fit type %" PRIu64, type);
        return;
    }
    uint64_t number = 0;
    if (value == FTR_CBOR_HALF || value == FTR_CBOR_DOUBLE)
        ftr_check_report(check, FTR_RULE_FLOAT_WIDTH, at, "a float of %s precision",
                         value == FTR_CBOR_HALF ? "half" : "double");
    else if (value == FTR_CBOR_UINT && ftr_cbor_get_uint(r, &number) == FTR_OK) {
        if (expected == FTR_EXPECT_TEXT)
            ftr_check_known_text(check, number, at);
        else if (number > INT64_MAX)
            ftr_check_report(check, FTR_RULE_UNSIGNED_RANGE, at,
                             "%" PRIu64 " is shown as a negative number", number);
    }
}

static void check_attribute(ftr_check *check, const uint8_t *at, size_t size)
{
    ftr_cbor_reader r;
    uint64_t tag = 0;
    uint64_t count = 0;
    uint64_t name = 0;
    uint64_t type = 0;
    ftr_cbor_reader_init(&r, at, size);
    (void)ftr_cbor_get_tag(&r, &tag);
    (void)ftr_cbor_get_array(&r, &count);
    (void)ftr_cbor_get_uint(&r, &name);
    if (ftr_cbor_get_uint(&r, &type) != FTR_OK || tag < FTR_TAG_BEGIN || tag > FTR_TAG_END ||
        count != 3) {
        ftr_check_report(check, FTR_RULE_ATTRIBUTE_SHAPE, at,
                         "an item that is not an attribute in definite form");
        return;
    }
    ftr_check_known_text(check, name, at);
    check_name(check, name, type, tag, at);
    check_value(check, type, &r, at);
}

/* ---- transactions ---------------------------------------------------------------------------- */

static void add_id(ftr_check *check, uint64_t id, uint32_t stream)
{
    ftr_check_run *run = &check->run;
    if (run->page != id / FTR_ID_PAGE || run->stream != stream || run->count == FTR_CHECK_RUN) {
        ftr_check_add_run(check);
        run->page = id / FTR_ID_PAGE;
        run->stream = stream;
    }
    run->offsets[run->count++] = id % FTR_ID_PAGE;
}

void ftr_check_stop_ids(ftr_check *check, const uint8_t *at)
{
    check->ids_untracked = true;
    ftr_check_report(check, FTR_RULE_NOT_CHECKED, at,
                     "the memory budget is full: later transaction ids, and the transactions of "
                     "relations, are not checked; --memory sets the budget");
}

static ftr_status check_id(ftr_check *check, const ftr_tx_head *head, uint32_t stream)
{
    if (check->facts != NULL) {
        add_id(check, head->id, stream + 1);
        return FTR_OK;
    }
    if (check->ids_untracked)
        return FTR_OK;
    if (ftr_id_map_get(&check->streams, head->id) != 0) {
        ftr_check_report(check, FTR_RULE_TX_ID, head->entry, "duplicate transaction id %" PRIu64,
                         head->id);
        return FTR_OK;
    }
    const ftr_status status = ftr_id_map_put(&check->streams, head->id, stream + 1);
    if (status == FTR_ERR_LIMIT) {
        ftr_check_stop_ids(check, head->entry);
        return FTR_OK;
    }
    return status;
}

static uint32_t check_generator(ftr_check *check, const ftr_tx_head *head)
{
    const ftr_directory *directory = &check->reader->directory;
    ftr_check_generator *known = &check->generators[head->generator % FTR_CHECK_GENERATORS];
    if (known->chunk == check->index + 1 && known->id == head->generator)
        return known->stream;
    const ftr_generator_entry *generator = ftr_directory_find_generator(directory, head->generator);
    if (generator == NULL) {
        ftr_check_report(check, FTR_RULE_UNDEFINED_GENERATOR, head->entry,
                         "transaction %" PRIu64 " belongs to generator %" PRIu64
                         ", which is not defined",
                         head->id, head->generator);
        return check->chunk->stream;
    }
    ftr_check_web_use(check, generator->info.index);
    if (generator->offset > check->chunk->offset)
        ftr_check_report(check, FTR_RULE_UNDEFINED_GENERATOR, head->entry,
                         "generator %" PRIu64 " is defined only in a later chunk", head->generator);
    if (generator->info.stream->index != check->chunk->stream)
        ftr_check_report(check, FTR_RULE_TX_STREAM, head->entry,
                         "transaction %" PRIu64 " belongs to generator %" PRIu64
                         ", which belongs to another stream than the chunk",
                         head->id, head->generator);
    else if (generator->offset <= check->chunk->offset) {
        *known =
            (ftr_check_generator){head->generator, check->index + 1, generator->info.stream->index};
    }
    return generator->info.stream->index;
}

/* Returns the greatest time that SCViewer can express, in ticks. SCViewer converts times to fs. */
static uint64_t time_limit(int time_scale)
{
    uint64_t limit = INT64_MAX;
    for (int scale = time_scale; scale > -15 && limit > 0; scale--)
        limit /= 10;
    return limit;
}

static void check_times(ftr_check *check, const ftr_tx_head *head)
{
    const ftr_chunk *chunk = check->chunk;
    if (head->end < head->begin)
        ftr_check_report(check, FTR_RULE_TX_TIMES, head->entry,
                         "transaction %" PRIu64 " ends before it begins", head->id);
    if (!chunk->inverted_range && (head->begin < chunk->start || head->end > chunk->end))
        ftr_check_report(check, FTR_RULE_CHUNK_RANGE, head->entry,
                         "transaction %" PRIu64 " is outside of the declared times of its chunk",
                         head->id);
    if (!check->times_reported && head->end > check->time_limit) {
        check->times_reported = true;
        ftr_check_report(check, FTR_RULE_TIME_RANGE, head->entry,
                         "transaction %" PRIu64 " ends after 2^63 fs", head->id);
    }
}

void ftr_check_transactions_init(ftr_check *check)
{
    check->time_limit = time_limit(check->reader->info.time_scale);
    for (unsigned i = 0; i < FTR_FORMS; i++)
        check->reader->forms.form[i].is_checked = false;
}

/* Checks an attribute with a known form, which the walk has decoded. */
static void check_usual(ftr_check *check, const ftr_decoded_attribute *decoded, const uint8_t *at)
{
    ftr_attribute_forms *forms = &check->reader->forms;
    ftr_attribute_form *form = &forms->form[decoded->form - forms->form];
    const ftr_expected expected =
        form->stored_type < FTR_STORED_TYPES
            ? ftr_type_rows[check->reader->numbering][form->stored_type].expected
            : FTR_EXPECT_NOTHING;
    if (!form->is_checked) {
        check_attribute(check, at, (size_t)(decoded->behind - at));
        form->is_checked = ftr_expected_fits(expected, FTR_CBOR_UINT) &&
                           ftr_id_index_get(&check->names, form->name_id) ==
                               (form->stored_type | (uint64_t)form->tag << 8);
        return;
    }
    ftr_check_known_text(check, form->name_id, at);
    if (expected == FTR_EXPECT_TEXT)
        ftr_check_known_text(check, decoded->number, at);
    else if (decoded->number > INT64_MAX)
        check_attribute(check, at, (size_t)(decoded->behind - at));
}

/* Checks the attributes of a transaction that the walk has decoded. */
static void check_decoded(ftr_check *check, const ftr_tx_head *head)
{
    const ftr_decoded_attribute *decoded = check->reader->forms.decoded;
    for (const uint8_t *at = head->first; at != head->last; decoded++) {
        if (decoded->form != NULL)
            check_usual(check, decoded, at);
        else
            check_attribute(check, at, (size_t)(decoded->behind - at));
        at = decoded->behind;
    }
}

static ftr_status check_transaction(ftr_check *check, const ftr_tx_head *head)
{
    const size_t size = (size_t)(head->next - head->entry);
    if (check->reader->forms.decoded_first == head->first) {
        const ftr_status status = check_id(check, head, check_generator(check, head));
        check_times(check, head);
        check_decoded(check, head);
        return status;
    }
    if (ftr_has_indefinite(head->entry, size))
        ftr_check_report(check, FTR_RULE_TX_SHAPE, head->entry,
                         "transaction %" PRIu64 " contains an item of indefinite length", head->id);
    const ftr_status status = check_id(check, head, check_generator(check, head));
    check_times(check, head);
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, head->first, (size_t)(head->last - head->first));
    while (ftr_cbor_reader_left(&r) > 0) {
        const uint8_t *at = r.cursor;
        if (ftr_cbor_skip(&r) != FTR_OK)
            break;
        check_attribute(check, at, (size_t)(r.cursor - at));
    }
    return status;
}

ftr_status ftr_check_transactions(ftr_check *check)
{
    ftr_cbor_reader body;
    uint64_t count;
    if (!ftr_check_enter_body(check, &body, &count))
        return FTR_OK;
    if (check->reader->numbering == FTR_NUMBERING_SPEC && check->reader->numbering_known &&
        !check->numbering_reported) {
        check->numbering_reported = true;
        ftr_check_report(check, FTR_RULE_NUMBERING, NULL,
                         "attribute types have the published numbering");
    }
    ftr_tx_walk walk;
    ftr_tx_head head;
    ftr_status status = FTR_OK;
    ftr_tx_walk_init(&walk, check->bytes, check->size, &check->reader->forms);
    while (status == FTR_OK) {
        const uint8_t *at = walk.r.cursor;
        const ftr_status walked = ftr_tx_walk_next(&walk, &head);
        if (walked == FTR_OK)
            status = check_transaction(check, &head);
        else if (walked == FTR_ERR_ARGUMENT)
            ftr_check_report(check, FTR_RULE_TX_SHAPE, at,
                             "an item that is not a transaction: skipped");
        else if (walked == FTR_ERR_END)
            break;
        else {
            ftr_check_report(check, FTR_RULE_TX_SHAPE, at,
                             "the transactions of the chunk end early: its rest is skipped");
            break;
        }
    }
    if (check->facts != NULL)
        ftr_check_add_run(check);
    ftr_findings_add_trailing(&check->reader->findings, check->chunk->offset, &walk.r);
    return status;
}

/* ---- relations ------------------------------------------------------------------------------- */

static void check_end(ftr_check *check, uint64_t tx, bool has_stream, uint64_t stream_id,
                      const uint8_t *at)
{
    if (check->ids_untracked)
        return;
    const uint32_t found = ftr_id_map_get(&check->streams, tx);
    if (found == 0) {
        check->web.absent++;
        ftr_check_report(check, FTR_RULE_RELATION_ENDS, at,
                         "a relation with transaction %" PRIu64 ", which is not in the file", tx);
        return;
    }
    if (!has_stream)
        return;
    const ftr_stream_entry *stream =
        ftr_directory_find_stream(&check->reader->directory, stream_id);
    if (stream == NULL || ftr_id_map_kept(&check->streams, stream->info.index + 1) != found)
        ftr_check_report(check, FTR_RULE_RELATION_STREAMS, at,
                         "a relation places transaction %" PRIu64 " in stream %" PRIu64
                         ", which does not contain it",
                         tx, stream_id);
}

void ftr_check_relations(ftr_check *check)
{
    ftr_cbor_reader r;
    uint64_t count;
    if (!ftr_check_enter_body(check, &r, &count))
        return;
    while (ftr_cbor_next(&r, &count)) {
        const uint8_t *at = r.cursor;
        uint64_t field[5];
        unsigned fields;
        const ftr_status status = ftr_relation_parse(&r, field, &fields);
        if (status != FTR_OK) {
            ftr_check_report(check, FTR_RULE_RELATION_SHAPE, at,
                             status == FTR_ERR_ARGUMENT
                                 ? "an item that is not a relation: skipped"
                                 : "the relations of the chunk end early: its rest is skipped");
            continue;
        }
        const bool is_usual = *at == FTR_RELATION_USUAL && fields == 5;
        if (!is_usual && ftr_has_indefinite(at, (size_t)(r.cursor - at)))
            ftr_check_report(check, FTR_RULE_RELATION_SHAPE, at,
                             "the relation is of indefinite length");
        if (fields != 5)
            ftr_check_report(check, FTR_RULE_RELATION_ELEMENTS, at, "the relation has %u elements",
                             fields);
        ftr_check_known_text(check, field[0], at);
        check_end(check, field[1], fields == 5, field[3], at);
        check_end(check, field[2], fields == 5, field[4], at);
    }
    ftr_findings_add_trailing(&check->reader->findings, check->chunk->offset, &r);
}
