// Buffers with traces of their own: files and callbacks.
#include "fork_at_rest.hpp"
#include "buffered_recording.hpp"
#include "memory_sink.hpp"

#include <ftr/detail/word_calls.h>
#include <ftr/environment.h>
#include <ftr/recovery.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace
{

constexpr std::uint64_t small = 256 << 10;

class BufferSinks : public Buffered
{
  protected:
    // Decodes a buffer's trace from its callback's bytes.
    decoded_file sound_bytes(const memory_sink &sink, const std::string &name = "bytes.ftr")
    {
        write_contents(path(name), sink.bytes());
        return sound(path(name));
    }
};

// Tests of other threads run only with a writer thread; without it there is no difference.
class BufferSinksWithAWriter : public BufferSinks
{
};

TEST_P(BufferSinks, WriteSeparateFiles)
{
    open();
    const std::string file_path = path("bus.ftr");
    ftr_buffer_options bus = buffer_options("bus", FTR_BUFFER_LINEAR, small, "bus.*");
    bus.path = file_path.c_str();
    buffer(bus);
    const ftr_generator own = generator("cpu");
    const ftr_generator in_bus = generator("bus.port");
    const ftr_generator in_bus_too = generator("bus.other");
    ftr_relation after = 0;
    ASSERT_EQ(ftr_relation_define(recorder_, "after", &after), FTR_OK);
    ftr_text text = 0;
    ASSERT_EQ(ftr_text_define(recorder_, "a defined text", FTR_NUL_TERMINATED, &text), FTR_OK);
    for (std::uint64_t n = 0; n < 10000; ++n) {
        const ftr_tx a = record(own, n);
        const ftr_tx b = record(in_bus, n);
        const ftr_tx c = record(in_bus_too, n);
        ASSERT_EQ(ftr_relation_put(recorder_, after, b, c), FTR_OK);
        ASSERT_EQ(ftr_relation_put(recorder_, after, a, b), FTR_OK); // no file has both
    }
    // Every call works on it.
    ftr_tx tx{};
    ftr_tx event{};
    ASSERT_EQ(ftr_tx_begin(recorder_, in_bus, 200000, &tx), FTR_OK);
    ASSERT_EQ(ftr_tx_put_defined(recorder_, tx, 0, text), FTR_OK);
    const ftr_value named = integer_value(-4);
    ASSERT_EQ(ftr_tx_put_named(recorder_, tx, FTR_CLASS_RECORD, "named", &named), FTR_OK);
    ASSERT_EQ(ftr_tx_event(recorder_, tx, in_bus_too, 200001, nullptr, 0, &event), FTR_OK);
    const std::uint64_t word = 99;
    ASSERT_EQ(ftr_tx_end_words(recorder_, tx, 200002, 1, &word, 1), FTR_OK);
    EXPECT_EQ(ftr_tx_end(recorder_, tx, 200003), FTR_ERR_UNKNOWN_TX);
    const std::uint64_t words[] = {text, 7};
    ftr_tx inner{};
    ASSERT_EQ(ftr_tx_begin_words(recorder_, in_bus, 200010, words, 2, &inner), FTR_OK);
    ASSERT_EQ(ftr_tx_end(recorder_, inner, 200011), FTR_OK);
    ftr_tx whole{};
    ASSERT_EQ(ftr_tx_record_words(recorder_, in_bus, 200020, 200021, words, 2, &whole), FTR_OK);
    ftr_tx within{};
    ASSERT_EQ(ftr_tx_begin_within(recorder_, in_bus, 200022, words, 2, after, &inner, &within),
              FTR_OK);
    ASSERT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
    std::map<std::string, std::uint64_t> counted;
    ASSERT_EQ(ftr_recorder_list_streams(
                  recorder_,
                  [](void *user, const char *name, std::uint64_t transactions) {
                      (*static_cast<std::map<std::string, std::uint64_t> *>(user))[name] =
                          transactions;
                  },
                  &counted),
              FTR_OK);
    EXPECT_EQ(counted, (std::map<std::string, std::uint64_t>{
                           {"cpu", 10000}, {"bus.port", 10003}, {"bus.other", 10001}}));
    close();

    const decoded_file main = sound(path());
    const decoded_file other = sound(file_path);
    EXPECT_EQ(main.stream_names(), std::vector<std::string>{"cpu"});
    EXPECT_EQ(other.stream_names(), (std::vector<std::string>{"bus.port", "bus.other"}));
    EXPECT_EQ(numbers(main, "cpu"), range(0, 9999));
    EXPECT_EQ(other.transactions.size(), 20005u);
    EXPECT_EQ(other.relations.size(), 10002u);
    EXPECT_EQ(main.relations.size(), 0u);
    EXPECT_EQ(other.transaction(tx.id).value("text"), "a defined text");
    EXPECT_EQ(other.transaction(tx.id).value("named"), -4);
    EXPECT_EQ(other.transaction(tx.id).value("number"), 99);
    EXPECT_EQ(other.transaction(within.id).value("unfinished"), true);
    EXPECT_TRUE(other.has_transaction(event.id));
    // Ids come from the recorder.
    std::set<std::uint64_t> ids;
    for (const decoded_file *file : {&main, &other}) {
        for (const std::uint64_t id : file->ids())
            EXPECT_TRUE(ids.insert(id).second) << id;
    }
    ftr_statistics statistics{};
    ASSERT_EQ(ftr_recorder_get_statistics(recorder_, &statistics), FTR_OK);
    EXPECT_EQ(statistics.transactions, 30005u);
    EXPECT_EQ(statistics.relations_discarded, 10000u);
    EXPECT_EQ(statistics.misuses, 1u);
    EXPECT_EQ(statistics.bytes,
              std::filesystem::file_size(path()) + std::filesystem::file_size(file_path));
    EXPECT_FALSE(std::filesystem::exists(file_path + ".journal"));
}

TEST_P(BufferSinks, OfRingsContainTheTransactionsOfEachTrigger)
{
    for (const bool is_triggered : {false, true}) {
        open();
        const std::string file_path = path("ring.ftr");
        ftr_buffer_options options = buffer_options("ring", FTR_BUFFER_RING, small, "ring");
        options.path = file_path.c_str();
        const ftr_buffer ring = buffer(options);
        const ftr_generator a = generator("ring");
        for (std::uint64_t n = 0; n < 20000; ++n) {
            record(a, n);
            if (n == 100 && is_triggered) {
                ASSERT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
            }
        }
        if (is_triggered) {
            ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
        }
        close();
        EXPECT_EQ(std::filesystem::exists(file_path), is_triggered);
        if (!is_triggered)
            continue;
        const decoded_file file = sound(file_path);
        std::set<std::uint64_t> kept = numbers(file, "ring");
        kept.erase(kept.begin(), kept.upper_bound(100));
        ASSERT_FALSE(kept.empty());
        EXPECT_EQ(kept, range(*kept.begin(), 19999));
        EXPECT_EQ(lost(file, "ring", "left the flight recorder"), *kept.begin() - 101);
    }
    EXPECT_EQ(reports_.count("its ring was not triggered"), 1u);
}

TEST_P(BufferSinks, PassASoundFileToTheCallback)
{
    memory_sink main_sink;
    memory_sink ring_sink;
    memory_sink linear_sink;
    ftr_recorder_options with = options();
    with.sink = main_sink.sink();
    ASSERT_EQ(ftr_recorder_open(nullptr, &with, &recorder_), FTR_OK);
    ftr_buffer_options ring_options = buffer_options("ring", FTR_BUFFER_RING, small, "ring");
    ring_options.sink = ring_sink.sink();
    const ftr_buffer ring = buffer(ring_options);
    ftr_buffer_options linear_options =
        buffer_options("linear", FTR_BUFFER_LINEAR, small, "linear");
    linear_options.sink = linear_sink.sink();
    buffer(linear_options);
    const ftr_generator generators[] = {generator("own"), generator("ring"), generator("linear")};
    for (std::uint64_t n = 0; n < 20000; ++n) {
        for (const ftr_generator generator : generators)
            record(generator, n);
    }
    ASSERT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
    // The result of a trigger is available when the call returns.
    EXPECT_GT(ring_sink.bytes().size(), 1000u);
    ftr_statistics statistics{};
    ASSERT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
    ASSERT_EQ(ftr_recorder_get_statistics(recorder_, &statistics), FTR_OK);
    EXPECT_EQ(statistics.bytes,
              main_sink.bytes().size() + ring_sink.bytes().size() + linear_sink.bytes().size());
    close();
    EXPECT_EQ(main_sink.closed() + ring_sink.closed() + linear_sink.closed(), 3);
    EXPECT_EQ(numbers(sound_bytes(main_sink), "own"), range(0, 19999));
    EXPECT_EQ(numbers(sound_bytes(linear_sink), "linear"), range(0, 19999));
    const std::set<std::uint64_t> kept = numbers(sound_bytes(ring_sink), "ring");
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept, range(*kept.begin(), 19999));
    // Whole chunks: the bytes received by any call can be read.
    std::size_t size = 0;
    const std::vector<std::size_t> writes = linear_sink.writes();
    ASSERT_GT(writes.size(), 3u);
    for (std::size_t i = 0; i < writes.size(); i += writes.size() / 3) {
        size = 0;
        for (std::size_t k = 0; k <= i; ++k)
            size += writes[k];
        write_contents(path("cut.ftr"), linear_sink.bytes().substr(0, size));
        for (const std::string &finding : findings(path("cut.ftr")))
            EXPECT_NE(finding.find("break"), std::string::npos) << finding;
    }
}

