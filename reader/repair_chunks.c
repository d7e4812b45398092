/* The first step of a repair, which works on chunks. Valid chunks are copied byte for byte. From
 * damaged chunks, the valid entries are copied. */
#include "repair_run.h"

#include "growing_array.h"
#include "salvage.h"
#include "transaction_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct chunk_step {
    ftr_repair_run *run;
    ftr_reader *reader;
    ftr_sound_chunks sound;
    bool is_sound; /* no error was found so far, except at the end of the file */
    uint8_t *scratch;
    size_t scratch_size;
    uint64_t start, end; /* earliest begin and latest end of the kept transactions */
    uint64_t generator;  /* generator id of the first kept transaction */
    ftr_chunk_kind kind;
} chunk_step;

static const char *const KIND_NAMES[FTR_CHUNK_KINDS] = {"info",        "dictionary", "directory",
                                                        "transaction", "relation",   "unknown"};

static void keep_entry(void *user, const uint8_t *entry, size_t size)
{
    chunk_step *step = user;
    ftr_chunk_output *out = &step->run->out;
    if (step->kind == FTR_CHUNK_TRANSACTIONS) {
        ftr_tx_head head;
        ftr_tx_parse_again(entry, size, size, NULL, &head);
        if (out->count == 0)
            step->generator = head.generator;
        step->start = head.begin < step->start ? head.begin : step->start;
        step->end = head.end > step->end ? head.end : step->end;
    }
    ftr_cbor_put_encoded(&out->entries, entry, size);
    out->count++;
}

/* Writes the valid entries of a content as a new chunk. */
static void keep_entries(chunk_step *step, const ftr_salvage *salvage, uint64_t offset,
                         uint64_t bytes, uint64_t stream)
{
    ftr_repair_run *run = step->run;
    ftr_repair *report = run->report;
    run->altered = true;
    step->kind = salvage->kind;
    step->start = UINT64_MAX;
    step->end = 0;
    ftr_chunk_output_begin(&run->out);
    if (salvage->kind != FTR_CHUNK_UNKNOWN)
        (void)ftr_salvage_entries(salvage->kind, salvage->content, salvage->size, keep_entry, step,
                                  NULL);
    const uint64_t count = run->out.count;
    if (count == 0) {
        report->chunks_dropped++;
        report->bytes_dropped += bytes;
        ftr_repair_message(run, FTR_REPAIR_BYTES,
                           "byte %" PRIu64 ": %" PRIu64
                           " bytes dropped: they contain no complete entry",
                           offset, bytes);
        return;
    }
    const ftr_generator_entry *generator =
        ftr_directory_find_generator(&step->reader->directory, step->generator);
    if (salvage->kind == FTR_CHUNK_TRANSACTIONS && generator != NULL)
        stream = generator->info.stream->id;
    ftr_chunk_output_end(&run->out, salvage->kind, stream, step->start, step->end);
    report->chunks_salvaged++;
    if (salvage->kind == FTR_CHUNK_TRANSACTIONS)
        report->transactions_salvaged += count;
    if (salvage->kind == FTR_CHUNK_RELATIONS)
        report->relations_salvaged += count;
    ftr_repair_message(run, FTR_REPAIR_CHUNK,
                       "byte %" PRIu64 ": %" PRIu64 " entries of a damaged %s chunk salvaged",
                       offset, count, KIND_NAMES[salvage->kind]);
}

/* Repairs the bytes between two chunks, or before the end of the file. */
static void repair_region(chunk_step *step, uint64_t from, uint64_t to)
{
    ftr_salvage salvage;
    if (from >= to)
        return;
    ftr_salvage_region(ftr_source_at(&step->reader->source, from), (size_t)(to - from),
                       step->scratch, step->scratch_size, &salvage);
    keep_entries(step, &salvage, from, to - from, 0);
}

static uint64_t chunk_size(const ftr_chunk *chunk)
{
    return (uint64_t)chunk->head + chunk->payload_size + chunk->tail;
}

static void keep_chunk(chunk_step *step, uint64_t offset, uint64_t size)
{
    ftr_source *source = &step->reader->source;
    ftr_chunk_output_copy(&step->run->out, ftr_source_at(source, offset), (size_t)size);
    ftr_source_touch(source, (size_t)size);
    step->run->report->chunks_kept++;
}

/* Returns true if the check finds no error in a chunk of transactions, which is then kept without
 * reading its entries one by one. Finds out whether the file is sound. */
static bool check_chunk(chunk_step *step, size_t index)
{
    const ftr_chunk_kind kind = (ftr_chunk_kind)ftr_chunk_at(step->reader, index)->kind;
    if (kind == FTR_CHUNK_RELATIONS) /* checked when all transactions are known */
        return false;
    const bool is_checked = kind == FTR_CHUNK_TRANSACTIONS ||
                            (kind != FTR_CHUNK_UNKNOWN && kind != FTR_CHUNK_INFO && step->is_sound);
    const bool is_sound = is_checked && ftr_sound_take(&step->sound, (uint32_t)index, true);
    step->is_sound &= is_sound;
    return is_sound && kind == FTR_CHUNK_TRANSACTIONS;
}

