/* test-labels: slow */
/*
 * 500 broken mods, mutated from good ones: whatever is wrong with mod.json or the Lua code, nothing
 * crashes or hangs, the message names the mod, the file and the line, and another mod in the same
 * session does exactly what it does in a session without the broken one.
 */
#include "mod_game.h"
#include "random.h"

#include <crafty/mod_command/example.h>
#include <crafty/mods/mod_manifest.h>
#include <crafty/sim/mod/mods_internal.h>

#include <cairn/base/file.h>

#include <stdlib.h>

#define MODS 5u
#define TICKS 6u /* with each broken mod */
#ifdef CN_GUARDS
#define MUTATIONS 12u /* of each good mod */
#else
#define MUTATIONS 100u
#endif
#define MAX_TOKENS 4096u
#define CODE_BYTES (64u << 10)

static const char victim[] =
    "local function count(key) storage.set(key, (storage.get(key) or 0) + 1) end\n"
    "on('tick', function(e) count('ticks') storage.set('roll', world.random(1000)) end, 1)\n"
    "on('chat', function(e) count('lines') end)\n";

static const char whole_api[] =
    "block { name = 'pulse', slots = 3,\n"
    "        on_tick = function(e) world.schedule(e.x, e.y, e.z, 7) end }\n"
    "item { name = 'gem', food = 3 }\n"
    "recipe { shapeless = { 'coal', 'coal' }, result = 'broken:gem', count = 2 }\n"
    "before('break', function(e) return e.block ~= 'bookshelf', 'no' end)\n"
    "command { name = 'go', help = 'Goes.', run = function(e) return e.text end }\n"
    "on('join', function(e)\n"
    "    world.set(4, 301, 4, 'broken:pulse') world.schedule(4, 301, 4, 5)\n"
    "    players.give(e.player, 'apple', 9)\n"
    "    hud.ask(e.player, { title = 'T', choices = { 'A', 'B' } }, 'first')\n"
    "end)\n"
    "on('tick', function(e)\n"
    "    local x, z = world.random(-8, 8), world.random(-8, 8)\n"
    "    world.set(x, 302, z, world.random() < 0.5 and 'glowstone' or 'air')\n"
    "    slots.add(4, 301, 4, 'coal', 2) slots.take(4, 301, 4, 'coal', 1)\n"
    "    world.drop('stick', 2, x + 0.5, 304, z + 0.5)\n"
    "    local pig = creatures.spawn('pig', x + 0.5, 303, z + 0.5, { young = true })\n"
    "    if pig then creatures.walk(pig, 0.5, 301, 0.5) creatures.name(pig, 'P' .. x) end\n"
    "    for i, c in ipairs(creatures.near(0, 301, 0, 20)) do\n"
    "        if i > 4 then creatures.remove(c) else creatures.hurt(c, 1) end\n"
    "    end\n"
    "    for _, p in ipairs(players.list()) do\n"
    "        players.hurt(p, 1) players.heal(p, 2) players.push(p, 0, 3, 0)\n"
    "        hud.set(p, 'info', { kind = 'panel', children = {\n"
    "            { kind = 'text',\n"
    "              text = players.get(p).health .. ' ' .. world.light(x, 303, z) },\n"
    "            { kind = 'bar', value = 0.5 } } })\n"
    "    end\n"
    "    chat.broadcast('tick ' .. e.tick) sound.play('bell', x, 301, z)\n"
    "    storage.set('n', { (storage.get('n') or { 0 })[1] + 1 })\n"
    "end, 2)\n";

static const char *const examples[] = {"minimap", "elevator", "quest"};

/* Statements that replace others or are added. */
static const char *const poison[] = {
    "while true do end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) end",
    "error('on purpose')",
    "error()",
    "error({})",
    "local function f() return f() + 1 end f()",
    "require('lib.cycle')",
    "require('lib.missing')",
    "require('../../secrets')",
    "block { name = 'x', shape = { { 1, 2 } } }",
    "block {}",
    "block { name = ('x'):rep(500) }",
    "item { name = 'y', stack = 1e300 }",
    "creature { name = 'z', model = 'nobody', size = { -1, 0 } }",
    "recipe { result = 'nothing' }",
    "structure { name = 's', layers = { { 'a' } }, palette = {} }",
    "decoration { name = 'd', variants = { function() while true do end end } }",
    "on('tick', function() error('in a tick') end, 1)",
    "on('tick', function() while true do end end, 1)",
    "on('tick', function() storage.set('x', ('x'):rep(1e6)) end, 1)",
    "on('tick', function() world.set('a', {}, nil) end, 1)",
    "on('tick', function() local t = {} t.t = t storage.set('t', t) end, 1)",
    "on('chat', function(e) e.nothing.x = 1 end)",
    "on('nothing', function() end)",
    "before('break', function() world.set(0, 301, 0, 'air') end)",
    "command { name = 'UPPER', run = print }",
    "command { name = 'bad', run = function() return error end }",
    "block { name = 'tick', on_tick = 3 }",
    "print(world.get(0, 0, 0))",
    "setmetatable(_G, { __index = error })",
    "string.rep('x', 1e9)",
    "('x'):rep(100, ('y'):rep(1e7))",
    "local x <const> = 1",
    "goto nowhere",
    "return {",
    "\"unterminated",
    "[[ also",
    "--[[",
    "\\0\\255"};

