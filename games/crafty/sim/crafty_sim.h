/*
 * The Crafty simulation as a plugin: player, blocks, day and weather.
 *
 *     CraftySimDesc desc = {.voxels = voxels, .hours = 9.5f};
 *     CnPlugin plugin = crafty_sim_plugin(&desc); // `desc` must outlive the simulation
 */
#ifndef CRAFTY_SIM_CRAFTY_SIM_H
#define CRAFTY_SIM_CRAFTY_SIM_H

#include "player.h"
#include "weather_kind.h"

typedef struct CraftySimDesc {
    CnVoxels *voxels;
    float hours; /* initial time of day */
    bool has_weather;
    CraftyWeatherKind weather; /* if set, the weather never changes */
    bool freeze_blocks; /* no block ticks and no flowing water: for screenshots and benchmarks */
} CraftySimDesc;
CnPlugin crafty_sim_plugin(const CraftySimDesc *desc);

#endif
