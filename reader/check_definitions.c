/* Owns the rules about dictionaries, directories and the names of streams. */
#include "check.h"

#include "cbor_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the valid UTF-8 character at @p p, or 0 (RFC 3629). */
static size_t character_size(const uint8_t *p, size_t left)
{
    const uint8_t first = p[0];
    if (first < 0x80)
        return 1;
    const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > left)
        return 0;
    const uint8_t least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const uint8_t most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < least || p[1] > most)
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

static bool is_utf8(const uint8_t *p, size_t size)
{
    while (size > 0) {
        const size_t step = character_size(p, size);
        if (step == 0)
            return false;
        p += step;
        size -= step;
    }
    return true;
}

static void check_entry(ftr_check *check, ftr_cbor_reader *r)
{
    const uint8_t *at = r->cursor;
    uint64_t id = 0;
    const char *text = NULL;
    size_t size = 0;
    if (ftr_cbor_peek(r) != FTR_CBOR_UINT) { /* said when it was indexed */
        (void)ftr_cbor_skip(r);
        (void)ftr_cbor_skip(r);
        return;
    }
    (void)ftr_cbor_get_uint(r, &id);
    if (id != check->next_text)
        ftr_check_say(check, FTR_RULE_DICTIONARY_IDS, at,
                      "id %" PRIu64 " stands where %" PRIu64 " is expected", id,
                      check->next_text);
    if (id > INT32_MAX)
        ftr_check_say(check, FTR_RULE_IMPOSSIBLE_ID, at, "id %" PRIu64 " is past 2^31-1", id);
    check->next_text = id + 1;
    if (ftr_cbor_peek(r) != FTR_CBOR_TEXT || ftr_cbor_peek_indefinite(r)) {
        if (ftr_cbor_peek(r) == FTR_CBOR_TEXT)
            ftr_check_say(check, FTR_RULE_DICTIONARY_ENTRY, at,
                          "text %" PRIu64 " is of indefinite length", id);
        (void)ftr_cbor_skip(r);
    } else if (ftr_cbor_get_text(r, &text, &size) == FTR_OK &&
               !is_utf8((const uint8_t *)text, size)) {
        ftr_check_say(check, FTR_RULE_UTF8, at, "text %" PRIu64 " is not valid UTF-8", id);
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
    ftr_check_leave_body(check, &r);
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
        uint64_t field[3];
        (void)ftr_cbor_get_tag(&r, &tag);
        if (ftr_get_fields(&r, 3, field) == FTR_OK) {
            if (ftr_has_indefinite(bookmark.cursor, (size_t)(r.cursor - bookmark.cursor)))
                ftr_check_say(check, FTR_RULE_DIRECTORY_ENTRY, bookmark.cursor,
                              "the entry is of indefinite length");
            ftr_check_text(check, field[1], bookmark.cursor);
            if (tag == 16)
                ftr_check_text(check, field[2], bookmark.cursor);
        } else {
            r = bookmark;
            (void)ftr_cbor_skip(&r);
        }
    }
    ftr_check_leave_body(check, &r);
}

/* ---- names of streams ------------------------------------------------------------------------ */

/* The streams seen so far, by name. */
typedef struct name_set {
    const ftr_stream_entry **slots;
    size_t capacity; /* a power of two, more than there are streams */
} name_set;

static const ftr_stream_entry **name_slot(const name_set *set, const char *name, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3u;
    for (size_t at = (size_t)(hash >> 16) & (set->capacity - 1);;
         at = (at + 1) & (set->capacity - 1)) {
        const ftr_stream_entry *held = set->slots[at];
        if (held == NULL ||
            (held->info.name.size == size && memcmp(held->info.name.data, name, size) == 0))
            return &set->slots[at];
    }
}

static void say_name(ftr_check *check, ftr_rule rule, const ftr_stream_entry *stream,
                     const char *what)
{
    ftr_findings_add(&check->reader->findings, rule, stream->offset, 0, "stream '%.*s' %s",
                     (int)(stream->info.name.size < 200 ? stream->info.name.size : 200),
                     stream->info.name.data, what);
}

static void check_name(ftr_check *check, name_set *set, const ftr_stream_entry *stream)
{
    const ftr_view name = stream->info.name;
    const ftr_stream_entry **slot = name_slot(set, name.data, name.size);
    if (*slot != NULL)
        say_name(check, FTR_RULE_STREAM_NAME_UNIQUE, stream, "has the name of an earlier one");
    else
        *slot = stream;
    if (name.size == 1 && name.data[0] == '.')
        say_name(check, FTR_RULE_STREAM_NAME_PREFIX, stream, "cannot be shown under this name");
    for (size_t i = 0; i < name.size; i++)
        if (name.data[i] == '.' && i > 0 && *name_slot(set, name.data, i) != NULL) {
            say_name(check, FTR_RULE_STREAM_NAME_PREFIX, stream,
                     "has the name of an earlier one before one of its dots");
            break;
        }
}

void ftr_check_stream_names(ftr_check *check)
{
    const ftr_directory *directory = &check->reader->directory;
    name_set set = {.capacity = 16};
    while (set.capacity < 2 * directory->stream_count)
        set.capacity *= 2;
    ftr_budget *budget = &check->reader->budget;
    const bool counted = ftr_budget_take(budget, set.capacity * sizeof *set.slots);
    if (counted)
        set.slots = calloc(set.capacity, sizeof *set.slots);
    if (set.slots == NULL)
        ftr_findings_add(&check->reader->findings, FTR_RULE_NOT_CHECKED, 0, 0,
                         "there is no memory to compare the names of streams");
    for (size_t i = 0; set.slots != NULL && i < directory->stream_count; i++)
        if (directory->streams[i]->info.defined)
            check_name(check, &set, directory->streams[i]);
    free(set.slots);
    if (counted)
        ftr_budget_give(budget, set.capacity * sizeof *set.slots);
}
