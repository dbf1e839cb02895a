#include "blocks.h"

#include <string.h>

/* ---- Registration ---- */

static const CnBlockInfo *find_in(const CnBlockInfo *blocks, uint32_t count, CnText name)
{
    for (uint32_t i = 0; i < count; i++)
        if (cn_text_equal(cn_text(blocks[i].name), name))
            return &blocks[i];
    return NULL;
}

static const CnBlockInfo *find_standard(CnText name)
{
    return find_in(crafty_standard_blocks, crafty_standard_block_count, name);
}

static const CnBlockInfo *find_described(const CraftyBlocksDesc *desc, CnText name)
{
    const CnBlockInfo *standard = find_standard(name);
    return standard ? standard : find_in(desc->more, desc->more_count, name);
}

/* Registers a name of a palette, which must get the number of its position. */
static bool add_named(CnBlockTable *table, const CraftyBlocksDesc *desc, CnText text,
                      uint32_t number, CnError *error)
{
    char name[CN_BLOCK_NAME_BYTES], escaped[2 * CN_BLOCK_NAME_BYTES];
    const CnBlockInfo *known = find_described(desc, text);
    const CnBlockInfo look = crafty_blocks_placeholder();
    CnBlock added = CN_BLOCK_NONE;
    if (!cn_copy_text(name, sizeof name, text))
        return cn_error_set(error, CN_ERROR_FORMAT, "the palette has a name that is too long: %s",
                            cn_text_escape(text, escaped, sizeof escaped));
    if (strlen(name) != text.size || !cn_text_is_utf8(text))
        return cn_error_set(error, CN_ERROR_FORMAT, "the palette has a name that is not text: %s",
                            cn_text_escape(text, escaped, sizeof escaped));
    if (!(known ? cn_block_table_add(table, known, &added, error)
                : cn_block_table_add_placeholder(table, name, &look, &added, error)))
        return false;
    return added == number || cn_error_set(error, CN_ERROR_FORMAT,
                                           "the palette has block %s at position %u instead of %u",
                                           name, number, added);
}

static bool is_fixed(uint32_t number)
{
    return number == CN_BLOCK_AIR || (number >= CN_BLOCK_WATER && number <= CN_BLOCK_WATER_7);
}

/* Air and water have fixed numbers, and new numbers skip them, so these come first. */
static bool add_palette(CnBlockTable *table, const CraftyBlocksDesc *desc, bool fixed,
                        CnError *error)
{
    uint32_t number = 0;
    CnText palette = desc->palette;
    for (CnText name; cn_text_split(&palette, ',', &name); number++)
        if (is_fixed(number) == fixed && !add_named(table, desc, name, number, error))
            return false;
    return number > CN_BLOCK_WATER_7 ||
           cn_error_set(error, CN_ERROR_FORMAT, "the palette of blocks ends before water");
}

static bool add_missing(CnBlockTable *table, const CnBlockInfo *blocks, uint32_t count,
                        bool has_palette, CnError *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(has_palette && cn_block_find(table, blocks[i].name) != CN_BLOCK_NONE) &&
            !cn_block_table_add(table, &blocks[i], NULL, error))
            return false;
    return true;
}

static bool add_all(CnBlockTable *table, const CraftyBlocksDesc *desc, CnError *error)
{
    bool has_palette = desc->palette.size > 0;
    if (has_palette &&
        (!add_palette(table, desc, true, error) || !add_palette(table, desc, false, error)))
        return false;
    return add_missing(table, crafty_standard_blocks, crafty_standard_block_count, has_palette,
                       error) &&
           add_missing(table, desc->more, desc->more_count, has_palette, error);
}

CnBlockTable *crafty_blocks_create(const CraftyBlocksDesc *desc, CnError *error)
{
    static const CraftyBlocksDesc defaults;
    desc = desc ? desc : &defaults;
    CnBlockTable *table = cn_block_table_create(desc->allocator, error);
    if (!table || add_all(table, desc, error))
        return table;
    cn_block_table_destroy(table);
    return NULL;
}

CnBlockInfo crafty_blocks_placeholder(void)
{
    /* Purple, and rare enough to be noticed. */
    const CnBlockInfo *amethyst = find_standard(cn_text("amethyst"));
    return amethyst ? *amethyst : cn_block_info_default("");
}

/* ---- Palettes ---- */

bool crafty_blocks_write_palette(const CnBlockTable *table, CnTextBuilder *builder)
{
    uint64_t bytes = 1;
    for (uint32_t i = 0; i < table->count; i++)
        bytes += strlen(table->info[i].name) + 1;
    if (!cn_array_reserve(builder, builder->count + bytes)) /* nothing fails below */
        return false;
    for (uint32_t i = 0; i < table->count; i++) {
        if (i)
            cn_text_append(builder, cn_text(","));
        cn_text_append(builder, cn_text(table->info[i].name));
    }
    return true;
}
