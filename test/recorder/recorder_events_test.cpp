// Events: transactions of "<generator>.events" with a name, and one relation from their parent.
#include "recording.hpp"

#include <ftr/detail/word_calls.h>

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <thread>

namespace
{

class RecorderEvents : public testing::Test
{
  protected:
    void open(ftr_recorder_options options = {})
    {
        rec_ = std::make_unique<recording>(options);
        bus_ = rec_->stream("bus");
        read_ = rec_->generator(bus_, "read", {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}});
    }

    ftr_generator define(const std::vector<ftr_attribute> &attributes)
    {
        ftr_generator events = 0;
        EXPECT_EQ(ftr_events_define(*rec_, read_, attributes.data(), attributes.size(), &events),
                  FTR_OK);
        return events;
    }

    ftr_tx begin(std::uint64_t time)
    {
        ftr_tx tx = {};
        EXPECT_EQ(ftr_tx_begin(*rec_, read_, time, &tx), FTR_OK);
        return tx;
    }

    void end(ftr_tx tx, std::uint64_t time) { EXPECT_EQ(ftr_tx_end(*rec_, tx, time), FTR_OK); }

    static ftr_value name(const char *text) { return text_value(FTR_TYPE_STRING, text); }

    // Records an event by its name alone.
    ftr_status named(ftr_tx parent, std::uint64_t time, const char *text, ftr_tx *event = nullptr)
    {
        const ftr_value value = name(text);
        return ftr_tx_event_named(*rec_, parent, time, time, &value, nullptr, 0, event);
    }

    // Expects that each event of the file has the required generator, name and relation.
    static void expect_convention(const decoded_file &file)
    {
        std::map<std::uint64_t, std::vector<decoded_relation>> to;
        for (const decoded_relation &relation : file.relations)
            to[relation.to].push_back(relation);
        for (const decoded_transaction &tx : file.transactions) {
            if (tx.generator != "read.events")
                continue;
            ASSERT_FALSE(tx.attributes.empty());
            EXPECT_EQ(tx.attributes[0].name, "name");
            EXPECT_EQ(tx.attributes[0].type, "STRING");
            EXPECT_EQ(tx.attributes[0].class_, "begin");
            ASSERT_EQ(to[tx.id].size(), 1u);
            EXPECT_EQ(to[tx.id][0].name, "parent_of");
            EXPECT_EQ(to[tx.id][0].from_stream, to[tx.id][0].to_stream);
            EXPECT_EQ(file.transaction(to[tx.id][0].from).generator, "read");
        }
    }

    std::unique_ptr<recording> rec_;
    ftr_stream bus_ = 0;
    ftr_generator read_ = 0;
};

const ftr_attribute way = {"way", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD};

TEST_F(RecorderEvents, HaveANameAndDeclaredValues)
{
    open();
    const ftr_generator events = define({way});
    const ftr_tx parent = begin(10);
    const std::vector<ftr_value> values = {name("L2 hit"), number_value(FTR_TYPE_UNSIGNED, 3)};
    ftr_tx event = {};
    ASSERT_EQ(ftr_tx_event(*rec_, parent, events, 12, values.data(), 2, &event), FTR_OK);
    ftr_tx stall = {};
    ASSERT_EQ(ftr_tx_event_between(*rec_, parent, events, 13, 17, values.data(), 1, &stall),
              FTR_OK);
    end(parent, 20);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    ASSERT_EQ(file.transactions.size(), 3u);
    const decoded_transaction &hit = file.transaction(event.id);
    EXPECT_EQ(hit.generator, "read.events");
    EXPECT_EQ(hit.stream, "bus");
    EXPECT_EQ(hit.begin, 12u);
    EXPECT_EQ(hit.end, 12u);
    EXPECT_EQ(hit.value("name"), "L2 hit");
    EXPECT_EQ(hit.value("way"), 3);
    EXPECT_EQ(file.transaction(stall.id).begin, 13u);
    EXPECT_EQ(file.transaction(stall.id).end, 17u);
    ASSERT_EQ(file.relations.size(), 2u);
    EXPECT_EQ(file.relations[0].from, parent.id);
    EXPECT_EQ(file.relations[0].to, event.id);
}

