/* libFuzzer target for the rules of a gate: any bytes are rules or an error inside of them. Without
   libFuzzer (fuzz_main.c) it replays a corpus. */
#include "gate_rules.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ftr_gate_rules rules;
    ftr_gate_syntax_error error;
    const ftr_status status = ftr_gate_rules_parse((const char *)bytes, size, &rules, &error);
    if (status == FTR_OK) {
        for (size_t i = 0; i < rules.count; i++)
            if (strlen(rules.rules[i].pattern) == 0 || rules.rules[i].line == 0)
                abort();
    } else if (status == FTR_ERR_FORMAT &&
               (error.line == 0 || error.column == 0 || error.column > size + 1)) {
        abort();
    }
    ftr_gate_rules_release(&rules);
    return 0;
}