TEST_P(BufferSinks, PassTheBytesOfAFileToTheCallback)
{
    memory_sink sink;
    std::string bytes[2];
    for (const bool is_file : {false, true}) {
        ftr_recorder_options with = options();
        with.epoch_seconds = 1;
        with.clock = [](void *) { return std::uint64_t{1}; };
        with.threads = 0; // then the bytes depend only on the calls
        with.sink = is_file ? nullptr : sink.sink();
        ASSERT_EQ(ftr_recorder_open(is_file ? path().c_str() : nullptr, &with, &recorder_), FTR_OK);
        const ftr_generator own = generator("own");
        for (std::uint64_t n = 0; n < 20000; ++n)
            record(own, n);
        close();
        bytes[is_file] = is_file ? contents_of(path()) : sink.bytes();
    }
    EXPECT_EQ(bytes[0], bytes[1]);
}

TEST_P(BufferSinks, ThatFailDoNotAffectOtherSinks)
{
    memory_sink sink;
    sink.fail_at(3, -EPIPE, true);
    open();
    ftr_buffer_options failing = buffer_options("failing", FTR_BUFFER_LINEAR, small, "failing");
    failing.sink = sink.sink();
    buffer(failing);
    const ftr_generator a = generator("failing");
    const ftr_generator b = generator("own");
    std::uint64_t ended = 0;
    std::uint64_t refused = 0;
    for (std::uint64_t n = 0; n < 50000; ++n) {
        const ftr_status status = ftr_tx_record(recorder_, a, n, n, nullptr, 0, nullptr);
        ASSERT_TRUE(status == FTR_OK || status == FTR_ERR_IO) << status;
        ++(status == FTR_OK ? ended : refused);
        record(b, n);
        if (n % 5000 == 0)
            static_cast<void>(ftr_recorder_flush(recorder_));
    }
    EXPECT_GT(refused, 0u);
    EXPECT_EQ(reports_.count("Broken pipe"), 1u);
    close(FTR_ERR_IO);
    EXPECT_EQ(sink.closed(), 1);
    const decoded_file file = sound(path());
    EXPECT_EQ(numbers(file, "own"), range(0, 49999));
    // The accepted bytes are valid, except for the missing end; the rest is reported if possible.
    write_contents(path("taken.ftr"), sink.bytes());
    const std::uint64_t taken = decode(path("taken.ftr")).transactions.size();
    EXPECT_EQ(lost(file, "failing", "could not be written") + taken, ended + refused);
    EXPECT_EQ(lost(file, "", ""), 0u);
    ftr_failure failure{};
    ASSERT_EQ(ftr_recorder_get_failure(recorder_, &failure), FTR_OK);
    EXPECT_EQ(failure.status, FTR_ERR_IO);
    // The rejected bytes are in the buffer's journal.
    ftr_recovery found{};
    ASSERT_EQ(ftr_recovery_run(path("run-failing.ftr.journal").c_str(), nullptr,
                               path("rest.ftr").c_str(), &found),
              FTR_OK)
        << found.message;
    std::set<std::uint64_t> ids;
    for (const std::string name : {"taken.ftr", "rest.ftr"}) {
        for (const decoded_transaction &tx : decode(path(name)).transactions) {
            if (tx.stream != "ftr.losses")
                ids.insert(tx.id);
        }
    }
    EXPECT_EQ(ids.size(), ended);
}

