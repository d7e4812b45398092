/* Sums up the losses that were counted in a journal. If the counts in the journal are damaged, the
 * sums are wrong, but the written file is valid. */
#include "trace_contents.h"

#include "losses.h"
#include "stream_name_rules.h"
#include "stream_names.h"
#include "utf8.h"

#include <string.h>

/* Chooses the name of the stream of losses, which must differ from the names of all other
 * streams. */
static ftr_status choose_name(const ftr_definitions *definitions, ftr_names *names,
                              const char **chosen)
{
    bool is_renamed;
    ftr_status status = FTR_OK;
    for (uint32_t i = 1; i < definitions->entity_count && status == FTR_OK; i++) {
        const ftr_entity *entity = ftr_definitions_entity(definitions, i);
        if (entity->kind == FTR_ENTITY_STREAM)
            status = ftr_stream_names_choose(names, entity->name, chosen, &is_renamed);
    }
    return status == FTR_OK ? ftr_stream_names_choose(names, FTR_LOSS_STREAM, chosen, &is_renamed)
                            : status;
}

static void add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause, ftr_loss loss)
{
    if (loss.from > loss.to) /* the file contains no transaction yet */
        loss.to = loss.from;
    ftr_losses_add(losses, buffer, cause, &loss);
}

/* Adds the losses of the file that the process was writing. If the process was killed after it
 * ended this file and before it committed the next one, adds the losses of the next file, too. */
static void add_counted(ftr_losses *losses, const ftr_journal_image *image, uint64_t latest)
{
    const ftr_journal_header *header = image->header;
    for (size_t i = 0; i < 2; i++) {
        const ftr_journal_losses *counted = &header->losses[i];
        if (counted->file < ftr_journal_image_file(image))
            continue;
        for (uint32_t n = 0; n < FTR_LOSSES_MAX; n++)
            add(losses, n / FTR_LOSS_CAUSES, (ftr_loss_cause)(n % FTR_LOSS_CAUSES),
                counted->of[n / FTR_LOSS_CAUSES][n % FTR_LOSS_CAUSES]);
        add(losses, 0, FTR_LOSS_SEPARATED,
            (ftr_loss){counted->relations_discarded, counted->began, latest});
    }
}

static void add_buffers(ftr_losses *losses, ftr_journal_header *header)
{
    for (size_t i = 1; i < FTR_BUFFERS_MAX; i++) {
        char *name = header->buffer_names[i];
        name[FTR_JOURNAL_BUFFER_NAME_SIZE - 1] = '\0';
        ftr_losses_add_buffer(losses,
                              ftr_utf8_is_valid((const uint8_t *)name, strlen(name)) ? name : "");
    }
}

ftr_status ftr_recovery_put_losses(const ftr_journal_image *image, const ftr_recovery_losses *found,
                                   ftr_encoder *encoder)
{
    ftr_losses losses;
    ftr_names names = {0};
    const ftr_journal_losses *counted = &image->header->losses[ftr_journal_image_file(image) & 1];
    ftr_losses_ids ids = {.string = encoder->dictionary.next_id,
                          .entity = image->definitions.entity_count,
                          .tx = found->highest_id + 1};
    ftr_losses_init(&losses);
    add_buffers(&losses, image->header);
    add_counted(&losses, image, encoder->latest);
    add(&losses, 0, FTR_LOSS_SEPARATED,
        (ftr_loss){found->discarded, counted->began, encoder->latest});
    add(&losses, 0, FTR_LOSS_KILLED,
        (ftr_loss){image->header->relations_unheld, counted->began, encoder->latest});
    add(&losses, 0, FTR_LOSS_UNCOVERED, (ftr_loss){found->lost, counted->began, encoder->latest});
    add(&losses, 0, FTR_LOSS_UNKNOWN,
        (ftr_loss){found->lost_at_most, counted->began, encoder->latest});
    if (!ftr_losses_end_file(&losses))
        return FTR_OK;
    ftr_status status = choose_name(&image->definitions, &names, &ids.stream);
    if (status == FTR_OK)
        ftr_losses_put(&losses, &ids, &encoder->chunks);
    ftr_names_release(&names);
    return status;
}
