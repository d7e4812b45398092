// The meaning of sections and keys.
#include "configuration_text.hpp"

#include <gtest/gtest.h>

extern "C" {
#include "trace_config.h"
}

namespace
{

const std::string templates = "[g]\nentry-trace = e\n";

class config_text : public configuration_text
{
  public:
    bool read(const std::string &text, bool warn = false)
    {
        return parse(text) && ftr_trace_config_read(files(), warn, &config);
    }

    ftr_trace_config config = {};
};

std::vector<std::string> names(const ftr_function_list &list)
{
    std::vector<std::string> all;
    for (std::size_t i = 0; i < list.count; ++i)
        all.emplace_back(list.items[i].name);
    return all;
}

using texts = std::vector<std::string>;

} // namespace

TEST(TraceConfig, FollowsSectionsThatNameSections)
{
    config_text t;
    ASSERT_TRUE(t.read("[tracer]\nname = n\ntraces = a\ntrace = zero\n"
                       "[a]\ntraces = b, c\ntrace = one\n[b]\ntrace = two\n"
                       "[c]\ngenerator = g\ntrace = three, four\n" +
                       templates))
        << t.said();
    EXPECT_EQ(names(t.config.traces), (texts{"zero", "one", "two", "three", "four"}));
    EXPECT_STREQ(t.config.generator.name, "g");
}

TEST(TraceConfig, UsesTheDefaultGeneratorIfNoneIsNamed)
{
    config_text t;
    ASSERT_TRUE(
        t.read("[tracer]\nname = n\ntrace = f\n[default-generator]\ngenerator = g\n" + templates));
    EXPECT_STREQ(t.config.generator.entry_trace, "e");
}

TEST(TraceConfig, ReadsHeadersDefinesAndSignaturesOfFunctionSections)
{
    config_text t;
    ASSERT_TRUE(t.read("[tracer]\nname = n\nfunctions = lib\ntraces = t\n"
                       "[lib]\nheaders = lib-headers\nheader = H0\ndefines = lib-defines\n"
                       "signatures = s1, s2\n"
                       "[lib-headers]\nheader = H1\nheader = H1\nheader = H2\n"
                       "[lib-defines]\n"
                       "[s1]\nf = void, void\n[s2]\ng = int, char *, int (*)(int, int)\n"
                       "[t]\ngenerator = g\ntrace = f\n" +
                       templates))
        << t.said();
    const ftr_function_section &lib = *t.config.functions[0];
    EXPECT_EQ(texts(lib.headers.names, lib.headers.names + lib.headers.count),
              (texts{"H0", "H1", "H2"}));
    EXPECT_EQ(lib.defines.count, 0U);
    EXPECT_EQ(ftr_trace_config_signature(&t.config, "f")->types.count, 1U);
    const ftr_written_signature *g = ftr_trace_config_signature(&t.config, "g");
    ASSERT_EQ(g->types.count, 3U);
    EXPECT_STREQ(g->types.names[2], "int (*)(int, int)");
    EXPECT_EQ(ftr_trace_config_signature(&t.config, "h"), nullptr);
}

TEST(TraceConfig, ReadsOptions)
{
    config_text t;
    ASSERT_TRUE(t.read("[tracer]\nname = n\noptions = a, b\ntraces = t\n"
                       "[a]\ndump-on-error = true\nverbose = yes\ngen-names = disable\n"
                       "gen-enables = global-on\n"
                       "[b]\ncc = my-cc -x\nstring-limit = 0\ngen-errno = disable\n"
                       "[t]\ngenerator = g\ntrace = f\n" +
                       templates));
    EXPECT_TRUE(t.config.options.dump_on_error);
    EXPECT_EQ(t.config.options.verbose, 1);
    EXPECT_TRUE(t.config.options.omit_names);
    EXPECT_FALSE(t.config.options.omit_signatures);
    EXPECT_TRUE(t.config.options.omit_errno);
    EXPECT_EQ(t.config.options.enables, FTR_BITMAP_ALL);
    EXPECT_EQ(t.config.options.triggers, FTR_BITMAP_LISTED);
    EXPECT_STREQ(t.config.options.cc, "my-cc -x");
    EXPECT_EQ(t.config.options.string_limit, 0U);
}

TEST(TraceConfig, DumpOnErrorFalseDisablesDumps)
{
    config_text t;
    ASSERT_TRUE(t.read("[tracer]\nname = n\noptions = a\ntraces = t\n[a]\ndump-on-error = false\n"
                       "[t]\ngenerator = g\ntrace = f\n" +
                       templates));
    EXPECT_FALSE(t.config.options.dump_on_error);
}

TEST(TraceConfig, KeepsEnablesAndTriggersApart)
{
    config_text t;
    ASSERT_TRUE(t.read("[tracer]\nname = n\ntraces = t\nenables = e\ntriggers = t\n"
                       "[e]\nenable = f, h*\n[t]\ngenerator = g\ntrace = f, g\ntrigger = g\n" +
                       templates));
    EXPECT_EQ(names(t.config.enables), (texts{"f", "h*"}));
    EXPECT_EQ(names(t.config.triggers), (texts{"g"}));
}

TEST(TraceConfig, AcceptsBothLockModels)
{
    for (const char *model : {"", "alloc", "trace"}) {
        config_text t;
        ASSERT_TRUE(t.read("[tracer]\nname = n\ntraces = t\n[t]\ngenerator = g\ntrace = f\n"
                           "[g]\nlock-model = " +
                           std::string(model) + "\n"));
        EXPECT_EQ(t.config.generator.lock_model,
                  std::string(model) == "trace" ? FTR_LOCK_TRACE : FTR_LOCK_ALLOC);
    }
}

TEST(TraceConfig, AcceptsUnknownKeysAndListsThemOnRequest)
{
    const std::string text = "[tracer]\nname = n\nbsp = sparc/sis\noptions = o\ntraces = t\n"
                             "[o]\nall-funcs = true\n[t]\ngenerator = g\ntrace = f\n" +
                             templates;
    config_text quiet;
    EXPECT_TRUE(quiet.read(text));
    EXPECT_EQ(quiet.said(), "");
    config_text warned;
    EXPECT_TRUE(warned.read(text, true));
    EXPECT_EQ(warned.said(), "warning: t.ini:3: [tracer] bsp: unknown key\n"
                             "warning: t.ini:7: [o] all-funcs: unknown key\n");
}
