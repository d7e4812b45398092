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
/* Number of positions in a program. A transaction in the usual form (usual_items.h) has fewer
 * attributes. */
#define FTR_FORM_POSITIONS 32u

typedef enum ftr_form_meaning {
    FTR_FORM_UNKNOWN, /* no attribute has been decoded yet */
    FTR_FORM_OF_NUMBERS,
    FTR_FORM_OF_TEXTS /* values are ids of texts */
} ftr_form_meaning;

typedef struct ftr_attribute_form {
    uint64_t start, mask; /* the first bytes as in memory; `mask` excludes the others */
    ftr_view name;
    ftr_attribute_class class_;
    ftr_type type;
    uint64_t name_id;
    ftr_form_meaning meaning;
    uint32_t size;            /* number of the first bytes */
    uint8_t stored_type, tag; /* as stored */
    /* An attribute of this form has passed ftr_reader_check(). Its value, and the places of its
     * texts, must still be checked for each attribute. */
    bool is_checked;
    uint8_t padding[5]; /* the size is a power of two, for a short address computation */
} ftr_attribute_form;

/* An attribute of the transaction that the walk has read last. */
typedef struct ftr_decoded_attribute {
    /* NULL: the value is not a number, or the form is new or was replaced */
    const ftr_attribute_form *form;
    uint64_t number;
    const uint8_t *behind; /* the position after the attribute */
} ftr_decoded_attribute;

typedef struct ftr_attribute_forms {
    ftr_attribute_form form[FTR_FORMS]; /* number 0 matches nothing */
    /* the expected forms, as offsets in bytes in `form`; index: generator id % FTR_FORM_PROGRAMS,
     * and position of the attribute */
    uint32_t program[FTR_FORM_PROGRAMS][FTR_FORM_POSITIONS];
    struct {
        uint64_t id;
        const ftr_generator_info *info; /* NULL: not looked up yet */
    } generator[FTR_FORM_PROGRAMS];
    ftr_decoded_attribute decoded[FTR_FORM_POSITIONS];
    const uint8_t *decoded_first; /* the first attribute of the transaction in `decoded`, or NULL */
    const uint8_t *at;            /* the next attribute, if the caller reads all */
    const ftr_decoded_attribute *next; /* the element of `decoded` for `at` */
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

/* Returns true if the 8 bytes at @p p begin as @p form. */
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

/* Removes what the forms have prepared from names. Call this function when a dictionary is evicted:
 * its names are then freed. */
void ftr_forms_forget_names(ftr_attribute_forms *forms);

/* Decodes the attribute at @p p, which does not have the expected form, and expects its form at
 * this position from now on. Returns the position after the attribute, or NULL if the attribute is
 * not in the usual form. */
const uint8_t *ftr_forms_learn(ftr_attribute_forms *forms, uint64_t generator, unsigned position,
                               const uint8_t *p, const uint8_t *end);

#endif
