/* Losses of a run that did not end normally, as transactions of its last file. */
#ifndef FTR_RECOVERY_LOSSES_H
#define FTR_RECOVERY_LOSSES_H

#include "encoder.h"
#include "journal_image.h"

typedef struct ftr_recovery_losses {
    uint64_t discarded;  /* relations of the journal that are in no file */
    uint64_t highest_id; /* of all transactions and relations of the file */
} ftr_recovery_losses;

/* Frames the stream `ftr.losses` (docs/format.md, "Losses") of the file that @p encoder writes: the
 * counts of the journal and of @p found. Without losses, frames nothing. */
FTR_MUST_USE ftr_status ftr_recovery_put_losses(const ftr_journal_image *image,
                                                const ftr_recovery_losses *found,
                                                ftr_encoder *encoder);

#endif
