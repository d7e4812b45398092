/* Names of streams and generators made from flux files, and the units of their domain bases. FTR
 * has only units of time. Therefore other units are recorded as transactions in a separate
 * stream. */
#include "flux_names.h"

#include "time_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINEST (-15) /* the smallest supported exponent of ten: femtoseconds */

/* Makes a name for an item without a name, because FTR requires names. */
static char *name_of_nameless(const char *kind, uint64_t id)
{
    char name[40];
    (void)snprintf(name, sizeof name, "%s%" PRIu64, kind, id);
    return strdup(name);
}

char *ftr_flux_stream_name(const ftr_flux_items *items, const ftr_flux_legend_item *scope,
                           bool many)
{
    char *path = ftr_flux_path(items, scope, '.');
    const ftr_flux_legend_item *root = ftr_flux_find_item(items, scope->trace, 0);
    const bool named = root != NULL && root->name != NULL && *root->name != '\0';
    const char *trace = named ? root->name : "trace";
    if (path != NULL && *path == '\0' && scope->id != 0) {
        free(path);
        path = name_of_nameless("scope", scope->id);
    }
    if (path == NULL || (!many && (*path != '\0' || scope->id != 0)))
        return path;
    char *whole = malloc(strlen(trace) + strlen(path) + 2);
    if (whole != NULL)
        (void)stpcpy(stpcpy(stpcpy(whole, trace), scope->id != 0 ? "." : ""), path);
    free(path);
    return whole;
}

char *ftr_flux_generator_name(const ftr_flux_legend_item *item, const ftr_flux_entry *entry)
{
    const char *name = item->name != NULL ? item->name : "";
    if (*name == '\0' && entry->tag == FTR_FLUX_SIGNAL)
        return name_of_nameless("signal", item->id);
    const size_t size = strlen(name) + 48;
    char *whole = malloc(size);
    if (whole == NULL)
        return NULL;
    if (entry->tag == FTR_FLUX_SIGNALS)
        (void)snprintf(whole, size, "%s[%" PRIu64 "]", name, item->id - entry->item);
    else if (entry->tag == FTR_FLUX_SCATTERED)
        (void)snprintf(whole, size, "%s[%" PRIu64 ":%" PRIu64 "]", name, entry->first_bit,
                       entry->last_bit);
    else
        (void)snprintf(whole, size, "%s", name);
    return whole;
}

bool ftr_flux_base_of(const char *text, uint64_t *mantissa, int *exponent)
{
    char with_number[40];
    ftr_time_value time;
    const size_t size = strlen(text);
    if (size == 0 || size > sizeof with_number - 3)
        return false;
    const bool bare = *text < '0' || *text > '9';
    (void)stpcpy(stpcpy(with_number, bare ? "1" : ""), text);
    if (!ftr_time_parse(with_number, &time, NULL) || time.in_ticks || time.mantissa == 0)
        return false;
    for (*exponent = time.exponent; time.mantissa % 10 == 0; time.mantissa /= 10)
        (*exponent)++;
    *mantissa = time.mantissa;
    return *exponent >= FINEST;
}

#define STREAM "flux.domains"

const char *ftr_flux_unit_of(const char *base, uint64_t *factor)
{
    char *unit = NULL;
    *factor = *base >= '0' && *base <= '9' ? strtoull(base, &unit, 10) : 1;
    if (unit == NULL || *factor == 0) {
        *factor = 1;
        return base;
    }
    return unit + strspn(unit, " \t");
}

static void put(ftr_import_target *target, ftr_tx tx, const char *name, const char *text)
{
    const ftr_value value = {
        .type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = text};
    ftr_import_keep(target, ftr_tx_put_named(target->recorder, tx, FTR_CLASS_BEGIN, name, &value));
}

void ftr_flux_record_domain(ftr_import_target *target, ftr_generator *generator, const char *item,
                            const char *unit, uint64_t tick)
{
    ftr_stream stream;
    ftr_tx tx;
    ftr_status status = FTR_OK;
    if (*generator == 0) {
        status = ftr_stream_define(target->recorder, STREAM, "units of ticks", &stream);
        if (status == FTR_OK)
            status = ftr_generator_define(target->recorder, stream, "domain", NULL, 0, generator);
    }
    if (status == FTR_OK)
        status = ftr_tx_begin(target->recorder, *generator, tick, &tx);
    if (status != FTR_OK) {
        ftr_import_keep(target, status);
        return;
    }
    put(target, tx, "item", item);
    put(target, tx, "unit", unit);
    ftr_import_keep(target, ftr_tx_end(target->recorder, tx, tick));
}
