/* How villagers walk: along a path, through doors. */
#include "villager_internal.h"

#include <string.h>

#define ARRIVAL 0.12f   /* blocks from the middle of a cell */
#define RETRY_TICKS 90u /* after a search that found nothing */
#define DOOR_DISTANCE 1.6f
#define STEP 0.5f        /* blocks up or down; higher ones must not lead through the block */
#define BEFORE_EDGE 0.8f /* blocks from the middle of the next cell */
#define BEHIND_EDGE 0.2f

static const CraftyPathBody body = {
    .width = 0.6f, .height = 1.8f, .opens_doors = true, .avoids_water = true};

CnCell crafty_villager_feet(const CnTransform *transform)
{
    CnVec3 at = transform->position;
    return (CnCell){(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y + 0.01f),
                    (int32_t)cn_floorf(at.z)};
}

void crafty_villager_stop(CraftyVillager *villager)
{
    villager->walks = false;
    villager->index = villager->count = 0;
}

static bool is_near(CnCell a, CnCell b, uint32_t near)
{
    int32_t most = (int32_t)near, dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx <= most && -dx <= most && dz <= most && -dz <= most && dy <= most + 1 &&
           -dy <= most + 1;
}

/* ---- Paths ---- */

static CraftyPathWorld path_world(const CraftyVillagerTick *tick)
{
    return (CraftyPathWorld){.blocks = cn_voxels_reader(tick->blocks->voxels),
                             .traits = tick->work->traits};
}

static CnCell cell_at(const CraftyVillager *villager, uint32_t index)
{
    const int8_t *cell = &villager->cells[3 * index];
    return (CnCell){villager->origin[0] + cell[0], villager->origin[1] + cell[1],
                    villager->origin[2] + cell[2]};
}

/* Keeps the first cells; the rest is searched when they have been walked. */
static void keep_path(CraftyVillager *villager, CnCell origin, const CraftyPath *path)
{
    villager->origin[0] = origin.x;
    villager->origin[1] = origin.y;
    villager->origin[2] = origin.z;
    villager->index = villager->count = 0;
    for (uint32_t i = 0; i < path->count && i < CRAFTY_VILLAGER_CELLS; i++) {
        int32_t d[3] = {path->cells[i].x - origin.x, path->cells[i].y - origin.y,
                        path->cells[i].z - origin.z};
        for (uint32_t k = 0; k < 3; k++)
            if (d[k] < INT8_MIN || d[k] > INT8_MAX)
                return;
        for (uint32_t k = 0; k < 3; k++)
            villager->cells[3 * i + k] = (int8_t)d[k];
        villager->count++;
    }
    villager->walks = villager->count > 0;
}

/* Where the body cannot stand, such as in a new block, the search starts beside or above it. */
static CnCell standing_cell(const CraftyPathWorld *world, CnCell feet)
{
    static const int8_t steps[9][3] = {{0, 0, 0}, {0, 1, 0},  {0, -1, 0}, {1, 0, 0}, {-1, 0, 0},
                                       {0, 0, 1}, {0, 0, -1}, {0, 2, 0},  {0, -2, 0}};
    for (uint32_t i = 0; i < 9; i++) {
        CnCell cell = {feet.x + steps[i][0], feet.y + steps[i][1], feet.z + steps[i][2]};
        if (crafty_path_can_stand(world, &body, cell))
            return cell;
    }
    return feet;
}

static void search(CraftyVillagerTick *tick, CnCell goal, uint32_t near)
{
    CraftyVillager *villager = tick->villager;
    CraftyPathWorld world = path_world(tick);
    CnCell feet = standing_cell(&world, crafty_villager_feet(tick->transform));
    CraftyPathDesc desc = {.start = feet,
                           .goal = goal,
                           .body = body,
                           .max_nodes = CRAFTY_PATH_MAX_NODES,
                           .near = near};
    tick->work->searches++;
    cn_resource_mut(tick->world, CraftyVillages)->searches++;
    CraftyPathResult result =
        crafty_path_find(tick->work->scratch, &world, &desc, &tick->work->path);
    villager->wait = RETRY_TICKS;
    if (result == CRAFTY_PATH_FOUND || result == CRAFTY_PATH_PARTIAL)
        keep_path(villager, feet, &tick->work->path);
}

/* ---- Doors ---- */

