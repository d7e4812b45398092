/* Converts flux entries to FTR. Reads the entries twice: the first pass finds the finest domain
 * base and the samples that relations refer to; the second pass records. */
#include "formats.h"

#include "flux_import.h"
#include "flux_names.h"
#include "flux_description.h"
#include "exchange_report.h"
#include "tx_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_INTERVAL 4096

/* ---- sequences ------------------------------------------------------------------------------- */

/* Records a unit that is not a time as a transaction, because FTR has only units of time. */
static void keep_unit(ftr_flux_import *r, const ftr_flux_entry *entry, ftr_flux_legend_item *item,
                      const char *base)
{
    const char *unit = ftr_flux_unit_of(base, &item->factor);
    if (*unit == '\0') {
        ftr_flux_import_report_once(r, &r->ticks_reported, entry->offset,
                                    "no domain base: positions are ticks");
        return;
    }
    ftr_flux_import_report_once(
        r, &r->ticks_reported, entry->offset,
        "a domain base that is not a time: its units are ticks, named in the stream flux.domains");
    if (!r->recording)
        return;
    char *path = item->id != 0 ? ftr_flux_path(&r->items, item, '.')
                               : strdup(item->name != NULL ? item->name : "");
    const uint64_t at = entry->position > 0 ? (uint64_t)entry->position : 0;
    if (path != NULL)
        ftr_flux_record_domain(&r->target, &r->domains, path, unit,
                               at <= UINT64_MAX / item->factor ? at * item->factor : UINT64_MAX);
    free(path);
}

