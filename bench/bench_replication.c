/*
 * The cost of snapshots: walking players that turn, all in view of each other, one client for each.
 * Acknowledgements arrive some snapshots later. Compared with copying the replicated components of
 * all entities in view into a packet, in the same run; both alternate. Times are those of the CPU.
 * `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <cairn/base/linear.h>
#include <cairn/ecs/query.h>
#include <cairn/net/replica.h>
#include <cairn/net/replication.h>

#include <stdio.h>
#include <string.h>

#define PACKET_BYTES 65000u
#define WARM_UP 20u /* snapshots */

CN_COMPONENT(BenchPose, (vec3, position), (f32, yaw), (f32, pitch));
CN_COMPONENT(BenchLife, (f32, health), (u16, held_item), (u8, state));
CN_COMPONENT(BenchWalk, (f32, direction), (f32, turn));

typedef struct Bench {
    CnWorld *world, *shown; /* of the server, of the first client */
    CnNetLayout *layout;
    CnNetReplication *replication;
    CnQuery *walkers;
    CnNetReplica *replica; /* of the first client */
    uint32_t *clients;
    uint32_t players, snapshots, delay, budget;
    uint64_t state;
    uint8_t packet[PACKET_BYTES], naive[PACKET_BYTES];
} Bench;

static Bench bench = {.players = 200, .snapshots = 100, .delay = 2, .state = 1};

static float unit(void)
{
    bench.state = bench.state * 6364136223846793005u + 1442695040888963407u;
    return (float)(bench.state >> 40) * 0x1p-24f;
}

/* ---- The world ---- */

static void make_layout(void)
{
    static const CnNetField pose[] = {
        {.name = "position", .encoding = CN_NET_POSITION},
        {.name = "yaw", .encoding = CN_NET_DEGREES, .bits = 12},
        {.name = "pitch", .encoding = CN_NET_DEGREES, .bits = 10},
    };
    static const CnNetComponent components[] = {
        {.type = &cn_type_BenchPose, .fields = pose, .field_count = 3},
        {.type = &cn_type_BenchLife},
    };
    bench.layout = cn_net_layout_create(bench.world, &(CnNetLayoutDesc){components, 2, NULL}, NULL);
}

static void make_world(void)
{
    bench.world = cn_world_create(NULL, NULL);
    bench.shown = cn_world_create(NULL, NULL);
    make_layout();
    bench.replication = cn_net_replication_create(
        &(CnNetReplicationDesc){.world = bench.world, .layout = bench.layout}, NULL);
    bench.replica = cn_net_replica_create(&(CnNetReplicaDesc){.layout = bench.layout}, NULL);
    bench.clients = cn_alloc_zeroed(NULL, bench.players * sizeof *bench.clients);
    for (uint32_t i = 0; i < bench.players; i++) {
        const CnVec3 place = cn_vec3(unit() * 64, 70, unit() * 64);
        const CnEntity player = cn_spawn(
            bench.world, cn_with(CnNetShared, {1, i + 1}), cn_with(BenchPose, {place, 0, 0}),
            cn_with(BenchLife, {20, 3, 0}), cn_with(BenchWalk, {unit() * 6.28f, 0}));
        bench.clients[i] =
            cn_net_replication_client_add(bench.replication,
                                          &(CnNetClientDesc){.owner = i + 1,
                                                             .viewer = player,
                                                             .view_distance = 1000,
                                                             .bytes_per_snapshot = bench.budget},
                                          NULL);
    }
    const CnQueryDesc walkers = {.all = {cn_writes(BenchPose), cn_writes(BenchWalk)}};
    bench.walkers = cn_query_acquire(bench.world, &walkers, NULL);
}

/* 50 ms of walking at 4.3 m/s; each player turns at up to 90 degrees a second, and looks up and
 * down now and then. */
static void walk(void)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(bench.walkers); cn_query_next(&it, &view);) {
        BenchPose *pose = cn_column(&view, BenchPose);
        BenchWalk *walk = cn_column(&view, BenchWalk);
        for (uint32_t i = 0; i < view.count; i++) {
            float sine, cosine;
            if (unit() < 0.1f)
                walk[i].turn = unit() < 0.5f ? 0 : (unit() * 2 - 1) * 1.57f;
            walk[i].direction += walk[i].turn * 0.05f;
            cn_sincosf(walk[i].direction, &sine, &cosine);
            pose[i].position.x += sine * 4.3f * 0.05f;
            pose[i].position.z += cosine * 4.3f * 0.05f;
            pose[i].yaw = walk[i].direction * 57.29578f;
            if (unit() < 0.3f)
                pose[i].pitch = (unit() * 2 - 1) * 30;
        }
    }
}

/* ---- Measuring ---- */

#define MAX_SNAPSHOTS 10000u

typedef struct Sums {
    uint64_t capture_ns[MAX_SNAPSHOTS], write_ns[MAX_SNAPSHOTS];
    uint64_t naive_ns[MAX_SNAPSHOTS], read_ns[MAX_SNAPSHOTS], apply_ns[MAX_SNAPSHOTS];
    uint32_t count;
    uint64_t bytes, records, naive_bytes;
} Sums;

static Sums warm_up, sums_of_run;

