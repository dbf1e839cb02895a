/* Trusted folders and budgets of scripts. */
#include "engine_fixture.h"
#include "scratch.h"

#include <cairn/base/log.h>
#include <cairn/script.h>
#include <string.h>

static Scratch scratch;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    return 0;
}

/* Runs a script of the project for some ticks, and returns the name that it gave to its object. */
static const char *name_after(const CnEngineDesc *desc, const char *code, const char *path)
{
    static char name[64];
    CnEngineDesc all = *desc;
    all.project = scratch.folder;
    const char *file = scratch_path(&scratch, "a.lua");
    assert_true(cn_file_write_all(cn_native_files(), file, code, strlen(code), NULL));
    CnEngine *engine = make_engine(&all);
    CnWorld *world = cn_engine_world(engine);
    CnScript script = {.script_name = "a"};
    cn_copy_text(script.script_path, sizeof script.script_path, cn_text(path));
    CnEntity object = cn_object(world, "A");
    cn_add(world, object, CnScript);
    *cn_get_mut(world, object, CnScript) = script;
    run_frames(engine, 5);
    cn_copy_text(name, sizeof name, cn_text(cn_object_name(world, object)));
    end_engine(engine);
    return name;
}

static const char rights[] = "function on_init() this.name = io and 'trusted' or 'sandboxed' end";

static void scripts_are_not_trusted_by_default(void **state)
{
    (void)state;
    assert_string_equal(name_after(&(CnEngineDesc){0}, rights, "scripts://a.lua"), "sandboxed");
}

static void scripts_of_trusted_folders_are_trusted(void **state)
{
    (void)state;
    const CnEngineDesc desc = {.trusted = {"scripts://"}};
    assert_string_equal(name_after(&desc, rights, "scripts://a.lua"), "trusted");
    assert_string_equal(name_after(&desc, rights, "assets://a.lua"), "sandboxed");
}

static void all_scripts_of_the_project_can_be_trusted(void **state)
{
    (void)state;
    const CnEngineDesc desc = {.trust_scripts = true, .trusted = {"mods://castle/"}};
    assert_string_equal(name_after(&desc, rights, "scripts://a.lua"), "trusted");
    assert_string_equal(name_after(&desc, rights, "assets://a.lua"), "trusted");
}

static void a_trusted_folder_has_a_scheme_and_an_end(void **state)
{
    (void)state;
    const char *const wrong[] = {"scripts", "scripts://tools", "://", "", "tools/"};
    for (size_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        CnError error = {0};
        CnEngineDesc desc = small_desc(&(CnEngineDesc){.trusted = {wrong[i]}});
        assert_null(cn_engine_create(&desc, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "scripts://"));
    }
}

static const char busy[] = "function on_init()\n"
                           "    for i = 1, 300000 do local x = i * 2 end\n"
                           "    this.name = 'done'\n"
                           "end";

static void budgets_of_scripts_are_those_of_the_description(void **state)
{
    (void)state;
    const CnEngineDesc small = {.script_instructions_per_call = 100000},
                       large = {.script_instructions_per_call = 100000000,
                                .script_instructions_per_tick = 100000000};
    assert_string_equal(name_after(&small, busy, "scripts://a.lua"), "A");
    assert_string_equal(name_after(&large, busy, "scripts://a.lua"), "done");
}

static void memory_of_scripts_is_that_of_the_description(void **state)
{
    (void)state;
    static const char hoard[] = "function on_init()\n"
                                "    local t = {}\n"
                                "    for i = 1, 40 do t[i] = string.rep('x' .. i, 100000) end\n"
                                "    this.name = 'done'\n"
                                "end";
    assert_string_equal(
        name_after(&(CnEngineDesc){.script_memory_bytes = 4u << 20}, hoard, "scripts://a.lua"),
        "A");
    assert_string_equal(name_after(&(CnEngineDesc){0}, hoard, "scripts://a.lua"), "done");
}

#define TRUST_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TRUST_TEST(scripts_are_not_trusted_by_default),
        TRUST_TEST(scripts_of_trusted_folders_are_trusted),
        TRUST_TEST(all_scripts_of_the_project_can_be_trusted),
        TRUST_TEST(a_trusted_folder_has_a_scheme_and_an_end),
        TRUST_TEST(budgets_of_scripts_are_those_of_the_description),
        TRUST_TEST(memory_of_scripts_is_that_of_the_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
