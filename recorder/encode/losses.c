/* Counts losses and writes them as the stream `ftr.losses`. This must work after the encoder has
 * failed. This file therefore encodes the few strings and definitions of that stream without the
 * encoder; the caller provides unused ids. */
#include "losses.h"

#include "format_tags.h"

#include <ftr/recovery.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_TYPE 10 /* STRING_TYPE and UNSIGNED_TYPE are the same in both type numberings */
#define UNSIGNED_TYPE 3

enum { STREAM_NAME, STREAM_KIND, GENERATOR_NAME, WHAT, COUNT, BUFFER, FIRST_CAUSE };

static const char *const cause_texts[FTR_LOSS_CAUSES] = {
    [FTR_LOSS_DROPPED] = "transactions were dropped because the writer was behind",
    [FTR_LOSS_MAX_SIZE] =
        "transactions are not recorded because the file has reached its maximum size",
    [FTR_LOSS_MIN_FREE] =
        "transactions are not recorded because the free space of the disk reached its minimum",
    [FTR_LOSS_REMOVED] = "transactions were in files that newer files replaced",
    [FTR_LOSS_EVICTED] = "transactions left the flight recorder before it was triggered",
    [FTR_LOSS_SEPARATED] =
        "relations are discarded because no file contains both of their transactions",
    [FTR_LOSS_FAILED] = "transactions are not in the file because it could not be written",
    [FTR_LOSS_FULL] = "transactions are not recorded because their buffer is full",
    [FTR_LOSS_KILLED] =
        "relations are lost because the process was killed while they waited for an end",
    [FTR_LOSS_UNCOVERED] =
        ("transactions are lost: " FTR_NOT_RECOVERED ", because the journal did not contain them"),
    [FTR_LOSS_UNKNOWN] = ("transactions and relations " FTR_LOST_AT_MOST
                          " are lost, their number is not known: " FTR_NOT_RECOVERED
                          ", because the journal did not contain them"),
};

void ftr_losses_init(ftr_losses *losses)
{
    *losses = (ftr_losses){.lock = PTHREAD_MUTEX_INITIALIZER, .buffers = 1, .file = 1};
}

void ftr_losses_add_buffer(ftr_losses *losses, const char *name)
{
    pthread_mutex_lock(&losses->lock);
    if (losses->journal != NULL)
        snprintf(losses->journal->buffer_names[losses->buffers], FTR_JOURNAL_BUFFER_NAME_SIZE, "%s",
                 name);
    losses->names[losses->buffers++] = name;
    pthread_mutex_unlock(&losses->lock);
}

size_t ftr_losses_room(ftr_losses *losses)
{
    pthread_mutex_lock(&losses->lock);
    size_t room = FTR_LOSSES_ROOM + (losses->buffers - 1) * FTR_LOSSES_ROOM_OF_BUFFER;
    pthread_mutex_unlock(&losses->lock);
    return room;
}

/* Returns the counts of the current file in the journal. */
static ftr_journal_losses *kept(ftr_losses *losses)
{
    return &losses->journal->losses[losses->file & 1];
}

void ftr_losses_keep(ftr_losses *losses, ftr_journal *journal)
{
    pthread_mutex_lock(&losses->lock);
    losses->journal = journal != NULL ? journal->header : NULL;
    if (losses->journal != NULL)
        kept(losses)->file = losses->file;
    pthread_mutex_unlock(&losses->lock);
}

static void add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause, const ftr_loss *loss)
{
    ftr_loss_add(&losses->here[buffer][cause], loss);
    ftr_loss_add(&losses->total[buffer][cause], loss);
}

void ftr_losses_add(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause, const ftr_loss *loss)
{
    if (loss->count == 0)
        return;
    pthread_mutex_lock(&losses->lock);
    add(losses, buffer, cause, loss);
    if (losses->journal != NULL) {
        ftr_loss_add(&kept(losses)->of[buffer][cause], loss);
        losses->journal->lost += loss->count;
    }
    pthread_mutex_unlock(&losses->lock);
}

void ftr_losses_add_recoverable(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause,
                                const ftr_loss *loss)
{
    if (loss->count == 0)
        return;
    pthread_mutex_lock(&losses->lock);
    add(losses, buffer, cause, loss);
    /* FTR_LOSS_SEPARATED counts relations */
    if (losses->journal != NULL && cause != FTR_LOSS_SEPARATED)
        losses->journal->expected += loss->count;
    pthread_mutex_unlock(&losses->lock);
}

void ftr_losses_add_refused(ftr_losses *losses, const ftr_loss *refused)
{
    pthread_mutex_lock(&losses->lock);
    if (refused->count > 0)
        add(losses, 0, FTR_LOSS_FAILED, refused);
    if (losses->journal != NULL) {
        kept(losses)->of[0][FTR_LOSS_FAILED] = *refused;
        losses->journal->expected_is_final = 1;
    }
    pthread_mutex_unlock(&losses->lock);
}

void ftr_losses_keep_refused(ftr_losses *losses, const ftr_loss *refused)
{
    pthread_mutex_lock(&losses->lock);
    if (losses->journal != NULL)
        kept(losses)->of[0][FTR_LOSS_FAILED] = *refused;
    pthread_mutex_unlock(&losses->lock);
}

