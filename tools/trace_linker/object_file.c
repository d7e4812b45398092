/* Reads ELF files with libelf. */
#include "object_file.h"

#include <ar.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns true for LLVM bitcode, either plain or in the wrapper format that some targets use. */
static bool is_bitcode(const void *head)
{
    return memcmp(head, "BC\xc0\xde", 4) == 0 || memcmp(head, "\xde\xc0\x17\x0b", 4) == 0;
}

ftr_object_kind ftr_object_kind_of(const char *path)
{
    unsigned char head[20] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return FTR_OBJECT_MISSING;
    ssize_t got = read(fd, head, sizeof head);
    close(fd);
    if (got >= 8 && (memcmp(head, ARMAG, SARMAG) == 0 || memcmp(head, "!<thin>\n", 8) == 0))
        return FTR_OBJECT_ARCHIVE;
    if (got >= 4 && is_bitcode(head))
        return FTR_OBJECT_BITCODE;
    if (got < (ssize_t)sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return FTR_OBJECT_NOT_ELF;
    unsigned type = head[EI_DATA] == ELFDATA2MSB ? head[17] : head[16];
    if (type == ET_REL)
        return FTR_OBJECT_RELOCATABLE;
    return type == ET_DYN || type == ET_EXEC ? FTR_OBJECT_SHARED : FTR_OBJECT_NOT_ELF;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static bool find_section(Elf *elf, unsigned type, GElf_Shdr *header, Elf_Data **data)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, header) != NULL && header->sh_type == type) {
            *data = elf_getdata(section, NULL);
            return *data != NULL;
        }
    return false;
}

static void read_symbols(ftr_link_arena *arena, Elf *elf, ftr_object_file *object)
{
    GElf_Shdr header;
    Elf_Data *data;
    if (!find_section(elf, object->shared ? SHT_DYNSYM : SHT_SYMTAB, &header, &data) ||
        !header.sh_entsize)
        return;
    size_t count = header.sh_size / header.sh_entsize;
    object->symbols = ftr_link_arena_allocate(arena, count, sizeof *object->symbols);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        ftr_object_symbol *to = &object->symbols[i];
        to->name = "";
        if (gelf_getsym(data, (int)i, &symbol) == NULL)
            continue;
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        unsigned type = GELF_ST_TYPE(symbol.st_info);
        to->name = name != NULL ? ftr_arena_text(arena, name) : "";
        to->value = symbol.st_value;
        to->size = symbol.st_size;
        to->section = symbol.st_shndx;
        to->local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
        to->weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK;
        to->function = type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC;
        to->is_section = type == STT_SECTION;
        if (!object->shared && strcmp(to->name, "__gnu_lto_slim") == 0)
            object->lto = true;
    }
    object->symbol_count = count;
}

static bool is_intermediate_code(const char *name, const GElf_Shdr *header)
{
    (void)header;
    return strncmp(name, ".gnu.lto_", 9) == 0 || strcmp(name, ".llvm.lto") == 0;
}

static void add_object(ftr_link_arena *arena, Elf *elf, const char *name, bool member,
                       ftr_object_list *list)
{
    GElf_Ehdr header;
    size_t size = 0;
    const char *bytes = elf_rawfile(elf, &size);
    const bool bitcode = bytes != NULL && size >= 4 && is_bitcode(bytes);
    if (!bitcode && (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL))
        return;
    ftr_object_file *object = ftr_link_arena_allocate(arena, 1, sizeof *object);
    object->name = name;
    object->bytes = bytes;
    object->size = size;
    object->archive_member = member;
    object->linked = !member;
    object->lto = bitcode;
    if (!bitcode) {
        object->shared = header.e_type != ET_REL;
        read_symbols(arena, elf, object);
        object->fat =
            !object->lto && !object->shared && ftr_elf_has_section(elf, is_intermediate_code);
    }
    FTR_ARENA_APPEND(arena, list->objects, list->count, object);
}

/* The mapping of a file or of an archive's member. A member uses the mapping of its archive. The
 * archive comes after the member in the list, so its mapping is released later. */
struct ftr_object_mapping {
    Elf *elf;
    int fd; /* -1 for a member, which has no file descriptor */
    struct ftr_object_mapping *next;
};

static void keep_mapping(ftr_link_arena *arena, Elf *elf, int fd, ftr_object_list *list)
{
    ftr_object_mapping *mapping = ftr_link_arena_allocate(arena, 1, sizeof *mapping);
    *mapping = (ftr_object_mapping){elf, fd, list->mappings};
    list->mappings = mapping;
}

void ftr_object_list_release(ftr_object_list *list)
{
    for (; list->mappings != NULL; list->mappings = list->mappings->next) {
        elf_end(list->mappings->elf);
        if (list->mappings->fd >= 0)
            close(list->mappings->fd);
    }
}

static void add_members(ftr_link_arena *arena, Elf *archive, int fd, const char *path,
                        ftr_object_list *list)
{
    Elf *member;
    Elf_Cmd command = ELF_C_READ_MMAP;
    while ((member = elf_begin(fd, command, archive)) != NULL) {
        Elf_Arhdr *header = elf_getarhdr(member);
        if (header != NULL && header->ar_name != NULL && header->ar_name[0] != '/')
            add_object(arena, member, ftr_arena_print(arena, "%s(%s)", path, header->ar_name), true,
                       list);
        keep_mapping(arena, member, -1, list);
        command = elf_next(member);
    }
}

bool ftr_object_list_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                          ftr_object_list *list)
{
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        ftr_report_error(report, path, "%s", strerror(errno));
        return false;
    }
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf == NULL) {
        ftr_report_error(report, path, "%s", elf_errmsg(-1));
        close(fd);
        return false;
    }
    keep_mapping(arena, elf, fd, list);
    if (elf_kind(elf) == ELF_K_AR)
        add_members(arena, elf, fd, path, list);
    else
        add_object(arena, elf, path, false, list);
    return true;
}

