/*
 * What lives in a world of Crafty, as a plugin of its simulation: the player, the blocks, day and
 * weather.
 *
 *     CraftySimDesc desc = {.voxels = voxels, .hours = 9.5f};
 *     CnPlugin plugin = crafty_sim_plugin(&desc);             // `desc` outlives the simulation
 */
#ifndef CRAFTY_SIM_CRAFTY_SIM_H
#define CRAFTY_SIM_CRAFTY_SIM_H

#include "player.h"
#include "weather_kind.h"

typedef struct CraftySimDesc {
    CnVoxels *voxels;
    float hours; /* of the day, at the beginning */
    bool has_weather;
    CraftyWeatherKind weather; /* stays, if there is one */
    bool blocks_rest;          /* no ticks of blocks and water: for pictures and measuring */
} CraftySimDesc;
CnPlugin crafty_sim_plugin(const CraftySimDesc *desc);

#endif
