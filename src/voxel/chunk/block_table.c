/* The table of block types: registration by name, checks of properties, lookup. */
#include "voxel/chunk/block_shape.h"

#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/block.h>
#include <cairn/voxel/tiles.h>

#include <float.h>
#include <stdio.h>
#include <string.h>

#define BLOCKS (CN_BLOCK_MAX + 1)
#define SLOTS (4 * BLOCKS) /* of the hash table: a power of two, at most a quarter used */
#define FREE_SLOT CN_BLOCK_NONE
#define FIRST_CAPACITY 64
#define LEVELS 15

typedef struct Text {
    char name[CN_BLOCK_NAME_BYTES], title[CN_BLOCK_NAME_BYTES];
} Text;

typedef struct Table {
    CnBlockTable view; /* first: what users see */
    CnAllocator *allocator;
    CnBlockInfo *info;
    Text *texts[BLOCKS];   /* allocated one by one, because names must not move */
    uint32_t capacity;     /* of info */
    uint32_t next;         /* number of the next block */
    uint16_t redefined;    /* bit i: the game has set the properties of fixed[i] */
    CniVoxelShape *shapes; /* all different; a list, because they must not move */
    CnBlock slots[SLOTS];
} Table;
CN_STATIC_ASSERT((SLOTS & (SLOTS - 1)) == 0, "slots are selected with a mask");

typedef struct Fixed {
    CnBlock number;
    char name[8];
} Fixed;
static const Fixed fixed[] = {
    {CN_BLOCK_AIR, "air"},         {CN_BLOCK_WATER, "water"},     {CN_BLOCK_WATER_1, "water_1"},
    {CN_BLOCK_WATER_2, "water_2"}, {CN_BLOCK_WATER_3, "water_3"}, {CN_BLOCK_WATER_4, "water_4"},
    {CN_BLOCK_WATER_5, "water_5"}, {CN_BLOCK_WATER_6, "water_6"}, {CN_BLOCK_WATER_7, "water_7"},
};

CnBlockInfo cn_block_info_default(const char *name)
{
    return (CnBlockInfo){.name = name,
                         .tint = {255, 255, 255},
                         .light_loss = LEVELS,
                         .collidable = true,
                         .placeable = true,
                         .hardness = 1,
                         .color = {128, 128, 128}};
}

/* ---- Lookup ---- */

/* Returns the slot of the name, or the free slot where it belongs. */
static CnBlock *slot_of(Table *table, const char *name)
{
    uint32_t at = (uint32_t)cn_hash_keyed(name, strlen(name), 0) & (SLOTS - 1);
    while (table->slots[at] != FREE_SLOT && strcmp(table->info[table->slots[at]].name, name) != 0)
        at = (at + 1) & (SLOTS - 1);
    return &table->slots[at];
}

CnBlock cn_block_find(const CnBlockTable *table, const char *name)
{
    return *slot_of((Table *)table, name);
}

bool cn_block_find_all(const CnBlockTable *table, const char *what, const char *const *names,
                       uint32_t count, CnBlock *blocks, CnError *error)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    char missing[CN_ERROR_MESSAGE_BYTES] = "";
    size_t length = 0;
    bool complete = true;
    for (uint32_t i = 0; i < count; i++) {
        blocks[i] = cn_block_find(table, names[i]);
        if (blocks[i] != CN_BLOCK_NONE)
            continue;
        int more = snprintf(missing + length, sizeof missing - length, "%s%s", complete ? "" : ", ",
                            names[i]);
        length +=
            (size_t)more < sizeof missing - length ? (size_t)more : sizeof missing - length - 1;
        complete = false;
    }
    return complete || cn_error_set(error, CN_ERROR_NOT_FOUND,
                                    "no blocks for %s with these names: %s", what, missing);
}

/* ---- Checks ---- */

static bool is_name(const char *name)
{
    size_t length = 0;
    for (; name[length] && length < CN_BLOCK_NAME_BYTES; length++) {
        char c = name[length];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != ':')
            return false;
    }
    return length > 0 && length < CN_BLOCK_NAME_BYTES;
}

