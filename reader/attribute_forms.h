/* Prepared decoding of attributes. All attributes of one name, type and class begin with the same
 * bytes: tag, array head, name and type. A form holds these bytes and their meaning, so one
 * comparison recognises an attribute. The attributes of a generator nearly always follow each other
 * in the same order, so each generator has a program: the form expected at each position. A wrong
 * expectation only costs time. */
#ifndef FTR_ATTRIBUTE_FORMS_H
#define FTR_ATTRIBUTE_FORMS_H

#include <ftr/reader.h>

#include <string.h>

#define FTR_FORMS 512u
#define FTR_FORM_PROGRAMS 256u
/* Number of positions in a program. A transaction in the usual form (transaction_walk.h) has fewer
 * attributes. */
#define FTR_FORM_POSITIONS 32u

typedef enum ftr_form_meaning {
    /* the name, class and type are not set: no attribute of this form was returned since the form
     * was stored, or since ftr_forms_forget_names() */
    FTR_FORM_UNKNOWN,
    FTR_FORM_OF_NUMBERS,
    FTR_FORM_OF_TEXTS /* the values are ids of texts */
} ftr_form_meaning;

typedef struct ftr_attribute_form {
    /* `start`: the first `size` bytes of each attribute of this form, in memory order; `mask`: all
     * bits of these bytes are 1, other bits 0 */
    uint64_t start, mask;
    ftr_view name;
    ftr_attribute_class class_;
    ftr_type type;
    uint64_t name_id;
    ftr_form_meaning meaning;
    uint32_t size;            /* number of bytes before the value */
    uint8_t stored_type, tag; /* number of the type, and tag of the attribute, in the file */
    /* ftr_reader_check() has found no error in the name and type of this form. It must still check
     * each value, and whether earlier chunks define the texts. */
    bool is_checked;
    uint8_t padding[5]; /* the size is a power of two, for a short address computation */
} ftr_attribute_form;

/* One attribute of the transaction that was read last. */
typedef struct ftr_decoded_attribute {
    /* NULL: the value is not an unsigned number, or the form is not stored (ftr_forms_learn()) or
     * was replaced */
    const ftr_attribute_form *form;
    uint64_t number;
    const uint8_t *behind; /* position after the attribute */
} ftr_decoded_attribute;

typedef struct ftr_attribute_forms {
    ftr_attribute_form form[FTR_FORMS]; /* number 0 matches nothing */
    /* the expected forms, as byte offsets in `form`. First index: generator id % FTR_FORM_PROGRAMS;
     * second index: ordinal of the attribute in the transaction */
    uint32_t program[FTR_FORM_PROGRAMS][FTR_FORM_POSITIONS];
    /* the generator that was looked up last; index: generator id % FTR_FORM_PROGRAMS */
    struct {
        uint64_t id;
        const ftr_generator_info *info; /* NULL: none was looked up */
    } generator[FTR_FORM_PROGRAMS];
    ftr_decoded_attribute decoded[FTR_FORM_POSITIONS];
    /* the first attribute of the transaction whose attributes are in `decoded`, or NULL */
    const uint8_t *decoded_first;
    /* position of the attribute that is requested next if the caller reads all in order */
    const uint8_t *at;
    const ftr_decoded_attribute *next; /* the element of `decoded` that belongs to `at` */
} ftr_attribute_forms;

static inline void ftr_forms_init(ftr_attribute_forms *forms)
{
    forms->form[0].start = 1;
}

static inline const ftr_attribute_form *ftr_form_at(const ftr_attribute_forms *forms,
                                                    uint32_t offset)
{
    return (const ftr_attribute_form *)((const char *)forms->form + offset);
}

/* Returns true if the attribute at @p p has this form. 8 bytes must be readable. */
static inline bool ftr_form_matches(const ftr_attribute_form *form, const uint8_t *p)
{
    uint64_t start;
    memcpy(&start, p, sizeof start);
    return (start & form->mask) == form->start;
}

static inline void ftr_forms_begin(ftr_attribute_forms *forms, const uint8_t *first)
{
    forms->decoded_first = forms->at = first;
    forms->next = forms->decoded;
}

/* Removes the names from the forms. Call this function when a dictionary is evicted, because the
 * names in that dictionary are freed. */
void ftr_forms_forget_names(ftr_attribute_forms *forms);

/* Decodes the attribute at @p p, which does not have the form expected at this @p position in
 * transactions of @p generator. From now on, the form of this attribute is expected there, if the
 * bytes before its value are at most 8 and its type is at most 255. Returns the position after the
 * attribute, or NULL if the attribute is not in the usual form. */
const uint8_t *ftr_forms_learn(ftr_attribute_forms *forms, uint64_t generator, unsigned position,
                               const uint8_t *p, const uint8_t *end);

#endif