/* ---- files that are removed -------------------------------------------------------------------
 */

typedef struct ftr_file_loss {
    uint32_t buffer;
    ftr_loss_cause cause;
    ftr_loss loss;
} ftr_file_loss;

ftr_status ftr_file_losses_init(ftr_file_losses *of)
{
    *of = (ftr_file_losses){.at = malloc(FTR_LOSSES_MAX * sizeof *of->at)};
    return of->at != NULL ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_file_losses_release(ftr_file_losses *of)
{
    free(of->at);
    *of = (ftr_file_losses){0};
}

void ftr_losses_get_ended(ftr_losses *losses, ftr_file_losses *ended)
{
    pthread_mutex_lock(&losses->lock);
    for (uint32_t i = 0; i < losses->buffers * FTR_LOSS_CAUSES; i++) {
        const uint32_t buffer = i / FTR_LOSS_CAUSES;
        const ftr_loss_cause cause = (ftr_loss_cause)(i % FTR_LOSS_CAUSES);
        const ftr_loss *loss = &losses->ended[buffer][cause];
        if (loss->count > 0)
            ended->at[ended->count++] = (ftr_file_loss){buffer, cause, *loss};
    }
    pthread_mutex_unlock(&losses->lock);
    if (ended->count == 0) {
        ftr_file_losses_release(ended);
        return;
    }
    ftr_file_loss *fitting = realloc(ended->at, ended->count * sizeof *ended->at);
    if (fitting != NULL)
        ended->at = fitting;
}

void ftr_losses_carry(ftr_losses *losses, const ftr_file_losses *of)
{
    pthread_mutex_lock(&losses->lock);
    for (uint32_t i = 0; i < of->count; i++) {
        const ftr_file_loss *one = &of->at[i];
        ftr_loss_add(&losses->here[one->buffer][one->cause], &one->loss);
        if (losses->journal != NULL)
            ftr_loss_add(&kept(losses)->of[one->buffer][one->cause], &one->loss);
    }
    pthread_mutex_unlock(&losses->lock);
}

/* From this call on, losses are counted for the next file. The journal also keeps the counts of the
 * file that ends, because the process can be killed before the end of this file is written. The
 * caller holds the lock. */
static void go_on(ftr_losses *losses)
{
    losses->file++;
    if (losses->journal == NULL)
        return;
    ftr_journal_losses *next = kept(losses);
    next->file = 0;
    atomic_thread_fence(memory_order_release);
    memset(next, 0, sizeof *next);
    atomic_thread_fence(memory_order_release);
    next->file = losses->file;
}

/* The caller holds the lock. */
static bool are_any(const ftr_losses *losses)
{
    bool any = false;
    for (size_t i = 0; i < losses->buffers * (size_t)FTR_LOSS_CAUSES; i++)
        any |= losses->here[i / FTR_LOSS_CAUSES][i % FTR_LOSS_CAUSES].count > 0;
    return any;
}

bool ftr_losses_are_any(ftr_losses *losses)
{
    pthread_mutex_lock(&losses->lock);
    const bool any = are_any(losses);
    pthread_mutex_unlock(&losses->lock);
    return any;
}

bool ftr_losses_end_file(ftr_losses *losses)
{
    pthread_mutex_lock(&losses->lock);
    const bool any = are_any(losses);
    if (!any) {
        memset(losses->ended, 0, sizeof losses->ended);
        go_on(losses);
    }
    pthread_mutex_unlock(&losses->lock);
    return any;
}

ftr_loss ftr_losses_total(ftr_losses *losses, uint32_t buffer, ftr_loss_cause cause)
{
    pthread_mutex_lock(&losses->lock);
    ftr_loss total = losses->total[buffer][cause];
    pthread_mutex_unlock(&losses->lock);
    return total;
}

const char *ftr_losses_text(ftr_loss_cause cause)
{
    return cause_texts[cause];
}

ftr_severity ftr_losses_severity(ftr_loss_cause cause)
{
    /* Eviction is the intended behaviour of a flight recorder. */
    return cause == FTR_LOSS_EVICTED ? FTR_SEVERITY_NOTE : FTR_SEVERITY_WARNING;
}

/* ---- framing ----------------------------------------------------------------------------------
 */

/* Returns the string id of the name of a buffer other than 0. The names of the buffers follow the
 * texts of the causes. */
static uint32_t name_of_buffer(const ftr_losses_ids *ids, uint32_t buffer)
{
    return ids->string + FIRST_CAUSE + FTR_LOSS_CAUSES + buffer - 1;
}

/* Returns the number of strings. */
static uint32_t put_strings(const ftr_losses *losses, const ftr_losses_ids *ids,
                            ftr_cbor_writer *body)
{
    const char *const fixed[FIRST_CAUSE] = {ids->stream, "losses", "loss",
                                            "what",      "count",  "buffer"};
    uint32_t count = FIRST_CAUSE + FTR_LOSS_CAUSES + losses->buffers - 1;
    ftr_cbor_put_map(body, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = i < FIRST_CAUSE ? fixed[i]
                           : i < FIRST_CAUSE + FTR_LOSS_CAUSES
                               ? cause_texts[i - FIRST_CAUSE]
                               : losses->names[i - FIRST_CAUSE - FTR_LOSS_CAUSES + 1];
        ftr_cbor_put_uint(body, ids->string + i);
        ftr_cbor_put_text(body, text, strlen(text));
    }
    return count;
}

static void put_directory(const ftr_losses_ids *ids, ftr_cbor_writer *body)
{
    ftr_cbor_put_indefinite_array(body);
    ftr_cbor_put_tag(body, FTR_TAG_STREAM);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, ids->entity);
    ftr_cbor_put_uint(body, ids->string + STREAM_NAME);
    ftr_cbor_put_uint(body, ids->string + STREAM_KIND);
    ftr_cbor_put_tag(body, FTR_TAG_GENERATOR);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, ids->entity + 1);
    ftr_cbor_put_uint(body, ids->string + GENERATOR_NAME);
    ftr_cbor_put_uint(body, ids->entity);
    ftr_cbor_put_break(body);
}

