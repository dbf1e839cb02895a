/*
 * Two worlds for tests of snapshots, both on a counting heap: `world` is saved, `other` is loaded.
 *
 *     cn_spawn(world, ...);
 *     reload(world, other);       // save and load, both must work; both worlds must be sound
 */
#ifndef CAIRN_TESTS_UNIT_ECS_SNAPSHOT_FIXTURE_H
#define CAIRN_TESTS_UNIT_ECS_SNAPSHOT_FIXTURE_H

#include "check_world.h"
#include "ecs_fixture.h"
#include "rich_world.h"

#include <string.h>

static CnWorld *other;

static inline int make_two_worlds(void **state)
{
    if (make_world(state) != 0)
        return -1;
    other = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "other")}, NULL);
    return other ? 0 : -1;
}

static inline int drop_two_worlds(void **state)
{
    cn_world_destroy(other);
    other = NULL;
    return drop_world(state);
}

#define TWO_WORLDS_TEST(name)                                                                      \
    cmocka_unit_test_setup_teardown(name, make_two_worlds, drop_two_worlds)

static inline CnSnapshot save(const CnWorld *from)
{
    CnSnapshot snapshot;
    CnError error = {0};
    if (!cn_world_save(from, &snapshot, &error))
        fail_msg("%s", error.message);
    return snapshot;
}

static inline void load(CnWorld *to, const CnSnapshot *snapshot)
{
    CnError error = {0};
    if (!cn_world_load(to, snapshot->bytes, snapshot->size, &error))
        fail_msg("%s", error.message);
    assert_world_sound(to);
}

static inline void reload(const CnWorld *from, CnWorld *to)
{
    assert_world_sound(from);
    CnSnapshot snapshot = save(from);
    load(to, &snapshot);
    cn_snapshot_free(&snapshot);
}

/* Checks that loading fails with this code and a message that contains this text, and changes
 * nothing. */
static inline void assert_refused(CnWorld *to, const CnSnapshot *snapshot, CnErrorCode code,
                                  const char *text)
{
    uint64_t before = cn_world_hash(to);
    uint32_t components = cn_component_limit(to);
    CnError error = {0};
    assert_false(cn_world_load(to, snapshot->bytes, snapshot->size, &error));
    if (error.code != code || !strstr(error.message, text))
        fail_msg("the error is: %s (%s)", error.message, cn_error_code_name(error.code));
    assert_int_equal(cn_world_hash(to), before);
    assert_int_equal(cn_component_limit(to), components);
    assert_world_sound(to);
}

/* Corrects the checksum after a change. */
static inline void reseal(CnSnapshot *snapshot)
{
    uint64_t checksum = cn_hash_bytes(snapshot->bytes, snapshot->size - 8, 0);
    memcpy(snapshot->bytes + snapshot->size - 8, &checksum, sizeof checksum);
}

/* Replaces bytes that occur once. */
static inline void replace(CnSnapshot *snapshot, const void *from, const void *to, size_t size)
{
    uint8_t *found = memmem(snapshot->bytes, snapshot->size - 8, from, size);
    assert_non_null(found);
    uint8_t *end = snapshot->bytes + snapshot->size - 8;
    assert_null(memmem(found + 1, (size_t)(end - found - 1), from, size));
    memcpy(found, to, size);
    reseal(snapshot);
}

#endif
