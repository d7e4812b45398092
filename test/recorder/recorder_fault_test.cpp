// Every allocation and every write fails in turn: no crash, no leak, close returns the first error,
// and the file contains the results of all successful calls.
#include "fault_injection.hpp"
#include "memory_sink.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

namespace
{
// A transaction according to the successful calls.
struct expectation {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool is_open = false;
    std::vector<decoded_attribute> attributes;
};

// One run that uses every public call, regardless of errors, and stores the expected results.
class session
{
  public:
    explicit session(ftr_recorder_options options) : options_(options)
    {
        options_.report = report_list::report;
        options_.report_user = &reports;
    }

    void run(const char *path)
    {
        opened = ftr_recorder_open(path, &options_, &rec_);
        if (opened != FTR_OK)
            return;
        define();
        if (options_.time_scale == FTR_TIME_SCALE_LATER)
            note(ftr_recorder_set_time_scale(rec_, -9));
        one_of_every_stream();
        long_texts();
        note(ftr_recorder_flush(rec_));
        related();
        note(ftr_recorder_set_recording(rec_, true));
        ftr_statistics ignored;
        EXPECT_EQ(ftr_recorder_get_statistics(rec_, &ignored), FTR_OK);
        left_open();
        closed = ftr_recorder_close(rec_);
        EXPECT_EQ(ftr_recorder_get_statistics(rec_, &statistics), FTR_OK);
        EXPECT_EQ(ftr_recorder_get_failure(rec_, &failure), FTR_OK);
        EXPECT_EQ(ftr_recorder_close(rec_), FTR_ERR_CLOSED);
    }

    ftr_status opened = FTR_OK;
    ftr_status closed = FTR_OK;
    ftr_failure failure = {};
    ftr_statistics statistics = {};
    report_list reports;
    std::map<std::uint64_t, expectation> expected;
    std::size_t errors = 0;  // number of failed calls
    std::size_t refused = 0; // number of transactions after the failure, or fewer

    // Returns the messages of severity error.
    std::vector<std::string> error_reports() const
    {
        std::vector<std::string> errors_told;
        for (const reported &one : reports.all()) {
            if (one.severity == FTR_SEVERITY_ERROR)
                errors_told.push_back(one.message);
        }
        return errors_told;
    }

  private:
    bool note(ftr_status status)
    {
        errors += status != FTR_OK;
        return status == FTR_OK;
    }

    bool has_failed() const
    {
        ftr_failure found = {};
        return ftr_recorder_get_failure(rec_, &found) != FTR_OK || found.status != FTR_OK;
    }

    void define()
    {
        for (int i = 0; i < 80; ++i) {
            const std::string name = i % 2 ? "top" : "top.s" + std::to_string(i);
            ftr_stream stream = 0;
            ftr_generator generator = 0;
            note(ftr_stream_define(rec_, name.c_str(), "kind", &stream));
            const ftr_attribute attributes[] = {{"count", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                                {"text", FTR_TYPE_STRING, FTR_CLASS_END}};
            if (note(ftr_generator_define(rec_, stream, "g", attributes, 2, &generator)))
                generators_.push_back(generator);
        }
        note(ftr_relation_define(rec_, "follows", &follows_));
        note(ftr_text_define(rec_, "defined", FTR_NUL_TERMINATED, &text_));
    }

    void record(ftr_generator generator, std::uint64_t begin, const std::string &text)
    {
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, begin),
                                    text_value(FTR_TYPE_STRING, text.data(), text.size())};
        ftr_tx tx = {};
        refused += has_failed();
        if (!note(ftr_tx_record(rec_, generator, begin, begin + 1, values, 2, &tx)))
            return;
        expected[tx.id] = {
            begin,
            begin + 1,
            false,
            {{"begin", "count", "UNSIGNED", begin}, {"end", "text", "STRING", text}}};
        recorded_.push_back(tx);
    }

    ftr_tx begin(ftr_generator generator, std::uint64_t time)
    {
        ftr_tx tx = {};
        refused += has_failed();
        if (note(ftr_tx_begin(rec_, generator, time, &tx)))
            expected[tx.id] = {time, 0, true, {}};
        return tx;
    }

