/* Keeps the names of runs. */
#include "gate_runs.h"

#include "growing_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release_run(ftr_gate_run *run)
{
    free(run->file);
    free(run->test);
    free(run->tags);
    free(run->command);
    free(run->name);
    free(run);
}

/* Copies a text; NULL stays NULL. @return false if memory is exhausted */
static bool copy(char **to, const char *text)
{
    *to = text != NULL ? strdup(text) : NULL;
    return text == NULL || *to != NULL;
}

static bool add_name(ftr_gate_runs *runs, const char *name, size_t size)
{
    return ftr_name_table_find(&runs->names, name, size, 0) != FTR_NAME_UNKNOWN ||
           ftr_name_table_add(&runs->names, name, size, 0, runs->count);
}

/* Adds the names by which a run is found. @return false if memory is exhausted */
static bool add_names(ftr_gate_runs *runs, const ftr_gate_run *run)
{
    const char *slash = strrchr(run->file, '/');
    const char *base = slash != NULL ? slash + 1 : run->file;
    const char *dot = strrchr(base, '.');
    return add_name(runs, run->file, strlen(run->file)) && add_name(runs, base, strlen(base)) &&
           (dot == NULL || add_name(runs, base, (size_t)(dot - base))) &&
           add_name(runs, run->test, strlen(run->test));
}

bool ftr_gate_runs_have(const ftr_gate_runs *runs, const char *name)
{
    return ftr_name_table_find(&runs->names, name, strlen(name), 0) != FTR_NAME_UNKNOWN;
}

/* Returns the program and its arguments; NULL if the program is unknown or memory is exhausted. */
static char *command_of(const ftr_run_record *run)
{
    const char *program = ftr_run_attribute_value(run, "program");
    const char *arguments = ftr_run_attribute_value(run, "arguments");
    const bool has_arguments = arguments != NULL && arguments[0] != '\0';
    char *text = NULL;
    if (program == NULL || asprintf(&text, "%s%s%s", program, has_arguments ? " " : "",
                                    has_arguments ? arguments : "") < 0)
        return NULL;
    return text;
}

const ftr_gate_run *ftr_gate_runs_add(ftr_gate_runs *runs, const ftr_run_record *run)
{
    ftr_gate_run *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->command = command_of(run);
    made->file = strdup(run->file.bytes);
    made->test = strdup(run->test.bytes);
    if (made->file == NULL || made->test == NULL ||
        !copy(&made->tags, ftr_run_attribute_value(run, "tags")) || !add_names(runs, made) ||
        !ftr_array_grow(&runs->of, &runs->capacity, runs->count, sizeof(ftr_gate_run *))) {
        release_run(made);
        return NULL;
    }
    return runs->of[runs->count++] = made;
}

static int compare_runs(const void *a, const void *b)
{
    const ftr_gate_run *const x = *(ftr_gate_run *const *)a;
    const ftr_gate_run *const y = *(ftr_gate_run *const *)b;
    const int order = strcmp(x->test, y->test);
    return order != 0 ? order : strcmp(x->file, y->file);
}

bool ftr_gate_runs_name(ftr_gate_runs *runs)
{
    size_t number = 0;
    if (runs->count > 1)
        qsort(runs->of, runs->count, sizeof(ftr_gate_run *), compare_runs);
    for (size_t i = 0; i < runs->count; i++) {
        ftr_gate_run *run = runs->of[i];
        number = i > 0 && strcmp(runs->of[i - 1]->test, run->test) == 0 ? number + 1 : 1;
        if (number == 1 ? !copy(&run->name, run->test)
                        : asprintf(&run->name, "%s #%zu", run->test, number) < 0)
            return false;
    }
    return true;
}

void ftr_gate_runs_release(ftr_gate_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        release_run(runs->of[i]);
    free(runs->of);
    ftr_name_table_release(&runs->names);
}