/* Every client gets all components of all players, byte by byte. */
static void write_naive(Sums *sums)
{
    CnChunkView view;
    for (uint32_t client = 0; client < bench.players; client++) {
        size_t used = 0;
        for (CnQueryIter it = cn_query_iter(bench.walkers); cn_query_next(&it, &view);) {
            for (uint32_t i = 0; i < view.count; i++) {
                const BenchPose *pose = cn_get(bench.world, view.entities[i], BenchPose);
                const BenchLife *life = cn_get(bench.world, view.entities[i], BenchLife);
                if (used + sizeof(CnEntity) + sizeof *pose + sizeof *life > PACKET_BYTES)
                    break;
                memcpy(bench.naive + used, &view.entities[i], sizeof(CnEntity));
                memcpy(bench.naive + used + sizeof(CnEntity), pose, sizeof *pose);
                memcpy(bench.naive + used + sizeof(CnEntity) + sizeof *pose, life, sizeof *life);
                used += sizeof(CnEntity) + sizeof *pose + sizeof *life;
            }
        }
        measure_keep(bench.naive[used / 2]);
        sums->naive_bytes += used;
    }
}

static void write_all(uint64_t snapshot, Sums *sums)
{
    CnNetWritten written;
    for (uint32_t i = 0; i < bench.players; i++) {
        cn_net_replication_write(bench.replication, bench.clients[i], bench.packet, PACKET_BYTES,
                                 &written, NULL);
        sums->bytes += written.size;
        sums->records += written.records;
        if (i > 0)
            continue;
        CnNetSnapshot read;
        const uint64_t start = cn_clock_thread_ns();
        cn_net_replica_read(bench.replica, bench.packet, written.size, &read, NULL);
        const uint64_t done = cn_clock_thread_ns();
        sums->read_ns[sums->count] = done - start;
        cn_net_replica_apply(bench.replica, bench.shown, (double)read.tick - 4, NULL);
        sums->apply_ns[sums->count] = cn_clock_thread_ns() - done;
    }
    const CnNetAcks acks = {.newest = (uint32_t)(snapshot - bench.delay)};
    for (uint32_t i = 0; i < bench.players && snapshot > bench.delay; i++)
        cn_net_replication_acknowledge(bench.replication, bench.clients[i], &acks);
}

static void take_snapshot(uint64_t snapshot, Sums *sums)
{
    walk();
    const uint64_t start = cn_clock_thread_ns();
    cn_net_replication_capture(bench.replication, snapshot * 3, NULL);
    const uint64_t captured = cn_clock_thread_ns();
    write_all(snapshot, sums);
    const uint64_t written = cn_clock_thread_ns();
    write_naive(sums);
    sums->naive_ns[sums->count] = cn_clock_thread_ns() - written;
    sums->write_ns[sums->count] =
        written - captured - sums->read_ns[sums->count] - sums->apply_ns[sums->count];
    sums->capture_ns[sums->count] = captured - start;
    sums->count++;
}

static double median(uint64_t *times, double divisor)
{
    return measure_summarize(times, bench.snapshots).median_ns / divisor;
}

static void print(Sums *sums, bool json)
{
    const double snapshots = bench.snapshots, players = bench.players;
    const double pairs = snapshots * players * players;
    const double header = 15.0 * snapshots * players; /* bytes, about */
    const double bytes = ((double)sums->bytes - header) / (double)sums->records;
    const CnNetClientStats stats =
        cn_net_replication_client_stats(bench.replication, bench.clients[0]);
    printf(
        json
            ? "{\"workload\":\"replication\",\"n\":%u,\"write_ns\":%.2f,\"naive_ns\":%.2f,"
              "\"capture_ns\":%.1f,\"read_ns\":%.1f,\"apply_ns\":%.1f,\"bytes\":%.3f,\"naive_bytes\":%.1f,"
              "\"snapshot_bytes\":%.0f,\"client_memory\":%zu}\n"
            : "%u players: write %.1f ns an entity (copying: %.1f), capture %.0f ns, read %.0f "
              "ns, apply %.0f ns; %.2f bytes an entity (copying: %.0f), %.0f bytes a snapshot; %zu bytes of "
              "memory a client\n",
        bench.players, median(sums->write_ns, players * players),
        median(sums->naive_ns, players * players), median(sums->capture_ns, players),
        median(sums->read_ns, players), median(sums->apply_ns, players), bytes,
        (double)sums->naive_bytes / pairs, (double)sums->bytes / (snapshots * players),
        stats.memory_bytes);
}

int main(int argc, char **argv)
{
    bool json = false;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--players", "players and clients", &bench.players, 2, 1000),
        BENCH_OPTION_NUMBER("--snapshots", "snapshots", &bench.snapshots, 1, MAX_SNAPSHOTS),
        BENCH_OPTION_NUMBER("--delay", "snapshots until acknowledgements arrive", &bench.delay, 1,
                            30),
        BENCH_OPTION_NUMBER("--budget", "bytes of a snapshot; 0: no limit", &bench.budget, 0,
                            60000),
    };
    bench_read_options(&(BenchUsage){"bench_replication",
                                     "Nanoseconds and bytes for each entity in a snapshot.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    make_world();
    for (uint32_t i = 1; i <= WARM_UP; i++)
        take_snapshot(i, &warm_up);
    for (uint32_t i = 1; i <= bench.snapshots; i++)
        take_snapshot(WARM_UP + i, &sums_of_run);
    print(&sums_of_run, json);
    cn_query_release(bench.walkers);
    cn_net_replication_destroy(bench.replication);
    cn_net_replica_destroy(bench.replica);
    cn_net_layout_destroy(bench.layout);
    cn_world_destroy(bench.world);
    cn_world_destroy(bench.shown);
    cn_free(NULL, bench.clients, bench.players * sizeof *bench.clients);
    return 0;
}
