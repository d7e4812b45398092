// Random recordings with a time window, compared with a model: which transactions and relations are
// in the file, after close and after a kill. The files are read by the independent decoder.
#include "killed_process.hpp"
#include "recording.hpp"

#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <thread>

namespace
{
constexpr std::uint64_t start = 1000;
constexpr std::uint64_t stop = 2000;
constexpr std::uint64_t no_limit = UINT64_MAX;

struct window {
    const char *name;
    const char *start; // options of the recorder
    const char *stop;
    std::uint64_t first; // the same in ticks
    std::uint64_t last;
};

const window windows[] = {{"Both", "1 ns", "2 ns", start, stop},
                          {"Start", "1 ns", nullptr, start, no_limit},
                          {"Stop", nullptr, "2 ns", 0, stop},
                          {"StartAtZero", "0 s", nullptr, 0, no_limit},
                          {"NeverReached", "1 s", "2 s", 1000000000000, 2000000000000}};

ftr_recorder_options options_of(const window &limits, int threads)
{
    ftr_recorder_options options = {};
    options.start = limits.start;
    options.stop = limits.stop;
    options.threads = threads;
    return options;
}

struct definitions {
    ftr_generator generators[2] = {};
    ftr_generator events = 0;
    ftr_relation follows = 0;

    explicit definitions(ftr_recorder *rec)
    {
        const ftr_attribute number = {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD};
        ftr_stream stream = 0;
        if (ftr_stream_define(rec, "top.bus", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "read", &number, 1, &generators[0]) != FTR_OK ||
            ftr_generator_define(rec, stream, "write", &number, 1, &generators[1]) != FTR_OK ||
            ftr_events_define(rec, generators[0], &number, 1, &events) != FTR_OK ||
            ftr_relation_define(rec, "follows", &follows) != FTR_OK)
            throw std::runtime_error("cannot define");
    }
};

// A transaction, as the calls of the program describe it.
struct call {
    ftr_tx tx;
    std::uint64_t begin;
    std::uint64_t end; // only if it is not open
    bool is_open;
    bool has_parent; // an event, whose parent must be recorded at the call
};

// The calls of one thread: transactions that overlap in any order, whole transactions, events, and
// relations in both directions. Times advance from 0 to about 3000, with steps back and forth. The
// choices depend only on the seed, so that a second run has the same calls.
class random_calls
{
  public:
    random_calls(ftr_recorder *rec, const definitions &defined, unsigned seed)
        : rec_(rec), defined_(defined), random_(seed)
    {
    }

    void run(unsigned steps)
    {
        for (unsigned i = 0; i < steps; ++i)
            step();
    }

    const std::vector<call> &calls() const { return calls_; }
    // Relations as pairs of indices of calls.
    const std::vector<std::pair<std::size_t, std::size_t>> &relations() const { return relations_; }

  private:
    std::uint64_t random(std::uint64_t below) { return random_() % below; }

    std::uint64_t time()
    {
        const std::uint64_t near = now_ + random(200);
        return random(50) == 0 ? random(3500) : near < 100 ? 0 : near - 100;
    }

    std::size_t any_call()
    {
        const std::size_t recent = std::min<std::size_t>(calls_.size(), 50);
        return random(4) == 0 ? random(calls_.size()) : calls_.size() - 1 - random(recent);
    }

    void step()
    {
        now_ += random(3);
        switch (calls_.empty() ? 0 : random(8)) {
        case 0:
        case 1:
            return begin();
        case 2:
        case 3:
        case 4:
            return end();
        case 5:
            return record();
        case 6:
            return relate(any_call(), any_call());
        default:
            return event(any_call());
        }
    }

    void begin()
    {
        call made = {{}, time(), 0, true, false};
        EXPECT_EQ(ftr_tx_begin(rec_, defined_.generators[random(2)], made.begin, &made.tx), FTR_OK);
        EXPECT_EQ(ftr_tx_put_number(rec_, made.tx, 0, made.begin), FTR_OK);
        open_.push_back(calls_.size());
        calls_.push_back(made);
    }

