/*
 * Blocks that face a direction, have two halves or do not fill their cell: doors, beds, stairs,
 * slabs, ladders, signs, chests and furnaces. Shapes are written for the direction north and turned
 * for the others. Names are those of the item with the variant behind it: oak_door_north_lower,
 * oak_door_north_open_lower, red_bed_east_foot, oak_stairs_south_top, stone_slab_top.
 */
#include "blocks.h"
#include "paint.h"

#include <string.h>

#define DIRECTIONS 4
static const char *const directions[DIRECTIONS] = {"north", "east", "south", "west"};

/* What the variants of a kind have in common. */
typedef struct Kind {
    const char *name, *title;
    const char *side, *bottom, *top; /* tiles */
    const char *front;               /* NULL: like the sides */
    double hardness;
    Surface surface;
    bool is_passable; /* bodies do not collide with it */
    bool blocks_light;
    bool is_climbable;
} Kind;

typedef struct Variant {
    const char *suffix; /* behind the name of the kind, with a direction instead of the * */
    Boxes boxes;
    int turns;    /* of the front, in addition to those of the direction */
    bool is_item; /* in the direction north, it is the variant that players place */
} Variant;

/* ---- Shapes: x, y, z of the lower and the upper corner, in 1/16 ---- */

static const Boxes bottom_half = {1, {{0, 0, 0, 16, 8, 16}}};
static const Boxes top_half = {1, {{0, 8, 0, 16, 16, 16}}};
/* The low side of stairs is their front. */
static const Boxes stairs = {2, {{0, 0, 0, 16, 8, 16}, {0, 8, 8, 16, 16, 16}}};
static const Boxes stairs_top = {2, {{0, 8, 0, 16, 16, 16}, {0, 0, 8, 16, 8, 16}}};
/* Doors stand at the side that they face. Seen from there, the hinge is on the left. */
static const Boxes door = {1, {{0, 0, 0, 16, 16, 3}}};
static const Boxes open_door = {1, {{13, 0, 0, 16, 16, 16}}};
/* Ladders and signs hang on the block behind them. */
static const Boxes ladder = {1, {{0, 0, 15, 16, 16, 16}}};
static const Boxes wall_sign = {1, {{0, 4, 14, 16, 12, 16}}};
static const Boxes standing_sign = {2, {{0, 8, 7, 16, 16, 9}, {7, 0, 7, 9, 8, 9}}};
static const Boxes chest = {2, {{1, 0, 1, 15, 14, 15}, {7, 7, 0, 9, 11, 1}}};
/* The head of a bed points in its direction. */
static const Boxes bed_foot = {
    3, {{0, 3, 0, 16, 9, 16}, {0, 0, 13, 3, 3, 16}, {13, 0, 13, 16, 3, 16}}};
static const Boxes bed_head = {3, {{0, 3, 0, 16, 9, 16}, {0, 0, 0, 3, 3, 3}, {13, 0, 0, 16, 3, 3}}};

Boxes boxes_turned(const Boxes *boxes, int turns)
{
    Boxes result = *boxes;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < result.count; i++) {
            uint8_t old[6], *box = result.boxes[i];
            memcpy(old, box, sizeof old);
            box[0] = (uint8_t)(16 - old[5]);
            box[3] = (uint8_t)(16 - old[2]);
            box[2] = old[0];
            box[5] = old[3];
        }
    }
    return result;
}

/* ---- Blocks ---- */

static Block *add_block(BlockSet *set, const Kind *kind, const char *name)
{
    if (set_find(set, name) || !name_is_good(name)) {
        report_error(__FILE__, 0, "\"%s\" is defined twice or not a valid name", name);
        return NULL;
    }
    Block *block = set_add(set, name);
    if (!block) {
        report_error(__FILE__, 0, "more than %d blocks", BLOCK_MAX);
        return NULL;
    }
    snprintf(block->tiles[0], BLOCK_NAME_BYTES, "%s", kind->side);
    snprintf(block->tiles[1], BLOCK_NAME_BYTES, "%s", kind->bottom);
    snprintf(block->tiles[2], BLOCK_NAME_BYTES, "%s", kind->top);
    snprintf(block->tiles[3], BLOCK_NAME_BYTES, "%s", kind->front ? kind->front : "");
    if (kind->title)
        snprintf(block->title, BLOCK_NAME_BYTES, "%s", kind->title);
    else
        title_of(kind->name, block->title);
    block->hardness = kind->hardness;
    block->surface = kind->surface;
    block->collidable = !kind->is_passable;
    block->is_climbable = kind->is_climbable;
    block->light_loss = kind->blocks_light ? 15 : 0;
    block->appearance = 0;
    return block;
}

