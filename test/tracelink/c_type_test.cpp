// How C types are spelled and compared.
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
    ~CType() override { arena_reset(&memory); }

    c_type *make(c_kind kind, const char *name, std::uint64_t size, c_type *target = nullptr)
    {
        auto *type = static_cast<c_type *>(arena_take(&memory, 1, sizeof(c_type)));
        type->kind = kind;
        type->name = name;
        type->size = size;
        type->target = target;
        return type;
    }
    c_type *number() { return make(C_SIGNED, "int", 4); }
    c_type *pointer(c_type *to) { return make(C_POINTER, nullptr, 8, to); }
    c_type *constant(c_type *of) { return make(C_CONST, nullptr, 0, of); }
    c_type *structure(const char *tag) { return make(C_STRUCT, tag, 8); }
    c_type *named(const char *name, c_type *of) { return make(C_TYPEDEF, name, 0, of); }
    c_type *function(c_type *result, c_type *parameter)
    {
        c_type *type = make(C_FUNCTION, nullptr, 0, result);
        add_parameter(type, parameter);
        return type;
    }
    void add_parameter(c_type *type, c_type *parameter)
    {
        type->parameters = static_cast<c_type **>(
            arena_grow(&memory, type->parameters, type->parameter_count, sizeof *type->parameters));
        type->parameters[type->parameter_count++] = parameter;
    }
    std::string spell(const c_type *type, const char *name, c_spelling how = C_AS_WRITTEN)
    {
        return c_type_declare(&memory, type, name, how);
    }

    arena memory = {};
};

} // namespace

TEST_F(CType, SpellsDeclaratorsInsideOut)
{
    c_type *row = make(C_ARRAY, nullptr, 12, number());
    row->elements = 3;
    EXPECT_EQ(spell(pointer(row), "rows"), "int (*rows)[3]");
    EXPECT_EQ(spell(pointer(function(pointer(number()), number())), "f"), "int *(*f)(int)");
    EXPECT_EQ(spell(constant(pointer(constant(number()))), "p"), "const int *const p");
    EXPECT_EQ(spell(pointer(pointer(constant(make(C_SIGNED, "char", 1)))), ""), "const char **");
}

TEST_F(CType, CanonicalSpellingNeedsNoHeader)
{
    EXPECT_EQ(spell(named("size_t", make(C_UNSIGNED, "long unsigned int", 8)), "n", C_CANONICAL),
              "long unsigned int n");
    EXPECT_EQ(spell(pointer(named("node", structure("node_s"))), "n", C_CANONICAL),
              "struct node_s *n");
    EXPECT_EQ(spell(pointer(named("anon", structure(nullptr))), "n", C_CANONICAL), "void *n");
    EXPECT_EQ(spell(make(C_ENUM, "color", 4), "c", C_CANONICAL), "unsigned int c");
}

TEST_F(CType, TypedefsQualifiersAndVoidPointersAreNoDifference)
{
    EXPECT_TRUE(c_type_same(named("myint", number()), constant(number())));
    EXPECT_TRUE(c_type_same(pointer(make(C_VOID, nullptr, 0)), pointer(structure("s"))));
    EXPECT_TRUE(c_type_same(make(C_ENUM, "e", 4), number()));
    EXPECT_TRUE(c_type_same(pointer(named("t", structure(nullptr))),
                            pointer(named("t", structure(nullptr)))));
}

TEST_F(CType, SizesSignsTagsAndKindsAreDifferences)
{
    EXPECT_FALSE(c_type_same(number(), make(C_SIGNED, "short", 2)));
    EXPECT_FALSE(c_type_same(number(), make(C_UNSIGNED, "unsigned", 4)));
    EXPECT_FALSE(c_type_same(pointer(structure("a")), pointer(structure("b"))));
    EXPECT_FALSE(c_type_same(make(C_UNSIGNED, "long", 8), pointer(number())));
    EXPECT_FALSE(c_type_same(pointer(number()), pointer(make(C_SIGNED, "char", 1))));
    EXPECT_FALSE(c_type_same(pointer(named("t", structure(nullptr))),
                             pointer(named("u", structure(nullptr)))));
}