    void end()
    {
        if (open_.empty())
            return;
        const std::size_t which = random(2) ? open_.size() - 1 : random(open_.size());
        call &ended = calls_[open_[which]];
        const std::uint64_t at = time();
        const ftr_status expected =
            at < ended.begin && ended.tx.id != FTR_TX_NOT_RECORDED ? FTR_ERR_ORDER : FTR_OK;
        EXPECT_EQ(ftr_tx_end(rec_, ended.tx, at), expected);
        if (expected != FTR_OK)
            return;
        ended.end = at;
        ended.is_open = false;
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(which));
    }

    void record()
    {
        call made = {{}, time(), 0, false, false};
        made.end = made.begin + random(150);
        const ftr_value value = number_value(FTR_TYPE_UNSIGNED, made.begin);
        EXPECT_EQ(ftr_tx_record(rec_, defined_.generators[random(2)], made.begin, made.end, &value,
                                1, &made.tx),
                  FTR_OK);
        calls_.push_back(made);
    }

    void relate(std::size_t from, std::size_t to)
    {
        EXPECT_EQ(ftr_relation_put(rec_, defined_.follows, calls_[from].tx, calls_[to].tx), FTR_OK);
        relations_.emplace_back(from, to);
    }

    void event(std::size_t parent)
    {
        call made = {{}, time(), 0, false, true};
        made.end = made.begin + random(3);
        const ftr_value name = text_value(FTR_TYPE_STRING, "hit");
        EXPECT_EQ(ftr_tx_event_between(rec_, calls_[parent].tx, defined_.events, made.begin,
                                       made.end, &name, 1, &made.tx),
                  FTR_OK);
        if (calls_[parent].tx.id == FTR_TX_NOT_RECORDED) {
            EXPECT_EQ(made.tx.id, FTR_TX_NOT_RECORDED);
        }
        relations_.emplace_back(parent, calls_.size());
        calls_.push_back(made);
    }

    ftr_recorder *rec_;
    const definitions &defined_;
    std::mt19937_64 random_;
    std::uint64_t now_ = 0;
    std::vector<call> calls_;
    std::vector<std::size_t> open_;
    std::vector<std::pair<std::size_t, std::size_t>> relations_;
};

using relation_ends = std::pair<std::uint64_t, std::uint64_t>;

// The content that a file must have.
struct expected_content {
    std::set<std::uint64_t> ids;
    std::multiset<relation_ends> relations;
    std::size_t calls = 0;
    std::size_t relation_calls = 0;

    // @p open_end end of the open transactions
    void add(const random_calls &program, const window &limits, std::uint64_t open_end)
    {
        for (const call &each : program.calls()) {
            const std::uint64_t end = each.is_open ? open_end : each.end;
            const bool is_in_window = each.tx.id != FTR_TX_NOT_RECORDED && end >= limits.first &&
                                      each.begin <= limits.last;
            if (each.begin > limits.last) {
                EXPECT_EQ(each.tx.id, FTR_TX_NOT_RECORDED);
            }
            if (is_in_window) {
                EXPECT_TRUE(ids.insert(each.tx.id).second) << "used twice: " << each.tx.id;
            }
            ++calls;
        }
        for (const auto &[from, to] : program.relations()) {
            const std::uint64_t ends[] = {program.calls()[from].tx.id, program.calls()[to].tx.id};
            if (ids.count(ends[0]) && ids.count(ends[1]))
                relations.emplace(ends[0], ends[1]);
            ++relation_calls;
        }
    }
};

// Returns the end of the transactions that are open at close: the latest time of the file.
std::uint64_t latest_of(const std::vector<std::unique_ptr<random_calls>> &programs,
                        const window &limits)
{
    std::uint64_t latest = 0;
    for (const auto &program : programs) {
        for (const call &each : program->calls()) {
            if (each.tx.id == FTR_TX_NOT_RECORDED)
                continue;
            if (each.is_open)
                latest = std::max(latest, each.begin);
            else if (each.end >= limits.first)
                latest = std::max(latest, each.end);
        }
    }
    return latest;
}

