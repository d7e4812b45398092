/* Reads debug information, with elfutils. */
#include "dwarf_signatures.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* Limits that only damaged debug information exceeds: the depth of nested types, and the number of
 * types in one signature. */
#define DEPTH_LIMIT 64
#define TYPES_LIMIT 10000
/* A limit that only damaged debug information exceeds: the depth of nested blocks within a
 * function. */
#define BLOCKS_LIMIT 256

typedef struct reading {
    ftr_link_arena *arena;
    const char *object;
    bool (*wanted)(void *user, const char *function);
    void *user;
    ftr_dwarf_facts *facts;
    bool big_endian;
    unsigned types; /**< number of types read for the current signature */
} reading;

static ftr_c_type *read_type(reading *r, Dwarf_Die *die, bool through_pointer, int depth);

static void report_damage(reading *r, const char *what)
{
    if (r->facts->damage == NULL)
        r->facts->damage = what != NULL ? ftr_arena_text(r->arena, what) : "not readable";
}

/* In damaged debug information, the siblings of an entry may form a loop. first_child() and
 * next_sibling() only go forward in the file, so every loop over children ends. */
static bool first_child(reading *r, Dwarf_Die *die, Dwarf_Die *child)
{
    int outcome = dwarf_child(die, child);
    if (outcome < 0)
        report_damage(r, dwarf_errmsg(-1));
    return outcome == 0;
}

static bool next_sibling(reading *r, Dwarf_Die *die)
{
    Dwarf_Die next;
    int outcome = dwarf_siblingof(die, &next);
    if (outcome < 0)
        report_damage(r, dwarf_errmsg(-1));
    else if (outcome == 0 && (const char *)next.addr <= (const char *)die->addr)
        report_damage(r, "an entry's sibling lies before it");
    else if (outcome == 0)
        *die = next;
    else
        return false;
    return outcome == 0 && r->facts->damage == NULL;
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name, Dwarf_Word otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_attr_integrate(die, name, &attribute) == NULL ||
        dwarf_formudata(&attribute, &value) != 0)
        return otherwise;
    return value;
}

static bool flag_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    bool flag = false;
    return dwarf_attr_integrate(die, name, &attribute) != NULL &&
           dwarf_formflag(&attribute, &flag) == 0 && flag;
}

/* Returns one name for each base type, because compilers use different names for the same base
 * type. */
static const char *plain_base_name(const char *name)
{
    static const char *const names[][2] = {{"short int", "short"},
                                           {"long int", "long"},
                                           {"long long int", "long long"},
                                           {"short unsigned int", "unsigned short"},
                                           {"long unsigned int", "unsigned long"},
                                           {"long long unsigned int", "unsigned long long"},
                                           {NULL, NULL}};
    for (size_t i = 0; name != NULL && names[i][0] != NULL; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return name;
}

/* Returns the name of an entry; NULL if the name is not a C identifier, because names are written
 * to generated C. The entry is then of another language, or damaged. */
static const char *name_of(reading *r, Dwarf_Die *die)
{
    const char *name = dwarf_diename(die);
    const bool spaced = dwarf_tag(die) == DW_TAG_base_type;
    for (const char *c = name; c != NULL && *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '$' && !(spaced && *c == ' ') &&
            !((unsigned char)*c & 0x80))
            return NULL;
    return name != NULL && *name ? ftr_arena_text(r->arena, name) : NULL;
}

static ftr_c_type *type_of(reading *r, Dwarf_Die *die, bool through_pointer, int depth)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == NULL ||
        dwarf_formref_die(&attribute, &type) == NULL)
        return ftr_link_arena_allocate(r->arena, 1, sizeof(ftr_c_type)); /* void */
    return read_type(r, &type, through_pointer, depth + 1);
}

static void read_base(Dwarf_Die *die, ftr_c_type *type)
{
    switch (number_of(die, DW_AT_encoding, 0)) {
    case DW_ATE_boolean:
        type->kind = FTR_C_BOOL;
        break;
    case DW_ATE_signed_char:
        type->is_char = true;
        type->kind = FTR_C_SIGNED;
        break;
    case DW_ATE_signed:
        type->kind = FTR_C_SIGNED;
        break;
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        type->is_char = type->size == 1;
        type->kind = FTR_C_UNSIGNED;
        break;
    case DW_ATE_unsigned:
        type->kind = FTR_C_UNSIGNED;
        break;
    case DW_ATE_float:
        type->kind = FTR_C_FLOAT;
        break;
    case DW_ATE_complex_float:
        type->kind = FTR_C_COMPLEX;
        break;
    default:
        type->kind = FTR_C_OTHER;
    }
    const bool in_a_word = type->kind != FTR_C_FLOAT && type->kind != FTR_C_COMPLEX;
    if ((type->size > 8 && in_a_word) || dwarf_hasattr(die, DW_AT_endianity))
        type->kind = FTR_C_OTHER;
}

