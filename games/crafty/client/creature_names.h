/*
 * The name of a creature above its head, turned to the camera.
 *
 *     crafty_creature_name_add("Rex", above_head, eye, models);
 */
#ifndef CRAFTY_CLIENT_CREATURE_NAMES_H
#define CRAFTY_CLIENT_CREATURE_NAMES_H

#include <cairn/render/block_models.h>

/* Adds the characters of a name to the layer of the world, in the middle above `at`. They glow, so
 * that they can be read at night. */
void crafty_creature_name_add(const char *name, CnVec3 at, CnVec3 eye, CnBlockModels *models);

#endif