static ModGame game;
static TestRandom dice = {500};
static uint32_t failures; /* of the mod that is broken */
static char sources[MODS][CODE_BYTES], manifests[MODS][4096], libraries[MODS][CODE_BYTES];
static char code[2 * CODE_BYTES], manifest_text[2 * 4096];
static uint64_t expected[MODS * MUTATIONS * TICKS + 64];

static uint32_t below(uint32_t n)
{
    return test_random_below(&dice, n);
}

/* ---- Good mods ---- */

static void read_file(const char *path, char *text, size_t text_bytes)
{
    CnError error = {0};
    CnFileBytes bytes = {0};
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error))
        fail_msg("%s", error.message);
    assert_true(cn_copy_text(text, text_bytes, (CnText){(const char *)bytes.data, bytes.size}));
    cn_file_bytes_free(&bytes);
}

static void replace_name(const char *text, char *result, size_t result_bytes)
{
    CnTextBuilder built = {0};
    for (const char *at = text; *at;) {
        bool is_name = strncmp(at, "NAME", 4) == 0;
        assert_true(cn_text_append(&built, is_name ? cn_text("lamps") : (CnText){at, 1}));
        at += is_name ? 4 : 1;
    }
    assert_true(cn_copy_text(result, result_bytes, (CnText){built.items, built.count}));
    cn_array_fini(&built);
}

static const char *const names[MODS] = {"minimap", "elevator", "quest", "lamps", "broken"};
static const char *const library_files[MODS] = {
    NULL, "elevator/lib/logic.lua", "quest/lib/tasks.lua", "lamps/lib/colors.lua", NULL};

static void read_good_mods(void)
{
    char path[256];
    for (uint32_t i = 0; i < CN_COUNT_OF(examples); i++) {
        cn_format(path, sizeof path, "games/crafty/mods/examples/%s/main.lua", examples[i]);
        read_file(path, sources[i], sizeof sources[i]);
        cn_format(path, sizeof path, "games/crafty/mods/examples/%s/mod.json", examples[i]);
        read_file(path, manifests[i], sizeof manifests[i]);
        cn_format(path, sizeof path, "games/crafty/mods/examples/%s",
                  library_files[i] ? library_files[i] : "");
        if (library_files[i])
            read_file(path, libraries[i], sizeof libraries[i]);
    }
    const CraftyModExample *files = crafty_mod_example();
    replace_name(files[0].text, manifests[3], sizeof manifests[3]);
    replace_name(files[1].text, sources[3], sizeof sources[3]);
    replace_name(files[2].text, libraries[3], sizeof libraries[3]);
    cn_copy_text(sources[4], sizeof sources[4], cn_text(whole_api));
    cn_copy_text(
        manifests[4], sizeof manifests[4],
        cn_text("{ \"name\": \"broken\", \"version\": \"1.0.0\", \"permissions\": [\"blocks\", "
                "\"players\", \"creatures\", \"chat\", \"commands\", \"world\", "
                "\"storage\"] }"));
}

