/*
 * What the robot does in a game of survival, in stages that build on each other.
 *
 *     CraftyRobotGame game = {0};
 *     for (uint32_t i = 0; i < CRAFTY_ROBOT_STAGES; i++)
 *         if (!crafty_robot_play(&robot, &game, (CraftyRobotStage)i))
 *             complain(crafty_robot_stage_name((CraftyRobotStage)i));
 */
#ifndef CRAFTY_ROBOT_ROBOT_PLAY_H
#define CRAFTY_ROBOT_ROBOT_PLAY_H

#include "robot.h"

typedef enum CraftyRobotStage {
    CRAFTY_ROBOT_WOOD,
    CRAFTY_ROBOT_TABLE, /* a crafting table and tools of wood */
    CRAFTY_ROBOT_STONE, /* mines stone, and makes tools of it */
    CRAFTY_ROBOT_IRON,  /* mines iron */
    CRAFTY_ROBOT_SMELT, /* smelts it, and makes a pickaxe of it */
    CRAFTY_ROBOT_BED,   /* collects fibers and makes a bed and a door */
    CRAFTY_ROBOT_EAT,   /* finds or toasts something and eats, being hungry */
    CRAFTY_ROBOT_HOUSE,
    CRAFTY_ROBOT_NIGHT, /* leaves the house and returns by the door when night falls */
    CRAFTY_ROBOT_SLEEP,
    CRAFTY_ROBOT_STARVE,
    CRAFTY_ROBOT_SWIM,
    CRAFTY_ROBOT_DIE,
    CRAFTY_ROBOT_RESPAWN,
    CRAFTY_ROBOT_STAGES
} CraftyRobotStage;

typedef struct CraftyRobotHouse {
    CnCell site, door, bed;
    bool has_walls, has_door, has_bed;
} CraftyRobotHouse;

typedef struct CraftyRobotGame {
    CraftyRobotHouse house;
    float lowest_air; /* seconds, while swimming */
} CraftyRobotGame;

const char *crafty_robot_stage_name(CraftyRobotStage stage);
/* Returns whether the stage was completed. */
bool crafty_robot_play(CraftyRobot *robot, CraftyRobotGame *game, CraftyRobotStage stage);

/* Goes on with whatever there is to do, until the limit of ticks: picks up what it lost, mines,
 * collects, wanders; respawns when it dies. Returns false if the robot broke before. */
bool crafty_robot_work(CraftyRobot *robot, const CraftyRobotGame *game);

/* Builds a house of blocks that the robot carries, on the nearest flat ground. The robot stands in
 * it afterwards. */
bool crafty_robot_build_house(CraftyRobot *robot, CraftyRobotHouse *house);
/* Returns how many blocks the robot carries of which it would build. */
uint32_t crafty_robot_material_count(const CraftyRobot *robot);

#endif
