#include "items.h"

#include <cairn/base/assert.h>
#include <cairn/voxel/block.h>

#include <string.h>

struct CraftyItems {
    CnAllocator *allocator;
    const CnBlockTable *blocks;
    CnNames names;                  /* the id of a name is the number of the item */
    CnNames titles;                 /* texts of the infos */
    CN_ARRAY(CraftyItemInfo) infos; /* by number - 1 */
    CN_ARRAY(CraftyItem) added;     /* in this order */
    CnHashMap of_block;             /* CraftyItem by CnBlock */
};

bool crafty_item_name_valid(CnText name)
{
    if (!name.size || name.size >= CRAFTY_ITEM_NAME_BYTES)
        return false;
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != ':')
            return false;
    }
    return true;
}

/* ---- Numbers ---- */

/* Returns the number of the name, which becomes an unknown item if it is new. */
static CraftyItem number_of(CraftyItems *items, CnText name, CnError *error)
{
    char escaped[2 * CRAFTY_ITEM_NAME_BYTES];
    if (!crafty_item_name_valid(name)) {
        cn_error_set(
            error, CN_ERROR_FORMAT,
            "\"%s\" is not the name of an item; use lower-case letters, digits, '_' and ':', "
            "at most %u",
            cn_text_escape(name, escaped, sizeof escaped), CRAFTY_ITEM_NAME_BYTES - 1);
        return CRAFTY_NO_ITEM;
    }
    CnName known = cn_name_find(&items->names, name);
    if (known.id)
        return (CraftyItem)known.id;
    if (items->infos.count == CRAFTY_MAX_ITEMS) {
        cn_error_set(error, CN_ERROR_LIMIT, "a world has at most %u items", CRAFTY_MAX_ITEMS);
        return CRAFTY_NO_ITEM;
    }
    bool has_room = cn_array_reserve(&items->infos, items->infos.count + 1u);
    CnName added = has_room ? cn_name_from_text(&items->names, name) : (CnName){0};
    if (!added.id) {
        cn_error_memory(error, "an item");
        return CRAFTY_NO_ITEM;
    }
    CN_ASSERT(added.id == items->infos.count + 1u, "numbers are not consecutive");
    const char *text = cn_name_text(&items->names, added);
    items->infos.items[items->infos.count++] = (CraftyItemInfo){
        .name = text, .title = text, .block = CN_BLOCK_AIR, .stack_max = CRAFTY_STACK_MAX};
    return (CraftyItem)added.id;
}

static bool read_palette(CraftyItems *items, CnText palette, CnError *error)
{
    for (CnText name; cn_text_split(&palette, ',', &name);) {
        uint32_t before = items->infos.count;
        CraftyItem item = number_of(items, name, error);
        if (!item)
            return false;
        if (items->infos.count == before)
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the palette of items has \"%s\" twice; the file is damaged",
                                items->infos.items[item - 1].name);
    }
    return true;
}

bool crafty_items_write_palette(const CraftyItems *items, CnTextBuilder *builder)
{
    uint64_t bytes = 1;
    for (uint32_t i = 0; i < items->infos.count; i++)
        bytes += strlen(items->infos.items[i].name) + 1;
    if (!cn_array_reserve(builder, builder->count + bytes)) /* nothing fails below */
        return false;
    for (uint32_t i = 0; i < items->infos.count; i++) {
        if (i)
            cn_text_append(builder, cn_text(","));
        cn_text_append(builder, cn_text(items->infos.items[i].name));
    }
    return true;
}

/* ---- Creation ---- */

CraftyItems *crafty_items_create(const CraftyItemsDesc *desc, CnError *error)
{
    CN_ASSERT(desc->blocks, "items need the block table of their world");
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyItems *items = cn_alloc_zeroed(allocator, sizeof *items);
    if (!items) {
        cn_error_memory(error, "the items");
        return NULL;
    }
    items->allocator = allocator;
    items->blocks = desc->blocks;
    cn_names_init(&items->names, allocator);
    cn_names_init(&items->titles, allocator);
    cn_array_init(&items->infos, allocator);
    cn_array_init(&items->added, allocator);
    cn_hash_map_init(&items->of_block, allocator, sizeof(CraftyItem));
    if (read_palette(items, desc->palette, error))
        return items;
    crafty_items_destroy(items);
    return NULL;
}