/* ---- references ------------------------------------------------------------------------------ */

static bool is_call(unsigned machine, unsigned type)
{
    switch (machine) {
    case EM_X86_64:
        return type == R_X86_64_PLT32;
    case EM_386:
        return type == R_386_PLT32 || type == R_386_PC32;
    case EM_AARCH64:
        return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
    case EM_ARM:
        return type == R_ARM_CALL || type == R_ARM_JUMP24 || type == R_ARM_THM_PC22 ||
               type == R_ARM_THM_JUMP24 || type == R_ARM_PLT32;
    case EM_RISCV:
        return type == R_RISCV_CALL || type == R_RISCV_CALL_PLT || type == R_RISCV_JAL;
    default:
        return false;
    }
}

static int64_t instruction_bias(unsigned machine, unsigned type)
{
    bool relative = type == R_X86_64_PLT32 || type == R_X86_64_PC32;
    return machine == EM_X86_64 && relative ? 4 : 0;
}

static void add_reference(ftr_link_arena *arena, ftr_object_file *object, unsigned machine,
                          unsigned section, const GElf_Rela *from)
{
    unsigned type = (unsigned)GELF_R_TYPE(from->r_info);
    ftr_object_reference reference = {.offset = from->r_offset,
                                      .addend = from->r_addend + instruction_bias(machine, type),
                                      .section = section,
                                      .symbol = (unsigned)GELF_R_SYM(from->r_info),
                                      .call = is_call(machine, type)};
    if (reference.symbol < object->symbol_count)
        FTR_ARENA_APPEND(arena, object->references, object->reference_count, reference);
}

/* Returns true for sections with code or data of the program. Returns false for other sections, for
 * example unwind tables: they refer to every function, but contain no calls. */
static bool holds_code_or_data(Elf *elf, unsigned section)
{
    GElf_Shdr header;
    size_t names;
    Elf_Scn *target = elf_getscn(elf, section);
    if (target == NULL || gelf_getshdr(target, &header) == NULL || !(header.sh_flags & SHF_ALLOC) ||
        elf_getshdrstrndx(elf, &names) != 0)
        return false;
    const char *name = elf_strptr(elf, names, header.sh_name);
    return name != NULL && strncmp(name, ".eh_frame", 9) != 0 && strncmp(name, ".ARM.ex", 7) != 0;
}

void ftr_object_read_references(ftr_link_arena *arena, ftr_object_file *object)
{
    if (object->references_read)
        return;
    object->references_read = true;
    GElf_Ehdr header;
    Elf *elf = elf_memory((char *)object->bytes, object->size);
    if (elf == NULL || gelf_getehdr(elf, &header) == NULL) {
        elf_end(elf);
        return;
    }
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        GElf_Shdr relocations;
        if (gelf_getshdr(section, &relocations) == NULL || !relocations.sh_entsize ||
            (relocations.sh_type != SHT_RELA && relocations.sh_type != SHT_REL) ||
            !holds_code_or_data(elf, relocations.sh_info))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        int count = (int)(relocations.sh_size / relocations.sh_entsize);
        for (int i = 0; data != NULL && i < count; i++) {
            GElf_Rela rela = {0};
            GElf_Rel rel;
            if (relocations.sh_type == SHT_RELA) {
                if (gelf_getrela(data, i, &rela) == NULL)
                    continue;
            } else {
                if (gelf_getrel(data, i, &rel) == NULL)
                    continue;
                rela.r_offset = rel.r_offset;
                rela.r_info = rel.r_info;
            }
            add_reference(arena, object, header.e_machine, relocations.sh_info, &rela);
        }
    }
    elf_end(elf);
}

/* ---- debug information ----------------------------------------------------------------------- */

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size) {
        ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

void ftr_object_read_facts(ftr_link_arena *arena, ftr_object_file *object,
                           bool (*wanted)(void *user, const char *function), void *user)
{
    if (object->facts_read)
        return;
    object->facts_read = true;
    /* The object is copied to a temporary file, because libdwfl reads only whole files, and the
     * object may be a member of an archive. */
    int fd = memfd_create("object", MFD_CLOEXEC);
    if (fd < 0)
        return;
    if (!write_all(fd, object->bytes, object->size)) {
        close(fd);
        return;
    }
    ftr_dwarf_facts_read(arena, object->name, fd, wanted, user, &object->facts);
}

/* ---- queries --------------------------------------------------------------------------------- */

const ftr_object_symbol *ftr_object_definition(const ftr_object_file *object, const char *name)
{
    for (size_t i = 0; i < object->symbol_count; i++) {
        const ftr_object_symbol *symbol = &object->symbols[i];
        if (symbol->section && !symbol->local && symbol->function &&
            strcmp(symbol->name, name) == 0)
            return symbol;
    }
    return NULL;
}

bool ftr_object_needs(const ftr_object_file *object, const char *name)
{
    for (size_t i = 0; i < object->symbol_count; i++)
        if (!object->symbols[i].section && strcmp(object->symbols[i].name, name) == 0)
            return true;
    return false;
}

const ftr_object_symbol *ftr_object_function_at(const ftr_object_file *object, unsigned section,
                                                uint64_t offset)
{
    const ftr_object_symbol *found = NULL;
    for (size_t i = 0; i < object->symbol_count; i++) {
        const ftr_object_symbol *symbol = &object->symbols[i];
        if (symbol->section == section && symbol->function && *symbol->name &&
            offset >= symbol->value && offset - symbol->value < symbol->size)
            found = symbol;
    }
    return found;
}
