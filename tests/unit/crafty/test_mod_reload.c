/* Changed code of mods runs in the open world; errors keep the old code, and nothing leaks. */
#include "cmocka_tests.h"
#include "mod_files_fixture.h"
#include "mod_fixture.h"

#include <crafty/mods/mod_watch.h>
#include <crafty/mods/session_mods.h>

#include <cairn/base/clock.h>

#include <unistd.h>

#define RELOADS 1000u
#define SLACK (64u << 10) /* Lua collects garbage at different moments */

static ModGame game;
static bool changes_content;
static CnError error;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    error = (CnError){0};
    mod_game_init(&game);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_close(&game);
    return 0;
}

static void open_with(const char *code)
{
    mod_game_add(&game, "castle", code);
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
}

static bool reload(const char *code)
{
    memory_files_set(&game.files, "mods/castle/main.lua", code);
    return crafty_mods_reload(game.mods, "castle", &changes_content, &error);
}

static void must_reload(const char *code)
{
    if (!reload(code))
        fail_msg("%s", error.message);
}

static const char *stored(const char *key)
{
    return mod_game_stored(&game, "castle", key);
}

#define SAYS(word) "on('chat', function(e) storage.set('said', '" word "' .. e.text) end)\n"

static void changed_handlers_replace_the_old_ones(void **state)
{
    (void)state;
    open_with(SAYS("old "));
    must_reload(SAYS("new "));
    mod_game_type(&game, "hello");
    assert_string_equal(stored("said"), "\"new hello\"");
    assert_false(changes_content);
}

static void the_storage_stays(void **state)
{
    (void)state;
    open_with(SAYS("old "));
    mod_game_type(&game, "hello");
    must_reload("-- nothing");
    assert_string_equal(stored("said"), "\"old hello\"");
}

static void functions_of_blocks_are_replaced(void **state)
{
    (void)state;
    open_with("block { name = 'bell', like = 'stone', on_use = function(e) return true end }");
    mod_game_put(&game, mod_game_aim(&game), "castle:bell");
    must_reload("block { name = 'bell', like = 'stone', on_use = function(e)\n"
                "  storage.set('rung', 1) return true end }");
    assert_false(changes_content);
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("rung"), "1");
}

static void commands_are_replaced(void **state)
{
    (void)state;
    open_with("command { name = 'old', run = function(e) return 'It is old.' end }");
    must_reload("command { name = 'new', run = function(e) return 'It is new.' end }");
    mod_game_type(&game, "/new");
    mod_game_type(&game, "/old");
    assert_true(mod_game_was_told(&game, "It is new."));
    assert_false(mod_game_was_told(&game, "It is old."));
}

static void other_content_is_reported(void **state)
{
    (void)state;
    open_with("block { name = 'bell', like = 'stone' }");
    must_reload("block { name = 'bell', like = 'glass' }");
    assert_true(changes_content);
}

static void an_error_keeps_the_old_code(void **state)
{
    (void)state;
    open_with(SAYS("old "));
    assert_false(reload("on('chat', function(e)\n  storage.set(\nend)"));
    assert_string_equal(error.file, "mods/castle/main.lua");
    mod_game_type(&game, "hello");
    assert_string_equal(stored("said"), "\"old hello\"");
}

static void an_error_is_told_until_the_code_is_good(void **state)
{
    (void)state;
    open_with(SAYS("old "));
    assert_false(reload("x = = 1"));
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_false(status.is_disabled);
    assert_string_equal(status.error.file, "mods/castle/main.lua");
    must_reload(SAYS("new "));
    assert_int_equal(crafty_mods_status(game.mods, 1).error.code, CN_OK);
}

static void a_mod_that_failed_runs_again_with_its_new_code(void **state)
{
    (void)state;
    open_with("on('chat', function(e) error('x') end)");
    mod_game_type(&game, "hello");
    assert_true(crafty_mods_status(game.mods, 1).is_disabled);
    must_reload(SAYS("new "));
    mod_game_type(&game, "hello");
    assert_string_equal(stored("said"), "\"new hello\"");
}

static void a_mod_that_does_not_run_cannot_be_loaded_again(void **state)
{
    (void)state;
    open_with("-- nothing");
    assert_false(crafty_mods_reload(game.mods, "bees", &changes_content, &error));
    assert_false(crafty_mods_reload(game.mods, "base", &changes_content, &error));
}

/* Counts what is allocated. */
typedef struct Counted {
    CnAllocator allocator;
    size_t bytes;
} Counted;

static void *count(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                   size_t alignment)
{
    Counted *counted = (Counted *)(void *)self;
    CnAllocator *system = cn_system_allocator();
    void *resized = system->resize(system, block, old_bytes, new_bytes, alignment);
    if (resized || new_bytes == 0)
        counted->bytes += new_bytes - (block ? old_bytes : 0);
    return resized;
}

