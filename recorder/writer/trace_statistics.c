/* Collects the counts of a trace, and reports lost and changed data. */
#include "trace_statistics.h"

#include "encoder_extent.h"
#include "lane.h"
#include "misuse.h"
#include "segments.h"

void ftr_trace_count(ftr_recorder *rec, ftr_statistics *statistics)
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
        .strings = encoder->strings_written,
        .strings_evicted = encoder->dictionary.evicted,
        .chunks = encoder->chunks.chunks,
        .bytes = ftr_segments_bytes(rec),
        .bytes_uncompressed = encoder->chunks.bytes_uncompressed,
        .memory = ftr_encoder_memory(encoder),
    };
    ftr_lanes_count(rec, statistics);
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

void ftr_trace_report_cover(ftr_recorder *rec)
{
    const ftr_journal_header *header = rec->journal.header;
    if (header == NULL || rec->has_reported_cover ||
        atomic_load_explicit(&header->cover, memory_order_relaxed) == FTR_JOURNAL_COVERS)
        return;
    rec->has_reported_cover = true;
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "%.300s: the journal cannot be extended: %s; recording now waits more often "
        "until the data is written, and data that does not fit into the journal "
        "cannot be recovered if the process is killed, only counted; free space "
        "there, or set FTR_JOURNAL_DIR to a directory with more space",
        rec->journal.path, ftr_journal_short_cause(header));
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

/* Names one of the texts: of the first trace that has any. */
static void report_repaired_texts(ftr_recorder *rec, uint64_t count)
{
    const ftr_recorder *with = rec;
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++) {
        if (with->encoder.repaired_texts == 0)
            with = rec->traces[i];
    }
    if (count == 0)
        return;
    char first[FTR_REPAIRED_MESSAGE_SIZE];
    ftr_repaired_text_describe(&with->encoder.first_repaired, first, sizeof first);
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "%llu texts were not UTF-8; their invalid bytes became U+FFFD; the first one is %s",
        (unsigned long long)count, first);
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
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].count)
            ftr_recorder_report(rec, kinds[i].severity, "%llu %s",
                                (unsigned long long)kinds[i].count, kinds[i].text);
    }
    report_repaired_texts(rec, lost->repaired_texts);
    ftr_misuses_report(rec);
}