/* Returns the C name of a complex type. Some compilers write "complex double", others only
 * "complex". */
static const char *complex_name(ftr_link_arena *arena, const ftr_c_type *type)
{
    static const char word[] = "complex";
    if (type->name == NULL || strncmp(type->name, word, sizeof word - 1) != 0)
        return type->name;
    if (type->name[sizeof word - 1])
        return ftr_arena_print(arena, "_Complex%s", type->name + sizeof word - 1);
    return type->size == 8    ? "_Complex float"
           : type->size == 16 ? "_Complex double"
                              : "_Complex long double";
}

/* Gets the value of a constant. Compilers write negative constants only in signed forms, so
 * constants in forms of fixed size are unsigned. */
static bool constant_of(Dwarf_Attribute *attribute, int64_t *value)
{
    unsigned form = dwarf_whatform(attribute);
    Dwarf_Sword with_sign;
    Dwarf_Word plain;
    if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
        if (dwarf_formsdata(attribute, &with_sign) != 0)
            return false;
        *value = with_sign;
        return true;
    }
    if (dwarf_formudata(attribute, &plain) != 0)
        return false;
    *value = (int64_t)plain;
    return true;
}

static void read_enumerators(reading *r, Dwarf_Die *die, ftr_c_type *type)
{
    Dwarf_Die child;
    type->kind = FTR_C_ENUM;
    if (!first_child(r, die, &child))
        return;
    do {
        Dwarf_Attribute attribute;
        int64_t value;
        if (dwarf_tag(&child) != DW_TAG_enumerator ||
            dwarf_attr(&child, DW_AT_const_value, &attribute) == NULL ||
            !constant_of(&attribute, &value))
            continue;
        ftr_c_enumerator enumerator = {name_of(r, &child), value};
        if (enumerator.name == NULL)
            continue;
        type->is_signed |= value < 0;
        FTR_ARENA_APPEND(r->arena, type->enumerators, type->enumerator_count, enumerator);
    } while (next_sibling(r, &child));
}

/* Returns the offset of a bit field in bits from the beginning of the struct. Since DWARF 4, debug
 * information contains this offset. Older debug information contains the offset from the most
 * significant bit of the storage unit. */
static uint64_t bit_offset(const reading *r, Dwarf_Die *die, const ftr_c_member *member)
{
    if (dwarf_hasattr(die, DW_AT_data_bit_offset))
        return number_of(die, DW_AT_data_bit_offset, FTR_C_BIT_UNKNOWN);
    if (!dwarf_hasattr(die, DW_AT_bit_offset))
        return dwarf_hasattr(die, DW_AT_data_member_location) ? FTR_C_BIT_UNKNOWN : 0;
    const uint64_t unit = 8 * number_of(die, DW_AT_byte_size, ftr_c_type_bare(member->type)->size);
    const uint64_t from_top = number_of(die, DW_AT_bit_offset, 0);
    return 8 * member->offset +
           (r->big_endian ? from_top : unit - from_top - (uint64_t)member->bits);
}

static void read_members(reading *r, Dwarf_Die *die, ftr_c_type *type, int depth)
{
    Dwarf_Die child;
    if (!first_child(r, die, &child))
        return;
    do {
        if (dwarf_tag(&child) != DW_TAG_member || flag_of(&child, DW_AT_declaration))
            continue;
        ftr_c_member member = {.name = name_of(r, &child),
                               .type = type_of(r, &child, false, depth),
                               .offset = number_of(&child, DW_AT_data_member_location, 0),
                               .bits = (unsigned)number_of(&child, DW_AT_bit_size, 0),
                               .alignment = number_of(&child, DW_AT_alignment, 0)};
        if (member.bits)
            member.offset = bit_offset(r, &child, &member);
        FTR_ARENA_APPEND(r->arena, type->members, type->member_count, member);
    } while (next_sibling(r, &child));
}

static void read_array(reading *r, Dwarf_Die *die, ftr_c_type *type, int depth)
{
    Dwarf_Word counts[8];
    unsigned dimensions = 0;
    Dwarf_Die child;
    if (first_child(r, die, &child))
        do {
            if (dwarf_tag(&child) != DW_TAG_subrange_type || dimensions == 8)
                continue;
            Dwarf_Word upper = number_of(&child, DW_AT_upper_bound, UINT64_MAX);
            counts[dimensions++] = number_of(&child, DW_AT_count, upper + 1);
        } while (next_sibling(r, &child));
    ftr_c_type *element = type_of(r, die, false, depth);
    if (flag_of(die, DW_AT_GNU_vector)) {
        type->kind = FTR_C_VECTOR;
        type->target = element;
        type->elements = dimensions ? counts[0] : 0;
        type->size = type->elements * ftr_c_type_bare(element)->size;
        return;
    }
    while (dimensions > 1) {
        ftr_c_type *row = ftr_link_arena_allocate(r->arena, 1, sizeof *row);
        row->kind = FTR_C_ARRAY;
        row->elements = counts[--dimensions];
        row->size = row->elements * element->size;
        row->target = element;
        element = row;
    }
    type->kind = FTR_C_ARRAY;
    type->target = element;
    type->elements = dimensions ? counts[0] : 0;
    type->size = type->elements * ftr_c_type_bare(element)->size;
}

