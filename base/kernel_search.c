/* Searches the file of a program for a SystemC kernel, by the patterns that identify the kernel. */
#include "kernel_search.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The type name of sc_module, with a NUL before and after it, as in the object file that defines
 * the class. The type names of derived classes contain this name only as a part. */
static const char MODULE_NAME[] = "\0N7sc_core9sc_moduleE";

/* The name of a variable of the kernel. Every program with a shared kernel imports or exports this
 * variable. */
static const char SHARED_NAME[] = "_ZN7sc_core18sc_curr_simcontextE";

/* The type name of a class of the plug-in of `ftr attach`. The name has no NUL before it, because
 * some compilers write a character there that marks a type as local to its source file. */
static const char PLUGIN_NAME[] = "N3ftr6attach12_GLOBAL__N_110attachmentE";

static bool is_program(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

bool ftr_find_program(const char *program, char *path, unsigned long size)
{
    if (strchr(program, '/') != NULL) {
        if (!is_program(program) || strlen(program) >= size)
            return false;
        memcpy(path, program, strlen(program) + 1);
        return true;
    }
    const char *folders = secure_getenv("PATH");
    for (const char *at = folders != NULL ? folders : "/bin:/usr/bin"; at != NULL;) {
        const char *end = strchrnul(at, ':');
        char candidate[4096];
        const int length = snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)(end - at), at,
                                    end == at ? "" : "/", program);
        if (length > 0 && (size_t)length < sizeof candidate && (size_t)length < size &&
            is_program(candidate)) {
            memcpy(path, candidate, (size_t)length + 1);
            return true;
        }
        at = *end ? end + 1 : NULL;
    }
    return false;
}

/* Returns true if @p count items of @p item bytes at @p offset lie within @p size bytes. */
static bool is_within(uint64_t size, uint64_t offset, uint64_t count, uint64_t item)
{
    return offset <= size && (item == 0 || count <= (size - offset) / item);
}

/* Returns true if the dynamic symbols of the file include the shared variable. */
static bool is_shared(const uint8_t *file, uint64_t size)
{
    Elf64_Ehdr head;
    memcpy(&head, file, sizeof head);
    if (head.e_shentsize != sizeof(Elf64_Shdr) ||
        !is_within(size, head.e_shoff, head.e_shnum, sizeof(Elf64_Shdr)))
        return false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr symbols;
        Elf64_Shdr names;
        memcpy(&symbols, file + head.e_shoff + i * sizeof symbols, sizeof symbols);
        if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= head.e_shnum)
            continue;
        memcpy(&names, file + head.e_shoff + symbols.sh_link * sizeof names, sizeof names);
        if (is_within(size, names.sh_offset, names.sh_size, 1) &&
            memmem(file + names.sh_offset, names.sh_size, SHARED_NAME, sizeof SHARED_NAME) != NULL)
            return true;
    }
    return false;
}

/* Maps the file of a program. Returns NULL if the file cannot be mapped, or is not an ELF file of
 * 64 bits. */
static uint8_t *map_program(const char *path, uint64_t *size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *file = MAP_FAILED;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &about) == 0 && (uint64_t)about.st_size >= sizeof(Elf64_Ehdr))
        file = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return NULL;
    uint8_t *const bytes = file;
    *size = (uint64_t)about.st_size;
    if (memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64)
        return bytes;
    munmap(file, (size_t)about.st_size);
    return NULL;
}

bool ftr_has_hidden_kernel(const char *path)
{
    uint64_t size;
    uint8_t *const file = map_program(path, &size);
    if (file == NULL)
        return false;
    const bool hidden = memmem(file, size, MODULE_NAME, sizeof MODULE_NAME) != NULL &&
                        memmem(file, size, PLUGIN_NAME, sizeof PLUGIN_NAME) == NULL &&
                        !is_shared(file, size);
    munmap(file, size);
    return hidden;
}

bool ftr_has_visible_kernel(const char *path)
{
    uint64_t size;
    uint8_t *const file = map_program(path, &size);
    if (file == NULL)
        return false;
    const bool visible = is_shared(file, size);
    munmap(file, size);
    return visible;
}
