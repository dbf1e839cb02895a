/*
 * Blocks of growth and of animal pens, after all others: young crops, wet farmland, layers of snow,
 * fire, fences with their arms, and gates. Young crops are named wheat_stage_1 to wheat_stage_3;
 * ripe ones have no stage. Fire is the strongest, then fire_5 to fire_1. A fence with arms is named
 * oak_fence_joined_5: 1 is an arm to the north, 2 to the east, 4 to the south, 8 to the west.
 */
#include "blocks.h"

#include <string.h>

#define STAGES 3
#define STRENGTHS 5
#define ARMS 4
#define JOINED_MAX 15
static const char *const directions[] = {"north", "east", "south", "west"};
static const char *const fence_woods[] = {"oak", "spruce", "birch"};

/* Adds a block that players do not place. */
static Block *add(BlockSet *set, const char *name, const char *title, const char *tile)
{
    Block *block = set_find(set, name) ? NULL : set_add(set, name);
    if (!block) {
        report_error(__FILE__, 0, "\"%s\" is defined twice, or there are too many blocks", name);
        return NULL;
    }
    snprintf(block->title, BLOCK_NAME_BYTES, "%s", title);
    set_tile(block, tile);
    block->placeable = false;
    return block;
}

static bool add_plants(BlockSet *set, const char *crop, const char *title)
{
    for (int stage = 1; stage <= STAGES; stage++) {
        char name[2 * BLOCK_NAME_BYTES];
        snprintf(name, sizeof name, "%s_stage_%d", crop, stage);
        Block *block = add(set, name, title, name);
        if (!block)
            return false;
        block->material = MATERIAL_PROP;
        block->surface = SURFACE_GRASS;
        block->hardness = 0;
        block->collidable = false;
        block->light_loss = 0;
    }
    return true;
}

static bool add_ground(BlockSet *set)
{
    Block *wet = add(set, "farmland_wet", "Farmland", "dirt");
    if (!wet)
        return false;
    snprintf(wet->tiles[2], BLOCK_NAME_BYTES, "%s", "farmland_wet_top");
    wet->hardness = .6;
    wet->surface = SURFACE_GRASS;
    Block *layer = add(set, "snow_layer", "Layer of Snow", "snow");
    if (!layer)
        return false;
    layer->boxes = (Boxes){1, {{0, 0, 0, 16, 2, 16}}};
    layer->material = MATERIAL_PROP;
    layer->surface = SURFACE_GRASS;
    layer->hardness = .1;
    layer->collidable = false;
    layer->light_loss = 0;
    layer->replaceable = true;
    layer->placeable = true;
    layer->appearance = LOOK_TURNS;
    return true;
}

static bool add_fires(BlockSet *set)
{
    static const double orange[3] = {1, .5, .16};
    for (int strength = STRENGTHS + 1; strength >= 1; strength--) {
        char name[BLOCK_NAME_BYTES];
        if (strength > STRENGTHS)
            snprintf(name, sizeof name, "fire");
        else
            snprintf(name, sizeof name, "fire_%d", strength);
        Block *block = add(set, name, "Fire", "fire");
        if (!block)
            return false;
        block->material = MATERIAL_PROP;
        block->surface = SURFACE_GRASS;
        block->hardness = 0;
        block->collidable = false;
        block->light_loss = 0;
        block->replaceable = true;
        block->appearance = LOOK_MIRRORS;
        block->emits_light = true;
        memcpy(block->light_color, orange, sizeof orange);
        block->light_level = 14;
        block->light_intensity = 8;
        block->light_radius = 8;
    }
    return true;
}

/* What villagers light at dusk. */
static bool add_unlit_lantern(BlockSet *set)
{
    Block *block = add(set, "unlit_lantern", "Lantern", "unlit_lantern");
    if (!block)
        return false;
    block->material = MATERIAL_PROP;
    block->surface = SURFACE_STONE;
    block->hardness = .3;
    block->collidable = false;
    block->light_loss = 0;
    return true;
}

/* ---- Fences ---- */

static const uint8_t post[6] = {6, 0, 6, 10, 16, 10};
static const uint8_t arms[ARMS][2][6] = {
    {{7, 6, 0, 9, 9, 6}, {7, 12, 0, 9, 15, 6}},
    {{10, 6, 7, 16, 9, 9}, {10, 12, 7, 16, 15, 9}},
    {{7, 6, 10, 9, 9, 16}, {7, 12, 10, 9, 15, 16}},
    {{0, 6, 7, 6, 9, 9}, {0, 12, 7, 6, 15, 9}},
};

