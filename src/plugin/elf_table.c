#include "plugin/elf_table.h"

#include <cairn/plugin/native.h>

#include <link.h>
#include <stddef.h>
#include <string.h>

#define TABLE_NAME "cn_plugin_table"

/* More than any linker writes. They bound the time that a damaged file can take. */
#define MAX_SEGMENTS 128u
#define MAX_DYNAMIC_ENTRIES 4096u

#define NATIVE_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)
#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#elif defined(__i386__)
#define NATIVE_MACHINE EM_386
#elif defined(__riscv)
#define NATIVE_MACHINE EM_RISCV
#endif

typedef ElfW(Addr) Address;

typedef struct Elf {
    const uint8_t *bytes;
    size_t size;
    const char *path;
    CnError *error;
    ElfW(Phdr) segments[MAX_SEGMENTS];
    uint32_t segment_count;
    /* Addresses from the dynamic section; 0: missing. */
    Address symbols, strings, gnu_hash, hash;
    size_t string_bytes;
} Elf;

static bool refuse(const Elf *elf, const char *reason)
{
    return cn_error_set(elf->error, CN_ERROR_FORMAT, "%s is not a usable library: %s", elf->path,
                        reason);
}

static bool refuse_damaged(const Elf *elf)
{
    return refuse(elf, "the file is damaged");
}

/* ---- Places in the file ---- */

/* Returns the bytes at an offset of the file; NULL if they are not all inside. */
static const uint8_t *at_offset(const Elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->size && size <= elf->size - offset ? elf->bytes + offset : NULL;
}

/* Returns the bytes that the dynamic linker would map to an address; NULL if they are not all
 * inside of one segment and of the file. */
static const uint8_t *at_address(const Elf *elf, uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const ElfW(Phdr) *segment = &elf->segments[i];
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr)
            continue;
        uint64_t inside = address - segment->p_vaddr;
        if (inside > segment->p_filesz || size > segment->p_filesz - inside)
            continue;
        const uint8_t *start = at_offset(elf, segment->p_offset, segment->p_filesz);
        return start ? start + inside : NULL;
    }
    return NULL;
}

static bool read_word(const Elf *elf, uint64_t address, uint32_t *word)
{
    const uint8_t *bytes = at_address(elf, address, sizeof *word);
    if (bytes)
        memcpy(word, bytes, sizeof *word);
    return bytes != NULL;
}

/* ---- Headers ---- */

static bool read_header(Elf *elf, ElfW(Ehdr) * header)
{
    if (elf->size < sizeof *header || memcmp(elf->bytes, ELFMAG, SELFMAG) != 0)
        return refuse(elf, "it is not an ELF file");
    memcpy(header, elf->bytes, sizeof *header);
    const uint16_t one = 1;
    const uint8_t native_order = *(const uint8_t *)&one ? ELFDATA2LSB : ELFDATA2MSB;
    if (header->e_ident[EI_CLASS] != NATIVE_CLASS || header->e_ident[EI_DATA] != native_order)
        return refuse(elf, "it was compiled for another processor");
#ifdef NATIVE_MACHINE
    if (header->e_machine != NATIVE_MACHINE)
        return refuse(elf, "it was compiled for another processor");
#endif
    if (header->e_ident[EI_VERSION] != EV_CURRENT || header->e_type != ET_DYN)
        return refuse(elf, "it is not a shared library");
    return header->e_phentsize == sizeof(ElfW(Phdr)) || refuse_damaged(elf);
}

static bool read_segments(Elf *elf, const ElfW(Ehdr) * header)
{
    if (header->e_phnum == 0 || header->e_phnum > MAX_SEGMENTS)
        return refuse_damaged(elf);
    size_t size = header->e_phnum * sizeof elf->segments[0];
    const uint8_t *bytes = at_offset(elf, header->e_phoff, size);
    if (!bytes)
        return refuse_damaged(elf);
    memcpy(elf->segments, bytes, size);
    elf->segment_count = header->e_phnum;
    /* The specification orders segments by address. Without overlaps, an address has one place. */
    uint64_t end = 0;
    for (uint32_t i = 0; i < elf->segment_count; i++) {
        const ElfW(Phdr) *segment = &elf->segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        if (segment->p_vaddr < end || segment->p_memsz < segment->p_filesz ||
            segment->p_memsz > UINT64_MAX / 2 || segment->p_vaddr > UINT64_MAX / 2 ||
            !at_offset(elf, segment->p_offset, segment->p_filesz))
            return refuse_damaged(elf);
        end = segment->p_vaddr + segment->p_memsz;
    }
    return true;
}

