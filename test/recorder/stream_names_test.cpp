// The names under which streams are written.
extern "C" {
#include "stream_names.h"
}

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace
{
class StreamNames : public testing::Test
{
  protected:
    ~StreamNames() override { ftr_names_release(&names_); }

    std::string choose(const std::string &wanted)
    {
        const char *chosen = nullptr;
        bool renamed = false;
        EXPECT_EQ(ftr_stream_names_choose(&names_, wanted.c_str(), &chosen, &renamed), FTR_OK);
        EXPECT_EQ(renamed, wanted != chosen) << wanted;
        return chosen;
    }

    ftr_names names_ = {};
};

TEST_F(StreamNames, FreeNameIsNotChanged)
{
    for (const char *name : {"top", "bus", "a b", "x/y", "a.b.c", "\xc3\xbc"})
        EXPECT_EQ(choose(name), name);
}

TEST_F(StreamNames, UsedNameGetsANumber)
{
    EXPECT_EQ(choose("top.cpu"), "top.cpu");
    EXPECT_EQ(choose("top.cpu"), "top.cpu#2");
    EXPECT_EQ(choose("top.cpu"), "top.cpu#3");
    EXPECT_EQ(choose("top.cpu#2"), "top.cpu#2#2");
    EXPECT_EQ(choose("top.cpu"), "top.cpu#4");
}

TEST_F(StreamNames, UsedNumberIsSkipped)
{
    EXPECT_EQ(choose("a#2"), "a#2");
    EXPECT_EQ(choose("a"), "a");
    EXPECT_EQ(choose("a"), "a#3");
}

TEST_F(StreamNames, ManyStreamsOfOneNameAreUnique)
{
    // Some of the numbered names already exist.
    std::set<std::string> chosen;
    for (int taken : {3, 5, 64, 65, 100})
        chosen.insert(choose("bus#" + std::to_string(taken)));
    for (int i = 0; i < 300; ++i)
        EXPECT_TRUE(chosen.insert(choose("bus")).second) << i;
}

TEST_F(StreamNames, DotAfterAStreamBecomesASlash)
{
    EXPECT_EQ(choose("top.cpu"), "top.cpu");
    EXPECT_EQ(choose("top.cpu.isock"), "top.cpu/isock");
    EXPECT_EQ(choose("top.cpu.isock.x"), "top.cpu/isock/x");
    EXPECT_EQ(choose("top.cpu2.isock"), "top.cpu2.isock");
    EXPECT_EQ(choose("top.cpu."), "top.cpu/");
}

TEST_F(StreamNames, LongerNameFirstIsNotChanged)
{
    EXPECT_EQ(choose("top.cpu.isock"), "top.cpu.isock");
    EXPECT_EQ(choose("top.cpu"), "top.cpu");
    EXPECT_EQ(choose("top"), "top");
}

TEST_F(StreamNames, EveryDotAfterAStreamBecomesASlash)
{
    EXPECT_EQ(choose("a"), "a");
    EXPECT_EQ(choose("a.b"), "a/b");
    EXPECT_EQ(choose("a.b.c"), "a/b/c");
    EXPECT_EQ(choose("a.b.c.d"), "a/b/c/d");
}

TEST_F(StreamNames, UsedNameWithSlashGetsANumber)
{
    EXPECT_EQ(choose("a/b"), "a/b");
    EXPECT_EQ(choose("a"), "a");
    EXPECT_EQ(choose("a.b"), "a/b#2");
}

TEST_F(StreamNames, NumberedNameIsAUsedName)
{
    EXPECT_EQ(choose("a"), "a");
    EXPECT_EQ(choose("a"), "a#2");
    EXPECT_EQ(choose("a#2.b"), "a#2/b");
}

TEST_F(StreamNames, SingleDotBecomesASlash)
{
    EXPECT_EQ(choose("."), "/");
    EXPECT_EQ(choose("."), "/#2");
}

TEST_F(StreamNames, DotNextToAnEmptyPartBecomesASlash)
{
    EXPECT_EQ(choose(".."), "//");
    EXPECT_EQ(choose("..."), "/./");
    EXPECT_EQ(choose(".a"), "/a");
    EXPECT_EQ(choose("a..b"), "a./b");
    EXPECT_EQ(choose("a...b"), "a./.b");
    EXPECT_EQ(choose("cpu."), "cpu/");
    EXPECT_EQ(choose("cpu.isock"), "cpu.isock");
    EXPECT_EQ(choose("cpu."), "cpu/#2");
    EXPECT_EQ(choose("x.."), "x./");
}

TEST_F(StreamNames, InvalidUtf8IsUniqueAfterRepair)
{
    EXPECT_EQ(choose("a\xff"), "a\xef\xbf\xbd");
    EXPECT_EQ(choose("a\xfe"), "a\xef\xbf\xbd#2");
    EXPECT_EQ(choose("a\xff.b"), "a\xef\xbf\xbd/b");
}

// The rule itself, with names made to collide.
TEST_F(StreamNames, NamesAreUniqueAndDoNotExtendEarlierNames)
{
    std::mt19937 random(11);
    std::set<std::string> written;
    for (int i = 0; i < 5000; ++i) {
        std::string wanted(1 + random() % 6, ' ');
        for (char &c : wanted)
            c = ".a/#2b"[random() % 6];
        const std::string name = choose(wanted);
        ASSERT_TRUE(name.front() != '.' && name.back() != '.') << name;
        ASSERT_EQ(name.find(".."), std::string::npos) << name;
        ASSERT_TRUE(written.insert(name).second) << name;
        for (std::size_t dot = name.find('.'); dot != std::string::npos;
             dot = name.find('.', dot + 1))
            ASSERT_EQ(written.count(name.substr(0, dot)), 0u) << name;
    }
}
} // namespace
