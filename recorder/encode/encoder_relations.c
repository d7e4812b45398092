/* The relation body. A relation should follow its two transactions in the file, unless they are
 * still open when the relation must be written. The relation body is therefore not framed when it
 * is full. It is framed after the bodies of all streams, when its oldest relation is due. Until
 * then, the relation body is a sequence of complete bodies, each with the size of a chunk. */
#include "encoder_relations.h"

/* Moves a pending relation to the relation body. The relation still needs the block from which it
 * was read, so the body gets the ticket of this block, if this ticket is lower. */
static void put_waiting(void *user, const ftr_pending_relation *waiting)
{
    ftr_encoder *encoder = user;
    uint64_t newest = encoder->ticket;
    encoder->ticket = waiting->ticket < newest ? waiting->ticket : newest;
    ftr_encoder_put_relation(encoder, &waiting->record);
    encoder->ticket = newest;
    encoder->unheld_relations += waiting->held == NULL;
}

void ftr_encoder_settle_relations(ftr_encoder *encoder, bool file_ends)
{
    encoder->relations_discarded +=
        ftr_pending_relations_settle(&encoder->pending_relations, file_ends, put_waiting, encoder);
}
