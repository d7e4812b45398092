/* Adds forms to the table of forms. */
#include "attribute_forms.h"

#include "usual_items.h"

/* Returns the stored form that begins with the bytes from @p p up to @p value, and expects it at @p
 * program from now on. If the form is not stored yet, it replaces the form that has its place in
 * the table. */
static ftr_attribute_form *store(ftr_attribute_forms *forms, uint32_t *program, const uint8_t *p,
                                 const uint8_t *value, const ftr_raw_attribute *raw)
{
    ftr_attribute_form form = {.size = (uint32_t)(value - p),
                               .name_id = raw->name,
                               .stored_type = (uint8_t)raw->type,
                               .tag = (uint8_t)raw->tag};
    memcpy(&form.start, p, form.size);
    memset(&form.mask, 0xff, form.size);
    const uint64_t number = 1 + (raw->name * 4 + raw->tag + raw->type * 64) % (FTR_FORMS - 1);
    *program = (uint32_t)(number * sizeof form);
    ftr_attribute_form *stored = &forms->form[number];
    if (stored->start == form.start && stored->mask == form.mask)
        return stored;
    for (unsigned i = 0; i < FTR_FORM_POSITIONS; i++)
        if (forms->decoded[i].form == stored)
            forms->decoded[i].form = NULL;
    *stored = form;
    return stored;
}

const uint8_t *ftr_forms_learn(ftr_attribute_forms *forms, uint64_t generator, unsigned position,
                               const uint8_t *p, const uint8_t *end)
{
    uint32_t *program = &forms->program[generator % FTR_FORM_PROGRAMS][position];
    ftr_decoded_attribute *decoded = &forms->decoded[position];
    const uint8_t *value;
    ftr_raw_attribute raw;
    decoded->form = NULL;
    decoded->behind = ftr_skip_usual_attribute(p, end, &raw, &value);
    if (decoded->behind == NULL || value - p > (ptrdiff_t)sizeof(uint64_t) || raw.type > UINT8_MAX)
        return decoded->behind;
    const ftr_attribute_form *form = store(forms, program, p, value, &raw);
    if (ftr_take_uint(&value, end, &decoded->number))
        decoded->form = form;
    return decoded->behind;
}

void ftr_forms_forget_names(ftr_attribute_forms *forms)
{
    for (size_t i = 0; i < FTR_FORMS; i++)
        forms->form[i].meaning = FTR_FORM_UNKNOWN;
}
