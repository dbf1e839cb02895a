#include "modules.h"

#include <cairn/base/text.h>

#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Two tables: a crash may read one while the other is filled. */
typedef struct Table {
    CraftyModule modules[CRAFTY_MODULES];
    uint32_t count;
} Table;

static Table tables[2];
static atomic_uint current;

static void read_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * header, char *text)
{
    const char *at = (const char *)(info->dlpi_addr + header->p_vaddr);
    const char *end = at + header->p_memsz;
    while (end - at > (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const char *name = at + sizeof note;
        size_t name_bytes = (note.n_namesz + 3u) & ~(size_t)3;
        size_t bytes = (note.n_descsz + 3u) & ~(size_t)3;
        if (name_bytes + bytes > (size_t)(end - name))
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
            for (uint32_t i = 0; i < note.n_descsz && 2 * i + 2 < CRAFTY_BUILD_ID_BYTES; i++)
                cn_format(text + (size_t)2 * i, 3, "%02x", (unsigned char)name[name_bytes + i]);
        at = name + name_bytes + bytes;
    }
}

static void name_module(const char *path, char *name, size_t name_bytes)
{
    char own[256] = "";
    if (!path[0] && readlink("/proc/self/exe", own, sizeof own - 1) > 0)
        path = own;
    const char *slash = strrchr(path, '/');
    cn_copy_text(name, name_bytes, cn_text(slash ? slash + 1 : path));
}

static int add_module(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    Table *table = user;
    if (table->count == CRAFTY_MODULES)
        return 1;
    CraftyModule *module = &table->modules[table->count++];
    *module = (CraftyModule){.base = info->dlpi_addr, .begin = UINTPTR_MAX};
    name_module(info->dlpi_name ? info->dlpi_name : "", module->name, sizeof module->name);
    for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
        if (header->p_type == PT_NOTE && !module->build_id[0])
            read_build_id(info, header, module->build_id);
        if (header->p_type != PT_LOAD)
            continue;
        module->begin = begin < module->begin ? begin : module->begin;
        module->end = end > module->end ? end : module->end;
    }
    return 0;
}

void crafty_modules_update(void)
{
    unsigned next = 1 - atomic_load(&current);
    tables[next].count = 0;
    dl_iterate_phdr(add_module, &tables[next]);
    atomic_store(&current, next);
}

const CraftyModule *crafty_module_at(uintptr_t address)
{
    const Table *table = &tables[atomic_load(&current)];
    for (uint32_t i = 0; i < table->count; i++)
        if (address >= table->modules[i].begin && address < table->modules[i].end)
            return &table->modules[i];
    return NULL;
}

const CraftyModule *crafty_module_of_program(void)
{
    return &tables[atomic_load(&current)].modules[0];
}
