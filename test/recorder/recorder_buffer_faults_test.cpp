// Every allocation of a recorder with buffers fails in turn: only an error must result.
#include "fault_injection.hpp"
#include "memory_sink.hpp"
#include "recording.hpp"

#include <ftr/buffer.h>

#include <gtest/gtest.h>

#include <memory>

namespace
{

// One run with a buffer for each kind of sink.
class session
{
  public:
    void run(const std::string &path)
    {
        path_ = path;
        ftr_recorder_options options = {};
        options.block_memory = 1;
        if (!note(ftr_recorder_open(path.c_str(), &options, &rec_)))
            return;
        is_open = true;
        define();
        for (const ftr_generator generator : generators_)
            record(generator);
        note(ftr_recorder_trigger(rec_));
        for (const ftr_generator generator : generators_)
            record(generator);
        note(ftr_recorder_mark_failed(rec_));
        closed = ftr_recorder_close(rec_);
        EXPECT_EQ(ftr_recorder_get_statistics(rec_, &statistics), FTR_OK);
    }

    // Returns the files that can be read.
    std::vector<std::string> files() const
    {
        std::vector<std::string> found;
        for (const std::string &name : {path_, part("own"), part("sent")}) {
            if (std::filesystem::exists(name) && std::filesystem::file_size(name) > 4)
                found.push_back(name);
        }
        return found;
    }

    void keep_sent() const { write_contents(part("sent"), sink_.bytes()); }

    bool is_open = false;
    ftr_status closed = FTR_OK;
    std::size_t errors = 0;
    std::uint64_t recorded = 0;
    ftr_statistics statistics = {};

  private:
    std::string part(const std::string &name) const
    {
        return path_.substr(0, path_.size() - 4) + "-" + name + ".ftr";
    }

    bool note(ftr_status status)
    {
        EXPECT_TRUE(status == FTR_OK || status == FTR_ERR_MEMORY || status == FTR_ERR_IO ||
                    status == FTR_ERR_UNDEFINED || status == FTR_ERR_UNKNOWN_TX)
            << status;
        errors += status != FTR_OK;
        return status == FTR_OK;
    }

    void define()
    {
        const std::string own = part("own");
        ftr_buffer_options options = {};
        ftr_buffer ring = 0;
        options.memory = 128 << 10;
        options.name = "ring";
        options.streams = "s0";
        options.kind = FTR_BUFFER_RING;
        note(ftr_buffer_define(rec_, &options, &ring));
        ftr_buffer ignored = 0;
        options.name = "own";
        options.streams = "s1";
        options.path = own.c_str();
        note(ftr_buffer_define(rec_, &options, &ignored));
        options.name = "sent";
        options.streams = "s2";
        options.kind = FTR_BUFFER_LINEAR;
        options.path = nullptr;
        options.sink = sink_.sink();
        note(ftr_buffer_define(rec_, &options, &ignored));
        options.name = "linear";
        options.streams = "s3";
        options.sink = nullptr;
        note(ftr_buffer_define(rec_, &options, &ignored));
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        for (const char *name : {"s0", "s1", "s2", "s3", "s4"}) {
            ftr_stream stream = 0;
            ftr_generator generator = 0;
            note(ftr_stream_define(rec_, name, nullptr, &stream));
            if (note(ftr_generator_define(rec_, stream, "g", &text, 1, &generator)))
                generators_.push_back(generator);
        }
        note(ftr_relation_define(rec_, "after", &after_));
    }

    void record(ftr_generator generator)
    {
        const std::string large(3000, 'x');
        ftr_tx last{};
        for (std::uint64_t n = 0; n < 100; ++n) {
            ftr_tx tx{};
            if (!note(ftr_tx_begin(rec_, generator, n, &tx)))
                continue;
            note(ftr_tx_put_text(rec_, tx, 0, large.c_str(), n * 30));
            if (last.id)
                note(ftr_relation_put(rec_, after_, last, tx));
            recorded += note(ftr_tx_end(rec_, tx, n));
            last = tx;
        }
    }

    std::string path_;
    memory_sink sink_;
    ftr_recorder *rec_ = nullptr;
    std::vector<ftr_generator> generators_;
    ftr_relation after_ = 0;
};

class BufferFaults : public testing::TestWithParam<bool>
{
  protected:
    ~BufferFaults() override { fault::allocations_succeed(); }

    session &run(std::size_t number)
    {
        runs_.push_back(std::make_unique<session>());
        fault::fail_allocation(number, GetParam());
        runs_.back()->run(directory_.path("run" + std::to_string(runs_.size()) + ".ftr"));
        fault_count_ = fault::allocations();
        fault::allocations_succeed();
        runs_.back()->keep_sent();
        return *runs_.back();
    }

    scratch_directory directory_;
    std::vector<std::unique_ptr<session>> runs_;
    std::size_t fault_count_ = 0;
};

TEST_P(BufferFaults, EveryFailedAllocationReturnsAnError)
{
    const session &unhurt = run(0);
    const std::size_t count = fault_count_;
    ASSERT_EQ(unhurt.closed, FTR_OK);
    ASSERT_EQ(unhurt.errors, 0u);
    ASSERT_EQ(unhurt.recorded, 1000u);
    ASSERT_EQ(unhurt.files().size(), 3u);
    for (std::size_t number = 1; number <= count; ++number)
        run(number);
    std::vector<std::string> paths;
    std::size_t hurt = 0;
    for (const auto &one : runs_) {
        hurt += !one->is_open || one->closed != FTR_OK || one->errors > 0;
        const std::vector<std::string> files = one->files();
        paths.insert(paths.end(), files.begin(), files.end());
    }
    EXPECT_GT(hurt, count / 2) << "few of " << count << " failures were noticed";
    EXPECT_EQ(findings(paths, "--allow relation-ends,end-order,end"), std::vector<std::string>{});
    // If the recording succeeded, each ended transaction is in a file or is reported as lost.
    const std::map<std::string, decoded_file> files = decode_all(paths);
    for (const auto &one : runs_) {
        if (!one->is_open || one->closed != FTR_OK)
            continue;
        std::uint64_t found = 0;
        for (const std::string &path : one->files()) {
            for (const decoded_transaction &tx : files.at(path).transactions)
                found += tx.stream == "ftr.losses" ? tx.value("count").get<std::uint64_t>() : 1;
        }
        EXPECT_EQ(found, one->recorded + one->statistics.unfinished);
    }
}

INSTANTIATE_TEST_SUITE_P(ForGood, BufferFaults, testing::Bool());

} // namespace
