/* The table of a plugin in an ELF file: small libraries with either hash table of symbols. */
#include "fuzz_surface.h"

#include "plugin/elf_table.h"

#include <cairn/plugin.h>

#include <link.h>
#include <string.h>

#define TABLE_NAME "cn_plugin_table"

typedef struct SmallLibrary {
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[2];
    ElfW(Dyn) dynamic[5];
    ElfW(Sym) symbols[2];
    uint32_t hash[8];
    CnPluginTable table;
    char strings[1 + sizeof TABLE_NAME];
} SmallLibrary;

/* All of the file is mapped at address 0. */
static SmallLibrary make_library(void)
{
    SmallLibrary library = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
                               ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_DYN,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_phoff = offsetof(SmallLibrary, segments),
                   .e_phentsize = sizeof(ElfW(Phdr)),
                   .e_phnum = 2},
        .segments = {{.p_type = PT_LOAD,
                      .p_filesz = sizeof(SmallLibrary),
                      .p_memsz = sizeof(SmallLibrary)},
                     {.p_type = PT_DYNAMIC,
                      .p_offset = offsetof(SmallLibrary, dynamic),
                      .p_vaddr = offsetof(SmallLibrary, dynamic)}},
        .dynamic = {{.d_tag = DT_SYMTAB, .d_un = {.d_ptr = offsetof(SmallLibrary, symbols)}},
                    {.d_tag = DT_STRTAB, .d_un = {.d_ptr = offsetof(SmallLibrary, strings)}},
                    {.d_tag = DT_STRSZ, .d_un = {.d_val = 1 + sizeof TABLE_NAME}},
                    {.d_tag = DT_HASH, .d_un = {.d_ptr = offsetof(SmallLibrary, hash)}}},
        .symbols[1] = {.st_name = 1,
                       .st_info = STT_OBJECT,
                       .st_shndx = 1,
                       .st_value = offsetof(SmallLibrary, table),
                       .st_size = sizeof(CnPluginTable)},
        .hash = {1, 2, 1},
        .table = {.size = sizeof(CnPluginTable), .abi = CN_PLUGIN_ABI},
    };
    memcpy(library.strings + 1, TABLE_NAME, sizeof TABLE_NAME);
    return library;
}

static void add_seeds(FuzzSeeds *seeds)
{
    SmallLibrary library = make_library();
    fuzz_add(seeds, &library, sizeof library);
    uint32_t hash = 5381;
    for (const char *at = TABLE_NAME; *at; at++)
        hash = hash * 33 + (uint8_t)*at;
    const uint32_t gnu[8] = {1, 1, 1, 0, 0, 0, 1, hash | 1};
    memcpy(library.hash, gnu, sizeof gnu);
    library.dynamic[3].d_tag = DT_GNU_HASH;
    fuzz_add(seeds, &library, sizeof library);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CniPluginTableHead head;
    CnError error = {0};
    bool accepted = cni_plugin_read_table(bytes, size, "fuzz", &head, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 1024, .add_seeds = add_seeds, .run = run};
