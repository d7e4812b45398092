/* libFuzzer target for the rules of a gate, and for conditions and searches: any bytes are rules or
   an error inside of them. Without libFuzzer (fuzz_main.c) it replays a corpus. */
#include "gate_rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static ftr_compared get(void *user, const ftr_operand *name)
{
    (void)user;
    ftr_compared value = {.kind = (ftr_compared_kind)(name->index % 5)};
    if (value.kind == FTR_COMPARED_TEXT)
        value.text = name->text;
    else if (value.kind == FTR_COMPARED_BOOLEAN)
        value.boolean = name->text.size % 2 == 0;
    else if (value.kind == FTR_COMPARED_REAL)
        value.real = (long double)name->text.size;
    else
        value.magnitude = name->text.size;
    return value;
}

static ftr_truth test(void *user, const ftr_condition_node *node)
{
    if (node->kind == FTR_NODE_TEXT)
        return FTR_UNKNOWN;
    return ftr_condition_node_holds(node, get, user) ? FTR_TRUE : FTR_FALSE;
}

static void try_condition(const char *text, bool is_search)
{
    ftr_condition condition;
    ftr_condition_error error;
    const ftr_status status = ftr_condition_parse(text, is_search, -12, &condition, &error);
    if (status == FTR_OK)
        (void)ftr_condition_evaluate(&condition, test, NULL);
    else if (status == FTR_ERR_FORMAT && (error.column == 0 || error.column > strlen(text) + 1))
        abort();
    ftr_condition_release(&condition);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ftr_gate_rules rules;
    ftr_condition_error error;
    unsigned line;
    const ftr_status status =
        ftr_gate_rules_parse((const char *)bytes, size, &rules, &line, &error);
    if (status == FTR_OK) {
        for (size_t i = 0; i < rules.count; i++)
            if (strlen(rules.rules[i].pattern) == 0 || rules.rules[i].line == 0)
                abort();
    } else if (status == FTR_ERR_FORMAT &&
               (line == 0 || error.column == 0 || error.column > size + 1)) {
        abort();
    }
    ftr_gate_rules_release(&rules);
    char *text = strndup((const char *)bytes, size);
    if (text != NULL) {
        try_condition(text, false);
        try_condition(text, true);
    }
    free(text);
    return 0;
}
