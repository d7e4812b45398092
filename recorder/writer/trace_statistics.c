/* Collects the counts of a trace, and reports lost and changed data. */
#include "trace_statistics.h"

#include "encoder_extent.h"
#include "misuse.h"

void ftr_trace_count(const ftr_recorder *rec, ftr_statistics *statistics)
{
    const ftr_encoder *encoder = &rec->encoder;
    *statistics = (ftr_statistics){
        .transactions = encoder->transactions,
        .attributes = encoder->attributes,
        .relations = encoder->relations + encoder->pending_relations.count,
        .filtered = atomic_load(&rec->counts.filtered),
        .dropped = atomic_load(&rec->counts.dropped),
        .relations_discarded =
            atomic_load(&rec->counts.relations_discarded) + encoder->relations_discarded,
        .unfinished = rec->unfinished,
        .misuses = atomic_load(&rec->misuses.count),
        .repaired_texts = encoder->repaired_texts,
        .rounded_floats = encoder->rounded_floats,
        .renamed_streams = rec->definitions.renamed_streams,
        .strings = encoder->strings_written,
        .strings_evicted = encoder->dictionary.evicted,
        .waits = rec->lanes.waits,
        .chunks = encoder->chunks.chunks,
        .bytes = rec->segments.bytes_before + rec->output.offset,
        .bytes_uncompressed = encoder->chunks.bytes_uncompressed,
        .memory = ftr_encoder_memory(encoder) + rec->arena.touched_count * FTR_BLOCK_SIZE +
                  atomic_load(&rec->open.slot_count) * FTR_SLOT_SIZE,
    };
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++)
        statistics->open_transactions +=
            __atomic_load_n(&ftr_open_slot(&rec->open, i)->id, __ATOMIC_RELAXED) != FTR_SLOT_FREE;
}

_Static_assert(sizeof(ftr_statistics) % sizeof(uint64_t) == 0, "all members are uint64_t");

void ftr_statistics_add(ftr_statistics *sum, const ftr_statistics *more)
{
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)more)[i];
}

static void report_loss(ftr_recorder *rec, uint32_t number, ftr_loss_cause cause)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    ftr_loss loss = ftr_losses_total(&rec->losses, number, cause);
    if (loss.count == 0 || buffer->trace != rec)
        return;
    ftr_recorder_report(rec, ftr_losses_severity(cause), "%llu %s, from tick %llu to %llu%s%s",
                        (unsigned long long)loss.count, ftr_losses_text(cause),
                        (unsigned long long)loss.from, (unsigned long long)loss.to,
                        buffer->name[0] ? ", of buffer " : "", buffer->name);
}

void ftr_trace_report_losses(ftr_recorder *rec, const ftr_statistics *lost)
{
    for (uint32_t i = 0; i < FTR_LOSSES_MAX; i++)
        report_loss(rec, i / FTR_LOSS_CAUSES, (ftr_loss_cause)(i % FTR_LOSS_CAUSES));
    const struct {
        uint64_t count;
        ftr_severity severity;
        const char *text;
    } kinds[] = {
        {lost->relations_discarded, FTR_SEVERITY_NOTE,
         "relations were discarded because one of their transactions is not recorded"},
        {lost->unfinished, FTR_SEVERITY_NOTE,
         "transactions were still open and have the attribute unfinished = true"},
        {lost->rounded_floats, FTR_SEVERITY_WARNING,
         "values are not exact in single precision and were rounded (double or text keeps them: "
         "FTR_FLOAT, or --floats of the command ftr)"},
        {lost->repaired_texts, FTR_SEVERITY_WARNING,
         "texts were not UTF-8; their invalid bytes became U+FFFD"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].count)
            ftr_recorder_report(rec, kinds[i].severity, "%llu %s",
                                (unsigned long long)kinds[i].count, kinds[i].text);
    }
    ftr_misuses_report(rec);
}
