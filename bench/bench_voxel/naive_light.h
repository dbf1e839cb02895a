/*
 * Straightforward lighting: the blocks of 27 chunks in one array, one queue for sky light and one
 * for block light.
 */
#ifndef CAIRN_BENCH_VOXEL_NAIVE_LIGHT_H
#define CAIRN_BENCH_VOXEL_NAIVE_LIGHT_H

#include <cairn/voxel/light.h>

typedef struct NaiveLight NaiveLight;
NaiveLight *naive_light_create(void);
void naive_light_destroy(NaiveLight *light);
void naive_light_build(NaiveLight *light, const CnNeighborhood *around, const CnLightSky *sky,
                       CnLightBox *box);

#endif