/* Of several entries with the same tag, the dynamic linker uses the last. */
static void take_dynamic(Elf *elf, const ElfW(Dyn) * entry)
{
    switch (entry->d_tag) {
    case DT_SYMTAB:
        elf->symbols = entry->d_un.d_ptr;
        break;
    case DT_STRTAB:
        elf->strings = entry->d_un.d_ptr;
        break;
    case DT_STRSZ:
        elf->string_bytes = entry->d_un.d_val;
        break;
    case DT_GNU_HASH:
        elf->gnu_hash = entry->d_un.d_ptr;
        break;
    case DT_HASH:
        elf->hash = entry->d_un.d_ptr;
        break;
    default:
        break;
    }
}

static const ElfW(Phdr) * find_dynamic(const Elf *elf)
{
    const ElfW(Phdr) *found = NULL;
    for (uint32_t i = 0; i < elf->segment_count; i++)
        if (elf->segments[i].p_type == PT_DYNAMIC)
            found = &elf->segments[i];
    return found;
}

/* The dynamic linker reads the section in memory, by its address. */
static bool read_dynamic(Elf *elf)
{
    const ElfW(Phdr) *segment = find_dynamic(elf);
    if (!segment)
        return refuse(elf, "it has no dynamic section");
    for (uint32_t i = 0; i < MAX_DYNAMIC_ENTRIES; i++) {
        ElfW(Dyn) entry;
        const uint8_t *bytes =
            at_address(elf, segment->p_vaddr + (uint64_t)i * sizeof entry, sizeof entry);
        if (!bytes)
            return refuse_damaged(elf);
        memcpy(&entry, bytes, sizeof entry);
        if (entry.d_tag == DT_NULL)
            return (elf->symbols && elf->strings && elf->string_bytes &&
                    (elf->gnu_hash || elf->hash)) ||
                   refuse(elf, "it exports no symbols");
        take_dynamic(elf, &entry);
    }
    return refuse_damaged(elf);
}

/* ---- Symbols ---- */

/* The length of a chain: no symbol is twice in it. */
static uint64_t max_chain(const Elf *elf)
{
    return elf->size / sizeof(ElfW(Sym));
}

typedef enum Lookup { LOOKUP_DAMAGED, LOOKUP_OTHER, LOOKUP_FOUND } Lookup;

/* Compares the name of the symbol with this number, and reads it. */
static Lookup read_symbol(const Elf *elf, uint32_t number, ElfW(Sym) * symbol)
{
    const uint8_t *bytes =
        at_address(elf, elf->symbols + (uint64_t)number * sizeof *symbol, sizeof *symbol);
    if (!bytes)
        return LOOKUP_DAMAGED;
    memcpy(symbol, bytes, sizeof *symbol);
    if (symbol->st_name >= elf->string_bytes)
        return LOOKUP_DAMAGED;
    if (elf->string_bytes - symbol->st_name < sizeof TABLE_NAME)
        return LOOKUP_OTHER;
    const uint8_t *name =
        at_address(elf, (uint64_t)elf->strings + symbol->st_name, sizeof TABLE_NAME);
    if (!name)
        return LOOKUP_DAMAGED;
    return memcmp(name, TABLE_NAME, sizeof TABLE_NAME) == 0 && symbol->st_shndx != SHN_UNDEF
               ? LOOKUP_FOUND
               : LOOKUP_OTHER;
}

static uint32_t gnu_hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

/* Header: bucket count, first symbol, size of the Bloom filter in words, shift; then the filter,
 * the buckets and the chains. The lowest bit of a hash marks the end of its chain. */
