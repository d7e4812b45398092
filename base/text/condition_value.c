/* Evaluates conditions. Numbers are compared exactly, because a `long double` can represent every
 * integer and every real of 64 bits. */
#include "condition.h"

#include "name_glob.h"

#include <string.h>

static const char *const COMPARISONS[FTR_COMPARISONS] = {"<=", ">=", "==", "!=", "=~",
                                                         "<",  ">",  "=",  "~"};

const char *ftr_comparison_text(ftr_comparison comparison)
{
    return COMPARISONS[comparison];
}

ftr_comparison ftr_comparison_inverse(ftr_comparison comparison)
{
    switch (comparison) {
    case FTR_LESS_OR_EQUAL:
        return FTR_GREATER;
    case FTR_GREATER_OR_EQUAL:
        return FTR_LESS;
    case FTR_EQUAL:
        return FTR_NOT_EQUAL;
    case FTR_NOT_EQUAL:
        return FTR_EQUAL;
    case FTR_LESS:
        return FTR_GREATER_OR_EQUAL;
    default:
        return FTR_LESS_OR_EQUAL;
    }
}

bool ftr_comparison_holds(ftr_comparison comparison, int order)
{
    switch (comparison) {
    case FTR_LESS_OR_EQUAL:
        return order <= 0;
    case FTR_GREATER_OR_EQUAL:
        return order >= 0;
    case FTR_EQUAL:
        return order == 0;
    case FTR_NOT_EQUAL:
        return order != 0;
    case FTR_LESS:
        return order < 0;
    default:
        return order > 0;
    }
}

static bool is_number(const ftr_compared *value)
{
    return value->kind == FTR_COMPARED_INTEGER || value->kind == FTR_COMPARED_REAL;
}

static long double as_real(const ftr_compared *value)
{
    if (value->kind == FTR_COMPARED_REAL)
        return value->real;
    return value->negative ? -(long double)value->magnitude : (long double)value->magnitude;
}

/* Sets @p order to a number below, equal to or above 0 if a is less than, equal to or greater than
 * b. @return false if a and b cannot be compared */
static bool find_order(const ftr_compared *a, const ftr_compared *b, int *order)
{
    if (a->kind == FTR_COMPARED_INTEGER && b->kind == a->kind && !a->negative && !b->negative) {
        *order = (a->magnitude > b->magnitude) - (a->magnitude < b->magnitude);
        return true;
    }
    if (is_number(a) && is_number(b)) {
        const long double x = as_real(a);
        const long double y = as_real(b);
        *order = (x > y) - (x < y);
        return x == x && y == y; /* false for NaN */
    }
    if (a->kind != b->kind)
        return false;
    if (a->kind == FTR_COMPARED_BOOLEAN)
        *order = a->boolean - b->boolean;
    if (a->kind != FTR_COMPARED_TEXT)
        return a->kind == FTR_COMPARED_BOOLEAN;
    const size_t shorter = a->text.size < b->text.size ? a->text.size : b->text.size;
    *order = shorter > 0 ? memcmp(a->text.data, b->text.data, shorter) : 0;
    if (*order == 0)
        *order = (a->text.size > b->text.size) - (a->text.size < b->text.size);
    return true;
}

static bool is_like(const ftr_compared *a, const ftr_compared *b)
{
    char pattern[1024];
    if (a->kind != FTR_COMPARED_TEXT || b->kind != FTR_COMPARED_TEXT ||
        b->text.size >= sizeof pattern)
        return false;
    memcpy(pattern, b->text.data, b->text.size);
    pattern[b->text.size] = '\0';
    return ftr_glob_list_matches(pattern, a->text.data, a->text.size);
}

bool ftr_compared_fits(const ftr_compared *a, ftr_comparison comparison, const ftr_compared *b)
{
    int order;
    if (comparison == FTR_LIKE)
        return is_like(a, b);
    return find_order(a, b, &order) && ftr_comparison_holds(comparison, order);
}

