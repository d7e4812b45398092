/* Parses conditions by recursive descent. Searches have other rules for words than other
 * conditions, because a text that a user types should need no quotes. A word of a search therefore
 * ends only at a blank, and operators are recognized only where a text is unlikely. */
#include "condition.h"

#include "growing_array.h"
#include "text_view.h"
#include "time_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

#define DEPTH_MAX 32

typedef enum form { SELECTION, SEARCH, RULE } form;

typedef struct parser {
    ftr_condition *condition;
    const char *at;
    form form;
    unsigned depth;
    unsigned open; /* number of open parentheses */
    ftr_status status;
    ftr_condition_error *error;
} parser;

unsigned ftr_condition_column(const char *text, size_t offset)
{
    unsigned column = 1;
    for (size_t i = 0; i < offset; i++)
        column += ((unsigned char)text[i] & 0xc0) != 0x80;
    return column;
}

/* Stores the error if it is the first one. @return 0, in place of the index of a node */
__attribute__((format(printf, 3, 4))) static unsigned fail(parser *p, const char *at,
                                                           const char *format, ...)
{
    va_list arguments;
    if (p->status != FTR_OK)
        return 0;
    p->status = FTR_ERR_FORMAT;
    p->error->column = ftr_condition_column(p->condition->text, (size_t)(at - p->condition->text));
    va_start(arguments, format);
    (void)vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
    va_end(arguments);
    return 0;
}

static bool is_blank(char byte)
{
    return isspace((unsigned char)byte);
}

static void skip_blanks(parser *p)
{
    while (is_blank(*p->at))
        p->at++;
}

static bool begins(const char *text, const char *token)
{
    return strncmp(text, token, strlen(token)) == 0;
}

static bool accept(parser *p, const char *token)
{
    skip_blanks(p);
    if (!begins(p->at, token))
        return false;
    p->at += strlen(token);
    return true;
}

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || (byte != '\0' && strchr("_.[]:/", byte) != NULL);
}

/* Returns true if @p at is the end of a word that a search takes as a text. */
static bool ends_word(const parser *p, const char *at)
{
    return *at == '\0' || is_blank(*at) || (*at == ')' && p->open > 0);
}

/* Returns true if a number can end at @p at. */
static bool ends_number(const parser *p, const char *at)
{
    return p->form == SEARCH ? ends_word(p, at) || begins(at, "&&") || begins(at, "||")
                             : !is_name_byte(*at);
}

