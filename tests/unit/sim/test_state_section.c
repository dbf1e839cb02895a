/* State that plugins have outside of the world, saved and restored with it. */
#include "cmocka_tests.h"

#include <cairn/sim.h>
#include <string.h>

typedef struct Box {
    uint8_t bytes[64];
    size_t size;
    uint32_t restored;
    bool fails;
} Box;

static CnSim *sim;
static Box box, second;

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    const Box *from = user;
    if (from->fails)
        return cn_error_set(error, CN_ERROR_IO, "no");
    for (size_t i = 0; i < from->size; i++)
        if (!cn_array_push(bytes, from->bytes[i]))
            return cn_error_memory(error, "this operation");
    return true;
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    Box *into = user;
    if (size > sizeof into->bytes)
        return cn_error_set(error, CN_ERROR_FORMAT, "too much");
    if (size)
        memcpy(into->bytes, bytes, size);
    into->size = size;
    into->restored++;
    return true;
}

static CnStateSection section_of(const char *name, Box *of)
{
    return (CnStateSection){name, save, restore, of};
}

static int make(void **state)
{
    (void)state;
    box = second = (Box){0};
    sim = cn_sim_create(&(CnSimDesc){.seed = 1}, NULL);
    return sim ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_sim_destroy(sim);
    return 0;
}

static void add(const char *name, Box *of)
{
    CnStateSection section = section_of(name, of);
    assert_true(cn_sim_add_state_section(sim, &section, NULL));
}

static void set(Box *of, const char *text)
{
    of->size = strlen(text);
    memcpy(of->bytes, text, of->size);
}

static void what_a_section_saves_is_restored(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    add("Box", &box);
    add("Second", &second);
    set(&box, "hello");
    set(&second, "");
    assert_true(cn_sim_tick_n(sim, 3, NULL));
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    set(&box, "other");
    set(&second, "more");
    assert_true(cn_sim_tick_n(sim, 3, NULL));
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, NULL));
    assert_int_equal(cn_sim_tick(sim), 3);
    assert_int_equal(box.size, 5);
    assert_memory_equal(box.bytes, "hello", 5);
    assert_int_equal(second.size, 0);
    cn_snapshot_free(&snapshot);
}

static void without_sections_the_data_is_that_of_the_world(void **state)
{
    (void)state;
    CnSnapshot a, b;
    assert_true(cn_sim_save(sim, &a, NULL));
    assert_true(cn_world_save(cn_sim_world(sim), &b, NULL));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    cn_snapshot_free(&a);
    cn_snapshot_free(&b);
}

static void a_section_that_the_data_lacks_is_restored_from_no_data(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    add("Box", &box);
    set(&box, "hello");
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, NULL));
    assert_int_equal(box.restored, 1);
    assert_int_equal(box.size, 0);
    cn_snapshot_free(&snapshot);
}

static void sections_that_are_not_registered_are_skipped(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    add("Box", &box);
    add("Second", &second);
    set(&second, "two");
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    cn_sim_remove_state_section(sim, "Box");
    second.size = 0;
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, NULL));
    assert_int_equal(box.restored, 0);
    assert_memory_equal(second.bytes, "two", 3);
    cn_snapshot_free(&snapshot);
}

static void a_name_is_taken_once(void **state)
{
    (void)state;
    CnError error = {0};
    add("Box", &box);
    CnStateSection again = section_of("Box", &second);
    assert_false(cn_sim_add_state_section(sim, &again, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
}

static void a_section_that_cannot_be_saved_fails_the_save(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnError error = {0};
    box.fails = true;
    add("Box", &box);
    assert_false(cn_sim_save(sim, &snapshot, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(snapshot.size, 0);
}

static void damaged_parts_change_nothing(void **state)
{
    (void)state;
    CnSnapshot snapshot, world;
    add("Box", &box);
    set(&box, "hello");
    assert_true(cn_sim_tick_n(sim, 3, NULL));
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    assert_true(cn_world_save(cn_sim_world(sim), &world, NULL));
    assert_true(cn_sim_tick_n(sim, 1, NULL));
    uint64_t hash = cn_sim_hash(sim);
    /* The sizes of the first part, and the end with its magic left whole. */
    for (size_t at = world.size; at < snapshot.size - 8; at++) {
        if (at >= world.size + 12 && at < snapshot.size - 20)
            continue; /* name and content belong to the section */
        uint8_t old = snapshot.bytes[at];
        snapshot.bytes[at] = (uint8_t)(old + 77);
        CnError error = {0};
        assert_false(cn_sim_restore(sim, snapshot.bytes, snapshot.size, &error));
        assert_int_not_equal(error.code, CN_OK);
        assert_int_equal(cn_sim_hash(sim), hash);
        snapshot.bytes[at] = old;
    }
    cn_snapshot_free(&snapshot);
    cn_snapshot_free(&world);
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
    const struct CMUnitTest tests[] = {
        FACT(what_a_section_saves_is_restored),
        FACT(without_sections_the_data_is_that_of_the_world),
        FACT(a_section_that_the_data_lacks_is_restored_from_no_data),
        FACT(sections_that_are_not_registered_are_skipped),
        FACT(a_name_is_taken_once),
        FACT(a_section_that_cannot_be_saved_fails_the_save),
        FACT(damaged_parts_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
