/* Checks the rules about dictionaries, directories and stream names. */
#include "check_state.h"

#include "cbor_reader.h"
#include "stream_name_rules.h"
#include "stream_name_set.h"
#include "utf8.h"

#include <inttypes.h>

static void check_entry(ftr_check *check, ftr_cbor_reader *r)
{
    const uint8_t *at = r->cursor;
    uint64_t id = 0;
    const char *text = NULL;
    size_t size = 0;
    if (ftr_cbor_peek(r) != FTR_CBOR_UINT) { /* already reported by the index */
        (void)ftr_cbor_skip(r);
        (void)ftr_cbor_skip(r);
        return;
    }
    (void)ftr_cbor_get_uint(r, &id);
    if (id != check->next_text)
        ftr_check_report(check, FTR_RULE_DICTIONARY_IDS, at,
                         "id %" PRIu64 " instead of the expected %" PRIu64, id, check->next_text);
    if (id > INT32_MAX)
        ftr_check_report(check, FTR_RULE_IMPOSSIBLE_ID, at, "id %" PRIu64 " exceeds 2^31-1", id);
    check->next_text = id + 1;
    if (ftr_cbor_peek(r) != FTR_CBOR_TEXT || ftr_cbor_peek_indefinite(r)) {
        if (ftr_cbor_peek(r) == FTR_CBOR_TEXT)
            ftr_check_report(check, FTR_RULE_DICTIONARY_ENTRY, at,
                             "text %" PRIu64 " is of indefinite length", id);
        (void)ftr_cbor_skip(r);
    } else if (ftr_cbor_get_text(r, &text, &size) == FTR_OK &&
               !ftr_utf8_is_valid((const uint8_t *)text, size)) {
        ftr_check_report(check, FTR_RULE_UTF8, at, "text %" PRIu64 " is not valid UTF-8", id);
    }
}

void ftr_check_dictionary(ftr_check *check)
{
    ftr_cbor_reader r;
    uint64_t count;
    if (!ftr_check_enter_body(check, &r, &count))
        return;
    while (ftr_cbor_next(&r, &count))
        check_entry(check, &r);
}

void ftr_check_directory(ftr_check *check)
{
    ftr_cbor_reader r;
    uint64_t count;
    if (!ftr_check_enter_body(check, &r, &count))
        return;
    while (ftr_cbor_next(&r, &count)) {
        const ftr_cbor_reader bookmark = r;
        uint64_t tag = 0;
        uint64_t field[3] = {0};
        (void)ftr_cbor_get_tag(&r, &tag);
        if (ftr_cbor_get_fields(&r, 3, field) == FTR_OK) {
            if (ftr_has_indefinite(bookmark.cursor, (size_t)(r.cursor - bookmark.cursor)))
                ftr_check_report(check, FTR_RULE_DIRECTORY_ENTRY, bookmark.cursor,
                                 "the entry is of indefinite length");
            ftr_check_text(check, field[1], bookmark.cursor);
            if (tag == FTR_TAG_STREAM)
                ftr_check_text(check, field[2], bookmark.cursor);
        } else {
            r = bookmark;
            (void)ftr_cbor_skip(&r);
        }
    }
}

/* ---- names of streams ------------------------------------------------------------------------ */

static void say_name(ftr_check *check, ftr_rule rule, const ftr_stream_entry *stream,
                     const char *what)
{
    ftr_findings_add(&check->reader->findings, rule, stream->offset, 0, "stream '%.*s' %s",
                     (int)(stream->info.name.size < 200 ? stream->info.name.size : 200),
                     stream->info.name.data, what);
}

void ftr_check_stream_names(ftr_check *check)
{
    const ftr_directory *directory = &check->reader->directory;
    ftr_budget *budget = &check->reader->budget;
    ftr_name_set set;
    if (ftr_name_set_init(&set, budget, directory->stream_count) != FTR_OK) {
        ftr_findings_add(
            &check->reader->findings, FTR_RULE_NOT_CHECKED, 0, 0,
            "the memory budget is full: the names of streams are not compared; --memory "
            "sets the budget");
        return;
    }
    for (size_t i = 0; i < directory->stream_count; i++) {
        const ftr_stream_entry *stream = directory->streams[i];
        if (!stream->info.defined)
            continue;
        const ftr_view name = stream->info.name;
        if (ftr_stream_name_has_empty_part(name.data, name.size))
            say_name(check, FTR_RULE_STREAM_NAME_DOT, stream,
                     "has an empty part before, after or between its dots");
        if (ftr_name_set_has_prefix(&set, name))
            say_name(check, FTR_RULE_STREAM_NAME_PREFIX, stream,
                     "begins with the name of an earlier stream and a dot");
        if (!ftr_name_set_add(&set, stream->info.name))
            say_name(check, FTR_RULE_STREAM_NAME_UNIQUE, stream,
                     "has the name of an earlier stream");
    }
    ftr_name_set_release(&set, budget);
}
