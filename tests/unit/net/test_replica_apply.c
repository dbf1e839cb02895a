/* What worlds of clients look like between snapshots. */
#include "replication_fixture.h"

static NetServer server;
static NetPeer peer;
static CnEntity walker;

static int make(void **state)
{
    (void)state;
    net_make_server(&server, NULL);
    walker = net_walker(&server, 2, cn_vec3(0, 0, 0));
    net_make_peer(&peer, &server, &(CnNetClientDesc){.owner = 1});
    return 0;
}

static int drop(void **state)
{
    (void)state;
    net_drop_peer(&peer);
    net_drop_server(&server);
    return 0;
}

static NetPose *served(void)
{
    return cn_get_mut(server.world, walker, NetPose);
}

static const NetPose *shown_at(double tick)
{
    net_apply(&peer, tick);
    return cn_get(peer.world, net_copy_of(&server, &peer, walker), NetPose);
}

/* At ticks 3, 6, 9, ... the walker is at x = 0, 3, 6, ...; none of it was applied. */
static void walk(uint32_t snapshots)
{
    for (uint32_t i = 0; i < snapshots; i++) {
        served()->position.x = (float)i * 3;
        net_exchange(&server, &peer);
    }
}

static void assert_near(float number, float wanted)
{
    if (!(cn_fabsf(number - wanted) < 0.01f))
        print_message("%g instead of %g\n", (double)number, (double)wanted);
    assert_true(cn_fabsf(number - wanted) < 0.01f);
}

static void positions_are_between_two_states(void **state)
{
    (void)state;
    walk(4);
    assert_near(shown_at(3)->position.x, 0);
    assert_near(shown_at(4)->position.x, 1);
    assert_near(shown_at(5.5)->position.x, 2.5f);
    assert_near(shown_at(6)->position.x, 3);
    assert_near(shown_at(10)->position.x, 7);
    assert_near(shown_at(4)->position.x, 1); /* back again */
}

static void angles_turn_the_short_way(void **state)
{
    (void)state;
    served()->yaw = 170;
    net_exchange(&server, &peer);
    served()->yaw = -170;
    net_exchange(&server, &peer);
    assert_true(cn_fabsf(shown_at(3)->yaw - 170) < 0.1f);
    const float half = shown_at(4.5)->yaw;
    assert_true(cn_fabsf(cn_fabsf(half) - 180) < 0.2f);
    assert_true(cn_fabsf(shown_at(6)->yaw + 170) < 0.1f);
}

static void rotations_turn_evenly(void **state)
{
    (void)state;
    cn_set(server.world, walker, NetTurn, {cn_quat_identity()});
    net_exchange(&server, &peer);
    cn_set(server.world, walker, NetTurn, {cn_quat_from_euler(cn_vec3(0, 90, 0))});
    net_exchange(&server, &peer);
    shown_at(4);
    const CnEntity copy = net_copy_of(&server, &peer, walker);
    const CnVec3 angles = cn_quat_to_euler(cn_get(peer.world, copy, NetTurn)->rotation);
    assert_true(cn_fabsf(angles.y - 30) < 0.2f);
}

static void other_values_step(void **state)
{
    (void)state;
    net_exchange(&server, &peer);
    NetLife life;
    cn_read(server.world, walker, NetLife, &life);
    life.health = 10;
    cn_set_component(server.world, walker, cn_id(server.world, NetLife), &life);
    net_exchange(&server, &peer);
    shown_at(5.9);
    const CnEntity copy = net_copy_of(&server, &peer, walker);
    assert_true(cn_get(peer.world, copy, NetLife)->health == 20);
    shown_at(6);
    assert_true(cn_get(peer.world, copy, NetLife)->health == 10);
}

static void teleports_are_not_interpolated(void **state)
{
    (void)state;
    net_exchange(&server, &peer);
    served()->position.x = 500;
    net_exchange(&server, &peer);
    assert_near(shown_at(5.9)->position.x, 0);
    assert_near(shown_at(6)->position.x, 500);
}

