/* Counts losses and frames them. Writes its few strings and definitions itself, with numbers it is
 * given: it must work when the encoder has failed. Knows nothing of why something was lost. */
#include "losses.h"

#include <string.h>

#define STREAM_TAG 16
#define GENERATOR_TAG 17
#define EVENT_TAG 6
#define BEGIN_ATTRIBUTE_TAG 7
#define STRING_TYPE 10 /* by both numberings, as the next */
#define UNSIGNED_TYPE 3

enum { STREAM_NAME, STREAM_KIND, GENERATOR_NAME, WHAT, COUNT, FIRST_CAUSE };

static const char *const cause_texts[FTR_LOSS_CAUSES] = {
    [FTR_LOSS_DROPPED] = "transactions were dropped because the writer was behind",
    [FTR_LOSS_MAX_SIZE] = "transactions are not recorded because the file has the size it may have",
    [FTR_LOSS_MIN_FREE] =
        "transactions are not recorded because the disk has no more free space than it must keep",
    [FTR_LOSS_REMOVED] = "transactions were in files that were removed for newer ones",
    [FTR_LOSS_EVICTED] = "transactions left the flight recorder before it was triggered",
    [FTR_LOSS_SEPARATED] = "relations are left out because no file has both their transactions",
    [FTR_LOSS_FAILED] = "transactions are not in the file because it could not be written",
};

void ftr_losses_init(ftr_losses *losses)
{
    *losses = (ftr_losses){.lock = PTHREAD_MUTEX_INITIALIZER};
}

static void add(ftr_loss *to, const ftr_loss *loss)
{
    if (to->count == 0 || loss->from < to->from)
        to->from = loss->from;
    if (to->count == 0 || loss->to > to->to)
        to->to = loss->to;
    to->count += loss->count;
}

void ftr_losses_add(ftr_losses *losses, ftr_loss_cause cause, const ftr_loss *loss)
{
    if (loss->count == 0)
        return;
    pthread_mutex_lock(&losses->lock);
    add(&losses->here[cause], loss);
    add(&losses->total[cause], loss);
    pthread_mutex_unlock(&losses->lock);
}

bool ftr_losses_any(ftr_losses *losses)
{
    bool any = false;
    pthread_mutex_lock(&losses->lock);
    for (size_t i = 0; i < FTR_LOSS_CAUSES; ++i)
        any |= losses->here[i].count > 0;
    pthread_mutex_unlock(&losses->lock);
    return any;
}

ftr_loss ftr_losses_total(ftr_losses *losses, ftr_loss_cause cause)
{
    pthread_mutex_lock(&losses->lock);
    ftr_loss total = losses->total[cause];
    pthread_mutex_unlock(&losses->lock);
    return total;
}

const char *ftr_losses_text(ftr_loss_cause cause)
{
    return cause_texts[cause];
}

ftr_severity ftr_losses_severity(ftr_loss_cause cause)
{
    /* One was told when it happened, the other is as asked for. */
    return cause == FTR_LOSS_FAILED || cause == FTR_LOSS_EVICTED ? FTR_SEVERITY_NOTE
                                                                 : FTR_SEVERITY_WARNING;
}

/* ---- framing ----------------------------------------------------------------------------------
 */

static void put_strings(const ftr_losses_place *place, ftr_cbor_writer *body)
{
    const char *const fixed[FIRST_CAUSE] = {place->stream, "losses", "loss", "what", "count"};
    ftr_cbor_put_map(body, FIRST_CAUSE + FTR_LOSS_CAUSES);
    for (uint32_t i = 0; i < FIRST_CAUSE + FTR_LOSS_CAUSES; ++i) {
        const char *text = i < FIRST_CAUSE ? fixed[i] : cause_texts[i - FIRST_CAUSE];
        ftr_cbor_put_uint(body, place->string + i);
        ftr_cbor_put_text(body, text, strlen(text));
    }
}

static void put_directory(const ftr_losses_place *place, ftr_cbor_writer *body)
{
    ftr_cbor_put_indefinite_array(body);
    ftr_cbor_put_tag(body, STREAM_TAG);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, place->entity);
    ftr_cbor_put_uint(body, place->string + STREAM_NAME);
    ftr_cbor_put_uint(body, place->string + STREAM_KIND);
    ftr_cbor_put_tag(body, GENERATOR_TAG);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, place->entity + 1);
    ftr_cbor_put_uint(body, place->string + GENERATOR_NAME);
    ftr_cbor_put_uint(body, place->entity);
    ftr_cbor_put_break(body);
}

static void put_attribute_head(const ftr_losses_place *place, uint32_t name, uint64_t type,
                               ftr_cbor_writer *body)
{
    ftr_cbor_put_tag(body, BEGIN_ATTRIBUTE_TAG);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, place->string + name);
    ftr_cbor_put_uint(body, type);
}

static void put_loss(const ftr_losses_place *place, uint32_t cause, const ftr_loss *loss,
                     ftr_cbor_writer *body)
{
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_tag(body, EVENT_TAG);
    ftr_cbor_put_array(body, 4);
    ftr_cbor_put_uint(body, place->tx + cause);
    ftr_cbor_put_uint(body, place->entity + 1);
    ftr_cbor_put_uint(body, loss->from);
    ftr_cbor_put_uint(body, loss->to);
    put_attribute_head(place, WHAT, STRING_TYPE, body);
    ftr_cbor_put_uint(body, place->string + FIRST_CAUSE + cause);
    put_attribute_head(place, COUNT, UNSIGNED_TYPE, body);
    ftr_cbor_put_uint(body, loss->count);
}

void ftr_losses_put(ftr_losses *losses, const ftr_losses_place *place, ftr_chunk_writer *chunks)
{
    uint8_t buffer[FTR_LOSSES_ROOM];
    ftr_cbor_writer body;
    ftr_chunk_range range = {place->entity, UINT64_MAX, 0};
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    put_strings(place, &body);
    ftr_chunk_put(chunks, FTR_TAG_DICTIONARY, NULL, buffer, ftr_cbor_writer_size(&body));
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    put_directory(place, &body);
    ftr_chunk_put(chunks, FTR_TAG_DIRECTORY, NULL, buffer, ftr_cbor_writer_size(&body));
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    ftr_cbor_put_indefinite_array(&body);
    pthread_mutex_lock(&losses->lock);
    for (uint32_t i = 0; i < FTR_LOSS_CAUSES; ++i) {
        ftr_loss *loss = &losses->here[i];
        if (loss->count == 0)
            continue;
        put_loss(place, i, loss, &body);
        range.begin = loss->from < range.begin ? loss->from : range.begin;
        range.end = loss->to > range.end ? loss->to : range.end;
        *loss = (ftr_loss){0};
    }
    pthread_mutex_unlock(&losses->lock);
    ftr_cbor_put_break(&body);
    ftr_chunk_put(chunks, FTR_TAG_TRANSACTIONS, &range, buffer, ftr_cbor_writer_size(&body));
}
