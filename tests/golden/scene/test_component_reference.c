/*
 * docs/components.md is what cn_reflection_reference writes for the engine's components. When they
 * change on purpose, CN_GOLDEN_WRITE=1 writes it anew.
 */
#include "cmocka_tests.h"

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>

#include <stdlib.h>

#define DOCS "docs/components.md"

static CnScenes *scenes;
static CnWorld *world;
static CnTextBuilder text;

static int write_reference(void **state)
{
    (void)state;
    static CnScriptDesc scripts;
    scripts = (CnScriptDesc){.files = cn_native_files()};
    CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
    CnScenesDesc desc = {.plugins = plugins, .plugin_count = CN_COUNT_OF(plugins)};
    scenes = cn_scenes_create(&desc, NULL);
    CnScene *scene = scenes ? cn_scene_create(scenes, &(CnSceneDesc){.name = "Empty"}, NULL) : NULL;
    world = scene ? cn_scene_world(scene) : NULL;
    cn_array_init(&text, NULL);
    return world && cn_reflection_reference(world, &text, NULL) ? 0 : -1;
}

static int free_reference(void **state)
{
    (void)state;
    cn_array_fini(&text);
    cn_scenes_destroy(scenes);
    return 0;
}

static void the_document_is_what_the_generator_writes(void **state)
{
    (void)state;
    CnFileBytes docs;
    if (getenv("CN_GOLDEN_WRITE"))
        cn_file_write_all(cn_native_files(), DOCS, text.items, text.count, NULL);
    assert_true(cn_file_read_all(cn_native_files(), DOCS, NULL, &docs, NULL));
    assert_string_equal(text.items, (const char *)docs.data);
    cn_file_bytes_free(&docs);
}

static void every_field_of_the_engine_is_described(void **state)
{
    (void)state;
    CnReflectedComponent list[64];
    uint32_t count = cn_reflection_list(world, list, CN_COUNT_OF(list));
    for (uint32_t i = 0; i < count; i++) {
        CnReflectedMember item;
        for (uint32_t j = 0; cn_reflection_field(world, &list[i], j, &item); j++)
            if (!item.reflected.about)
                fail_msg("%s.%s has no description", list[i].name, item.reflected.key);
    }
}

static void keys_are_in_camel_case(void **state)
{
    (void)state;
    CnReflectedComponent list[64];
    uint32_t count = cn_reflection_list(world, list, CN_COUNT_OF(list));
    for (uint32_t i = 0; i < count; i++) {
        CnReflectedMember item;
        for (uint32_t j = 0; cn_reflection_field(world, &list[i], j, &item); j++)
            if (strchr(item.reflected.key, '_'))
                fail_msg("%s.%s is not in camelCase", list[i].name, item.reflected.key);
    }
}

static void a_component_in_files_has_its_name_in_c_with_another_affix(void **state)
{
    (void)state;
    CnReflectedComponent list[64];
    uint32_t count = cn_reflection_list(world, list, CN_COUNT_OF(list));
    for (uint32_t i = 0; i < count; i++) {
        char name[CN_MAX_NAME_BYTES + 16];
        if (!list[i].type)
            continue;
        cn_format(name, sizeof name, "%sComponent", list[i].type->type->name + strlen("Cn"));
        assert_string_equal(list[i].name, name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_is_what_the_generator_writes),
        cmocka_unit_test(every_field_of_the_engine_is_described),
        cmocka_unit_test(keys_are_in_camel_case),
        cmocka_unit_test(a_component_in_files_has_its_name_in_c_with_another_affix),
    };
    return cmocka_run_group_tests(tests, write_reference, free_reference);
}