/* Returns the size of the word at @p at, but at most 40 bytes, to print the word in a message. */
static int word_size(const char *at)
{
    const size_t size = strcspn(at, " \t\r\n");
    return size < 40 ? (int)size : 40;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static unsigned add_node(parser *p, ftr_condition_node node)
{
    ftr_condition *condition = p->condition;
    if (p->status != FTR_OK)
        return 0;
    if (condition->count == FTR_CONDITION_NODES_MAX)
        return fail(p, p->at, "the condition is too long: it has more than %d parts",
                    FTR_CONDITION_NODES_MAX);
    if (!ftr_array_grow(&condition->nodes, &condition->capacity, condition->count, sizeof node)) {
        p->status = FTR_ERR_MEMORY;
        return 0;
    }
    condition->nodes[condition->count] = node;
    return (unsigned)condition->count++;
}

static ftr_operand new_operand(parser *p, const char *at)
{
    return (ftr_operand){.field = FTR_FIELD_ATTRIBUTE,
                         .offset = (unsigned)(at - p->condition->text),
                         .index = p->condition->operands++};
}

/* ---- operands -------------------------------------------------------------------------------- */

static ftr_view parse_quoted(parser *p)
{
    const char *from = p->at + 1;
    const char *to = strchr(from, *p->at);
    if (to == NULL) {
        (void)fail(p, p->at, "the closing quote is missing");
        return (ftr_view){from, 0};
    }
    p->at = to + 1;
    return (ftr_view){from, (size_t)(to - from)};
}

static void parse_number(parser *p, ftr_operand *operand)
{
    const char *from = p->at;
    if (ftr_number_begins(from) && ftr_number_parse(&p->at, &operand->number) &&
        ends_number(p, p->at)) {
        operand->has_number = true;
        return;
    }
    if (!ftr_number_begins(from))
        (void)fail(p, from, "a number is expected");
    (void)fail(p, from, "'%.*s' is not a number with a known unit", word_size(from), from);
}

/* Sets the meaning of a name that is not in backquotes: `true` and `false` are values, and the
 * names of fields are fields, except in rules. */
static void take_name(parser *p, ftr_operand *operand)
{
    static const char *const FIELDS[] = {"id", "begin", "end", "duration", "stream", "generator"};
    const bool is_true = ftr_view_is(operand->text, "true");
    operand->is_name = !is_true && !ftr_view_is(operand->text, "false");
    if (!operand->is_name)
        operand->value = (ftr_compared){.kind = FTR_COMPARED_BOOLEAN, .boolean = is_true};
    for (unsigned i = 0; p->form != RULE && i < FTR_FIELD_ATTRIBUTE; i++)
        if (ftr_view_is(operand->text, FIELDS[i]))
            operand->field = (ftr_tx_field)i;
}

/* Parses `+ 5 %` or `- 2ns` behind a name. */
static void parse_addition(parser *p, ftr_operand *operand)
{
    const char sign = *p->at;
    p->at++;
    skip_blanks(p);
    const char *from = p->at;
    parse_number(p, operand);
    if (*from == '-')
        (void)fail(p, from, "a number is expected");
    operand->number.negative = sign == '-';
}

static void take_text(ftr_operand *operand, ftr_view text)
{
    operand->text = text;
    operand->value = (ftr_compared){.kind = FTR_COMPARED_TEXT, .text = text};
}

static ftr_operand parse_operand(parser *p)
{
    skip_blanks(p);
    const char *from = p->at;
    ftr_operand operand = new_operand(p, from);
    if (*from == '"' || *from == '\'') {
        take_text(&operand, parse_quoted(p));
        return operand;
    }
    if (ftr_number_begins(from)) {
        parse_number(p, &operand);
        return operand;
    }
    if (*from == '`') {
        operand.text = parse_quoted(p);
        operand.is_name = true;
    } else {
        while (is_name_byte(*p->at))
            p->at++;
        operand.text = (ftr_view){from, (size_t)(p->at - from)};
        take_name(p, &operand);
    }
    if (p->at == from)
        (void)fail(p, from, "a %s is expected",
                   p->form == RULE && operand.index == 0 ? "metric" : "name or value");
    const char *behind = p->at;
    skip_blanks(p);
    if (operand.is_name && p->form != SEARCH && (*p->at == '+' || *p->at == '-'))
        parse_addition(p, &operand);
    else
        p->at = behind;
    return operand;
}

/* Parses the right side of a comparison in a search: a number, or a text that needs no quotes. */
static ftr_operand parse_searched(parser *p, ftr_comparison comparison)
{
    skip_blanks(p);
    const char *from = p->at;
    const bool is_order =
        ftr_comparison_text(comparison)[0] == '<' || ftr_comparison_text(comparison)[0] == '>';
    const bool is_equality = comparison == FTR_EQUAL || comparison == FTR_NOT_EQUAL;
    if (!is_order && (*from == '"' || *from == '\'' || (is_equality && *from == '`')))
        return parse_operand(p);
    ftr_operand operand = new_operand(p, from);
    ftr_number number;
    const char *behind = from;
    if (is_order || (is_equality && ftr_number_parse(&behind, &number) && ends_number(p, behind))) {
        parse_number(p, &operand);
        return operand;
    }
    while (!ends_word(p, p->at))
        p->at++;
    take_text(&operand, (ftr_view){from, (size_t)(p->at - from)});
    if (operand.text.size == 0 && comparison != FTR_SHOWN && comparison != FTR_PART)
        (void)fail(p, from, "a value is expected");
    if (is_equality)
        take_name(p, &operand);
    operand.is_name = false;
    return operand;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Returns the comparison whose operator is at @p at; FTR_COMPARISONS: there is none. */
static ftr_comparison comparison_at(const char *at)
{
    for (unsigned i = 0; i < FTR_COMPARISONS; i++)
        if (begins(at, ftr_comparison_text((ftr_comparison)i)))
            return (ftr_comparison)i;
    return FTR_COMPARISONS;
}

/* Returns the comparison whose operator is at @p at, behind the name that ends at @p end and any
 * blanks; FTR_COMPARISONS: there is none. In a search, a `<` or `>` behind a blank is not the
 * comparison of this name, but compares the duration (`read >50ns`). A `=` or `~` between a blank
 * and a word belongs to this word (`~queue`). */
static ftr_comparison comparison_behind(const parser *p, const char *end, const char *at)
{
    const ftr_comparison found = comparison_at(at);
    if (p->form != SEARCH || found == FTR_COMPARISONS)
        return found;
    const char *behind = at + strlen(ftr_comparison_text(found));
    bool is_operator = true;
    if (found == FTR_SHOWN || found == FTR_PART)
        is_operator = at == end || ends_word(p, behind);
    else if (*at == '<' || *at == '>')
        is_operator = at == end && ftr_number_begins(behind);
    return is_operator ? found : FTR_COMPARISONS;
}

static unsigned add_comparison(parser *p, ftr_operand a, ftr_comparison comparison)
{
    p->at += strlen(ftr_comparison_text(comparison));
    const ftr_operand b = p->form == SEARCH ? parse_searched(p, comparison) : parse_operand(p);
    return add_node(p, (ftr_condition_node){FTR_NODE_COMPARE, comparison, false, 0, 0, a, b});
}

/* Parses `#17` and `>50ns`, which compare the id and the duration.
 * @return false if the text at this place is neither an id nor a comparison sign, or if a rule is
 * parsed */
static bool parse_nameless(parser *p, unsigned *node)
{
    const size_t digits = *p->at == '#' ? strspn(p->at + 1, "0123456789") : 0;
    const bool is_id = digits > 0 && ends_number(p, p->at + 1 + digits);
    if (p->form == RULE || (!is_id && *p->at != '<' && *p->at != '>'))
        return false;
    ftr_operand a = new_operand(p, p->at);
    a.is_name = true;
    a.field = is_id ? FTR_FIELD_ID : FTR_FIELD_DURATION;
    if (!is_id) {
        *node = add_comparison(p, a, comparison_at(p->at));
        return true;
    }
    p->at++;
    ftr_operand b = new_operand(p, p->at);
    parse_number(p, &b);
    *node = add_node(p, (ftr_condition_node){FTR_NODE_COMPARE, FTR_EQUAL, false, 0, 0, a, b});
    return true;
}

/* Parses a name and its comparison, or a word that is a text, in a search. */
static unsigned parse_word(parser *p)
{
    const char *from = p->at;
    ftr_operand a = new_operand(p, from);
    /* A word that begins with = or ~, or has a quote inside, is a text: operators in it, or behind
     * the quote, have no meaning. */
    bool is_text = *from == '=' || *from == '~';
    while (!ends_word(p, p->at) &&
           (is_text || p->at == from || comparison_behind(p, p->at, p->at) == FTR_COMPARISONS))
        is_text |= *p->at++ == '"';
    take_text(&a, (ftr_view){from, (size_t)(p->at - from)});
    const char *end = p->at;
    skip_blanks(p);
    const ftr_comparison comparison = comparison_behind(p, end, p->at);
    if (is_text || comparison == FTR_COMPARISONS) {
        p->at = end;
        return add_node(p, (ftr_condition_node){.kind = FTR_NODE_TEXT, .a = a});
    }
    take_name(p, &a);
    a.is_name = true;
    return add_comparison(p, a, comparison);
}

static unsigned parse_comparison(parser *p)
{
    unsigned node;
    skip_blanks(p);
    const bool is_text = *p->at == '"' || *p->at == '\'';
    if (parse_nameless(p, &node))
        return node;
    if (p->form == SEARCH && !ends_word(p, p->at) && *p->at != '`' && !is_text)
        return parse_word(p);
    const ftr_operand a = parse_operand(p);
    if (p->form == SEARCH && is_text)
        return add_node(p, (ftr_condition_node){.kind = FTR_NODE_TEXT, .is_quoted = true, .a = a});
    const char *end = p->at;
    skip_blanks(p);
    const ftr_comparison comparison = comparison_behind(p, end, p->at);
    if (comparison == FTR_COMPARISONS)
        return add_node(p, (ftr_condition_node){.kind = FTR_NODE_TRUTH, .a = a});
    if (p->form != SEARCH && (comparison == FTR_SHOWN || comparison == FTR_PART))
        return fail(p, p->at, "an operator is expected: %s",
                    comparison == FTR_SHOWN ? "== compares values" : "=~ compares with a pattern");
    return add_comparison(p, a, comparison);
}

/* ---- combinations ---------------------------------------------------------------------------- */

static unsigned parse_or(parser *p);

static unsigned parse_unary(parser *p)
{
    unsigned result;
    skip_blanks(p);
    if (++p->depth > DEPTH_MAX)
        return fail(p, p->at, "the condition nests more than %d levels", DEPTH_MAX);
    if (p->at[0] == '!' && p->at[1] != '=') {
        p->at++;
        const unsigned inner = parse_unary(p);
        result = add_node(p, (ftr_condition_node){.kind = FTR_NODE_NOT, .left = inner});
    } else if (accept(p, "(")) {
        p->open++;
        result = parse_or(p);
        if (!accept(p, ")"))
            (void)fail(p, p->at, "')' is expected");
        p->open--;
    } else {
        result = parse_comparison(p);
    }
    p->depth--;
    return result;
}

static unsigned join(parser *p, ftr_node_kind kind, unsigned left, unsigned right)
{
    return add_node(p, (ftr_condition_node){.kind = kind, .left = left, .right = right});
}

/* Skips blanks. Returns true if the next word of a search follows. */
static bool is_word_next(parser *p)
{
    skip_blanks(p);
    return p->form == SEARCH && *p->at != '\0' && !begins(p->at, "||") &&
           (*p->at != ')' || p->open == 0);
}

static unsigned parse_and(parser *p)
{
    unsigned left = parse_unary(p);
    while (p->status == FTR_OK && (accept(p, "&&") || is_word_next(p)))
        left = join(p, FTR_NODE_AND, left, parse_unary(p));
    return left;
}

static unsigned parse_or(parser *p)
{
    unsigned left = parse_and(p);
    while (p->status == FTR_OK && accept(p, "||"))
        left = join(p, FTR_NODE_OR, left, parse_and(p));
    return left;
}

/* ---- conditions and rules -------------------------------------------------------------------- */

static bool begin(parser *p, const char *text)
{
    *p->condition = (ftr_condition){.text = strdup(text)};
    p->at = p->condition->text;
    if (p->condition->text == NULL)
        p->status = FTR_ERR_MEMORY;
    return p->status == FTR_OK;
}

static void take_value(ftr_operand *operand, int time_scale)
{
    const ftr_number *number = &operand->number;
    const int scale = number->unit == FTR_UNIT_TIME ? time_scale : 0;
    const ftr_time_value exact = {number->mantissa, number->exponent, false};
    ftr_compared *value = &operand->value;
    bool is_whole;
    if (!operand->has_number)
        return;
    *value = (ftr_compared){.kind = FTR_COMPARED_INTEGER, .negative = number->negative};
    if (!number->exceeds && ftr_time_to_ticks(&exact, scale, &value->magnitude, &is_whole) &&
        is_whole)
        return;
    *value = (ftr_compared){.kind = FTR_COMPARED_REAL, .real = ftr_number_real(number, scale)};
}

ftr_status ftr_condition_parse(const char *text, bool is_search, int time_scale,
                               ftr_condition *condition, ftr_condition_error *error)
{
    parser p = {.condition = condition, .form = is_search ? SEARCH : SELECTION, .error = error};
    if (!begin(&p, text))
        return p.status;
    condition->root = parse_or(&p);
    skip_blanks(&p);
    if (*p.at != '\0')
        (void)fail(&p, p.at, "an operator is expected");
    for (size_t i = 0; i < condition->count; i++) {
        take_value(&condition->nodes[i].a, time_scale);
        take_value(&condition->nodes[i].b, time_scale);
    }
    return p.status;
}

/* Parses the pattern of a rule. Without @p has_colon, the pattern is in quotes or ends at a blank.
 * With @p has_colon, it ends at the last colon, because names of streams may contain colons. */
static ftr_view parse_pattern(parser *p, bool has_colon)
{
    skip_blanks(p);
    const char *from = p->at;
    if (!has_colon && *from == '"')
        return parse_quoted(p);
    const char *colon = strrchr(from, ':');
    if (has_colon && colon == NULL)
        (void)fail(p, from, "a pattern and a colon are expected");
    const size_t size =
        has_colon && colon != NULL ? (size_t)(colon - from) : strcspn(from, " \t\r");
    p->at += size + (has_colon && colon != NULL);
    return (ftr_view){from, size};
}

/* Parses the attribute of a rule: a name that is followed by another name and an operator. A name
 * with other characters than letters, digits and `_.[]:/` is in backquotes.
 * @return a text of size 0 if the rule has no attribute */
static ftr_view parse_attribute(parser *p)
{
    skip_blanks(p);
    const char *from = p->at;
    const char *behind = from;
    ftr_view name = {from, 0};
    if (*from == '`') {
        name = (ftr_view){from + 1, strcspn(from + 1, "`")};
        behind = from + 1 + name.size + (from[1 + name.size] == '`');
    } else {
        while (is_name_byte(*behind))
            behind++;
        name.size = (size_t)(behind - from);
    }
    const char *metric = behind + strspn(behind, " \t");
    const char *end = metric;
    while (is_name_byte(*end))
        end++;
    const char *next = end + strspn(end, " \t");
    if (metric == behind || end == metric || *next == '\0' || strchr("<>=!", *next) == NULL)
        return (ftr_view){from, 0};
    p->at = metric;
    return name;
}

static bool accept_every_run(parser *p)
{
    static const char *const WORDS[] = {"in", "every", "run"};
    skip_blanks(p);
    const char *from = p->at;
    if (*from == '\0')
        return false;
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (!accept(p, WORDS[i]) || is_name_byte(*p->at))
            return fail(p, from, "'%.40s' is neither a unit nor 'in every run'", from);
    skip_blanks(p);
    if (*p->at != '\0')
        (void)fail(p, p->at, "the end is expected");
    return true;
}

ftr_status ftr_rule_parse(const char *text, bool has_colon, ftr_parsed_rule *rule,
                          ftr_condition_error *error)
{
    parser p = {.condition = &rule->condition, .form = RULE, .error = error};
    if (!begin(&p, text))
        return p.status;
    rule->pattern = parse_pattern(&p, has_colon);
    if (rule->pattern.size == 0)
        (void)fail(&p, p.at, "the pattern is empty");
    rule->attribute = parse_attribute(&p);
    rule->condition.root = parse_or(&p);
    rule->in_every_run = accept_every_run(&p);
    return p.status;
}

void ftr_condition_release(ftr_condition *condition)
{
    free(condition->nodes);
    free(condition->text);
    *condition = (ftr_condition){0};
}
