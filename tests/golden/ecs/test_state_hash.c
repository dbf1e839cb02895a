/* A world built by fixed steps has this hash and these bytes, with every compiler and at every
 * level of optimization. When a value here changes, so does the state of every recorded replay, or
 * the format of snapshots: say so, and why. */
#include "cmocka_tests.h"
#include "rich_world.h"

static CnWorld *world;

static int make_rich_world(void **state)
{
    (void)state;
    world = rich_world_create(NULL);
    return world ? 0 : -1;
}

static int drop_rich_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define assert_hash(actual, expected)                                                              \
    do {                                                                                           \
        uint64_t actual_ = (actual);                                                               \
        if (actual_ != (expected))                                                                 \
            fail_msg("0x%016llx, not 0x%016llx", (unsigned long long)actual_,                      \
                     (unsigned long long)(expected));                                              \
    } while (0)

static void the_rich_world_has_its_hash(void **state)
{
    (void)state;
    assert_hash(cn_world_hash(world), 0x5cf370954907c44fu);
}

static void components_of_the_rich_world_have_their_hashes(void **state)
{
    (void)state;
    assert_hash(cn_world_hash_component(world, cn_id(world, RichPosition)), 0x9a0b7e1fb5c08001u);
    assert_hash(cn_world_hash_component(world, cn_id(world, RichParticle)), 0x86d4ad7856eaba0bu);
    assert_hash(cn_world_hash_component(world, cn_id(world, RichPadded)), 0xeb9b564238ebd8dfu);
    assert_hash(cn_world_hash_component(world, cn_id(world, RichLabel)), 0x6009645c95a91a8fu);
    assert_hash(cn_world_hash_component(world, cn_id(world, RichAll)), 0x245d0d596d234639u);
    assert_hash(cn_world_hash_component(world, cn_id(world, CnNode)), 0x6fc1428468892675u);
    assert_hash(cn_world_hash_component(world, cn_id(world, RichSettings)), 0xf78251232cfff6dbu);
}

static void the_snapshot_of_the_rich_world_has_its_bytes(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    uint64_t hash = cn_hash_bytes(snapshot.bytes, snapshot.size, 0);
    cn_snapshot_free(&snapshot);
    assert_hash(hash, 0x42981e201a4e160eu);
}

static void an_empty_world_has_its_hash(void **state)
{
    (void)state;
    CnWorld *empty = cn_world_create(NULL, NULL);
    uint64_t hash = cn_world_hash(empty);
    cn_world_destroy(empty);
    assert_hash(hash, 0xba8de3c4dbdcbffcu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_rich_world_has_its_hash, make_rich_world,
                                        drop_rich_world),
        cmocka_unit_test_setup_teardown(components_of_the_rich_world_have_their_hashes,
                                        make_rich_world, drop_rich_world),
        cmocka_unit_test_setup_teardown(the_snapshot_of_the_rich_world_has_its_bytes,
                                        make_rich_world, drop_rich_world),
        cmocka_unit_test(an_empty_world_has_its_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