TEST_F(RecorderEvents, OutsideTheirParentAreRecordedWhereTheyAre)
{
    open();
    const ftr_generator events = define({});
    const ftr_tx parent = begin(10);
    end(parent, 20);
    const ftr_value value = name("late");
    ftr_tx event = {};
    ASSERT_EQ(ftr_tx_event(*rec_, parent, events, 99, &value, 1, &event), FTR_OK);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    EXPECT_EQ(file.transaction(event.id).begin, 99u);
    EXPECT_EQ(file.relations.size(), 1u);
}

TEST_F(RecorderEvents, HaveOneGeneratorWithOneListOfAttributes)
{
    open();
    const ftr_generator events = define({way});
    EXPECT_EQ(define({way}), events);
    ftr_generator other = 0;
    EXPECT_EQ(ftr_events_define(*rec_, read_, nullptr, 0, &other), FTR_ERR_STATE);
    for (const ftr_attribute &wrong : {ftr_attribute{"set", way.type, way.class_},
                                       ftr_attribute{"way", FTR_TYPE_TIME, way.class_},
                                       ftr_attribute{"way", way.type, FTR_CLASS_END},
                                       ftr_attribute{nullptr, way.type, way.class_}})
        EXPECT_EQ(ftr_events_define(*rec_, read_, &wrong, 1, &other), FTR_ERR_STATE);
    EXPECT_EQ(other, 0u);
    const ftr_tx parent = begin(1);
    ftr_generator found = 0;
    ASSERT_EQ(ftr_tx_find_events(*rec_, parent, &found), FTR_OK);
    EXPECT_EQ(found, events);
    EXPECT_EQ(named(parent, 2, "another"), FTR_OK);
    end(parent, 3);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    EXPECT_EQ(file.generators.size(), 2u);
}

TEST_F(RecorderEvents, AreDefinedByTheFirstNamedEvent)
{
    open();
    const ftr_tx parent = begin(10);
    const ftr_value hit = name("hit");
    // The first event takes the full path, the second one the fast path.
    for (std::uint64_t time : {11, 12}) {
        const ftr_named_value values[] = {{"way", number_value(FTR_TYPE_UNSIGNED, time)},
                                          {"reason", name("a reason of more than 16 bytes")},
                                          {"dirty", boolean_value(true)},
                                          {"empty", name("")}};
        ASSERT_EQ(ftr_tx_event_named(*rec_, parent, time, time + 1, &hit, values, 4, nullptr),
                  FTR_OK);
    }
    end(parent, 20);
    ftr_generator events = 0;
    EXPECT_EQ(ftr_events_define(*rec_, read_, &way, 1, &events), FTR_ERR_STATE);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    ASSERT_EQ(file.transactions.size(), 3u);
    for (std::uint64_t time : {11, 12}) {
        const decoded_transaction &event = file.transactions[time - 11];
        EXPECT_EQ(event.begin, time);
        EXPECT_EQ(event.end, time + 1);
        const std::vector<decoded_attribute> expected = {
            {"begin", "name", "STRING", "hit"},
            {"record", "way", "UNSIGNED", time},
            {"record", "reason", "STRING", "a reason of more than 16 bytes"},
            {"record", "dirty", "BOOLEAN", true},
            {"record", "empty", "STRING", ""}};
        EXPECT_EQ(event.attributes, expected);
    }
}

