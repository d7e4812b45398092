/* Owns the transactions that name units other than time, in a separate stream. FTR itself has only
 * units of time. */
#include "flux_domains.h"

#include <stdlib.h>
#include <string.h>

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