static bool is_finite(float value)
{
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static bool is_amount(float value)
{
    return is_finite(value) && value >= 0;
}

static bool is_same_shape(const CnBlockShape *a, const CnBlockShape *b)
{
    return a->count == b->count && memcmp(a->boxes, b->boxes, a->count * sizeof *a->boxes) == 0;
}

/* Returns the table's copy of a shape; NULL if it has none. */
static const CnBlockShape *find_shape(const Table *table, const CnBlockShape *boxes)
{
    for (const CniVoxelShape *shape = table->shapes; shape; shape = shape->next)
        if (is_same_shape(&shape->boxes, boxes))
            return &shape->boxes;
    return NULL;
}

/* Returns what is wrong with the properties, or NULL. */
static const char *find_fault(const Table *table, const CnBlockInfo *info)
{
    if (info->title && strlen(info->title) >= CN_BLOCK_NAME_BYTES)
        return "its title has more than 63 bytes";
    if (info->material >= CN_BLOCK_MATERIAL_COUNT)
        return "its material is unknown";
    if (info->surface >= CN_BLOCK_SURFACE_COUNT)
        return "its surface is unknown";
    if (info->appearance & ~CN_BLOCK_LOOK_ALL)
        return "its appearance has unknown bits";
    if (info->light_level > LEVELS)
        return "its light level is not 0 to 15";
    if (info->light_loss > LEVELS)
        return "its loss of light is not 0 to 15";
    if (info->material == CN_BLOCK_MATERIAL_OPAQUE && info->light_loss < LEVELS)
        return "it is opaque, but its loss of light is less than 15";
    if (info->side >= CN_TILE_MAX || info->bottom >= CN_TILE_MAX || info->top >= CN_TILE_MAX ||
        info->front >= CN_TILE_MAX)
        return "a layer of its textures is out of range";
    if (info->facing >= CN_BLOCK_FACING_COUNT)
        return "the direction that it faces is unknown";
    if (info->shape && info->material != CN_BLOCK_MATERIAL_PROP)
        return "it has a shape, but its material is not that of props";
    if (!is_finite(info->hardness))
        return "its hardness is not a number";
    if (!is_amount(info->light_intensity) || !is_amount(info->light_radius))
        return "the intensity or radius of its light is negative or not a number";
    for (int i = 0; i < 3; i++)
        if (!is_amount(info->light_color[i]))
            return "the color of its light is negative or not a number";
    bool is_new_shape = info->shape && !find_shape(table, info->shape);
    return is_new_shape ? cni_voxel_shape_fault(info->shape) : NULL;
}

static bool check(const CnBlockTable *table, const CnBlockInfo *info, CnError *error)
{
    const char *name = info->name ? info->name : "";
    if (table->is_closed)
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "block '%s': the block table is closed; register blocks before a world "
                            "uses it",
                            name);
    if (!is_name(name))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "block '%s': the name is not 1 to %d of a-z, 0-9, _ and :", name,
                            CN_BLOCK_NAME_BYTES - 1);
    const char *fault = find_fault((const Table *)table, info);
    return !fault || cn_error_set(error, CN_ERROR_FORMAT, "block '%s': %s", name, fault);
}

/* ---- Registration ---- */

static uint8_t flags_of(CnBlock number, const CnBlockInfo *info)
{
    static const uint8_t kinds[] = {CN_BLOCK_IS_OPAQUE, CN_BLOCK_IS_SEMI, CN_BLOCK_IS_WATER,
                                    CN_BLOCK_IS_PROP};
    uint32_t flags = number == CN_BLOCK_AIR ? CN_BLOCK_IS_AIR : kinds[info->material];
    flags |= info->light_level > 0 ? CN_BLOCK_GLOWS : 0;
    flags |= info->collidable ? CN_BLOCK_COLLIDES : 0;
    flags |= info->light_loss > 0 ? CN_BLOCK_DIMS_LIGHT : 0;
    return (uint8_t)flags;
}

/* Converts "stone_bricks" to "Stone Bricks". */
static void write_title(const char *name, char title[CN_BLOCK_NAME_BYTES])
{
    bool begins_word = true;
    uint32_t i = 0;
    for (; name[i]; i++) {
        char c = name[i] == '_' ? ' ' : name[i];
        title[i] = begins_word && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        begins_word = c == ' ' || c == ':';
    }
    title[i] = 0;
}

static bool reserve(Table *table, uint32_t count)
{
    if (count <= table->capacity)
        return true;
    uint32_t capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
    CnBlockInfo *info = cn_realloc(table->allocator, table->info, table->capacity * sizeof *info,
                                   capacity * sizeof *info);
    if (!info)
        return false;
    memset(info + table->capacity, 0, (capacity - table->capacity) * sizeof *info);
    table->info = info;
    table->view.info = info;
    table->capacity = capacity;
    return true;
}

/* Returns the table's copy of a shape, new if it has none; NULL when out of memory. */
static const CnBlockShape *keep_shape(Table *table, const CnBlockShape *boxes)
{
    const CnBlockShape *known = find_shape(table, boxes);
    if (known)
        return known;
    CniVoxelShape *shape = cn_alloc(table->allocator, sizeof *shape);
    if (!shape)
        return NULL;
    cni_voxel_shape_init(shape, boxes);
    shape->next = table->shapes;
    table->shapes = shape;
    return &shape->boxes;
}

