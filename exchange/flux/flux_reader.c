/* Owns what the entries of a flux file mean for an FTR file. Two passes over the same entries: the
   first finds the finest domain base and the samples that relations name, the second records. */
#include "flux_reader.h"

#include "flux_names.h"
#include "flux_parser.h"
#include "flux_values.h"
#include "own_flux.h"
#include "progress.h"
#include "tx_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_EVERY 4096
#define NO_BASE 127
#define ITEMS_A_RANGE 65536
#define MODE_SYNC 1
#define TYPE_MASK 0x0f /* of version 6, which has flags above it */

/* The other end of a relation is the sample at its position. */
typedef struct relation {
    char *name;
    ftr_tx from;
    uint64_t to; /* key of a sample */
    bool reversed;
    uint64_t offset;
} relation;

typedef struct flux_reader {
    ftr_byte_input input;
    ftr_flux_parser parser;
    ftr_import_target target;
    ftr_import_result *result;
    ftr_flux_items items;
    ftr_flux_values values;
    ftr_tx_table samples; /* that relations name: by key; those of ours by id */
    relation *relations;
    size_t relation_count, relation_capacity;
    bool recording;  /* the second pass */
    int time_scale;  /* the finest base; NO_BASE: there is none */
    bool told_ticks; /* of a base that is no time */
    bool many;       /* more than one trace: streams are named after theirs */
    bool has_head;
    uint32_t first_trace;
    uint64_t entries;
    /* The last sample's transaction is open: attachments may follow. */
    bool current;
    uint32_t current_trace;
    uint64_t current_item;
    ftr_tx tx;
    uint64_t end;
} flux_reader;

/* Only the second pass tells: the first sees the same. */
static void complain(void *user, uint64_t offset, const char *message)
{
    flux_reader *r = user;
    if (r->recording)
        ftr_import_find(&r->target, "byte", offset, "%s", message);
}

static void keep(flux_reader *r, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&r->target, status);
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

/* What a sample is found by: its item and position. Of ours: the id it had. */
static uint64_t sample_key(const ftr_flux_legend_item *item, int64_t position)
{
    return mix(mix(item->trace + 1, item->id), (uint64_t)position);
}

static uint64_t own_key(uint32_t trace, uint64_t id)
{
    return mix(mix(trace + 1, UINT64_MAX), id);
}