static ftr_status repair_chunk(chunk_step *step, size_t index, uint64_t size)
{
    ftr_reader *reader = step->reader;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    if (check_chunk(step, index)) {
        keep_chunk(step, chunk->offset, size);
        return FTR_OK;
    }
    if (chunk->kind == FTR_CHUNK_UNKNOWN) {
        repair_region(step, chunk->offset, chunk->offset + size);
        return FTR_OK;
    }
    if (chunk->kind == FTR_CHUNK_INFO) {
        step->run->altered = true; /* dropped: the output already begins with an info chunk */
        return FTR_OK;
    }
    ftr_content *content;
    const uint64_t stream = chunk->kind == FTR_CHUNK_TRANSACTIONS
                                ? reader->directory.streams[chunk->stream]->info.id
                                : 0;
    const ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status == FTR_ERR_MEMORY || status == FTR_ERR_LIMIT)
        return status;
    ftr_salvage salvage = {.kind = (ftr_chunk_kind)chunk->kind};
    if (status != FTR_OK) {
        ftr_salvage_block(ftr_source_at(&reader->source, chunk->offset) + chunk->head,
                          chunk->payload_size, step->scratch, step->scratch_size, &salvage);
        keep_entries(step, &salvage, chunk->offset, size, stream);
        return FTR_OK;
    }
    bool intact;
    salvage.content = content->bytes;
    salvage.size = content->size;
    salvage.count =
        ftr_salvage_entries(salvage.kind, content->bytes, content->size, NULL, NULL, &intact);
    /* no entry of the expected kind was found, so the tag may be damaged */
    if (!intact && salvage.count == 0)
        ftr_salvage_content(content->bytes, content->size, &salvage);
    if (intact)
        keep_chunk(step, chunk->offset, size);
    else
        keep_entries(step, &salvage, chunk->offset, size, stream);
    ftr_chunk_cache_unpin(&reader->cache, content);
    return FTR_OK;
}

/* Checks the relations of a file without other errors, and sets @p file to the result. */
static void conclude(chunk_step *step, ftr_sound_file *file)
{
    ftr_sound_chunks *sound = &step->sound;
    bool is_sound = step->is_sound && !sound->check.ids_untracked;
    ftr_sound_begin(sound, true);
    for (size_t i = 0; is_sound && i < step->reader->chunk_count; i++) {
        step->reader->cache.moment++;
        if (ftr_chunk_at(step->reader, i)->kind == FTR_CHUNK_RELATIONS)
            is_sound = ftr_sound_take(sound, (uint32_t)i, true);
    }
    ftr_sound_end(sound);
    *file = (ftr_sound_file){.is_sound = is_sound};
    if (!is_sound)
        return;
    file->chunk_count = step->reader->chunk_count;
    file->transactions = sound->check.streams;
    ftr_id_map_init(&sound->check.streams, &step->reader->budget, 0);
}

/* Repairs all chunks after the info, which ends at byte @p at. */
static ftr_status repair_all(chunk_step *step, uint64_t at)
{
    const ftr_reader *reader = step->reader;
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        const ftr_chunk *chunk = ftr_chunk_at(reader, i);
        const uint64_t size = chunk_size(chunk);
        if (chunk->offset < at)
            continue;
        step->reader->cache.moment++;
        step->is_sound &= chunk->offset == at;
        repair_region(step, at, chunk->offset);
        status = repair_chunk(step, i, size);
        at = chunk->offset + size;
    }
    const uint64_t end = reader->source.size - (reader->break_seen && at < reader->source.size);
    if (status == FTR_OK)
        repair_region(step, at, end);
    if (reader->break_seen)
        return status;
    step->run->altered = true;
    step->run->report->was_open = true;
    ftr_repair_message(step->run, FTR_REPAIR_FILE,
                       "the file has no end, and is ended after byte %" PRIu64
                       ": data that was recorded later is lost",
                       end);
    return status;
}

ftr_status ftr_repair_chunks(ftr_repair_run *run, ftr_reader *reader, ftr_sound_file *sound)
{
    chunk_step step = {.run = run, .reader = reader, .is_sound = sound->is_sound};
    *sound = (ftr_sound_file){0};
    ftr_chunk_output_put(&run->out, FTR_FILE_MAGIC, FTR_FILE_MAGIC_SIZE);
    uint64_t at = FTR_FILE_MAGIC_SIZE;
    const ftr_chunk *first = reader->chunk_count > 0 ? ftr_chunk_at(reader, 0) : NULL;
    const bool has_info = first != NULL && first->kind == FTR_CHUNK_INFO && first->offset == at;
    if (has_info && !reader->info_is_malformed && reader->info.has_info) {
        keep_chunk(&step, at, chunk_size(first));
    } else {
        run->altered = true;
        step.is_sound = false;
        ftr_chunk_output_info(&run->out, reader->info.time_scale, reader->info.epoch_seconds);
        ftr_repair_message(run, FTR_REPAIR_FILE,
                           "the info at the beginning is missing or damaged: an info with a tick "
                           "of 10^%d s is written",
                           reader->info.time_scale);
    }
    if (has_info)
        at += chunk_size(first);
    /* An LZ4 block expands to at most 255 times its size. */
    const uint64_t most = reader->source.size * 255 + 4096;
    step.scratch_size = reader->budget.limit / 4;
    if (step.scratch_size > most)
        step.scratch_size = (size_t)most;
    if (!ftr_budget_reserve(&reader->budget, step.scratch_size))
        return FTR_ERR_LIMIT;
    step.scratch = malloc(step.scratch_size);
    ftr_status status = ftr_sound_init(&step.sound, reader, NULL);
    if (step.scratch == NULL)
        status = FTR_ERR_MEMORY;
    ftr_sound_begin(&step.sound, false);
    if (status == FTR_OK)
        status = repair_all(&step, at);
    ftr_sound_end(&step.sound);
    if (status == FTR_OK)
        conclude(&step, sound);
    ftr_chunk_output_put(&run->out, &(uint8_t){FTR_CBOR_BYTE_BREAK}, 1);
    ftr_sound_release(&step.sound);
    free(step.scratch);
    ftr_budget_release(&reader->budget, step.scratch_size);
    return status != FTR_OK ? status : run->out.status;
}
