/* What clients get: entities, changes, removals, within their view and their budget. */
#include "replication_fixture.h"

static NetServer server;
static NetPeer peer;
static CnHeap *heap;

static void make_peer(const CnNetClientDesc *desc)
{
    net_make_peer(&peer, &server, desc);
}

static int make(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    net_make_server(&server, cn_heap_tag(heap, "replication"));
    memset(&peer, 0, sizeof peer);
    return 0;
}

static int drop(void **state)
{
    (void)state;
    if (peer.replica)
        net_drop_peer(&peer);
    net_drop_server(&server);
    cn_heap_destroy(heap);
    return 0;
}

static CnEntity copy_of(CnEntity entity)
{
    return net_copy_of(&server, &peer, entity);
}

static bool is_shown(CnEntity entity)
{
    const uint32_t id = cn_net_replication_id(server.replication, entity);
    return cn_net_replica_next(peer.replica, id) == id;
}

/* ---- Entities ---- */

static void shared_entities_appear_with_their_values(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 7, cn_vec3(1.5f, 2, -3));
    make_peer(&(CnNetClientDesc){.owner = 1});
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    const CnEntity copy = copy_of(walker);
    assert_true(cn_is_alive(peer.world, copy));
    assert_int_equal(cn_get(peer.world, copy, CnNetShared)->kind, 1);
    assert_int_equal(cn_get(peer.world, copy, CnNetShared)->owner, 7);
    assert_true(cn_get(peer.world, copy, NetPose)->position.x == 1.5f);
    assert_true(cn_get(peer.world, copy, NetLife)->health == 20);
    assert_true(net_agree(&server, &peer));
}

static void entities_without_the_marker_are_not_shared(void **state)
{
    (void)state;
    cn_spawn(server.world, cn_with_default(NetPose));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 0);
}

static uint32_t owner_by_health(const CnWorld *world, CnEntity entity)
{
    NetLife life = {.health = 0};
    cn_read(world, entity, NetLife, &life);
    return (uint32_t)life.health;
}

/* Frozen walkers are of the first kind that they match. */
static void kinds_share_entities_without_the_marker(void **state)
{
    static const CnNetKind kinds[] = {
        {.all = {&cn_type_NetPose, &cn_type_NetFrozen}, .kind = 5},
        {.all = {&cn_type_NetPose, &cn_type_NetLife}, .kind = 6, .owner = owner_by_health},
    };
    (void)state;
    cn_net_replication_destroy(server.replication);
    server.replication = cn_net_replication_create(
        &(CnNetReplicationDesc){
            .world = server.world, .layout = server.layout, .kinds = kinds, .kind_count = 2},
        NULL);
    const CnEntity frozen = cn_spawn(server.world, cn_with_default(NetPose),
                                     cn_with_default(NetLife), cn_with_tag(NetFrozen));
    const CnEntity alive = cn_spawn(server.world, cn_with_default(NetPose),
                                    cn_with(NetLife, {.health = 1}), cn_with(NetBag, {.gold = 3}));
    cn_spawn(server.world, cn_with_default(NetPose));
    make_peer(&(CnNetClientDesc){.owner = 1});
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 2);
    assert_int_equal(cn_get(peer.world, copy_of(frozen), CnNetShared)->kind, 5);
    assert_int_equal(cn_get(peer.world, copy_of(alive), CnNetShared)->kind, 6);
    assert_int_equal(cn_get(peer.world, copy_of(alive), CnNetShared)->owner, 1);
    assert_int_equal(cn_get(peer.world, copy_of(alive), NetBag)->gold, 3);
    cn_remove(server.world, frozen, NetFrozen);
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_int_equal(cn_get(peer.world, copy_of(frozen), CnNetShared)->kind, 6);
    assert_true(net_agree(&server, &peer));
}