static void read_function_type(reading *r, Dwarf_Die *die, ftr_c_type *type, int depth)
{
    Dwarf_Die child;
    type->kind = FTR_C_FUNCTION;
    type->target = type_of(r, die, true, depth);
    if (!first_child(r, die, &child))
        return;
    do {
        if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
            type->variadic = true;
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        ftr_c_type *parameter = type_of(r, &child, true, depth);
        FTR_ARENA_APPEND(r->arena, type->parameters, type->parameter_count, parameter);
    } while (next_sibling(r, &child));
}

static void read_pointer(reading *r, Dwarf_Die *die, ftr_c_type *type, int depth)
{
    Dwarf_Attribute size;
    type->kind = FTR_C_POINTER;
    if (dwarf_attr(die, DW_AT_byte_size, &size) == NULL) {
        Dwarf_Die unit;
        uint8_t address_size = sizeof(void *);
        if (dwarf_diecu(die, &unit, &address_size, NULL) != NULL)
            type->size = address_size;
    }
    type->target = type_of(r, die, true, depth);
}

static ftr_c_type *read_type(reading *r, Dwarf_Die *die, bool through_pointer, int depth)
{
    ftr_c_type *type = ftr_link_arena_allocate(r->arena, 1, sizeof *type);
    if (depth > DEPTH_LIMIT || ++r->types > TYPES_LIMIT) {
        report_damage(r, "an endless chain of types");
        type->kind = FTR_C_OTHER;
        return type;
    }
    type->name = name_of(r, die);
    type->size = number_of(die, DW_AT_byte_size, 0);
    type->alignment = number_of(die, DW_AT_alignment, 0);
    switch (dwarf_tag(die)) {
    case DW_TAG_base_type:
        type->name = complex_name(r->arena, type);
        type->name = plain_base_name(type->name);
        read_base(die, type);
        break;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        read_pointer(r, die, type, depth);
        break;
    case DW_TAG_typedef:
        if (type->name == NULL)
            return type_of(r, die, through_pointer, depth);
        type->kind = FTR_C_TYPEDEF;
        type->target = type_of(r, die, through_pointer, depth);
        break;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
        type->kind = dwarf_tag(die) == DW_TAG_const_type ? FTR_C_CONST : FTR_C_VOLATILE;
        type->target = type_of(r, die, through_pointer, depth);
        break;
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
        return type_of(r, die, through_pointer, depth);
    case DW_TAG_enumeration_type:
        read_enumerators(r, die, type);
        break;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        type->kind = dwarf_tag(die) == DW_TAG_union_type ? FTR_C_UNION : FTR_C_STRUCT;
        if (!through_pointer)
            read_members(r, die, type, depth);
        break;
    case DW_TAG_array_type:
        read_array(r, die, type, depth);
        break;
    case DW_TAG_subroutine_type:
        read_function_type(r, die, type, depth);
        break;
    default:
        type->kind = FTR_C_OTHER;
    }
    return type;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Returns the name of a function's symbol, which the linker uses. */
static const char *linker_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) != NULL) {
        const char *name = dwarf_formstring(&attribute);
        if (name != NULL)
            return name;
    }
    return dwarf_diename(die);
}

static void read_parameters(reading *r, Dwarf_Die *die, ftr_c_signature *signature)
{
    Dwarf_Die child;
    if (!first_child(r, die, &child))
        return;
    do {
        if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
            signature->variadic = true;
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        ftr_c_parameter parameter = {name_of(r, &child), type_of(r, &child, false, 0)};
        if (ftr_c_type_bare(parameter.type)->kind == FTR_C_VOID)
            report_damage(r, "a parameter without a type");
        FTR_ARENA_APPEND(r->arena, signature->parameters, signature->count, parameter);
    } while (next_sibling(r, &child));
}