static void motion_after_a_rest_begins_with_the_last_snapshot_of_the_rest(void **state)
{
    (void)state;
    walk(2);
    for (uint32_t i = 0; i < 4; i++)
        net_exchange(&server, &peer); /* ticks 9 to 18 */
    served()->position.x = 6;
    net_exchange(&server, &peer); /* tick 21 */
    assert_near(shown_at(12)->position.x, 3);
    assert_near(shown_at(18)->position.x, 3);
    assert_near(shown_at(19.5)->position.x, 4.5f);
    assert_near(shown_at(21)->position.x, 6);
}

static void motion_continues_for_a_while_and_then_stops(void **state)
{
    (void)state;
    walk(4); /* x = 9 at tick 12 */
    assert_near(shown_at(14)->position.x, 11);
    assert_near(shown_at(18)->position.x, 15);
    assert_near(shown_at(19)->position.x, 15); /* 6 ticks are 100 ms */
    assert_near(shown_at(100)->position.x, 15);
}

static void entity_that_stopped_is_not_moved_on(void **state)
{
    (void)state;
    walk(4);
    net_exchange(&server, &peer); /* without a change */
    assert_near(shown_at(15)->position.x, 9);
    assert_near(shown_at(17)->position.x, 9);
}

static void entities_appear_at_their_tick(void **state)
{
    (void)state;
    walk(1);
    shown_at(2);
    assert_true(cn_entity_is_null(net_copy_of(&server, &peer, walker)));
    shown_at(3);
    assert_true(cn_is_alive(peer.world, net_copy_of(&server, &peer, walker)));
}

static void values_that_are_equal_are_not_written(void **state)
{
    (void)state;
    walk(3);
    shown_at(9);
    const CnEntity copy = net_copy_of(&server, &peer, walker);
    cn_world_advance_tick(peer.world);
    const CnQueryDesc desc = {.all = {cn_reads(NetPose), cn_reads(NetLife)}};
    CnQuery *query = cn_query_acquire(peer.world, &desc, NULL);
    const uint64_t since = cn_world_tick(peer.world);
    cn_world_advance_tick(peer.world);
    shown_at(9);
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(query, since);
    assert_false(cn_query_next(&it, &view));
    cn_query_release(query);
    assert_true(cn_is_alive(peer.world, copy));
}

static void fields_that_are_not_sent_keep_their_values(void **state)
{
    (void)state;
    walk(2);
    shown_at(3);
    cn_get_mut(peer.world, net_copy_of(&server, &peer, walker), NetPose)->unshared = 5;
    assert_near(shown_at(6)->position.x, 3);
    assert_true(shown_at(6)->unshared == 5);
}

static void entity_destroyed_by_others_is_spawned_again(void **state)
{
    (void)state;
    walk(2);
    shown_at(3);
    cn_destroy(peer.world, net_copy_of(&server, &peer, walker));
    assert_near(shown_at(6)->position.x, 3);
}

static void entities_and_ids_correspond(void **state)
{
    (void)state;
    walk(1);
    shown_at(3);
    const uint32_t id = cn_net_replication_id(server.replication, walker);
    const CnEntity copy = cn_net_replica_entity(peer.replica, id);
    assert_int_equal(cn_net_replica_id(peer.replica, copy), id);
    assert_int_equal(cn_net_replica_owned(peer.replica, 2), id);
    assert_int_equal(cn_net_replica_owned(peer.replica, 3), CN_NET_NO_ID);
    assert_int_equal(cn_net_replica_next(peer.replica, 0), id);
    assert_int_equal(cn_net_replica_next(peer.replica, id + 1), CN_NET_NO_ID);
    assert_int_equal(cn_net_replica_id(peer.replica, (CnEntity){0}), CN_NET_NO_ID);
}