static void only_changes_are_sent(void **state)
{
    (void)state;
    CnEntity walkers[20];
    for (uint32_t i = 0; i < 20; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3((float)i, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 20);
    cn_get_mut(server.world, walkers[4], NetPose)->position.x += 1;
    cn_get_mut(server.world, walkers[9], NetPose)->unshared += 1;
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 1);
    assert_true(peer.written.size < 25);
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 0);
    assert_true(net_agree(&server, &peer));
}

static void changes_smaller_than_a_step_are_not_sent(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x += 0.0001f;
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 0);
}

static void components_come_and_go(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    cn_add(server.world, walker, NetFrozen);
    cn_set(server.world, walker, NetTurn, {cn_quat_identity()});
    cn_remove(server.world, walker, NetLife);
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_true(cn_has(peer.world, copy_of(walker), NetFrozen));
    assert_true(cn_has(peer.world, copy_of(walker), NetTurn));
    assert_false(cn_has(peer.world, copy_of(walker), NetLife));
}

static void destroyed_entities_disappear(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    const CnEntity copy = copy_of(walker);
    cn_destroy(server.world, walker);
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick - 1);
    assert_true(cn_is_alive(peer.world, copy)); /* not destroyed before its time */
    net_apply(&peer, (double)server.tick);
    assert_false(cn_is_alive(peer.world, copy));
}

static void entities_that_lose_the_marker_disappear(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    cn_remove(server.world, walker, CnNetShared);
    net_exchange(&server, &peer);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 0);
    assert_int_equal(cn_net_replication_id(server.replication, walker), UINT32_MAX);
}

static void ids_are_reused_only_after_the_removal_is_acknowledged(void **state)
{
    (void)state;
    const CnEntity first = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    const uint32_t id = cn_net_replication_id(server.replication, first);
    cn_destroy(server.world, first);
    net_capture(&server);
    net_write(&server, &peer); /* lost */
    const CnEntity second = net_walker(&server, 0, cn_vec3(4, 5, 6));
    net_capture(&server);
    assert_int_not_equal(cn_net_replication_id(server.replication, second), id);
    for (uint32_t i = 0; i < 10; i++)
        net_exchange(&server, &peer);
    const CnEntity third = net_walker(&server, 0, cn_vec3(7, 8, 9));
    net_exchange(&server, &peer);
    assert_int_equal(cn_net_replication_id(server.replication, third), id);
    assert_true(net_agree(&server, &peer));
}

static void removed_clients_do_not_hold_ids(void **state)
{
    (void)state;
    const CnEntity first = net_walker(&server, 0, cn_vec3(1, 2, 3));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    cn_destroy(server.world, first);
    net_capture(&server);
    assert_int_equal(cn_net_replication_stats(server.replication).reserved, 1);
    cn_net_replication_client_remove(server.replication, peer.client);
    assert_int_equal(cn_net_replication_stats(server.replication).reserved, 0);
}

/* ---- Owners and references ---- */

static void only_the_owner_gets_its_components(void **state)
{
    (void)state;
    const CnEntity mine = net_walker(&server, 1, cn_vec3(0, 0, 0));
    const CnEntity other = net_walker(&server, 2, cn_vec3(0, 0, 0));
    cn_set(server.world, mine, NetBag, {.gold = 5});
    cn_set(server.world, other, NetBag, {.gold = 6});
    make_peer(&(CnNetClientDesc){.owner = 1});
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_int_equal(cn_get(peer.world, copy_of(mine), NetBag)->gold, 5);
    assert_false(cn_has(peer.world, copy_of(other), NetBag));
    cn_get_mut(server.world, other, NetBag)->gold = 7;
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 0);
}

static void components_follow_a_change_of_the_owner(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 2, cn_vec3(0, 0, 0));
    cn_set(server.world, walker, NetBag, {.gold = 5});
    make_peer(&(CnNetClientDesc){.owner = 1});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, CnNetShared)->owner = 1;
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_int_equal(cn_get(peer.world, copy_of(walker), NetBag)->gold, 5);
    cn_get_mut(server.world, walker, CnNetShared)->owner = 2;
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_false(cn_has(peer.world, copy_of(walker), NetBag));
    assert_true(net_agree(&server, &peer));
}

