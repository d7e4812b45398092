/* Turns rows of queries into cases. */
#include "gate_rows.h"

#include "growing_array.h"

#include <stdlib.h>

bool ftr_gate_rows_add(ftr_gate_rows *rows, size_t run, const char *text)
{
    if (!ftr_array_reach(&rows->of, &rows->capacity, run, sizeof *rows->of))
        return false;
    ftr_gate_say(&rows->of[run], "%s", text);
    return !rows->of[run].failed;
}

bool ftr_gate_rows_judge(ftr_gate_rows *rows, const ftr_gate_runs *runs, ftr_gate_suite *suite)
{
    static const char all[] = "(all runs)";
    bool has_row = false;
    for (size_t i = 0; i < rows->capacity; i++) {
        char *text = rows->of[i].text;
        rows->of[i].text = NULL;
        if (text == NULL)
            continue;
        has_row = true;
        if (i > 0 && i <= runs->count
                ? !ftr_gate_add_run_case(suite, runs->of[i - 1], FTR_CASE_FAILED, text)
                : !ftr_gate_add_case(suite, all, FTR_CASE_FAILED, text))
            return false;
    }
    return has_row || ftr_gate_add_case(suite, all, FTR_CASE_PASSED, NULL);
}

void ftr_gate_rows_release(ftr_gate_rows *rows)
{
    for (size_t i = 0; i < rows->capacity; i++)
        free(rows->of[i].text);
    free(rows->of);
    *rows = (ftr_gate_rows){0};
}
