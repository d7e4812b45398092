/* Owns the identity of a run, its names, and its state as `ftr.run` tells it. Does not know the
 * transactions. */
#include "run_description.h"

#include "content_hash.h"
#include "run_encoding.h"
#include "test_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of signals are less. */
#define SIGNAL_MAX 128u

static void hash_part(const ftr_content_hash *hash, unsigned part, ftr_run_record *run)
{
    char number[16];
    ftr_content_hash whole = *hash;
    ftr_content_hash_add(&whole, number, (size_t)snprintf(number, sizeof number, "%u", part));
    ftr_content_hash_get(&whole, run->identity);
}

/* Computes the identity from the start of the run, so that it does not change when the file is
 * moved. @return false if the start was not recorded */
static bool identify_by_start(ftr_run_record *run, unsigned part)
{
    static const char *const IDENTIFYING[] = {"program", "arguments", "host", "pid", "started"};
    const char *id = ftr_run_attribute_value(run, "id");
    ftr_content_hash hash;
    bool is_identified = id != NULL;
    ftr_content_hash_init(&hash);
    if (id != NULL)
        ftr_content_hash_add(&hash, id, strlen(id));
    for (size_t i = 0; id == NULL && i < sizeof IDENTIFYING / sizeof IDENTIFYING[0]; i++) {
        const char *value = ftr_run_attribute_value(run, IDENTIFYING[i]);
        if (value != NULL)
            ftr_content_hash_add(&hash, value, strlen(value));
        ftr_content_hash_add(&hash, "", 1);
        is_identified |= value != NULL && strcmp(IDENTIFYING[i], "started") == 0;
    }
    hash_part(&hash, part, run);
    return is_identified;
}

bool ftr_run_record_identify(ftr_run_record *run, unsigned part)
{
    ftr_content_hash hash;
    ftr_cbor_writer w;
    uint64_t memory;
    if (identify_by_start(run, part))
        return true;
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_run_encode(run, &w, &memory);
    const bool ok = w.status == FTR_OK;
    if (ok) {
        ftr_content_hash_init(&hash);
        ftr_content_hash_add(&hash, w.begin, ftr_cbor_writer_size(&w));
        ftr_content_hash_get(&hash, run->identity);
    }
    ftr_cbor_writer_free(&w);
    return ok;
}

static bool set_text(ftr_figure_text *text, const char *value)
{
    return ftr_figure_text_set(text, value, strlen(value));
}

bool ftr_run_record_set_names(ftr_run_record *run, const char *file, const char *problem)
{
    if (!set_text(&run->file, file) || !set_text(&run->problem, problem))
        return false;
    char *test = ftr_test_name(run);
    const bool ok = test != NULL && set_text(&run->test, test);
    free(test);
    return ok;
}

void ftr_run_record_judge_end(ftr_run_record *run, bool is_continued)
{
    const char *signal = ftr_run_attribute_value(run, "signal");
    const bool has_end = ftr_run_attribute_value(run, "exit_status") != NULL ||
                         ftr_run_attribute_value(run, "closed") != NULL;
    const unsigned long number = signal != NULL ? strtoul(signal, NULL, 10) : 0;
    if (run->state > FTR_RUN_UNFINISHED)
        return;
    if (number > 0 && number < SIGNAL_MAX) {
        run->signal = (unsigned)number;
        run->state = FTR_RUN_KILLED;
    } else if (run->state == FTR_RUN_SOUND && !has_end && !is_continued) {
        run->state = run->attribute_count > 0 ? FTR_RUN_UNFINISHED : FTR_RUN_NOT_TOLD;
    }
}

void ftr_run_record_judge_file(ftr_run_record *run, ftr_run_state file)
{
    const bool is_known = run->state == FTR_RUN_KILLED && file == FTR_RUN_UNFINISHED;
    if (file > run->state && !is_known)
        run->state = file;
}

ftr_status ftr_run_record_of_missing(const char *file, ftr_run_state state, const char *problem,
                                     ftr_run_record *run)
{
    ftr_run_record record = {.state = state};
    if (ftr_run_record_set_names(&record, file, problem) && ftr_run_record_identify(&record, 0)) {
        *run = record;
        return FTR_OK;
    }
    ftr_run_record_release(&record);
    return FTR_ERR_MEMORY;
}