TEST_P(BufferSinks, AreRecoveredFromTheirJournalsAfterAKill)
{
    const pid_t child = killed_process([&] {
        memory_sink sink;
        open();
        const std::string file_path = path("bus.ftr");
        ftr_buffer_options bus = buffer_options("bus", FTR_BUFFER_LINEAR, small, "bus");
        bus.path = file_path.c_str();
        buffer(bus);
        ftr_buffer_options ring = buffer_options("ring", FTR_BUFFER_RING, small, "ring");
        ring.sink = sink.sink();
        buffer(ring);
        const ftr_generator generators[] = {generator("own"), generator("bus"), generator("ring")};
        for (std::uint64_t n = 0; n < 20000; ++n) {
            for (const ftr_generator generator : generators)
                record(generator, n);
        }
    });
    // As in the next run, which renames each one to a name with the pid.
    open();
    const std::string file_path = path("bus.ftr");
    ftr_buffer_options bus = buffer_options("bus", FTR_BUFFER_LINEAR, small, "bus");
    bus.path = file_path.c_str();
    buffer(bus);
    memory_sink sink;
    ftr_buffer_options ring = buffer_options("ring", FTR_BUFFER_RING, small, "ring");
    ring.sink = sink.sink();
    buffer(ring);
    close();
    const std::string pid = "-" + std::to_string(child) + ".ftr";
    EXPECT_EQ(numbers(sound(path("run" + pid)), "own"), range(0, 19999));
    EXPECT_EQ(numbers(sound(path("bus" + pid)), "bus"), range(0, 19999));
    const std::set<std::uint64_t> newest = numbers(sound(path("run-ring" + pid)), "ring");
    ASSERT_FALSE(newest.empty());
    EXPECT_EQ(newest, range(*newest.begin(), 19999));
    EXPECT_EQ(reports_.count("recovered to"), 3u);
    for (const std::string name : {"run.ftr", "bus.ftr", "run-ring.ftr"})
        EXPECT_FALSE(std::filesystem::exists(path(name + ".journal")));
}

