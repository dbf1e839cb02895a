/*
 * The lens: field of view and planes with which this client draws. They are settings of the client
 * and not part of the simulation, whose camera keeps its own values.
 *
 *     CraftyLens lens = {.fov = CRAFTY_FOV, .near_plane = CRAFTY_NEAR_PLANE, .far_plane = 1000};
 *     cn_engine_set_lens(engine, crafty_lens_cn(&lens)); // in before_frame
 */
#ifndef CRAFTY_CLIENT_LENS_H
#define CRAFTY_CLIENT_LENS_H

#include <cairn/base/math.h>
#include <cairn/render/renderer.h>

typedef struct CraftyLens {
    float fov; /* vertical, in degrees */
    float near_plane, far_plane;
} CraftyLens;

static inline CnLens crafty_lens_cn(const CraftyLens *lens)
{
    return (CnLens){lens->fov * (CN_PIF / 180), lens->near_plane, lens->far_plane};
}

#endif
