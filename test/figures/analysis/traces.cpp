#include "traces.hpp"

#include <gtest/gtest.h>

namespace diff_test
{

using reader_test::Bytes;

Bytes record(const Trace &trace, const Settings &settings)
{
    ftr_recorder_options options{};
    options.compression = settings.compression;
    options.chunk_size = settings.chunk_size;
    reader_test::Recording recording(options);
    const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                        {"data", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};
    std::vector<ftr_generator> generators;
    std::vector<ftr_tx> ids;
    for (const Tx &tx : trace) {
        while (generators.size() <= tx.stream) {
            ftr_stream stream{};
            ftr_generator generator{};
            const std::string name = "top.s" + std::to_string(generators.size());
            EXPECT_EQ(ftr_stream_define(recording(), name.c_str(), "kind", &stream), FTR_OK);
            EXPECT_EQ(ftr_generator_define(recording(), stream, "read", attributes, 2, &generator),
                      FTR_OK);
            generators.push_back(generator);
        }
        ftr_value values[2] = {};
        values[0].type = values[1].type = FTR_TYPE_UNSIGNED;
        values[0].as.number = tx.address;
        values[1].as.number = tx.data;
        ftr_tx id{};
        EXPECT_EQ(
            ftr_tx_record(recording(), generators[tx.stream], tx.begin, tx.end, values, 2, &id),
            FTR_OK);
        ids.push_back(id);
    }
    for (const Relation &relation : settings.relations) {
        ftr_relation handle{};
        EXPECT_EQ(ftr_relation_define(recording(), "follows", &handle), FTR_OK);
        EXPECT_EQ(ftr_relation_put(recording(), handle, ids[relation.from], ids[relation.to]),
                  FTR_OK);
    }
    return recording.close();
}

namespace
{

struct Collector {
    ftr_trace_diff diff{};
    Result result;
};

void differs(void *user, const ftr_difference *difference)
{
    Collector &collector = *static_cast<Collector *>(user);
    const ftr_diff_generator &generator = collector.diff.generators[difference->generator];
    collector.result.differences.push_back(
        {difference->kind, collector.diff.streams[generator.stream].name, difference->time,
         difference->delta, difference->follows});
}

void relation_differs(void *, const ftr_relation_difference *) {}

Result run(Collector &collector, const Bytes &first, const Bytes &second,
           const ftr_diff_options &options)
{
    ftr_reader_options reading{};
    reading.size = sizeof reading;
    ftr_reader *readers[2] = {};
    if (ftr_reader_open_memory(first.data(), first.size(), &reading, &readers[0]) == FTR_OK &&
        ftr_reader_open_memory(second.data(), second.size(), &reading, &readers[1]) == FTR_OK &&
        ftr_diff_set_scales(&collector.diff, -12, -12))
        collector.result.status = ftr_diff_run(&collector.diff, &options, readers);
    else
        collector.result.status = FTR_ERR_FORMAT;
    Result &result = collector.result;
    result.equal = ftr_diff_is_equal(&collector.diff);
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; ++kind) {
        result.counts[kind] = collector.diff.counts[kind];
        result.total += collector.diff.counts[kind];
    }
    result.relations = collector.diff.relations_differing;
    result.not_aligned[0] = collector.diff.not_aligned[0];
    result.not_aligned[1] = collector.diff.not_aligned[1];
    result.pairs = collector.diff.pairs;
    for (size_t i = 0; i < collector.diff.generator_count; ++i)
        result.durations.emplace_back(collector.diff.generators[i].durations,
                                      collector.diff.generators[i].follows);
    ftr_diff_release(&collector.diff);
    ftr_reader_close(readers[0]);
    ftr_reader_close(readers[1]);
    return result;
}

} // namespace

Result compare(const Bytes &first, const Bytes &second, ftr_diff_options options)
{
    Collector collector;
    options.differs = differs;
    options.relation_differs = relation_differs;
    options.user = &collector;
    return run(collector, first, second, options);
}

Result count_differences(const Bytes &first, const Bytes &second)
{
    Collector collector;
    return run(collector, first, second, {});
}

Result compare(const Trace &first, const Trace &second, ftr_diff_options options)
{
    return compare(record(first), record(second), options);
}

} // namespace diff_test
