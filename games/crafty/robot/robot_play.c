#include "robot_play.h"

#include "crafty/sim/bed.h"
#include "crafty/sim/day.h"
#include "crafty/sim/furnace.h"

#include <string.h>

#define LOGS 16u
#define STONES 75u /* for tools, a furnace and a house */
#define IRON 3u
#define FIBERS 36u
#define SEARCH 40 /* blocks in which the robot looks for something */
#define MAX_TRIES 400u
#define SMELT_TICKS 4000u
#define MAX_FUEL 8u
#define NIGHT_TICKS 40000u
#define HUNGER_TICKS 40000u
#define STARVE_TICKS 600u
#define DIVE_TICKS 240u
#define HUNGRY 15.0f /* of CRAFTY_MAX_FOOD */
#define EAT_TICKS 200u
#define TOASTS 3u /* seeds at a time */
#define FALLS 16u

static const char *const names[CRAFTY_ROBOT_STAGES] = {
    [CRAFTY_ROBOT_WOOD] = "wood",   [CRAFTY_ROBOT_TABLE] = "table",
    [CRAFTY_ROBOT_STONE] = "stone", [CRAFTY_ROBOT_IRON] = "iron",
    [CRAFTY_ROBOT_SMELT] = "smelt", [CRAFTY_ROBOT_BED] = "bed",
    [CRAFTY_ROBOT_EAT] = "eat",     [CRAFTY_ROBOT_NIGHT] = "night",
    [CRAFTY_ROBOT_HOUSE] = "house", [CRAFTY_ROBOT_SLEEP] = "sleep",
    [CRAFTY_ROBOT_SWIM] = "swim",   [CRAFTY_ROBOT_STARVE] = "starve",
    [CRAFTY_ROBOT_DIE] = "die",     [CRAFTY_ROBOT_RESPAWN] = "respawn"};

const char *crafty_robot_stage_name(CraftyRobotStage stage)
{
    return (uint32_t)stage < CRAFTY_ROBOT_STAGES ? names[stage] : "unknown";
}

/* ---- Collecting ---- */

static bool is_stone(const CnBlockInfo *info)
{
    return !strcmp(info->name, "stone");
}

static bool is_iron(const CnBlockInfo *info)
{
    return strstr(info->name, "iron_ore") != NULL;
}

static bool is_grass(const CnBlockInfo *info)
{
    static const char *const plants[] = {"short_grass", "tall_grass", "fern", "oat_grass",
                                         "dry_grass"};
    for (uint32_t i = 0; i < CN_COUNT_OF(plants); i++)
        if (!strcmp(info->name, plants[i]))
            return true;
    return false;
}

/* Walks somewhere else, each time in another direction. */
static void wander(CraftyRobot *robot, uint32_t turn)
{
    static const int8_t ways[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    CnCell feet = crafty_robot_feet(robot);
    int32_t far = 24 + 8 * (int32_t)(turn / 4 % 4);
    crafty_robot_go_to_column(robot, feet.x + ways[turn % 4][0] * far,
                              feet.z + ways[turn % 4][1] * far, 2);
}

/* Mines blocks until the robot has so many items whose names contain `part`. */
static bool collect(CraftyRobot *robot, CraftyRobotFilter filter, const char *part, uint32_t count,
                    int32_t radius)
{
    uint32_t lost = 0, turn = 0;
    for (uint32_t i = 0; i < MAX_TRIES && crafty_robot_count(robot, part) < count; i++) {
        CnCell cell;
        if (!crafty_robot_is_well(robot))
            return false;
        bool is_found = crafty_robot_find(robot, filter, radius, &cell);
        if (is_found && crafty_robot_mine(robot, cell))
            continue;
        if (is_found)
            crafty_robot_avoid(robot, cell);
        if (!is_found || ++lost % 4 == 0)
            wander(robot, turn++);
    }
    return crafty_robot_count(robot, part) >= count;
}

static bool go_to_surface(CraftyRobot *robot, int32_t x, int32_t z)
{
    return crafty_robot_go(robot, (CnCell){x, cn_voxels_height(robot->voxels, x, z) + 1, z}, 3);
}

/* ---- Tables and furnaces ---- */

/* Places a block beside the robot and returns its cell. */
static bool place_beside(CraftyRobot *robot, const char *item, CnCell *cell)
{
    static const int8_t ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (uint32_t attempt = 0; attempt < 4; attempt++) {
        CnCell feet = crafty_robot_feet(robot);
        for (int32_t up = 0; up < 2; up++)
            for (uint32_t i = 0; i < 4; i++) {
                *cell = (CnCell){feet.x + ways[i][0], feet.y + up, feet.z + ways[i][1]};
                if (!crafty_robot_collides(robot, *cell) && crafty_robot_place(robot, *cell, item))
                    return true;
            }
        /* In a shaft: makes room. */
        CnCell side = {feet.x + ways[attempt][0], feet.y, feet.z + ways[attempt][1]};
        if (crafty_robot_collides(robot, side))
            crafty_robot_break(robot, side);
    }
    return false;
}

static bool close_all(CraftyRobot *robot)
{
    return crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE});
}

