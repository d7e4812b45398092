/* Reads the tables of the wrappers (__rtld_trace_names, __rtld_trace_signatures) from a program,
 * and combines them with its debug information. The program may be for any machine. */
#include "trace_program.h"

#include "dwarf_signatures.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#define TEXT_LIMIT 4096
#define FUNCTIONS_LIMIT 65536
#define ARGUMENTS_LIMIT 256

typedef struct reading {
    ftr_link_arena *arena;
    ftr_link_report *report;
    const char *path;
    Elf *elf;
    bool wide; /**< pointers have 8 bytes, not 4 */
    bool big_endian;
    ftr_trace_program *program;
} reading;

/* ---- memory of the loaded program ------------------------------------------------------------ */

/* Returns the bytes at an address; NULL if no section contains it. @p left: number of bytes up to
 * the end of the section */
static const unsigned char *bytes_at(reading *r, uint64_t address, uint64_t *left)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(r->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || !(header.sh_flags & SHF_ALLOC) ||
            header.sh_type == SHT_NOBITS || address < header.sh_addr ||
            address - header.sh_addr >= header.sh_size)
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        uint64_t offset = address - header.sh_addr;
        if (data == NULL || data->d_buf == NULL || offset >= data->d_size)
            return NULL;
        *left = data->d_size - offset;
        return (const unsigned char *)data->d_buf + offset;
    }
    return NULL;
}

static bool number_at(reading *r, uint64_t address, unsigned size, uint64_t *number)
{
    uint64_t left;
    const unsigned char *bytes = bytes_at(r, address, &left);
    if (bytes == NULL || left < size)
        return false;
    *number = 0;
    for (unsigned i = 0; i < size; i++)
        *number |= (uint64_t)bytes[i] << 8 * (r->big_endian ? size - 1 - i : i);
    return true;
}

/* Gets the pointer that the loader stores at an address of a position-independent program. @return
 * false if the loader stores no pointer there */
static bool relocated_at(reading *r, uint64_t address, uint64_t *value)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(r->elf, section)) != NULL) {
        GElf_Shdr header;
        GElf_Rela rela;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_RELA ||
            !header.sh_entsize || !(header.sh_flags & SHF_ALLOC))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data != NULL && i < header.sh_size / header.sh_entsize; i++)
            if (gelf_getrela(data, (int)i, &rela) != NULL && rela.r_offset == address) {
                *value = (uint64_t)rela.r_addend;
                return true;
            }
    }
    return false;
}

static bool pointer_at(reading *r, uint64_t address, uint64_t *pointer)
{
    if (!number_at(r, address, r->wide ? 8 : 4, pointer))
        return false;
    return *pointer || relocated_at(r, address, pointer);
}

static const char *text_at(reading *r, uint64_t address)
{
    uint64_t left;
    const unsigned char *bytes = bytes_at(r, address, &left);
    if (bytes == NULL)
        return NULL;
    size_t length = strnlen((const char *)bytes, left < TEXT_LIMIT ? left : TEXT_LIMIT);
    if (length == left || length == TEXT_LIMIT)
        return NULL;
    return ftr_arena_copy(r->arena, (const char *)bytes, length);
}

static bool symbol_at(reading *r, const char *name, uint64_t *address)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(r->elf, section)) != NULL) {
        GElf_Shdr header;
        GElf_Sym symbol;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB ||
            !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data != NULL && i < header.sh_size / header.sh_entsize; i++) {
            const char *found = gelf_getsym(data, (int)i, &symbol) != NULL
                                    ? elf_strptr(r->elf, header.sh_link, symbol.st_name)
                                    : NULL;
            if (found != NULL && symbol.st_shndx && strcmp(found, name) == 0) {
                *address = symbol.st_value;
                return true;
            }
        }
    }
    return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static bool broken(reading *r, const char *what)
{
    ftr_report_error(r->report, r->path, "%s", what);
    return false;
}

static bool read_names(reading *r)
{
    uint64_t names;
    uint64_t size;
    uint64_t count;
    if (!symbol_at(r, "__rtld_trace_names", &names) ||
        !symbol_at(r, "__rtld_trace_names_size", &size) || !number_at(r, size, 4, &count))
        return broken(r, "has no table of traced functions (stripped, or gen-names = disable)");
    if (!count || count > FUNCTIONS_LIMIT)
        return broken(r, "its table of traced functions is invalid");
    r->program->functions = ftr_link_arena_allocate(r->arena, count, sizeof *r->program->functions);
    r->program->count = count;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t text;
        const char *name =
            pointer_at(r, names + i * (r->wide ? 8 : 4), &text) ? text_at(r, text) : NULL;
        if (name == NULL)
            return broken(r, "the name of a traced function cannot be read");
        r->program->functions[i].name = name;
    }
    return true;
}

