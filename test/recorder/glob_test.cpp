// Name patterns, alone and in lists.
extern "C" {
#include "name_glob.h"
}

#include <gtest/gtest.h>

#include <string>

namespace
{
bool list_matches(const std::string &list, const std::string &name)
{
    return ftr_glob_list_matches(list.c_str(), name.data(), name.size());
}

struct glob_case {
    const char *list;
    const char *name;
    bool matches;
};

TEST(Glob, MatchesOtherCharactersLiterally)
{
    const glob_case cases[] = {
        {"top.cpu", "top.cpu", true},
        {"top.bus.out", "top.bus/out", true}, // renamed, because a stream is named top.bus
        {"top.bus.*", "top.bus/out", true},
        {"top.bus/*", "top.bus.out", false},
        {"top.cpu", "top.cpu0", false},
        {"top.cpu", "top.cp", false},
        {"top.cpu", "Top.cpu", false},
        {"*", "anything.at/all", true},
        {"*", "", true},
        {"top.*", "top.cpu.isock_bl", true},
        {"top.*", "top", false},
        {"*_bl", "top.cpu.isock_bl", true},
        {"*_bl", "top.cpu.isock_bl_timed", false},
        {"*cpu*", "top.cpu1.x", true},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXbXbX", false},
        {"**", "x", true},
        {"top.cpu?", "top.cpu7", true},
        {"top.cpu?", "top.cpu", false},
        {"top.cpu?", "top.cpu10", false},
        {"bus.out[0]*", "bus.out[0]_bl", true},
        {"bus.out[0]*", "bus.out0_bl", false},
        {"target[0]", "target[0]", true},
        {"target[0]", "target0", false},
        {"cpu[0-3]", "cpu2", false},
        {"cpu[!0]", "cpu[!0]", true},
        {"cpu[0", "cpu[0", true},
        {"a\\*b", "a\\xb", true},
        {"a\\*b", "a*b", false},
        {"a\\", "a\\", true},
        {"", "x", false},
        {"", "", false},
    };
    for (const glob_case &one : cases)
        EXPECT_EQ(list_matches(one.list, one.name), one.matches) << one.list << " on " << one.name;
}

TEST(Glob, ListMatchesIfAnyPatternMatches)
{
    for (const char *name : {"a", "b1", "c"})
        EXPECT_TRUE(list_matches("a,b?,c", name)) << name;
    EXPECT_FALSE(list_matches("a,b?,c", "b"));
    EXPECT_FALSE(list_matches("a,b?,c", "a,b1"));
}

TEST(Glob, IgnoresBlanksAndEmptyPatterns)
{
    EXPECT_TRUE(list_matches(" a , \tb\t,,c ", "a"));
    EXPECT_TRUE(list_matches(" a , \tb\t,,c ", "b"));
    EXPECT_TRUE(list_matches(" a , \tb\t,,c ", "c"));
    EXPECT_FALSE(list_matches(" a , \tb\t,,c ", ""));
    EXPECT_TRUE(list_matches("a b", "a b"));
}

TEST(Glob, TextWithStarOrQuestionMarkIsAPattern)
{
    EXPECT_TRUE(ftr_glob_is_pattern("a*"));
    EXPECT_TRUE(ftr_glob_is_pattern("?"));
    EXPECT_FALSE(ftr_glob_is_pattern("bus.out[0-3]\\"));
}

TEST(Glob, MatchesNamesWithNul)
{
    EXPECT_TRUE(list_matches("a*c", std::string("a\0c", 3)));
    EXPECT_FALSE(list_matches("a", std::string("a\0c", 3)));
}

TEST(Glob, ManyStarsTakeAtMostTheProductOfLengths)
{
    std::string glob;
    for (int i = 0; i < 200; ++i)
        glob += "*a";
    glob += "b";
    // Backtracking over every star would never end.
    EXPECT_FALSE(list_matches(glob, std::string(20000, 'a')));
}
} // namespace