static void newest_value_can_be_read(void **state)
{
    (void)state;
    walk(3);
    NetPose pose = {.unshared = 8};
    NetTurn turn;
    uint64_t tick;
    const uint32_t id = cn_net_replication_id(server.replication, walker);
    assert_true(cn_net_replica_value(peer.replica, id, &cn_type_NetPose, &pose, &tick));
    assert_near(pose.position.x, 6);
    assert_true(pose.unshared == 8 && tick == 9);
    assert_false(cn_net_replica_value(peer.replica, id, &cn_type_NetTurn, &turn, NULL));
    assert_false(cn_net_replica_value(peer.replica, id + 1, &cn_type_NetPose, &pose, NULL));
}

/* ---- The own entity ---- */

CN_COMPONENT(Aim, (f32, x));
CN_COMPONENT(Score, (u32, points));

static void own_entity_shows_the_newest_state_without_predicted_components(void **state)
{
    static const CnNetComponent components[] = {{.type = &cn_type_Aim, .flags = CN_NET_PREDICTED},
                                                {.type = &cn_type_Score}};
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    CnNetLayout *layout =
        cn_net_layout_create(world, &(CnNetLayoutDesc){components, 2, NULL}, NULL);
    CnNetReplication *replication =
        cn_net_replication_create(&(CnNetReplicationDesc){.world = world, .layout = layout}, NULL);
    CnNetReplica *replica =
        cn_net_replica_create(&(CnNetReplicaDesc){.layout = layout, .owner = 1}, NULL);
    const uint32_t client =
        cn_net_replication_client_add(replication, &(CnNetClientDesc){.owner = 1}, NULL);
    const CnEntity mine =
        cn_spawn(world, cn_with(CnNetShared, {1, 1}), cn_with(Aim, {1}), cn_with(Score, {10}));
    CnNetWritten written;
    CnNetSnapshot snapshot;
    for (uint32_t i = 1; i <= 3; i++) {
        cn_get_mut(world, mine, Aim)->x = (float)i;
        cn_get_mut(world, mine, Score)->points = 10 * i;
        assert_true(cn_net_replication_capture(replication, i * 3, NULL));
        assert_true(cn_net_replication_write(replication, client, peer.packet, NET_PACKET_BYTES,
                                             &written, NULL));
        assert_true(cn_net_replica_read(replica, peer.packet, written.size, &snapshot, NULL));
        assert_true(cn_net_replica_apply(replica, peer.world, 3, NULL));
    }
    const CnEntity copy = cn_net_replica_entity(replica, 0);
    assert_int_equal(cn_get(peer.world, copy, Score)->points, 30);
    assert_true(cn_get(peer.world, copy, Aim)->x == 1); /* as it was spawned */
    Aim aim;
    assert_true(cn_net_replica_value(replica, 0, &cn_type_Aim, &aim, NULL));
    assert_true(aim.x == 3);
    cn_net_replica_destroy(replica);
    cn_net_replication_destroy(replication);
    cn_net_layout_destroy(layout);
    cn_world_destroy(world);
}

/* ---- Hostile bytes ---- */

static void damaged_snapshots_change_nothing(void **state)
{
    TestRandom random = {9};
    uint32_t refused = 0;
    (void)state;
    walk(3);
    const uint64_t hash = cn_net_replica_hash(peer.replica);
    served()->position.x = 50;
    net_capture(&server);
    net_write(&server, &peer);
    for (uint32_t i = 0; i < 3000; i++) {
        uint8_t bytes[NET_PACKET_BYTES];
        CnNetSnapshot snapshot;
        CnError error = {0};
        memcpy(bytes, peer.packet, peer.written.size);
        const uint32_t at = 12 + test_random_below(&random, (uint32_t)peer.written.size - 12);
        bytes[at] = (uint8_t)(bytes[at] ^ 1u << test_random_below(&random, 8));
        const size_t size = test_random_chance(&random, 30) ? at : peer.written.size;
        if (cn_net_replica_read(peer.replica, bytes, size, &snapshot, &error)) {
            if (!snapshot.is_new)
                continue;
            break; /* a valid snapshot with other contents */
        }
        refused++;
        assert_true(error.message[0] != '\0');
        assert_true(cn_net_replica_hash(peer.replica) == hash);
    }
    assert_true(refused > 0);
}