    void put(ftr_tx tx, const std::string &text)
    {
        if (note(ftr_tx_put_text(rec_, tx, 1, text.data(), text.size())))
            expected.at(tx.id).attributes.push_back({"end", "text", "STRING", text});
    }

    void end(ftr_tx tx, std::uint64_t time)
    {
        if (!note(ftr_tx_end(rec_, tx, time)))
            return;
        expected.at(tx.id).end = time;
        expected.at(tx.id).is_open = false;
        recorded_.push_back(tx);
    }

    void one_of_every_stream()
    {
        std::uint64_t time = 0;
        for (ftr_generator generator : generators_) {
            ++time;
            record(generator, time, "text " + std::to_string(time));
        }
    }

    void long_texts()
    {
        for (std::size_t size : {100, 700, 5000, 40000, 200000}) {
            const ftr_tx tx = begin(some(size), 1000 + size);
            put(tx, std::string(size, 'x'));
            if (note(ftr_tx_put_defined(rec_, tx, 1, text_)))
                expected.at(tx.id).attributes.push_back({"end", "text", "STRING", "defined"});
            end(tx, 2000 + size);
        }
        const ftr_tx tx = begin(some(2), 3000);
        const std::string invalid = std::string(3000, '\xff');
        if (note(ftr_tx_put_text(rec_, tx, 1, invalid.data(), invalid.size()))) {
            std::string repaired;
            for (std::size_t i = 0; i < invalid.size(); ++i)
                repaired += "\xef\xbf\xbd";
            expected.at(tx.id).attributes.push_back({"end", "text", "STRING", repaired});
        }
        end(tx, 3001);
    }

    void related()
    {
        for (std::size_t i = 1; i < recorded_.size(); ++i)
            note(ftr_relation_put(rec_, follows_, recorded_[i - 1], recorded_[i]));
        if (recorded_.empty())
            return;
        ftr_tx event = {};
        if (note(ftr_tx_event(rec_, recorded_[0], some(3), 5000, nullptr, 0, &event)))
            expected[event.id] = {5000, 5000, false, {}};
        else // the event may be recorded without its relation
            events_without_answer_ = true;
        const ftr_tx parent = begin(some(4), 5001);
        const ftr_value name = text_value(FTR_TYPE_STRING, "event");
        if (note(ftr_tx_event_named(rec_, parent, 5002, 5003, &name, nullptr, 0, &event)))
            expected[event.id] = {5002, 5003, false, {{"begin", "name", "STRING", "event"}}};
        end(parent, 5004);
    }

    void left_open()
    {
        for (std::uint64_t i = 0; i < 100; ++i) {
            const ftr_tx tx = begin(some(i), 6000 + i);
            put(tx, "left open");
            if (!recorded_.empty())
                note(ftr_relation_put(rec_, follows_, recorded_[0], tx));
        }
    }

    ftr_generator some(std::size_t i) const
    {
        return generators_.empty() ? 0 : generators_[i % generators_.size()];
    }

    ftr_recorder_options options_;
    ftr_recorder *rec_ = nullptr;
    std::vector<ftr_generator> generators_;
    ftr_relation follows_ = 0;
    ftr_text text_ = 0;
    std::vector<ftr_tx> recorded_;
    bool events_without_answer_ = false;
};

// Every transaction of the file is as expected from the calls; if @p complete, none is missing.
void expect_consistent(const decoded_file &file, const session &run, bool complete)
{
    std::uint64_t lost = 0;
    std::size_t losses = 0;
    for (const decoded_transaction &read : file.transactions) {
        if (read.stream == "ftr.losses" && !complete) {
            lost += read.value("count").get<std::uint64_t>();
            ++losses;
            continue;
        }
        const auto found = run.expected.find(read.id);
        ASSERT_NE(found, run.expected.end()) << read;
        const expectation &one = found->second;
        ASSERT_EQ(read.begin, one.begin);
        std::vector<decoded_attribute> attributes = one.attributes;
        if (one.is_open)
            attributes.push_back({"end", "unfinished", "BOOLEAN", true});
        if (!one.is_open) {
            ASSERT_EQ(read.end, one.end);
        }
        ASSERT_TRUE(read.attributes == attributes) << read;
    }
    if (complete) {
        ASSERT_EQ(file.transactions.size(), run.expected.size());
    }
    if (losses > 0) {
        const std::uint64_t told = file.transactions.size() - losses + lost;
        ASSERT_GE(told, run.expected.size() + run.refused);
        ASSERT_LE(told, run.expected.size() + run.errors);
    }
}