/* ---- Mutations ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static uint32_t find_tokens(const char *text, CnText tokens[MAX_TOKENS])
{
    uint32_t count = 0;
    for (const char *at = text; *at && count < MAX_TOKENS;) {
        const char *begin = at++;
        if (*begin == ' ' || *begin == '\n')
            continue;
        while (is_word(*begin) && is_word(*at))
            at++;
        tokens[count++] = (CnText){begin, (size_t)(at - begin)};
    }
    return count;
}

static const char *odd_token(void)
{
    static const char *const odd[] = {"nil",  "-1",    "1e308", "0/0", "{}", "'x'",  "function",
                                      "end",  "(",     "}",     "..",  "=",  "true", "\"",
                                      "9e99", "local", "null",  "[",   "\\", ":",    "return"};
    return odd[below(CN_COUNT_OF(odd))];
}

/* Deletes, doubles, swaps or replaces a token. */
static void change_token(char *text, size_t text_bytes)
{
    static CnText tokens[MAX_TOKENS];
    static char old[2 * CODE_BYTES];
    CnTextBuilder built = {0};
    assert_true(cn_copy_text(old, sizeof old, cn_text(text)));
    uint32_t count = find_tokens(old, tokens);
    if (count < 2)
        return;
    uint32_t kind = below(5), i = below(count - 1);
    CnText a = tokens[i], b = tokens[i + 1];
    CnText other = tokens[below(count)];
    const char *end = b.data + b.size;
    cn_text_append(&built, (CnText){old, (size_t)(a.data - old)});
    if (kind == 1)
        cn_text_append_format(&built, "%.*s %.*s ", (int)a.size, a.data, (int)a.size, a.data);
    if (kind == 2)
        cn_text_append_format(&built, "%.*s %.*s", (int)b.size, b.data, (int)a.size, a.data);
    if (kind == 3)
        cn_text_append(&built, cn_text(odd_token()));
    if (kind == 4)
        cn_text_append(&built, other);
    cn_text_append(&built, cn_text(kind == 2 ? end : a.data + a.size));
    assert_true(cn_copy_text(text, text_bytes, (CnText){built.items, built.count}));
    cn_array_fini(&built);
}

/* Adds a bad statement at the beginning of a line. */
static void add_poison(char *text, size_t text_bytes)
{
    static char old[2 * CODE_BYTES];
    assert_true(cn_copy_text(old, sizeof old, cn_text(text)));
    uint32_t lines = 1;
    for (const char *c = old; *c; c++)
        lines += *c == '\n';
    const char *at = old;
    for (uint32_t skip = below(lines); skip && strchr(at, '\n'); skip--)
        at = strchr(at, '\n') + 1;
    cn_format(text, text_bytes, "%.*s%s\n%s", (int)(at - old), old,
              poison[below(CN_COUNT_OF(poison))], at);
}

static void mutate(char *text, size_t text_bytes, bool is_lua)
{
    if (is_lua && below(3) == 0)
        add_poison(text, text_bytes);
    else
        for (uint32_t n = 1 + below(3); n > 0; n--)
            change_token(text, text_bytes);
    if (below(16) == 0)
        text[below((uint32_t)strlen(text) + 1)] = 0;
}

/* ---- The session ---- */

static void begin_game(uint32_t mod)
{
    static char main_file[64], cycle_file[64];
    cn_format(main_file, sizeof main_file, "%s/main.lua", names[mod]);
    cn_format(cycle_file, sizeof cycle_file, "%s/lib/cycle.lua", names[mod]);
    game.player_count = 1;
    mod_game_file(&game, main_file, sources[mod]);
    mod_game_file(&game, cycle_file, "return require('lib.cycle')");
    if (library_files[mod])
        mod_game_file(&game, library_files[mod], libraries[mod]);
    mod_game_source(&game, names[mod]);
    mod_game_add(&game, "victim", victim);
    mod_game_begin(&game, 1);
    mod_game_check(&game);
}

static uint64_t victim_hash(void)
{
    const CraftyModState *mod = &game.mods->list[game.source_count - 1];
    assert_string_equal(mod->source->name, "victim");
    return mod->store.hash;
}

static void happen(void)
{
    static const uint8_t events[] = {CRAFTY_MOD_PLACE, CRAFTY_MOD_BREAK, CRAFTY_MOD_USE,
                                     CRAFTY_MOD_HURT,  CRAFTY_MOD_DIED,  CRAFTY_MOD_STEPPED,
                                     CRAFTY_MOD_CHAT,  CRAFTY_MOD_JOIN,  CRAFTY_MOD_CHOICE};
    for (uint32_t i = 0; i < CN_COUNT_OF(events); i++) {
        CraftyModNote note = {.event = events[i],
                              .player = 1,
                              .count = 1,
                              .value = 1,
                              .block = mod_game_block(&game, "stone"),
                              .cell = {2, MOD_GAME_FLOOR, 2},
                              .text = "hello"};
        if (events[i] == CRAFTY_MOD_CHOICE) /* in the dialog "hello" of the broken mod */
            cn_format(note.text, sizeof note.text, "%s:hello",
                      crafty_mods_status(game.mods, 1).name);
        crafty_mods_ask(game.world, &note);
        crafty_mods_note(game.world, &note);
    }
}

static void run_commands(void)
{
    uint32_t count;
    const CraftyChatCommand *commands = crafty_mods_commands(game.world, &count);
    for (uint32_t i = 0; i < count; i++)
        crafty_mods_run_command(game.world, 1, cn_text(commands[i].name), cn_text("set home 1"));
}

