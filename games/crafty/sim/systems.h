/*
 * The order of Crafty's systems, relative to each other and to the engine's, in one table.
 */
#ifndef CRAFTY_SIM_SYSTEMS_H
#define CRAFTY_SIM_SYSTEMS_H

#include <cairn/sim.h>

/* Calls cn_system_add for a system listed in the table. The system runs after those systems of its
 * stage that precede it in the table and before those that follow it, as far as they are already in
 * the world. */
bool crafty_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);

#endif
