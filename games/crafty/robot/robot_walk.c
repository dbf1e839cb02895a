#include "robot_path.h"

#include <stdlib.h>

#define STEP_TICKS 100u
#define ARRIVED 0.2f   /* blocks from the center of a cell */
#define SLOW_DOWN 0.5f /* blocks before it */
#define MAX_PLANS 24u
#define MAX_STUCK 4u

static CnVec3 center_of(CnCell cell)
{
    return cn_vec3((float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f);
}

static bool is_same(CnCell a, CnCell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* ---- One step ---- */

static bool make_free(CraftyRobot *robot, CnCell cell)
{
    return !crafty_robot_collides(robot, cell) || crafty_robot_break(robot, cell);
}

/* Breaks what is in the way of a step. */
static bool clear_way(CraftyRobot *robot, CnCell here, CnCell next)
{
    if (next.y > here.y && !make_free(robot, (CnCell){here.x, here.y + 2, here.z}))
        return false;
    int32_t top = next.y > here.y ? next.y + 1 : here.y + 1;
    bool is_column = next.x == here.x && next.z == here.z;
    if (is_column)
        top = next.y > here.y ? next.y + 1 : here.y - 1;
    for (int32_t y = top; y >= next.y; y--)
        if (!make_free(robot, (CnCell){next.x, y, next.z}))
            return false;
    return true;
}

static void steer(CraftyRobot *robot, CnCell next, float distance)
{
    const CraftyPlayer *player = crafty_robot_player(robot);
    CnVec3 eye = crafty_robot_eye(robot), to = center_of(next);
    to.y = eye.y;
    if (distance > 0.02f)
        crafty_robot_look_at(robot, to);
    float speed = distance / SLOW_DOWN;
    robot->move = (CnVec2){0, speed > 1 ? 1 : speed < 0.25f ? 0.25f : speed};
    float height = eye.y - CRAFTY_PLAYER_EYE - (float)next.y;
    crafty_robot_hold(robot, "jump", player->swims && height < 0.4f);
    crafty_robot_hold(robot, "slow", player->swims && height > 1.0f);
}

static bool has_arrived(const CraftyRobot *robot, CnCell next, float distance)
{
    const CraftyMotion *motion = cn_get(robot->world, robot->player, CraftyMotion);
    return distance < ARRIVED && is_same(crafty_robot_feet(robot), next) &&
           (motion->grounded || crafty_robot_player(robot)->swims);
}

static bool step_to(CraftyRobot *robot, CnCell next)
{
    CnCell here = crafty_robot_feet(robot);
    if (!clear_way(robot, here, next))
        return false;
    for (uint32_t i = 0; i < STEP_TICKS; i++) {
        CnVec3 way = cn_vec3_sub(center_of(next), crafty_robot_eye(robot));
        float distance = cn_sqrtf(way.x * way.x + way.z * way.z);
        if (has_arrived(robot, next, distance))
            return true;
        steer(robot, next, distance);
        if (!crafty_robot_tick(robot) || !crafty_robot_is_well(robot))
            return false;
    }
    return false;
}

/* ---- Going ---- */

static bool follow(CraftyRobot *robot, const CraftyRobotPath *path)
{
    bool is_done = true;
    for (uint32_t i = 0; i < path->count && is_done; i++)
        is_done = step_to(robot, path->cells[i]);
    crafty_robot_release(robot);
    return is_done;
}

/* Plans again when a step fails, because the world has changed or a fall ended elsewhere. */
static bool go(CraftyRobot *robot, const CraftyRobotGoal *goal)
{
    uint32_t stuck = 0;
    for (uint32_t i = 0; i < MAX_PLANS && stuck < MAX_STUCK && crafty_robot_is_well(robot); i++) {
        CraftyRobotPath path;
        CnCell before = crafty_robot_feet(robot);
        if (crafty_robot_at_goal(goal, before))
            return true;
        if (!crafty_robot_find_path(robot, goal, &path))
            return false;
        follow(robot, &path);
        stuck = is_same(before, crafty_robot_feet(robot)) ? stuck + 1 : 0;
        if (stuck > 0) { /* out of a corner */
            crafty_robot_hold(robot, "jump", true);
            robot->move = (CnVec2){i % 2 ? 1.0f : -1.0f, -0.5f};
            for (uint32_t tick = 0; tick < 10; tick++)
                crafty_robot_tick(robot);
            crafty_robot_release(robot);
        }
    }
    return crafty_robot_is_well(robot) && crafty_robot_at_goal(goal, crafty_robot_feet(robot));
}

bool crafty_robot_go(CraftyRobot *robot, CnCell goal, int32_t near)
{
    return go(robot, &(CraftyRobotGoal){.cell = goal, .near = near});
}

bool crafty_robot_go_to_column(CraftyRobot *robot, int32_t x, int32_t z, int32_t near)
{
    return go(robot, &(CraftyRobotGoal){.cell = {x, 0, z}, .near = near, .any_height = true});
}