void crafty_items_destroy(CraftyItems *items)
{
    if (!items)
        return;
    cn_hash_map_fini(&items->of_block);
    cn_array_fini(&items->added);
    cn_array_fini(&items->infos);
    cn_names_fini(&items->titles);
    cn_names_fini(&items->names);
    cn_free(items->allocator, items, sizeof *items);
}

/* ---- Adding ---- */

static bool check_block(const CraftyItems *items, const CraftyItemDesc *desc, CnError *error)
{
    if (desc->block == CN_BLOCK_AIR)
        return true;
    const CnBlockInfo *block = cn_block_info(items->blocks, desc->block);
    if (!block->placeable)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "item %s: block %u cannot be placed; give a placeable block or none",
                            desc->name, desc->block);
    CraftyItem other = crafty_items_of_block(items, desc->block);
    return !other ||
           cn_error_set(error, CN_ERROR_EXISTS, "item %s: block %s already has an item, %s",
                        desc->name, block->name, items->infos.items[other - 1].name);
}

CraftyItem crafty_items_add(CraftyItems *items, const CraftyItemDesc *desc, CnError *error)
{
    CraftyItem item = check_block(items, desc, error) ? number_of(items, cn_text(desc->name), error)
                                                      : CRAFTY_NO_ITEM;
    if (!item)
        return CRAFTY_NO_ITEM;
    CraftyItemInfo *info = &items->infos.items[item - 1];
    if (info->is_known) {
        cn_error_set(error, CN_ERROR_EXISTS, "there already is an item %s", info->name);
        return CRAFTY_NO_ITEM;
    }
    CnName title = cn_name(&items->titles, desc->title ? desc->title : desc->name);
    if (!crafty_items_change(items, item, desc, error))
        return CRAFTY_NO_ITEM;
    if (!title.id || !cn_array_reserve(&items->added, items->added.count + 1u) ||
        (desc->block != CN_BLOCK_AIR && !cn_hash_map_set(&items->of_block, desc->block, &item))) {
        cn_error_memory(error, "an item");
        return CRAFTY_NO_ITEM;
    }
    info->title = cn_name_text(&items->titles, title);
    info->block = desc->block;
    info->is_known = true;
    items->added.items[items->added.count++] = item;
    return item;
}

bool crafty_items_change(CraftyItems *items, CraftyItem item, const CraftyItemDesc *desc,
                         CnError *error)
{
    CN_ASSERT(item && item <= items->infos.count, "there is no item %u", item);
    CraftyItemInfo *info = &items->infos.items[item - 1];
    CraftyItem remainder = desc->remainder ? crafty_items_find(items, desc->remainder) : 0;
    if (desc->remainder && !remainder)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "item %s: there is no item %s to be left",
                            info->name, desc->remainder);
    CnName tile = desc->tile ? cn_name(&items->titles, desc->tile) : (CnName){0};
    if (desc->tile && !tile.id)
        return cn_error_memory(error, "an item");
    if (desc->tile)
        info->tile = cn_name_text(&items->titles, tile);
    info->tool = desc->tool ? (uint8_t)desc->tool : info->tool;
    info->tier = desc->tier ? (uint8_t)desc->tier : info->tier;
    info->food = desc->food ? desc->food : info->food;
    info->fuel_seconds = desc->fuel_seconds > 0 ? desc->fuel_seconds : info->fuel_seconds;
    info->durability = desc->durability ? desc->durability : info->durability;
    info->stack_max = desc->stack_max ? desc->stack_max : info->stack_max;
    if (info->durability)
        info->stack_max = 1; /* a stack has one wear */
    info->remainder = remainder ? remainder : info->remainder;
    return true;
}

/* ---- Items of blocks ---- */

/* What a block of a family has at the end of its name and, with capitals, of its title. */
static const char *const variant_words[] = {"north", "east", "south", "west", "lower",
                                            "upper", "open", "foot",  "head", "top"};
static const char *const variant_prefixes[] = {"lit_", "wall_"};

/* Removes the last word, which follows `separator`, if it is one of a variant. */
static bool strip_word(CnText *text, char separator)
{
    for (size_t i = 0; i < CN_COUNT_OF(variant_words); i++) {
        CnText word = cn_text(variant_words[i]);
        size_t before = text->size - word.size - 1;
        if (text->size < word.size + 2 || text->data[before] != separator)
            continue;
        const char *end = text->data + before + 1;
        char first = (char)(end[0] | 0x20); /* titles have capitals */
        if (first == word.data[0] && memcmp(end + 1, word.data + 1, word.size - 1) == 0) {
            text->size = before;
            return true;
        }
    }
    return false;
}