/* Makes one thing at a crafting table, which the robot carries. */
static bool craft_at_table(CraftyRobot *robot, const char *recipe)
{
    CnCell cell;
    if (!place_beside(robot, "crafting_table", &cell))
        return false;
    bool is_made = crafty_robot_use(robot, cell) &&
                   crafty_robot_player(robot)->open == CRAFTY_OPEN_TABLE &&
                   crafty_robot_craft(robot, recipe, 1);
    close_all(robot);
    return crafty_robot_mine(robot, cell) && is_made;
}

static bool smelt(CraftyRobot *robot, const char *input, const char *fuel, const char *result,
                  uint32_t count)
{
    CnCell cell;
    int32_t from = crafty_robot_slot(robot, input), burnt = crafty_robot_slot(robot, fuel);
    if (from < 0 || burnt < 0 || !place_beside(robot, "furnace", &cell))
        return false;
    from = crafty_robot_slot(robot, input);
    burnt = crafty_robot_slot(robot, fuel);
    uint32_t fuels = crafty_robot_stack(robot, (uint32_t)burnt).count;
    bool is_begun =
        crafty_robot_use(robot, cell) && crafty_robot_player(robot)->open == CRAFTY_OPEN_FURNACE &&
        crafty_robot_move_items(robot, (uint32_t)from, CRAFTY_COMMAND_CONTAINER, count) &&
        crafty_robot_move_items(robot, (uint32_t)burnt, CRAFTY_COMMAND_CONTAINER + 1,
                                fuels < MAX_FUEL ? fuels : MAX_FUEL);
    for (uint32_t i = 0; i < SMELT_TICKS && is_begun; i++) {
        CraftyFurnace furnace;
        if (i % 60 == 0 && crafty_furnace_read(robot->world, cell, &furnace) &&
            !crafty_stack_is_empty(furnace.slots[CRAFTY_FURNACE_RESULT]))
            crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_QUICK_MOVE,
                                                        .from = CRAFTY_COMMAND_CONTAINER + 2});
        if (crafty_robot_count(robot, result) >= count || !crafty_robot_tick(robot))
            break;
    }
    close_all(robot);
    return crafty_robot_mine(robot, cell) && crafty_robot_count(robot, result) >= count;
}

/* ---- Stages ---- */

/* Makes planks of all logs but a few, whatever their wood. */
static bool make_planks(CraftyRobot *robot, uint32_t kept)
{
    while (crafty_robot_count(robot, "_log") > kept) {
        CraftyStack logs = crafty_robot_stack(robot, (uint32_t)crafty_robot_slot(robot, "_log"));
        const char *log = crafty_items_info(robot->items, logs.item)->name;
        char recipe[CRAFTY_ITEM_NAME_BYTES];
        cn_format(recipe, sizeof recipe, "%.*s_planks", (int)(strlen(log) - 4), log);
        if (!crafty_robot_craft(robot, recipe, 1))
            return false;
    }
    return true;
}

