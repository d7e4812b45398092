/* Counts the results of folding, and stores to which access each transaction belongs. */
#include "fold_output.h"

const char *const ftr_fold_reason_texts[FTR_FOLD_REASON_COUNT] = {
#define TEXT(identifier, text) text,
    FTR_FOLD_REASONS(TEXT)
#undef TEXT
};

/* The place of an absorbed transaction; its id is 0, which no transaction has. */
#define ABSORBED UINT64_MAX

static bool put_value(ftr_fold_output *output, uint64_t id, ftr_id_value value)
{
    const ftr_status status = ftr_id_file_put(output->ids, id, value);
    if (output->status == FTR_OK)
        output->status = status;
    return output->status == FTR_OK;
}

static bool check(ftr_fold_output *output, bool goes_on)
{
    if (!goes_on && output->status == FTR_OK)
        output->status = FTR_ERR_STATE;
    return output->status == FTR_OK;
}

bool ftr_fold_put(ftr_fold_output *output, const ftr_access *access, ftr_tx *tx)
{
    ftr_tx written = {0};
    output->counts.put[access->place]++;
    output->counts.unfinished += access->place == FTR_PLACE_LINK && access->is_unfinished;
    const bool ok = check(output, output->sink->put(output->sink->user, access, &written));
    if (tx != NULL)
        *tx = written;
    return ok;
}

bool ftr_fold_skip(ftr_fold_output *output, const ftr_call *call, ftr_fold_reason reason)
{
    output->counts.skipped[reason]++;
    return check(output, output->sink->skip(output->sink->user, call, reason));
}

bool ftr_fold_note(ftr_fold_output *output, uint64_t id, ftr_tx tx)
{
    return put_value(output, id, (ftr_id_value){{tx.id, tx.place}});
}

bool ftr_fold_absorb(ftr_fold_output *output, uint64_t id)
{
    return put_value(output, id, (ftr_id_value){{0, ABSORBED}});
}

ftr_tx ftr_fold_find(const ftr_id_file *ids, uint64_t id, bool *is_absorbed)
{
    const ftr_id_value value = ftr_id_file_get(ids, id);
    *is_absorbed = value.word[0] == 0 && value.word[1] == ABSORBED;
    return *is_absorbed ? (ftr_tx){0} : (ftr_tx){value.word[0], value.word[1]};
}
