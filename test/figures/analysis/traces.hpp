// Traces as lists of transactions, which tests edit, record and compare.
#pragma once

#include "reader_fixture.hpp"

extern "C" {
#include <trace_differences.h>
}

#include <cstdint>
#include <string>
#include <vector>

namespace diff_test
{

struct Tx {
    unsigned stream = 0;
    uint64_t begin = 0, end = 0;
    uint64_t address = 0; // attribute of class begin
    uint64_t data = 0;    // attribute of class end
    bool operator==(const Tx &other) const
    {
        return stream == other.stream && begin == other.begin && end == other.end &&
               address == other.address && data == other.data;
    }
};
using Trace = std::vector<Tx>;

struct Relation {
    size_t from, to; // indices in the trace
};

struct Settings {
    ftr_compression compression = FTR_COMPRESSION_NONE;
    size_t chunk_size = 0;
    std::vector<Relation> relations;
};

// Records a trace to a file. Transactions are recorded in list order, regardless of their times.
reader_test::Bytes record(const Trace &trace, const Settings &settings = {});

struct Difference {
    ftr_difference_kind kind;
    std::string stream;
    uint64_t time;
    int64_t delta;
    bool follows;
};

struct Result {
    ftr_status status = FTR_OK;
    bool equal = false;
    uint64_t counts[FTR_DIFF_KINDS] = {};
    uint64_t total = 0; // of all kinds
    uint64_t relations = 0;
    uint64_t not_aligned[2] = {};
    uint64_t pairs = 0;
    std::vector<Difference> differences;
    // By generator: number of pairs with different durations, and number of these that follow
    // others.
    std::vector<std::pair<uint64_t, uint64_t>> durations;
};

Result compare(const reader_test::Bytes &first, const reader_test::Bytes &second,
               ftr_diff_options options = {});
Result compare(const Trace &first, const Trace &second, ftr_diff_options options = {});

// Compares without functions that take the differences: the result has only counts.
Result count_differences(const reader_test::Bytes &first, const reader_test::Bytes &second);

} // namespace diff_test
