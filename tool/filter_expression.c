/* Owns the grammar and the evaluation of conditions. Does not know the option that contains
 * them. */
#include "filter_expression.h"

#include "name_pattern.h"
#include "time_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MAX 256
#define DEPTH_MAX 32

typedef enum node_kind {
    NODE_OR,
    NODE_AND,
    NODE_NOT,
    NODE_COMPARE,
    NODE_TRUTH, /* true if the operand `a` is true */
} node_kind;

typedef enum operator_kind { OP_EQ, OP_NE, OP_LE, OP_LT, OP_GE, OP_GT, OP_LIKE } operator_kind;

typedef enum operand_kind {
    OPERAND_ABSENT,
    OPERAND_INTEGER, /* sign and magnitude, so that signed and unsigned 64 bits fit */
    OPERAND_REAL,
    OPERAND_BOOLEAN,
    OPERAND_TEXT,
    /* names; their values are looked up in the transaction */
    OPERAND_ATTRIBUTE,
    OPERAND_ID,
    OPERAND_BEGIN,
    OPERAND_END,
    OPERAND_DURATION,
    OPERAND_STREAM,
    OPERAND_GENERATOR,
} operand_kind;

typedef struct operand {
    operand_kind kind;
    bool negative;
    uint64_t magnitude;
    long double real;
    bool boolean;
    bool has_unit; /* a time with a unit */
    /* the next two only for attributes: was looked up; was found in at least one transaction */
    bool is_asked;
    bool is_found;
    ftr_view text; /* of a literal or name; points into the filter's copy of the condition */
} operand;

typedef struct node {
    node_kind kind;
    operator_kind op;
    size_t left, right; /* indices of nodes */
    operand a, b;
} node;

struct ftr_filter {
    node nodes[NODES_MAX];
    size_t count;
    size_t root;
    char *text; /* copy of the condition; literals point into it */
};

/* ---- grammar --------------------------------------------------------------------------------- */

typedef struct parser {
    ftr_filter *filter;
    const char *at;
    int time_scale;
    unsigned depth;
    const char *message; /* NULL: no error */
} parser;

static size_t fail(parser *p, const char *message)
{
    if (p->message == NULL)
        p->message = message;
    return 0;
}

static void skip_space(parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool accept(parser *p, const char *token)
{
    skip_space(p);
    const size_t length = strlen(token);
    if (strncmp(p->at, token, length) != 0)
        return false;
    p->at += length;
    return true;
}

static size_t add_node(parser *p, node_kind kind)
{
    if (p->filter->count == NODES_MAX)
        return fail(p, "the condition is too long");
    p->filter->nodes[p->filter->count].kind = kind;
    return p->filter->count++;
}

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || (byte != '\0' && strchr("_.[]:/", byte) != NULL);
}

static operand parse_name(parser *p, const char *name, size_t size)
{
    static const struct {
        const char *name;
        operand_kind kind;
    } NAMES[] = {{"id", OPERAND_ID},         {"begin", OPERAND_BEGIN},
                 {"end", OPERAND_END},       {"duration", OPERAND_DURATION},
                 {"stream", OPERAND_STREAM}, {"generator", OPERAND_GENERATOR}};
    operand result = {.kind = OPERAND_ATTRIBUTE, .text = {name, size}};
    if (size == 0)
        (void)fail(p, "a name or value is expected");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strlen(NAMES[i].name) == size && memcmp(NAMES[i].name, name, size) == 0)
            result.kind = NAMES[i].kind;
    if (size == 4 && memcmp(name, "true", 4) == 0)
        result = (operand){.kind = OPERAND_BOOLEAN, .boolean = true};
    if (size == 5 && memcmp(name, "false", 5) == 0)
        result = (operand){.kind = OPERAND_BOOLEAN, .boolean = false};
    return result;
}

static operand parse_time(parser *p, const ftr_time_value *time, bool negative)
{
    operand result = {.kind = OPERAND_INTEGER, .negative = negative, .has_unit = true};
    bool exact = false;
    if (ftr_time_to_ticks(time, p->time_scale, &result.magnitude, &exact) && exact)
        return result;
    /* The time is between two ticks, or exceeds the range of ticks. */
    result.kind = OPERAND_REAL;
    result.real = (long double)time->mantissa;
    for (int shift = time->exponent - p->time_scale; shift != 0; shift += shift > 0 ? -1 : 1)
        result.real = shift > 0 ? result.real * 10 : result.real / 10;
    if (negative)
        result.real = -result.real;
    return result;
}