/* Adds one variant in all directions, or only one block if its suffix has no direction. A variant
 * without boxes is a full cube. */
static bool add_variant(BlockSet *set, const Kind *kind, const Variant *variant)
{
    const char *star = strchr(variant->suffix, '*');
    for (int direction = 0; direction < (star ? DIRECTIONS : 1); direction++) {
        char name[2 * BLOCK_NAME_BYTES];
        if (star)
            snprintf(name, sizeof name, "%s%.*s%s%s", kind->name, (int)(star - variant->suffix),
                     variant->suffix, directions[direction], star + 1);
        else
            snprintf(name, sizeof name, "%s%s", kind->name, variant->suffix);
        Block *block = add_block(set, kind, name);
        if (!block)
            return false;
        block->placeable = variant->is_item && direction == 0;
        block->boxes = boxes_turned(&variant->boxes, direction);
        block->material = variant->boxes.count > 0 ? MATERIAL_PROP : MATERIAL_OPAQUE;
        if (star && kind->front)
            block->facing = 1 + (direction + variant->turns) % DIRECTIONS;
    }
    return true;
}

static bool add_stairs_and_slabs(BlockSet *set)
{
    static const struct {
        const char *name, *side, *bottom, *top;
        double hardness;
        Surface surface;
    } materials[] = {
        {"oak", "oak_planks", "oak_planks", "oak_planks", 2, SURFACE_WOOD},
        {"spruce", "spruce_planks", "spruce_planks", "spruce_planks", 2, SURFACE_WOOD},
        {"birch", "birch_planks", "birch_planks", "birch_planks", 2, SURFACE_WOOD},
        {"stone", "stone", "stone", "stone", 1.5, SURFACE_STONE},
        {"cobblestone", "cobblestone", "cobblestone", "cobblestone", 2, SURFACE_STONE},
        {"stone_brick", "stone_bricks", "stone_bricks", "stone_bricks", 1.5, SURFACE_STONE},
        {"brick", "bricks", "bricks", "bricks", 2, SURFACE_STONE},
        {"sandstone", "sandstone_side", "sandstone_bottom", "sandstone_top", .8, SURFACE_STONE},
    };
    const Variant stair_variants[] = {{"_*", stairs, 0, true}, {"_*_top", stairs_top, 0, false}};
    const Variant slab_variants[] = {{"", bottom_half, 0, true}, {"_top", top_half, 0, false}};
    bool good = true;
    for (size_t i = 0; i < sizeof materials / sizeof *materials; i++) {
        char name[BLOCK_NAME_BYTES];
        Kind kind = {.name = name,
                     .side = materials[i].side,
                     .bottom = materials[i].bottom,
                     .top = materials[i].top,
                     .hardness = materials[i].hardness,
                     .surface = materials[i].surface,
                     .blocks_light = true};
        snprintf(name, sizeof name, "%s_stairs", materials[i].name);
        for (int k = 0; k < 2; k++)
            good &= add_variant(set, &kind, &stair_variants[k]);
        snprintf(name, sizeof name, "%s_slab", materials[i].name);
        for (int k = 0; k < 2; k++)
            good &= add_variant(set, &kind, &slab_variants[k]);
    }
    return good;
}

/* The handle of a door is on the right of its front, so its back shows the mirrored tile. */
static bool add_doors(BlockSet *set)
{
    static const struct {
        const char *name;
        double hardness;
        Surface surface;
    } doors[] = {{"oak_door", 3, SURFACE_WOOD},
                 {"spruce_door", 3, SURFACE_WOOD},
                 {"birch_door", 3, SURFACE_WOOD},
                 {"iron_door", 5, SURFACE_STONE}};
    static const char *const halves[] = {"lower", "upper"};
    bool good = true;
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        for (int half = 0; half < 2; half++) {
            char front[BLOCK_NAME_BYTES], back[BLOCK_NAME_BYTES], suffix[2][BLOCK_NAME_BYTES];
            snprintf(front, sizeof front, "%s_%s", doors[i].name, halves[half]);
            snprintf(back, sizeof back, "%s_%s_back", doors[i].name, halves[half]);
            snprintf(suffix[0], BLOCK_NAME_BYTES, "_*_%s", halves[half]);
            snprintf(suffix[1], BLOCK_NAME_BYTES, "_*_open_%s", halves[half]);
            Kind kind = {.name = doors[i].name,
                         .side = back,
                         .bottom = back,
                         .top = back,
                         .front = front,
                         .hardness = doors[i].hardness,
                         .surface = doors[i].surface};
            good &= add_variant(set, &kind, &(Variant){suffix[0], door, 0, half == 0});
            good &= add_variant(set, &kind, &(Variant){suffix[1], open_door, 3, false});
        }
    }
    return good;
}