static void read_function(reading *r, Dwarf_Die *die, const char *name)
{
    Dwarf_Attribute origin;
    if (dwarf_attr(die, DW_AT_abstract_origin, &origin) != NULL)
        return; /* the signature is in the abstract instance */
    ftr_c_signature *signature = ftr_link_arena_allocate(r->arena, 1, sizeof *signature);
    r->types = 0;
    signature->function = ftr_arena_text(r->arena, name);
    signature->object = r->object;
    signature->result = type_of(r, die, false, 0);
    signature->definition = !flag_of(die, DW_AT_declaration);
    signature->noreturn = flag_of(die, DW_AT_noreturn);
    signature->unprototyped = !flag_of(die, DW_AT_prototyped);
    read_parameters(r, die, signature);
    FTR_ARENA_APPEND(r->arena, r->facts->signatures, r->facts->count, signature);
}

static void read_call(reading *r, Dwarf_Die *die, unsigned attribute_name, bool inlined,
                      const char *caller)
{
    Dwarf_Attribute attribute;
    Dwarf_Die callee;
    if (dwarf_attr(die, attribute_name, &attribute) == NULL ||
        dwarf_formref_die(&attribute, &callee) == NULL)
        return;
    const char *name = linker_name(&callee);
    if (name == NULL || !r->wanted(r->user, name))
        return;
    ftr_dwarf_call call = {ftr_arena_text(r->arena, name), caller, inlined};
    FTR_ARENA_APPEND(r->arena, r->facts->calls, r->facts->call_count, call);
}

/* Searches the body of the function or block @p die for calls, including inlined ones. */
static void read_calls(reading *r, Dwarf_Die *die, const char *caller, int depth)
{
    Dwarf_Die child;
    if (depth > BLOCKS_LIMIT)
        report_damage(r, "blocks without end");
    if (depth > BLOCKS_LIMIT || !first_child(r, die, &child))
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_inlined_subroutine:
            read_call(r, &child, DW_AT_abstract_origin, true, caller);
            read_calls(r, &child, caller, depth + 1);
            break;
        case DW_TAG_lexical_block:
            read_calls(r, &child, caller, depth + 1);
            break;
        case DW_TAG_call_site:
            read_call(r, &child, DW_AT_call_origin, false, caller);
            break;
        case DW_TAG_GNU_call_site:
            read_call(r, &child, DW_AT_abstract_origin, false, caller);
            break;
        default:
            break;
        }
    } while (next_sibling(r, &child));
}

static void read_unit(reading *r, Dwarf_Die *unit)
{
    Dwarf_Die child;
    if (!first_child(r, unit, &child))
        return;
    do {
        if (dwarf_tag(&child) != DW_TAG_subprogram)
            continue;
        const char *name = linker_name(&child);
        if (name == NULL)
            continue;
        if (r->wanted(r->user, name) && flag_of(&child, DW_AT_external))
            read_function(r, &child, name);
        read_calls(r, &child, ftr_arena_text(r->arena, name), 0);
    } while (next_sibling(r, &child));
}

/* Called by libdwfl to find separate debug information. Never finds any, so that libdwfl reads only
 * the object itself, and no other file and no server. */
static int no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                        const char *file, const char *link, GElf_Word checksum, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)checksum,
        (void)found;
    return -1;
}

bool ftr_elf_has_section(Elf *elf, bool (*is_wanted)(const char *name, const GElf_Shdr *header))
{
    Elf_Scn *section = NULL;
    size_t names;
    GElf_Shdr header;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *name =
            gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && is_wanted(name, &header))
            return true;
    }
    return false;
}

static bool is_debug_information(const char *name, const GElf_Shdr *header)
{
    return strcmp(name, ".debug_info") == 0 && header->sh_size > 0;
}

static void read_module(reading *r, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    GElf_Ehdr header;
    Elf *elf = module != NULL ? dwfl_module_getelf(module, &bias) : NULL;
    if (elf == NULL || !ftr_elf_has_section(elf, is_debug_information))
        return;
    if (dwfl_module_getdwarf(module, &bias) == NULL) {
        report_damage(r, dwfl_errmsg(-1));
        return;
    }
    r->big_endian = gelf_getehdr(elf, &header) != NULL && header.e_ident[EI_DATA] == ELFDATA2MSB;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL) {
        r->facts->present = true;
        read_unit(r, unit);
    }
    if (!r->facts->present)
        report_damage(r, "none of its units can be read");
}

void ftr_dwarf_facts_read(ftr_link_arena *arena, const char *object, int fd,
                          bool (*wanted)(void *user, const char *function), void *user,
                          ftr_dwarf_facts *facts)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = no_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    reading r = {.arena = arena, .object = object, .wanted = wanted, .user = user, .facts = facts};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl == NULL) {
        close(fd);
        return;
    }
    dwfl_report_begin(dwfl);
    Dwfl_Module *module = dwfl_report_offline(dwfl, object, object, fd);
    if (module == NULL)
        close(fd);
    dwfl_report_end(dwfl, NULL, NULL);
    read_module(&r, module);
    dwfl_end(dwfl);
}
