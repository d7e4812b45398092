/* Conditions: one grammar and one parser for the rules of `ftr gate` and `ftr stats`, for
 * `--where`, and for the search of the report page (docs/conditions.md). The parser makes a tree.
 * The caller evaluates the comparisons, because the values come from a transaction, from the
 * figures of a run, or from another source. The report page has a second parser, in JavaScript
 * and for searches only (condition.js); both accept the same searches. */
#ifndef FTR_CONDITION_H
#define FTR_CONDITION_H

#include "number_text.h"

#include <ftr/reader.h>

typedef enum ftr_comparison {
    FTR_LESS_OR_EQUAL,
    FTR_GREATER_OR_EQUAL,
    FTR_EQUAL,
    FTR_NOT_EQUAL,
    FTR_LIKE, /* =~: the right side is a name pattern */
    FTR_LESS,
    FTR_GREATER,
    FTR_SHOWN, /* =, only in a search: the value is shown as this text */
    FTR_PART,  /* ~, only in a search: the shown value contains this text */
    FTR_COMPARISONS
} ftr_comparison;

const char *ftr_comparison_text(ftr_comparison comparison);

/* Returns the comparison that is true if @p comparison is false, for example `>=` for `<`. Accepts
 * only the six comparisons of numbers. */
ftr_comparison ftr_comparison_inverse(ftr_comparison comparison);

/* Returns whether the comparison is true if the left side is less than (@p order < 0), equal to (0)
 * or greater than the right side. Accepts only the six comparisons of numbers. */
bool ftr_comparison_holds(ftr_comparison comparison, int order);

typedef enum ftr_compared_kind {
    FTR_COMPARED_ABSENT,
    FTR_COMPARED_INTEGER, /* sign and magnitude, so that signed and unsigned 64 bits fit */
    FTR_COMPARED_REAL,
    FTR_COMPARED_BOOLEAN,
    FTR_COMPARED_TEXT
} ftr_compared_kind;

typedef struct ftr_compared {
    ftr_compared_kind kind;
    bool negative; /* the sign of an integer; not used for other kinds */
    union {
        uint64_t magnitude;
        long double real;
        bool boolean;
        ftr_view text;
    };
} ftr_compared;

/* Returns whether `a COMPARISON b` is true. Returns false if the values cannot be compared: one of
 * them is absent or NaN, or their kinds differ. An integer can be compared with a real. Accepts the
 * six comparisons of numbers, and FTR_LIKE for two texts; a pattern of more than 1023 bytes matches
 * nothing. */
bool ftr_compared_fits(const ftr_compared *a, ftr_comparison comparison, const ftr_compared *b);

/* Returns false if the value is false, 0 or absent; true otherwise. */
bool ftr_compared_is_true(const ftr_compared *value);

/* The fields that every transaction has. In rules, their names have no special meaning. */
typedef enum ftr_tx_field {
    FTR_FIELD_ID,
    FTR_FIELD_BEGIN,
    FTR_FIELD_END,
    FTR_FIELD_DURATION,
    FTR_FIELD_STREAM,
    FTR_FIELD_GENERATOR,
    FTR_FIELD_ATTRIBUTE /* any other name */
} ftr_tx_field;

/* A side of a comparison: a name or a value. */
typedef struct ftr_operand {
    bool is_name;
    /* true if the operand is a number, or a name with an added number (`begin + 5 ns`) */
    bool has_number;
    ftr_tx_field field; /* if `is_name`: the field with this name */
    ftr_view text;      /* the name or text */
    ftr_number number;
    /* the value, or the number that is added to a name; numbers with a unit of time are in ticks */
    ftr_compared value;
    unsigned offset; /* offset in the text of the condition */
    unsigned index;  /* number of the operand in its condition, from 0 */
} ftr_operand;

typedef enum ftr_node_kind {
    FTR_NODE_OR,
    FTR_NODE_AND,
    FTR_NODE_NOT,     /* `left` is not true */
    FTR_NODE_COMPARE, /* a COMPARISON b */
    FTR_NODE_TRUTH,   /* a is true */
    FTR_NODE_TEXT     /* only in a search: the text or word a.text */
} ftr_node_kind;

