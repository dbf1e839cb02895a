/* A renderer with a sky, its lighting, and objects that show both, based on render_fixture.h. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_SKY_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_SKY_FIXTURE_H

#include "render_fixture.h"

/* Adds sky, environment and, if `albedo` is not black, two rows of spheres: metal above, plaster
 * below, with five roughnesses from 0 to 1. The sun is at 70 degrees, and the camera looks along
 * -z. Returns false if there is no such device. */
bool sky_fixture_init(RenderFixture *fixture, RenderBackend backend, const CnSkyOptions *options,
                      CnVec3 albedo);

/* Adds only the features, for a fixture that has others. */
void sky_fixture_add(RenderFixture *fixture, const CnSkyOptions *options, CnVec3 albedo);

/* Degrees above the horizon, ahead (-z). */
void sky_fixture_sun(RenderFixture *fixture, float elevation);
/* Degrees up, and to the left. */
void sky_fixture_look(RenderFixture *fixture, float pitch, float yaw, float fov);
/* Returns how many passes of this name the last frame ran. */
uint32_t sky_fixture_passes(const RenderFixture *fixture, const char *name);

#endif
