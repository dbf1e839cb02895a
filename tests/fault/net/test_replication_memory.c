/*
 * Memory runs out in each call of replications and replicas: the call reports it, and later calls
 * bring everything up to date.
 */
#include "replication_fixture.h"

static CnHeap *heap;

typedef struct Run {
    NetServer server;
    NetPeer peer;
    CnEntity walkers[12];
} Run;

static Run run;

static int make(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    return heap ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_heap_destroy(heap); /* reports what is left */
    return 0;
}

static void make_run(void)
{
    memset(&run, 0, sizeof run);
    net_make_server(&run.server, cn_heap_tag(heap, "replication"));
    for (uint32_t i = 0; i < 12; i++)
        run.walkers[i] = net_walker(&run.server, i == 0, cn_vec3((float)i, 0, 0));
    net_make_peer(&run.peer, &run.server, &(CnNetClientDesc){.owner = 1});
    cn_net_replica_destroy(run.peer.replica);
    run.peer.replica = cn_net_replica_create(
        &(CnNetReplicaDesc){
            .layout = run.server.layout, .owner = 1, .allocator = cn_heap_tag(heap, "replica")},
        NULL);
}

static void drop_run(void)
{
    net_drop_peer(&run.peer);
    net_drop_server(&run.server);
}

/* Returns whether all calls succeeded. */
static bool try_exchange(void)
{
    CnNetSnapshot snapshot;
    CnError error = {0};
    run.server.tick += NET_TICKS;
    bool complete = cn_net_replication_capture(run.server.replication, run.server.tick, &error);
    if (!cn_net_replication_write(run.server.replication, run.peer.client, run.peer.packet,
                                  sizeof run.peer.packet, &run.peer.written, &error))
        return false;
    if (!run.peer.written.size)
        return false; /* nothing was ever captured */
    const uint64_t hash = cn_net_replica_hash(run.peer.replica);
    if (!cn_net_replica_read(run.peer.replica, run.peer.packet, run.peer.written.size, &snapshot,
                             &error)) {
        if (error.code != CN_ERROR_MEMORY)
            print_message("%s\n", error.message);
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_true(cn_net_replica_hash(run.peer.replica) == hash);
        return false;
    }
    net_acknowledge(&run.server, &run.peer);
    complete &=
        cn_net_replica_apply(run.peer.replica, run.peer.world, (double)run.server.tick, &error);
    assert_true(complete || error.code == CN_ERROR_MEMORY);
    return complete;
}

static void change(uint32_t step)
{
    for (uint32_t i = 0; i < 12; i++) {
        NetPose *pose = cn_get_mut(run.server.world, run.walkers[i], NetPose);
        if (pose)
            pose->position.z += (float)(i % 3);
    }
    if (step == 2)
        cn_destroy(run.server.world, run.walkers[3]);
    if (step == 3)
        run.walkers[3] = net_walker(&run.server, 0, cn_vec3(9, 9, 9));
    if (step == 4)
        cn_set(run.server.world, run.walkers[0], NetBag, {.gold = 4, .target = run.walkers[3]});
}

static void all_calls_recover_from_a_lack_of_memory(void **state)
{
    (void)state;
    uint32_t failures = 0;
    for (uint64_t allowed = 0; allowed < 200; allowed++) {
        make_run();
        bool failed = false;
        cn_heap_fail_after(heap, allowed);
        for (uint32_t step = 0; step < 6; step++) {
            change(step);
            failed |= !try_exchange();
        }
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        failures += failed;
        for (uint32_t i = 0; i < 8; i++)
            assert_true(try_exchange());
        assert_true(net_agree(&run.server, &run.peer));
        assert_int_equal(cn_net_replica_stats(run.peer.replica).entities, 12);
        drop_run();
        if (!failed)
            break;
    }
    assert_in_range(failures, 20, 199);
}

static void creation_reports_a_lack_of_memory(void **state)
{
    (void)state;
    NetServer server;
    net_make_server(&server, NULL);
    for (uint64_t allowed = 0; allowed < 64; allowed++) {
        CnError error = {0};
        const CnNetLayoutDesc layout = {net_components, CN_COUNT_OF(net_components),
                                        cn_heap_tag(heap, "layout")};
        cn_heap_fail_after(heap, allowed);
        CnNetLayout *made = cn_net_layout_create(server.world, &layout, &error);
        CnNetReplication *replication = NULL;
        CnNetReplica *replica = NULL;
        if (made)
            replication = cn_net_replication_create(
                &(CnNetReplicationDesc){
                    .world = server.world, .layout = made, .allocator = cn_heap_tag(heap, "r")},
                &error);
        if (replication)
            replica = cn_net_replica_create(
                &(CnNetReplicaDesc){.layout = made, .allocator = cn_heap_tag(heap, "c")}, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        const bool complete = replica;
        assert_true(complete || error.code == CN_ERROR_MEMORY);
        cn_net_replica_destroy(replica);
        cn_net_replication_destroy(replication);
        cn_net_layout_destroy(made);
        assert_true(cn_heap_stats(heap).live_bytes == 0);
        if (complete) {
            assert_true(allowed > 10);
            break;
        }
    }
    net_drop_server(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_calls_recover_from_a_lack_of_memory, make, drop),
        cmocka_unit_test_setup_teardown(creation_reports_a_lack_of_memory, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
