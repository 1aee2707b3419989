/* Finds the place where a library keeps the address of an imported function. */
#include "base/redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__LP64__)

/* The tables of a library that say where it keeps what it imports. */
struct imports {
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2]; /* functions, and the rest */
    size_t bytes[2];
};

/* Some loaders note addresses, others the distance from the library's begin. */
static const void *address_of(const struct link_map *map, ElfW(Addr) noted)
{
    ElfW(Addr) address = noted < map->l_addr ? noted + map->l_addr : noted;
    const void *pointer = NULL;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

static struct imports imports_of(const struct link_map *map)
{
    struct imports imports = {0};
    for (const ElfW(Dyn) *at = map->l_ld; at->d_tag != DT_NULL; at++) {
        const void *address = address_of(map, at->d_un.d_ptr);
        switch (at->d_tag) {
        case DT_SYMTAB:
            imports.symbols = address;
            break;
        case DT_STRTAB:
            imports.names = address;
            break;
        case DT_JMPREL:
            imports.tables[0] = address;
            break;
        case DT_PLTRELSZ:
            imports.bytes[0] = at->d_un.d_val;
            break;
        case DT_RELA:
            imports.tables[1] = address;
            break;
        case DT_RELASZ:
            imports.bytes[1] = at->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return imports;
}

/* A place in a library, and whether its page was made read-only after loading. */
struct place {
    ElfW(Addr) base; /* of the library */
    ElfW(Addr) slot;
    bool sealed;
};

static int look_for_seal(struct dl_phdr_info *info, size_t size, void *context)
{
    struct place *place = context;
    (void)size;
    for (size_t i = 0; info->dlpi_addr == place->base && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        ElfW(Addr) first = place->base + part->p_vaddr;
        if (part->p_type == PT_GNU_RELRO && place->slot >= first &&
            place->slot < first + part->p_memsz) {
            place->sealed = true;
        }
    }
    return info->dlpi_addr == place->base;
}

static bool replace(struct place *place, const void *instead, void *was)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ElfW(Addr) first = place->slot & ~(ElfW(Addr))(page - 1);
    void *slot = NULL;
    void *begin = NULL;
    memcpy(&slot, &place->slot, sizeof slot);
    memcpy(&begin, &first, sizeof begin);
    (void)dl_iterate_phdr(look_for_seal, place);
    if (place->sealed && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    memcpy(was, slot, sizeof(void *));
    memcpy(slot, instead, sizeof(void *));
    return !place->sealed || mprotect(begin, page, PROT_READ) == 0;
}

bool redirect_import(void *library, const char *name, const void *instead, void *was)
{
    struct link_map *map = NULL;
    bool found = false;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
        return false;
    }
    struct imports imports = imports_of(map);
    for (size_t i = 0; i < 2 && imports.symbols && imports.names; i++) {
        size_t count = imports.tables[i] ? imports.bytes[i] / sizeof(ElfW(Rela)) : 0;
        for (size_t j = 0; j < count; j++) {
            const ElfW(Rela) *row = &imports.tables[i][j];
            const ElfW(Sym) *symbol = &imports.symbols[ELF64_R_SYM(row->r_info)];
            if (ELF64_R_SYM(row->r_info) != 0 && symbol->st_shndx == SHN_UNDEF &&
                strcmp(imports.names + symbol->st_name, name) == 0) {
                struct place place = {map->l_addr, map->l_addr + row->r_offset, false};
                found = replace(&place, instead, was);
            }
        }
    }
    return found;
}

#else

bool redirect_import(void *library, const char *name, const void *instead, void *was)
{
    (void)library;
    (void)name;
    (void)instead;
    (void)was;
    return false;
}

#endif
