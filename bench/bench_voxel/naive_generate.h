/*
 * A world of the same rules and the same bits as cn_generate's, without erosion and features, the way
 * one writes it first: one call a sample, one block at a time. What the benchmark compares with, and
 * a second opinion for the tests.
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