void expect_content(const decoded_file &file, const expected_content &expected)
{
    std::set<std::uint64_t> ids;
    for (const decoded_transaction &tx : file.transactions) {
        EXPECT_TRUE(ids.insert(tx.id).second) << tx.id;
        if (tx.generator != "read.events") {
            ASSERT_FALSE(tx.attributes.empty()) << tx.id;
            EXPECT_EQ(tx.value("number"), tx.begin);
        }
    }
    EXPECT_EQ(ids, expected.ids);
    std::multiset<relation_ends> relations;
    for (const decoded_relation &relation : file.relations)
        relations.emplace(relation.from, relation.to);
    EXPECT_EQ(relations, expected.relations);
}

struct setting {
    const window *limits;
    int writer_threads;
    unsigned recording_threads;
};

std::ostream &operator<<(std::ostream &out, const setting &of)
{
    return out << of.limits->name << of.writer_threads << of.recording_threads;
}

class RecorderWindowModel : public testing::TestWithParam<setting>
{
};

TEST_P(RecorderWindowModel, HasTransactionsThatOverlapAndTheirRelations)
{
    const window &limits = *GetParam().limits;
    for (unsigned seed = 1; seed <= 2; ++seed) {
        recording rec(options_of(limits, GetParam().writer_threads));
        const definitions defined(rec);
        std::vector<std::unique_ptr<random_calls>> programs;
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < GetParam().recording_threads; ++i)
            programs.push_back(std::make_unique<random_calls>(rec, defined, 10 * seed + i));
        for (std::size_t i = 1; i < programs.size(); ++i)
            threads.emplace_back([&, i] { programs[i]->run(3000); });
        programs[0]->run(3000);
        for (std::thread &each : threads)
            each.join();
        const decoded_file file = rec.decoded();
        expected_content expected;
        const std::uint64_t latest = latest_of(programs, limits);
        for (const auto &program : programs)
            expected.add(*program, limits, latest);
        expect_content(file, expected);
        const ftr_statistics counted = rec.statistics();
        EXPECT_EQ(counted.transactions, expected.ids.size());
        EXPECT_EQ(counted.filtered, expected.calls - expected.ids.size());
        EXPECT_EQ(counted.relations, expected.relations.size());
        EXPECT_EQ(counted.relations_discarded, expected.relation_calls - expected.relations.size());
    }
}

std::vector<setting> settings()
{
    std::vector<setting> all;
    for (const window &limits : windows) {
        for (const int writers : {0, 1}) {
            for (const unsigned threads : {1u, 3u})
                all.push_back({&limits, writers, threads});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Windows, RecorderWindowModel, testing::ValuesIn(settings()),
                         testing::PrintToStringParamName());

class KilledInWindow : public testing::TestWithParam<setting>
{
};

// Kills before, in and after the window. Transactions that ended in the window are recovered, with
// their relations; those that are open are unfinished.
TEST_P(KilledInWindow, LosesNoTransaction)
{
    const window &limits = *GetParam().limits;
    for (const unsigned steps : {1u, 200u, 700u, 950u, 1050u, 1300u, 2000u, 2600u}) {
        scratch_directory directory;
        const ftr_recorder_options options = options_of(limits, GetParam().writer_threads);
        const std::string trace = directory.path("run.ftr");
        killed_process([&] {
            ftr_recorder *rec = nullptr;
            if (ftr_recorder_open(trace.c_str(), &options, &rec) != FTR_OK)
                _exit(2);
            const definitions defined(rec);
            random_calls(rec, defined, 7).run(steps);
        });
        ftr_recovery found = {};
        const std::string sound = directory.path("sound.ftr");
        ASSERT_EQ(ftr_recovery_run((trace + ".journal").c_str(), nullptr, sound.c_str(), &found),
                  FTR_OK)
            << found.message;
        EXPECT_EQ(found.lost, 0u);
        recording same(options);
        const definitions defined(same);
        random_calls program(same, defined, 7);
        program.run(steps);
        expected_content expected;
        expected.add(program, limits, no_limit);
        expect_content(decode(sound), expected);
        EXPECT_EQ(findings(sound, "--allow end-order"), std::vector<std::string>{});
    }
}

std::vector<setting> killed_settings()
{
    std::vector<setting> all = settings();
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const setting &of) { return of.recording_threads != 1; }),
              all.end());
    return all;
}

