#include "block_family.h"

#include <cairn/base/array.h>
#include <cairn/base/assert.h>

#include <stdio.h>
#include <string.h>

/* Variants of one block, by number. */
typedef struct Variants {
    CnBlock turned[CRAFTY_DIRECTION_COUNT];
    CnBlock toggled, relit, other_half, hung, of_item, full;
    uint8_t kind, direction;
    bool has_direction, is_open, is_lit, is_second;
    char item_name[CN_BLOCK_NAME_BYTES];
} Variants;

struct CraftyBlockFamilies {
    CnAllocator *allocator;
    uint32_t count;
    Variants variants[];
};

static const char *const direction_words[] = {"_north", "_east", "_south", "_west"};
static const struct {
    const char *first, *second; /* halves; the first may be empty */
} half_words[] = {{"_lower", "_upper"}, {"_foot", "_head"}, {"", "_top"}};

/* ---- Names ---- */

/* A name in parts: prefix, item, direction, open, half. */
typedef struct Parts {
    bool is_lit, is_wall, is_open, is_second;
    CnText item;
    int direction; /* -1: none */
    int half;      /* of half_words; -1: none */
} Parts;

static bool take_end(CnText *name, const char *end)
{
    size_t size = strlen(end);
    if (name->size <= size || memcmp(name->data + name->size - size, end, size) != 0)
        return false;
    name->size -= size;
    return true;
}

static bool take_start(CnText *name, const char *start)
{
    size_t size = strlen(start);
    if (name->size <= size || memcmp(name->data, start, size) != 0)
        return false;
    name->data += size;
    name->size -= size;
    return true;
}

static Parts parts_of(CnText name)
{
    Parts parts = {.direction = -1, .half = -1};
    for (int i = 0; i < (int)CN_COUNT_OF(half_words) && parts.half < 0; i++) {
        parts.is_second = take_end(&name, half_words[i].second);
        if (parts.is_second || (half_words[i].first[0] && take_end(&name, half_words[i].first)))
            parts.half = i;
    }
    parts.is_open = take_end(&name, "_open");
    for (int i = 0; i < CRAFTY_DIRECTION_COUNT && parts.direction < 0; i++)
        if (take_end(&name, direction_words[i]))
            parts.direction = i;
    if (parts.direction >= 0) {
        parts.is_lit = take_start(&name, "lit_");
        parts.is_wall = take_start(&name, "wall_");
    }
    parts.item = name;
    return parts;
}

/* Returns the block with this name, or CN_BLOCK_NONE. */
static CnBlock find(const CnBlockTable *table, const Parts *parts)
{
    char name[2 * CN_BLOCK_NAME_BYTES];
    const char *half = parts->half < 0    ? ""
                       : parts->is_second ? half_words[parts->half].second
                                          : half_words[parts->half].first;
    snprintf(name, sizeof name, "%s%s%.*s%s%s%s", parts->is_lit ? "lit_" : "",
             parts->is_wall ? "wall_" : "", (int)parts->item.size, parts->item.data,
             parts->direction < 0 ? "" : direction_words[parts->direction],
             parts->is_open ? "_open" : "", half);
    return cn_block_find(table, name);
}

static bool ends_with(CnText name, const char *end)
{
    return take_end(&name, end) || cn_text_equal(name, cn_text(end + 1));
}

static CraftyBlockKind kind_of(const Parts *parts)
{
    static const struct {
        const char *end;
        CraftyBlockKind kind;
    } kinds[] = {{"_crafting_table", CRAFTY_KIND_CRAFTING_TABLE},
                 {"_workbench", CRAFTY_KIND_CRAFTING_TABLE},
                 {"_chest", CRAFTY_KIND_CHEST},
                 {"_furnace", CRAFTY_KIND_FURNACE},
                 {"_door", CRAFTY_KIND_DOOR},
                 {"_bed", CRAFTY_KIND_BED},
                 {"_ladder", CRAFTY_KIND_LADDER},
                 {"_sign", CRAFTY_KIND_SIGN},
                 {"_stairs", CRAFTY_KIND_STAIRS},
                 {"_slab", CRAFTY_KIND_SLAB},
                 {"_fence_gate", CRAFTY_KIND_GATE}};
    if (parts->is_wall && ends_with(parts->item, "_sign"))
        return CRAFTY_KIND_WALL_SIGN;
    for (size_t i = 0; i < CN_COUNT_OF(kinds); i++)
        if (ends_with(parts->item, kinds[i].end))
            return kinds[i].kind;
    return CRAFTY_KIND_PLAIN;
}

