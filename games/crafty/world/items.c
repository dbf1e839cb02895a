#include "items.h"

#include <cairn/base/assert.h>
#include <cairn/voxel/block.h>

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
    if (!title.id || !cn_array_reserve(&items->added, items->added.count + 1u) ||
        (desc->block != CN_BLOCK_AIR && !cn_hash_map_set(&items->of_block, desc->block, &item))) {
        cn_error_memory(error, "an item");
        return CRAFTY_NO_ITEM;
    }
    info->title = cn_name_text(&items->titles, title);
    info->block = desc->block;
    info->stack_max = desc->stack_max ? desc->stack_max : CRAFTY_STACK_MAX;
    info->is_known = true;
    items->added.items[items->added.count++] = item;
    return item;
}

bool crafty_items_add_blocks(CraftyItems *items, CnError *error)
{
    for (uint32_t i = 0; i < items->blocks->count; i++) {
        const CnBlockInfo *block = cn_block_info(items->blocks, (CnBlock)i);
        CraftyItemDesc desc = {.name = block->name, .title = block->title, .block = (CnBlock)i};
        if (block->placeable && !crafty_items_add(items, &desc, error))
            return false;
    }
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
