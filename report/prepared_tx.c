/* Owns the work of the reading threads of a report. Does not know the report. */
#include "prepared_tx.h"

#include "address_name.h"
#include "copied_attributes.h"

#include <stdlib.h>
#include <string.h>

/* Size of a thread's cache of names. */
#define NAMES 1024u

typedef struct known_name {
    bool known, is_address;
    uint64_t id;
    const ftr_name *name; /* NULL: not interned, because it is not the name of an address so far */
} known_name;

struct ftr_preparing_thread {
    known_name names[NAMES];
    ftr_family_spot spot;
    ftr_report_address addresses[FTR_REPORT_ADDRESSES_MAX]; /* of the present transaction */
    uint32_t address_count;
    char behind[FTR_CACHE_LINE]; /* so that the next thread's names are in other cache lines */
};

bool ftr_tx_preparation_init(ftr_tx_preparation *preparation, unsigned threads,
                             const ftr_family_table *families, const ftr_kept_bounds *bounds)
{
    *preparation = (ftr_tx_preparation){.families = families, .bounds = bounds};
    preparation->threads = calloc(threads > 0 ? threads : 1, sizeof *preparation->threads);
    return preparation->threads != NULL && pthread_mutex_init(&preparation->mutex, NULL) == 0;
}

void ftr_tx_preparation_release(ftr_tx_preparation *preparation)
{
    if (preparation->threads != NULL)
        (void)pthread_mutex_destroy(&preparation->mutex);
    free(preparation->threads);
    ftr_names_release(&preparation->names);
    *preparation = (ftr_tx_preparation){0};
}

/* ---- addresses ------------------------------------------------------------------------------- */

static known_name *name_of(ftr_preparing_thread *thread, const ftr_attribute_value *attribute)
{
    known_name *known = &thread->names[attribute->name_id % NAMES];
    if (!known->known || known->id != attribute->name_id)
        *known = (known_name){.known = true,
                              .is_address =
                                  ftr_is_address_name(attribute->name.data, attribute->name.size),
                              .id = attribute->name_id};
    return known;
}

/* Interns a name. All threads use the same copy. */
static const ftr_name *intern(ftr_tx_preparation *preparation, ftr_view name)
{
    (void)pthread_mutex_lock(&preparation->mutex);
    const ftr_name *interned = ftr_names_intern(&preparation->names, name.data, name.size);
    (void)pthread_mutex_unlock(&preparation->mutex);
    if (interned == NULL)
        preparation->failed = true;
    return interned;
}

void ftr_tx_preparation_number(ftr_tx_preparation *preparation, unsigned thread_number,
                               const ftr_attribute_value *attribute)
{
    ftr_preparing_thread *thread = &preparation->threads[thread_number];
    if (attribute->name.data == NULL)
        return;
    known_name *known = name_of(thread, attribute);
    if ((!known->is_address && attribute->type != FTR_TYPE_POINTER) ||
        thread->address_count == FTR_REPORT_ADDRESSES_MAX)
        return;
    if (known->name == NULL)
        known->name = intern(preparation, attribute->name);
    if (known->name == NULL)
        return;
    for (uint32_t i = 0; i < thread->address_count; i++)
        if (thread->addresses[i].name == known->name)
            return;
    thread->addresses[thread->address_count++] =
        (ftr_report_address){known->name, attribute->as.number};
}

/* ---- the bytes ------------------------------------------------------------------------------- */

static bool may_be_kept(const ftr_tx_preparation *preparation, ftr_preparing_thread *thread,
                        const ftr_transaction *tx, const ftr_tx_figures *figures,
                        const ftr_family_entry *family)
{
    const ftr_report_tx report = {.id = tx->id,
                                  .begin = tx->begin,
                                  .end = tx->end > tx->begin ? tx->end : tx->begin,
                                  .error = figures->error || figures->incomplete,
                                  .unfinished = figures->unfinished,
                                  .generator = tx->generator->index};
    return preparation->bounds == NULL ||
           ftr_kept_bounds_admit(preparation->bounds, &report, family, preparation->families,
                                 &thread->spot);
}

static char *put(char *to, const void *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

void ftr_tx_preparation_append(ftr_tx_preparation *preparation, unsigned thread_number,
                               ftr_reader *reader, ftr_transaction *tx,
                               const ftr_tx_figures *figures, ftr_prepared *prepared)
{
    ftr_preparing_thread *thread = &preparation->threads[thread_number];
    const ftr_tx_position position = {tx->chunk_offset, tx->chunk_within};
    ftr_family_entry family = {0};
    if (preparation->families != NULL)
        family = ftr_family_table_get(preparation->families, &thread->spot, tx->id);
    const ftr_prepared_head head = {.has_family = family.has_parent || family.has_children,
                                    .has_attributes =
                                        may_be_kept(preparation, thread, tx, figures, &family),
                                    .address_count = thread->address_count};
    const size_t address_size = thread->address_count * sizeof *thread->addresses;
    thread->address_count = 0;
    char *to = ftr_prepared_append(
        prepared,
        sizeof head + (head.has_family ? sizeof position + sizeof family : 0) + address_size);
    if (to == NULL)
        return; /* out of memory: this ends the reading */
    to = put(to, &head, sizeof head);
    if (head.has_family)
        to = put(put(to, &position, sizeof position), &family, sizeof family);
    (void)put(to, thread->addresses, address_size);
    if (head.has_attributes)
        ftr_copied_attributes_append(reader, tx, prepared);
}

ftr_prepared_tx ftr_prepared_tx_get(const ftr_measured_tx *measured)
{
    const ftr_prepared_head *head = measured->bytes;
    const char *next = (const char *)(head + 1);
    ftr_prepared_tx parts = {.address_count = head->address_count,
                             .may_be_kept = head->has_attributes || head->has_family,
                             .has_attributes = head->has_attributes};
    if (head->has_family) {
        parts.position = (const void *)next;
        parts.family = (const void *)(parts.position + 1);
        next = (const char *)(parts.family + 1);
    }
    parts.addresses = (const void *)next;
    parts.attributes = parts.addresses + parts.address_count;
    parts.attributes_end = (const char *)measured->bytes + measured->size;
    return parts;
}
