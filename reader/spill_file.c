/* The temporary file of sorted runs. */
#include "spill_file.h"

#include "byte_source.h"
#include "chunk_entries.h"
#include "atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WRITE_BUFFER ((size_t)256 << 10)
#define READ_BUFFER ((size_t)16 << 10)

typedef struct record_head {
    uint64_t time;
    uint64_t location;
    uint32_t size;
    uint32_t burst;
    uint32_t late;
    uint32_t is_prepared;
} record_head;

/* Each record is padded, so that the bytes of the next one are aligned. */
_Static_assert(sizeof(record_head) % FTR_PREPARED_ALIGNMENT == 0,
               "the bytes of a record are aligned");

void ftr_spill_init(ftr_spill *spill, const char *directory, ftr_budget *budget)
{
    *spill = (ftr_spill){.fd = -1, .directory = directory, .budget = budget};
}

static void free_buffer(ftr_spill *spill)
{
    if (spill->buffer != NULL)
        ftr_budget_release(spill->budget, WRITE_BUFFER);
    free(spill->buffer);
    spill->buffer = NULL;
}

void ftr_spill_release(ftr_spill *spill)
{
    free_buffer(spill);
    if (spill->fd >= 0)
        (void)close(spill->fd);
}

ftr_status ftr_spill_begin(ftr_spill *spill, ftr_run *run)
{
    if (spill->fd < 0)
        spill->fd = ftr_temporary_file(spill->directory);
    if (spill->fd < 0)
        return FTR_ERR_IO;
    /* The buffer is counted in the budget, but never refused, because spilling frees memory. */
    spill->buffer = malloc(WRITE_BUFFER);
    if (spill->buffer == NULL)
        return FTR_ERR_MEMORY;
    spill->budget->used += WRITE_BUFFER;
    spill->filled = 0;
    *run = (ftr_run){.spill = spill, .at = spill->size};
    return FTR_OK;
}

static ftr_status write_out(ftr_spill *spill, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size > 0) {
        const ssize_t written = pwrite(spill->fd, at, size, (off_t)spill->size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FTR_ERR_IO;
        at += written;
        size -= (size_t)written;
        spill->size += (uint64_t)written;
    }
    return FTR_OK;
}

static ftr_status append(ftr_spill *spill, const void *bytes, size_t size)
{
    if (size > WRITE_BUFFER - spill->filled) {
        ftr_status status = write_out(spill, spill->buffer, spill->filled);
        spill->filled = 0;
        if (status == FTR_OK && size > WRITE_BUFFER)
            return write_out(spill, bytes, size);
        if (status != FTR_OK)
            return status;
    }
    memcpy(spill->buffer + spill->filled, bytes, size);
    spill->filled += size;
    return FTR_OK;
}

ftr_status ftr_spill_put(ftr_spill *spill, ftr_run *run, const ftr_sort_key *key,
                         const uint8_t *bytes, uint32_t size)
{
    const record_head head = {key->time,  key->location, size,
                              key->burst, key->late,     key->is_prepared};
    static const uint8_t padding[FTR_PREPARED_ALIGNMENT];
    const size_t padded = sizeof head + size + ftr_prepared_padding(size);
    if (padded > run->largest)
        run->largest = padded;
    ftr_status status = append(spill, &head, sizeof head);
    if (status == FTR_OK)
        status = append(spill, bytes, size);
    return status == FTR_OK ? append(spill, padding, ftr_prepared_padding(size)) : status;
}

ftr_status ftr_spill_end(ftr_spill *spill, ftr_run *run)
{
    const ftr_status status = write_out(spill, spill->buffer, spill->filled);
    free_buffer(spill);
    run->end = spill->size;
    run->capacity = run->largest > READ_BUFFER ? run->largest : READ_BUFFER;
    return status;
}

/* Moves the unread bytes to the front of the buffer, and reads until there are at least @p size
 * unread bytes. The buffer has room for the largest record. */
static ftr_status fill(ftr_run *run, size_t size)
{
    if (run->buffer == NULL) {
        if (!ftr_budget_reserve(run->spill->budget, run->capacity))
            return FTR_ERR_LIMIT;
        run->buffer = malloc(run->capacity);
        if (run->buffer == NULL) {
            ftr_budget_release(run->spill->budget, run->capacity);
            return FTR_ERR_MEMORY;
        }
    }
    memmove(run->buffer, run->buffer + run->from, run->filled - run->from);
    run->filled -= run->from;
    run->from = 0;
    while (run->filled < size) {
        size_t wanted = run->capacity - run->filled;
        if (wanted > run->end - run->at)
            wanted = (size_t)(run->end - run->at);
        const ssize_t got =
            pread(run->spill->fd, run->buffer + run->filled, wanted, (off_t)run->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return FTR_ERR_IO;
        run->filled += (size_t)got;
        run->at += (uint64_t)got;
    }
    return FTR_OK;
}

ftr_status ftr_run_next(ftr_run *run, ftr_sort_key *key, const uint8_t **bytes, uint32_t *size)
{
    record_head head;
    ftr_status status = FTR_OK;
    if (run->filled - run->from < sizeof head) {
        if (run->filled == run->from && run->at == run->end)
            return FTR_ERR_END;
        status = fill(run, sizeof head);
    }
    if (status != FTR_OK)
        return status;
    memcpy(&head, run->buffer + run->from, sizeof head);
    const size_t padded = sizeof head + head.size + ftr_prepared_padding(head.size);
    if (run->filled - run->from < padded)
        status = fill(run, padded);
    if (status != FTR_OK)
        return status;
    *key = (ftr_sort_key){.burst = head.burst,
                          .time = head.time,
                          .location = head.location,
                          .late = (uint8_t)head.late,
                          .is_prepared = head.is_prepared != 0};
    *bytes = run->buffer + run->from + sizeof head;
    *size = head.size;
    run->from += padded;
    return FTR_OK;
}

void ftr_run_release(ftr_run *run)
{
    if (run->buffer != NULL)
        ftr_budget_release(run->spill->budget, run->capacity);
    free(run->buffer);
    run->buffer = NULL;
}