static void open_sequence(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    const ftr_flux_legend_item *root = item != NULL ? ftr_flux_import_root(r, entry->trace) : NULL;
    if (root == NULL || (item->open && root->sync))
        return;
    const char *initial = root->default_base != NULL ? root->default_base : "";
    char *base =
        entry->domain.size > 0 ? strndup(entry->domain.data, entry->domain.size) : strdup(initial);
    int exponent = FTR_FLUX_NO_BASE;
    uint64_t mantissa = 1;
    const bool is_time = base != NULL && ftr_flux_base_of(base, &mantissa, &exponent);
    ftr_flux_open_item(&r->items, item);
    ftr_flux_import_root(r, entry->trace)->any_open = true;
    item->position = entry->position;
    item->factor = mantissa;
    if (base == NULL)
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    else if (!is_time)
        keep_unit(r, entry, item, base);
    free(base);
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

static void close_sequence(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    if (item == NULL)
        return;
    if (!ftr_flux_close_item(&r->items, item))
        ftr_flux_import_report_error(r, entry->offset, "a close of a sequence that is not open");
}

static void set_default_base(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *root = ftr_flux_import_root(r, entry->trace);
    if (root != NULL)
        ftr_flux_import_set_text(r, &root->default_base, entry->domain);
}

static void set_position(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    ftr_flux_legend_item *domain = item != NULL ? ftr_flux_opened(&r->items, item) : NULL;
    if (domain != NULL)
        domain->position = entry->position;
    else if (item != NULL)
        ftr_flux_import_report_error(r, entry->offset,
                                     "a position of an item that is not open: skipped");
}

/* ---- samples --------------------------------------------------------------------------------- */

static void finish_current(ftr_flux_import *r)
{
    if (r->current && r->recording)
        ftr_flux_import_keep(r, ftr_tx_end(r->target.recorder, r->tx, r->end));
    r->current = false;
}

/* Ends the transaction of an item if this transaction stayed open to wait for labels. */
static void release_held(ftr_flux_import *r, ftr_flux_legend_item *item)
{
    if (item->held)
        ftr_flux_import_keep(r, ftr_tx_end(r->target.recorder, item->last, item->last_end));
    item->held = false;
}

static void release_all(ftr_flux_import *r)
{
    for (size_t i = 0; i < r->items.count; i++)
        release_held(r, &r->items.items[i]);
}

static bool to_ticks(ftr_flux_import *r, const ftr_flux_legend_item *domain, int64_t position,
                     uint64_t *ticks, uint64_t offset)
{
    const char *wrong = NULL;
    if (position < 0)
        wrong = "a sample before time 0: moved to 0";
    else if (domain->factor == 0 || (uint64_t)position > UINT64_MAX / domain->factor)
        wrong = "a sample with a time beyond 64 bits of ticks: skipped";
    if (wrong != NULL)
        ftr_flux_import_report_error(r, offset, wrong);
    *ticks = position < 0 ? 0 : wrong == NULL ? (uint64_t)position * domain->factor : 0;
    return wrong == NULL || position < 0;
}

/* Stores the transaction of a sample if relations refer to this sample. If several samples have the
 * same key, the first sample is kept. */
static void note_sample(ftr_flux_import *r, uint64_t key)
{
    ftr_tx_entry *entry = ftr_tx_table_find(&r->samples, key);
    if (entry != NULL && entry->state == 0) {
        entry->state = 1;
        entry->tx = r->tx;
    }
}

static void put_ftr_members(ftr_flux_import *r, const ftr_flux_legend_item *item,
                            const ftr_flux_entry *entry, uint64_t *duration)
{
    const uint8_t *first = (const uint8_t *)entry->bytes.data;
    ftr_flux_bytes from = {first, first + entry->bytes.size, false, false};
    ftr_flux_struct_member member;
    while (ftr_flux_next_member(&from, &member)) {
        int64_t integer = 0;
        if (member.id == FTR_FLUX_TX_ID) {
            if (ftr_flux_integer(member.bytes, &integer))
                note_sample(r, ftr_flux_import_tx_key(item->trace, (uint64_t)integer));
        } else if (member.id == FTR_FLUX_TX_DURATION) {
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

static void record_sample(ftr_flux_import *r, ftr_flux_legend_item *item,
                          const ftr_flux_legend_item *domain, const ftr_flux_entry *entry)
{
    uint64_t begin;
    uint64_t duration = 0;
    release_held(r, item);
    if (item->generator == 0 || !to_ticks(r, domain, domain->position, &begin, entry->offset))
        return;
    ftr_flux_import_keep(r, ftr_tx_begin(r->target.recorder, item->generator, begin, &r->tx));
    if (r->target.status != FTR_OK)
        return;
    r->current = true;
    r->values.tx = r->tx;
    r->values.wrong = 0;
    if (item->from_ftr)
        put_ftr_members(r, item, entry, &duration);
    else
        ftr_flux_put_sample_value(&r->values, item, entry);
    if (r->values.wrong > 0)
        ftr_flux_import_report_error(r, entry->offset,
                                     "a value that does not fit the type of its signal");
    if (duration > (UINT64_MAX - begin) / (domain->factor > 0 ? domain->factor : 1))
        duration = 0;
    r->end = begin + duration * domain->factor;
    item->has_last = true;
    item->last = r->tx;
    item->last_position = domain->position;
    item->last_end = r->end;
    item->held = item->late;
    r->current = !item->late;
    ftr_flux_relations_note(&r->relations, ftr_flux_import_item_key(item), domain->position, r->tx);
}

/* Processes a sample that describes a relation by the original ids of its two transactions. Only
 * files of `ftr convert` contain such samples. The first pass stores the ids, and the second pass
 * records the relation. */
static void import_ftr_relation(ftr_flux_import *r, const ftr_flux_legend_item *item,
                                const ftr_flux_entry *entry)
{
    const uint8_t *first = (const uint8_t *)entry->bytes.data;
    ftr_flux_bytes from = {first, first + entry->bytes.size, false, false};
    ftr_flux_struct_member member;
    ftr_view name = {"", 0};
    int64_t ids[2] = {0, 0};
    while (ftr_flux_next_member(&from, &member))
        if (member.id == FTR_FLUX_RELATION_NAME)
            name = member.bytes;
        else if (member.id == FTR_FLUX_RELATION_FROM || member.id == FTR_FLUX_RELATION_TO)
            (void)ftr_flux_integer(member.bytes, &ids[member.id == FTR_FLUX_RELATION_TO]);
    const ftr_tx_entry *ends[2];
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t key = ftr_flux_import_tx_key(item->trace, (uint64_t)ids[i]);
        if (!r->recording && ftr_tx_table_add(&r->samples, key) == NULL)
            ftr_flux_import_keep(r, FTR_ERR_MEMORY);
        ends[i] = ftr_tx_table_find(&r->samples, key);
    }
    if (!r->recording)
        return;
    if (ends[0] == NULL || ends[1] == NULL || ends[0]->state == 0 || ends[1]->state == 0) {
        ftr_flux_import_report_error(r, entry->offset,
                                     "a relation of a missing transaction: skipped");
        return;
    }
    char *text = strndup(name.data, name.size);
    if (text != NULL)
        ftr_import_relation(&r->target, text, ends[0]->tx, ends[1]->tx);
    else
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    free(text);
}

static void import_sample(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    ftr_flux_legend_item *domain = item != NULL ? ftr_flux_opened(&r->items, item) : NULL;
    if (item == NULL)
        return;
    if (domain == NULL &&
        /* flux does not require an open entry */
        !ftr_flux_import_root(r, entry->trace)->any_open) {
        open_sequence(r, &(ftr_flux_entry){.trace = entry->trace, .offset = entry->offset});
        domain = ftr_flux_opened(&r->items, item);
    }
    if (!item->is_signal || domain == NULL) {
        ftr_flux_import_report_error(r, entry->offset,
                                     "a sample of an item that is not open: skipped");
        return;
    }
    if (entry->delta > INT64_MAX || domain->position > INT64_MAX - (int64_t)entry->delta) {
        ftr_flux_import_report_error(r, entry->offset, "a delta beyond 64 bits: skipped");
        return;
    }
    domain->position += (int64_t)entry->delta;
    if (item->relations)
        import_ftr_relation(r, item, entry);
    else if (r->recording)
        record_sample(r, item, domain, entry);
    else {
        if (item->type == 0)
            item->contents |= ftr_flux_contents_of(entry);
        item->has_last = true;
        item->last_position = domain->position;
        r->current = true;
    }
    r->current_trace = item->trace;
    r->current_item = item->id;
}

/* ---- attachments ----------------------------------------------------------------------------- */

/* Adds a relation to the last sample of its item. In files of `ftr convert`, such attachments are
 * only for viewers and are ignored here, because a separate signal contains the same relations with
 * ids. */
static void import_relation(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    if (item == NULL || item->from_ftr)
        return;
    const char *target = ftr_flux_find_label(item, 1, entry->enumeration);
    const char *style = ftr_flux_find_label(item, 2, entry->value);
    const ftr_flux_legend_item *other =
        target != NULL ? ftr_flux_find_path(&r->items, entry->trace, target) : NULL;
    if (ftr_flux_opened(&r->items, item) == NULL || other == NULL || !item->has_last) {
        ftr_flux_import_report_error(r, entry->offset,
                                     "a relation without its two samples: skipped");
        return;
    }
    const uint64_t position =
        (entry->relation_type >= 2 ? 0 : (uint64_t)item->last_position) + (uint64_t)entry->position;
    /* the name ends at the slash; a colour and a line style follow */
    const char *slash = style != NULL ? strchr(style, '/') : NULL;
    const ftr_flux_relation relation = {
        .name = strndup(style != NULL ? style : "relation",
                        slash != NULL ? (size_t)(slash - style) : SIZE_MAX / 2),
        .from = item->last,
        .to = ftr_flux_import_item_key(other),
        .position = (int64_t)position,
        .reversed = (entry->relation_type & 1) != 0,
        .offset = entry->offset};
    const bool ok = r->recording
                        ? relation.name != NULL && ftr_flux_relations_keep(&r->relations, &relation)
                        : ftr_flux_relations_expect(&r->relations, relation.to, relation.position);
    if (!ok)
        ftr_flux_import_keep(r, FTR_ERR_MEMORY);
    free(relation.name);
}

static void import_label(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    const ftr_flux_legend_item *item = ftr_flux_import_item(r, entry);
    if (item == NULL)
        return;
    const bool follows =
        r->current && r->current_trace == item->trace && r->current_item == item->id;
    if (!r->recording) {
        if (!follows && item->has_last &&
            ftr_tx_table_add(&r->samples, ftr_flux_import_late_key(item)) == NULL)
            ftr_flux_import_keep(r, FTR_ERR_MEMORY);
        return;
    }
    if (!item->held && !follows) {
        ftr_flux_import_report_error(r, entry->offset, "a label without a sample: skipped");
        return;
    }
    const char *style = ftr_flux_find_label(item, 3, entry->value);
    const ftr_value text = {.type = FTR_TYPE_STRING,
                            .text_length = FTR_NUL_TERMINATED,
                            .as.text = style != NULL ? style : ""};
    const ftr_value x = {.type = FTR_TYPE_INTEGER, .as.integer = entry->x};
    const ftr_value y = {.type = FTR_TYPE_INTEGER, .as.integer = entry->y};
    ftr_recorder *recorder = r->target.recorder;
    ftr_flux_import_keep(r,
                         ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label", &text));
    ftr_flux_import_keep(r,
                         ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label.x", &x));
    ftr_flux_import_keep(r,
                         ftr_tx_put_named(recorder, item->last, FTR_CLASS_RECORD, "label.y", &y));
}

static void lose_relation(void *user, uint64_t offset)
{
    ftr_flux_import_report_error(user, offset, "a relation to a signal without samples: skipped");
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void import_entry(ftr_flux_import *r, const ftr_flux_entry *entry)
{
    if (entry->tag != FTR_FLUX_RELATION && entry->tag != FTR_FLUX_LABEL &&
        entry->tag != FTR_FLUX_ENUM)
        finish_current(r);
    switch (entry->tag) {
    case FTR_FLUX_SAMPLE:
        import_sample(r, entry);
        break;
    case FTR_FLUX_HEAD:
        ftr_flux_import_head(r, entry);
        break;
    case FTR_FLUX_SCOPE:
    case FTR_FLUX_SIGNAL:
    case FTR_FLUX_SIGNALS:
    case FTR_FLUX_SCATTERED:
        ftr_flux_import_items(r, entry);
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
        ftr_flux_import_legend(r, entry);
        break;
    case FTR_FLUX_RELATION:
        import_relation(r, entry);
        break;
    case FTR_FLUX_LABEL:
        import_label(r, entry);
        break;
    default: /* FTR has nothing that corresponds to references and control entries */
        break;
    }
}

static bool pass(ftr_flux_import *r)
{
    ftr_progress progress;
    ftr_flux_entry entry;
    r->entries = 0;
    ftr_progress_begin(&progress, r->input.size, "bytes");
    while (r->target.status == FTR_OK && ftr_flux_parser_next(&r->parser, false, &entry)) {
        if (!r->has_head && entry.tag != FTR_FLUX_HEAD && entry.tag != FTR_FLUX_SWITCH)
            break; /* the beginning of the file is missing */
        import_entry(r, &entry);
        if (++r->entries % PROGRESS_INTERVAL == 0)
            ftr_progress_show(&progress, r->input.read);
    }
    finish_current(r);
    release_all(r);
    ftr_progress_end(&progress);
    return !r->parser.failed;
}

static bool import(ftr_flux_import *r, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    r->time_scale = FTR_FLUX_NO_BASE;
    r->target.report = report;
    if (!pass(r))
        return false;
    if (!r->has_head || r->target.status != FTR_OK) {
        ftr_exchange_print(report, "%s: %s", r->input.path,
                           r->target.status != FTR_OK
                               ? ftr_status_text(r->target.status)
                               : "not a flux file: it does not begin with a head");
        return false;
    }
    if (!ftr_flux_parser_rewind(&r->parser))
        return false;
    ftr_flux_import_keep_contents(r);
    ftr_flux_relations_sort(&r->relations);
    ftr_recorder_options own = *options;
    if (r->time_scale == FTR_FLUX_NO_BASE || r->time_scale > 0)
        r->time_scale = r->time_scale == FTR_FLUX_NO_BASE ? -12 : 0;
    own.time_scale = r->time_scale == 0 ? FTR_TIME_SCALE_SECOND : r->time_scale;
    if (!ftr_import_open(&r->target, r->input.path, output, &own, report, result))
        return false;
    ftr_flux_import_define_nested(r);
    ftr_flux_items_release(&r->items);
    r->recording = true;
    const bool ok = pass(r);
    ftr_flux_relations_put(&r->relations, &r->target, lose_relation, r);
    return ftr_import_close(&r->target) && ok;
}

bool ftr_flux_read(const char *path, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result)
{
    ftr_flux_import *r = ftr_exchange_state(sizeof *r, path, report);
    bool ok = false;
    if (r == NULL)
        return false;
    r->values.target = &r->target;
    if (ftr_byte_input_open(&r->input, path, report)) {
        if (ftr_flux_parser_init(&r->parser, &r->input, ftr_flux_import_report_error, r)) {
            ok = import(r, output, options, report, result);
            ftr_flux_parser_release(&r->parser);
        }
        ftr_byte_input_close(&r->input);
    }
    ftr_flux_items_release(&r->items);
    ftr_flux_relations_release(&r->relations);
    ftr_tx_table_release(&r->samples);
    free(r->values.text);
    free(r);
    return ok;
}
