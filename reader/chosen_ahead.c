/* Owns the list of the chosen chunks while they are read. Does not know the choice. */
#include "chosen_ahead.h"

bool ftr_chosen_ahead_start(ftr_chosen_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                            void *user, size_t count_min, const ftr_ahead_reader *how)
{
    *ahead = (ftr_chosen_ahead){0};
    ftr_selection_init(&ahead->selection, reader, NULL);
    if (reader->threads < 2 || reader->source.is_pipe ||
        ftr_chunk_order_collect(&ahead->order, reader, chooses, user) != FTR_OK ||
        ahead->order.count < count_min)
        return false;
    ahead->read =
        ftr_read_ahead_create(&ahead->selection, ahead->order.list, ahead->order.count, how);
    return ahead->read != NULL;
}

void ftr_chosen_ahead_release(ftr_chosen_ahead *ahead)
{
    ftr_read_ahead_destroy(ahead->read);
    ftr_chunk_order_release(&ahead->order, &ahead->selection.reader->budget);
    ftr_selection_release(&ahead->selection);
}