static operand parse_number(parser *p)
{
    const bool negative = *p->at == '-';
    const char *from = p->at + negative;
    operand result = {.kind = OPERAND_INTEGER, .negative = negative};
    char *end;
    errno = 0;
    result.magnitude = strtoull(from, &end, 0);
    if (errno == 0 && end != from && *end != '.' && !isalpha((unsigned char)*end)) {
        const char *behind = end;
        while (isspace((unsigned char)*behind))
            behind++;
        ftr_time_value spaced;
        const char *rest;
        if (!ftr_time_parse(from, &spaced, &rest) || spaced.in_ticks || rest <= behind) {
            p->at = end;
            return result;
        }
    }
    ftr_time_value time;
    const char *rest;
    if (ftr_time_parse(from, &time, &rest) && !time.in_ticks && !is_name_byte(*rest)) {
        p->at = rest;
        return parse_time(p, &time, negative);
    }
    result.kind = OPERAND_REAL;
    result.real = strtold(p->at, &end);
    if (is_name_byte(*end) || end == p->at)
        (void)fail(p, "a number or time is expected");
    p->at = end;
    return result;
}

static operand parse_operand(parser *p)
{
    skip_space(p);
    const char first = *p->at;
    if (first == '"' || first == '\'' || first == '`') {
        const char *from = p->at + 1;
        const char *to = strchr(from, first);
        if (to == NULL) {
            (void)fail(p, "a quote is not closed");
            return (operand){.kind = OPERAND_ABSENT};
        }
        p->at = to + 1;
        if (first == '`')
            return (operand){.kind = OPERAND_ATTRIBUTE, .text = {from, (size_t)(to - from)}};
        return (operand){.kind = OPERAND_TEXT, .text = {from, (size_t)(to - from)}};
    }
    if (isdigit((unsigned char)first) || (first == '-' && isdigit((unsigned char)p->at[1])))
        return parse_number(p);
    const char *from = p->at;
    while (is_name_byte(*p->at))
        p->at++;
    return parse_name(p, from, (size_t)(p->at - from));
}

static size_t parse_or(parser *p);

static size_t parse_comparison(parser *p)
{
    static const struct {
        const char *token;
        operator_kind op;
    } OPERATORS[] = {{"==", OP_EQ}, {"!=", OP_NE}, {"<=", OP_LE},  {"<", OP_LT},
                     {">=", OP_GE}, {">", OP_GT},  {"=~", OP_LIKE}};
    const operand a = parse_operand(p);
    const size_t at = add_node(p, NODE_TRUTH);
    node *made = &p->filter->nodes[at];
    made->a = a;
    for (size_t i = 0; p->message == NULL && i < sizeof OPERATORS / sizeof OPERATORS[0]; i++)
        if (accept(p, OPERATORS[i].token)) {
            made->kind = NODE_COMPARE;
            made->op = OPERATORS[i].op;
            made->b = parse_operand(p);
            break;
        }
    return at;
}

static size_t parse_unary(parser *p)
{
    if (++p->depth > DEPTH_MAX)
        return fail(p, "the condition nests too deeply");
    size_t result;
    skip_space(p);
    if (p->at[0] == '!' && p->at[1] != '=') {
        p->at++;
        const size_t inner = parse_unary(p);
        result = add_node(p, NODE_NOT);
        p->filter->nodes[result].left = inner;
    } else if (accept(p, "(")) {
        result = parse_or(p);
        if (!accept(p, ")"))
            (void)fail(p, "')' is expected");
    } else {
        result = parse_comparison(p);
    }
    p->depth--;
    return result;
}

static size_t parse_chain(parser *p, node_kind kind, const char *token, size_t (*next)(parser *))
{
    size_t left = next(p);
    while (p->message == NULL && accept(p, token)) {
        const size_t right = next(p);
        const size_t both = add_node(p, kind);
        p->filter->nodes[both].left = left;
        p->filter->nodes[both].right = right;
        left = both;
    }
    return left;
}

static size_t parse_and(parser *p)
{
    return parse_chain(p, NODE_AND, "&&", parse_unary);
}

static size_t parse_or(parser *p)
{
    return parse_chain(p, NODE_OR, "||", parse_and);
}