static bool read_value(reading *r, uint64_t address, ftr_traced_value *value)
{
    uint64_t size;
    uint64_t text;
    if (!number_at(r, address, 4, &size) || !pointer_at(r, address + (r->wide ? 8 : 4), &text))
        return false;
    value->size = (uint32_t)size;
    value->type_text = text_at(r, text);
    return value->type_text != NULL;
}

static bool read_signature(reading *r, uint64_t address, ftr_program_function *function)
{
    uint64_t argc;
    uint64_t values;
    const unsigned stride = r->wide ? 16 : 8;
    if (!number_at(r, address, 4, &argc) || !pointer_at(r, address + stride / 2, &values) ||
        !argc || argc > ARGUMENTS_LIMIT || !read_value(r, values, &function->result))
        return false;
    function->result.name = "return";
    function->arguments = ftr_link_arena_allocate(r->arena, argc, sizeof *function->arguments);
    for (uint64_t i = 1; i < argc; i++) {
        ftr_traced_value *argument = &function->arguments[function->count];
        if (!read_value(r, values + i * stride, argument))
            return false;
        if (!argument->size)
            break; /* the type is void: the function has no arguments */
        argument->name = ftr_arena_print(r->arena, "a%u", (unsigned)i);
        function->count++;
    }
    return true;
}

static bool read_signatures(reading *r)
{
    uint64_t signatures;
    if (!symbol_at(r, "__rtld_trace_signatures", &signatures))
        return broken(r, "has no table of signatures (gen-sigs = disable): the arguments in its "
                         "records cannot be separated");
    for (size_t i = 0; i < r->program->count; i++)
        if (!read_signature(r, signatures + i * (r->wide ? 16 : 8), &r->program->functions[i]))
            return broken(r, "the signature of a traced function cannot be read");
    return true;
}

/* ---- debug information ----------------------------------------------------------------------- */

static bool is_wrapper_of(const char *wrapper, const char *name)
{
    return strncmp(wrapper, "__wrap_", 7) == 0 && strcmp(wrapper + 7, name) == 0;
}

static bool wants(void *user, const char *function)
{
    const ftr_trace_program *program = user;
    for (size_t i = 0; i < program->count; i++)
        if (strcmp(program->functions[i].name, function) == 0 ||
            is_wrapper_of(function, program->functions[i].name))
            return true;
    return false;
}

static void set_type(ftr_traced_value *value, const ftr_c_type *type, const char *name)
{
    if (ftr_c_type_bare(type)->size == value->size)
        value->type = type;
    if (name != NULL)
        value->name = name;
}

static void set_types(ftr_program_function *function, const ftr_c_signature *signature)
{
    if (signature->count != function->count)
        return;
    if (function->result.size)
        set_type(&function->result, signature->result, NULL);
    for (size_t i = 0; i < function->count; i++)
        set_type(&function->arguments[i], signature->parameters[i].type,
                 signature->parameters[i].name);
}

/* Sets types and names from the debug information of three sources: first of the wrapper, which has
 * at least the types; then of declarations; and last of definitions, which have the names. Later
 * sources replace earlier ones. */
static void read_types(reading *r)
{
    ftr_dwarf_facts facts = {0};
    int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ftr_dwarf_facts_read(r->arena, r->path, fd, wants, r->program, &facts);
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < facts.count; i++)
            for (size_t k = 0; k < r->program->count; k++) {
                const ftr_c_signature *signature = facts.signatures[i];
                ftr_program_function *function = &r->program->functions[k];
                bool same = strcmp(signature->function, function->name) == 0;
                if (pass == 0   ? is_wrapper_of(signature->function, function->name)
                    : pass == 1 ? same && !signature->definition
                                : same && signature->definition)
                    set_types(function, signature);
            }
}

static bool read_program(reading *r)
{
    GElf_Ehdr header;
    uint64_t mode;
    uint64_t value;
    if (elf_kind(r->elf) != ELF_K_ELF || gelf_getehdr(r->elf, &header) == NULL)
        return broken(r, "is not an ELF program");
    r->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    r->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    r->program->big_endian = r->big_endian;
    if (!read_names(r) || !read_signatures(r))
        return false;
    r->program->has_mode = symbol_at(r, "__rtld_tbg_mode", &mode) && number_at(r, mode, 4, &value);
    if (r->program->has_mode)
        r->program->mode = (uint32_t)value;
    return true;
}

bool ftr_trace_program_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                            ftr_trace_program *program)
{
    reading r = {.arena = arena, .report = report, .path = path, .program = program};
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        ftr_report_error(report, path, "%s", strerror(errno));
        return false;
    }
    r.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    bool good = r.elf != NULL ? read_program(&r) : broken(&r, "is not an ELF program");
    elf_end(r.elf);
    close(fd);
    if (good)
        read_types(&r);
    return good;
}
