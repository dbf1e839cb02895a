/* Hashing of keys from outside: chosen keys do not collide, and nothing observable changes. */
#include "base/container/hash_keyed.h"
#include "cmocka_tests.h"
#include "random.h"
#include "table_runs.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/text.h>

#include <stdio.h>
#include <string.h>

#define KEYS 20000u
#define ORDINARY_RUN 400u /* twice what a half full table of this size shows in a million tries */

static void a_number_is_hashed_like_its_bytes(void **state)
{
    (void)state;
    uint64_t number = 0x1122334455667788u;
    assert_int_equal(cni_base_hash_keyed_u64(number), cn_hash_keyed(&number, sizeof number, 0));
}

/* The child has another secret, because it is another process image. */
static void the_hash_differs_between_processes(void **state)
{
    (void)state;
    char own[24], other[24] = "";
    cn_format(own, sizeof own, "%016llx", (unsigned long long)cni_base_hash_keyed_u64(1));
    FILE *child = popen("/proc/$PPID/exe --print-hash", "r");
    assert_non_null(child);
    assert_non_null(fgets(other, sizeof other, child));
    assert_int_equal(pclose(child), 0);
    assert_int_equal(strlen(other), 16);
    assert_string_not_equal(own, other);
}

static void the_seed_is_part_of_a_keyed_hash(void **state)
{
    (void)state;
    assert_true(cn_hash_keyed("name", 4, 1) != cn_hash_keyed("name", 4, 2));
    assert_int_equal(cn_hash_keyed("name", 4, 1), cn_hash_keyed("name", 4, 1));
}

/* Keys whose public hash is in the first 1/256 of any table: all of them share one run of slots. */
static uint64_t next_chosen_key(uint64_t *from)
{
    for (;; ++*from)
        if (((uint32_t)cn_hash_mix(*from) & 0x3fffffu) < 0x100u)
            return (*from)++;
}

static void chosen_keys_share_no_run_of_slots(void **state)
{
    (void)state;
    CnHashMap map;
    cn_hash_map_init_keyed(&map, NULL, 0);
    uint64_t from = 1;
    for (uint32_t i = 0; i < KEYS; i++)
        assert_non_null(cn_hash_map_set(&map, next_chosen_key(&from), NULL));
    assert_int_equal(map.count, KEYS);
    assert_true(longest_run(map.table, map.table_size) < ORDINARY_RUN);
    cn_hash_map_fini(&map);
}

static void chosen_names_share_no_run_of_slots(void **state)
{
    (void)state;
    CnNames names;
    cn_names_init(&names, NULL);
    char name[24];
    for (uint64_t i = 0; names.texts.count < KEYS; i++) {
        cn_format(name, sizeof name, "name-%llu", (unsigned long long)i);
        if ((cn_hash_bytes(name, strlen(name), 0) & 0x3ff00u) == 0)
            assert_true(cn_name(&names, name).id == names.texts.count);
    }
    assert_true(longest_run(names.table, names.table_size) < ORDINARY_RUN);
    cn_names_fini(&names);
}

/* The order of entries depends on the operations alone, with any hash. */
static void a_keyed_map_has_the_entries_and_the_order_of_another(void **state)
{
    (void)state;
    CnHashMap plain, keyed;
    TestRandom random = {11};
    cn_hash_map_init(&plain, NULL, sizeof(uint32_t));
    cn_hash_map_init_keyed(&keyed, NULL, sizeof(uint32_t));
    for (uint32_t i = 0; i < 50000; i++) {
        uint64_t key = test_random(&random) % 3000;
        if (test_random(&random) % 3) {
            cn_hash_map_set(&plain, key, &i);
            cn_hash_map_set(&keyed, key, &i);
        } else {
            assert_int_equal(cn_hash_map_remove(&plain, key), cn_hash_map_remove(&keyed, key));
        }
    }
    assert_int_equal(plain.count, keyed.count);
    for (uint32_t i = 0; i < plain.count; i++) {
        assert_int_equal(cn_hash_map_key(&plain, i), cn_hash_map_key(&keyed, i));
        assert_int_equal(*(uint32_t *)cn_hash_map_value(&plain, i),
                         *(uint32_t *)cn_hash_map_value(&keyed, i));
    }
    cn_hash_map_fini(&keyed);
    cn_hash_map_fini(&plain);
}

static void a_map_that_was_emptied_is_still_keyed(void **state)
{
    (void)state;
    CnHashMap map;
    cn_hash_map_init_keyed(&map, NULL, 0);
    cn_hash_map_set(&map, 1, NULL);
    cn_hash_map_fini(&map);
    assert_true(map.is_keyed);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--print-hash") == 0)
        return printf("%016llx", (unsigned long long)cni_base_hash_keyed_u64(1)) != 16;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_hashed_like_its_bytes),
        cmocka_unit_test(the_hash_differs_between_processes),
        cmocka_unit_test(the_seed_is_part_of_a_keyed_hash),
        cmocka_unit_test(chosen_keys_share_no_run_of_slots),
        cmocka_unit_test(chosen_names_share_no_run_of_slots),
        cmocka_unit_test(a_keyed_map_has_the_entries_and_the_order_of_another),
        cmocka_unit_test(a_map_that_was_emptied_is_still_keyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