typedef struct ftr_condition_node {
    ftr_node_kind kind;
    ftr_comparison comparison;
    bool is_quoted; /* of a node FTR_NODE_TEXT: the text was in quotes */
    unsigned left, right;
    ftr_operand a, b;
} ftr_condition_node;

/* Maximum number of nodes of a condition. */
#define FTR_CONDITION_NODES_MAX 256

typedef struct ftr_condition {
    ftr_condition_node *nodes;
    size_t count, capacity;
    unsigned root;
    unsigned operands; /* number of operands */
    char *text;        /* copy of the condition; names and texts point into it */
} ftr_condition;

#define FTR_CONDITION_MESSAGE_SIZE 160u

typedef struct ftr_condition_error {
    unsigned column; /* column of the error, from 1, in characters of UTF-8 */
    char message[FTR_CONDITION_MESSAGE_SIZE];
} ftr_condition_error;

/* Returns the column of the byte at @p offset, from 1, in characters of UTF-8. */
unsigned ftr_condition_column(const char *text, size_t offset);

/* Parses a condition on a transaction. @param is_search in a search, blanks between words mean
 * `&&`, a word is a text, and `=` and `~` compare shown values
 * @param time_scale a tick is 10^time_scale seconds
 * @param[out] condition must be released with ftr_condition_release(), also after an error
 * @return FTR_OK; FTR_ERR_FORMAT, and @p error is set; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_condition_parse(const char *text, bool is_search, int time_scale,
                                            ftr_condition *condition, ftr_condition_error *error);

/* A rule: a pattern and a condition that must hold. */
typedef struct ftr_parsed_rule {
    ftr_view pattern; /* points into condition.text */
    /* the attribute that the rule limits: `request_time` of `request_time p99 <= 20 ns`. Points
     * into condition.text; its size is 0 if the rule limits no attribute */
    ftr_view attribute;
    ftr_condition condition;
    bool in_every_run;
} ftr_parsed_rule;

/* Parses `PATTERN [ATTRIBUTE] CONDITION [in every run]`. With @p has_colon, the pattern ends with a
 * colon: `PATTERN: [ATTRIBUTE] CONDITION [in every run]`. Operands that are numbers have no
 * `value`, because only the caller knows the unit of a figure.
 * @param[out] rule its condition must be released, also after an error
 * @return as ftr_condition_parse() */
FTR_MUST_USE ftr_status ftr_rule_parse(const char *text, bool has_colon, ftr_parsed_rule *rule,
                                       ftr_condition_error *error);

void ftr_condition_release(ftr_condition *condition);

typedef enum ftr_truth { FTR_FALSE, FTR_TRUE, FTR_UNKNOWN } ftr_truth;

/* Evaluates a node that is a comparison, a truth or a text. */
typedef ftr_truth ftr_condition_test(void *user, const ftr_condition_node *node);

/* Evaluates a condition from left to right, until the result is certain. @return FTR_UNKNOWN if the
 * result of @p test for a node is unknown, and the condition depends on this node */
ftr_truth ftr_condition_evaluate(const ftr_condition *condition, ftr_condition_test *test,
                                 void *user);

/* Returns the value of a name, without the number that is added to it. */
typedef ftr_compared ftr_condition_get(void *user, const ftr_operand *name);

/* Returns whether a node of kind FTR_NODE_COMPARE or FTR_NODE_TRUTH is true. No other kind is
 * allowed. @p get returns the values of names. */
bool ftr_condition_node_holds(const ftr_condition_node *node, ftr_condition_get *get, void *user);

/* ---- the values of a transaction ------------------------------------------------------------- */

/* Returns the value of a field other than FTR_FIELD_ATTRIBUTE. If a transaction ends before it
 * begins, its duration is 0. */
ftr_compared ftr_tx_value(const ftr_transaction *tx, ftr_tx_field field);

/* Returns the value of an attribute. The value of a text is absent if the file does not define the
 * text. The value of an attribute without a value is also absent. */
ftr_compared ftr_attribute_compared(const ftr_attribute_value *attribute);

#endif