static void references_become_entities_of_the_client(void **state)
{
    (void)state;
    const CnEntity mine = net_walker(&server, 1, cn_vec3(0, 0, 0));
    const CnEntity other = net_walker(&server, 0, cn_vec3(0, 0, 0));
    const CnEntity unshared = cn_spawn(server.world, cn_with_default(NetPose));
    cn_spawn(server.world, cn_with_tag(NetFrozen)); /* so that the ids of the worlds differ */
    make_peer(&(CnNetClientDesc){.owner = 1});
    cn_spawn(peer.world, cn_with_default(NetPose));
    cn_set(server.world, mine, NetBag, {.target = other});
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    net_apply(&peer, (double)server.tick);
    const CnEntity target = cn_get(peer.world, copy_of(mine), NetBag)->target;
    assert_true(cn_entity_equal(target, copy_of(other)));
    cn_get_mut(server.world, mine, NetBag)->target = unshared;
    net_exchange(&server, &peer);
    net_apply(&peer, (double)server.tick);
    assert_true(cn_entity_is_null(cn_get(peer.world, copy_of(mine), NetBag)->target));
}

/* ---- View ---- */

static void entities_beyond_the_view_distance_are_unknown(void **state)
{
    (void)state;
    const CnEntity me = net_walker(&server, 1, cn_vec3(0, 0, 0));
    net_walker(&server, 0, cn_vec3(39, 0, 0));
    net_walker(&server, 0, cn_vec3(41, 0, 0));
    make_peer(&(CnNetClientDesc){.owner = 1, .viewer = me, .view_distance = 40});
    net_exchange(&server, &peer);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 2);
}

static void entities_leave_later_than_they_enter(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(39, 0, 0));
    make_peer(&(CnNetClientDesc){.view_distance = 40});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x = 42;
    net_exchange(&server, &peer);
    assert_true(is_shown(walker));
    cn_get_mut(server.world, walker, NetPose)->position.x = 46;
    net_exchange(&server, &peer);
    assert_false(is_shown(walker));
    cn_get_mut(server.world, walker, NetPose)->position.x = 42;
    net_exchange(&server, &peer);
    assert_false(is_shown(walker));
    cn_get_mut(server.world, walker, NetPose)->position.x = 39;
    net_exchange(&server, &peer);
    assert_true(is_shown(walker));
    assert_true(net_agree(&server, &peer));
}

static void own_entities_and_those_without_position_are_always_visible(void **state)
{
    (void)state;
    const CnEntity mine = net_walker(&server, 1, cn_vec3(1000, 0, 0));
    const CnEntity weather = cn_spawn(server.world, cn_with(CnNetShared, {9, 0}));
    make_peer(&(CnNetClientDesc){.owner = 1, .view_distance = 40});
    net_exchange(&server, &peer);
    assert_true(is_shown(mine));
    assert_true(is_shown(weather));
}

static void entity_that_returns_before_its_removal_is_acknowledged_stays(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){.view_distance = 40});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x = 100;
    net_capture(&server);
    net_write(&server, &peer); /* with the removal; lost */
    cn_get_mut(server.world, walker, NetPose)->position.x = 11;
    net_exchange(&server, &peer);
    assert_true(is_shown(walker));
    assert_true(net_agree(&server, &peer));
}

static void more_entities_than_the_client_may_know_are_refused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        net_walker(&server, 0, cn_vec3((float)i, 0, 0));
    make_peer(&(CnNetClientDesc){.max_entities = 15});
    net_exchange(&server, &peer);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 15);
    assert_int_equal(cn_net_replication_client_stats(server.replication, peer.client).refused, 5);
}

/* ---- Loss ---- */

static void lost_changes_are_sent_again(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){.resend_after = 4});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x = 11;
    net_capture(&server);
    net_write(&server, &peer); /* lost */
    uint32_t exchanges = 0;
    while (!net_agree(&server, &peer) && exchanges++ < 10)
        net_exchange(&server, &peer);
    assert_int_equal(exchanges, 4);
}

