/* Owns the choice of the slowest transactions. Does not know generators. */
#include "slowest.h"

int ftr_slow_tx_compare(const ftr_slow_tx *a, const ftr_slow_tx *b)
{
    if (a->latency != b->latency)
        return a->latency > b->latency ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

void ftr_slowest_add(ftr_slowest *slowest, const ftr_slow_tx *tx)
{
    if (slowest->count == FTR_SLOWEST_MAX) {
        if (ftr_slow_tx_compare(tx, &slowest->of[FTR_SLOWEST_MAX - 1]) >= 0)
            return;
        slowest->count--;
    }
    unsigned at = slowest->count++;
    for (; at > 0 && ftr_slow_tx_compare(tx, &slowest->of[at - 1]) < 0; at--)
        slowest->of[at] = slowest->of[at - 1];
    slowest->of[at] = *tx;
}
