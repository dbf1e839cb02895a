/*
 * Snapshots for a replica: a sequence of packets, each after its number of bytes (u16). Each is
 * refused without any effect, or read and applied to a world whose values are then valid.
 */
#include "fuzz_surface.h"
#include "replication_fixture.h"

enum { MAX_BYTES = 4096 };

static NetServer server;
static CnWorld *world;

static void make_worlds(void)
{
    if (world)
        return;
    net_make_server(&server, NULL);
    world = cn_world_create(NULL, NULL);
    FUZZ_CHECK(world);
    cn_register(world, NetLife, .default_value = &(NetLife){.health = 20});
}

/* ---- Seeds ---- */

static void append(CnU8Array *bytes, const NetPeer *peer)
{
    const uint16_t size = (uint16_t)peer->written.size;
    FUZZ_CHECK(cn_bytes_append(bytes, &size, sizeof size));
    FUZZ_CHECK(cn_bytes_append(bytes, peer->packet, size));
}

/* Acknowledgements arrive every `period` snapshots. */
static void add_session(FuzzSeeds *seeds, uint32_t walkers, uint32_t period)
{
    CnU8Array bytes;
    NetServer session;
    NetPeer peer;
    CnEntity all[16];
    cn_array_init(&bytes, NULL);
    net_make_server(&session, NULL);
    for (uint32_t i = 0; i < walkers; i++)
        all[i] = net_walker(&session, i == 0, cn_vec3((float)i, 0, 0));
    net_make_peer(&peer, &session, &(CnNetClientDesc){.owner = 1});
    for (uint32_t step = 1; step <= 8; step++) {
        for (uint32_t i = step % 2; i < walkers; i += 2) {
            NetPose *pose = cn_get_mut(session.world, all[i], NetPose);
            if (pose)
                *pose = (NetPose){{(float)(step * i), 1, 2}, (float)(step * 30), 3, 0};
        }
        if (step == 3)
            cn_set(session.world, all[0], NetBag, {.gold = 7, .target = all[walkers - 1]});
        if (step == 4)
            cn_set(session.world, all[0], NetTurn, {cn_quat_from_euler(cn_vec3(10, 20, 30))});
        if (step == 5)
            cn_set(session.world, all[0], NetLife, {.health = 3, .dead = true, .name = "Otto"});
        if (step == 6)
            cn_destroy(session.world, all[walkers - 1]);
        net_capture(&session);
        net_write(&session, &peer);
        append(&bytes, &peer);
        net_read(&peer);
        if (step % period == 0)
            net_acknowledge(&session, &peer);
    }
    fuzz_add(seeds, bytes.items, bytes.count);
    net_drop_peer(&peer);
    net_drop_server(&session);
    cn_array_fini(&bytes);
}

static void add_seeds(FuzzSeeds *seeds)
{
    add_session(seeds, 1, 1);
    add_session(seeds, 2, 1);
    add_session(seeds, 3, 3);
    add_session(seeds, 12, 2);
}

/* ---- Runs ---- */

static void check_world(const CnNetReplica *replica)
{
    for (uint32_t id = 0; (id = cn_net_replica_next(replica, id)) != CN_NET_NO_ID; id++) {
        const CnEntity entity = cn_net_replica_entity(replica, id);
        if (cn_entity_is_null(entity))
            continue;
        const NetPose *pose = cn_get(world, entity, NetPose);
        const NetLife *life = cn_get(world, entity, NetLife);
        const NetTurn *turn = cn_get(world, entity, NetTurn);
        FUZZ_CHECK(cn_has(world, entity, CnNetShared));
        FUZZ_CHECK(!pose || (cn_fabsf(pose->position.x) < 1e9f && cn_fabsf(pose->yaw) <= 1e5f));
        FUZZ_CHECK(!life || memchr(life->name, 0, sizeof life->name));
        FUZZ_CHECK(!life || cn_text_is_utf8(cn_text(life->name)));
        FUZZ_CHECK(!life || cn_fabsf(life->health) <= 3.4028235e38f);
        FUZZ_CHECK(!turn || cn_fabsf(turn->rotation.w) <= 1.001f);
    }
}

static bool read_packet(CnNetReplica *replica, const uint8_t *bytes, size_t size)
{
    CnNetSnapshot snapshot;
    CnError error = {0};
    const uint64_t hash = cn_net_replica_hash(replica);
    const CnNetAcks acks = cn_net_replica_acks(replica);
    const bool valid = cn_net_replica_read(replica, bytes, size, &snapshot, &error);
    if (!valid || !snapshot.is_new) {
        FUZZ_CHECK(cn_net_replica_hash(replica) == hash);
        FUZZ_CHECK(cn_net_replica_acks(replica).newest == acks.newest);
        FUZZ_CHECK(valid || error.message[0]);
        return valid;
    }
    FUZZ_CHECK(cn_net_replica_acks(replica).newest == snapshot.number);
    FUZZ_CHECK(cn_net_replica_apply(replica, world, (double)snapshot.tick - 2, &error));
    FUZZ_CHECK(cn_net_replica_apply(replica, world, (double)snapshot.tick + 2, &error));
    check_world(replica);
    return true;
}

static bool run(const uint8_t *bytes, size_t size)
{
    make_worlds();
    bool accepted = size > 0;
    CnNetReplica *replica = cn_net_replica_create(
        &(CnNetReplicaDesc){.layout = server.layout, .owner = 1, .max_entities = 64}, NULL);
    FUZZ_CHECK(replica);
    while (size >= 2 && accepted) {
        size_t packet = cn_load_u16(bytes);
        bytes += 2;
        size -= 2;
        packet = packet < size ? packet : size;
        uint8_t *exact = cn_alloc(NULL, packet ? packet : 1);
        FUZZ_CHECK(exact);
        memcpy(exact, bytes, packet);
        accepted = read_packet(replica, exact, packet);
        cn_free(NULL, exact, packet ? packet : 1);
        bytes += packet;
        size -= packet;
    }
    cn_net_replica_destroy(replica);
    cn_world_clear(world);
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = MAX_BYTES, .add_seeds = add_seeds, .run = run};