bool ftr_filter_create(const char *text, int time_scale, ftr_filter **created, const char **message,
                       size_t *at)
{
    ftr_filter *filter = calloc(1, sizeof *filter);
    char *copy = strdup(text);
    parser p = {.filter = filter, .at = copy, .time_scale = time_scale};
    if (filter == NULL || copy == NULL) {
        free(filter);
        free(copy);
        *message = "out of memory";
        *at = 0;
        return false;
    }
    filter->text = copy;
    filter->root = parse_or(&p);
    skip_space(&p);
    if (p.message == NULL && *p.at != '\0')
        (void)fail(&p, "an operator is expected");
    if (p.message != NULL) {
        *message = p.message;
        *at = (size_t)(p.at - copy);
        ftr_filter_destroy(filter);
        return false;
    }
    *created = filter;
    return true;
}

void ftr_filter_destroy(ftr_filter *filter)
{
    if (filter == NULL)
        return;
    free(filter->text);
    free(filter);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static operand integer(uint64_t value)
{
    return (operand){.kind = OPERAND_INTEGER, .magnitude = value};
}

static operand attribute_operand(const ftr_view *name, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.name.size != name->size || attribute.name.data == NULL ||
            memcmp(attribute.name.data, name->data, name->size) != 0)
            continue;
        switch (attribute.form) {
        case FTR_FORM_BOOLEAN:
            return (operand){.kind = OPERAND_BOOLEAN, .boolean = attribute.as.boolean};
        case FTR_FORM_INTEGER:
            return (operand){.kind = OPERAND_INTEGER,
                             .negative = true,
                             .magnitude = 0 - (uint64_t)attribute.as.integer};
        case FTR_FORM_NUMBER:
            return integer(attribute.as.number);
        case FTR_FORM_REAL:
            return (operand){.kind = OPERAND_REAL, .real = (long double)attribute.as.real};
        case FTR_FORM_TEXT:
            return (operand){.kind = attribute.as.text.data != NULL ? OPERAND_TEXT : OPERAND_ABSENT,
                             .text = attribute.as.text};
        default:
            return (operand){.kind = OPERAND_ABSENT};
        }
    }
    return (operand){.kind = OPERAND_ABSENT};
}

static operand look_up(operand *given, ftr_reader *reader, ftr_transaction *tx)
{
    switch (given->kind) {
    case OPERAND_ATTRIBUTE: {
        const operand found = attribute_operand(&given->text, reader, tx);
        given->is_asked = true;
        given->is_found |= found.kind != OPERAND_ABSENT;
        return found;
    }
    case OPERAND_ID:
        return integer(tx->id);
    case OPERAND_BEGIN:
        return integer(tx->begin);
    case OPERAND_END:
        return integer(tx->end);
    case OPERAND_DURATION:
        return integer(tx->end >= tx->begin ? tx->end - tx->begin : 0);
    case OPERAND_STREAM:
        return (operand){.kind = OPERAND_TEXT, .text = tx->stream->name};
    case OPERAND_GENERATOR:
        return (operand){.kind = OPERAND_TEXT, .text = tx->generator->name};
    default:
        return *given;
    }
}

static long double as_real(const operand *value)
{
    if (value->kind == OPERAND_REAL)
        return value->real;
    return value->negative ? -(long double)value->magnitude : (long double)value->magnitude;
}

/* Sets @p order to a number below, equal to or above 0 if a is less than, equal to or greater than
 * b. @return false if a and b cannot be compared */
static bool compare(const operand *a, const operand *b, int *order)
{
    const bool numbers = (a->kind == OPERAND_INTEGER || a->kind == OPERAND_REAL) &&
                         (b->kind == OPERAND_INTEGER || b->kind == OPERAND_REAL);
    if (numbers && a->kind == OPERAND_INTEGER && b->kind == OPERAND_INTEGER) {
        const bool a_negative = a->negative && a->magnitude > 0;
        const bool b_negative = b->negative && b->magnitude > 0;
        if (a_negative != b_negative)
            *order = a_negative ? -1 : 1;
        else
            *order = (a->magnitude > b->magnitude) - (a->magnitude < b->magnitude);
        if (a_negative && b_negative)
            *order = -*order;
        return true;
    }
    if (numbers) {
        const long double x = as_real(a);
        const long double y = as_real(b);
        *order = (x > y) - (x < y);
        return x == x && y == y; /* false for NaN */
    }
    if (a->kind == OPERAND_BOOLEAN && b->kind == OPERAND_BOOLEAN) {
        *order = a->boolean - b->boolean;
        return true;
    }
    if (a->kind != OPERAND_TEXT || b->kind != OPERAND_TEXT)
        return false;
    const size_t shorter = a->text.size < b->text.size ? a->text.size : b->text.size;
    *order = memcmp(a->text.data, b->text.data, shorter);
    if (*order == 0)
        *order = (a->text.size > b->text.size) - (a->text.size < b->text.size);
    return true;
}

