/*
 * Replication over a channel that loses, delays, repeats and reorders packets in both directions:
 * once the world is quiet and the channel delivers again, each client has exactly the numbers that
 * the server captured.
 */
#include "replication_fixture.h"

enum { CLIENTS = 4, WALKERS = 60, IN_FLIGHT = 64, CAPTURES = 400, QUIET = 60 };

typedef struct Packet {
    uint8_t bytes[NET_PACKET_BYTES];
    size_t size; /* 0: an acknowledgement */
    CnNetAcks acks;
    uint32_t arrives; /* capture */
} Packet;

typedef struct Channel {
    uint32_t loss, repeats; /* percent */
    uint32_t delay, jitter; /* captures */
    Packet packets[IN_FLIGHT];
    uint32_t count;
} Channel;

typedef struct Run {
    TestRandom random;
    NetServer server;
    NetPeer peers[CLIENTS];
    Channel down[CLIENTS], up[CLIENTS];
    CnEntity walkers[WALKERS];
    uint32_t number;
} Run;

/* ---- The channel ---- */

static void put(Run *run, Channel *channel, const Packet *packet)
{
    const uint32_t copies = test_random_chance(&run->random, channel->repeats) ? 2 : 1;
    for (uint32_t i = 0; i < copies; i++) {
        if (test_random_chance(&run->random, channel->loss) || channel->count == IN_FLIGHT)
            continue;
        Packet *kept = &channel->packets[channel->count++];
        *kept = *packet;
        kept->arrives =
            run->number + channel->delay + test_random_below(&run->random, channel->jitter + 1);
    }
}

/* Takes a packet that has arrived, in random order. */
static bool take(Run *run, Channel *channel, Packet *packet)
{
    const uint32_t first = test_random_below(&run->random, channel->count);
    for (uint32_t i = 0; i < channel->count; i++) {
        Packet *found = &channel->packets[(first + i) % channel->count];
        if (found->arrives > run->number)
            continue;
        *packet = *found;
        *found = channel->packets[--channel->count];
        return true;
    }
    return false;
}

/* ---- The world ---- */

static float number(Run *run, float most)
{
    return (float)(test_random_unit(&run->random) * 2 - 1) * most;
}

static void change_walker(Run *run, CnEntity walker)
{
    CnWorld *world = run->server.world;
    NetPose *pose = cn_get_mut(world, walker, NetPose);
    NetLife life;
    switch (test_random_below(&run->random, 12)) {
    case 0:
        pose->yaw = number(run, 400);
        pose->pitch = number(run, 90);
        break;
    case 1:
        cn_read(world, walker, NetLife, &life);
        life.health = number(run, 20);
        life.dead = !life.dead;
        life.mood = (int8_t)test_random(&run->random);
        cn_format(life.name, sizeof life.name, "n%u", test_random_below(&run->random, 100));
        cn_set_component(world, walker, cn_id(world, NetLife), &life);
        break;
    case 2:
        cn_set(world, walker, NetTurn,
               {cn_quat_from_euler(cn_vec3(number(run, 90), number(run, 180), 0))});
        break;
    case 3:
        cn_remove(world, walker, NetTurn);
        break;
    case 4:
        if (cn_has(world, walker, NetFrozen))
            cn_remove(world, walker, NetFrozen);
        else
            cn_add(world, walker, NetFrozen);
        break;
    case 5: {
        NetBag bag = {.gold = (uint32_t)test_random(&run->random)};
        bag.stacks[test_random_below(&run->random, 12)].item = (uint16_t)test_random(&run->random);
        bag.target = run->walkers[test_random_below(&run->random, WALKERS)];
        cn_set_component(world, walker, cn_id(world, NetBag), &bag);
        break;
    }
    case 6: /* another owner */
        cn_get_mut(world, walker, CnNetShared)->owner =
            test_random_below(&run->random, CLIENTS + 1);
        break;
    default:
        pose->position =
            cn_vec3_add(pose->position, cn_vec3(number(run, 4), number(run, 1), number(run, 4)));
    }
}

static void change_world(Run *run)
{
    for (uint32_t i = 0; i < WALKERS; i++) {
        CnEntity *walker = &run->walkers[i];
        if (!cn_is_alive(run->server.world, *walker)) {
            if (test_random_chance(&run->random, 20))
                *walker = net_walker(&run->server, 0, cn_vec3(number(run, 60), 0, number(run, 60)));
        } else if (test_random_chance(&run->random, 1)) {
            cn_destroy(run->server.world, *walker);
        } else if (test_random_chance(&run->random, 50)) {
            change_walker(run, *walker);
        }
    }
}

/* ---- A run ---- */

