/* Evaluates the condition of --where, and notes which of its attributes exist. */
#include "filter_expression.h"

#include "command.h"
#include "condition.h"

#include <stdlib.h>
#include <string.h>

/* Whether the condition has looked up an attribute, and whether a transaction had this
 * attribute. */
typedef struct attribute_use {
    bool is_asked, is_found;
} attribute_use;

struct ftr_filter {
    ftr_condition condition;
    attribute_use *uses; /* an element for each operand */
    /* the transaction that is tested */
    ftr_reader *reader;
    ftr_transaction *tx;
};

ftr_filter *ftr_filter_create(const char *text, int time_scale)
{
    ftr_condition_error error;
    ftr_filter *filter = calloc(1, sizeof *filter);
    ftr_status status = FTR_ERR_MEMORY;
    if (filter != NULL)
        status = ftr_condition_parse(text, false, time_scale, &filter->condition, &error);
    if (status == FTR_OK) {
        filter->uses = calloc(filter->condition.operands, sizeof *filter->uses);
        if (filter->uses != NULL)
            return filter;
        status = FTR_ERR_MEMORY;
    }
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("--where '%s': column %u: %s", text, error.column, error.message);
    else
        ftr_print_error("--where: %s", ftr_status_text(status));
    ftr_filter_destroy(filter);
    return NULL;
}

void ftr_filter_destroy(ftr_filter *filter)
{
    if (filter == NULL)
        return;
    ftr_condition_release(&filter->condition);
    free(filter->uses);
    free(filter);
}

static ftr_compared attribute_value(const ftr_filter *filter, ftr_view name)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(filter->tx);
    while (ftr_reader_next_attribute(filter->reader, filter->tx, &attribute))
        if (attribute.name.size == name.size && attribute.name.data != NULL &&
            memcmp(attribute.name.data, name.data, name.size) == 0)
            return ftr_attribute_compared(&attribute);
    return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
}

static ftr_compared get(void *user, const ftr_operand *name)
{
    ftr_filter *filter = user;
    if (name->field != FTR_FIELD_ATTRIBUTE)
        return ftr_tx_value(filter->tx, name->field);
    const ftr_compared found = attribute_value(filter, name->text);
    filter->uses[name->index].is_asked = true;
    filter->uses[name->index].is_found |= found.kind != FTR_COMPARED_ABSENT;
    return found;
}

static ftr_truth test(void *user, const ftr_condition_node *node)
{
    return ftr_condition_node_holds(node, get, user) ? FTR_TRUE : FTR_FALSE;
}

bool ftr_filter_accepts(ftr_filter *filter, ftr_reader *reader, ftr_transaction *tx)
{
    filter->reader = reader;
    filter->tx = tx;
    const bool accepted = ftr_condition_evaluate(&filter->condition, test, filter) == FTR_TRUE;
    ftr_transaction_rewind(tx);
    return accepted;
}

static bool is_time(const ftr_operand *operand)
{
    return operand->is_name && operand->field >= FTR_FIELD_BEGIN &&
           operand->field <= FTR_FIELD_DURATION;
}

bool ftr_filter_bare_time(const ftr_filter *filter, uint64_t *ticks)
{
    for (size_t i = 0; i < filter->condition.count; i++) {
        const ftr_condition_node *at = &filter->condition.nodes[i];
        const ftr_operand *number = is_time(&at->a) ? &at->b : &at->a;
        if (at->kind == FTR_NODE_COMPARE && (is_time(&at->a) || is_time(&at->b)) &&
            number->value.kind == FTR_COMPARED_INTEGER && number->value.magnitude > 0 &&
            number->number.unit == FTR_UNIT_NONE) {
            *ticks = number->value.magnitude;
            return true;
        }
    }
    return false;
}

void ftr_filter_gather(ftr_filter *to, const ftr_filter *from)
{
    for (unsigned i = 0; i < to->condition.operands; i++) {
        to->uses[i].is_asked |= from->uses[i].is_asked;
        to->uses[i].is_found |= from->uses[i].is_found;
    }
}

bool ftr_filter_next_unmatched(const ftr_filter *filter, size_t *at, ftr_view *name)
{
    for (; *at < 2 * filter->condition.count; (*at)++) {
        const ftr_condition_node *node = &filter->condition.nodes[*at / 2];
        const ftr_operand *operand = *at % 2 == 0 ? &node->a : &node->b;
        const attribute_use use = filter->uses[operand->index];
        if (operand->is_name && operand->field == FTR_FIELD_ATTRIBUTE && use.is_asked &&
            !use.is_found) {
            *name = operand->text;
            (*at)++;
            return true;
        }
    }
    return false;
}