static void truncated_snapshots_are_refused(void **state)
{
    (void)state;
    walk(2);
    served()->position.x = 50;
    net_capture(&server);
    net_write(&server, &peer);
    const uint64_t hash = cn_net_replica_hash(peer.replica);
    for (size_t size = 0; size < peer.written.size; size++) {
        CnNetSnapshot snapshot;
        CnError error = {0};
        assert_false(cn_net_replica_read(peer.replica, peer.packet, size, &snapshot, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
    assert_true(cn_net_replica_hash(peer.replica) == hash);
    assert_true(net_read(&peer));
}

static void snapshot_with_an_unknown_base_is_refused(void **state)
{
    (void)state;
    walk(3);
    cn_net_replica_destroy(peer.replica);
    peer.replica = cn_net_replica_create(&(CnNetReplicaDesc){.layout = server.layout}, NULL);
    served()->position.x = 50;
    net_capture(&server);
    net_write(&server, &peer);
    CnNetSnapshot snapshot;
    CnError error = {0};
    assert_false(
        cn_net_replica_read(peer.replica, peer.packet, peer.written.size, &snapshot, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
}

static void snapshot_with_too_many_entities_is_refused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++)
        net_walker(&server, 0, cn_vec3(0, 0, 0));
    cn_net_replica_destroy(peer.replica);
    peer.replica = cn_net_replica_create(
        &(CnNetReplicaDesc){.layout = server.layout, .max_entities = 5}, NULL);
    net_capture(&server);
    net_write(&server, &peer);
    CnNetSnapshot snapshot;
    CnError error = {0};
    assert_false(
        cn_net_replica_read(peer.replica, peer.packet, peer.written.size, &snapshot, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(cn_net_replica_stats(peer.replica).entities, 0);
}

static void states_of_an_entity_are_bounded(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5 * CN_NET_HISTORY; i++) {
        served()->position.x += 1;
        net_capture(&server);
        net_write(&server, &peer);
        assert_true(net_read(&peer)); /* and never acknowledged */
        assert_true(cn_net_replica_stats(peer.replica).states < 2 * CN_NET_HISTORY);
    }
    net_acknowledge(&server, &peer);
    served()->position.x += 1;
    net_exchange(&server, &peer);
    assert_in_range(cn_net_replica_stats(peer.replica).states, 2, 8);
    assert_true(net_agree(&server, &peer));
}

#define APPLY_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        APPLY_TEST(positions_are_between_two_states),
        APPLY_TEST(angles_turn_the_short_way),
        APPLY_TEST(rotations_turn_evenly),
        APPLY_TEST(other_values_step),
        APPLY_TEST(teleports_are_not_interpolated),
        APPLY_TEST(motion_after_a_rest_begins_with_the_last_snapshot_of_the_rest),
        APPLY_TEST(motion_continues_for_a_while_and_then_stops),
        APPLY_TEST(entity_that_stopped_is_not_moved_on),
        APPLY_TEST(entities_appear_at_their_tick),
        APPLY_TEST(values_that_are_equal_are_not_written),
        APPLY_TEST(fields_that_are_not_sent_keep_their_values),
        APPLY_TEST(entity_destroyed_by_others_is_spawned_again),
        APPLY_TEST(entities_and_ids_correspond),
        APPLY_TEST(newest_value_can_be_read),
        APPLY_TEST(own_entity_shows_the_newest_state_without_predicted_components),
        APPLY_TEST(damaged_snapshots_change_nothing),
        APPLY_TEST(truncated_snapshots_are_refused),
        APPLY_TEST(snapshot_with_an_unknown_base_is_refused),
        APPLY_TEST(snapshot_with_too_many_entities_is_refused),
        APPLY_TEST(states_of_an_entity_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