static Lookup find_by_gnu_hash(const Elf *elf, ElfW(Sym) * symbol)
{
    uint32_t header[4], number, hash, wanted = gnu_hash_of(TABLE_NAME);
    for (uint32_t i = 0; i < 4; i++)
        if (!read_word(elf, (uint64_t)elf->gnu_hash + 4u * i, &header[i]))
            return LOOKUP_DAMAGED;
    if (header[0] == 0)
        return LOOKUP_OTHER;
    uint64_t buckets =
        (uint64_t)elf->gnu_hash + sizeof header + (uint64_t)header[2] * sizeof(Address);
    uint64_t chains = buckets + 4ull * header[0];
    if (!read_word(elf, buckets + 4ull * (wanted % header[0]), &number))
        return LOOKUP_DAMAGED;
    if (number == 0)
        return LOOKUP_OTHER;
    for (uint64_t i = 0; i < max_chain(elf) && number >= header[1]; i++, number++) {
        if (!read_word(elf, chains + 4ull * (number - header[1]), &hash))
            return LOOKUP_DAMAGED;
        Lookup lookup =
            (hash | 1) == (wanted | 1) ? read_symbol(elf, number, symbol) : LOOKUP_OTHER;
        if (lookup != LOOKUP_OTHER)
            return lookup;
        if (hash & 1)
            return LOOKUP_OTHER;
    }
    return LOOKUP_DAMAGED;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 0;
    for (; *name; name++) {
        hash = (hash << 4) + (uint8_t)*name;
        hash = (hash ^ (hash & 0xf0000000u) >> 24) & 0x0fffffffu;
    }
    return hash;
}

/* The older table: bucket count, chain count, buckets, chains. */
static Lookup find_by_hash(const Elf *elf, ElfW(Sym) * symbol)
{
    uint32_t bucket_count, number;
    if (!read_word(elf, elf->hash, &bucket_count))
        return LOOKUP_DAMAGED;
    if (bucket_count == 0)
        return LOOKUP_OTHER;
    uint64_t buckets = (uint64_t)elf->hash + 8;
    uint64_t chains = buckets + 4ull * bucket_count;
    if (!read_word(elf, buckets + 4ull * (hash_of(TABLE_NAME) % bucket_count), &number))
        return LOOKUP_DAMAGED;
    for (uint64_t i = 0; i < max_chain(elf) && number != STN_UNDEF; i++) {
        Lookup lookup = read_symbol(elf, number, symbol);
        if (lookup != LOOKUP_OTHER)
            return lookup;
        if (!read_word(elf, chains + 4ull * number, &number))
            return LOOKUP_DAMAGED;
    }
    return number == STN_UNDEF ? LOOKUP_OTHER : LOOKUP_DAMAGED;
}

static bool find_table(const Elf *elf, ElfW(Sym) * symbol)
{
    Lookup lookup = elf->gnu_hash ? find_by_gnu_hash(elf, symbol) : find_by_hash(elf, symbol);
    if (lookup == LOOKUP_DAMAGED)
        return refuse_damaged(elf);
    if (lookup == LOOKUP_OTHER)
        return cn_error_set(elf->error, CN_ERROR_NOT_FOUND,
                            "%s has no symbol " TABLE_NAME ": it is not a plugin", elf->path);
    return (symbol->st_info & 0xf) == STT_OBJECT || refuse(elf, TABLE_NAME " is not a variable");
}

/* ---- The table ---- */

bool cni_plugin_read_table(const uint8_t *file, size_t file_bytes, const char *path,
                           CniPluginTableHead *head, CnError *error)
{
    Elf elf = {.bytes = file, .size = file_bytes, .path = path, .error = error};
    ElfW(Ehdr) header;
    ElfW(Sym) symbol;
    *head = (CniPluginTableHead){0};
    if (!read_header(&elf, &header) || !read_segments(&elf, &header) || !read_dynamic(&elf) ||
        !find_table(&elf, &symbol))
        return false;
    const uint8_t *table = at_address(&elf, symbol.st_value, offsetof(CnPluginTable, plugin));
    if (!table || symbol.st_size < offsetof(CnPluginTable, plugin))
        return refuse(&elf, TABLE_NAME " is not in the file");
    memcpy(&head->size, table + offsetof(CnPluginTable, size), sizeof head->size);
    memcpy(&head->abi, table + offsetof(CnPluginTable, abi), sizeof head->abi);
    memcpy(&head->sizes, table + offsetof(CnPluginTable, sizes), sizeof head->sizes);
    head->guards = table[offsetof(CnPluginTable, guards)] != 0;
    return true;
}