TEST_F(RecorderEvents, WithWrongArgumentsAreNotRecorded)
{
    open();
    const ftr_generator events = define({way});
    const ftr_tx parent = begin(10);
    const ftr_tx ended = begin(11);
    end(ended, 12);
    const ftr_tx never = {UINT64_C(1) << 40, parent.place};
    ftr_tx event = {};
    ftr_generator found = 0;
    const ftr_value hit = name("hit");
    const ftr_value number = number_value(FTR_TYPE_UNSIGNED, 1);
    const std::uint64_t word = 0;
    EXPECT_EQ(ftr_tx_event(*rec_, never, events, 1, &hit, 1, &event), FTR_ERR_UNKNOWN_TX);
    EXPECT_EQ(ftr_tx_event_words(*rec_, never, events, 1, 1, &word, 1, &event), FTR_ERR_UNKNOWN_TX);
    EXPECT_EQ(ftr_tx_event(*rec_, parent, bus_, 1, &hit, 1, &event), FTR_ERR_UNDEFINED);
    EXPECT_EQ(ftr_tx_event(*rec_, parent, events, 1, &number, 1, &event), FTR_ERR_TYPE);
    EXPECT_EQ(ftr_tx_event_between(*rec_, parent, events, 2, 1, &hit, 1, &event), FTR_ERR_ORDER);
    EXPECT_EQ(ftr_tx_event_words(*rec_, parent, events, 2, 1, &word, 1, &event), FTR_ERR_ORDER);
    for (const ftr_tx tx : {ended, never}) {
        EXPECT_EQ(named(tx, 1, "hit", &event), FTR_ERR_UNKNOWN_TX);
        EXPECT_EQ(ftr_tx_find_events(*rec_, tx, &found), FTR_ERR_UNKNOWN_TX);
    }
    EXPECT_EQ(ftr_tx_find_events(*rec_, parent, nullptr), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_event_named(*rec_, parent, 2, 1, &hit, nullptr, 0, &event), FTR_ERR_ORDER);
    EXPECT_EQ(ftr_tx_event_named(*rec_, parent, 1, 1, nullptr, nullptr, 0, &event),
              FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_event_named(*rec_, parent, 1, 1, &hit, nullptr, 1, &event), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_event_named(*rec_, parent, 1, 1, &number, nullptr, 0, &event), FTR_ERR_TYPE);
    const std::string long_name(70000, 'n');
    const ftr_value undefined = defined_value(FTR_TYPE_STRING, 99);
    for (const auto &[value, status] : std::vector<std::pair<ftr_named_value, ftr_status>>{
             {{nullptr, number}, FTR_ERR_ARGUMENT},
             {{"", number}, FTR_ERR_ARGUMENT},
             {{"text", name(nullptr)}, FTR_ERR_ARGUMENT},
             {{long_name.c_str(), number}, FTR_ERR_LIMIT},
             {{"text", undefined}, FTR_ERR_UNDEFINED}}) {
        const ftr_named_value values[] = {{"good", number}, value};
        EXPECT_EQ(ftr_tx_event_named(*rec_, parent, 1, 1, &hit, values, 2, &event), status);
    }
    EXPECT_EQ(event.id, 0u);
    end(parent, 20);
    const decoded_file file = rec_->decoded();
    EXPECT_EQ(file.transactions.size(), 2u);
    EXPECT_TRUE(file.relations.empty());
}

TEST_F(RecorderEvents, OfAnUnrecordedParentAreNotRecorded)
{
    open();
    const ftr_generator events = define({way});
    ASSERT_EQ(ftr_recorder_set_recording(*rec_, false), FTR_OK);
    const ftr_tx parent = begin(10);
    ASSERT_EQ(parent.id, FTR_TX_NOT_RECORDED);
    ASSERT_EQ(ftr_recorder_set_recording(*rec_, true), FTR_OK);
    ftr_tx event = {};
    ftr_generator found = 7;
    const ftr_value hit = name("hit");
    const std::uint64_t word = 0;
    EXPECT_EQ(named(parent, 11, "hit", &event), FTR_OK);
    EXPECT_EQ(event.id, FTR_TX_NOT_RECORDED);
    event = {};
    EXPECT_EQ(ftr_tx_event(*rec_, parent, events, 11, &hit, 1, &event), FTR_OK);
    EXPECT_EQ(event.id, FTR_TX_NOT_RECORDED);
    event = {};
    EXPECT_EQ(ftr_tx_event_words(*rec_, parent, events, 11, 11, &word, 1, &event), FTR_OK);
    EXPECT_EQ(event.id, FTR_TX_NOT_RECORDED);
    EXPECT_EQ(ftr_tx_find_events(*rec_, parent, &found), FTR_OK);
    EXPECT_EQ(found, 0u);
    EXPECT_EQ(ftr_tx_event(*rec_, parent, bus_, 11, &hit, 1, &event), FTR_ERR_UNDEFINED);
    EXPECT_TRUE(rec_->decoded().transactions.empty());
    EXPECT_EQ(rec_->statistics().filtered, 4u);
}

TEST_F(RecorderEvents, AreInTheWindowWithTheirParent)
{
    ftr_recorder_options options = {};
    options.start = "100 ps";
    options.stop = "200 ps";
    open(options);
    const ftr_generator events = define({way});
    const ftr_value hit = name("hit");
    const ftr_tx early = begin(10);
    const ftr_tx across = begin(20);
    for (std::uint64_t time : {30, 150, 250}) {
        ASSERT_EQ(ftr_tx_event(*rec_, across, events, time, &hit, 1, nullptr), FTR_OK);
        ASSERT_EQ(named(across, time, "named"), FTR_OK);
    }
    ASSERT_EQ(ftr_tx_event(*rec_, early, events, 40, &hit, 1, nullptr), FTR_OK);
    end(early, 50);
    end(across, 300);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    ASSERT_EQ(file.transactions.size(), 3u);
    EXPECT_EQ(file.transactions[0].begin, 150u);
    EXPECT_EQ(file.transactions[1].begin, 150u);
    EXPECT_EQ(file.relations.size(), 2u);
}

