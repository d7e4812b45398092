/* The parts of a report that the reading threads compute for each transaction: position, family,
 * addresses among the attributes, and a copy of all attributes if the report may show the
 * transaction whole. */
#ifndef FTR_PREPARED_TX_H
#define FTR_PREPARED_TX_H

#include "name_table.h"
#include "kept_transactions.h"
#include "trace_measure.h"

#include <pthread.h>

/* Maximum number of addresses of one transaction. */
#define FTR_REPORT_ADDRESSES_MAX 8u

/* An address of a transaction, and the name of its attribute. */
typedef struct ftr_report_address {
    const ftr_name *name;
    uint64_t value;
} ftr_report_address;

enum { FTR_PREPARED_PARENT = 1, FTR_PREPARED_CHILDREN = 2 };

/* The head of the prepared bytes. After the head come the family of the transaction, the phases,
 * the addresses, and the copied attributes, each only if there are any. For most transactions, only
 * addresses come after the head. The bytes are kept few, because a single thread reads the prepared
 * bytes of all transactions. */
typedef struct ftr_prepared_head {
    uint32_t chunk_within; /* position of the transaction in its chunk */
    uint8_t relations;     /* a sum of FTR_PREPARED_...; if not 0, the family follows */
    bool has_phases;
    bool has_attributes;
    uint8_t address_count;
} ftr_prepared_head;

/* For a transaction with a parent or children. */
typedef struct ftr_prepared_family {
    uint64_t chunk_offset;
    uint64_t parent;
} ftr_prepared_family;

/* For an access with phases: the attributes `request_time` and `response_time`; 0: absent. */
typedef struct ftr_prepared_phases {
    uint64_t request_time, response_time;
} ftr_prepared_phases;

/* The parts of prepared bytes. The pointers point into these bytes. */
typedef struct ftr_prepared_tx {
    ftr_family_entry family;
    ftr_tx_position position; /* valid if the transaction has a family */
    ftr_prepared_phases phases;
    const ftr_report_address *addresses;
    size_t address_count;
    bool has_attributes;
    const void *attributes, *attributes_end; /* the copied attributes */
} ftr_prepared_tx;

typedef struct ftr_preparing_thread ftr_preparing_thread;

typedef struct ftr_tx_preparation {
    const ftr_family_table *families; /* borrowed, complete */
    const ftr_kept_bounds *bounds;    /* borrowed */
    ftr_preparing_thread *threads;
    pthread_mutex_t mutex; /* protects `names` */
    ftr_names names;       /* names of attributes with addresses */
    atomic_bool failed;    /* out of memory */
} ftr_tx_preparation;

/* @param families NULL: transactions have no families
 * @return false if out of memory */
bool ftr_tx_preparation_init(ftr_tx_preparation *preparation, unsigned threads,
                             const ftr_family_table *families, const ftr_kept_bounds *bounds);

/* The functions of a measurement (ftr_trace_measure) whose `prepare_user` is a preparation. The
 * argument @p user is this preparation. */

/* Returns true if numeric attributes with the name and type of @p attribute are addresses, or the
 * times of phases. */
bool ftr_tx_preparation_wants(void *user, const ftr_attribute_value *attribute);

/* Stores an address, or the time of a phase, of the transaction that the thread prepares. */
void ftr_tx_preparation_number(void *user, unsigned thread_number,
                               const ftr_attribute_value *attribute);

/* Appends the prepared bytes of the transaction that the thread prepares. */
void ftr_tx_preparation_append(void *user, unsigned thread_number, ftr_reader *reader,
                               ftr_transaction *tx, const ftr_tx_figures *figures,
                               ftr_prepared *prepared);

static inline bool ftr_prepared_has_family(const ftr_prepared_head *head)
{
    return head->relations != 0;
}

/* Returns the parts of the prepared bytes of a transaction. */
static inline ftr_prepared_tx ftr_prepared_tx_get(const ftr_measured_tx *measured)
{
    const ftr_prepared_head *head = measured->bytes;
    const char *next = (const char *)(head + 1);
    ftr_prepared_tx parts = {.address_count = head->address_count,
                             .has_attributes = head->has_attributes};
    if (ftr_prepared_has_family(head)) {
        const ftr_prepared_family *family = (const void *)next;
        parts.family.has_parent = (head->relations & FTR_PREPARED_PARENT) != 0;
        parts.family.has_children = (head->relations & FTR_PREPARED_CHILDREN) != 0;
        parts.family.parent = family->parent;
        parts.position.chunk_offset = family->chunk_offset;
        parts.position.chunk_within = head->chunk_within;
        next = (const char *)(family + 1);
    }
    if (head->has_phases) {
        parts.phases = *(const ftr_prepared_phases *)(const void *)next;
        next += sizeof parts.phases;
    }
    parts.addresses = (const void *)next;
    parts.attributes = parts.addresses + parts.address_count;
    parts.attributes_end = (const char *)measured->bytes + measured->size;
    return parts;
}

/* Returns the figures of a transaction for the report. */
static inline ftr_report_tx ftr_report_tx_of(const ftr_measured_tx *measured)
{
    const ftr_tx_figures *figures = measured->figures;
    return (ftr_report_tx){.id = figures->id,
                           .begin = figures->begin,
                           .end = figures->end > figures->begin ? figures->end : figures->begin,
                           .bytes = figures->bytes,
                           .error = measured->error,
                           .unfinished = figures->unfinished,
                           .generator = (uint32_t)measured->generator};
}

void ftr_tx_preparation_release(ftr_tx_preparation *preparation);

#endif
