/*
 * A robot that plays Crafty: it reads the world as a client does, and acts only by the messages of
 * one player: actions and commands.
 *
 *     CraftyRobot robot;
 *     crafty_robot_begin(&robot, session, &error);
 *     CnCell log;
 *     if (crafty_robot_find(&robot, crafty_robot_is_log, 32, &log) && crafty_robot_mine(&robot,
 * log)) crafty_robot_craft(&robot, "oak_planks", 1); crafty_robot_end(&robot);
 *
 * Functions that act run ticks until they are done; they return false if that does not succeed
 * within a time, if the player dies meanwhile, or if a tick failed (`is_broken`). They are
 * deterministic: the same world leads to the same messages.
 */
#ifndef CRAFTY_ROBOT_ROBOT_H
#define CRAFTY_ROBOT_ROBOT_H

#include "crafty/replay/session.h"
#include "crafty/sim/actions.h"
#include "crafty/sim/connection.h"
#include "crafty/sim/inventory.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/vitals.h"

#define CRAFTY_ROBOT_AVOIDED 16u

typedef struct CraftyRobot {
    CnSim *sim;
    CnWorld *world;
    CnVoxels *voxels;
    const CraftyItems *items;
    CraftyConnection *connection;
    CnEntity player;
    CnActionList list;
    CnActions sent; /* in the last tick */
    uint64_t held;  /* buttons, as in CnActions */
    CnVec2 move;    /* right, forward */
    CnVec2 look;    /* of the next tick, in pixels */
    uint64_t ticks; /* that it has run */
    uint64_t limit; /* of ticks; 0: none. Everything fails when it is reached */
    CnCell avoided[CRAFTY_ROBOT_AVOIDED]; /* the last cells that it could not reach */
    uint32_t avoided_count;               /* of all */
    bool is_broken; /* a tick failed, a message was refused, or the limit was reached */
    CnError error;
    /* Called after each tick; returning false breaks the robot. NULL: none. */
    bool (*after_tick)(void *user, CnError *error);
    void *user;
} CraftyRobot;

/* ---- Basics ---- */

/* Begins as the first player of a session, which must outlive the robot. */
bool crafty_robot_begin(CraftyRobot *robot, CraftySession *session, CnError *error);
void crafty_robot_end(CraftyRobot *robot);

/* Runs one tick with the current wishes. Returns false if the robot is broken. */
bool crafty_robot_tick(CraftyRobot *robot);
bool crafty_robot_wait(CraftyRobot *robot, uint32_t ticks);
/* Returns whether the robot works and its player is alive. */
bool crafty_robot_is_well(const CraftyRobot *robot);
/* Holds or releases a button by the name of its action. */
void crafty_robot_hold(CraftyRobot *robot, const char *action, bool held);
/* Releases everything and stands still. */
void crafty_robot_release(CraftyRobot *robot);
/* Turns to a point in the next tick. */
void crafty_robot_look_at(CraftyRobot *robot, CnVec3 point);
/* Sends a command and runs a tick. Returns whether it was applied. */
bool crafty_robot_command(CraftyRobot *robot, CraftyCommand command);

CnVec3 crafty_robot_eye(const CraftyRobot *robot);
CnCell crafty_robot_feet(const CraftyRobot *robot);
const CraftyPlayer *crafty_robot_player(const CraftyRobot *robot);
const CraftyVitals *crafty_robot_vitals(const CraftyRobot *robot);

/* ---- Blocks ---- */

typedef bool (*CraftyRobotFilter)(const CnBlockInfo *info);
bool crafty_robot_is_log(const CnBlockInfo *info);
const char *crafty_robot_block_name(const CraftyRobot *robot, CnCell cell);
bool crafty_robot_collides(const CraftyRobot *robot, CnCell cell);
/* Finds the nearest block within a distance that is not near one which could not be reached. */
bool crafty_robot_find(CraftyRobot *robot, CraftyRobotFilter filter, int32_t radius, CnCell *cell);
/* Notes that a cell could not be reached. */
void crafty_robot_avoid(CraftyRobot *robot, CnCell cell);

/* ---- Walking ---- */

/* Walks to within `near` blocks of a cell, on a path that may lead through blocks, which are mined.
 */
bool crafty_robot_go(CraftyRobot *robot, CnCell goal, int32_t near);
/* The same to a column, at any height. */
bool crafty_robot_go_to_column(CraftyRobot *robot, int32_t x, int32_t z, int32_t near);

/* ---- Working ---- */

/* Breaks the block in a cell within reach, and what is in the way. */
bool crafty_robot_break(CraftyRobot *robot, CnCell cell);
/* Goes to a block, breaks it and picks up what it drops. */
bool crafty_robot_mine(CraftyRobot *robot, CnCell cell);
/* Picks up what lies within a few blocks. */
bool crafty_robot_pick_up(CraftyRobot *robot);
/* Places the item into a cell within reach, against one of the six blocks around it. */
bool crafty_robot_place(CraftyRobot *robot, CnCell cell, const char *item);
/* Uses the block in a cell within reach, such as a door. */
bool crafty_robot_use(CraftyRobot *robot, CnCell cell);
/* Jumps and places a block under the feet. */
bool crafty_robot_pillar(CraftyRobot *robot, const char *item);

/* ---- Items ---- */

/* Returns how many items the player has in its slots whose name contains `part`. */
uint32_t crafty_robot_count(const CraftyRobot *robot, const char *part);
CraftyStack crafty_robot_stack(const CraftyRobot *robot, uint32_t slot);
/* Returns the slot of the first stack whose name contains `part`, or -1. */
int32_t crafty_robot_slot(const CraftyRobot *robot, const char *part);
/* Takes the first stack whose name contains `part` into the hand. */
bool crafty_robot_take(CraftyRobot *robot, const char *part);
/* Makes a recipe, by hand or at the table that is open, `count` times. Recipes that need a table
 * fail without one. */
bool crafty_robot_craft(CraftyRobot *robot, const char *recipe, uint32_t count);
/* Moves `count` items between slots of commands. */
bool crafty_robot_move_items(CraftyRobot *robot, uint32_t from, uint32_t to, uint32_t count);

#endif
