/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"

#include <cairn/scene.h>
#include <cairn/scene/object.h>
#include <cairn/scene/transform.h>

#include <string.h>

static const int bad[] = {CN_REPARENT_KEEP_WORLD + 1, 255, 1 << 20, -1};

static void a_way_to_keep_a_place_that_is_none_keeps_the_numbers(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(cn_object_add(world, NULL));
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnEntity parent = cn_object(world, "Parent");
        CnEntity child = cn_object(world, "Child");
        assert_true(parent.id && child.id);
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_object_set_parent(world, child, parent, (CnReparentMode)bad[i], NULL));
        assert_non_null(strstr(guard_message(), "there is no CnReparentMode"));
#else
        assert_true(cn_object_set_parent(world, child, parent, (CnReparentMode)bad[i], NULL));
        assert_true(cn_parent(world, child).id == parent.id);
#endif
    }
    cn_world_destroy(world);
}

/* The call is guarded, or without guards returns a value that says that nothing was done. */
#ifdef CN_GUARDS
#define ASSERT_REFUSED(call, message)                                                              \
    do {                                                                                           \
        EXPECT_GUARD(call);                                                                        \
        assert_non_null(strstr(guard_message(), message));                                         \
    } while (0)
#else
#define ASSERT_REFUSED(call, message) assert_false(call)
#endif

static void a_scene_without_a_name_or_a_path_is_refused(void **state)
{
    (void)state;
    CnScenes *scenes = cn_scenes_create(&(CnScenesDesc){0}, NULL);
    CnScene *volatile scene = cn_scene_create(scenes, &(CnSceneDesc){.name = "Scene"}, NULL);
    assert_non_null(scene);
    ASSERT_REFUSED(cn_scene_create(scenes, &(CnSceneDesc){.name = NULL}, NULL), "the name is NULL");
    ASSERT_REFUSED(cn_scenes_find(scenes, NULL), "the name is NULL");
    ASSERT_REFUSED(cn_scenes_switch(scenes, NULL, NULL), "the name is NULL");
    ASSERT_REFUSED(cn_scene_load(scenes, cn_native_files(), NULL, NULL), "the path is NULL");
    ASSERT_REFUSED(cn_scene_read(cn_scene_world(scene), cn_native_files(), NULL, NULL, NULL),
                   "the path is NULL");
    assert_int_equal(cn_scenes_count(scenes), 1);
    cn_scenes_destroy(scenes);
}

static void an_object_is_not_renamed_to_null(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(cn_object_add(world, NULL));
    CnEntity object = cn_object(world, "Box");
    ASSERT_REFUSED(cn_object_rename(world, object, NULL, NULL), "the name is NULL");
    assert_string_equal(cn_object_name(world, object), "Box");
    cn_world_destroy(world);
}

static void a_reflection_table_without_a_name_or_a_type_is_refused(void **state)
{
    (void)state;
    static const CnReflectedType no_name = {.type = &cn_type_CnTransform};
    static const CnReflectedType no_type = {.name = "Nothing"};
    CnWorld *world = cn_world_create(NULL, NULL);
    ASSERT_REFUSED(cn_reflection_add(world, NULL, NULL), "no name or no type");
    ASSERT_REFUSED(cn_reflection_add(world, &no_name, NULL), "no name or no type");
    ASSERT_REFUSED(cn_reflection_add(world, &no_type, NULL), "no name or no type");
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_without_a_name_or_a_path_is_refused),
        cmocka_unit_test(an_object_is_not_renamed_to_null),
        cmocka_unit_test(a_reflection_table_without_a_name_or_a_type_is_refused),
        cmocka_unit_test(a_way_to_keep_a_place_that_is_none_keeps_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