static void make_run(Run *run, uint64_t seed)
{
    memset(run, 0, sizeof *run);
    run->random.state = seed;
    net_make_server(&run->server, NULL);
    for (uint32_t i = 0; i < WALKERS; i++)
        run->walkers[i] = net_walker(&run->server, i < CLIENTS ? i + 1 : 0,
                                     cn_vec3(number(run, 60), 0, number(run, 60)));
    for (uint32_t i = 0; i < CLIENTS; i++) {
        const CnNetClientDesc desc = {
            .owner = i + 1,
            .viewer = run->walkers[i],
            .view_distance = i == 0 ? 0 : 40,
            .bytes_per_snapshot = i == 1 ? 150 : 0,
            .resend_after = i == 2 ? 2 : 0,
        };
        net_make_peer(&run->peers[i], &run->server, &desc);
        run->down[i] = (Channel){.loss = 20 * i, .repeats = 5, .delay = i, .jitter = 2 * i};
        run->up[i] = (Channel){.loss = 15 * i, .repeats = 5, .delay = i, .jitter = 3 * i};
    }
}

static void drop_run(Run *run)
{
    for (uint32_t i = 0; i < CLIENTS; i++)
        net_drop_peer(&run->peers[i]);
    net_drop_server(&run->server);
}

static void send_to(Run *run, uint32_t i)
{
    NetPeer *peer = &run->peers[i];
    Packet packet = {.size = 0};
    if (test_random_chance(&run->random, 5))
        return; /* the connection is congested */
    net_write(&run->server, peer);
    memcpy(packet.bytes, peer->packet, peer->written.size);
    packet.size = peer->written.size;
    put(run, &run->down[i], &packet);
    if (test_random_chance(&run->random, 5))
        cn_net_replication_lost(run->server.replication, peer->client, /* true or not */
                                run->number - test_random_below(&run->random, 4));
}

static void receive(Run *run, uint32_t i)
{
    NetPeer *peer = &run->peers[i];
    Packet packet;
    while (take(run, &run->down[i], &packet)) {
        memcpy(peer->packet, packet.bytes, packet.size);
        peer->written.size = packet.size;
        if (!net_read(peer))
            continue;
        packet = (Packet){.acks = cn_net_replica_acks(peer->replica)};
        put(run, &run->up[i], &packet);
    }
    while (take(run, &run->up[i], &packet))
        cn_net_replication_acknowledge(run->server.replication, peer->client, &packet.acks);
    net_apply(peer, (double)run->server.tick - 6);
}

static void step(Run *run)
{
    run->number++;
    net_capture(&run->server);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        send_to(run, i);
        receive(run, i);
    }
}

static void run_seed(uint64_t seed)
{
    static Run run;
    make_run(&run, seed);
    for (uint32_t i = 0; i < CAPTURES; i++) {
        change_world(&run);
        step(&run);
    }
    for (uint32_t i = 0; i < CLIENTS; i++)
        run.down[i].loss = run.up[i].loss = 0;
    for (uint32_t i = 0; i < QUIET; i++)
        step(&run);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        if (!net_agree(&run.server, &run.peers[i]))
            print_message("seed %u, client %u\n", (uint32_t)seed, i);
        assert_true(net_agree(&run.server, &run.peers[i]));
        assert_int_not_equal(cn_net_replica_hash(run.peers[i].replica), 0);
    }
    drop_run(&run);
}

static void clients_have_the_state_of_the_server_after_a_lossy_time(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        run_seed(seed);
}

/* No acknowledgement arrives for longer than the history. */
static void clients_recover_from_an_outage(void **state)
{
    static Run run;
    (void)state;
    make_run(&run, 77);
    for (uint32_t outage = 1; outage <= 3; outage++) {
        for (uint32_t i = 0; i < CLIENTS; i++) {
            run.down[i].loss = outage & 1 ? 100 : 0;
            run.up[i].loss = outage & 2 ? 100 : 0;
        }
        for (uint32_t i = 0; i < 2 * CN_NET_HISTORY; i++) {
            change_world(&run);
            step(&run);
        }
        for (uint32_t i = 0; i < CLIENTS; i++)
            run.down[i].loss = run.up[i].loss = 0;
        for (uint32_t i = 0; i < QUIET; i++)
            step(&run);
        for (uint32_t i = 0; i < CLIENTS; i++)
            assert_true(net_agree(&run.server, &run.peers[i]));
    }
    drop_run(&run);
}

/* The same run gives the same packets: nothing depends on addresses. */
static void equal_runs_write_equal_packets(void **state)
{
    static Run run;
    uint64_t hashes[2] = {0};
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        make_run(&run, 5);
        for (uint32_t i = 0; i < 60; i++) {
            change_world(&run);
            step(&run);
            for (uint32_t p = 0; p < CLIENTS; p++)
                hashes[k] =
                    cn_hash_bytes(run.peers[p].packet, run.peers[p].written.size, hashes[k]);
        }
        drop_run(&run);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_have_the_state_of_the_server_after_a_lossy_time),
        cmocka_unit_test(clients_recover_from_an_outage),
        cmocka_unit_test(equal_runs_write_equal_packets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