static bool make_table(CraftyRobot *robot)
{
    return make_planks(robot, 2) && crafty_robot_craft(robot, "stick", 3) &&
           crafty_robot_craft(robot, "crafting_table", 1) &&
           craft_at_table(robot, "wooden_pickaxe") && craft_at_table(robot, "wooden_axe");
}

static bool get_stone(CraftyRobot *robot)
{
    return collect(robot, is_stone, "cobblestone", 12, SEARCH) &&
           craft_at_table(robot, "stone_pickaxe") && craft_at_table(robot, "furnace") &&
           collect(robot, is_stone, "cobblestone", STONES, SEARCH);
}

static bool make_iron(CraftyRobot *robot)
{
    return smelt(robot, "raw_iron", "_planks", "iron_ingot", IRON) &&
           craft_at_table(robot, "iron_pickaxe");
}

static bool is_door_wood(const CnBlockInfo *info)
{
    return !strcmp(info->name, "oak_log") || !strcmp(info->name, "birch_log") ||
           !strcmp(info->name, "spruce_log");
}

/* Not every wood makes doors. */
static bool make_door(CraftyRobot *robot)
{
    static const char *const doors[][2] = {{"oak_planks", "oak_door"},
                                           {"birch_planks", "birch_door"},
                                           {"spruce_planks", "spruce_door"}};
    for (uint32_t attempt = 0; attempt < 2; attempt++) {
        for (uint32_t i = 0; i < CN_COUNT_OF(doors); i++)
            if (crafty_robot_count(robot, doors[i][0]) >= 6)
                return craft_at_table(robot, doors[i][1]);
        uint32_t logs = crafty_robot_count(robot, "_log");
        if (!collect(robot, is_door_wood, "_log", logs + 4, SEARCH) || !make_planks(robot, 0))
            return false;
    }
    return false;
}

/* Back to the surface first: grass grows there. */
static bool make_bed(CraftyRobot *robot)
{
    CnCell feet = crafty_robot_feet(robot);
    go_to_surface(robot, feet.x, feet.z);
    if (crafty_robot_count(robot, "_planks") < 9 &&
        (!collect(robot, crafty_robot_is_log, "_log", 4, SEARCH) || !make_planks(robot, 0)))
        return false;
    if (!make_door(robot) || !collect(robot, is_grass, "plant_fiber", FIBERS, 32))
        return false;
    for (uint32_t i = 0; i < 12; i++)
        if (!crafty_robot_craft(robot, "string", 1))
            return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!crafty_robot_craft(robot, "white_wool", 1))
            return false;
    return craft_at_table(robot, "white_bed");
}

/* ---- Eating ---- */

static const char *const foods[] = {"berries", "carrot", "melon_slice", "apple", "toasted_seeds"};

static bool gives_food(const CnBlockInfo *info)
{
    return !strcmp(info->name, "berry_bush") || !strcmp(info->name, "carrots") ||
           !strcmp(info->name, "melon");
}

static bool is_hungry(const CraftyRobot *robot)
{
    return crafty_robot_vitals(robot)->food <= HUNGRY;
}

/* Holds the button with food in the hand until it is eaten. */
static bool eat_one(CraftyRobot *robot, const char *food)
{
    uint32_t count = crafty_robot_count(robot, food);
    if (count == 0 || !crafty_robot_take(robot, food))
        return false;
    CnVec3 eye = crafty_robot_eye(robot);
    crafty_robot_look_at(robot, cn_vec3(eye.x, eye.y + 2, eye.z)); /* not at a block to use */
    crafty_robot_hold(robot, "place_block", true);
    for (uint32_t i = 0; i < EAT_TICKS && crafty_robot_count(robot, food) == count; i++)
        if (!crafty_robot_tick(robot) || !crafty_robot_is_well(robot))
            break;
    crafty_robot_release(robot);
    return crafty_robot_tick(robot) && crafty_robot_count(robot, food) < count;
}

/* Eats while it is hungry and has something. Returns whether it ate. */
static bool eat_what_it_has(CraftyRobot *robot)
{
    bool has_eaten = false;
    for (uint32_t i = 0; i < CN_COUNT_OF(foods); i++)
        while (is_hungry(robot) && eat_one(robot, foods[i]))
            has_eaten = true;
    return has_eaten;
}

