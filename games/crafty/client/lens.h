/*
 * The lens: field of view and planes with which this client draws. They are settings of the client
 * and not part of the simulation, whose camera keeps its own values.
 *
 *     CraftyLens lens = {.fov = CRAFTY_FOV, .near_plane = CRAFTY_NEAR_PLANE, .far_plane = 1000};
 *     crafty_lens_add(world, &lens, &error); // adds the system CraftyLens of PreExtract
 *     lens.fov = 90;                         // from the next tick on
 */
#ifndef CRAFTY_CLIENT_LENS_H
#define CRAFTY_CLIENT_LENS_H

#include <cairn/ecs/world.h>

typedef struct CraftyLens {
    float fov; /* vertical, in degrees */
    float near_plane, far_plane;
} CraftyLens;

/* The lens must outlive the world. */
bool crafty_lens_add(CnWorld *world, const CraftyLens *lens, CnError *error);

#endif