/* Sets the properties of a number. Returns false when out of memory. */
static bool set_block(Table *table, CnBlock number, const CnBlockInfo *info)
{
    const CnBlockShape *shape = info->shape ? keep_shape(table, info->shape) : NULL;
    if (info->shape && !shape)
        return false;
    Text *text = cn_alloc_zeroed(table->allocator, sizeof *text);
    if (!text || !reserve(table, number + 1u)) {
        cn_free(table->allocator, text, sizeof *text);
        return false;
    }
    memcpy(text->name, info->name, strlen(info->name));
    if (info->title)
        memcpy(text->title, info->title, strlen(info->title));
    else
        write_title(info->name, text->title);
    CnBlock *slot = slot_of(table, info->name);
    table->info[number] = *info;
    table->info[number].name = text->name;
    table->info[number].title = text->title;
    table->info[number].shape = shape;
    cn_free(table->allocator, table->texts[number], sizeof *text); /* of a fixed block */
    table->texts[number] = text;
    *slot = number;
    table->view.flags[number] = flags_of(number, info);
    if (table->view.count <= number)
        table->view.count = number + 1u;
    return true;
}

/* Sets the properties of air or water. */
static bool redefine(Table *table, uint32_t index, const CnBlockInfo *info, CnError *error)
{
    CnBlockInfo own = *info;
    if (table->redefined >> index & 1)
        return cn_error_set(error, CN_ERROR_EXISTS, "block '%s' is already registered", info->name);
    if (index > 0 && info->material != CN_BLOCK_MATERIAL_WATER)
        return cn_error_set(error, CN_ERROR_FORMAT, "block '%s': its material must be water",
                            info->name);
    if (index == 0) { /* what the engine assumes about air */
        own.material = CN_BLOCK_MATERIAL_PROP;
        own.shape = NULL;
        own.light_level = own.light_loss = 0;
        own.emits_light = own.collidable = own.placeable = false;
        own.replaceable = true;
    }
    if (!set_block(table, fixed[index].number, &own))
        return cn_error_memory(error, "block '%s'", info->name);
    table->redefined |= (uint16_t)(1u << index);
    return true;
}

static uint32_t next_number(const Table *table)
{
    return table->next == CN_BLOCK_WATER ? CN_BLOCK_WATER_7 + 1 : table->next;
}

bool cn_block_table_add(CnBlockTable *view, const CnBlockInfo *info, CnBlock *number,
                        CnError *error)
{
    CN_ASSERT(view, "%s: view is NULL", __func__);
    Table *table = (Table *)view;
    if (!check(view, info, error))
        return false;
    CnBlock block = cn_block_find(view, info->name);
    for (uint32_t i = 0; i < CN_COUNT_OF(fixed); i++) {
        if (block != fixed[i].number)
            continue;
        if (number)
            *number = block;
        return redefine(table, i, info, error);
    }
    if (block != CN_BLOCK_NONE)
        return cn_error_set(error, CN_ERROR_EXISTS, "block '%s' is already registered", info->name);
    uint32_t next = next_number(table);
    if (next > CN_BLOCK_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "block '%s': the block table is full; it holds %d blocks", info->name,
                            BLOCKS);
    if (!set_block(table, (CnBlock)next, info))
        return cn_error_memory(error, "block '%s'", info->name);
    table->next = next + 1;
    if (number)
        *number = (CnBlock)next;
    return true;
}

bool cn_block_table_add_placeholder(CnBlockTable *table, const char *name, const CnBlockInfo *look,
                                    CnBlock *number, CnError *error)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    CnBlockInfo info = look ? *look : cn_block_info_default(name);
    info.name = name;
    info.title = name;
    info.placeable = false;
    info.is_placeholder = true;
    return cn_block_table_add(table, &info, number, error);
}

/* ---- Lifetime ---- */

CnBlockTable *cn_block_table_create(CnAllocator *allocator, CnError *error)
{
    Table *table = cn_alloc_zeroed(allocator, sizeof *table);
    if (!table) {
        cn_error_memory(error, "a block table");
        return NULL;
    }
    table->allocator = allocator;
    table->next = CN_BLOCK_AIR + 1;
    memset(table->slots, 0xFF, sizeof table->slots);
    for (uint32_t i = 0; i < CN_COUNT_OF(fixed); i++) {
        CnBlockInfo info = cn_block_info_default(fixed[i].name);
        info.material = i == 0 ? CN_BLOCK_MATERIAL_PROP : CN_BLOCK_MATERIAL_WATER;
        info.light_loss = i == 0 ? 0 : 1;
        info.collidable = info.placeable = false;
        info.replaceable = true;
        info.hardness = 0;
        if (!set_block(table, fixed[i].number, &info)) {
            cn_block_table_destroy(&table->view);
            cn_error_memory(error, "a block table");
            return NULL;
        }
    }
    return &table->view;
}

void cn_block_table_destroy(CnBlockTable *view)
{
    Table *table = (Table *)view;
    if (!table)
        return;
    for (uint32_t i = 0; i < view->count; i++)
        cn_free(table->allocator, table->texts[i], sizeof(Text));
    for (CniVoxelShape *shape = table->shapes, *next; shape; shape = next) {
        next = shape->next;
        cn_free(table->allocator, shape, sizeof *shape);
    }
    cn_free(table->allocator, table->info, table->capacity * sizeof *table->info);
    cn_free(table->allocator, table, sizeof *table);
}

void cn_block_table_close(CnBlockTable *table)
{
    table->is_closed = true;
}
