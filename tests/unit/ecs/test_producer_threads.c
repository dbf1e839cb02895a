/* test-labels: threads */
/* Threads that send while the world merges: every event arrives once, in order per producer. */
#include "ecs_fixture.h"

#include "base/job/thread.h"

#include <stdatomic.h>

CN_COMPONENT(Packet, (u32, sender), (u32, number), (u64, check));
CN_COMPONENT(Note, (u32, sender), (u32, number), (u8, filling, 37));
CN_TAG(Ping);

enum { SENDERS = 4, EVENTS = 20000 };

typedef struct Sender {
    CniBaseThread thread;
    CnProducer *producer;
    CnChannel *packets, *notes, *pings;
    bool waits; /* sends again what did not fit */
    uint32_t id;
    uint32_t sent;       /* packets and notes */
    uint32_t sent_pings; /* after the thread has ended */
    uint64_t refused;
    _Atomic bool done;
} Sender;

static uint64_t check_of(uint32_t sender, uint32_t number)
{
    return ((uint64_t)sender << 32 | number) * 0x9e3779b97f4a7c15u;
}

/* Packets, every fifth a note, and now and then a signal, so that rings wrap at odd places. */
static bool send_next(Sender *s)
{
    if (s->sent % 7 == 3 && s->sent_pings <= s->sent / 7) {
        bool fits = cn_produce_value(s->producer, s->pings, NULL);
        s->sent_pings += fits;
        return fits;
    }
    bool fits = s->sent % 5 == 4 ? cn_produce(s->producer, s->notes, Note, {s->id, s->sent, {1}})
                                 : cn_produce(s->producer, s->packets, Packet,
                                              {s->id, s->sent, check_of(s->id, s->sent)});
    s->sent += fits;
    return fits;
}

static void *run_sender(void *data)
{
    Sender *sender = data;
    for (uint32_t tries = 0; sender->waits ? sender->sent < EVENTS : tries < EVENTS; tries++)
        if (!send_next(sender)) {
            sender->refused++;
            cni_base_thread_yield();
        }
    atomic_store(&sender->done, true);
    return NULL;
}

typedef struct Arrived {
    uint32_t next[SENDERS]; /* numbers of packets and notes follow each other */
    uint32_t pings;
    uint32_t total;
} Arrived;

static void arrive(CnChannel *channel, const void *value, void *user)
{
    Arrived *arrived = user;
    arrived->total++;
    if (!value) {
        arrived->pings++;
        return;
    }
    const Packet *packet = value; /* a note begins alike */
    assert_true(packet->sender < SENDERS);
    assert_int_equal(packet->number, arrived->next[packet->sender]++);
    if (channel->row_bytes == sizeof(Packet))
        assert_true(packet->check == check_of(packet->sender, packet->number));
}

static void start(Sender *senders, bool waits, uint32_t ring_bytes)
{
    for (uint32_t i = 0; i < SENDERS; i++) {
        CnProducerDesc desc = {.name = "sender", .ring_bytes = ring_bytes};
        senders[i] = (Sender){.producer = cn_producer_create(world, &desc, NULL), .waits = waits};
        senders[i].id = i;
        senders[i].packets = cn_channel(world, Packet);
        senders[i].notes = cn_channel(world, Note);
        senders[i].pings = cn_channel(world, Ping);
        assert_non_null(senders[i].producer);
    }
    for (uint32_t i = 0; i < SENDERS; i++)
        assert_true(cni_base_thread_start(&senders[i].thread, "sender", run_sender, &senders[i]));
}

/* Merges while they send, updates between merges, and once more when they have ended. */
static void finish(Sender *senders, Arrived *arrived)
{
    for (uint32_t ended = 0; ended < SENDERS;) {
        ended = 0;
        for (uint32_t i = 0; i < SENDERS; i++)
            ended += atomic_load(&senders[i].done);
        cn_producers_merge(world, arrive, arrived);
        cn_world_update(world, 0.01f, NULL);
    }
    for (uint32_t i = 0; i < SENDERS; i++) {
        cni_base_thread_join(&senders[i].thread);
        cn_producer_destroy(senders[i].producer);
    }
}

static void every_event_arrives_once_and_in_order(void **state)
{
    (void)state;
    Sender senders[SENDERS];
    Arrived arrived = {0};
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    start(senders, true, 1024);
    finish(senders, &arrived);
    cn_log_set_level(level);
    uint32_t sent = 0, pings = 0;
    for (uint32_t i = 0; i < SENDERS; i++) {
        assert_int_equal(arrived.next[i], EVENTS);
        sent += senders[i].sent;
        pings += senders[i].sent_pings;
    }
    assert_int_equal(arrived.pings, pings);
    assert_int_equal(arrived.total, sent + pings);
}

static void what_is_refused_is_counted_and_the_rest_arrives(void **state)
{
    (void)state;
    Sender senders[SENDERS];
    Arrived arrived = {0};
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    start(senders, false, 256);
    finish(senders, &arrived);
    for (uint32_t i = 0; i < SENDERS; i++) {
        assert_int_equal(cn_producer_dropped(senders[i].producer), senders[i].refused);
        assert_int_equal(arrived.next[i], senders[i].sent);
        assert_int_equal(senders[i].sent + senders[i].sent_pings + senders[i].refused, EVENTS);
    }
    cn_log_set_level(level);
}

/* Operations of the world's thread on its channels and producers do not affect the senders. */
static void producers_come_and_go_while_others_send(void **state)
{
    (void)state;
    Sender senders[SENDERS];
    Arrived arrived = {0};
    CnLogLevel level = cn_log_level();
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    start(senders, true, 4096);
    for (int i = 0; i < 200; i++) {
        CnProducer *guest = cn_producer_create(world, &(CnProducerDesc){.ring_bytes = 64}, NULL);
        cn_produce_value(guest, senders[0].pings, NULL);
        cn_producer_destroy(guest);
        arrived.pings--;
        cn_producers_merge(world, arrive, &arrived);
    }
    finish(senders, &arrived);
    cn_log_set_level(level);
    uint32_t pings = 0;
    for (uint32_t i = 0; i < SENDERS; i++) {
        assert_int_equal(arrived.next[i], EVENTS);
        pings += senders[i].sent_pings;
    }
    assert_int_equal(arrived.pings, pings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(every_event_arrives_once_and_in_order),
        WORLD_TEST(what_is_refused_is_counted_and_the_rest_arrives),
        WORLD_TEST(producers_come_and_go_while_others_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
