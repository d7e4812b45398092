/* The names and sentences of the rules, and the function that counts and reports findings. */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct rule_text {
    const char *name;
    const char *demand;
    ftr_severity severity;
    unsigned concerns;
} rule_text;

static const rule_text RULES[FTR_RULES] = {
#define FTR_RULE_ROW(identifier, number, name, severity, concerns, demand) \
    [number] = {name, demand, FTR_SEVERITY_##severity, concerns},
    FTR_RULE_TABLE(FTR_RULE_ROW)
#undef FTR_RULE_ROW
};

unsigned ftr_finding_rules(void)
{
    return FTR_RULES - 1;
}

bool ftr_finding_rule(unsigned number, const char **name, const char **demand, unsigned *concerns)
{
    if (number == 0 || number >= FTR_RULES)
        return false;
    if (name != NULL)
        *name = RULES[number].name;
    if (demand != NULL)
        *demand = RULES[number].demand;
    if (concerns != NULL)
        *concerns = RULES[number].concerns;
    return true;
}

void ftr_findings_add(ftr_findings *findings, ftr_rule rule, uint64_t offset, uint64_t within,
                      const char *format, ...)
{
    if (findings->muted > 0 || (findings->ignored >> rule & 1) != 0)
        return;
    findings->count++;
    if (findings->callback == NULL)
        return;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const ftr_finding finding = {
        .number = (unsigned)rule,
        .rule = RULES[rule].name,
        .severity = RULES[rule].severity,
        .concerns = RULES[rule].concerns,
        .offset = offset,
        .within = within,
        .message = message,
    };
    findings->callback(findings->user, &finding);
}

void ftr_findings_add_trailing(ftr_findings *findings, uint64_t offset, const ftr_cbor_reader *r)
{
    if (r->status == FTR_OK && ftr_cbor_reader_left(r) > 0)
        ftr_findings_add(findings, FTR_RULE_BODY_SHAPE, offset, 1 + ftr_cbor_reader_offset(r),
                         "%zu bytes follow the content: not read", ftr_cbor_reader_left(r));
}