static bool has_food(const CraftyRobot *robot)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(foods); i++)
        if (crafty_robot_count(robot, foods[i]) > 0)
            return true;
    return false;
}

/* Picks what grows near, or toasts seeds of grass. */
static bool get_food(CraftyRobot *robot)
{
    CnCell plant;
    if (crafty_robot_find(robot, gives_food, SEARCH / 2, &plant))
        crafty_robot_mine(robot, plant);
    if (has_food(robot))
        return true;
    if (crafty_robot_count(robot, "furnace") == 0 ||
        !collect(robot, is_grass, "wheat_seeds", 1, SEARCH))
        return false;
    uint32_t seeds = crafty_robot_count(robot, "wheat_seeds");
    if (crafty_robot_count(robot, "_planks") < 2 &&
        (!collect(robot, crafty_robot_is_log, "_log", 1, SEARCH) || !make_planks(robot, 0)))
        return false;
    for (uint32_t i = 0; i < 4 && crafty_robot_is_well(robot); i++) {
        if (smelt(robot, "wheat_seeds", "_planks", "toasted_seeds",
                  seeds < TOASTS ? seeds : TOASTS))
            return true;
        wander(robot, i); /* no place for the furnace, as on a narrow ledge */
    }
    return false;
}

static bool eat(CraftyRobot *robot)
{
    crafty_robot_hold(robot, "jump", true);
    for (uint32_t i = 0; i < HUNGER_TICKS && !is_hungry(robot); i++)
        if (!crafty_robot_tick(robot) || !crafty_robot_is_well(robot))
            return false;
    crafty_robot_release(robot);
    return get_food(robot) && eat_what_it_has(robot);
}

/* ---- The house ---- */

static bool build(CraftyRobot *robot, CraftyRobotGame *game)
{
    for (uint32_t i = 0; i < 6 && crafty_robot_is_well(robot); i++) {
        if (crafty_robot_build_house(robot, &game->house) && game->house.has_bed)
            return true;
        if (game->house.has_walls)
            return false;
        wander(robot, i);
    }
    return false;
}

static bool is_night(const CraftyRobot *robot)
{
    float hours = crafty_day_hours(robot->world);
    return hours >= CRAFTY_BED_NIGHT_BEGIN + 0.2f || hours < CRAFTY_BED_NIGHT_END - 0.5f;
}

/* ---- The door ---- */

static bool is_open(const CraftyRobot *robot, CnCell door)
{
    return strstr(crafty_robot_block_name(robot, door), "_open") != NULL;
}

static bool set_door(CraftyRobot *robot, CnCell door, bool open)
{
    return is_open(robot, door) == open ||
           (crafty_robot_use(robot, door) && is_open(robot, door) == open);
}

/* Goes through the door, from one cell before it to one behind it, and closes it. */
static bool go_through_door(CraftyRobot *robot, const CraftyRobotHouse *house, bool inwards)
{
    int32_t way = inwards ? -1 : 1;
    CnCell here = {house->door.x, house->door.y, house->door.z - way};
    CnCell there = {house->door.x, house->door.y, house->door.z + way};
    if (!house->has_door || !crafty_robot_go(robot, here, 0) || !set_door(robot, house->door, true))
        return false;
    for (uint32_t i = 0; i < 90 && (crafty_robot_feet(robot).z - there.z) * way < 0; i++) {
        crafty_robot_look_at(robot, cn_vec3((float)there.x + 0.5f, crafty_robot_eye(robot).y,
                                            (float)there.z + 0.5f));
        robot->move = (CnVec2){0, 1};
        crafty_robot_tick(robot);
    }
    crafty_robot_release(robot);
    return crafty_robot_wait(robot, 10) && set_door(robot, house->door, false) &&
           (crafty_robot_feet(robot).z - there.z) * way >= 0;
}

