/*
 * A straightforward generator with the same rules and bit-identical results as cn_generate, without
 * erosion and features: one call per sample, one block at a time. Reference for the benchmark and
 * for tests.
 */
#ifndef CAIRN_BENCH_VOXEL_NAIVE_GENERATE_H
#define CAIRN_BENCH_VOXEL_NAIVE_GENERATE_H

#include <cairn/voxel/generate.h>
#include <cairn/voxel/noise.h>

typedef struct NaiveWorld {
    uint64_t seed;
    CnNoise continent, temperature, humidity, special, relief, hills, ridges, valleys, patches;
    CnNoise caverns, cheese, tunnels[4], ores[8];
} NaiveWorld;

NaiveWorld naive_world(uint64_t seed);
void naive_generate(const NaiveWorld *world, CnChunkPos position, CnBlock blocks[CN_CHUNK_BLOCKS]);

#endif
