/* Searches the symbol tables of loaded libraries. dlsym() needs a handle to find symbols of
 * libraries that were opened with RTLD_LOCAL. dlopen() with RTLD_NOLOAD would return a handle, but
 * may run the constructors of a preloaded library again. */
#define _GNU_SOURCE
#include "loaded_symbols.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Tables of a library that the dynamic linker uses. */
typedef struct symbol_tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *hash; /* DT_GNU_HASH */
} symbol_tables;

typedef struct symbol_search {
    const char *symbol;
    const void *except;
    void *found;
    const char *path;
} symbol_search;

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Returns the address of a table. The dynamic linker has replaced the offsets in the dynamic
 * section by addresses, except in the vDSO. */
static const void *table_at(const struct dl_phdr_info *library, ElfW(Addr) value)
{
    const ElfW(Addr) address = value < library->dlpi_addr ? library->dlpi_addr + value : value;
    return (const void *)address; // NOLINT(performance-no-int-to-ptr)
}

static symbol_tables tables_of(const struct dl_phdr_info *library)
{
    symbol_tables tables = {0};
    for (unsigned i = 0; i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Addr) section = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        const ElfW(Dyn) *entry = (const void *)section; // NOLINT(performance-no-int-to-ptr)
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_SYMTAB)
                tables.symbols = table_at(library, entry->d_un.d_ptr);
            else if (entry->d_tag == DT_STRTAB)
                tables.names = table_at(library, entry->d_un.d_ptr);
            else if (entry->d_tag == DT_GNU_HASH)
                tables.hash = table_at(library, entry->d_un.d_ptr);
        }
    }
    return tables;
}

/* Layout of the hash table: four numbers, a Bloom filter, the first symbol of each bucket, and the
 * hash of each symbol. The lowest bit of a hash marks the last symbol of a bucket. */
static const ElfW(Sym) * find_symbol(const symbol_tables *tables, const char *name)
{
    const uint32_t buckets = tables->hash[0];
    const uint32_t first = tables->hash[1];
    const uint32_t *const bucket = tables->hash + 4 + tables->hash[2] * (sizeof(ElfW(Addr)) / 4);
    const uint32_t hash = hash_of(name);
    if (buckets == 0)
        return NULL;
    uint32_t i = bucket[hash % buckets];
    if (i < first)
        return NULL;
    for (const uint32_t *hashes = bucket + buckets - first;; i++) {
        const ElfW(Sym) *const symbol = &tables->symbols[i];
        if ((hashes[i] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            strcmp(tables->names + symbol->st_name, name) == 0)
            return symbol;
        if (hashes[i] & 1)
            return NULL;
    }
}

static bool contains(const struct dl_phdr_info *library, const void *address)
{
    for (unsigned i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *const segment = &library->dlpi_phdr[i];
        const ElfW(Addr) offset = (ElfW(Addr))address - library->dlpi_addr - segment->p_vaddr;
        if (segment->p_type == PT_LOAD && offset < segment->p_memsz)
            return true;
    }
    return false;
}

static int search_library(struct dl_phdr_info *library, size_t size, void *user)
{
    symbol_search *const search = user;
    (void)size;
    if (search->except != NULL && contains(library, search->except))
        return 0;
    const symbol_tables tables = tables_of(library);
    if (tables.symbols == NULL || tables.names == NULL || tables.hash == NULL)
        return 0;
    const ElfW(Sym) *const symbol = find_symbol(&tables, search->symbol);
    if (symbol == NULL)
        return 0;
    const ElfW(Addr) address = library->dlpi_addr + symbol->st_value;
    search->found = (void *)address; // NOLINT(performance-no-int-to-ptr)
    search->path = library->dlpi_name;
    return 1;
}

void *ftr_loaded_symbol(const char *symbol, const void *except, const char **path)
{
    symbol_search search = {symbol, except, NULL, NULL};
    dl_iterate_phdr(search_library, &search);
    if (path != NULL)
        *path = search.path;
    return search.found;
}
