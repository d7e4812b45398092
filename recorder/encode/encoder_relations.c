/* The body of the relations. They stand behind the transactions they name as far as these have
 * ended when the relations must leave: so their body is never framed because it is full, but behind
 * all others, when its oldest relation is due. Until then it is a row of complete bodies, each of a
 * chunk's size.
 */
#include "encoder_relations.h"

/* Its body holds the block that it was read from, as it did itself. */
static void put_waiting(void *user, const ftr_pending_relation *waiting)
{
    ftr_encoder *encoder = user;
    uint64_t newest = encoder->ticket;
    encoder->ticket = waiting->ticket < newest ? waiting->ticket : newest;
    ftr_encoder_put_relation(encoder, &waiting->record);
    encoder->ticket = newest;
    encoder->unheld_relations += waiting->held == NULL;
}

void ftr_encoder_settle_relations(ftr_encoder *encoder)
{
    encoder->relations_discarded +=
        ftr_pending_relations_settle(&encoder->pending_relations, put_waiting, encoder);
}

void ftr_encoder_end_relations(ftr_encoder *encoder)
{
    encoder->relations_discarded +=
        ftr_pending_relations_end_file(&encoder->pending_relations, put_waiting, encoder);
}
