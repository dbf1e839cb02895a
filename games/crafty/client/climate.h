/*
 * Maps around the camera: the tint of grass and leaves by biome (lush in the jungle, pale in the
 * savanna), and terrain heights for mountain shadows.
 *
 *     crafty_climate_stream(climate, view, eye.x, eye.z, false); // every frame
 */
#ifndef CRAFTY_CLIENT_CLIMATE_H
#define CRAFTY_CLIENT_CLIMATE_H

#include "crafty/world/biomes.h"

#include <cairn/render/blocks.h>

typedef struct CraftyClimate CraftyClimate;

/* The biomes must outlive the climate. Returns NULL and an error when out of memory. */
CraftyClimate *crafty_climate_create(CnAllocator *allocator, CraftyBiomes biomes, CnError *error);
void crafty_climate_destroy(CraftyClimate *climate);
/* Updates the missing parts of the maps around the camera: all of them, or a few per frame. Does
 * not allocate from the heap. */
void crafty_climate_stream(CraftyClimate *climate, CnBlockView *view, float x, float z, bool all);

#endif
