/*
 * The greens of grass and leaves around the eye, by biome: lush in the jungle, pale in the savanna; and the heights of the
 * land, for shadows of mountains.
 *
 *     crafty_climate_stream(climate, view, eye.x, eye.z, false);      // each frame
 */
#ifndef CRAFTY_CLIENT_CLIMATE_H
#define CRAFTY_CLIENT_CLIMATE_H

#include <cairn/render/blocks.h>
#include <cairn/voxel/generate.h>

typedef struct CraftyClimate CraftyClimate;

CraftyClimate *crafty_climate_create(CnAllocator *allocator, uint64_t seed, CnError *error);
void crafty_climate_destroy(CraftyClimate *climate);
/* What is missing around the eye: all of it, or a little in each frame. Makes no heap call. */
void crafty_climate_stream(CraftyClimate *climate, CnBlockView *view, float x, float z, bool all);

/* Who asks for biomes in a frame: a generator without erosion, with work memory. It has the biomes of the world, and no
 * lock that jobs hold. */
typedef struct CraftyBiomes {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} CraftyBiomes;
CraftyBiomes crafty_climate_biomes(CraftyClimate *climate);

#endif
