/* The relation body. Relations should follow the transactions that they refer to, if these have
 * ended by the time the relations must be written. Therefore the relation body is not framed when
 * it is full, but after all other bodies, when its oldest relation is due. Until then it is a
 * sequence of complete bodies, each with the size of a chunk. */
#include "encoder_relations.h"

/* The relation still needs the block from which it was read, so the body now refers to that
 * block. */
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