static void a_thousand_reloads_leak_nothing(void **state)
{
    (void)state;
    Counted counted = {.allocator = {.resize = count}};
    mod_game_add(&game, "castle",
                 "block { name = 'bell', like = 'stone', on_use = function(e) end }\n"
                 "command { name = 'ring', run = function(e) end }\n" SAYS(""));
    CraftyMods *mods = crafty_mods_create(&(CraftyModsDesc){.allocator = &counted.allocator,
                                                            .sources = game.sources,
                                                            .source_count = game.source_count},
                                          &error);
    assert_non_null(mods);
    size_t first = 0;
    for (uint32_t i = 0; i < RELOADS; i++) {
        if (!crafty_mods_reload(mods, "castle", &changes_content, &error))
            fail_msg("%s", error.message);
        assert_false(changes_content);
        if (i < 10 && counted.bytes > first)
            first = counted.bytes;
    }
    assert_true(counted.bytes < first + SLACK);
    crafty_mods_destroy(mods);
    assert_int_equal(counted.bytes, 0);
}

/* ---- Files ---- */

static CraftySessionMods *session_mods;
static CraftyModWatch *watch;

static int begin_files(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    error = (CnError){0};
    scratch_init(&mod_scratch);
    mod_write("mods/castle", "castle", "1.0.0", NULL);
    mod_write("mods/bees", "bees", "1.0.0", "\"dependencies\": {\"castle\": \"^1\"}");
    session_mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.folder = mod_path("none"), .extra = mod_path("mods")}, &error);
    if (session_mods)
        watch = crafty_mod_watch_create(crafty_session_mods_set(session_mods), &error);
    if (!watch)
        fail_msg("%s", error.message);
    return 0;
}

static int end_files(void **state)
{
    (void)state;
    crafty_mod_watch_destroy(watch);
    crafty_session_mods_destroy(session_mods);
    scratch_fini(&mod_scratch);
    watch = NULL;
    session_mods = NULL;
    return 0;
}

static void changed_code_is_noticed(void **state)
{
    (void)state;
    mod_write_file("mods/castle/lib/walls.lua", "return {}\n");
    for (uint32_t i = 0; i < 2000 && !crafty_mod_watch_poll(watch, cn_clock_ns()); i++)
        usleep(5000);
    const char *name = crafty_mod_watch_take(watch);
    assert_non_null(name);
    assert_string_equal(name, "castle");
    assert_null(crafty_mod_watch_take(watch));
}

static void the_list_of_mods_has_the_hash_of_the_changed_files(void **state)
{
    (void)state;
    const CraftyWorldMods *running = crafty_session_mods_running(session_mods);
    uint64_t before = crafty_world_mods_find(running, "castle")->hash;
    mod_write_file("mods/castle/main.lua", "-- changed\n");
    if (!crafty_session_mods_reload(session_mods, NULL, "castle", &changes_content, &error))
        fail_msg("%s", error.message);
    assert_int_not_equal(crafty_world_mods_find(running, "castle")->hash, before);
}

static void mods_that_depend_on_a_changed_one_run_again(void **state)
{
    (void)state;
    CraftyMods *code = crafty_session_mods_code(session_mods);
    assert_string_equal(code->list[2].source->name, "bees");
    const CnLuaSandbox *before = code->list[2].sandbox;
    if (!crafty_session_mods_reload(session_mods, NULL, "castle", &changes_content, &error))
        fail_msg("%s", error.message);
    assert_ptr_not_equal(code->list[2].sandbox, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(changed_handlers_replace_the_old_ones, begin, end),
        cmocka_unit_test_setup_teardown(the_storage_stays, begin, end),
        cmocka_unit_test_setup_teardown(functions_of_blocks_are_replaced, begin, end),
        cmocka_unit_test_setup_teardown(commands_are_replaced, begin, end),
        cmocka_unit_test_setup_teardown(other_content_is_reported, begin, end),
        cmocka_unit_test_setup_teardown(an_error_keeps_the_old_code, begin, end),
        cmocka_unit_test_setup_teardown(an_error_is_told_until_the_code_is_good, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_that_failed_runs_again_with_its_new_code, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_that_does_not_run_cannot_be_loaded_again, begin, end),
        cmocka_unit_test_setup_teardown(a_thousand_reloads_leak_nothing, begin, end),
        cmocka_unit_test_setup_teardown(changed_code_is_noticed, begin_files, end_files),
        cmocka_unit_test_setup_teardown(the_list_of_mods_has_the_hash_of_the_changed_files,
                                        begin_files, end_files),
        cmocka_unit_test_setup_teardown(mods_that_depend_on_a_changed_one_run_again, begin_files,
                                        end_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