TEST_F(RecorderEvents, OfAnExcludedStreamAreFiltered)
{
    ftr_recorder_options options = {};
    options.exclude = "bus";
    open(options);
    define({way});
    const ftr_tx parent = begin(10);
    EXPECT_EQ(named(parent, 11, "hit"), FTR_OK);
    EXPECT_TRUE(rec_->decoded().transactions.empty());
}

// Two threads record the first events of a generator, and many others, at the same time.
TEST_F(RecorderEvents, OfSeveralThreadsHaveOneGenerator)
{
    ftr_recorder_options options = {};
    options.threads = 1;
    open(options);
    constexpr unsigned per_thread = 2000;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
        threads.emplace_back([this, i] {
            for (unsigned n = 0; n < per_thread; ++n) {
                const ftr_tx parent = begin(n);
                EXPECT_EQ(named(parent, n, i % 2 ? "odd" : "even"), FTR_OK);
                end(parent, n + 1);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    EXPECT_EQ(file.generators.size(), 2u);
    EXPECT_EQ(file.transactions.size(), 8 * per_thread);
    EXPECT_EQ(file.relations.size(), 4 * per_thread);
}

// Events of any size, at any position in a block, by all calls, against a model of the file.
TEST_F(RecorderEvents, OfRandomSizesAreWritten)
{
    open();
    const ftr_generator events = define({way});
    std::mt19937_64 random(7);
    ftr_text hit = 0;
    ASSERT_EQ(ftr_text_define(*rec_, "a defined name", FTR_NUL_TERMINATED, &hit), FTR_OK);
    std::map<std::uint64_t, std::pair<std::uint64_t, decoded_transaction>> expected;
    ftr_tx parent = begin(0);
    for (std::uint64_t n = 0; n < 20000; ++n) {
        if (n % 7 == 0) {
            end(parent, n);
            parent = begin(n);
        }
        const std::string text(random() % 8 == 0 ? random() % 5000 : random() % 40, 'x');
        const std::string key(1 + random() % 40, 'k');
        const std::uint64_t duration = random() % 3;
        decoded_transaction made{0, "bus", "read.events", n, n + duration, {}};
        made.attributes = {{"begin", "name", "STRING", text}, {"record", "way", "UNSIGNED", n}};
        const ftr_value value = name(text.c_str());
        ftr_tx event = {};
        if (random() % 3 == 0) {
            const ftr_value values[] = {value, number_value(FTR_TYPE_UNSIGNED, n)};
            ASSERT_EQ(
                ftr_tx_event_between(*rec_, parent, events, n, n + duration, values, 2, &event),
                FTR_OK);
        } else if (random() % 2 == 0) {
            const std::uint64_t words[] = {hit, n};
            made.attributes[0].value = "a defined name";
            ASSERT_EQ(ftr_tx_event_words(*rec_, parent, events, n, n + duration, words, 2, &event),
                      FTR_OK);
        } else {
            made.attributes[1] = {"record", key, "STRING", text + "y"};
            made.attributes.push_back({"record", "last", "INTEGER", -1});
            const std::string longer = text + "y";
            const ftr_named_value values[] = {{key.c_str(), name(longer.c_str())},
                                              {"last", integer_value(-1)}};
            ASSERT_EQ(ftr_tx_event_named(*rec_, parent, n, n + duration, &value, values, 2, &event),
                      FTR_OK);
        }
        made.id = event.id;
        expected[event.id] = {parent.id, made};
    }
    end(parent, 20000);
    const decoded_file file = rec_->decoded();
    expect_convention(file);
    std::size_t found = 0;
    for (const decoded_transaction &tx : file.transactions) {
        if (tx.generator == "read.events") {
            ASSERT_EQ(tx, expected.at(tx.id).second);
            ++found;
        }
    }
    EXPECT_EQ(found, expected.size());
    ASSERT_EQ(file.relations.size(), expected.size());
    for (const decoded_relation &relation : file.relations)
        ASSERT_EQ(relation.from, expected.at(relation.to).first);
}

} // namespace
