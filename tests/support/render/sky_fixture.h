/* A renderer with a sky, the light that it gives, and something to see both with: on top of
 * render_fixture.h. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_SKY_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_SKY_FIXTURE_H

#include "render_fixture.h"

/* Sky, environment, and if `albedo` is not black two rows of spheres in its light: metal above,
 * plaster below, five roughnesses from 0 to 1. The sun stands at 70 degrees, the camera looks along
 * -z. False: no such device. */
bool sky_fixture_init(RenderFixture *fixture, RenderBackend backend, const CnSkyOptions *options,
                      CnVec3 albedo);

/* The features alone, for a fixture that has others. */
void sky_fixture_add(RenderFixture *fixture, const CnSkyOptions *options, CnVec3 albedo);

/* Degrees above the horizon, ahead (-z). */
void sky_fixture_sun(RenderFixture *fixture, float elevation);
/* Degrees up, and to the left. */
void sky_fixture_look(RenderFixture *fixture, float pitch, float yaw, float fov);
/* How many passes of this name the last frame ran. */
uint32_t sky_fixture_passes(const RenderFixture *fixture, const char *name);

#endif