// Runs many sessions with files of their own, then decodes all files at once.
class RecorderFaults : public testing::Test
{
  protected:
    ~RecorderFaults() override
    {
        fault::allocations_succeed();
        fault::fail_write(0, fault::write_fault::none);
    }

    std::string new_path()
    {
        return directory_.path("run" + std::to_string(runs_.size()) + ".ftr");
    }

    session &new_session(const ftr_recorder_options &options)
    {
        runs_.push_back(std::make_unique<session>(options));
        return *runs_.back();
    }

    void expect_all_consistent()
    {
        std::vector<std::string> paths;
        std::vector<const session *> runs;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const std::string path = directory_.path("run" + std::to_string(i) + ".ftr");
            const session &run = *runs_[i];
            if (run.opened != FTR_OK) {
                EXPECT_TRUE(run.opened == FTR_ERR_MEMORY || run.opened == FTR_ERR_IO) << run.opened;
                continue;
            }
            EXPECT_EQ(run.closed, run.failure.status);
            EXPECT_EQ(run.error_reports().size(), run.closed == FTR_OK ? 0u : 1u) << i;
            if (run.closed != FTR_OK) {
                EXPECT_EQ(run.error_reports().at(0), run.failure.message);
            }
            if (!std::filesystem::exists(path) || std::filesystem::file_size(path) == 0) {
                EXPECT_NE(run.closed, FTR_OK);
                continue;
            }
            paths.push_back(path);
            runs.push_back(&run);
        }
        // A failure may remove one end of a relation; if the end of the file is lost, its break is
        // missing.
        EXPECT_EQ(findings(paths, "--allow relation-ends,end-order,end" + allow_),
                  std::vector<std::string>{});
        const std::map<std::string, decoded_file> files = decode_all(paths);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            SCOPED_TRACE(paths[i]);
            expect_consistent(files.at(paths[i]), *runs[i], runs[i]->closed == FTR_OK);
        }
        checked_ = paths.size();
    }

    scratch_directory directory_;
    std::vector<std::unique_ptr<session>> runs_;
    std::string allow_;
    std::size_t checked_ = 0;
};

struct allocation_case {
    const char *name;
    int threads;
    bool has_window;
    bool is_file;
    bool for_good;
};

class RecorderAllocationFaults : public RecorderFaults,
                                 public testing::WithParamInterface<allocation_case>
{
};

TEST_P(RecorderAllocationFaults, EveryFailedAllocationReturnsAnError)
{
    const allocation_case &tested = GetParam();
    ftr_recorder_options options = {};
    options.threads = tested.threads;
    options.chunk_size = 20000;
    options.block_memory = 1;
    options.dictionary_memory = 1;
    options.include = "*";
    options.exclude = "nothing";
    options.journal_directory = tested.is_file ? nullptr : "none";
    if (tested.has_window) {
        options.start = "1 ps";
        options.when_full = FTR_WHEN_FULL_WAIT;
        options.time_scale = FTR_TIME_SCALE_LATER;
    }
    const auto run = [&](std::size_t number) -> session & {
        memory_sink sink;
        ftr_recorder_options with = options;
        if (!tested.is_file)
            with.sink = sink.sink();
        const std::string path = new_path();
        session &one = new_session(with);
        fault::fail_allocation(number, tested.for_good);
        one.run(tested.is_file ? path.c_str() : nullptr);
        if (!tested.is_file)
            write_contents(path, sink.bytes());
        return one;
    };
    const session &unhurt = run(0);
    const std::size_t count = fault::allocations();
    ASSERT_EQ(unhurt.closed, FTR_OK);
    ASSERT_EQ(unhurt.errors, 0u);
    ASSERT_GT(count, 50u);
    std::size_t hurt = 0;
    for (std::size_t number = 1; number <= count; ++number) {
        const session &one = run(number);
        hurt += one.opened != FTR_OK || one.closed != FTR_OK || one.errors > 0;
    }
    fault::allocations_succeed();
    EXPECT_GT(hurt, count / 4) << "few of " << count << " failures were noticed";
    expect_all_consistent();
    EXPECT_GT(checked_, count / 2);
}

