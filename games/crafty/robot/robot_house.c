/*
 * The house of the robot: five by five blocks outside, two blocks high inside, with a roof, a door
 * in the south and a bed.
 */
#include "robot_play.h"

#define HALF 2         /* blocks from the center to a wall */
#define SITE_RADIUS 28 /* blocks in which a flat place is searched */
#define SITE_BLOCKS 60u

static const char *const materials[] = {"cobblestone", "dirt", "andesite", "granite", "diorite"};

/* Returns the item of which there are most; NULL if there is none. */
static const char *material_of(const CraftyRobot *robot)
{
    const char *best = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(materials); i++) {
        uint32_t count = crafty_robot_count(robot, materials[i]);
        if (count > most) {
            most = count;
            best = materials[i];
        }
    }
    return best;
}

uint32_t crafty_robot_material_count(const CraftyRobot *robot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(materials); i++)
        count += crafty_robot_count(robot, materials[i]);
    return count;
}

static bool is_flat(const CraftyRobot *robot, int32_t x, int32_t z, int32_t *ground)
{
    const CnBlockTable *blocks = cn_voxels_blocks(robot->voxels);
    *ground = cn_voxels_height(robot->voxels, x, z);
    for (int32_t k = -HALF; k <= HALF + 1; k++)
        for (int32_t i = -HALF; i <= HALF; i++) {
            CnCell top = {x + i, cn_voxels_height(robot->voxels, x + i, z + k), z + k};
            if (top.y != *ground || *ground <= CN_SEA_LEVEL ||
                !(blocks->flags[cn_voxels_get(robot->voxels, top)] & CN_BLOCK_IS_OPAQUE))
                return false;
        }
    return true;
}

/* Finds the nearest flat place under the sky; the cell is that of the feet in its center. */
static bool find_site(const CraftyRobot *robot, CnCell *site)
{
    CnCell feet = crafty_robot_feet(robot);
    for (int32_t ring = 0; ring <= SITE_RADIUS; ring++)
        for (int32_t k = -ring; k <= ring; k++)
            for (int32_t i = -ring; i <= ring; i++) {
                int32_t ground;
                if ((i > -ring && i < ring && k > -ring && k < ring) ||
                    !is_flat(robot, feet.x + i, feet.z + k, &ground))
                    continue;
                *site = (CnCell){feet.x + i, ground + 1, feet.z + k};
                return true;
            }
    return false;
}

static bool is_wall(int32_t x, int32_t z)
{
    return x == -HALF || x == HALF || z == -HALF || z == HALF;
}

static bool place_block(CraftyRobot *robot, CnCell cell)
{
    const char *item = material_of(robot);
    if (crafty_robot_collides(robot, cell))
        return true;
    if (cn_voxels_get(robot->voxels, cell) != CN_BLOCK_AIR)
        crafty_robot_break(robot, cell); /* plants */
    return item && crafty_robot_place(robot, cell, item);
}

static bool is_corner(int32_t x, int32_t z)
{
    return (x == -HALF || x == HALF) && (z == -HALF || z == HALF);
}

/* Builds the corners of a layer, which walls would hide from the inside, or the walls between. */
static bool build_part(CraftyRobot *robot, CnCell site, bool corners, bool has_door)
{
    bool is_done = true;
    for (int32_t z = -HALF; z <= HALF; z++)
        for (int32_t x = -HALF; x <= HALF; x++) {
            bool is_door = has_door && x == 0 && z == HALF;
            if (is_wall(x, z) && is_corner(x, z) == corners && !is_door &&
                !place_block(robot, (CnCell){site.x + x, site.y, site.z + z}))
                is_done = false;
        }
    return is_done;
}

/* Builds a layer of the walls, leaving the door free. A block over the door needs another one
 * beside it, so what fails is tried again. */
static bool build_layer(CraftyRobot *robot, CnCell site, int32_t layer, bool has_door)
{
    bool is_done = false;
    site.y += layer;
    for (uint32_t attempt = 0; attempt < 3 && !is_done && crafty_robot_is_well(robot); attempt++) {
        bool has_corners = build_part(robot, site, true, has_door);
        is_done = build_part(robot, site, false, has_door) && has_corners;
    }
    return is_done;
}

static bool build_roof(CraftyRobot *robot, CnCell site)
{
    static const int8_t order[9][2] = {{1, 0},  {-1, 0}, {0, 1},   {0, -1}, {1, 1},
                                       {1, -1}, {-1, 1}, {-1, -1}, {0, 0}};
    for (uint32_t i = 0; i < 9; i++)
        if (!place_block(robot, (CnCell){site.x + order[i][0], site.y + 2, site.z + order[i][1]}))
            return false;
    return true;
}

static void clear_plants(CraftyRobot *robot, CnCell site)
{
    for (int32_t z = -HALF; z <= HALF; z++)
        for (int32_t x = -HALF; x <= HALF; x++) {
            CnCell cell = {site.x + x, site.y, site.z + z};
            if (cn_voxels_get(robot->voxels, cell) != CN_BLOCK_AIR)
                crafty_robot_break(robot, cell);
        }
}

static bool build_walls(CraftyRobot *robot, CnCell site)
{
    const char *step = material_of(robot);
    return build_layer(robot, site, 0, true) && build_layer(robot, site, 1, true) &&
           crafty_robot_go(robot, site, 0) && crafty_robot_pillar(robot, step) &&
           build_layer(robot, site, 2, false) && crafty_robot_break(robot, site) &&
           crafty_robot_wait(robot, 40) && build_roof(robot, site);
}

/* The bed lies along x, before the northern wall. */
static bool furnish(CraftyRobot *robot, CnCell site, CraftyRobotHouse *house)
{
    CnCell beside = {site.x + 1, site.y, site.z - 1};
    house->door = (CnCell){site.x, site.y, site.z + HALF};
    house->bed = (CnCell){site.x, site.y, site.z - 1};
    house->has_door =
        crafty_robot_go(robot, site, 0) && crafty_robot_place(robot, house->door, "_door");
    house->has_bed = crafty_robot_count(robot, "_bed") > 0 && crafty_robot_go(robot, beside, 0) &&
                     crafty_robot_place(robot, house->bed, "_bed");
    return house->has_door;
}

bool crafty_robot_build_house(CraftyRobot *robot, CraftyRobotHouse *house)
{
    *house = (CraftyRobotHouse){0};
    if (crafty_robot_material_count(robot) < SITE_BLOCKS || !find_site(robot, &house->site) ||
        !crafty_robot_go(robot, house->site, 0))
        return false;
    clear_plants(robot, house->site);
    house->has_walls = build_walls(robot, house->site);
    return house->has_walls && furnish(robot, house->site, house);
}
