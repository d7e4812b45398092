/* Writes and reads the two areas for states in the journal. */
#define _GNU_SOURCE
#include "journal_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM_MIN ((size_t)64 << 10)

/* Processes eight bytes in each step, which is faster than ftr_journal_hash(), because a state is
 * written often. */
static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; size > 0; size -= size < 8 ? size : 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, size < 8 ? size : 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        bytes += 8;
    }
    return hash;
}

/* Returns the index of the area for the next state. */
static uint32_t next_area(const ftr_journal_header *header)
{
    const uint32_t now = atomic_load_explicit(&header->state, memory_order_relaxed);
    return now == 0 ? 1 : 0;
}

void ftr_journal_state_reserve(ftr_journal *journal)
{
    for (uint32_t area = 0; area < 2; area++) {
        const uint64_t offset = journal->size;
        if (ftr_journal_extend(journal, ROOM_MIN) != FTR_OK)
            return;
        journal->header->states[area].offset = offset;
        journal->state_room[area] = ROOM_MIN;
    }
}

ftr_status ftr_journal_state_make_room(ftr_journal *journal, size_t size)
{
    const uint32_t area = next_area(journal->header);
    size_t room = ROOM_MIN;
    if (size <= journal->state_room[area])
        return FTR_OK;
    while (room < size)
        room *= 2;
    const uint64_t offset = journal->size;
    const ftr_status status = ftr_journal_extend(journal, room);
    if (status != FTR_OK)
        return status;
    journal->header->states[area].offset = offset;
    journal->state_room[area] = room;
    return FTR_OK;
}

ftr_status ftr_journal_state_write(ftr_journal *journal, const uint8_t *bytes, size_t size)
{
    ftr_journal_header *header = journal->header;
    const uint32_t area = next_area(header);
    ftr_journal_state *state = &header->states[area];
    for (size_t done = 0; done < size;) {
        const ssize_t written = pwrite(ftr_journal_descriptor(journal), bytes + done, size - done,
                                       (off_t)(state->offset + done));
        if (written < 0 && errno != EINTR)
            return FTR_ERR_IO;
        done += written > 0 ? (size_t)written : 0;
    }
    state->size = size;
    state->hash = hash_of(bytes, size);
    atomic_store_explicit(&header->state, area, memory_order_release);
    return FTR_OK;
}

void ftr_journal_state_give_up(ftr_journal *journal)
{
    atomic_store(&journal->header->state, FTR_JOURNAL_STATE_LOST);
}

static ftr_status read_whole(int fd, uint8_t *to, size_t size, uint64_t offset)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got = pread(fd, to + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno != EINTR)
            return FTR_ERR_IO;
        if (got == 0)
            return FTR_ERR_FORMAT;
        done += got > 0 ? (size_t)got : 0;
    }
    return FTR_OK;
}

ftr_status ftr_journal_state_read(const ftr_journal_header *header, int fd, uint8_t **bytes,
                                  size_t *size)
{
    if (header->state == FTR_JOURNAL_STATE_NONE) {
        *bytes = NULL;
        *size = 0;
        return FTR_OK;
    }
    if (header->state > 1)
        return FTR_ERR_FORMAT;
    const ftr_journal_state *state = &header->states[header->state];
    const off_t end = lseek(fd, 0, SEEK_END);
    if (end < 0)
        return FTR_ERR_IO;
    if (state->size == 0 || state->offset > (uint64_t)end ||
        state->size > (uint64_t)end - state->offset)
        return FTR_ERR_FORMAT;
    uint8_t *read = malloc(state->size);
    if (read == NULL)
        return FTR_ERR_MEMORY;
    ftr_status status = read_whole(fd, read, state->size, state->offset);
    if (status == FTR_OK && hash_of(read, state->size) != state->hash)
        status = FTR_ERR_FORMAT;
    if (status != FTR_OK) {
        free(read);
        return status;
    }
    *bytes = read;
    *size = state->size;
    return FTR_OK;
}
