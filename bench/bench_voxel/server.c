/*
 * What a server does for many players: preparing the surroundings of all of them, a tick of the
 * world, and sending edits. Players far up are among chunks of air, which are loaded quickly; the
 * cost of a call is that of any other chunk without ticking blocks.
 */
#include "bench.h"

#include <cairn/base/job.h>
#include <cairn/voxel/chunk_pack.h>
#include <cairn/voxel/edited_chunks.h>

#include <string.h>

#define SEED 42
#define CALLS 100u
#define MAX_PLAYERS 1000u

typedef struct Server {
    CnGenerator *generator;
    CnJobPool *jobs;
    CnVoxels *world;
    CnVec3 players[MAX_PLAYERS];
    uint32_t count, radius;
    uint64_t tick;
    bool walks;
} Server;

static bool keep_loaded(void *user, const CnStoredChunk *chunk)
{
    (void)user;
    (void)chunk;
    return false;
}

static bool load_nothing(void *user, CnChunkPos position, CnStoredBlock *blocks, uint32_t *count)
{
    (void)user;
    (void)position;
    (void)blocks;
    (void)count;
    return false;
}

static Server *create_server(const Case *run)
{
    Server *server = need_array(1, sizeof *server);
    memset(server, 0, sizeof *server);
    server->generator =
        need(cn_generator_create(&(CnGeneratorDesc){.blocks = bench_blocks, .seed = SEED}, NULL));
    if (run->threads > 1)
        server->jobs =
            need(cn_job_pool_create(&(CnJobPoolDesc){.workers = run->threads - 1}, NULL));
    CnVoxelsDesc desc = {.generator = server->generator,
                         .jobs = server->jobs,
                         .hooks = {.chunk_store = keep_loaded, .chunk_load = load_nothing}};
    server->world = need(cn_voxels_create(&desc, NULL));
    server->count = run->n;
    server->radius = 2;
    return server;
}

static void destroy_server(Server *server)
{
    cn_voxels_destroy(server->world);
    if (server->jobs)
        cn_job_pool_destroy(server->jobs);
    cn_generator_destroy(server->generator);
    free(server);
}

static void spread_out(Server *server, float distance, float y)
{
    for (uint32_t i = 0; i < server->count; i++)
        server->players[i] =
            (CnVec3){(float)(i % 32) * distance + 8, y, (float)(i / 32) * distance + 8};
}

/* ---- Preparing ---- */

static bool prepare(Server *server, bool wait)
{
    return cn_voxels_prepare(server->world, &(CnVoxelsPrepare){.centers = server->players,
                                                               .count = server->count,
                                                               .radius = server->radius,
                                                               .height = 2,
                                                               .budget = 16,
                                                               .wait = wait});
}

static void walk(Server *server)
{
    for (uint32_t i = 0; i < server->count && server->walks; i++) {
        server->players[i].x += i & 1 ? 0.072f : -0.05f; /* 4.3 m/s at 60 Hz */
        server->players[i].z += i & 2 ? 0.05f : -0.072f;
    }
}

static uint64_t prepare_calls(void *state)
{
    Server *server = state;
    uint64_t time = 0;
    for (uint32_t i = 0; i < CALLS; i++) {
        walk(server);
        uint64_t start = cn_clock_ns();
        prepare(server, false);
        time += cn_clock_ns() - start;
    }
    return time;
}

static Figures measure_prepare(const Case *run, Server *server)
{
    expect(prepare(server, true), "not everything is prepared");
    Figures figures = take_turns(run, prepare_calls, NULL, server, CALLS);
    figures.extras[0] = (Extra){"chunks", cn_voxels_stats(server->world).chunks};
    destroy_server(server);
    return figures;
}

Figures measure_prepare_spread(const Case *run)
{
    Server *server = create_server(run);
    spread_out(server, 160, 1600);
    return measure_prepare(run, server);
}

Figures measure_prepare_one_chunk(const Case *run)
{
    Server *server = create_server(run);
    spread_out(server, 0, 1600);
    return measure_prepare(run, server);
}

Figures measure_prepare_walk(const Case *run)
{
    Server *server = create_server(run);
    server->walks = true;
    server->radius = run->quick ? 2 : 5;
    spread_out(server, 64, 1600);
    return measure_prepare(run, server);
}

/* ---- Ticks ---- */

static void count_tick(void *user, CnCell cell, CnBlock block, bool random)
{
    (void)cell;
    (void)block;
    (void)random;
    ++*(uint64_t *)user;
}

/* As in Crafty: turns of 16 ticks, two chunks up and down, few blocks that tick. */
static uint64_t tick_calls(void *state)
{
    Server *server = state;
    bool ticking[4096] = {[BLOCK_GRASS] = true};
    uint64_t seen = 0, start = cn_clock_ns();
    for (uint32_t i = 0; i < CALLS; i++)
        cn_voxels_tick(server->world, &(CnVoxelsTick){.tick = ++server->tick,
                                                      .players = server->players,
                                                      .player_count = server->count,
                                                      .random_period = 16,
                                                      .random_height = 2,
                                                      .ticking = ticking,
                                                      .block_tick = count_tick,
                                                      .user = &seen});
    return cn_clock_ns() - start;
}