/* ---- Creation ---- */

static CnBlock or_itself(CnBlock found, CnBlock block)
{
    return found == CN_BLOCK_NONE ? block : found;
}

/* Finds the other half: for stairs and slabs, the first one has no word. */
static CnBlock find_other_half(const CnBlockTable *table, const Parts *parts)
{
    Parts other = *parts;
    other.half = parts->half < 0 ? (int)CN_COUNT_OF(half_words) - 1 : parts->half;
    other.is_second = !parts->is_second;
    return find(table, &other);
}

/* Finds the block of two slabs by the name of the item. */
static CnBlock find_full(const CnBlockTable *table, CnText item)
{
    static const char *const ends[] = {"_planks", "s", ""};
    CnBlock found = CN_BLOCK_NONE;
    char name[CN_BLOCK_NAME_BYTES + 8];
    if (!take_end(&item, "_slab"))
        return CN_BLOCK_NONE;
    for (size_t i = 0; i < CN_COUNT_OF(ends) && found == CN_BLOCK_NONE; i++) {
        snprintf(name, sizeof name, "%.*s%s", (int)item.size, item.data, ends[i]);
        found = cn_block_find(table, name);
    }
    return found;
}

/* Returns the name of a fence without its arms; an empty text: not a fence with arms. */
static CnText fence_without_arms(CnText name)
{
    static const char part[] = "_fence_joined_";
    size_t size = sizeof part - 1, kept = strlen("_fence");
    for (size_t i = 1; i + size < name.size; i++)
        if (memcmp(name.data + i, part, size) == 0)
            return (CnText){.data = name.data, .size = i + kept};
    return (CnText){0};
}

static void find_variants(const CnBlockTable *table, CnBlock block, Variants *v)
{
    CnText name = cn_text(table->info[block].name);
    Parts parts = parts_of(name), other;
    CnBlock half = find_other_half(table, &parts);
    bool has_all = parts.direction >= 0;
    for (int i = 0; i < CRAFTY_DIRECTION_COUNT; i++) {
        other = parts;
        other.direction = i;
        v->turned[i] = parts.direction < 0 ? block : find(table, &other);
        has_all = has_all && v->turned[i] != CN_BLOCK_NONE;
    }
    /* A name that only looks like a variant: "grass_top" without "grass". */
    if (!has_all && half == CN_BLOCK_NONE)
        parts = (Parts){.item = name, .direction = -1, .half = -1};
    for (int i = 0; i < CRAFTY_DIRECTION_COUNT && !has_all; i++)
        v->turned[i] = block;
    v->kind = (uint8_t)kind_of(&parts);
    v->has_direction = has_all;
    v->direction = (uint8_t)(parts.direction < 0 ? CRAFTY_NORTH : parts.direction);
    v->is_open = parts.is_open;
    v->is_lit = parts.is_lit;
    v->is_second = parts.is_second;
    v->other_half = or_itself(half, block);
    v->full = v->kind == CRAFTY_KIND_SLAB ? find_full(table, parts.item) : (CnBlock)CN_BLOCK_NONE;
    other = parts;
    other.is_open = !parts.is_open;
    v->toggled = or_itself(find(table, &other), block);
    other = parts;
    other.is_lit = !parts.is_lit;
    v->relit = parts.direction < 0 ? block : or_itself(find(table, &other), block);
    other = parts;
    other.is_wall = !parts.is_wall;
    v->hung = parts.direction < 0 ? block : or_itself(find(table, &other), block);
    other = (Parts){.item = parts.item,
                    .direction = parts.direction < 0 ? -1 : CRAFTY_NORTH,
                    .half = parts.half};
    v->of_item = or_itself(find(table, &other), block);
    if (parts.direction < 0) { /* blocks of older worlds without a direction */
        other.direction = CRAFTY_NORTH;
        v->of_item = or_itself(find(table, &other), v->of_item);
    }
    CnText fence = fence_without_arms(name);
    if (fence.size) {
        other = (Parts){.item = fence, .direction = -1, .half = -1};
        v->of_item = or_itself(find(table, &other), block);
    }
    cn_copy_text(v->item_name, sizeof v->item_name, fence.size ? fence : parts.item);
}

