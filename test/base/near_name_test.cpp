// The known name that is nearest to a misspelt one.
extern "C" {
#include "near_name.h"
}

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace
{
std::string nearest(const std::string &wanted, const std::vector<std::string> &known)
{
    ftr_near_name near;
    ftr_near_name_init(&near, wanted.data(), wanted.size());
    for (const std::string &name : known)
        ftr_near_name_offer(&near, name.data(), name.size());
    const char *found = ftr_near_name_get(&near);
    return found ? found : "(none)";
}

TEST(NearName, AcceptsOneEdit)
{
    EXPECT_EQ(nearest("adress", {"data", "address", "length"}), "address");
    EXPECT_EQ(nearest("addresss", {"data", "address"}), "address");
    EXPECT_EQ(nearest("sddress", {"data", "address"}), "address");
    EXPECT_EQ(nearest("simlpe", {"sample", "simple"}), "simple");
    EXPECT_EQ(nearest("FTR_INCLUD", {"FTR_EXCLUDE", "FTR_INCLUDE"}), "FTR_INCLUDE");
}

TEST(NearName, ReturnsTheNearestAndFirstName)
{
    EXPECT_EQ(nearest("bus.in1", {"bus.in", "bus.in0", "bus.in11"}), "bus.in");
    EXPECT_EQ(nearest("bus.x0", {"bus.out", "bus.y0", "bus.z0"}), "bus.y0");
}

TEST(NearName, CaseCountsLessThanCharacters)
{
    EXPECT_EQ(nearest("Top.CPU", {"top.cpx", "top.cpu"}), "top.cpu");
}

TEST(NearName, ComparesThePartAfterTheLastDot)
{
    EXPECT_EQ(nearest("adress", {"trans.data", "trans.address"}), "trans.address");
    EXPECT_EQ(nearest("cpu", {"top.mem", "top.cpu"}), "top.cpu");
    EXPECT_EQ(nearest("cpu", {"top.cpu", "cpv"}), "top.cpu");
    EXPECT_EQ(nearest("cpu.", {"cpu.", "x."}), "cpu.");
}

TEST(NearName, RejectsDifferentNames)
{
    EXPECT_EQ(nearest("nosuch", {"top.bus", "memory", "n"}), "(none)");
    EXPECT_EQ(nearest("a", {"b"}), "(none)");
    EXPECT_EQ(nearest("", {"b"}), "(none)");
    EXPECT_EQ(nearest("b", {""}), "(none)");
    EXPECT_EQ(nearest("b", {}), "(none)");
}

TEST(NearName, IgnoresLongNames)
{
    const std::string limit(FTR_NEAR_NAME_MAX, 'x');
    EXPECT_EQ(nearest(limit.substr(1), {limit}), limit);
    EXPECT_EQ(nearest(limit + "x", {limit}), "(none)");
    EXPECT_EQ(nearest(limit, {limit + "x"}), "(none)");
}
} // namespace