INSTANTIATE_TEST_SUITE_P(Windows, KilledInWindow, testing::ValuesIn(killed_settings()),
                         testing::PrintToStringParamName());

// A thread gets the slots of the transactions that it ends. It must also have ids before it uses
// these slots.
TEST(RecorderWindowIds, AreUniqueInAThreadThatFirstEndsOthers)
{
    ftr_recorder_options options = {};
    options.start = "1 ns";
    recording rec(options);
    const definitions defined(rec);
    std::vector<ftr_tx> early(3);
    for (ftr_tx &tx : early)
        ASSERT_EQ(ftr_tx_begin(rec, defined.generators[0], 1, &tx), FTR_OK);
    std::vector<ftr_tx> all(4);
    const auto work = [&](std::size_t from) {
        EXPECT_EQ(ftr_tx_end(rec, early[from], 2), FTR_OK);
        for (std::size_t i = 2 * from; i < 2 * from + 2; ++i) {
            EXPECT_EQ(ftr_tx_begin(rec, defined.generators[0], start, &all[i]), FTR_OK);
            EXPECT_EQ(ftr_tx_put_number(rec, all[i], 0, start), FTR_OK);
        }
    };
    std::thread([&] { work(0); }).join();
    std::thread([&] { work(1); }).join(); // takes the lane of the first thread
    for (const ftr_tx &tx : all)
        ASSERT_EQ(ftr_tx_end(rec, tx, start + 1), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, early[2], 2), FTR_OK);
    std::set<std::uint64_t> ids;
    for (const decoded_transaction &tx : rec.decoded().transactions)
        ids.insert(tx.id);
    EXPECT_EQ(ids, (std::set<std::uint64_t>{all[0].id, all[1].id, all[2].id, all[3].id}));
    EXPECT_EQ(ids.count(0), 0u);
    EXPECT_EQ(rec.statistics().filtered, 3u);
}

// Many transactions before the window, more than the ids and discards that a lane gets at once, and
// one that stays open from each thousand.
TEST(RecorderWindowIds, SeparateManyDiscardedFromOpenTransactions)
{
    ftr_recorder_options options = {};
    options.start = "1 ns";
    recording rec(options);
    const definitions defined(rec);
    std::vector<ftr_tx> open;
    std::vector<ftr_tx> ended;
    for (std::uint64_t i = 0; i < 140000; ++i) {
        ftr_tx tx = {};
        ASSERT_EQ(ftr_tx_begin(rec, defined.generators[0], 5, &tx), FTR_OK);
        if (i % 1000 == 999) {
            ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, 5), FTR_OK);
            open.push_back(tx);
            continue;
        }
        ASSERT_EQ(ftr_tx_end(rec, tx, 6), FTR_OK);
        if (i % 1000 == 0)
            ended.push_back(tx);
    }
    EXPECT_EQ(rec.statistics().filtered, 140000u - 140u);
    for (std::size_t i = 0; i < open.size(); ++i) {
        ASSERT_EQ(ftr_relation_put(rec, defined.follows, ended[i], open[i]), FTR_OK);
        ASSERT_EQ(ftr_relation_put(rec, defined.follows, open[i], open[0]), FTR_OK);
        ASSERT_EQ(ftr_tx_end(rec, open[i], i % 2 ? start : start - 1), FTR_OK);
    }
    const decoded_file file = rec.decoded();
    EXPECT_EQ(file.transactions.size(), 70u);
    EXPECT_EQ(file.relations.size(), 0u) << "open[0] ended before the window";
    EXPECT_EQ(rec.statistics().relations_discarded, 280u);
    EXPECT_EQ(rec.statistics().filtered, 140000u - 70u);
}
} // namespace
