#include "robot.h"

#include "crafty/sim/drops.h"
#include "crafty/sim/harvest.h"

#define REACH 5.6f        /* blocks; a little less than that of players */
#define BREAK_TICKS 2400u /* 40 seconds: the hardest block by hand */
#define PICK_UP_TICKS 40u /* until drops of a broken block are picked up */
#define PICK_UPS 4u
#define DROP_DISTANCE 7.0f
#define PILLAR_TICKS 120u
#define INSIDE 0.03f

static CnVec3 center_of(CnCell cell)
{
    return cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f);
}

static bool is_near(const CraftyRobot *robot, CnVec3 point)
{
    return cn_vec3_length(cn_vec3_sub(point, crafty_robot_eye(robot))) < REACH;
}

static bool aim(const CraftyRobot *robot, CnVec3 point, CnVoxelHit *hit)
{
    CnVec3 eye = crafty_robot_eye(robot);
    return cn_voxels_raycast(robot->voxels, eye, cn_vec3_sub(point, eye), REACH, CN_VOXEL_RAY_AIMED,
                             hit);
}

/* ---- Breaking ---- */

static void select_slot(CraftyRobot *robot, uint32_t slot)
{
    char action[] = "slot_1";
    if (crafty_robot_player(robot)->slot == slot)
        return;
    action[sizeof action - 2] = (char)('1' + slot);
    crafty_robot_hold(robot, action, true);
    crafty_robot_tick(robot);
    crafty_robot_hold(robot, action, false);
}

/* Takes the fastest tool; the held one if no other is faster. One of the inventory changes places
 * with the last slot of the hotbar. */
static void choose_tool(CraftyRobot *robot, CnBlock block)
{
    const uint32_t last = CRAFTY_SLOTS - 1;
    uint32_t best = crafty_robot_player(robot)->slot;
    float best_ms = crafty_harvest_ms(robot->world, block, crafty_robot_stack(robot, best));
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        float ms = crafty_harvest_ms(robot->world, block, crafty_robot_stack(robot, i));
        if (ms < best_ms) {
            best_ms = ms;
            best = i;
        }
    }
    if (best >= CRAFTY_SLOTS) {
        uint32_t count = crafty_robot_stack(robot, best).count;
        best = crafty_robot_move_items(robot, best, last, count) ? last
                                                                 : crafty_robot_player(robot)->slot;
    }
    select_slot(robot, best);
}

bool crafty_robot_break(CraftyRobot *robot, CnCell cell)
{
    CnBlock block = cn_voxels_get(robot->voxels, cell);
    crafty_robot_release(robot);
    for (uint32_t i = 0; i < BREAK_TICKS && crafty_robot_is_well(robot); i++) {
        CnVoxelHit hit;
        if (cn_voxels_get(robot->voxels, cell) != block)
            break;
        if (!is_near(robot, center_of(cell)))
            return false;
        bool is_hit = aim(robot, center_of(cell), &hit);
        choose_tool(robot, is_hit ? hit.block : block);
        crafty_robot_look_at(robot, center_of(cell));
        crafty_robot_hold(robot, "break_block", true);
        crafty_robot_tick(robot);
    }
    crafty_robot_release(robot);
    return crafty_robot_tick(robot) && cn_voxels_get(robot->voxels, cell) != block;
}

/* ---- Picking up ---- */

/* Finds the nearest drop within a few blocks. */
static bool find_drop(CraftyRobot *robot, CnVec3 *at)
{
    CnQueryDesc desc = {.all = {cn_reads(CraftyDrop), cn_reads(CnTransform)}};
    CnQuery *query = cn_query_acquire(robot->world, &desc, NULL);
    float best = DROP_DISTANCE;
    CnChunkView view;
    if (!query)
        return false;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 there = cn_column_const(&view, CnTransform)[i].position;
            float distance = cn_vec3_length(cn_vec3_sub(there, crafty_robot_eye(robot)));
            if (distance < best) {
                best = distance;
                *at = there;
            }
        }
    cn_query_release(query);
    return best < DROP_DISTANCE;
}

bool crafty_robot_pick_up(CraftyRobot *robot)
{
    CnVec3 at;
    crafty_robot_wait(robot, PICK_UP_TICKS);
    for (uint32_t i = 0; i < PICK_UPS && find_drop(robot, &at) && crafty_robot_is_well(robot);
         i++) {
        CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y),
                       (int32_t)cn_floorf(at.z)};
        if (!crafty_robot_go(robot, cell, i < 2 ? 1 : 0))
            break;
        crafty_robot_wait(robot, PICK_UP_TICKS / 2);
    }
    return crafty_robot_is_well(robot);
}

