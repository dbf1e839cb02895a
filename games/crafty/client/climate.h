/*
 * Maps around the camera: the tint of grass and leaves by biome (lush in the jungle, pale in the
 * savanna), and terrain heights for mountain shadows.
 *
 *     crafty_climate_stream(climate, view, eye.x, eye.z, false); // every frame
 */
#ifndef CRAFTY_CLIENT_CLIMATE_H
#define CRAFTY_CLIENT_CLIMATE_H

#include <cairn/render/blocks.h>
#include <cairn/voxel/generate.h>

typedef struct CraftyClimate CraftyClimate;

CraftyClimate *crafty_climate_create(CnAllocator *allocator, uint64_t seed, CnError *error);
void crafty_climate_destroy(CraftyClimate *climate);
/* Updates the missing parts of the maps around the camera: all of them, or a few per frame. Does
 * not allocate from the heap. */
void crafty_climate_stream(CraftyClimate *climate, CnBlockView *view, float x, float z, bool all);

/* Biome queries during frames: a generator without erosion and its work memory. It returns the same
 * biomes as the world's generator and takes no lock that jobs hold. */
typedef struct CraftyBiomes {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
} CraftyBiomes;
CraftyBiomes crafty_climate_biomes(CraftyClimate *climate);

#endif
