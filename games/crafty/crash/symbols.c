#include "symbols.h"

#include "modules.h"

#include <elf.h>
#include <string.h>

/* Returns the part of the file, or NULL if it is not in the file. */
static const uint8_t *part_of(const CnFileBytes *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->data + offset : NULL;
}

static bool section_at(const CnFileBytes *file, const Elf64_Ehdr *header, uint64_t index,
                       Elf64_Shdr *section)
{
    const uint8_t *at =
        index < header->e_shnum
            ? part_of(file, header->e_shoff + index * sizeof *section, sizeof *section)
            : NULL;
    if (at)
        memcpy(section, at, sizeof *section);
    return at != NULL;
}

static bool find_table(CraftySymbols *symbols)
{
    const CnFileBytes *file = &symbols->file;
    Elf64_Ehdr header;
    Elf64_Shdr section, names;
    if (file->size < sizeof header)
        return false;
    memcpy(&header, file->data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_shentsize != sizeof section)
        return false;
    for (uint64_t i = 0; section_at(file, &header, i, &section); i++) {
        if (section.sh_type != SHT_SYMTAB || !section_at(file, &header, section.sh_link, &names))
            continue;
        symbols->entries = part_of(file, section.sh_offset, section.sh_size);
        symbols->entry_count = section.sh_size / sizeof(Elf64_Sym);
        symbols->names =
            (CnText){(const char *)part_of(file, names.sh_offset, names.sh_size), names.sh_size};
        return symbols->entries && symbols->names.data;
    }
    return false;
}

void crafty_symbols_open(CraftySymbols *symbols)
{
    CnError error = {0};
    *symbols = (CraftySymbols){0};
    crafty_modules_update();
    if (cn_file_read_all(cn_native_files(), "/proc/self/exe", NULL, &symbols->file, &error) &&
        !find_table(symbols))
        crafty_symbols_close(symbols);
}

void crafty_symbols_close(CraftySymbols *symbols)
{
    cn_file_bytes_free(&symbols->file);
    *symbols = (CraftySymbols){0};
}

static CnText name_at(CnText names, uint64_t offset)
{
    if (offset >= names.size)
        return cn_text("");
    return (CnText){names.data + offset, strnlen(names.data + offset, names.size - offset)};
}

CnText crafty_symbols_find(const CraftySymbols *symbols, CnText build_id, uint64_t offset)
{
    const CraftyModule *program = crafty_module_of_program();
    if (!symbols->entries || !program->build_id[0] ||
        !cn_text_equal(build_id, cn_text(program->build_id)))
        return cn_text("");
    for (size_t i = 0; i < symbols->entry_count; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols->entries + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && offset >= symbol.st_value &&
            offset - symbol.st_value < symbol.st_size)
            return name_at(symbols->names, symbol.st_name);
    }
    return cn_text("");
}