TEST_P(BufferSinksWithAWriter, RecordSeveralThreads)
{
    memory_sink sink;
    open();
    const std::string file_path = path("ring.ftr");
    ftr_buffer_options ring = buffer_options("ring", FTR_BUFFER_RING, small, "ring");
    ring.path = file_path.c_str();
    buffer(ring);
    ftr_buffer_options linear = buffer_options("linear", FTR_BUFFER_LINEAR, small, "linear");
    linear.sink = sink.sink();
    buffer(linear);
    const ftr_generator generators[] = {generator("own"), generator("ring"), generator("linear")};
    ftr_relation after = 0;
    ASSERT_EQ(ftr_relation_define(recorder_, "after", &after), FTR_OK);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            ftr_tx last{};
            for (std::uint64_t n = 0; n < 30000; ++n) {
                ftr_tx tx{};
                EXPECT_EQ(ftr_tx_begin(recorder_, generators[(n + i) % 3], n, &tx), FTR_OK);
                EXPECT_EQ(ftr_tx_put_number(recorder_, tx, 1, n), FTR_OK);
                if (n) {
                    EXPECT_EQ(ftr_relation_put(recorder_, after, last, tx), FTR_OK);
                }
                EXPECT_EQ(ftr_tx_end(recorder_, tx, n), FTR_OK);
                last = tx;
            }
        });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    EXPECT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(ftr_recorder_mark_failed(recorder_), FTR_OK);
    close();
    EXPECT_EQ(sound(path()).transactions.size(), 30000u);
    EXPECT_EQ(sound_bytes(sink).transactions.size(), 30000u);
    const decoded_file file = sound(file_path);
    const std::uint64_t told = lost(file, "ring", "");
    EXPECT_EQ(file.transactions.size() - (told ? 1 : 0) + told, 30000u);
}