/* Returns the name without the words of variants: "oak_door" of "oak_door_north_lower". */
static CnText base_of(const char *name, char separator)
{
    CnText base = cn_text(name);
    while (strip_word(&base, separator))
        continue;
    return base;
}

/* The item of a placeable block is named after the family only if the block has a direction: a
 * block may be called oak_top. */
static CnText item_name(const char *block)
{
    static const char *const suffixes[] = {"_north", "_north_lower", "_north_foot"};
    CnText name = cn_text(block);
    for (size_t i = 0; i < CN_COUNT_OF(suffixes); i++)
        if (cn_text_ends_with(name, cn_text(suffixes[i])))
            name.size -= strlen(suffixes[i]);
    return name;
}

static bool add_item_of(CraftyItems *items, CnBlock number, CnError *error)
{
    const CnBlockInfo *block = cn_block_info(items->blocks, number);
    char name[CN_BLOCK_NAME_BYTES], title[CN_BLOCK_NAME_BYTES];
    CnText own = item_name(block->name);
    bool is_family = own.size != strlen(block->name);
    cn_copy_text(name, sizeof name, own);
    cn_copy_text(title, sizeof title,
                 is_family ? base_of(block->title, ' ') : cn_text(block->title));
    return crafty_items_add(items, &(CraftyItemDesc){.name = name, .title = title, .block = number},
                            error) != CRAFTY_NO_ITEM;
}

/* Maps a block that cannot be placed to the item of its family, if it has one. */
static bool map_variant(CraftyItems *items, CnBlock number, CnError *error)
{
    const CnBlockInfo *block = cn_block_info(items->blocks, number);
    CnText base = base_of(block->name, '_');
    CnName found = cn_name_find(&items->names, base);
    for (size_t i = 0; !found.id && i < CN_COUNT_OF(variant_prefixes); i++) {
        CnText prefix = cn_text(variant_prefixes[i]);
        if (cn_text_starts_with(base, prefix))
            found = cn_name_find(&items->names,
                                 (CnText){base.data + prefix.size, base.size - prefix.size});
    }
    CraftyItem item = (CraftyItem)found.id;
    return !item || !items->infos.items[item - 1].is_known ||
           items->infos.items[item - 1].block == CN_BLOCK_AIR ||
           cn_hash_map_set(&items->of_block, number, &item) || cn_error_memory(error, "an item");
}

bool crafty_items_add_blocks(CraftyItems *items, CnError *error)
{
    for (uint32_t i = 0; i < items->blocks->count; i++)
        if (cn_block_info(items->blocks, (CnBlock)i)->placeable &&
            !add_item_of(items, (CnBlock)i, error))
            return false;
    for (uint32_t i = 0; i < items->blocks->count; i++)
        if (!cn_block_info(items->blocks, (CnBlock)i)->placeable &&
            cn_block_exists(items->blocks, (CnBlock)i) && !map_variant(items, (CnBlock)i, error))
            return false;
    return true;
}

/* ---- Reading ---- */

CraftyItem crafty_items_find(const CraftyItems *items, const char *name)
{
    return (CraftyItem)cn_name_find(&items->names, cn_text(name)).id;
}

CraftyItem crafty_items_of_block(const CraftyItems *items, CnBlock block)
{
    const CraftyItem *item = cn_hash_map_get(&items->of_block, block);
    return item ? *item : CRAFTY_NO_ITEM;
}

const CraftyItemInfo *crafty_items_info(const CraftyItems *items, uint32_t item)
{
    return item && item <= items->infos.count ? &items->infos.items[item - 1] : NULL;
}

CnBlock crafty_items_block(const CraftyItems *items, uint32_t item)
{
    const CraftyItemInfo *info = crafty_items_info(items, item);
    return info ? info->block : CN_BLOCK_AIR;
}

uint32_t crafty_items_count(const CraftyItems *items)
{
    return items->added.count;
}

CraftyItem crafty_items_at(const CraftyItems *items, uint32_t index)
{
    CN_ASSERT(index < items->added.count, "there are only %u items", items->added.count);
    return index < items->added.count ? items->added.items[index] : CRAFTY_NO_ITEM;
}