bool crafty_robot_mine(CraftyRobot *robot, CnCell cell)
{
    if (!crafty_robot_go(robot, cell, 2) && !crafty_robot_go(robot, cell, 3))
        return false;
    if (!crafty_robot_break(robot, cell))
        return false;
    return crafty_robot_pick_up(robot);
}

/* ---- Placing and using ---- */

static bool press_place(CraftyRobot *robot, CnVec3 point)
{
    crafty_robot_release(robot);
    crafty_robot_look_at(robot, point);
    crafty_robot_tick(robot);
    crafty_robot_look_at(robot, point);
    crafty_robot_hold(robot, "place_block", true);
    crafty_robot_tick(robot);
    crafty_robot_hold(robot, "place_block", false);
    return crafty_robot_tick(robot);
}

/* Returns whether the hand, aiming at the point, would place into the cell. A block that is
 * replaceable, such as short grass, is itself replaced. */
static bool leads_to(const CraftyRobot *robot, CnVec3 point, CnCell cell)
{
    CnVoxelHit hit;
    if (!aim(robot, point, &hit))
        return false;
    CnCell placed = hit.cell;
    if (!cn_block_info(cn_voxels_blocks(robot->voxels), hit.block)->replaceable)
        placed = (CnCell){hit.cell.x + (int32_t)hit.normal.x, hit.cell.y + (int32_t)hit.normal.y,
                          hit.cell.z + (int32_t)hit.normal.z};
    return placed.x == cell.x && placed.y == cell.y && placed.z == cell.z;
}

bool crafty_robot_place(CraftyRobot *robot, CnCell cell, const char *item)
{
    static const int8_t sides[6][3] = {{0, -1, 0}, {1, 0, 0},  {-1, 0, 0},
                                       {0, 0, 1},  {0, 0, -1}, {0, 1, 0}};
    CnBlock before = cn_voxels_get(robot->voxels, cell);
    if (!crafty_robot_take(robot, item))
        return false;
    for (uint32_t i = 0; i < 6; i++) {
        CnVec3 way = {(float)sides[i][0], (float)sides[i][1], (float)sides[i][2]};
        CnVec3 point = cn_vec3_add(center_of(cell), cn_vec3_scale(way, 0.5f + INSIDE));
        if (!leads_to(robot, point, cell))
            continue;
        press_place(robot, point);
        return cn_voxels_get(robot->voxels, cell) != before;
    }
    return false;
}

bool crafty_robot_use(CraftyRobot *robot, CnCell cell)
{
    static const float places[] = {0.5f, 0.1f, 0.9f};
    for (uint32_t i = 0; i < 27; i++) {
        CnVec3 point = {(float)cell.x + places[i % 3], (float)cell.y + places[i / 9],
                        (float)cell.z + places[i / 3 % 3]};
        CnVoxelHit hit;
        if (aim(robot, point, &hit) && hit.cell.x == cell.x && hit.cell.y == cell.y &&
            hit.cell.z == cell.z)
            return press_place(robot, point);
    }
    return false;
}

bool crafty_robot_pillar(CraftyRobot *robot, const char *item)
{
    CnCell base = crafty_robot_feet(robot);
    CnVec3 eye = crafty_robot_eye(robot);
    if (!crafty_robot_take(robot, item))
        return false;
    crafty_robot_release(robot);
    for (uint32_t i = 0; i < PILLAR_TICKS && crafty_robot_is_well(robot); i++) {
        eye = crafty_robot_eye(robot);
        const CraftyMotion *motion = cn_get(robot->world, robot->player, CraftyMotion);
        bool is_placed = crafty_robot_collides(robot, base);
        if (is_placed && motion->grounded)
            break;
        crafty_robot_look_at(robot, cn_vec3(eye.x, eye.y - 2, eye.z));
        crafty_robot_hold(robot, "jump", !is_placed);
        crafty_robot_hold(robot, "place_block",
                          !is_placed && eye.y - CRAFTY_PLAYER_EYE > (float)base.y + 1.1f);
        crafty_robot_tick(robot);
    }
    crafty_robot_release(robot);
    return crafty_robot_tick(robot) && crafty_robot_collides(robot, base);
}
