/*
 * Light by a plain queue: what cn_light_build must give, cell by cell, for any world.
 *
 *     light_reference(&around, &sky, &box);
 *
 * Also columns of the sky from the blocks themselves, for worlds whose 27 chunks are all there is.
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_LIGHT_REFERENCE_H
#define CAIRN_TESTS_SUPPORT_VOXEL_LIGHT_REFERENCE_H

#include <cairn/voxel/light.h>

void light_reference(const CnNeighbourhood *around, const CnLightSky *sky, CnLightBox *box);

typedef struct LightSkyColumns {
    int32_t open[9][256];
    CnLightSky sky; /* points at them */
} LightSkyColumns;
/* Above the 27 chunks everything is open. */
void light_sky_of(const CnNeighbourhood *around, LightSkyColumns *columns);

#endif
