/* The losses of a run that did not end normally, written as transactions into the last file of the
 * run. */
#ifndef FTR_RECOVERY_LOSSES_H
#define FTR_RECOVERY_LOSSES_H

#include "encoder.h"
#include "journal_image.h"

typedef struct ftr_recovery_losses {
    uint64_t discarded;    /* number of relations in the journal that are in no file */
    uint64_t lost;         /* as in ftr_recovery */
    uint64_t lost_at_most; /* the same */
    uint64_t highest_id;   /* highest transaction id in the journal and the files, including ids in
                              relations */
} ftr_recovery_losses;

/* Frames the stream `ftr.losses` (docs/format.md, "Losses") for the file that @p encoder writes.
 * The losses are the sum of those in the journal and of @p found. If there are no losses, frames
 * nothing. */
FTR_MUST_USE ftr_status ftr_recovery_put_losses(const ftr_journal_image *image,
                                                const ftr_recovery_losses *found,
                                                ftr_encoder *encoder);

#endif
