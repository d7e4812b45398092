/* The work of the reading threads of a report. They share only the names and the bounds. */
#include "prepared_tx.h"

#include "attribute_types.h"
#include "report_attributes.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

/* Number of entries in a thread's cache of names. */
#define NAMES 1024u

typedef struct known_name {
    uint64_t id;
    const ftr_name *name; /* interned; NULL: not known */
} known_name;

/* The names of the times of phases. */
#define REQUEST_TIME "request_time"
#define RESPONSE_TIME "response_time"

struct ftr_preparing_thread {
    known_name names[NAMES];
    ftr_family_spot spot;
    ftr_report_address addresses[FTR_REPORT_ADDRESSES_MAX]; /* of the present transaction */
    uint32_t address_count;
    ftr_prepared_phases phases;  /* of the present transaction */
    char behind[FTR_CACHE_LINE]; /* padding, so that the names of the next thread are in other cache
                                    lines */
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

/* ---- addresses and phases -------------------------------------------------------------------- */

bool ftr_tx_preparation_wants(void *user, const ftr_attribute_value *attribute)
{
    (void)user;
    if (attribute->type == FTR_TYPE_TIME)
        return ftr_view_is(attribute->name, REQUEST_TIME) ||
               ftr_view_is(attribute->name, RESPONSE_TIME);
    return attribute->type == FTR_TYPE_POINTER ||
           ftr_is_address_name(attribute->name.data, attribute->name.size);
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

void ftr_tx_preparation_number(void *user, unsigned thread_number,
                               const ftr_attribute_value *attribute)
{
    ftr_tx_preparation *preparation = user;
    ftr_preparing_thread *thread = &preparation->threads[thread_number];
    known_name *known = &thread->names[attribute->name_id % NAMES];
    if (attribute->type == FTR_TYPE_TIME) {
        if (ftr_view_is(attribute->name, REQUEST_TIME))
            thread->phases.request_time = attribute->as.number;
        else
            thread->phases.response_time = attribute->as.number;
        return;
    }
    if (thread->address_count == FTR_REPORT_ADDRESSES_MAX)
        return;
    if (known->name == NULL || known->id != attribute->name_id)
        *known = (known_name){attribute->name_id, intern(preparation, attribute->name)};
    if (known->name == NULL)
        return;
    for (uint32_t i = 0; i < thread->address_count; i++)
        if (thread->addresses[i].name == known->name)
            return;
    thread->addresses[thread->address_count++] =
        (ftr_report_address){known->name, attribute->as.number};
}

/* ---- the bytes ------------------------------------------------------------------------------- */

/* Loads a member alone. Otherwise the compiler might load neighbouring members together. Such a
 * load would wait until the separate stores of these members are complete. */
#define LOAD_ALONE(member) __atomic_load_n(&(member), __ATOMIC_RELAXED)

static inline bool may_be_kept(const ftr_tx_preparation *preparation, ftr_preparing_thread *thread,
                               const ftr_transaction *tx, const ftr_tx_figures *figures,
                               const ftr_family_entry *family)
{
    const ftr_report_tx report = {.id = tx->id,
                                  .begin = tx->begin,
                                  .end = tx->end > tx->begin ? tx->end : tx->begin,
                                  .generator = tx->generator->index,
                                  .error =
                                      LOAD_ALONE(figures->error) || LOAD_ALONE(figures->incomplete),
                                  .unfinished = LOAD_ALONE(figures->unfinished)};
    return preparation->bounds == NULL ||
           ftr_kept_bounds_admit(preparation->bounds, &report, family, preparation->families,
                                 &thread->spot);
}

void ftr_tx_preparation_append(void *user, unsigned thread_number, ftr_reader *reader,
                               ftr_transaction *tx, const ftr_tx_figures *figures,
                               ftr_prepared *prepared)
{
    ftr_tx_preparation *preparation = user;
    ftr_preparing_thread *thread = &preparation->threads[thread_number];
    const bool has_phases = (thread->phases.request_time | thread->phases.response_time) != 0;
    ftr_family_entry family = {0};
    if (preparation->families != NULL && preparation->families->page_count > 0)
        family = ftr_family_table_get(preparation->families, &thread->spot, tx->id);
    const bool has_attributes = may_be_kept(preparation, thread, tx, figures, &family);
    const bool has_family = family.has_parent || family.has_children;
    /* An access has the same address on each link on its way, or an address that a bus has
     * translated. The maps count it once, on its first link, as its initiator has issued it. */
    const uint32_t count = family.is_hop ? 0 : thread->address_count;
    size_t size = sizeof(ftr_prepared_head) + count * sizeof *thread->addresses;
    if (has_family)
        size += sizeof(ftr_prepared_family);
    if (has_phases)
        size += sizeof(ftr_prepared_phases);
    thread->address_count = 0;
    ftr_prepared_head *head = ftr_prepared_append(prepared, size);
    if (head == NULL)
        return; /* out of memory: this error ends the reading */
    /* Each member is stored in its final place. If a structure were built elsewhere and then copied
     * in wider units, the copy would wait until the stores of the members are complete. */
    void *next = head + 1;
    head->chunk_within = (uint32_t)tx->chunk_within;
    head->relations = (uint8_t)((family.has_parent ? FTR_PREPARED_PARENT : 0) |
                                (family.has_children ? FTR_PREPARED_CHILDREN : 0));
    head->has_phases = has_phases;
    head->has_attributes = has_attributes;
    head->address_count = (uint8_t)count;
    if (has_family) {
        ftr_prepared_family *to = next;
        to->chunk_offset = tx->chunk_offset;
        to->parent = family.parent;
        next = to + 1;
    }
    if (has_phases) {
        *(ftr_prepared_phases *)next = thread->phases;
        thread->phases = (ftr_prepared_phases){0};
        next = (char *)next + sizeof thread->phases;
    }
    ftr_report_address *addresses = next;
    for (uint32_t i = 0; i < count; i++) {
        addresses[i].name = LOAD_ALONE(thread->addresses[i].name);
        addresses[i].value = LOAD_ALONE(thread->addresses[i].value);
    }
    if (has_attributes)
        ftr_copied_attributes_append(reader, tx, prepared);
}