bool ftr_compared_is_true(const ftr_compared *value)
{
    switch (value->kind) {
    case FTR_COMPARED_BOOLEAN:
        return value->boolean;
    case FTR_COMPARED_INTEGER:
        return value->magnitude != 0;
    case FTR_COMPARED_REAL:
        return value->real != 0;
    default:
        return value->kind == FTR_COMPARED_TEXT;
    }
}

/* Returns the value of a side of a comparison. The value of a name is stored in @p found. */
static const ftr_compared *value_of(const ftr_operand *operand, ftr_condition_get *get, void *user,
                                    ftr_compared *found)
{
    if (!operand->is_name)
        return &operand->value;
    *found = get(user, operand);
    if (operand->has_number && is_number(found))
        *found = (ftr_compared){.kind = FTR_COMPARED_REAL,
                                .real = as_real(found) + as_real(&operand->value)};
    return found;
}

bool ftr_condition_node_holds(const ftr_condition_node *node, ftr_condition_get *get, void *user)
{
    ftr_compared left, right;
    const ftr_compared *a = value_of(&node->a, get, user, &left);
    if (node->kind == FTR_NODE_TRUTH)
        return ftr_compared_is_true(a);
    return ftr_compared_fits(a, node->comparison, value_of(&node->b, get, user, &right));
}

static ftr_truth evaluate(const ftr_condition *condition, unsigned at, ftr_condition_test *test,
                          void *user)
{
    const ftr_condition_node *node = &condition->nodes[at];
    if (node->kind > FTR_NODE_NOT)
        return test(user, node);
    const ftr_truth left = evaluate(condition, node->left, test, user);
    if (node->kind == FTR_NODE_NOT)
        return left == FTR_UNKNOWN ? FTR_UNKNOWN : left == FTR_FALSE ? FTR_TRUE : FTR_FALSE;
    const ftr_truth decisive = node->kind == FTR_NODE_AND ? FTR_FALSE : FTR_TRUE;
    if (left == decisive)
        return left;
    const ftr_truth right = evaluate(condition, node->right, test, user);
    return right == decisive || left != FTR_UNKNOWN ? right : FTR_UNKNOWN;
}

ftr_truth ftr_condition_evaluate(const ftr_condition *condition, ftr_condition_test *test,
                                 void *user)
{
    return evaluate(condition, condition->root, test, user);
}

static ftr_compared integer(uint64_t value)
{
    return (ftr_compared){.kind = FTR_COMPARED_INTEGER, .magnitude = value};
}

ftr_compared ftr_tx_value(const ftr_transaction *tx, ftr_tx_field field)
{
    switch (field) {
    case FTR_FIELD_ID:
        return integer(tx->id);
    case FTR_FIELD_BEGIN:
        return integer(tx->begin);
    case FTR_FIELD_END:
        return integer(tx->end);
    case FTR_FIELD_DURATION:
        return integer(tx->end >= tx->begin ? tx->end - tx->begin : 0);
    case FTR_FIELD_STREAM:
        return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = tx->stream->name};
    case FTR_FIELD_GENERATOR:
        return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = tx->generator->name};
    default:
        return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
    }
}

ftr_compared ftr_attribute_compared(const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return (ftr_compared){.kind = FTR_COMPARED_BOOLEAN, .boolean = attribute->as.boolean};
    case FTR_FORM_INTEGER: {
        const int64_t number = attribute->as.integer;
        return (ftr_compared){.kind = FTR_COMPARED_INTEGER,
                              .negative = number < 0,
                              .magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number};
    }
    case FTR_FORM_NUMBER:
        return integer(attribute->as.number);
    case FTR_FORM_REAL:
        return (ftr_compared){.kind = FTR_COMPARED_REAL, .real = (long double)attribute->as.real};
    case FTR_FORM_TEXT:
        if (attribute->as.text.data != NULL)
            return (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = attribute->as.text};
        break;
    default:
        break;
    }
    return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
}
