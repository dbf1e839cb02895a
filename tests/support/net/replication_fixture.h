/*
 * A server's world with walkers, and clients with worlds of their own. Packets are bytes that tests
 * deliver, lose or repeat.
 */
#ifndef CAIRN_TESTS_SUPPORT_NET_REPLICATION_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_NET_REPLICATION_FIXTURE_H

#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/linear.h>
#include <cairn/ecs/query.h>
#include <cairn/net/replica.h>
#include <cairn/net/replication.h>

#include <string.h>

#define NET_PACKET_BYTES 1200u
#define NET_TICKS 3u /* between captures */

CN_STRUCT(NetStack, (u16, item), (u8, count));
CN_COMPONENT(NetPose, (vec3, position), (f32, yaw), (f32, pitch), (f32, unshared));
CN_COMPONENT(NetTurn, (quat, rotation));
CN_COMPONENT(NetLife, (f32, health), (bool, dead), (u64, born), (i8, mood), (text, name, 16));
CN_COMPONENT(NetBag, (struct, NetStack, stacks, 12), (entity, target), (u32, gold));
CN_TAG(NetFrozen);

enum { NET_SHARED, NET_POSE, NET_TURN, NET_LIFE, NET_BAG, NET_FROZEN };

static const CnNetField net_pose_fields[] = {
    {.name = "position", .encoding = CN_NET_POSITION},
    {.name = "yaw", .encoding = CN_NET_DEGREES, .bits = 12},
    {.name = "pitch", .encoding = CN_NET_DEGREES, .bits = 10},
};
static const CnNetField net_turn_fields[] = {{.name = "rotation", .encoding = CN_NET_ROTATION}};
static const CnNetComponent net_components[] = {
    {.type = &cn_type_NetPose, .fields = net_pose_fields, .field_count = 3},
    {.type = &cn_type_NetTurn, .fields = net_turn_fields, .field_count = 1},
    {.type = &cn_type_NetLife},
    {.type = &cn_type_NetBag, .flags = CN_NET_OWNER_ONLY},
    {.type = &cn_type_NetFrozen},
};

typedef struct NetServer {
    CnWorld *world;
    CnNetLayout *layout;
    CnNetReplication *replication;
    uint64_t tick;
} NetServer;

typedef struct NetPeer {
    CnWorld *world;
    CnNetReplica *replica;
    uint32_t client; /* number at the server */
    uint8_t packet[NET_PACKET_BYTES];
    CnNetWritten written;
} NetPeer;

static inline void net_make_server(NetServer *server, CnAllocator *allocator)
{
    *server = (NetServer){.world = cn_world_create(NULL, NULL)};
    assert_non_null(server->world);
    cn_register(server->world, NetLife, .default_value = &(NetLife){.health = 20},
                .layout = CN_LAYOUT_FIELDS);
    server->layout = cn_net_layout_create(
        server->world, &(CnNetLayoutDesc){net_components, CN_COUNT_OF(net_components), NULL}, NULL);
    assert_non_null(server->layout);
    server->replication = cn_net_replication_create(
        &(CnNetReplicationDesc){
            .world = server->world, .layout = server->layout, .allocator = allocator},
        NULL);
    assert_non_null(server->replication);
}

static inline void net_drop_server(NetServer *server)
{
    cn_net_replication_destroy(server->replication);
    cn_net_layout_destroy(server->layout);
    cn_world_destroy(server->world);
}

static inline void net_make_peer(NetPeer *peer, NetServer *server, const CnNetClientDesc *desc)
{
    memset(peer, 0, sizeof *peer);
    peer->world = cn_world_create(NULL, NULL);
    assert_non_null(peer->world);
    cn_register(peer->world, NetLife, .default_value = &(NetLife){.health = 20});
    peer->replica = cn_net_replica_create(
        &(CnNetReplicaDesc){.layout = server->layout, .owner = desc->owner}, NULL);
    assert_non_null(peer->replica);
    peer->client = cn_net_replication_client_add(server->replication, desc, NULL);
    assert_int_not_equal(peer->client, 0);
}

static inline void net_drop_peer(NetPeer *peer)
{
    cn_net_replica_destroy(peer->replica);
    cn_world_destroy(peer->world);
}

static inline void net_capture(NetServer *server)
{
    server->tick += NET_TICKS;
    assert_true(cn_net_replication_capture(server->replication, server->tick, NULL));
}

static inline void net_write(NetServer *server, NetPeer *peer)
{
    assert_true(cn_net_replication_write(server->replication, peer->client, peer->packet,
                                         sizeof peer->packet, &peer->written, NULL));
}

static inline bool net_read(NetPeer *peer)
{
    CnNetSnapshot snapshot;
    CnError error = {0};
    const bool valid =
        cn_net_replica_read(peer->replica, peer->packet, peer->written.size, &snapshot, &error);
    if (!valid)
        print_message("%s\n", error.message);
    assert_true(valid);
    return snapshot.is_new;
}

static inline void net_acknowledge(NetServer *server, NetPeer *peer)
{
    const CnNetAcks acks = cn_net_replica_acks(peer->replica);
    cn_net_replication_acknowledge(server->replication, peer->client, &acks);
}

/* A capture that reaches the client, whose acknowledgement arrives at once. */
static inline void net_exchange(NetServer *server, NetPeer *peer)
{
    net_capture(server);
    net_write(server, peer);
    assert_true(net_read(peer));
    net_acknowledge(server, peer);
}

static inline bool net_agree(const NetServer *server, const NetPeer *peer)
{
    return cn_net_replication_client_hash(server->replication, peer->client) ==
           cn_net_replica_hash(peer->replica);
}

static inline CnEntity net_walker(NetServer *server, uint32_t owner, CnVec3 position)
{
    return cn_spawn(server->world, cn_with(CnNetShared, {1, owner}),
                    cn_with(NetPose, {.position = position}), cn_with_default(NetLife));
}

/* The entity of the client's world that a walker became; null if there is none. */
static inline CnEntity net_copy_of(const NetServer *server, const NetPeer *peer, CnEntity entity)
{
    return cn_net_replica_entity(peer->replica, cn_net_replication_id(server->replication, entity));
}

static inline void net_apply(NetPeer *peer, double tick)
{
    assert_true(cn_net_replica_apply(peer->replica, peer->world, tick, NULL));
}

#endif