static void reported_losses_are_sent_again_at_once(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x = 11;
    net_capture(&server);
    net_write(&server, &peer);
    cn_net_replication_lost(server.replication, peer.client, peer.written.snapshot);
    net_exchange(&server, &peer);
    assert_true(net_agree(&server, &peer));
}

static void repeated_snapshots_are_ignored(void **state)
{
    (void)state;
    net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    assert_false(net_read(&peer));
    assert_true(net_agree(&server, &peer));
    assert_int_equal(cn_net_replica_stats(peer.replica).ignored, 1);
}

static void invented_acknowledgements_are_ignored(void **state)
{
    (void)state;
    net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    for (uint32_t i = 0; i < 3; i++) {
        const CnNetAcks acks = {.newest = 1000 * i, .before = UINT32_MAX};
        cn_net_replication_acknowledge(server.replication, peer.client, &acks);
        net_exchange(&server, &peer);
    }
    assert_true(net_agree(&server, &peer));
}

/* Snapshot 65 has the place of snapshot 1 in the history. */
static void acknowledgement_of_a_skipped_snapshot_is_ignored(void **state)
{
    (void)state;
    net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_capture(&server);
    net_write(&server, &peer); /* lost */
    for (uint32_t i = 0; i < CN_NET_HISTORY; i++)
        net_capture(&server);
    cn_net_replication_acknowledge(server.replication, peer.client,
                                   &(CnNetAcks){.newest = 1 + CN_NET_HISTORY});
    net_exchange(&server, &peer);
    assert_true(net_agree(&server, &peer));
}

static void snapshot_of_a_capture_is_written_once(void **state)
{
    (void)state;
    net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_capture(&server);
    net_write(&server, &peer);
    assert_int_equal(peer.written.records, 1);
    net_write(&server, &peer);
    assert_int_equal(peer.written.size, 0);
}

static void reset_sends_everything_again(void **state)
{
    (void)state;
    net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    net_exchange(&server, &peer);
    const uint32_t client = peer.client; /* the program of the client starts again */
    net_drop_peer(&peer);
    make_peer(&(CnNetClientDesc){0});
    peer.client = client;
    cn_net_replication_client_reset(server.replication, client);
    net_exchange(&server, &peer);
    assert_true(net_agree(&server, &peer));
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 1);
}