static void run_reference(void)
{
    game.player_count = 1;
    mod_game_add(&game, "victim", victim);
    mod_game_begin(&game, 1);
    for (uint32_t i = 0; i < MUTATIONS * TICKS; i++) {
        if (i % TICKS == 0)
            happen();
        mod_game_ticks(&game, 1);
        expected[i] = victim_hash();
    }
    mod_game_end(&game);
}

/* ---- Checks ---- */

static void check_named(const CnError *error, uint32_t mod)
{
    failures++;
    size_t size = strlen(names[mod]);
    bool is_named = strncmp(error->file, names[mod], size) == 0 && error->file[size] == '/' &&
                    error->line > 0 && error->message[0];
    if (!is_named)
        fail_msg("'%s:%d: %s' names no file and line; the code is\n%s", error->file, error->line,
                 error->message, code);
}

/* The definitions, as when a world is opened. */
static void check_definitions(uint32_t mod)
{
    CnError error = {0};
    CraftyMods *mods = crafty_mods_create(
        &(CraftyModsDesc){.sources = game.sources, .source_count = game.source_count}, &error);
    if (!mods)
        fail_msg("%s", error.message);
    CraftyModStatus status = crafty_mods_status(mods, 1);
    if (status.is_disabled)
        check_named(&status.error, mod);
    assert_false(crafty_mods_status(mods, 0).is_disabled);
    assert_false(crafty_mods_status(mods, 2).is_disabled);
    crafty_mods_destroy(mods);
}

/* Its handlers, in a world that runs. */
static void check_handlers(uint32_t mod, uint32_t round)
{
    CnError error = {0};
    bool changes;
    if (!crafty_mods_reload(game.mods, names[mod], &changes, &error))
        check_named(&error, mod);
    happen();
    run_commands();
    for (uint32_t i = 0; i < TICKS; i++) {
        mod_game_ticks(&game, 1);
        if (victim_hash() != expected[round * TICKS + i])
            fail_msg("the other mod differs beside the code\n%s", code);
    }
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    if (status.is_disabled)
        check_named(&status.error, mod);
    assert_false(crafty_mods_status(game.mods, 2).is_disabled);
    assert_int_equal(crafty_mods_status(game.mods, 2).skipped, 0);
}

static void check_manifest(uint32_t mod)
{
    static CraftyModManifest manifest;
    char file[64];
    CnError error = {0};
    cn_format(file, sizeof file, "%s/mod.json", names[mod]);
    cn_copy_text(manifest_text, sizeof manifest_text, cn_text(manifests[mod]));
    if (below(4) == 0)
        mutate(manifest_text, sizeof manifest_text, false);
    if (!crafty_mod_manifest_read(&manifest, file, cn_text(manifest_text), &error))
        check_named(&error, mod);
    else
        game.sources[1].permissions = manifest.permissions;
}

static void break_mod(uint32_t mod)
{
    char path[64];
    dice.state = 500 + mod;
    failures = 0;
    begin_game(mod);
    for (uint32_t i = 0; i < MUTATIONS; i++) {
        bool is_library = library_files[mod] && below(4) == 0;
        cn_format(path, sizeof path, "%s/main.lua", names[mod]);
        cn_copy_text(code, sizeof code, cn_text(is_library ? libraries[mod] : sources[mod]));
        mutate(code, sizeof code, true);
        memory_files_set(&game.files, is_library ? library_files[mod] : path, code);
        check_manifest(mod);
        check_definitions(mod);
        check_handlers(mod, i);
        memory_files_set(&game.files, is_library ? library_files[mod] : path,
                         is_library ? libraries[mod] : sources[mod]);
    }
    assert_true(failures > MUTATIONS / 2); /* the mutations break something */
}

static void a_broken_minimap_disturbs_nobody(void **state)
{
    (void)state;
    break_mod(0);
}

static void a_broken_elevator_disturbs_nobody(void **state)
{
    (void)state;
    break_mod(1);
}

static void a_broken_quest_disturbs_nobody(void **state)
{
    (void)state;
    break_mod(2);
}

static void a_broken_new_mod_disturbs_nobody(void **state)
{
    (void)state;
    break_mod(3);
}

static void a_broken_mod_that_uses_the_whole_api_disturbs_nobody(void **state)
{
    (void)state;
    break_mod(4);
}

static int begin(void **state)
{
    (void)state;
    read_good_mods();
    run_reference();
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_end(&game);
    return 0;
}

#define TEST(function) cmocka_unit_test_teardown(function, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_broken_minimap_disturbs_nobody),
        TEST(a_broken_elevator_disturbs_nobody),
        TEST(a_broken_quest_disturbs_nobody),
        TEST(a_broken_new_mod_disturbs_nobody),
        TEST(a_broken_mod_that_uses_the_whole_api_disturbs_nobody),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