/* That an item has samples whose labels come late. */
static uint64_t late_key(const ftr_flux_legend_item *item)
{
    return mix(mix(item->trace + 1, item->id), UINT64_C(0x5bd1e995)) ^ UINT64_MAX;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void set_text(flux_reader *r, char **to, ftr_view text)
{
    free(*to);
    *to = strndup(text.data, text.size);
    if (*to == NULL)
        keep(r, FTR_ERR_MEMORY);
}

/* A trace is an item of its own, with id 0: the root of its scopes. */
static ftr_flux_legend_item *root_of(flux_reader *r, uint32_t trace)
{
    return ftr_flux_add_item(&r->items, trace, 0);
}

static ftr_stream stream_of(flux_reader *r, ftr_flux_legend_item *scope)
{
    if (scope->stream != 0)
        return scope->stream;
    char *name = ftr_flux_stream_name(&r->items, scope, r->many);
    const ftr_flux_legend_item *root = ftr_flux_find_item(&r->items, scope->trace, 0);
    const char *kind = scope->description;
    if (root != NULL && root->ours)
        kind = ftr_own_flux_stream_kind(scope->description);
    keep(r, name == NULL ? FTR_ERR_MEMORY
                         : ftr_stream_define(r->target.recorder, name, kind, &scope->stream));
    free(name);
    return scope->stream;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void take_head(flux_reader *r, const ftr_flux_entry *entry)
{
    if (!r->has_head)
        r->first_trace = entry->trace;
    r->has_head = true;
    if (!r->recording && entry->trace != r->first_trace)
        r->many = true;
    if (entry->version != 4 && entry->version != 6)
        complain(r, entry->offset, "a version that is neither 4 nor 6, read as the nearest");
    ftr_flux_legend_item *root = root_of(r, entry->trace);
    if (root == NULL) {
        keep(r, FTR_ERR_MEMORY);
        return;
    }
    set_text(r, &root->name, entry->name);
    root->sync = entry->mode == MODE_SYNC;
    root->ours = ftr_own_flux_is_head(entry->description);
}

static void define_signal(flux_reader *r, ftr_flux_legend_item *item, const ftr_flux_entry *entry)
{
    const ftr_flux_legend_item *root = ftr_flux_find_item(&r->items, item->trace, 0);
    if (!ftr_flux_add_path(&r->items, item))
        keep(r, FTR_ERR_MEMORY);
    item->ours = root != NULL && root->ours &&
                 ftr_own_flux_is_generator(item->description != NULL ? item->description : "");
    item->relations = root != NULL && root->ours && item->parent == 0 &&
                      ftr_own_flux_is_relations(item->description);
    if (!r->recording || item->relations)
        return;
    ftr_flux_legend_item *parent = ftr_flux_find_item(&r->items, item->trace, item->parent);
    const ftr_stream stream = parent != NULL ? stream_of(r, parent) : 0;
    if (stream == 0)
        return;
    char *name = ftr_flux_generator_name(item, entry);
    keep(r, name == NULL ? FTR_ERR_MEMORY
                         : ftr_generator_define(r->target.recorder, stream, name, NULL, 0,
                                                &item->generator));
    free(name);
    item->late = ftr_tx_table_find(&r->samples, late_key(item)) != NULL;
}

static void define_item(flux_reader *r, const ftr_flux_entry *entry, uint64_t id)
{
    const bool is_signal = entry->tag != FTR_FLUX_SCOPE;
    const ftr_flux_legend_item *root = root_of(r, entry->trace);
    if (id == 0 || root == NULL) {
        complain(r, entry->offset, "an item without a number, left out");
        return;
    }
    if (ftr_flux_find_item(&r->items, entry->trace, id) != NULL) {
        if (!root->sync)
            complain(r, entry->offset, "an item that is defined already, left out");
        return;
    }
    if (ftr_flux_find_item(&r->items, entry->trace, entry->parent) == NULL) {
        complain(r, entry->offset, "an item of a scope that is not defined, left out");
        return;
    }
    ftr_flux_legend_item *item = ftr_flux_add_item(&r->items, entry->trace, id);
    if (item == NULL) {
        keep(r, FTR_ERR_LIMIT);
        return;
    }
    item->parent = entry->parent;
    item->is_signal = is_signal;
    item->type = entry->type & TYPE_MASK;
    set_text(r, &item->name, entry->name);
    set_text(r, &item->description, entry->description);
    if (is_signal)
        define_signal(r, item, entry);
    else if (r->recording && ftr_flux_find_item(&r->items, entry->trace, 0)->ours &&
             ftr_own_flux_stream_kind(item->description) != NULL)
        (void)stream_of(r, item); /* also one without generators */
}

static void define_items(flux_reader *r, const ftr_flux_entry *entry)
{
    if (entry->item_to < entry->item || entry->item_to - entry->item >= ITEMS_A_RANGE) {
        complain(r, entry->offset, "a range of items that is none, or too large, left out");
        return;
    }
    for (uint64_t id = entry->item; id <= entry->item_to; id++)
        define_item(r, entry, id);
}

/* The item an entry is of, or NULL after a word. */
static ftr_flux_legend_item *item_of(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = entry->item == 0
                                     ? root_of(r, entry->trace)
                                     : ftr_flux_find_item(&r->items, entry->trace, entry->item);
    if (item == NULL)
        complain(r, entry->offset, "an entry of an item that is not defined, left out");
    return item;
}

static void take_legend(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    if (item == NULL)
        return;
    if (entry->tag == FTR_FLUX_ENUM) {
        if (!ftr_flux_add_label(item, entry->enumeration, entry->value, entry->name))
            keep(r, FTR_ERR_LIMIT);
        return;
    }
    ftr_flux_legend_member *member =
        ftr_flux_add_member(item, entry->member, entry->name, entry->type);
    if (member == NULL)
        keep(r, FTR_ERR_LIMIT);
    else if (item->ours)
        ftr_own_flux_type_member(item->description, entry->member, &member->class_,
                                 &member->value_type);
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* Nothing is lost by it: told, but no finding. */
static void tell_ticks(flux_reader *r, uint64_t offset)
{
    if (!r->recording || r->told_ticks || r->target.result->again)
        return;
    r->told_ticks = true;
    ftr_exchange_tell(r->target.report,
                      "%s: byte %" PRIu64 ": a domain base that is no time: its units are ticks",
                      r->input.path, offset);
}

static void open_sequence(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    const ftr_flux_legend_item *root = item != NULL ? root_of(r, entry->trace) : NULL;
    if (root == NULL || (item->open && root->sync))
        return;
    const char *initial = root->default_base != NULL ? root->default_base : "";
    char *base =
        entry->domain.size > 0 ? strndup(entry->domain.data, entry->domain.size) : strdup(initial);
    int exponent = NO_BASE;
    uint64_t mantissa = 1;
    const bool is_time = base != NULL && ftr_flux_base_of(base, &mantissa, &exponent);
    if (base == NULL)
        keep(r, FTR_ERR_MEMORY);
    else if (!is_time)
        tell_ticks(r, entry->offset);
    free(base);
    ftr_flux_open_item(&r->items, item);
    item->position = entry->position;
    item->factor = is_time ? mantissa : 1;
    if (!r->recording) {
        if (is_time && exponent < r->time_scale)
            r->time_scale = exponent;
        return;
    }
    for (int scale = is_time ? exponent : r->time_scale; scale > r->time_scale; scale--) {
        if (item->factor > UINT64_MAX / 10) {
            item->factor = 0;
            return;
        }
        item->factor *= 10;
    }
}

static void close_sequence(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    if (item == NULL)
        return;
    if (!ftr_flux_close_item(&r->items, item))
        complain(r, entry->offset, "a sequence that is closed but not open");
}

static void set_default_base(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *root = root_of(r, entry->trace);
    if (root != NULL)
        set_text(r, &root->default_base, entry->domain);
}

static void set_position(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    ftr_flux_legend_item *domain = item != NULL ? ftr_flux_opened(&r->items, item) : NULL;
    if (domain != NULL)
        domain->position = entry->position;
    else if (item != NULL)
        complain(r, entry->offset, "a position of an item that is not open, left out");
}

/* ---- samples --------------------------------------------------------------------------------- */

static void finish_current(flux_reader *r)
{
    if (r->current && r->recording)
        keep(r, ftr_tx_end(r->target.recorder, r->tx, r->end));
    r->current = false;
}

/* Ends the transaction that waited for labels. */
static void release_held(flux_reader *r, ftr_flux_legend_item *item)
{
    if (item->held)
        keep(r, ftr_tx_end(r->target.recorder, item->last, item->last_end));
    item->held = false;
}

static void release_all(flux_reader *r)
{
    for (size_t i = 0; i < r->items.count; i++)
        release_held(r, &r->items.items[i]);
}

static bool to_ticks(flux_reader *r, const ftr_flux_legend_item *domain, int64_t position,
                     uint64_t *ticks, uint64_t offset)
{
    const char *wrong = NULL;
    if (position < 0)
        wrong = "a sample before time 0, put at 0";
    else if (domain->factor == 0 || (uint64_t)position > UINT64_MAX / domain->factor)
        wrong = "a sample past what 64 bits of ticks can say, left out";
    if (wrong != NULL)
        complain(r, offset, wrong);
    *ticks = position < 0 ? 0 : wrong == NULL ? (uint64_t)position * domain->factor : 0;
    return wrong == NULL || position < 0;
}

/* Notes the transaction of a sample for relations that name it; of several, the first. */
static void note_sample(flux_reader *r, uint64_t key)
{
    ftr_tx_entry *entry = ftr_tx_table_find(&r->samples, key);
    if (entry != NULL && entry->state == 0) {
        entry->state = 1;
        entry->tx = r->tx;
    }
}

static void put_own_members(flux_reader *r, const ftr_flux_legend_item *item,
                            const ftr_flux_entry *entry, uint64_t *duration)
{
    const uint8_t *first = (const uint8_t *)entry->bytes.data;
    ftr_flux_bytes from = {first, first + entry->bytes.size, false, false};
    ftr_flux_struct_member member;
    while (ftr_flux_next_member(&from, &member)) {
        int64_t integer = 0;
        if (member.id == FTR_OWN_FLUX_ID) {
            if (ftr_flux_integer(member.bytes, &integer))
                note_sample(r, own_key(item->trace, (uint64_t)integer));
        } else if (member.id == FTR_OWN_FLUX_DURATION) {
            if (ftr_flux_integer(member.bytes, &integer))
                *duration = (uint64_t)integer;
        } else {
            const ftr_flux_legend_member *legend = ftr_flux_find_member(item, member.id);
            if (legend != NULL)
                ftr_flux_put_own_member(&r->values, legend, &member);
            else
                r->values.wrong++;
        }
    }
    r->values.wrong += from.cut || from.bad;
}

static void record_sample(flux_reader *r, ftr_flux_legend_item *item,
                          const ftr_flux_legend_item *domain, const ftr_flux_entry *entry)
{
    uint64_t begin;
    uint64_t duration = 0;
    release_held(r, item);
    if (item->generator == 0 || !to_ticks(r, domain, domain->position, &begin, entry->offset))
        return;
    keep(r, ftr_tx_begin(r->target.recorder, item->generator, begin, &r->tx));
    if (r->target.status != FTR_OK)
        return;
    r->current = true;
    r->values.tx = r->tx;
    r->values.wrong = 0;
    if (item->ours)
        put_own_members(r, item, entry, &duration);
    else
        ftr_flux_put_sample_value(&r->values, item, entry);
    if (r->values.wrong > 0)
        complain(r, entry->offset, "a value that is not of its signal's type");
    if (duration > (UINT64_MAX - begin) / (domain->factor > 0 ? domain->factor : 1))
        duration = 0;
    r->end = begin + duration * domain->factor;
    item->has_last = true;
    item->last = r->tx;
    item->last_position = domain->position;
    item->last_end = r->end;
    item->held = item->late;
    r->current = !item->late;
    note_sample(r, sample_key(item, domain->position));
}

/* A relation of ours: name and the ids that its ends had. */
static void take_own_relation(flux_reader *r, const ftr_flux_legend_item *item,
                              const ftr_flux_entry *entry)
{
    const uint8_t *first = (const uint8_t *)entry->bytes.data;
    ftr_flux_bytes from = {first, first + entry->bytes.size, false, false};
    ftr_flux_struct_member member;
    ftr_view name = {"", 0};
    int64_t ids[2] = {0, 0};
    while (ftr_flux_next_member(&from, &member))
        if (member.id == FTR_OWN_FLUX_NAME)
            name = member.bytes;
        else if (member.id == FTR_OWN_FLUX_FROM || member.id == FTR_OWN_FLUX_TO)
            (void)ftr_flux_integer(member.bytes, &ids[member.id == FTR_OWN_FLUX_TO]);
    const ftr_tx_entry *ends[2];
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t key = own_key(item->trace, (uint64_t)ids[i]);
        if (!r->recording && ftr_tx_table_add(&r->samples, key) == NULL)
            keep(r, FTR_ERR_MEMORY);
        ends[i] = ftr_tx_table_find(&r->samples, key);
    }
    if (!r->recording)
        return;
    if (ends[0] == NULL || ends[1] == NULL || ends[0]->state == 0 || ends[1]->state == 0) {
        complain(r, entry->offset, "a relation of a transaction that there is not, left out");
        return;
    }
    char *text = strndup(name.data, name.size);
    ftr_relation handle;
    ftr_status status =
        text != NULL ? ftr_relation_define(r->target.recorder, text, &handle) : FTR_ERR_MEMORY;
    if (status == FTR_OK)
        status = ftr_relation_put(r->target.recorder, handle, ends[0]->tx, ends[1]->tx);
    keep(r, status);
    free(text);
}

static void take_sample(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    ftr_flux_legend_item *domain = item != NULL ? ftr_flux_opened(&r->items, item) : NULL;
    if (item == NULL)
        return;
    if (!item->is_signal || domain == NULL) {
        complain(r, entry->offset, "a sample of an item that is not open, left out");
        return;
    }
    if (entry->delta > INT64_MAX || domain->position > INT64_MAX - (int64_t)entry->delta) {
        complain(r, entry->offset, "a delta past what 64 bits can say, left out");
        return;
    }
    domain->position += (int64_t)entry->delta;
    if (item->relations)
        take_own_relation(r, item, entry);
    else if (r->recording)
        record_sample(r, item, domain, entry);
    else {
        item->has_last = true;
        item->last_position = domain->position;
        r->current = true;
    }
    r->current_trace = item->trace;
    r->current_item = item->id;
}

/* ---- attachments ----------------------------------------------------------------------------- */

static bool keep_relation(flux_reader *r, const ftr_flux_entry *entry, const char *name,
                          ftr_tx from, uint64_t key)
{
    if (r->relation_count == r->relation_capacity) {
        const size_t capacity = r->relation_capacity * 2 + 64;
        relation *grown = realloc(r->relations, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        r->relations = grown;
        r->relation_capacity = capacity;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return false;
    r->relations[r->relation_count++] =
        (relation){copy, from, key, (entry->relation_type & 1) != 0, entry->offset};
    return true;
}

/* To the last sample of its item. In our own traces they are for viewers: the relations follow
 * exactly. */
static void take_relation(flux_reader *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = item_of(r, entry);
    if (item == NULL || item->ours)
        return;
    const char *target = ftr_flux_find_label(item, 1, entry->enumeration);
    const char *style = ftr_flux_find_label(item, 2, entry->value);
    const ftr_flux_legend_item *other =
        target != NULL ? ftr_flux_find_path(&r->items, entry->trace, target) : NULL;
    if (ftr_flux_opened(&r->items, item) == NULL || other == NULL || !item->has_last) {
        complain(r, entry->offset, "a relation whose ends are not to be found, left out");
        return;
    }
    const uint64_t position =
        (entry->relation_type >= 2 ? 0 : (uint64_t)item->last_position) + (uint64_t)entry->position;
    const uint64_t key = sample_key(other, (int64_t)position);
    const char *slash = style != NULL ? strchr(style, '/') : NULL; /* colour and line follow */
    char *name = strndup(style != NULL ? style : "relation",
                         slash != NULL ? (size_t)(slash - style) : SIZE_MAX / 2);
    const bool well = name != NULL && (r->recording ? keep_relation(r, entry, name, item->last, key)
                                                    : ftr_tx_table_add(&r->samples, key) != NULL);
    if (!well)
        keep(r, FTR_ERR_MEMORY);
    free(name);
}

static void take_label(flux_reader *r, const ftr_flux_entry *entry)
{
    const ftr_flux_legend_item *item = item_of(r, entry);
    if (item == NULL)
        return;
    const bool follows =
        r->current && r->current_trace == item->trace && r->current_item == item->id;
    if (!r->recording) {
        if (!follows && item->has_last && ftr_tx_table_add(&r->samples, late_key(item)) == NULL)
            keep(r, FTR_ERR_MEMORY);
        return;
    }
    if (!item->held && !follows) {
        complain(r, entry->offset, "a label without a sample, left out");
        return;
    }
    const char *style = ftr_flux_find_label(item, 3, entry->value);
    const ftr_value text = {.type = FTR_TYPE_STRING,
                            .text_length = FTR_NUL_TERMINATED,
                            .as.text = style != NULL ? style : ""};
    const ftr_value x = {.type = FTR_TYPE_INTEGER, .as.integer = entry->x};
    const ftr_value y = {.type = FTR_TYPE_INTEGER, .as.integer = entry->y};
    ftr_recorder *recorder = r->target.recorder;
    keep(r, ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label", &text));
    keep(r, ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label.x", &x));
    keep(r, ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label.y", &y));
}

static void put_relations(flux_reader *r)
{
    for (size_t i = 0; i < r->relation_count; i++) {
        relation *waiting = &r->relations[i];
        const ftr_tx_entry *to = ftr_tx_table_find(&r->samples, waiting->to);
        ftr_relation handle;
        if (to == NULL || to->state == 0) {
            complain(r, waiting->offset, "a relation to a sample that there is not, left out");
        } else {
            ftr_status status = ftr_relation_define(r->target.recorder, waiting->name, &handle);
            if (status == FTR_OK)
                status = ftr_relation_put(r->target.recorder, handle,
                                          waiting->reversed ? to->tx : waiting->from,
                                          waiting->reversed ? waiting->from : to->tx);
            keep(r, status);
        }
        free(waiting->name);
    }
    free(r->relations);
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void take_entry(flux_reader *r, const ftr_flux_entry *entry)
{
    if (entry->tag != FTR_FLUX_RELATION && entry->tag != FTR_FLUX_LABEL &&
        entry->tag != FTR_FLUX_ENUM)
        finish_current(r);
    switch (entry->tag) {
    case FTR_FLUX_SAMPLE:
        take_sample(r, entry);
        break;
    case FTR_FLUX_HEAD:
        take_head(r, entry);
        break;
    case FTR_FLUX_SCOPE:
    case FTR_FLUX_SIGNAL:
    case FTR_FLUX_SIGNALS:
    case FTR_FLUX_SCATTERED:
        define_items(r, entry);
        break;
    case FTR_FLUX_OPEN:
        open_sequence(r, entry);
        break;
    case FTR_FLUX_CLOSE:
        close_sequence(r, entry);
        break;
    case FTR_FLUX_DOMAIN:
        set_default_base(r, entry);
        break;
    case FTR_FLUX_CURRENT:
        set_position(r, entry);
        break;
    case FTR_FLUX_ENUM:
    case FTR_FLUX_MEMBER:
        take_legend(r, entry);
        break;
    case FTR_FLUX_RELATION:
        take_relation(r, entry);
        break;
    case FTR_FLUX_LABEL:
        take_label(r, entry);
        break;
    default: /* references and control entries have no place in FTR */
        break;
    }
}

static bool pass(flux_reader *r)
{
    ftr_progress progress;
    ftr_flux_entry entry;
    r->entries = 0;
    ftr_progress_begin(&progress, r->input.size, "bytes");
    while (r->target.status == FTR_OK && ftr_flux_parser_next(&r->parser, false, &entry)) {
        if (!r->has_head && entry.tag != FTR_FLUX_HEAD && entry.tag != FTR_FLUX_SWITCH)
            break; /* not a file whose beginning we know */
        take_entry(r, &entry);
        if (++r->entries % SHOWN_EVERY == 0)
            ftr_progress_show(&progress, r->input.read);
    }
    finish_current(r);
    release_all(r);
    ftr_progress_end(&progress);
    return !r->parser.failed;
}

static bool import(flux_reader *r, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    r->time_scale = NO_BASE;
    r->target.report = report;
    if (!pass(r))
        return false;
    if (!r->has_head || r->target.status != FTR_OK) {
        ftr_exchange_tell(report, "%s: %s", r->input.path,
                          r->target.status != FTR_OK ? ftr_status_text(r->target.status)
                                                     : "not a flux file: it begins with no head");
        return false;
    }
    if (!ftr_flux_parser_rewind(&r->parser))
        return false;
    ftr_flux_items_release(&r->items);
    ftr_recorder_options own = *options;
    if (r->time_scale == NO_BASE || r->time_scale > 0)
        r->time_scale = r->time_scale == NO_BASE ? -12 : 0;
    own.time_scale = r->time_scale == 0 ? FTR_TIME_SCALE_SECOND : r->time_scale;
    if (!ftr_import_open(&r->target, r->input.path, output, &own, report, result))
        return false;
    r->recording = true;
    const bool well = pass(r);
    put_relations(r);
    return ftr_import_close(&r->target) && well;
}

bool ftr_flux_read(const char *path, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    flux_reader *r = calloc(1, sizeof *r);
    bool well = false;
    if (r == NULL)
        return false;
    r->values.target = &r->target;
    if (ftr_byte_input_open(&r->input, path, report)) {
        if (ftr_flux_parser_init(&r->parser, &r->input, complain, r)) {
            well = import(r, output, options, report, result);
            ftr_flux_parser_release(&r->parser);
        }
        ftr_byte_input_close(&r->input);
    }
    ftr_flux_items_release(&r->items);
    ftr_tx_table_release(&r->samples);
    free(r->values.text);
    free(r);
    return well;
}