static void put_attribute_head(const ftr_losses_ids *ids, uint32_t name, uint64_t type,
                               ftr_cbor_writer *body)
{
    ftr_cbor_put_tag(body, FTR_TAG_BEGIN);
    ftr_cbor_put_array(body, 3);
    ftr_cbor_put_uint(body, ids->string + name);
    ftr_cbor_put_uint(body, type);
}

static void put_loss(const ftr_losses_ids *ids, uint64_t tx, uint32_t buffer, uint32_t cause,
                     const ftr_loss *loss, ftr_cbor_writer *body)
{
    ftr_cbor_put_array(body, buffer ? 4 : 3);
    ftr_cbor_put_tag(body, FTR_TAG_TX);
    ftr_cbor_put_array(body, 4);
    ftr_cbor_put_uint(body, tx);
    ftr_cbor_put_uint(body, ids->entity + 1);
    ftr_cbor_put_uint(body, loss->from);
    ftr_cbor_put_uint(body, loss->to);
    put_attribute_head(ids, WHAT, STRING_TYPE, body);
    ftr_cbor_put_uint(body, ids->string + FIRST_CAUSE + cause);
    put_attribute_head(ids, COUNT, UNSIGNED_TYPE, body);
    ftr_cbor_put_uint(body, loss->count);
    if (buffer) {
        put_attribute_head(ids, BUFFER, STRING_TYPE, body);
        ftr_cbor_put_uint(body, name_of_buffer(ids, buffer));
    }
}

/* Writes the losses of the current file and resets them. */
static void put_all(ftr_losses *losses, const ftr_losses_ids *ids, ftr_chunk_head *head,
                    ftr_cbor_writer *body)
{
    ftr_chunk_range *range = &head->range;
    for (uint32_t i = 0; i < losses->buffers * FTR_LOSS_CAUSES; i++) {
        uint32_t buffer = i / FTR_LOSS_CAUSES;
        ftr_loss *loss = &losses->here[buffer][i % FTR_LOSS_CAUSES];
        losses->ended[buffer][i % FTR_LOSS_CAUSES] = *loss;
        if (loss->count == 0)
            continue;
        put_loss(ids, ids->tx + i, buffer, i % FTR_LOSS_CAUSES, loss, body);
        ftr_id_cover_add(&head->ids, ids->tx + i);
        range->begin = loss->from < range->begin ? loss->from : range->begin;
        range->end = loss->to > range->end ? loss->to : range->end;
        *loss = (ftr_loss){0};
    }
}

void ftr_losses_put(ftr_losses *losses, const ftr_losses_ids *ids, ftr_chunk_writer *chunks)
{
    uint8_t buffer[FTR_LOSSES_ROOM_MAX];
    ftr_cbor_writer body;
    ftr_chunk_head head = {.tag = FTR_TAG_DICTIONARY};
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    pthread_mutex_lock(&losses->lock);
    head.strings = put_strings(losses, ids, &body);
    pthread_mutex_unlock(&losses->lock);
    ftr_chunk_put(chunks, &head, buffer, ftr_cbor_writer_size(&body));
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    put_directory(ids, &body);
    head = (ftr_chunk_head){.tag = FTR_TAG_DIRECTORY};
    ftr_chunk_put(chunks, &head, buffer, ftr_cbor_writer_size(&body));
    head = (ftr_chunk_head){.tag = FTR_TAG_TRANSACTIONS,
                            .has_range = true,
                            .range = {ids->entity, UINT64_MAX, 0},
                            .ids = ftr_id_cover_none};
    ftr_cbor_writer_init(&body, buffer, sizeof buffer);
    ftr_cbor_put_indefinite_array(&body);
    pthread_mutex_lock(&losses->lock);
    put_all(losses, ids, &head, &body);
    go_on(losses);
    pthread_mutex_unlock(&losses->lock);
    ftr_cbor_put_break(&body);
    ftr_chunk_put(chunks, &head, buffer, ftr_cbor_writer_size(&body));
}
