// Names of links for people: which names SystemC generates, and what is shown instead of them.
extern "C" {
#include "link_names.h"
}

#include <gtest/gtest.h>

#include <string>

namespace
{

ftr_view view(const std::string &text)
{
    return {text.data(), text.size()};
}

std::string text(ftr_view of)
{
    return {of.data, of.size};
}

struct Names {
    ftr_link_names names{};

    ~Names() { ftr_link_names_release(&names); }

    void add(const std::string &attribute, const std::string &value)
    {
        ASSERT_TRUE(ftr_link_names_add(&names, view(attribute), view(value)));
    }
    std::string label(const std::string &stream)
    {
        EXPECT_TRUE(ftr_link_names_settle(&names));
        return text(ftr_link_label(&names, view(stream)));
    }
};

bool is_generated(const std::string &name)
{
    return ftr_link_is_generated(name.data(), name.size());
}

} // namespace

TEST(LinkNames, KnowsTheNamesOfSocketsThatSystemcGenerates)
{
    for (const char *name :
         {"top.bus.simple_initiator_socket_5", "simple_target_socket_0",
          "b.multi_passthrough_initiator_socket_0[3]", "b.simple_initiator_socket_tagged_12",
          "b.tlm_base_initiator_socket_1", "b.multi_init_base_0",
          "b.passthrough_target_socket_tagged_0", "b.simple_initiator_socket_optional_tagged_2",
          "b.multi_passthrough_target_socket_b_3"})
        EXPECT_TRUE(is_generated(name)) << name;
    for (const char *name :
         {"cpu.s", "bus.out[0]", "cpu.init_socket_0", "cpu.simple_initiator_socket", "", "0",
          "simple_initiator_socket_5.s", "cpu.my_simple_initiator_socket_0", "bus.out[0", "bus.[0]",
          "b.simple_initiator_socket_", "b.simple_initiator_socket_x1", "_1", "cpu.socket_1"})
        EXPECT_FALSE(is_generated(name)) << name;
}

TEST(LinkNames, ShowsTheModulesAtTheEndsOfAGeneratedName)
{
    Names of;
    of.add("initiator.SimpleBus.simple_initiator_socket_5", "SimpleBus.simple_initiator_socket_5");
    of.add("target.SimpleBus.simple_initiator_socket_5", "sensor.simple_target_socket_0");
    of.add("target.top.cpu.s", "top.bus.in");
    of.add("target.top.a.b.simple_initiator_socket_0[7]", "top.a.c.in[2]");
    of.add("protocol.top.cpu.s", "tlm");
    EXPECT_EQ(of.label("SimpleBus.simple_initiator_socket_5"), "SimpleBus -> sensor");
    EXPECT_EQ(of.label("SimpleBus.simple_initiator_socket_5.dmi"), "SimpleBus -> sensor dmi");
    EXPECT_EQ(of.label("SimpleBus.simple_initiator_socket_5/phases"), "SimpleBus -> sensor phases");
    EXPECT_EQ(of.label("SimpleBus.simple_initiator_socket_5xdmi"),
              "SimpleBus.simple_initiator_socket_5xdmi");
    EXPECT_EQ(of.label("SimpleBus.simple_initiator_socket_5_bl"),
              "SimpleBus.simple_initiator_socket_5_bl");
    EXPECT_EQ(of.label("top.cpu.s"), "top.cpu.s");
    EXPECT_EQ(of.label("top.a.b.simple_initiator_socket_0[7]"), "top.a.b -> c");
    EXPECT_EQ(text(ftr_link_target(&of.names, view("top.cpu.s"))), "bus");
    EXPECT_EQ(text(ftr_link_initiator(&of.names, view("top.cpu.s"))), "cpu");
    EXPECT_EQ(text(ftr_link_target(&of.names, view("top.other"))), "");
}

TEST(LinkNames, KeepsModulesThatAreInsideEachOther)
{
    Names of;
    of.add("target.top.simple_initiator_socket_0", "top.cpu.in");
    of.add("target.top.cpu.simple_initiator_socket_0", "top.out");
    of.add("target.top.cpus.simple_initiator_socket_0", "top.cpu.in");
    of.add("target.simple_initiator_socket_0", "memory");
    EXPECT_EQ(of.label("top.simple_initiator_socket_0"), "top -> cpu");
    EXPECT_EQ(of.label("top.cpu.simple_initiator_socket_0"), "top.cpu -> top");
    EXPECT_EQ(of.label("top.cpus.simple_initiator_socket_0"), "top.cpus -> cpu");
    EXPECT_EQ(of.label("simple_initiator_socket_0"), "simple_initiator_socket_0 -> memory");
}

TEST(LinkNames, AddsTheSocketIfLabelsAreEqual)
{
    Names of;
    for (const char *number : {"0", "1", "2"})
        of.add(std::string("target.bus.simple_initiator_socket_") + number,
               *number == '2' ? "uart.in" : "memory.in");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_0"),
              "bus -> memory (simple_initiator_socket_0)");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_1.debug"),
              "bus -> memory (simple_initiator_socket_1) debug");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_2"), "bus -> uart");
    of.add("target.bus.simple_initiator_socket_1", "uart.in");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_0"), "bus -> memory");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_1"), "bus -> uart (simple_initiator_socket_1)");
}

TEST(LinkNames, ShowsTheNameOfALinkWithoutATarget)
{
    Names of;
    of.add("initiator.bus.simple_initiator_socket_0", "bus.simple_initiator_socket_0");
    of.add("target.", "memory.in");
    of.add("target.bus.simple_initiator_socket_1", "");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_0"), "bus.simple_initiator_socket_0");
    EXPECT_EQ(of.label("bus.simple_initiator_socket_1"), "bus.simple_initiator_socket_1");
    EXPECT_EQ(of.label(".dmi"), ".dmi");
    EXPECT_EQ(text(ftr_link_label(nullptr, view("a"))), "a");
}