static void changes_after_a_long_rest_are_differences(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 0, cn_vec3(10, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    for (uint32_t i = 0; i < 3 * CN_NET_HISTORY; i++)
        net_exchange(&server, &peer);
    cn_get_mut(server.world, walker, NetPose)->position.x = 11;
    net_exchange(&server, &peer);
    assert_int_equal(peer.written.records, 1);
    assert_true(peer.written.size < 27);
    assert_true(net_agree(&server, &peer));
}

/* ---- Budget ---- */

static void snapshots_use_their_budget_and_never_exceed_it(void **state)
{
    (void)state;
    CnEntity walkers[100];
    for (uint32_t i = 0; i < 100; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3((float)i, 0, 0));
    make_peer(&(CnNetClientDesc){.bytes_per_snapshot = 200});
    for (uint32_t k = 0; k < 50; k++) {
        for (uint32_t i = 0; i < 100; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.3f;
        net_exchange(&server, &peer);
        assert_in_range(peer.written.size, k < 20 ? 150 : 190, 200);
        assert_true(peer.written.waiting > 0);
    }
}

/* All move all the time, and a fifth of them fits into a snapshot. */
static void no_entity_starves(void **state)
{
    enum { COUNT = 100, EXCHANGES = 40 };
    (void)state;
    CnEntity walkers[COUNT];
    uint64_t last[COUNT] = {0}, longest = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3((float)i * 2, 0, 0));
    make_peer(&(CnNetClientDesc){.bytes_per_snapshot = 150});
    for (uint32_t k = 0; k < 40 + EXCHANGES; k++) {
        for (uint32_t i = 0; i < COUNT; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.3f;
        net_exchange(&server, &peer);
        for (uint32_t i = 0; i < COUNT && k >= 40; i++) {
            const uint32_t id = cn_net_replication_id(server.replication, walkers[i]);
            NetPose pose;
            assert_true(cn_net_replica_value(peer.replica, id, &cn_type_NetPose, &pose, &last[i]));
            const uint64_t age = (server.tick - last[i]) / NET_TICKS;
            longest = age > longest ? age : longest;
        }
    }
    assert_in_range(longest, 2, 20); /* snapshots */
}

static void near_entities_are_sent_more_often(void **state)
{
    (void)state;
    CnEntity walkers[60];
    uint32_t updates[60] = {0};
    for (uint32_t i = 0; i < 60; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3(i < 30 ? 1.0f : 100.0f, 0, 0));
    make_peer(&(CnNetClientDesc){.bytes_per_snapshot = 120});
    for (uint32_t k = 0; k < 100; k++) {
        for (uint32_t i = 0; i < 60; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.1f;
        net_exchange(&server, &peer);
        for (uint32_t i = 0; i < 60; i++) {
            NetPose pose;
            uint64_t tick = 0;
            const uint32_t id = cn_net_replication_id(server.replication, walkers[i]);
            if (cn_net_replica_value(peer.replica, id, &cn_type_NetPose, &pose, &tick))
                updates[i] += tick == server.tick;
        }
    }
    uint32_t near = 0, far = 0;
    for (uint32_t i = 0; i < 30; i++) {
        near += updates[i];
        far += updates[30 + i];
    }
    assert_true(near > 2 * far && far > 0);
}

static void own_entity_is_in_every_snapshot(void **state)
{
    (void)state;
    CnEntity walkers[80];
    for (uint32_t i = 0; i < 80; i++)
        walkers[i] = net_walker(&server, i == 79 ? 1 : 0, cn_vec3(0, 0, 0));
    make_peer(&(CnNetClientDesc){.owner = 1, .bytes_per_snapshot = 100});
    for (uint32_t k = 0; k < 30; k++) {
        for (uint32_t i = 0; i < 80; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.1f;
        net_exchange(&server, &peer);
        NetPose pose;
        uint64_t tick = 0;
        const uint32_t id = cn_net_replica_owned(peer.replica, 1);
        assert_true(cn_net_replica_value(peer.replica, id, &cn_type_NetPose, &pose, &tick));
        assert_true(tick == server.tick);
    }
}

static void entities_that_never_fit_are_counted(void **state)
{
    (void)state;
    const CnEntity walker = net_walker(&server, 1, cn_vec3(0, 0, 0));
    NetBag bag = {.gold = 1};
    for (uint32_t i = 0; i < 12; i++)
        bag.stacks[i] = (NetStack){(uint16_t)(20000 + 999 * i), (uint8_t)(200 + i)};
    cn_set_component(server.world, walker, cn_id(server.world, NetBag), &bag);
    make_peer(&(CnNetClientDesc){.owner = 1});
    net_capture(&server);
    assert_true(cn_net_replication_write(server.replication, peer.client, peer.packet,
                                         CN_NET_MIN_SNAPSHOT_BYTES, &peer.written, NULL));
    assert_int_equal(peer.written.records, 0);
    assert_int_equal(cn_net_replication_client_stats(server.replication, peer.client).oversized, 1);
    net_exchange(&server, &peer); /* a larger packet */
    assert_int_equal(peer.written.records, 1);
    assert_true(peer.written.size <= cn_net_layout_max_bytes(server.layout));
}

/* ---- Memory ---- */

static void client_of_500_entities_needs_less_than_24_kib(void **state)
{
    (void)state;
    CnEntity walkers[500];
    for (uint32_t i = 0; i < 500; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3((float)i / 10, 0, 0));
    net_capture(&server);
    const CnNetClientDesc desc = {.view_distance = 100};
    make_peer(&desc);
    for (uint32_t k = 0; k < 100; k++) {
        for (uint32_t i = 0; i < 500; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.1f;
        net_exchange(&server, &peer);
    }
    const uint64_t before = cn_heap_stats(heap).live_bytes;
    uint32_t clients[10];
    for (uint32_t i = 0; i < 10; i++)
        clients[i] = cn_net_replication_client_add(server.replication, &desc, NULL);
    for (uint32_t k = 0; k < 100; k++) {
        net_exchange(&server, &peer);
        for (uint32_t i = 0; i < 10; i++) {
            CnNetWritten written;
            assert_true(cn_net_replication_write(server.replication, clients[i], peer.packet,
                                                 sizeof peer.packet, &written, NULL));
            cn_net_replication_acknowledge(server.replication, clients[i],
                                           &(CnNetAcks){.newest = written.snapshot});
        }
    }
    assert_int_equal(cn_net_replication_client_stats(server.replication, clients[9]).known, 500);
    assert_in_range((cn_heap_stats(heap).live_bytes - before) / 10, 1, 24 * 1024);
}

static void steady_state_allocates_nothing(void **state)
{
    (void)state;
    CnEntity walkers[50];
    for (uint32_t i = 0; i < 50; i++)
        walkers[i] = net_walker(&server, 0, cn_vec3((float)i, 0, 0));
    make_peer(&(CnNetClientDesc){0});
    uint64_t calls = 0;
    for (uint32_t k = 0; k < 300; k++) {
        for (uint32_t i = 0; i < 50; i++)
            cn_get_mut(server.world, walkers[i], NetPose)->position.z += 0.1f;
        net_exchange(&server, &peer);
        if (k == 150)
            calls = cn_heap_stats(heap).calls;
    }
    assert_true(cn_heap_stats(heap).calls == calls);
}

#define NET_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        NET_TEST(shared_entities_appear_with_their_values),
        NET_TEST(entities_without_the_marker_are_not_shared),
        NET_TEST(kinds_share_entities_without_the_marker),
        NET_TEST(only_changes_are_sent),
        NET_TEST(changes_smaller_than_a_step_are_not_sent),
        NET_TEST(components_come_and_go),
        NET_TEST(destroyed_entities_disappear),
        NET_TEST(entities_that_lose_the_marker_disappear),
        NET_TEST(ids_are_reused_only_after_the_removal_is_acknowledged),
        NET_TEST(removed_clients_do_not_hold_ids),
        NET_TEST(only_the_owner_gets_its_components),
        NET_TEST(components_follow_a_change_of_the_owner),
        NET_TEST(references_become_entities_of_the_client),
        NET_TEST(entities_beyond_the_view_distance_are_unknown),
        NET_TEST(entities_leave_later_than_they_enter),
        NET_TEST(own_entities_and_those_without_position_are_always_visible),
        NET_TEST(entity_that_returns_before_its_removal_is_acknowledged_stays),
        NET_TEST(more_entities_than_the_client_may_know_are_refused),
        NET_TEST(lost_changes_are_sent_again),
        NET_TEST(reported_losses_are_sent_again_at_once),
        NET_TEST(repeated_snapshots_are_ignored),
        NET_TEST(invented_acknowledgements_are_ignored),
        NET_TEST(acknowledgement_of_a_skipped_snapshot_is_ignored),
        NET_TEST(snapshot_of_a_capture_is_written_once),
        NET_TEST(reset_sends_everything_again),
        NET_TEST(changes_after_a_long_rest_are_differences),
        NET_TEST(snapshots_use_their_budget_and_never_exceed_it),
        NET_TEST(no_entity_starves),
        NET_TEST(near_entities_are_sent_more_often),
        NET_TEST(own_entity_is_in_every_snapshot),
        NET_TEST(entities_that_never_fit_are_counted),
        NET_TEST(client_of_500_entities_needs_less_than_24_kib),
        NET_TEST(steady_state_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