/* A shape has at most eight boxes: two opposite arms are one, and so is a post with rails. */
static Boxes fence_boxes(int joined)
{
    Boxes boxes = {1, {{0}}};
    memcpy(boxes.boxes[0], post, sizeof post);
    for (int pair = 0; pair < 2; pair++) {
        bool is_through = (joined >> pair & 1) && (joined >> (pair + 2) & 1);
        for (int arm = pair; arm < ARMS; arm += 2)
            for (int rail = 0; (joined >> arm & 1) && rail < 2; rail++) {
                uint8_t *box = boxes.boxes[boxes.count];
                memcpy(box, arms[arm][rail], 6);
                if (is_through && arm == pair) { /* from side to side */
                    box[pair ? 0 : 2] = 0;
                    box[pair ? 3 : 5] = 16;
                }
                if (!is_through || arm == pair)
                    boxes.count++;
            }
    }
    return boxes;
}

static void make_fence(Block *block, const Boxes *boxes, const char *planks)
{
    set_tile(block, planks);
    block->boxes = *boxes;
    block->material = MATERIAL_PROP;
    block->surface = SURFACE_WOOD;
    block->hardness = 2;
    block->collidable = true;
    block->light_loss = 0;
    block->appearance = 0;
}

static bool add_fence(BlockSet *set, const char *wood)
{
    char name[2 * BLOCK_NAME_BYTES], title[BLOCK_NAME_BYTES], planks[BLOCK_NAME_BYTES];
    snprintf(planks, sizeof planks, "%s_planks", wood);
    snprintf(name, sizeof name, "%s_fence", wood);
    title_of(name, title);
    for (int joined = 0; joined <= JOINED_MAX; joined++) {
        Boxes boxes = fence_boxes(joined);
        if (joined > 0)
            snprintf(name, sizeof name, "%s_fence_joined_%d", wood, joined);
        /* The fence of oak is a special block. */
        Block *block = joined == 0 ? set_find(set, name) : NULL;
        block = block ? block : add(set, name, title, planks);
        if (!block)
            return false;
        make_fence(block, &boxes, planks);
        block->placeable = joined == 0;
    }
    return true;
}

/* A gate faces north or south when its bars go from west to east. */
static bool add_gate(BlockSet *set, const char *wood)
{
    static const Boxes closed = {
        4,
        {{0, 5, 7, 2, 16, 9}, {14, 5, 7, 16, 16, 9}, {2, 6, 7, 14, 9, 9}, {2, 12, 7, 14, 15, 9}}};
    static const Boxes opened = {
        4,
        {{0, 5, 7, 2, 16, 9}, {14, 5, 7, 16, 16, 9}, {0, 6, 9, 2, 15, 16}, {14, 6, 9, 16, 15, 16}}};
    char planks[BLOCK_NAME_BYTES], base[2 * BLOCK_NAME_BYTES], title[BLOCK_NAME_BYTES];
    snprintf(planks, sizeof planks, "%s_planks", wood);
    snprintf(base, sizeof base, "%s_fence_gate", wood);
    title_of(base, title);
    for (int open = 0; open < 2; open++)
        for (int direction = 0; direction < 4; direction++) {
            char name[3 * BLOCK_NAME_BYTES];
            snprintf(name, sizeof name, "%s_%s%s", base, directions[direction],
                     open ? "_open" : "");
            Block *block = add(set, name, title, planks);
            if (!block)
                return false;
            Boxes boxes = boxes_turned(open ? &opened : &closed, direction);
            make_fence(block, &boxes, planks);
            block->collidable = !open;
            block->placeable = !open && direction == 0;
        }
    return true;
}

bool grown_blocks_add(BlockSet *set)
{
    bool good = add_plants(set, "wheat", "Wheat");
    good = good && add_plants(set, "carrots", "Carrots");
    good = good && add_ground(set) && add_fires(set) && add_unlit_lantern(set);
    for (size_t i = 0; i < sizeof fence_woods / sizeof *fence_woods; i++)
        good = good && add_fence(set, fence_woods[i]) && add_gate(set, fence_woods[i]);
    return good;
}