static bool like(const operand *a, const operand *b)
{
    char pattern[1024];
    if (a->kind != OPERAND_TEXT || b->kind != OPERAND_TEXT || b->text.size >= sizeof pattern)
        return false;
    memcpy(pattern, b->text.data, b->text.size);
    pattern[b->text.size] = '\0';
    return ftr_pattern_matches(pattern, a->text);
}

static bool holds(node *compared, ftr_reader *reader, ftr_transaction *tx)
{
    const operand a = look_up(&compared->a, reader, tx);
    const operand b = look_up(&compared->b, reader, tx);
    int order;
    if (compared->op == OP_LIKE)
        return like(&a, &b);
    if (!compare(&a, &b, &order))
        return false;
    switch (compared->op) {
    case OP_EQ:
        return order == 0;
    case OP_NE:
        return order != 0;
    case OP_LE:
        return order <= 0;
    case OP_LT:
        return order < 0;
    case OP_GE:
        return order >= 0;
    default:
        return order > 0;
    }
}

static bool is_true(const operand *value)
{
    switch (value->kind) {
    case OPERAND_BOOLEAN:
        return value->boolean;
    case OPERAND_INTEGER:
        return value->magnitude != 0;
    case OPERAND_REAL:
        return value->real != 0;
    default:
        return value->kind == OPERAND_TEXT;
    }
}

static bool evaluate(ftr_filter *filter, size_t at, ftr_reader *reader, ftr_transaction *tx)
{
    node *here = &filter->nodes[at];
    switch (here->kind) {
    case NODE_OR:
        return evaluate(filter, here->left, reader, tx) ||
               evaluate(filter, here->right, reader, tx);
    case NODE_AND:
        return evaluate(filter, here->left, reader, tx) &&
               evaluate(filter, here->right, reader, tx);
    case NODE_NOT:
        return !evaluate(filter, here->left, reader, tx);
    case NODE_COMPARE:
        return holds(here, reader, tx);
    default: {
        const operand value = look_up(&here->a, reader, tx);
        return is_true(&value);
    }
    }
}

bool ftr_filter_accepts(ftr_filter *filter, ftr_reader *reader, ftr_transaction *tx)
{
    const bool accepted = evaluate(filter, filter->root, reader, tx);
    ftr_transaction_rewind(tx);
    return accepted;
}

static bool is_time(const operand *value)
{
    return value->kind == OPERAND_BEGIN || value->kind == OPERAND_END ||
           value->kind == OPERAND_DURATION;
}

bool ftr_filter_bare_time(const ftr_filter *filter, uint64_t *ticks)
{
    for (size_t i = 0; i < filter->count; i++) {
        const node *at = &filter->nodes[i];
        const operand *number = is_time(&at->a) ? &at->b : &at->a;
        if (at->kind == NODE_COMPARE && (is_time(&at->a) || is_time(&at->b)) &&
            number->kind == OPERAND_INTEGER && !number->has_unit && number->magnitude > 0) {
            *ticks = number->magnitude;
            return true;
        }
    }
    return false;
}

static void gather_operand(operand *to, const operand *from)
{
    to->is_asked |= from->is_asked;
    to->is_found |= from->is_found;
}

void ftr_filter_gather(ftr_filter *to, const ftr_filter *from)
{
    for (size_t i = 0; i < to->count; i++) {
        gather_operand(&to->nodes[i].a, &from->nodes[i].a);
        gather_operand(&to->nodes[i].b, &from->nodes[i].b);
    }
}

bool ftr_filter_next_unmatched(const ftr_filter *filter, size_t *at, ftr_view *name)
{
    for (; *at < 2 * filter->count; (*at)++) {
        const node *here = &filter->nodes[*at / 2];
        const operand *value = *at % 2 == 0 ? &here->a : &here->b;
        if (value->kind == OPERAND_ATTRIBUTE && value->is_asked && !value->is_found) {
            *name = value->text;
            (*at)++;
            return true;
        }
    }
    return false;
}