static bool add_beds(BlockSet *set)
{
    bool good = true;
    for (const PaintMaterial *color = paint_colors; color->name; color++) {
        char name[BLOCK_NAME_BYTES], side[BLOCK_NAME_BYTES], foot[BLOCK_NAME_BYTES],
            head[BLOCK_NAME_BYTES];
        snprintf(name, sizeof name, "%s_bed", color->name);
        snprintf(side, sizeof side, "%s_bed_side", color->name);
        snprintf(foot, sizeof foot, "%s_bed_foot", color->name);
        snprintf(head, sizeof head, "%s_bed_head", color->name);
        Kind kind = {.name = name,
                     .side = side,
                     .bottom = "oak_planks",
                     .top = foot,
                     .front = side,
                     .hardness = .2,
                     .surface = SURFACE_WOOD};
        good &= add_variant(set, &kind, &(Variant){"_*_foot", bed_foot, 0, true});
        kind.top = head;
        kind.side = kind.front = "bed_head_side";
        good &= add_variant(set, &kind, &(Variant){"_*_head", bed_head, 0, false});
    }
    return good;
}

static void make_glow(BlockSet *set, const char *kind_name)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        char name[BLOCK_NAME_BYTES];
        snprintf(name, sizeof name, "%s_%s", kind_name, directions[direction]);
        Block *block = set_find(set, name);
        static const double orange[3] = {1, .55, .2};
        memcpy(block->light_color, orange, sizeof orange);
        block->emits_light = true;
        block->light_level = 13;
        block->light_intensity = 10;
        block->light_radius = 7;
    }
}

static bool add_furniture(BlockSet *set)
{
    static const Kind table = {.name = "crafting_table",
                               .side = "crafting_table_side",
                               .bottom = "oak_planks",
                               .top = "crafting_table_top",
                               .hardness = 2.5,
                               .surface = SURFACE_WOOD,
                               .blocks_light = true};
    static const Kind chests = {.name = "chest",
                                .side = "chest_wall",
                                .bottom = "chest_bottom",
                                .top = "chest_lid",
                                .front = "chest_front",
                                .hardness = 2.5,
                                .surface = SURFACE_WOOD};
    Kind furnace = {.name = "furnace",
                    .side = "furnace_wall",
                    .bottom = "furnace_top",
                    .top = "furnace_top",
                    .front = "furnace_front",
                    .hardness = 3.5,
                    .blocks_light = true};
    static const Kind ladders = {.name = "ladder",
                                 .side = "ladder",
                                 .bottom = "ladder",
                                 .top = "ladder",
                                 .front = "ladder",
                                 .hardness = .4,
                                 .surface = SURFACE_WOOD,
                                 .is_passable = true,
                                 .is_climbable = true};
    Kind sign = {.name = "sign",
                 .side = "sign",
                 .bottom = "sign",
                 .top = "sign",
                 .front = "sign",
                 .hardness = 1,
                 .surface = SURFACE_WOOD,
                 .is_passable = true};
    bool good = add_variant(set, &table, &(Variant){"", {0}, 0, true});
    good &= add_variant(set, &chests, &(Variant){"_*", chest, 0, true});
    good &= add_variant(set, &furnace, &(Variant){"_*", {0}, 0, true});
    furnace.name = "lit_furnace";
    furnace.title = "Furnace";
    furnace.front = "lit_furnace_front";
    good &= add_variant(set, &furnace, &(Variant){"_*", {0}, 0, false});
    good &= add_variant(set, &ladders, &(Variant){"_*", ladder, 0, true});
    good &= add_variant(set, &sign, &(Variant){"_*", standing_sign, 0, true});
    sign.name = "wall_sign";
    sign.title = "Sign";
    good &= add_variant(set, &sign, &(Variant){"_*", wall_sign, 0, false});
    if (good)
        make_glow(set, "lit_furnace");
    return good;
}

bool shaped_blocks_add(BlockSet *set)
{
    /* Blocks of older worlds that face no direction: items place those that do. */
    static const char *const replaced[] = {"chest", "furnace", "ladder"};
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        Block *block = set_find(set, replaced[i]);
        if (!block)
            continue;
        block->placeable = false;
        block->is_climbable = strcmp(replaced[i], "ladder") == 0;
    }
    bool good = add_furniture(set);
    good &= add_doors(set);
    good &= add_beds(set);
    good &= add_stairs_and_slabs(set);
    return good;
}
