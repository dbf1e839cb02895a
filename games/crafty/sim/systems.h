/*
 * The order of Crafty's systems among themselves and after those of the engine, in one table.
 */
#ifndef CRAFTY_SIM_SYSTEMS_H
#define CRAFTY_SIM_SYSTEMS_H

#include <cairn/sim.h>

/* cn_system_add for a system that the table names: it runs after those systems of its stage that come
 * before it in the table and that the world already has. */
bool crafty_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);

#endif
