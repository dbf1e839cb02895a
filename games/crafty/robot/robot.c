#include "robot.h"

#include <stdlib.h>
#include <string.h>

#define AVOIDED 2 /* blocks around a cell that could not be reached */
#define MAX_PITCH 88.0f
#define DEGREES (180.0f / CN_PIF)

/* ---- Messages ---- */

bool crafty_robot_begin(CraftyRobot *robot, CraftySession *session, CnError *error)
{
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    *robot =
        (CraftyRobot){.sim = crafty_session_sim(session),
                      .world = world,
                      .voxels = crafty_world_voxels(crafty_session_world(session)),
                      .items = crafty_world_items(crafty_session_world(session)),
                      .player = cn_camera_active(world),
                      .list = crafty_actions(),
                      .connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, error)};
    return robot->connection &&
           crafty_robot_command(robot,
                                (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
}

void crafty_robot_end(CraftyRobot *robot)
{
    crafty_connection_destroy(robot->connection);
    robot->connection = NULL;
}

static void set_axis2(CraftyRobot *robot, CnActions *actions, const char *name, CnVec2 value)
{
    CnAction action = cn_action_find(robot->list, name);
    actions->axes[action.axis] = value.x;
    actions->axes[action.axis + 1] = value.y;
}

static bool send(CraftyRobot *robot)
{
    CnActions actions = {.held = robot->held,
                         .pressed = robot->held & ~robot->sent.held,
                         .released = robot->sent.held & ~robot->held};
    set_axis2(robot, &actions, "move", robot->move);
    set_axis2(robot, &actions, "look", robot->look);
    robot->sent = actions;
    robot->look = (CnVec2){0, 0};
    return crafty_connection_send_actions(robot->connection, &actions);
}

bool crafty_robot_tick(CraftyRobot *robot)
{
    if (robot->is_broken)
        return false;
    bool is_over = robot->limit && robot->ticks >= robot->limit;
    robot->is_broken = is_over || !send(robot) || !cn_sim_tick_n(robot->sim, 1, &robot->error);
    robot->ticks++;
    if (!robot->is_broken && robot->after_tick)
        robot->is_broken = !robot->after_tick(robot->user, &robot->error);
    return !robot->is_broken;
}

bool crafty_robot_wait(CraftyRobot *robot, uint32_t ticks)
{
    crafty_robot_release(robot);
    for (uint32_t i = 0; i < ticks; i++)
        if (!crafty_robot_tick(robot))
            return false;
    return true;
}

bool crafty_robot_command(CraftyRobot *robot, CraftyCommand command)
{
    uint64_t before = cn_resource(robot->world, CraftyCommandCounts)->applied;
    return crafty_connection_send_command(robot->connection, &command) &&
           crafty_robot_tick(robot) &&
           cn_resource(robot->world, CraftyCommandCounts)->applied > before;
}

/* ---- Wishes ---- */

void crafty_robot_hold(CraftyRobot *robot, const char *action, bool held)
{
    uint64_t bit = UINT64_C(1) << (cn_action_find(robot->list, action).number - 1u);
    robot->held = held ? robot->held | bit : robot->held & ~bit;
}

void crafty_robot_release(CraftyRobot *robot)
{
    robot->held = 0;
    robot->move = (CnVec2){0, 0};
}

/* Wraps an angle to -180 to 180 degrees. */
static float wrapped(float degrees)
{
    return degrees - 360 * cn_floorf(degrees / 360 + 0.5f);
}

void crafty_robot_look_at(CraftyRobot *robot, CnVec3 point)
{
    const CnPlayerController *controller = cn_get(robot->world, robot->player, CnPlayerController);
    CnVec3 way = cn_vec3_sub(point, crafty_robot_eye(robot));
    float along = cn_sqrtf(way.x * way.x + way.z * way.z);
    if (!controller || !(controller->sensitivity > 0))
        return;
    float yaw = along > 1e-4f ? cn_atan2f(-way.x, -way.z) * DEGREES : controller->yaw;
    float pitch = cn_atan2f(way.y, along) * DEGREES;
    pitch = pitch > MAX_PITCH ? MAX_PITCH : pitch < -MAX_PITCH ? -MAX_PITCH : pitch;
    robot->look = (CnVec2){wrapped(controller->yaw - yaw) / controller->sensitivity,
                           (pitch - controller->pitch) / controller->sensitivity};
}

/* ---- What the robot sees ---- */

bool crafty_robot_is_well(const CraftyRobot *robot)
{
    return !robot->is_broken && !crafty_player_is_dead(robot->world, robot->player);
}

CnVec3 crafty_robot_eye(const CraftyRobot *robot)
{
    return cn_get(robot->world, robot->player, CnTransform)->position;
}

CnCell crafty_robot_feet(const CraftyRobot *robot)
{
    CnVec3 eye = crafty_robot_eye(robot);
    return (CnCell){(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y - CRAFTY_PLAYER_EYE + 0.1f),
                    (int32_t)cn_floorf(eye.z)};
}

const CraftyPlayer *crafty_robot_player(const CraftyRobot *robot)
{
    return cn_get(robot->world, robot->player, CraftyPlayer);
}

const CraftyVitals *crafty_robot_vitals(const CraftyRobot *robot)
{
    return cn_get(robot->world, robot->player, CraftyVitals);
}

const char *crafty_robot_block_name(const CraftyRobot *robot, CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(robot->voxels), cn_voxels_get(robot->voxels, cell))->name;
}

bool crafty_robot_collides(const CraftyRobot *robot, CnCell cell)
{
    CnBlock block = cn_voxels_get(robot->voxels, cell);
    return (cn_voxels_blocks(robot->voxels)->flags[block] & CN_BLOCK_COLLIDES) != 0;
}

bool crafty_robot_is_log(const CnBlockInfo *info)
{
    size_t length = strlen(info->name);
    return length > 4 && !strcmp(info->name + length - 4, "_log");
}

void crafty_robot_avoid(CraftyRobot *robot, CnCell cell)
{
    robot->avoided[robot->avoided_count++ % CRAFTY_ROBOT_AVOIDED] = cell;
}

static bool is_avoided(const CraftyRobot *robot, CnCell cell)
{
    for (uint32_t i = 0; i < robot->avoided_count && i < CRAFTY_ROBOT_AVOIDED; i++) {
        CnCell other = robot->avoided[i];
        if (abs(cell.x - other.x) <= AVOIDED && abs(cell.y - other.y) <= AVOIDED &&
            abs(cell.z - other.z) <= AVOIDED)
            return true;
    }
    return false;
}

/* Ties go to the first in order of z, y, x. */
bool crafty_robot_find(CraftyRobot *robot, CraftyRobotFilter filter, int32_t radius, CnCell *cell)
{
    const CnBlockTable *blocks = cn_voxels_blocks(robot->voxels);
    CnCell feet = crafty_robot_feet(robot);
    int32_t best = INT32_MAX;
    for (int32_t z = -radius; z <= radius; z++)
        for (int32_t y = -radius; y <= radius; y++)
            for (int32_t x = -radius; x <= radius; x++) {
                int32_t distance = x * x + 2 * y * y + z * z;
                CnCell there = {feet.x + x, feet.y + y, feet.z + z};
                if (distance >= best ||
                    !filter(cn_block_info(blocks, cn_voxels_get(robot->voxels, there))) ||
                    is_avoided(robot, there))
                    continue;
                best = distance;
                *cell = there;
            }
    return best < INT32_MAX;
}