const allocation_case allocation_cases[] = {{"NoThread", 0, false, false, false},
                                            {"NoThreadForGood", 0, false, false, true},
                                            {"WriterThread", 1, false, false, false},
                                            {"WriterThreadForGood", 1, false, false, true},
                                            {"Window", 0, true, false, false},
                                            {"FileWithJournal", 0, false, true, false},
                                            {"FileWithJournalForGood", 0, false, true, true}};

INSTANTIATE_TEST_SUITE_P(Allocations, RecorderAllocationFaults, testing::ValuesIn(allocation_cases),
                         [](const auto &tested) { return std::string(tested.param.name); });

// Allocations that a process and a thread make once, in processes that have not made them yet.
TEST(RecorderFirstAllocations, EveryFailedAllocationReturnsAnError)
{
    for (std::size_t number = 1; number < 80; ++number) {
        std::fflush(nullptr);
        const bool had_failure = testing::Test::HasFailure();
        const pid_t child = fork();
        if (child == 0) {
            memory_sink sink;
            ftr_recorder_options options = {};
            options.sink = sink.sink();
            session first(options);
            fault::fail_allocation(number, false);
            first.run(nullptr);
            fault::allocations_succeed();
            memory_sink second_sink;
            options.sink = second_sink.sink();
            session second(options);
            second.run(nullptr);
            // Exit statuses differ, so that the causes can be distinguished.
            int wrong = testing::Test::HasFailure() && !had_failure;
            wrong += second.opened == FTR_OK ? 0 : 2;
            wrong += second.closed == FTR_OK ? 0 : 4;
            wrong += second.errors == 0 ? 0 : 8;
            std::fflush(nullptr);
            _exit(wrong);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status)) << number << ": signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0) << "after a failure of allocation " << number;
    }
}

class RecorderWriteFaults : public RecorderFaults
{
  protected:
    static ftr_recorder_options options(int threads)
    {
        ftr_recorder_options options = {};
        options.threads = threads;
        options.chunk_size = 20000;
        options.block_memory = 1;
        return options;
    }

    // Runs with each write failing in turn. Returns the number of writes.
    std::size_t fail_each(int threads, fault::write_fault how, int error, bool for_good)
    {
        std::size_t count = 0;
        for (std::size_t number = 1;; ++number) {
            const std::string path = new_path();
            session &run = new_session(options(threads));
            fault::fail_write(number, how, error, for_good);
            run.run(path.c_str());
            if (fault::writes() < number)
                break;
            count = number;
            if (how != fault::write_fault::error)
                continue;
            EXPECT_EQ(run.opened, FTR_OK);
            EXPECT_EQ(run.closed, FTR_ERR_IO);
            EXPECT_EQ(run.failure.system_error, error);
            EXPECT_EQ(std::string(run.failure.message), path + ": cannot be written at byte " +
                                                            std::to_string(run.failure.offset) +
                                                            ": " + std::strerror(error));
            EXPECT_EQ(run.statistics.bytes, std::filesystem::file_size(path));
            EXPECT_GE(run.statistics.bytes, run.failure.offset);
        }
        fault::fail_write(0, fault::write_fault::none);
        return count;
    }
};

TEST_F(RecorderWriteFaults, OfOneWriteAreTheFirstErrorAndTheFileIsSound)
{
    for (int threads : {0, 1}) {
        EXPECT_GT(fail_each(threads, fault::write_fault::error, ENOSPC, false), 4u);
        EXPECT_GT(fail_each(threads, fault::write_fault::error, EIO, true), 4u);
    }
    expect_all_consistent();
}

TEST_F(RecorderWriteFaults, ShortAndInterruptedWritesAreContinued)
{
    for (int threads : {0, 1}) {
        EXPECT_GT(fail_each(threads, fault::write_fault::short_write, 0, false), 4u);
        EXPECT_GT(fail_each(threads, fault::write_fault::short_write, 0, true), 4u);
        EXPECT_GT(fail_each(threads, fault::write_fault::interrupted, 0, false), 4u);
    }
    for (const auto &run : runs_) {
        EXPECT_EQ(run->closed, FTR_OK);
        EXPECT_EQ(run->errors, 0u);
    }
    expect_all_consistent();
}