static Figures measure_ticks(const Case *run, float distance, float y, bool with_water)
{
    Server *server = create_server(run);
    server->count = run->n;
    spread_out(server, distance, y);
    for (uint32_t i = 0; i < 64 && with_water; i++) { /* falls for a long time */
        CnEdit edit = {.cell = {(int32_t)(i % 32 * (uint32_t)distance) + 8, (int32_t)y,
                                (int32_t)(i / 32 * (uint32_t)distance) + 8},
                       .new_block = CN_BLOCK_WATER};
        expect(cn_voxels_edit(server->world, &edit, NULL), "there is no water");
    }
    server->radius = 4;
    prepare(server, !run->quick);
    Figures figures = take_turns(run, tick_calls, NULL, server, CALLS);
    figures.extras[0] = (Extra){"chunks", cn_voxels_stats(server->world).chunks};
    destroy_server(server);
    return figures;
}

Figures measure_tick_spread(const Case *run)
{
    return measure_ticks(run, 160, 40, false);
}

Figures measure_tick_spread_air(const Case *run)
{
    return measure_ticks(run, 160, 1600, false);
}

Figures measure_tick_one_chunk(const Case *run)
{
    return measure_ticks(run, 0, 40, false);
}

Figures measure_tick_water(const Case *run)
{
    return measure_ticks(run, 160, 1600, true);
}

/* ---- Sending edits ---- */

typedef struct Sender {
    Server *server;
    CnChunkPacker *packer;
    uint64_t bytes, plain, chunks, cells;
} Sender;

static uint32_t noise(int32_t x, int32_t y, int32_t z)
{
    uint32_t hash =
        (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)z * 0xc2b2ae3du;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    return hash ^ hash >> 13;
}

/* Houses on top of each other with windows, floors and things in them, and tunnels below. */
static CnBlock built(int32_t x, int32_t y, int32_t z)
{
    int32_t lx = x & 15, lz = z & 15, storey = y / 6;
    CnBlock wall = (CnBlock)(BLOCK_STONE + noise(x >> 4, storey / 3, z >> 4) % 6);
    if (y < 0)
        return (lx + lz * 2 + y / 3) % 5 < 2 ? CN_BLOCK_AIR : CN_BLOCK_NONE;
    if (y % 6 == 0)
        return BLOCK_OAK_PLANKS;
    if (lx == 1 || lx == 14 || lz == 1 || lz == 14)
        return y % 6 == 3 && (lx + lz) % 4 == 0 ? BLOCK_GLASS : wall;
    uint32_t thing = noise(x, y, z) % 32;
    return thing < 3 ? (CnBlock)(BLOCK_STONE + noise(x, y, z) / 64 % 20) : CN_BLOCK_NONE;
}

static void build_town(Server *server, int32_t radius, uint32_t edits)
{
    uint32_t done = 0;
    for (int32_t y = 0; done < edits; y = y >= 0 ? -y - 1 : -y) {
        for (int32_t z = -16 * radius; z < 16 * radius + 16 && done < edits; z++) {
            for (int32_t x = -16 * radius; x < 16 * radius + 16 && done < edits; x++) {
                CnEdit edit = {.cell = {x, 80 + y, z}, .new_block = built(x, y, z)};
                if (edit.new_block == CN_BLOCK_NONE)
                    continue;
                CnBlock before = cn_voxels_get(server->world, edit.cell);
                done += before != edit.new_block;
                expect(cn_voxels_edit(server->world, &edit, NULL), "an edit failed");
            }
        }
    }
}

static void finish(Sender *sender)
{
    size_t size;
    sender->plain += cn_chunk_packer_bytes(sender->packer);
    measure_keep(cn_chunk_packer_finish(sender->packer, &size));
    sender->bytes += size;
}

static bool send_chunk(void *user, const CnEditedChunk *edited)
{
    Sender *sender = user;
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = edited->position, .blocks = blocks};
    expect(cn_voxels_read_edits(sender->server->world, chunk.position, blocks, &chunk.count, NULL),
           "edits cannot be read");
    if (!cn_chunk_packer_add(sender->packer, &chunk)) {
        finish(sender);
        expect(cn_chunk_packer_add(sender->packer, &chunk), "a chunk does not fit");
    }
    sender->chunks++;
    sender->cells += chunk.count;
    return true;
}

static uint64_t send_all(void *state)
{
    Sender *sender = state;
    uint64_t start = cn_clock_ns();
    sender->bytes = sender->plain = sender->chunks = sender->cells = 0;
    cn_voxels_edited_chunks(sender->server->world,
                            &(CnEditedChunks){.radius = 8, .visit = send_chunk, .user = sender});
    finish(sender);
    return (cn_clock_ns() - start) / sender->chunks;
}

/* A million edits around the spawn, sent to a player who joins. */
Figures measure_send_edits(const Case *run)
{
    Sender sender = {.server = create_server(run),
                     .packer = need(cn_chunk_packer_create(NULL, NULL))};
    build_town(sender.server, run->quick ? 1 : 8, run->n);
    Figures figures = take_turns(run, send_all, NULL, &sender, 1);
    double chunks = (double)sender.chunks;
    figures.extras[0] = (Extra){"chunks", chunks};
    figures.extras[1] = (Extra){"bytes_per_chunk", (double)sender.bytes / chunks};
    figures.extras[2] = (Extra){"plain_per_chunk", (double)sender.plain / chunks};
    figures.extras[3] = (Extra){"kb", (double)sender.bytes / 1000};
    figures.extras[4] = (Extra){"cells", (double)sender.cells};
    figures.extras[5] = (Extra){"ms_at_10mbit", (double)sender.bytes * 8 / 10000};
    cn_chunk_packer_destroy(sender.packer);
    destroy_server(sender.server);
    return figures;
}
