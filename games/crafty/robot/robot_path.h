/*
 * Paths of the robot: the cheapest way on foot, through water and through blocks that are mined.
 * The search is bounded to a box around the start.
 */
#ifndef CRAFTY_ROBOT_ROBOT_PATH_H
#define CRAFTY_ROBOT_ROBOT_PATH_H

#include "robot.h"

#define CRAFTY_ROBOT_PATH_SIDE 96 /* blocks of the box in which paths are searched */
#define CRAFTY_ROBOT_MAX_PATH 256u

typedef struct CraftyRobotGoal {
    CnCell cell;
    int32_t near;    /* blocks along each axis */
    bool any_height; /* cell.y does not matter */
} CraftyRobotGoal;

typedef struct CraftyRobotPath {
    CnCell cells[CRAFTY_ROBOT_MAX_PATH]; /* of the feet; the first one follows the start */
    uint32_t count;
    bool reaches; /* the last cell is at the goal; otherwise it is the nearest one that was found */
} CraftyRobotPath;

bool crafty_robot_at_goal(const CraftyRobotGoal *goal, CnCell cell);
/* Returns false if there is no path that comes nearer, or when out of memory. */
bool crafty_robot_find_path(CraftyRobot *robot, const CraftyRobotGoal *goal, CraftyRobotPath *path);

#endif
