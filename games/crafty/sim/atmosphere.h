/*
 * The atmosphere for the renderer: combines day and weather and extracts them every tick.
 *
 *     crafty_atmosphere_add(world, &error); // adds day.h, weather.h and the system ShowAir
 */
#ifndef CRAFTY_SIM_ATMOSPHERE_H
#define CRAFTY_SIM_ATMOSPHERE_H

#include "day.h"
#include "weather.h"

bool crafty_atmosphere_add(CnWorld *world, CnError *error);

#endif
