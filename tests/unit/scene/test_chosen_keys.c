/* Files with uids and names that were chosen to share slots of a table with a known hash. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene/object/object_internal.h"
#include "scene_world.h"
#include "table_runs.h"

#define NODES 20000u
#define ORDINARY_RUN 400u /* twice what a half full table of this size shows in a million tries */

static CnWorld *world;
static CnTextBuilder text;

static int make_world(void **state)
{
    (void)state;
    world = scene_world_create(NULL);
    cn_array_init(&text, NULL);
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_array_fini(&text);
    cn_world_destroy(world);
    return 0;
}

static void read_nodes(void)
{
    CnError error = {0};
    if (!cn_scene_read_text(world, NULL, "chosen.json", (CnText){text.items, text.count}, NULL,
                            &error))
        fail_msg("%s", error.message);
}

static void chosen_uids_share_no_run_of_slots(void **state)
{
    (void)state;
    uint64_t uid = 0;
    cn_text_append_format(&text, "{\"nodes\": [");
    for (uint32_t i = 0; i < NODES; i++) {
        do
            uid++;
        while ((cn_hash_mix(uid) & 0x3ff00u) != 0);
        cn_text_append_format(&text, "%s{\"id\": \"%u\", \"uid\": %llu}", i ? "," : "", i,
                              (unsigned long long)uid);
    }
    cn_text_append_format(&text, "]}");
    read_nodes();
    const CnHashMap *by_uid = &cni_scene_objects_mut(world)->by_uid;
    assert_int_equal(by_uid->count, NODES);
    assert_true(longest_run(by_uid->table, by_uid->table_size) < ORDINARY_RUN);
    assert_false(cn_entity_is_null(cn_object_by_uid(world, uid)));
}

static void chosen_names_share_no_run_of_slots(void **state)
{
    (void)state;
    char name[24];
    cn_text_append_format(&text, "{\"nodes\": [");
    for (uint64_t i = 0, count = 0; count < NODES; i++) {
        cn_format(name, sizeof name, "%llu", (unsigned long long)i);
        if (cn_hash_mix(cn_hash_bytes(name, strlen(name), 0)) & 0x3ff00u)
            continue;
        cn_text_append_format(&text, "%s{\"id\": \"%s\"}", count++ ? "," : "", name);
    }
    cn_text_append_format(&text, "]}");
    read_nodes();
    const CnHashMap *by_name = &cni_scene_objects_mut(world)->by_name;
    assert_int_equal(by_name->count, NODES);
    assert_true(longest_run(by_name->table, by_name->table_size) < ORDINARY_RUN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chosen_uids_share_no_run_of_slots, make_world, drop_world),
        cmocka_unit_test_setup_teardown(chosen_names_share_no_run_of_slots, make_world, drop_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