TEST_P(BufferSinks, AreNotInTheSummaryAndSaySo)
{
    ftr_recorder_options with = options();
    const std::string summary = path("run.fts");
    with.summary = summary.c_str();
    open(with);
    const std::string file_path = path("bus.ftr");
    ftr_buffer_options bus = buffer_options("bus", FTR_BUFFER_LINEAR, small, "bus.*");
    bus.path = file_path.c_str();
    buffer(bus);
    buffer(buffer_options("irq", FTR_BUFFER_LINEAR, small, "irq"));
    const ftr_generator in_bus = generator("bus.port");
    const ftr_generator in_irq = generator("irq");
    record(in_bus, 1);
    record(in_irq, 2);
    close();
    EXPECT_EQ(reports_.count("buffer bus: its streams are not in the summary"), 1u);
    EXPECT_EQ(reports_.count("in the summary"), 1u) << "the other buffer writes to the trace";
    const std::string written = contents_of(summary);
    EXPECT_NE(written.find("irq"), std::string::npos);
    EXPECT_EQ(written.find("bus.port"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Threads, BufferSinks, testing::Values(0, 1));
INSTANTIATE_TEST_SUITE_P(Threads, BufferSinksWithAWriter, testing::Values(1));

/* ---- definitions -------------------------------------------------------------------------------
 */

class BufferDefinitions : public Buffered
{
};

TEST_P(BufferDefinitions, WithInvalidOptionsAreRefused)
{
    open();
    ftr_buffer made = 77;
    const auto refused = [&](ftr_buffer_options options, const std::string &why,
                             ftr_status status = FTR_ERR_ARGUMENT) {
        EXPECT_EQ(ftr_buffer_define(recorder_, &options, &made), status) << why;
        EXPECT_EQ(reports_.count(why), why.empty() ? reports_.all().size() : 1u) << why;
        EXPECT_EQ(made, 77u);
    };
    ftr_buffer_options good = buffer_options("good", FTR_BUFFER_RING, small);
    ftr_buffer_options one = good;
    one.name = nullptr;
    refused(one, "it has no name");
    one.name = "-x";
    refused(one, "buffer -x: its name is not");
    one.name = "has space";
    refused(one, "buffer has space: its name is not");
    one.name = "a23456789b123456789c123456789d123";
    refused(one, "d123: its name is not");
    one = good;
    one.kind = static_cast<ftr_buffer_kind>(2);
    refused(one, "unknown kind");
    one = good;
    one.memory = 65536;
    refused(one, "its memory is not");
    one = good;
    ftr_sink no_sink = {};
    one.path = "x";
    one.sink = &no_sink;
    refused(one, "more than one sink");
    one = good;
    one.sink = &no_sink;
    refused(one, "no write function");
    one = good;
    one.into = 1;
    refused(one, "buffer good: its sink is another buffer; expected a file, a callback, or none");
    one = good;
    const std::string nowhere = path("nowhere/x.ftr");
    one.path = nowhere.c_str();
    refused(one, "cannot be opened", FTR_ERR_IO);
    buffer(good);
    refused(good, "a buffer with this name exists");
    std::vector<std::string> names;
    for (int i = 2; i <= 15; ++i) {
        names.push_back("n" + std::to_string(i));
        buffer(buffer_options(names.back().c_str(), FTR_BUFFER_LINEAR, 0));
    }
    one = good;
    one.name = "last";
    refused(one, "", FTR_ERR_LIMIT);
    ftr_stream stream = 0;
    EXPECT_EQ(ftr_stream_define_in(recorder_, 16, "s", nullptr, &stream), FTR_ERR_UNDEFINED);
    EXPECT_EQ(ftr_stream_define_in(recorder_, 15, "s", nullptr, &stream), FTR_OK);
    refused(one, "", FTR_ERR_STATE);
    EXPECT_EQ(ftr_buffer_trigger(recorder_, 16), FTR_ERR_UNDEFINED);
    EXPECT_EQ(ftr_buffer_trigger(recorder_, 0), FTR_OK);
    close();
    EXPECT_EQ(ftr_buffer_define(recorder_, &good, &made), FTR_ERR_CLOSED);
    EXPECT_EQ(ftr_buffer_trigger(recorder_, 1), FTR_ERR_CLOSED);
    EXPECT_EQ(ftr_buffer_define(nullptr, &good, &made), FTR_ERR_ARGUMENT);
}

TEST_P(BufferDefinitions, FromTextEqualDefinitionsByCalls)
{
    open();
    ASSERT_EQ(ftr_buffers_define(recorder_,
                                 "irq=ring,256K,*.irq, timer ; bus=linear,1M,>file,bus.*;"
                                 "deep=ring,128K,deep;"),
              FTR_OK);
    const ftr_generator irq = generator("top.irq");
    const ftr_generator timer = generator("timer");
    const ftr_generator bus = generator("bus.port");
    const ftr_generator deep = generator("deep");
    for (const ftr_generator generator : {irq, timer, bus, deep})
        record(generator, 1);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    close();
    const decoded_file file = sound(path());
    EXPECT_EQ(file.transactions.size(), 3u);
    EXPECT_EQ(numbers(file, "deep"), range(1, 1));
    EXPECT_EQ(sound(path("run-bus.ftr")).stream_names(), std::vector<std::string>{"bus.port"});
}

TEST_P(BufferDefinitions, InInvalidTextNameTheCause)
{
    const struct {
        const char *text;
        const char *why;
    } cases[] = {
        {"irq", "'irq' has no '='"},
        {"irq=round,1M,*", "buffer irq: its kind is 'round'; expected ring or linear"},
        {"irq=ring", "buffer irq: its memory is ''"},
        {"irq=ring,much,*", "buffer irq: its memory is 'much'"},
        {"irq=ring,1M", "buffer irq: it has no streams"},
        {"irq=ring,1M,>file", "buffer irq: it has no streams"},
    };
    for (const auto &one : cases) {
        char why[256];
        EXPECT_EQ(ftr_buffers_check(one.text, why, sizeof why), FTR_ERR_ARGUMENT);
        EXPECT_NE(std::string(why).find(one.why), std::string::npos) << why;
    }
    open();
    EXPECT_EQ(ftr_buffers_define(recorder_, "irq=ring,1M,>later,*;later=ring,1M,x"),
              FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_.count("buffer irq: its sink is 'later'; expected file"), 1u);
    EXPECT_EQ(ftr_buffers_define(recorder_, "x=ring,64K,*"), FTR_ERR_ARGUMENT);
    EXPECT_EQ(reports_.count("buffer x: its memory is not"), 1u);
    close();
}

TEST_P(BufferDefinitions, ObeyFiltersAndTimeWindows)
{
    ftr_recorder_options with = options();
    with.exclude = "*.secret";
    with.start = "100 ps";
    with.stop = "200 ps";
    open(with);
    ASSERT_EQ(ftr_buffers_define(recorder_, "a=ring,256K,a.*;b=linear,256K,>file,b.*"), FTR_OK);
    const ftr_generator in_a = generator("a.x");
    const ftr_generator in_b = generator("b.x");
    ftr_stream stream = 0;
    ftr_generator secret = 0;
    ASSERT_EQ(ftr_stream_define(recorder_, "b.secret", nullptr, &stream), FTR_OK);
    ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", nullptr, 0, &secret), FTR_OK);
    EXPECT_FALSE(ftr_stream_is_recorded(recorder_, stream));
    for (std::uint64_t n = 0; n < 30; ++n) {
        record(in_a, n);
        record(in_b, n);
        EXPECT_EQ(ftr_tx_record(recorder_, secret, 10 * n, 10 * n, nullptr, 0, nullptr), FTR_OK);
        ftr_tx tx{};
        EXPECT_EQ(ftr_tx_begin(recorder_, in_b, 10 * n + 1, &tx), FTR_OK);
        EXPECT_EQ(ftr_tx_end(recorder_, tx, 10 * n + 2), FTR_OK);
    }
    ASSERT_EQ(ftr_recorder_set_recording(recorder_, false), FTR_OK);
    EXPECT_EQ(ftr_tx_record(recorder_, in_b, 150, 151, nullptr, 0, nullptr), FTR_OK);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    close();
    EXPECT_EQ(numbers(sound(path()), "a.x"), range(10, 20));
    const decoded_file file = sound(path("run-b.ftr"));
    EXPECT_EQ(file.transactions.size(), 11u + 10u);
    EXPECT_EQ(file.stream_names(), std::vector<std::string>{"b.x"});
}

INSTANTIATE_TEST_SUITE_P(Threads, BufferDefinitions, testing::Values(0, 1));

// The default recorder; signals and the exit status trigger its rings.
TEST(DefaultBuffers, AreDefinedByTheEnvironment)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    for (const int signal : {0, SIGUSR1, SIGTERM, -1}) {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            setenv("FTR_TRACE", path.c_str(), 1);
            setenv("FTR_BUFFERS", "a=ring,256K,a;b=ring,256K,>file,b;c=ring,256K,c", 1);
            ftr_recorder *recorder = ftr_default_recorder(0, nullptr, nullptr);
            for (const char *name : {"a", "b", "c", "own"}) {
                ftr_stream stream;
                ftr_generator generator;
                if (ftr_stream_define(recorder, name, nullptr, &stream) != FTR_OK ||
                    ftr_generator_define(recorder, stream, "g", nullptr, 0, &generator) != FTR_OK ||
                    ftr_tx_record(recorder, generator, 1, 2, nullptr, 0, nullptr) != FTR_OK)
                    _exit(99);
            }
            if (signal > 0)
                raise(signal);
            if (signal == SIGUSR1)
                usleep(800000); // it is noticed soon
            std::exit(signal < 0 ? 1 : 0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(findings(path), std::vector<std::string>{});
        std::set<std::string> streams;
        for (const decoded_transaction &tx : decode(path).transactions)
            streams.insert(tx.stream);
        EXPECT_EQ(streams.count("own"), 1u);
        EXPECT_EQ(streams.count("a"), signal ? 1u : 0u) << signal;
        EXPECT_EQ(streams.count("c"), signal ? 1u : 0u) << signal;
        EXPECT_EQ(std::filesystem::exists(directory.path("run-b.ftr")), signal != 0) << signal;
        if (signal) {
            EXPECT_EQ(decode(directory.path("run-b.ftr")).transactions.size(), 1u);
            EXPECT_EQ(findings(directory.path("run-b.ftr")), std::vector<std::string>{});
        }
        EXPECT_FALSE(std::filesystem::exists(path + ".journal"));
        EXPECT_FALSE(std::filesystem::exists(directory.path("run-b.ftr.journal")));
        std::filesystem::remove(directory.path("run-b.ftr"));
    }
}

} // namespace