/* Stands before the house until night falls, and goes in. */
static bool return_at_night(CraftyRobot *robot, const CraftyRobotGame *game)
{
    const CraftyRobotHouse *house = &game->house;
    if (!go_through_door(robot, house, false) ||
        !crafty_robot_go_to_column(robot, house->door.x, house->door.z + 4, 1))
        return false;
    for (uint32_t i = 0; i < NIGHT_TICKS && !is_night(robot); i++)
        if (!crafty_robot_wait(robot, 1))
            return false;
    return is_night(robot) && go_through_door(robot, house, true) &&
           crafty_robot_go(robot, house->site, 0);
}

static bool sleep_in_bed(CraftyRobot *robot, const CraftyRobotGame *game)
{
    if (!crafty_robot_use(robot, game->house.bed) || !crafty_robot_vitals(robot)->sleep_ticks)
        return false;
    return crafty_robot_wait(robot, CRAFTY_SLEEP_TICKS + 10) && !is_night(robot) &&
           crafty_robot_vitals(robot)->has_spawn;
}

/* Finds water that is at least three blocks deep; the cell is below the surface. */
static bool find_water(CraftyRobot *robot, CnCell *cell)
{
    const CnBlockTable *blocks = cn_voxels_blocks(robot->voxels);
    CnCell feet = crafty_robot_feet(robot);
    for (int32_t ring = 4; ring < 200; ring += 4)
        for (int32_t k = -ring; k <= ring; k += 4)
            for (int32_t i = -ring; i <= ring; i += 4) {
                if (i > -ring && i < ring && k > -ring && k < ring)
                    continue;
                CnCell top = {feet.x + i, cn_voxels_height(robot->voxels, feet.x + i, feet.z + k),
                              feet.z + k};
                CnCell deep = {top.x, top.y - 2, top.z};
                if ((blocks->flags[cn_voxels_get(robot->voxels, top)] & CN_BLOCK_IS_WATER) &&
                    (blocks->flags[cn_voxels_get(robot->voxels, deep)] & CN_BLOCK_IS_WATER)) {
                    *cell = (CnCell){top.x, top.y - 1, top.z};
                    return true;
                }
            }
    return false;
}

static bool swim(CraftyRobot *robot, CraftyRobotGame *game)
{
    CnCell water;
    if (!go_through_door(robot, &game->house, false))
        return false;
    game->lowest_air = CRAFTY_MAX_AIR;
    if (!find_water(robot, &water) || !crafty_robot_go(robot, water, 0))
        return false;
    crafty_robot_hold(robot, "slow", true); /* dives */
    for (uint32_t i = 0; i < DIVE_TICKS && crafty_robot_tick(robot); i++)
        if (crafty_robot_vitals(robot)->air < game->lowest_air)
            game->lowest_air = crafty_robot_vitals(robot)->air;
    crafty_robot_release(robot);
    crafty_robot_hold(robot, "jump", true);
    for (uint32_t i = 0; i < 2 * DIVE_TICKS && crafty_robot_tick(robot); i++)
        if (crafty_robot_vitals(robot)->air >= CRAFTY_MAX_AIR)
            break;
    crafty_robot_release(robot);
    CnCell shore = game->house.site;
    return crafty_robot_is_well(robot) && game->lowest_air < CRAFTY_MAX_AIR - 1 &&
           crafty_robot_go_to_column(robot, shore.x, shore.z + 5, 3);
}

/* Jumps in the house until nothing is left to eat, and then waits until that hurts. */
static bool starve(CraftyRobot *robot)
{
    float health = crafty_robot_vitals(robot)->health;
    crafty_robot_release(robot);
    crafty_robot_hold(robot, "jump", true);
    for (uint32_t i = 0; i < HUNGER_TICKS && crafty_robot_vitals(robot)->food > 0; i++)
        if (!crafty_robot_tick(robot) || !crafty_robot_is_well(robot))
            return false;
    return crafty_robot_wait(robot, STARVE_TICKS) && crafty_robot_is_well(robot) &&
           !(crafty_robot_vitals(robot)->food > 0) && crafty_robot_vitals(robot)->health < health;
}