CraftyBlockFamilies *crafty_block_families_create(CnAllocator *allocator, const CnBlockTable *table,
                                                  CnError *error)
{
    CN_ASSERT(table && table->is_closed, "families need a closed table");
    CraftyBlockFamilies *families =
        cn_alloc_zeroed(allocator, sizeof *families + table->count * sizeof *families->variants);
    if (!families) {
        cn_error_memory(error, "the families of blocks");
        return NULL;
    }
    families->allocator = allocator;
    families->count = table->count;
    for (uint32_t i = 0; i < table->count; i++)
        find_variants(table, (CnBlock)i, &families->variants[i]);
    return families;
}

void crafty_block_families_destroy(CraftyBlockFamilies *families)
{
    if (families)
        cn_free(families->allocator, families,
                sizeof *families + families->count * sizeof *families->variants);
}

/* ---- Queries ---- */

static const Variants *of(const CraftyBlockFamilies *families, CnBlock block)
{
    CN_ASSERT(families, "%s: families is NULL", __func__);
    return &families->variants[block < families->count ? block : CN_BLOCK_AIR];
}

CraftyBlockKind crafty_block_kind(const CraftyBlockFamilies *families, CnBlock block)
{
    return (CraftyBlockKind)of(families, block)->kind;
}

bool crafty_block_has_direction(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->has_direction;
}

CraftyDirection crafty_block_direction(const CraftyBlockFamilies *families, CnBlock block)
{
    return (CraftyDirection)of(families, block)->direction;
}

CnBlock crafty_block_turned(const CraftyBlockFamilies *families, CnBlock block,
                            CraftyDirection direction)
{
    CN_ASSERT((unsigned)direction < CRAFTY_DIRECTION_COUNT, "no direction %d", (int)direction);
    return of(families, block)->turned[direction];
}

bool crafty_block_is_open(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->is_open;
}

CnBlock crafty_block_toggled(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->toggled;
}

bool crafty_block_is_lit(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->is_lit;
}

CnBlock crafty_block_relit(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->relit;
}

bool crafty_block_is_second(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->is_second;
}

CnBlock crafty_block_other_half(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->other_half;
}

CnBlock crafty_block_full(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->full;
}

bool crafty_block_other_cell(const CraftyBlockFamilies *families, CnBlock block,
                             const int32_t cell[3], int32_t other[3])
{
    static const int8_t steps[CRAFTY_DIRECTION_COUNT][3] = {
        {0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}};
    static const int8_t up[3] = {0, 1, 0};
    const Variants *v = of(families, block);
    if (v->kind != CRAFTY_KIND_DOOR && v->kind != CRAFTY_KIND_BED)
        return false;
    const int8_t *step = v->kind == CRAFTY_KIND_DOOR ? up : steps[v->direction];
    for (int i = 0; i < 3; i++)
        other[i] = cell[i] + (v->is_second ? -step[i] : step[i]);
    return true;
}

CnBlock crafty_block_hung(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->hung;
}

CnBlock crafty_block_of_item(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->of_item;
}

const char *crafty_block_item_name(const CraftyBlockFamilies *families, CnBlock block)
{
    return of(families, block)->item_name;
}

CnText crafty_block_name_of_item(CnText block_name)
{
    Parts parts = parts_of(block_name);
    CnText fence = fence_without_arms(block_name);
    if (fence.size)
        return fence;
    bool is_variant = parts.direction >= 0 || ends_with(parts.item, "_slab");
    return is_variant ? parts.item : block_name;
}
