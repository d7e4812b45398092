// Spelling and comparison of C types.
#include <gtest/gtest.h>

#include <string>

extern "C" {
#include "c_type.h"
}

namespace
{

class CType : public testing::Test
{
  protected:
    ~CType() override { ftr_arena_reset(&memory); }

    ftr_c_type *make(ftr_c_kind kind, const char *name, std::uint64_t size,
                     ftr_c_type *target = nullptr)
    {
        auto *type =
            static_cast<ftr_c_type *>(ftr_link_arena_allocate(&memory, 1, sizeof(ftr_c_type)));
        type->kind = kind;
        type->name = name;
        type->size = size;
        type->target = target;
        return type;
    }
    ftr_c_type *number() { return make(FTR_C_SIGNED, "int", 4); }
    ftr_c_type *pointer(ftr_c_type *to) { return make(FTR_C_POINTER, nullptr, 8, to); }
    ftr_c_type *constant(ftr_c_type *of) { return make(FTR_C_CONST, nullptr, 0, of); }
    ftr_c_type *structure(const char *tag) { return make(FTR_C_STRUCT, tag, 8); }
    ftr_c_type *named(const char *name, ftr_c_type *of) { return make(FTR_C_TYPEDEF, name, 0, of); }
    ftr_c_type *function(ftr_c_type *result, ftr_c_type *parameter)
    {
        ftr_c_type *type = make(FTR_C_FUNCTION, nullptr, 0, result);
        add_parameter(type, parameter);
        return type;
    }
    void add_parameter(ftr_c_type *type, ftr_c_type *parameter)
    {
        type->parameters = static_cast<ftr_c_type **>(ftr_link_arena_grow(
            &memory, type->parameters, type->parameter_count, sizeof *type->parameters));
        type->parameters[type->parameter_count++] = parameter;
    }
    std::string spell(const ftr_c_type *type, const char *name,
                      ftr_c_spelling how = FTR_C_AS_WRITTEN)
    {
        return ftr_c_type_declare(&memory, type, name, how);
    }

    ftr_link_arena memory = {};
};

} // namespace

TEST_F(CType, SpellsDeclaratorsInsideOut)
{
    ftr_c_type *row = make(FTR_C_ARRAY, nullptr, 12, number());
    row->elements = 3;
    EXPECT_EQ(spell(pointer(row), "rows"), "int (*rows)[3]");
    EXPECT_EQ(spell(pointer(function(pointer(number()), number())), "f"), "int *(*f)(int)");
    EXPECT_EQ(spell(constant(pointer(constant(number()))), "p"), "const int *const p");
    EXPECT_EQ(spell(pointer(pointer(constant(make(FTR_C_SIGNED, "char", 1)))), ""),
              "const char **");
}

TEST_F(CType, CanonicalSpellingNeedsNoHeader)
{
    EXPECT_EQ(
        spell(named("size_t", make(FTR_C_UNSIGNED, "long unsigned int", 8)), "n", FTR_C_CANONICAL),
        "long unsigned int n");
    EXPECT_EQ(spell(pointer(named("node", structure("node_s"))), "n", FTR_C_CANONICAL),
              "struct node_s *n");
    EXPECT_EQ(spell(pointer(named("anon", structure(nullptr))), "n", FTR_C_CANONICAL), "void *n");
    EXPECT_EQ(spell(make(FTR_C_ENUM, "color", 4), "c", FTR_C_CANONICAL), "unsigned int c");
}

TEST_F(CType, IgnoresTypedefsQualifiersAndVoidPointers)
{
    EXPECT_TRUE(ftr_c_type_same(named("myint", number()), constant(number())));
    EXPECT_TRUE(ftr_c_type_same(pointer(make(FTR_C_VOID, nullptr, 0)), pointer(structure("s"))));
    EXPECT_TRUE(ftr_c_type_same(make(FTR_C_ENUM, "e", 4), number()));
    EXPECT_TRUE(ftr_c_type_same(pointer(named("t", structure(nullptr))),
                                pointer(named("t", structure(nullptr)))));
}

TEST_F(CType, SizesSignsTagsAndKindsAreDifferences)
{
    EXPECT_FALSE(ftr_c_type_same(number(), make(FTR_C_SIGNED, "short", 2)));
    EXPECT_FALSE(ftr_c_type_same(number(), make(FTR_C_UNSIGNED, "unsigned", 4)));
    EXPECT_FALSE(ftr_c_type_same(pointer(structure("a")), pointer(structure("b"))));
    EXPECT_FALSE(ftr_c_type_same(make(FTR_C_UNSIGNED, "long", 8), pointer(number())));
    EXPECT_FALSE(ftr_c_type_same(pointer(number()), pointer(make(FTR_C_SIGNED, "char", 1))));
    EXPECT_FALSE(ftr_c_type_same(pointer(named("t", structure(nullptr))),
                                 pointer(named("u", structure(nullptr)))));
}
