/* test-labels: threads */
/* Input from threads of their own while the world ticks and changes. */
#include "input_fixture.h"

#include "base/job/thread.h"

#include <stdatomic.h>

enum { STROKES = 3000 };

typedef struct Typist {
    CniBaseThread thread;
    CnInputSource source;
    uint32_t key;
    _Atomic bool done;
} Typist;

static void send_surely(const Typist *typist, bool pressed)
{
    while (!cn_input_key(typist->source, typist->key, pressed))
        cni_base_thread_yield();
}

static void *type(void *data)
{
    Typist *typist = data;
    for (int i = 0; i < STROKES; i++) {
        send_surely(typist, true);
        send_surely(typist, false);
    }
    send_surely(typist, true);
    atomic_store(&typist->done, true);
    return NULL;
}

/* Grows the tables of the world that a sender must not look at. */
static void register_another(uint32_t number)
{
    char name[32];
    cn_format(name, sizeof name, "Other%u", number);
    CnType other = {.name = name, .alignment = 1};
    assert_true(cn_component_register(world, &(CnComponentDesc){.type = &other}, NULL).id);
}

static void keys_of_several_threads_all_arrive(void **state)
{
    (void)state;
    Typist typists[3];
    for (uint32_t i = 0; i < 3; i++) {
        CnProducerDesc desc = {.name = "typist", .ring_bytes = 2048};
        typists[i] = (Typist){.key = CN_KEY_A + i};
        typists[i].source = cn_input_source(world, cn_producer_create(world, &desc, NULL));
    }
    for (uint32_t i = 0; i < 3; i++)
        assert_true(cni_base_thread_start(&typists[i].thread, "typist", type, &typists[i]));
    for (uint32_t ended = 0, number = 0; ended < 3; number++) {
        ended = 0;
        for (uint32_t i = 0; i < 3; i++)
            ended += atomic_load(&typists[i].done);
        if (number < 300)
            register_another(number);
        tick_quietly();
        for (uint32_t key = CN_KEY_A; key < CN_KEY_A + 3; key++)
            assert_true(cn_key_held(input, key) || cn_key_released(input, key) ||
                        !cn_key_pressed(input, key));
    }
    for (uint32_t i = 0; i < 3; i++) {
        cni_base_thread_join(&typists[i].thread);
        assert_true(cn_key_held(input, typists[i].key)); /* the last stroke */
    }
    assert_int_equal(input->ignored, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        INPUT_TEST(keys_of_several_threads_all_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
