/*
 * Reference lighting with a plain queue: the expected result of cn_light_build, cell by cell, for
 * any world.
 *
 *     light_reference(&around, &sky, &box);
 *
 * Also computes the sky columns from the blocks, for worlds that consist of 27 chunks.
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_LIGHT_REFERENCE_H
#define CAIRN_TESTS_SUPPORT_VOXEL_LIGHT_REFERENCE_H

#include <cairn/voxel/light.h>

void light_reference(const CnNeighborhood *around, const CnLightSky *sky, CnLightBox *box);

typedef struct LightSkyColumns {
    int32_t open[9][256];
    CnLightSky sky; /* points at them */
} LightSkyColumns;
/* Above the 27 chunks everything is open. */
void light_sky_of(const CnNeighborhood *around, LightSkyColumns *columns);

#endif