static bool toggle(const CraftyVillagerTick *tick, CnCell cell, bool open)
{
    const CraftyBlockFamilies *families = tick->blocks->families;
    CnVoxels *voxels = tick->blocks->voxels;
    CnBlock block = families ? cn_voxels_get(voxels, cell) : (CnBlock)CN_BLOCK_AIR;
    if (!families || crafty_block_kind(families, block) != CRAFTY_KIND_DOOR ||
        crafty_block_is_open(families, block) == open)
        return false;
    const int32_t own[3] = {cell.x, cell.y, cell.z};
    int32_t other[3];
    CnEdit edit = {.tick = tick->tick,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = crafty_block_toggled(families, block)};
    if (!cn_voxels_edit(voxels, &edit, NULL))
        return false;
    if (crafty_block_other_cell(families, block, own, other)) {
        edit.cell = (CnCell){other[0], other[1], other[2]};
        edit.new_block = crafty_block_toggled(families, cn_voxels_get(voxels, edit.cell));
        cn_voxels_edit(voxels, &edit, NULL);
    }
    return true;
}

void crafty_villager_close_door(CraftyVillagerTick *tick, bool at_once)
{
    CraftyVillager *villager = tick->villager;
    CnCell door = {villager->door[0], villager->door[1], villager->door[2]};
    CnVec3 at = tick->transform->position;
    if (!villager->has_door)
        return;
    float dx = at.x - ((float)door.x + 0.5f), dz = at.z - ((float)door.z + 0.5f);
    if (!at_once && dx * dx + dz * dz < DOOR_DISTANCE * DOOR_DISTANCE)
        return;
    if (dx * dx + dz * dz > 0.8f * 0.8f)
        toggle(tick, door, false);
    villager->has_door = false;
}

static void open_door(CraftyVillagerTick *tick, CnCell cell)
{
    CraftyVillager *villager = tick->villager;
    if (!toggle(tick, cell, true))
        return;
    crafty_villager_close_door(tick, true);
    villager->has_door = true;
    villager->door[0] = cell.x;
    villager->door[1] = cell.y;
    villager->door[2] = cell.z;
}

/* ---- Steps ---- */

static void face(CnTransform *transform, float dx, float dz)
{
    if (dx * dx + dz * dz > 1e-6f)
        transform->rotation =
            cn_quat_from_euler(cn_vec3(0, cn_atan2f(-dx, -dz) * (180 / CN_PIF), 0));
}

/* Moves towards the next cell of the path; steps up and down are eased. */
static void step(CraftyVillagerTick *tick)
{
    CraftyVillager *villager = tick->villager;
    CraftyPathWorld world = path_world(tick);
    CnCell next = cell_at(villager, villager->index);
    CnVec3 *at = &tick->transform->position;
    open_door(tick, next);
    if (!crafty_path_can_stand(&world, &body, next)) {
        crafty_villager_stop(villager); /* something was built there */
        villager->wait = 0;
        return;
    }
    float dx = (float)next.x + 0.5f - at->x, dz = (float)next.z + 0.5f - at->z;
    float distance = cn_sqrtf(dx * dx + dz * dz), reach = CRAFTY_VILLAGER_SPEED * tick->dt;
    float part = distance > reach ? reach / distance : 1;
    float rise = (float)next.y - at->y, most = 5 * tick->dt;
    face(tick->transform, dx, dz);
    if (rise > STEP && distance < BEFORE_EDGE)
        part = 0; /* up, then over the edge */
    if (rise < -STEP && distance > BEHIND_EDGE)
        rise = 0; /* over the edge, then down */
    at->x += dx * part;
    at->z += dz * part;
    at->y += rise > most ? most : rise < -most ? -most : rise;
    if (distance - reach > ARRIVAL || cn_fabsf((float)next.y - at->y) > 0.05f)
        return;
    villager->index++;
    if (villager->index >= villager->count) {
        crafty_villager_stop(villager);
        villager->wait = 0;
    }
}

bool crafty_villager_walk(CraftyVillagerTick *tick, CnCell goal, uint32_t near)
{
    CraftyVillager *villager = tick->villager;
    if (villager->walks) {
        step(tick);
        return false;
    }
    if (is_near(crafty_villager_feet(tick->transform), goal, near))
        return true;
    if (villager->wait > 0)
        villager->wait--;
    else if (tick->work->searches < CRAFTY_VILLAGER_PATHS)
        search(tick, goal, near);
    return false;
}