/* Builds pillars around the house and jumps down, until a fall kills. */
static bool die(CraftyRobot *robot, const CraftyRobotGame *game)
{
    static const int8_t ways[4][2] = {{0, 1}, {1, 0}, {-1, 0}, {0, -1}};
    for (uint32_t i = 0; i < FALLS && crafty_robot_is_well(robot); i++) {
        int32_t x = ways[i % 4][0], z = ways[i % 4][1], far = 7 + 3 * (int32_t)(i / 4);
        go_to_surface(robot, game->house.site.x + x * far, game->house.site.z + z * far);
        for (uint32_t height = 0; height < 10; height++)
            if (!crafty_robot_pillar(robot, "cobblestone") && !crafty_robot_pillar(robot, "dirt"))
                break;
        CnVec3 eye = crafty_robot_eye(robot);
        crafty_robot_look_at(robot, cn_vec3(eye.x + (float)x, eye.y, eye.z + (float)z));
        robot->move = (CnVec2){0, 1};
        for (uint32_t tick = 0; tick < 150 && crafty_robot_is_well(robot); tick++)
            crafty_robot_tick(robot);
        crafty_robot_release(robot);
    }
    return !robot->is_broken && crafty_robot_vitals(robot)->dead;
}

static bool respawn(CraftyRobot *robot, const CraftyRobotGame *game)
{
    CnCell bed = game->house.bed;
    if (!crafty_robot_wait(robot, 60) ||
        !crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN}))
        return false;
    crafty_robot_wait(robot, 60);
    CnCell feet = crafty_robot_feet(robot);
    return crafty_robot_is_well(robot) && feet.x >= bed.x - 3 && feet.x <= bed.x + 3 &&
           feet.z >= bed.z - 3 && feet.z <= bed.z + 3;
}

bool crafty_robot_work(CraftyRobot *robot, const CraftyRobotGame *game)
{
    CN_ASSERT(robot->limit > 0, "%s never ends without a limit", __func__);
    for (uint32_t turn = 0; !robot->is_broken; turn++) {
        uint32_t logs = crafty_robot_count(robot, "_log"),
                 stones = crafty_robot_count(robot, "cobblestone");
        if (crafty_robot_vitals(robot)->dead)
            respawn(robot, game);
        else if (is_hungry(robot) && !has_food(robot))
            get_food(robot);
        if (is_hungry(robot))
            eat_what_it_has(robot);
        if (crafty_robot_vitals(robot)->dead)
            continue;
        if (turn % 4 == 0)
            wander(robot, turn / 4);
        else if (turn % 4 == 1)
            collect(robot, crafty_robot_is_log, "_log", logs + 4, SEARCH);
        else if (turn % 4 == 2)
            collect(robot, is_stone, "cobblestone", stones + 12, SEARCH);
        else
            crafty_robot_pick_up(robot);
        crafty_robot_wait(robot, 60);
    }
    return robot->ticks > robot->limit;
}

bool crafty_robot_play(CraftyRobot *robot, CraftyRobotGame *game, CraftyRobotStage stage)
{
    switch (stage) {
    case CRAFTY_ROBOT_WOOD:
        return collect(robot, crafty_robot_is_log, "_log", LOGS, SEARCH);
    case CRAFTY_ROBOT_TABLE:
        return make_table(robot);
    case CRAFTY_ROBOT_STONE:
        return get_stone(robot);
    case CRAFTY_ROBOT_IRON:
        return collect(robot, is_iron, "raw_iron", IRON, SEARCH);
    case CRAFTY_ROBOT_SMELT:
        return make_iron(robot);
    case CRAFTY_ROBOT_BED:
        return make_bed(robot);
    case CRAFTY_ROBOT_EAT:
        return eat(robot);
    case CRAFTY_ROBOT_HOUSE:
        return build(robot, game);
    case CRAFTY_ROBOT_NIGHT:
        return return_at_night(robot, game);
    case CRAFTY_ROBOT_SLEEP:
        return sleep_in_bed(robot, game);
    case CRAFTY_ROBOT_SWIM:
        return swim(robot, game);
    case CRAFTY_ROBOT_STARVE:
        return starve(robot);
    case CRAFTY_ROBOT_DIE:
        return die(robot, game);
    case CRAFTY_ROBOT_RESPAWN:
        return respawn(robot, game);
    case CRAFTY_ROBOT_STAGES:
        break;
    }
    return false;
}
