/*
 * Families: every shape in every material known to paint.h, and the single blocks. The surface and
 * the hardness follow from the shape or, for single blocks, from words in their names. In names and
 * tiles of shapes, * stands for the name of the material.
 */
#include "blocks.h"
#include "paint.h"

#include <stdlib.h>
#include <string.h>

typedef struct Shape {
    const char *name;                /* of the block */
    const char *side, *bottom, *top; /* tiles; NULL: the block's own name */
    double hardness;
    Material material;
    Surface surface;
    uint8_t light_level; /* in the color of the material */
    uint8_t light_loss;  /* of blocks that are not opaque */
} Shape;

static const Shape wood_shapes[] = {
    {"*_planks", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_parquet", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_panel", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_shingles", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_crate", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_bookshelf", NULL, "*_planks", "*_planks", 1.5, .surface = SURFACE_WOOD},
    {"*_carved", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_beams", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_lattice", .hardness = 1.5, .material = MATERIAL_SEMI, .surface = SURFACE_WOOD},
    {"*_log", NULL, "*_log_top", "*_log_top", 2, .surface = SURFACE_WOOD},
    {"stripped_*_log", NULL, "stripped_*_log_top", "stripped_*_log_top", 2,
     .surface = SURFACE_WOOD},
    {"*_barrel", NULL, "*_barrel_top", "*_barrel_top", 2.5, .surface = SURFACE_WOOD},
    {"*_leaves", NULL, NULL, NULL, .2, MATERIAL_SEMI, SURFACE_GRASS, 0, 1},
    {"blossoming_*_leaves", NULL, NULL, NULL, .2, MATERIAL_SEMI, SURFACE_GRASS, 0, 1},
    {"*_sapling", .material = MATERIAL_PROP, .surface = SURFACE_GRASS},
    {0},
};

static const Shape stone_shapes[] = {
    {"*", .hardness = 1.5},
    {"cobbled_*", .hardness = 2},
    {"mossy_cobbled_*", .hardness = 2},
    {"*_bricks", .hardness = 1.5},
    {"mossy_*_bricks", .hardness = 1.5},
    {"cracked_*_bricks", .hardness = 1.25},
    {"*_tiles", .hardness = 1.5},
    {"cracked_*_tiles", .hardness = 1.25},
    {"chiseled_*", .hardness = 1.5},
    {"polished_*", .hardness = 1.5},
    {"*_slabs", .hardness = 1.5},
    {"*_ashlar", .hardness = 1.5},
    {"*_mosaic", .hardness = 1.25},
    {"*_paving", .hardness = 1.5},
    {"*_pillar", NULL, "*_pillar_top", "*_pillar_top", .hardness = 1.5},
    {0},
};

static const Shape color_shapes[] = {
    {"*_wool", .hardness = .8, .surface = SURFACE_GRASS},
    {"*_concrete", .hardness = 1.8},
    {"*_concrete_powder", .hardness = .5, .surface = SURFACE_SAND},
    {"*_terracotta", .hardness = 1.25},
    {"*_glazed_terracotta", .hardness = 1.4},
    {"*_bricks", .hardness = 2},
    {"*_tiles", .hardness = 1.5},
    {"*_mosaic", .hardness = 1.25},
    {"*_planks", .hardness = 2, .surface = SURFACE_WOOD},
    {"*_lamp", .hardness = .3, .light_level = 15},
    {"*_glass", .hardness = .3, .material = MATERIAL_SEMI},
    {"*_leaded_glass", .hardness = .5, .material = MATERIAL_SEMI},
    {"*_candle", .material = MATERIAL_PROP, .light_level = 9},
    {"*_tulip", .material = MATERIAL_PROP, .surface = SURFACE_GRASS},
    {0},
};

static const Shape metal_shapes[] = {
    {"*_block", .hardness = 5},
    {"*_plates", .hardness = 4},
    {"*_bricks", .hardness = 4},
    {"cut_*", .hardness = 4},
    {"raw_*_block", .hardness = 4},
    {"*_lamp", .hardness = 2, .light_level = 13},
    {"*_grate", .hardness = 3, .material = MATERIAL_SEMI},
    {0},
};

static const Shape gem_shapes[] = {
    {"*_block", .hardness = 5},
    {"*_bricks", .hardness = 4},
    {"*_lamp", .hardness = 1, .light_level = 14},
    {"*_crystal", .material = MATERIAL_PROP, .light_level = 5},
    {0},
};

static const Shape ore_shape = {"*_ore", .hardness = 3};

/* Values of a material that override those of the shape. */
static const struct {
    const char *material;
    double hardness;
} harder[] = {{"obsidian", 10}, {"basalt", 2}, {"gabbro", 2}, {"titanium", 8}, {"steel", 6}};

/* Blocks that exist under another name. */
static const char *const not_made[] = {"cobbled_stone", "mossy_cobbled_stone", "oak_crate",
                                       "oak_bookshelf"};

/* ---- Blocks ---- */

static void expand(const char *pattern, const char *material, char name[BLOCK_NAME_BYTES])
{
    const char *star = strchr(pattern, '*');
    if (star)
        snprintf(name, BLOCK_NAME_BYTES, "%.*s%s%s", (int)(star - pattern), pattern, material,
                 star + 1);
    else
        snprintf(name, BLOCK_NAME_BYTES, "%s", pattern);
}

static bool is_not_made(const char *name)
{
    for (size_t i = 0; i < sizeof not_made / sizeof *not_made; i++)
        if (strcmp(not_made[i], name) == 0)
            return true;
    return false;
}

/* Scales the brightest channel to 1; squaring approximates the sRGB curve. */
static void light_in_color(Block *block, uint32_t color)
{
    double brightest = 1;
    for (int i = 0; i < 3; i++) {
        double channel = (double)(color >> (16 - 8 * i) & 255);
        block->light_color[i] = channel * channel;
        brightest = block->light_color[i] > brightest ? block->light_color[i] : brightest;
    }
    for (int i = 0; i < 3; i++)
        block->light_color[i] /= brightest;
    block->emits_light = true;
    block->light_intensity = block->light_level;
}

static bool add_block(BlockSet *set, const Shape *shape, const char *material, uint32_t color)
{
    char name[BLOCK_NAME_BYTES];
    expand(shape->name, material, name);
    const Block *other = set_find(set, name);
    if (is_not_made(name) || (other && other->line > 0))
        return true;
    if (other || !name_is_good(name))
        return report_error(__FILE__, 0, "\"%s\" %s", name,
                            other ? "is defined twice" : "is not a valid name");
    Block *block = set_add(set, name);
    if (!block)
        return report_error(__FILE__, 0, "more than %d blocks", BLOCK_MAX);

    const char *patterns[3] = {shape->side, shape->bottom, shape->top};
    for (int i = 0; i < 3; i++)
        expand(patterns[i] ? patterns[i] : shape->name, material, block->tiles[i]);
    block->material = shape->material;
    block->surface = shape->surface;
    block->hardness = shape->hardness;
    block->collidable = block->material != MATERIAL_PROP;
    block->light_loss = block->material == MATERIAL_OPAQUE ? 15 : shape->light_loss;
    block->light_level = shape->light_level;
    if (block->light_level > 0)
        light_in_color(block, color);
    for (size_t i = 0; i < sizeof harder / sizeof *harder; i++)
        if (strcmp(harder[i].material, material) == 0 && block->hardness > 0)
            block->hardness = harder[i].hardness;
    return true;
}

/* ---- Families ---- */

static bool add_family(BlockSet *set, const PaintMaterial *materials, const Shape *shapes)
{
    bool good = true;
    for (const PaintMaterial *material = materials; material->name; material++)
        for (const Shape *shape = shapes; shape->name; shape++)
            good &= add_block(set, shape, material->name, material->color);
    return good;
}

static bool add_ores(BlockSet *set)
{
    bool good = true;
    for (const PaintMaterial *ore = paint_ores; ore->name; ore++) {
        good &= add_block(set, &ore_shape, ore->name, ore->color);
        for (const char *const *host = paint_ore_hosts; *host; host++) {
            char name[BLOCK_NAME_BYTES];
            snprintf(name, sizeof name, "%s_%s", *host, ore->name);
            good &= add_block(set, &ore_shape, name, ore->color);
        }
    }
    return good;
}

/* Properties derived from words in the names of single blocks; the first match applies. */
typedef struct Rule {
    const char *word;
    double hardness; /* of blocks; props break instantly */
    Surface surface;
    uint8_t light_level;
    bool replaceable;
    double light_radius;
} Rule;

static const Rule rules[] = {
    {"sand", .5, SURFACE_SAND, 0, false, 0},       {"salt", .6, SURFACE_SAND, 0, false, 0},
    {"clay", .6, SURFACE_SAND, 0, false, 0},       {"ash", .5, SURFACE_SAND, 0, false, 0},
    {"soil", .5, SURFACE_GRASS, 0, false, 0},      {"loam", .5, SURFACE_GRASS, 0, false, 0},
    {"peat", .5, SURFACE_GRASS, 0, false, 0},      {"dirt", .5, SURFACE_GRASS, 0, false, 0},
    {"turf", .6, SURFACE_GRASS, 0, false, 0},      {"moss", .1, SURFACE_GRASS, 0, false, 0},
    {"lichen", .1, SURFACE_GRASS, 0, false, 0},    {"snow", .3, SURFACE_GRASS, 0, false, 0},
    {"bricks", 2, SURFACE_STONE, 0, false, 0},     {"mud", .6, SURFACE_GRASS, 0, false, 0},
    {"ice", .5, SURFACE_STONE, 0, false, 0},       {"thatch", .5, SURFACE_GRASS, 0, false, 0},
    {"sponge", .6, SURFACE_GRASS, 0, false, 0},    {"honeycomb", .6, SURFACE_GRASS, 0, false, 0},
    {"chest", 2.5, SURFACE_WOOD, 0, false, 0},     {"workbench", 2.5, SURFACE_WOOD, 0, false, 0},
    {"glow", 0, SURFACE_GRASS, 8, false, 0},       {"mushroom", .2, SURFACE_WOOD, 0, false, 0},
    {"coral", 1, SURFACE_STONE, 0, false, 0},      {"shells", 0, SURFACE_STONE, 0, true, 0},
    {"torch", 0, SURFACE_WOOD, 12, false, 6},      {"lantern", .3, SURFACE_STONE, 13, false, 8},
    {"lava", 5, SURFACE_SAND, 15, false, 0},       {"moonstone", .3, SURFACE_STONE, 13, false, 0},
    {"sunstone", .3, SURFACE_STONE, 15, false, 0}, {"grass", 0, SURFACE_GRASS, 0, true, 0},
    {"clover", 0, SURFACE_GRASS, 0, true, 0},      {"vines", 0, SURFACE_GRASS, 0, true, 0},
    {"seagrass", 0, SURFACE_GRASS, 0, true, 0},
};

/* Tests for a whole word between the _ of the name. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; at; at = strchr(at, '_') ? strchr(at, '_') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == '_' || at[length] == 0))
            return true;
    return false;
}

static void apply_rules(Block *block, uint32_t color)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const Rule *rule = &rules[i];
        if (!has_word(block->name, rule->word))
            continue;
        block->surface = rule->surface;
        block->replaceable = rule->replaceable && block->material == MATERIAL_PROP;
        if (block->material != MATERIAL_PROP)
            block->hardness = rule->hardness;
        block->light_level = rule->light_level;
        if (block->light_level > 0)
            light_in_color(block, color);
        block->light_radius = rule->light_radius;
        return;
    }
}

static bool is_painted(const char *name)
{
    for (const PaintSingle *single = paint_singles; single->name; single++)
        if (strcmp(single->name, name) == 0)
            return true;
    return false;
}

static bool add_singles(BlockSet *set)
{
    static const Shape shapes[] = {
        [PAINT_OPAQUE] = {.hardness = 1.5},
        [PAINT_SEMI] = {.hardness = .3, .material = MATERIAL_SEMI},
        [PAINT_PROP] = {.material = MATERIAL_PROP, .surface = SURFACE_GRASS},
    };
    bool good = true;
    for (const PaintSingle *single = paint_singles; single->name; single++) {
        if (single->use == PAINT_PART || set_find(set, single->name))
            continue;
        char side[BLOCK_NAME_BYTES];
        snprintf(side, sizeof side, "%s_side", single->name);
        Shape shape = shapes[single->use];
        shape.name = single->name;
        shape.side = is_painted(side) ? side : NULL;
        good &= add_block(set, &shape, "", 0);
        Block *block = set_find(set, single->name);
        if (block)
            apply_rules(block, single->color);
    }
    return good;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const Block *)left)->name, ((const Block *)right)->name);
}

bool families_add(BlockSet *set)
{
    bool good = add_family(set, paint_woods, wood_shapes);
    good &= add_family(set, paint_stones, stone_shapes);
    good &= add_family(set, paint_colors, color_shapes);
    good &= add_family(set, paint_metals, metal_shapes);
    good &= add_family(set, paint_gems, gem_shapes);
    good &= add_ores(set);
    good &= add_singles(set);
    qsort(set->blocks + set->special_count, set->count - set->special_count, sizeof *set->blocks,
          by_name);
    return good;
}
