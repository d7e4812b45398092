// The macros of templates.
#include "configuration_text.hpp"

#include <gtest/gtest.h>

extern "C" {
#include "template_text.h"
}

namespace
{

class macros : public configuration_text
{
  public:
    std::string expand(const char *text)
    {
        const char *expanded = ftr_template_expand(memory(), messages(), text, &values);
        return expanded ? expanded : "error";
    }

    ftr_template_value argument = {"char *", "sizeof(char *)", "a2"};
    ftr_template_value returned = {"int", "sizeof(int)", "ret"};
    ftr_template_macros values = {"f", 7, nullptr, nullptr, nullptr, 0, nullptr, "t.ini:1: [g]"};
};

} // namespace

TEST(TemplateText, ReplacesTheMacrosOfTheFunction)
{
    macros m;
    EXPECT_EQ(m.expand("@FUNC_NAME@ @FUNC_INDEX@ &@FUNC_LABEL@;"), "\"f\" 7 &f;");
    EXPECT_EQ(m.expand("@FUNC_DATA_SIZE@ @FUNC_DATA_ENTRY_SIZE@ @FUNC_DATA_RET_SIZE@"),
              "FUNC_DATA_SIZE_f FUNC_DATA_ENTRY_SIZE_f FUNC_DATA_RET_SIZE_f");
}

TEST(TemplateText, ReplacesTheMacrosOfAnArgument)
{
    macros m;
    m.values.argument = &m.argument;
    m.values.argument_number = 2;
    EXPECT_EQ(m.expand("p(@ARG_NUM@, @ARG_TYPE@, @ARG_SIZE@, &@ARG_LABEL@);"),
              "p(2, \"char *\", sizeof(char *), &a2);");
}

TEST(TemplateText, ReplacesTheMacrosOfTheResult)
{
    macros m;
    m.values.returned = &m.returned;
    EXPECT_EQ(m.expand("@RET_TYPE@@RET_SIZE@@RET_LABEL@"), "\"int\"sizeof(int)ret");
}

TEST(TemplateText, KeepsOtherAtSigns)
{
    macros m;
    EXPECT_EQ(m.expand("a@b @lower@ @@ @"), "a@b @lower@ @@ @");
}

TEST(TemplateText, RefusesUnknownAndMisplacedMacros)
{
    macros m;
    EXPECT_EQ(m.expand("@RETG_SIZE@"), "error");
    EXPECT_EQ(m.expand("@ARG_NUM@"), "error");
    EXPECT_EQ(m.expand("@RET_TYPE@"), "error");
    EXPECT_EQ(m.said(), "error: t.ini:1: [g]: @RETG_SIZE@ is not a macro, or not valid here\n"
                        "error: t.ini:1: [g]: @ARG_NUM@ is not a macro, or not valid here\n"
                        "error: t.ini:1: [g]: @RET_TYPE@ is not a macro, or not valid here\n");
}