class RecorderSinkFaults : public RecorderFaults, public testing::WithParamInterface<int>
{
  protected:
    // Runs one session with @p sink; its bytes become a file.
    session &run_into(memory_sink &sink)
    {
        const std::string path = new_path();
        ftr_recorder_options options = {};
        options.threads = GetParam();
        options.chunk_size = 20000;
        options.sink = sink.sink();
        session &run = new_session(options);
        run.run(nullptr);
        write_contents(path, sink.bytes());
        EXPECT_EQ(sink.closed(), 1);
        return run;
    }
};

TEST_P(RecorderSinkFaults, AreReportedAsFirstErrorWithTheirCause)
{
    memory_sink unhurt;
    run_into(unhurt);
    ASSERT_GT(unhurt.writes().size(), 4u);
    for (bool for_good : {false, true}) {
        for (std::size_t number = 1; number <= unhurt.writes().size(); ++number) {
            memory_sink sink;
            sink.fail_at(number, -ENOSPC, for_good);
            const session &run = run_into(sink);
            EXPECT_EQ(run.closed, FTR_ERR_IO);
            EXPECT_EQ(run.failure.system_error, ENOSPC);
            EXPECT_EQ(std::string(run.failure.message), "sink: cannot be written at byte " +
                                                            std::to_string(run.failure.offset) +
                                                            ": " + std::strerror(ENOSPC));
        }
    }
    expect_all_consistent();
}

TEST_P(RecorderSinkFaults, InTheMiddleOfAPieceEndTheOutput)
{
    memory_sink unhurt;
    run_into(unhurt);
    for (std::size_t number = 1; number < unhurt.writes().size(); ++number) {
        memory_sink sink;
        sink.fail_at(number, -EIO, false, 3);
        const session &run = run_into(sink);
        EXPECT_EQ(run.closed, FTR_ERR_IO);
        EXPECT_EQ(sink.bytes().size(), run.failure.offset + 3) << "something follows a torn piece";
    }
    allow_ = ",well-formed,magic,info";
    expect_all_consistent();
}

TEST_P(RecorderSinkFaults, InvalidReturnValuesAreErrors)
{
    for (std::int64_t answer : {std::int64_t(0), INT64_MAX, std::int64_t(-EAGAIN)}) {
        memory_sink sink;
        sink.fail_at(2, answer, true);
        const session &run = run_into(sink);
        EXPECT_EQ(run.closed, FTR_ERR_IO);
        EXPECT_EQ(run.failure.system_error, answer == -EAGAIN ? EAGAIN : EIO);
    }
    expect_all_consistent();
}

TEST_P(RecorderSinkFaults, ShortAndInterruptedWritesAreContinued)
{
    for (std::size_t at_most : {1, 7, 1000}) {
        memory_sink sink;
        sink.take_at_most(at_most);
        EXPECT_EQ(run_into(sink).closed, FTR_OK);
    }
    memory_sink sink;
    sink.interrupt();
    EXPECT_EQ(run_into(sink).closed, FTR_OK);
    expect_all_consistent();
}

TEST_P(RecorderSinkFaults, OfCloseAreReportedByClose)
{
    memory_sink sink;
    sink.fail_close(-EDQUOT);
    const session &run = run_into(sink);
    EXPECT_EQ(run.closed, FTR_ERR_IO);
    EXPECT_EQ(run.failure.system_error, EDQUOT);
    EXPECT_NE(std::strstr(run.failure.message, "sink: cannot be closed"), nullptr);
    expect_all_consistent();
}

TEST_P(RecorderSinkFaults, OfCloseDoNotHideAnEarlierOne)
{
    memory_sink sink;
    sink.fail_at(2, -ENOSPC, false);
    sink.fail_close(-EDQUOT);
    EXPECT_EQ(run_into(sink).failure.system_error, ENOSPC);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderSinkFaults, testing::Values(0, 1));
} // namespace
