/* The table `world`: blocks, time and weather. */
#include "mod_answer.h"
#include "mod_area.h"
#include "mod_cost.h"
#include "mod_effect.h"

#include "crafty/sim/creature/blast.h"
#include "crafty/sim/day.h"
#include "crafty/sim/drops.h"
#include "crafty/sim/weather.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/math.h>
#include <cairn/sim/random.h>

#define MAX_RADIUS 8.0
#define BLAST_DAMAGE 4.5f /* per block of the radius */
#define MAX_DROPPED 1024u
#define MAX_PARTICLES 64u
#define MAX_RANDOM 9007199254740992.0 /* 2^53 */

/* ---- Blocks ---- */

static bool get(CnLuaCall *call)
{
    CnCell cell;
    if (!crafty_mod_may_read(call) || !crafty_mod_cell(call, 0, &cell))
        return false;
    if (!crafty_mod_area_has(call, cell))
        return crafty_mod_return_nil(call);
    const CraftyModRun *run = crafty_mod_run(call);
    return cn_lua_return_text(
        call, cn_text(crafty_mod_block_name(run, cn_voxels_get(run->voxels, cell))));
}

static bool set(CnLuaCall *call)
{
    CnCell cell;
    CnBlock block;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_BLOCKS) || !crafty_mod_cell(call, 0, &cell) ||
        !crafty_mod_block(call, 3, &block))
        return false;
    if (!crafty_mod_area_has(call, cell))
        return cn_lua_return_boolean(call, false);
    CnVoxels *voxels = crafty_mod_run(call)->voxels;
    CnEdit edit = {.tick = crafty_mod_run(call)->tick,
                   .player = CN_EDIT_NOBODY,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    cn_lua_charge(call, CRAFTY_MOD_COST_EDIT);
    bool is_done = call->arguments[4].boolean ? cn_voxels_edit_keeping_data(voxels, &edit, NULL)
                                              : cn_voxels_edit(voxels, &edit, NULL);
    /* A container whose contents have no room stays. */
    return cn_lua_return_boolean(call, is_done && cn_voxels_get(voxels, cell) == block);
}

static bool is_loaded(CnLuaCall *call)
{
    CnCell cell;
    return crafty_mod_may_read(call) && crafty_mod_cell(call, 0, &cell) &&
           cn_lua_return_boolean(call, crafty_mod_area_has(call, cell));
}

static bool light(CnLuaCall *call)
{
    CnCell cell;
    if (!crafty_mod_may_read(call) || !crafty_mod_cell(call, 0, &cell))
        return false;
    if (!crafty_mod_area_has(call, cell))
        return crafty_mod_return_nil(call);
    cn_lua_charge(call, CRAFTY_MOD_COST_LIGHT);
    uint8_t value = cn_voxels_light(crafty_mod_run(call)->voxels, cell);
    return cn_lua_return_number(call, value >> 4) && cn_lua_return_number(call, value & 15);
}

/* ---- Columns ---- */

/* Reads two arguments as a column; sets the error of the call if it is outside of the world. */
static bool read_column(CnLuaCall *call, int32_t *x, int32_t *z)
{
    const CnLuaValue *at = call->arguments;
    if (!crafty_mod_may_read(call))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        if (!(at[i].number >= -CN_CELL_LIMIT && at[i].number < CN_CELL_LIMIT))
            return cn_error_set(call->error, CN_ERROR_LIMIT, "the column is outside of the world");
    *x = (int32_t)at[0].number;
    *z = (int32_t)at[1].number;
    return true;
}

static bool surface(CnLuaCall *call)
{
    int32_t x = 0, z = 0;
    if (!read_column(call, &x, &z))
        return false;
    if (!crafty_mod_area_has_column(call, x, z))
        return crafty_mod_return_nil(call);
    return cn_lua_return_number(call, cn_voxels_height(crafty_mod_run(call)->voxels, x, z));
}

static bool color(CnLuaCall *call)
{
    int32_t x = 0, z = 0;
    if (!read_column(call, &x, &z))
        return false;
    if (!crafty_mod_area_has_column(call, x, z))
        return crafty_mod_return_nil(call);
    const CraftyModRun *run = crafty_mod_run(call);
    CnCell top = {x, cn_voxels_height(run->voxels, x, z), z};
    const CnBlockInfo *info = cn_block_info(run->blocks, cn_voxels_get(run->voxels, top));
    cn_lua_charge(call, CRAFTY_MOD_COST_READ);
    if (!cn_text_append_format(call->text, "#%02x%02x%02x", info->color[0], info->color[1],
                               info->color[2]))
        return cn_error_memory(call->error, "a result");
    return cn_lua_return_text(call, (CnText){call->text->items, call->text->count});
}

static bool biome(CnLuaCall *call)
{
    int32_t x = 0, z = 0;
    if (!read_column(call, &x, &z))
        return false;
    const CraftyBiomes *biomes = &cn_resource(crafty_mod_run(call)->world, CraftyBlocks)->biomes;
    cn_lua_charge(call, CRAFTY_MOD_COST_BIOME);
    if (!biomes->generator)
        return crafty_mod_return_nil(call);
    CnBiome found = cn_generate_column(biomes->generator, biomes->scratch, x, z).biome;
    return cn_lua_return_text(call, cn_text(cn_biome_name(found)));
}

/* ---- Time and weather ---- */

static bool get_time(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    const CnWorld *world = crafty_mod_run(call)->world;
    const CraftyDay *day = cn_resource(world, CraftyDay);
    if (!day)
        return crafty_mod_return_nil(call);
    return cn_lua_return_number(call, (double)crafty_day_hours(world)) &&
           cn_lua_return_number(call, cn_floor(day->days) + 1);
}

static bool set_time(CnLuaCall *call)
{
    double hours = call->arguments[0].number;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_WORLD))
        return false;
    if (!(hours >= 0 && hours <= 24))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "the time of day is 0 to 24 hours");
    if (cn_resource(crafty_mod_run(call)->world, CraftyDay))
        crafty_day_set_hours(crafty_mod_run(call)->world, (float)hours);
    return true;
}

static bool get_weather(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    const CnWorld *world = crafty_mod_run(call)->world;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    if (!weather)
        return crafty_mod_return_nil(call);
    const char *name = crafty_weather_name_of(crafty_weather_kinds(world), weather->kind);
    /* The kind of a mod that is missing is a clear sky. */
    return cn_lua_return_text(call, cn_text(name ? name : crafty_weather_name(CRAFTY_CLEAR)));
}

static bool set_weather(CnLuaCall *call)
{
    char name[CRAFTY_WEATHER_NAME_BYTES], escaped[CRAFTY_WEATHER_NAME_BYTES];
    const CnText text = call->arguments[0].text;
    uint32_t kind = CRAFTY_CLEAR;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_WORLD))
        return false;
    CnWorld *world = crafty_mod_run(call)->world;
    bool changes = cn_text_equal(text, cn_text("changing"));
    if (!changes && (!cn_copy_text(name, sizeof name, text) ||
                     !crafty_weather_find(crafty_weather_kinds(world), name, &kind)))
        return cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no weather \"%s\"",
                            cn_text_escape(text, escaped, sizeof escaped));
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    if (!weather)
        return true;
    weather->held = !changes;
    if (!changes)
        weather->kind = (uint8_t)kind;
    return true;
}

static bool get_tick(CnLuaCall *call)
{
    return crafty_mod_may_read(call) &&
           cn_lua_return_number(call, (double)crafty_mod_run(call)->tick);
}

/* ---- Chance ---- */

/* The number follows from seed, mod, tick and how many the mod has drawn in this tick. */
static CnRandom random_of(CnLuaCall *call)
{
    CraftyModState *mod = crafty_mod_of(call);
    const CraftyModRun *run = crafty_mod_run(call);
    CnGenerator *generator = cn_resource(run->world, CraftyBlocks)->biomes.generator;
    uint64_t seed = generator ? cn_generator_seed(generator) : 0;
    uint64_t key = cn_hash_bytes(mod->source->name, strlen(mod->source->name), seed);
    return cn_random_fork(key, run->tick, mod->rolls++);
}

static bool roll(CnLuaCall *call)
{
    const CnLuaValue *given = call->arguments;
    if (!crafty_mod_may_read(call))
        return false;
    CnRandom random = random_of(call);
    if (given[0].kind == CN_LUA_NIL)
        return cn_lua_return_number(call, cn_random_f64(&random));
    double low = given[1].kind == CN_LUA_NIL ? 1 : given[0].number;
    double high = given[1].kind == CN_LUA_NIL ? given[0].number : given[1].number;
    if (!(low <= high && high - low < MAX_RANDOM))
        return cn_error_set(call->error, CN_ERROR_LIMIT,
                            "there is no whole number from %.0f to "
                            "%.0f",
                            low, high);
    return cn_lua_return_number(call,
                                (double)cn_random_range(&random, (int64_t)low, (int64_t)high));
}

/* ---- What happens ---- */

static bool schedule(CnLuaCall *call)
{
    CnCell cell;
    double ticks = call->arguments[3].number;
    if (!crafty_mod_may_act(call) || !crafty_mod_cell(call, 0, &cell))
        return false;
    if (!(ticks >= 1 && ticks <= CRAFTY_MOD_MAX_DELAY))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "a delay is 1 to %u ticks",
                            CRAFTY_MOD_MAX_DELAY);
    cn_lua_charge(call, CRAFTY_MOD_COST_EDIT);
    const CraftyModRun *run = crafty_mod_run(call);
    CraftyModState *mod = crafty_mod_of(call);
    bool is_own =
        crafty_mod_area_has(call, cell) && crafty_mod_owns(call, cn_voxels_get(run->voxels, cell));
    bool is_scheduled = is_own && crafty_mod_take_schedule(mod) &&
                        cn_voxels_schedule(run->voxels, cell, (uint32_t)ticks);
    if (is_scheduled)
        crafty_mod_scheduled(mod, (uint32_t)ticks);
    return cn_lua_return_boolean(call, is_scheduled);
}

static CnCell cell_of(CnVec3 at)
{
    return (CnCell){(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y), (int32_t)cn_floorf(at.z)};
}

static bool drop(CnLuaCall *call)
{
    double count = call->arguments[1].number;
    CraftyItem item;
    CnVec3 at;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES) || !crafty_mod_item(call, 0, &item) ||
        !crafty_mod_point(call, 2, &at))
        return false;
    if (!(count >= 1 && count <= MAX_DROPPED))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "1 to %u items drop at once", MAX_DROPPED);
    if (!crafty_mod_area_has(call, cell_of(at)))
        return cn_lua_return_number(call, 0);
    const CraftyModRun *run = crafty_mod_run(call);
    uint32_t most = crafty_items_info(run->items, item)->stack_max, dropped = 0;
    while (dropped < (uint32_t)count) {
        uint32_t left = (uint32_t)count - dropped, part = left < most ? left : most;
        CraftyStack stack = {.item = item, .count = (uint16_t)part};
        cn_lua_charge(call, CRAFTY_MOD_COST_ENTITY);
        if (!crafty_drop_spawn(run->world, at, cn_vec3(0, 2, 0), stack, CRAFTY_DROP_WAIT).id)
            break;
        dropped += part;
    }
    return cn_lua_return_number(call, dropped);
}

/* Bodies are hurt only by mods that may hurt players. */
static bool explode(CnLuaCall *call)
{
    double radius = call->arguments[3].number;
    CnVec3 at;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_BLOCKS) || !crafty_mod_point(call, 0, &at))
        return false;
    if (!(radius >= 1 && radius <= MAX_RADIUS))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "the radius is 1 to %.0f blocks",
                            MAX_RADIUS);
    if (!crafty_mod_area_has(call, cell_of(at)))
        return cn_lua_return_boolean(call, false);
    cn_lua_charge(call, CRAFTY_MOD_COST_EXPLODE);
    bool hurts = crafty_mod_of(call)->source->permissions >> CRAFTY_MOD_MAY_PLAYERS & 1;
    crafty_blast(crafty_mod_run(call)->world,
                 &(CraftyBlast){.center = at,
                                .radius = (float)radius,
                                .damage = hurts ? BLAST_DAMAGE * (float)radius : 0});
    return cn_lua_return_boolean(call, true);
}

static bool read_color(CnLuaCall *call, uint32_t argument, uint32_t *color)
{
    const CnText text = call->arguments[argument].text;
    *color = 0xFFFFFF;
    if (call->arguments[argument].kind == CN_LUA_NIL)
        return true;
    bool good = text.size == 7 && text.data[0] == '#';
    *color = 0;
    for (size_t i = 1; i < text.size && good; i++) {
        char c = text.data[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        good = digit >= 0;
        *color = *color << 4 | (uint32_t)(good ? digit : 0);
    }
    return good || cn_error_set(call->error, CN_ERROR_FORMAT,
                                "a color is \"#rrggbb\" with lower-case digits");
}

static bool particles(CnLuaCall *call)
{
    static const char *const words[CRAFTY_MOD_PARTICLES_COUNT] = {"hearts", "poof", "feathers",
                                                                  "crumbs", "blast"};
    char escaped[32];
    double count = call->arguments[4].number;
    CraftyModEffect effect = {.kind = CRAFTY_MOD_EFFECT_PARTICLES};
    if (!crafty_mod_may_act(call) || !crafty_mod_point(call, 1, &effect.position) ||
        !read_color(call, 5, &effect.color))
        return false;
    while (effect.choice < CRAFTY_MOD_PARTICLES_COUNT &&
           !cn_text_equal(call->arguments[0].text, cn_text(words[effect.choice])))
        effect.choice++;
    if (effect.choice == CRAFTY_MOD_PARTICLES_COUNT)
        return cn_error_set(call->error, CN_ERROR_NOT_FOUND,
                            "there are no particles \"%s\"; there are: hearts, poof, feathers, "
                            "crumbs, blast",
                            cn_text_escape(call->arguments[0].text, escaped, sizeof escaped));
    if (!(count >= 1 && count <= MAX_PARTICLES))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "1 to %u particles appear at once",
                            MAX_PARTICLES);
    effect.count = (uint16_t)count;
    return crafty_mod_send_effect(call, &effect);
}

/* ---- The table ---- */

static const CnLuaFunction functions[] = {
    {"get", get, "(x: integer, y: integer, z: integer): string?",
     "Returns the name of the block in a cell; nil if it is too far from all players.",
     "on(\"stepped\", function(e)\n"
     "    if world.get(e.x, e.y + 1, e.z) == \"air\" then print(\"There is air above.\") end\n"
     "end)"},
    {"set", set, "(x: integer, y: integer, z: integer, block: string, keepData?: boolean): boolean",
     "Puts a block into a cell, instead of the one that is there. With `keepData`, what `data` and "
     "`slots` keep there stays: for a block that becomes another form of itself. Returns false if "
     "the cell is too far from all players. Needs the permission `blocks`.",
     "on(\"break\", function(e)\n"
     "    if e.block == \"stone\" then world.set(e.x, e.y, e.z, \"cobblestone\") end\n"
     "end)"},
    {"loaded", is_loaded, "(x: integer, y: integer, z: integer): boolean",
     "Returns whether mods can read and change a cell: whether it is within 8 chunks (128 blocks) "
     "of a player. More than 4 chunks away, the first access to each chunk of a tick costs 100,000 "
     "instructions.",
     "on(\"tick\", function() print(world.loaded(0, 64, 0)) end, 60)"},
    {"light", light, "(x: integer, y: integer, z: integer): integer?, integer?",
     "Returns the light of the sky and of blocks in a cell, 0 to 15 each; nil if it is too far "
     "from all players. The light of the sky is that of noon.",
     "on(\"stepped\", function(e)\n"
     "    local sky, block = world.light(e.x, e.y + 1, e.z)\n"
     "    if sky and sky + block == 0 then print(\"It is dark here.\") end\n"
     "end)"},
    {"surface", surface, "(x: integer, z: integer): integer?",
     "Returns the y of the topmost block that dims light, such as ground, leaves or water; nil if "
     "it is too far from all players.",
     "on(\"join\", function(e)\n"
     "    local at = players.get(e.player).position\n"
     "    print(world.surface(math.floor(at.x), math.floor(at.z)))\n"
     "end)"},
    {"color", color, "(x: integer, z: integer): string?",
     "Returns the color of the topmost block, such as `#7fb238`, for maps; nil if it is too far "
     "from all players.",
     "on(\"stepped\", function(e) print(world.color(e.x, e.z)) end)"},
    {"biome", biome, "(x: integer, z: integer): string?",
     "Returns the biome of a column, such as `grassy_plains`, at any distance.",
     "on(\"stepped\", function(e) print(world.biome(e.x, e.z)) end)"},
    {"time", get_time, "(): number?, integer?",
     "Returns the time of day, 0 to 24 hours, and the number of the day, from 1.",
     "on(\"tick\", function()\n"
     "    local hours, day = world.time()\n"
     "    if hours > 22 then print(\"Day \" .. day .. \" ends.\") end\n"
     "end, 600)"},
    {"setTime", set_time, "(hours: number)",
     "Sets the time of the current day, 0 to 24. Needs the permission `world`.",
     "command { name = \"noon\", run = function() world.setTime(12) end }"},
    {"weather", get_weather, "(): string?",
     "Returns the weather: `clear`, `cloudy`, `overcast`, `light-rain`, `heavy-rain`, "
     "`light-snow`, `heavy-snow`, `light-fog` or `heavy-fog`, or that of a mod, such as "
     "`storms:hail`.",
     "on(\"tick\", function() print(world.weather()) end, 600)"},
    {"setWeather", set_weather, "(name: string)",
     "Changes the weather, also to that of a mod, which then stays; `changing` lets it change by "
     "itself again. Needs the permission `world`.",
     "command { name = \"storm\", run = function() world.setWeather(\"heavy-rain\") end }"},
    {"tick", get_tick, "(): integer", "Returns the number of the tick. There are 60 in a second.",
     "on(\"join\", function(e) print(e.player, world.tick()) end)"},
    {"random", roll, "(low?: integer, high?: integer): number",
     "Returns a random number: at least 0 and below 1; with one argument, a whole number from 1 to "
     "it; with two, a whole number between them, both included. The numbers follow from seed, mod "
     "and tick, so a recording plays with the same ones.",
     "on(\"break\", function(e)\n"
     "    if world.random(6) == 6 then print(\"Lucky!\") end\n"
     "end)"},
    {"schedule", schedule, "(x: integer, y: integer, z: integer, ticks: integer): boolean",
     "Lets the `on_tick` of a block of the mod run in 1 to 1,200 ticks. Returns false if there is "
     "no such block, if it is too far from all players, or if a quota of the mod is used up.",
     "block {\n"
     "    name = \"egg_timer\", like = \"glass\",\n"
     "    on_use = function(e) return world.schedule(e.x, e.y, e.z, 180) end,\n"
     "    on_tick = function(e) print(\"Three seconds have passed.\") end,\n"
     "}"},
    {"drop", drop, "(item: string, count: integer, x: number, y: number, z: number): integer",
     "Drops items at a point. Returns how many dropped: the world has room for a limited number of "
     "drops. Needs the permission `creatures`.",
     "on(\"break\", function(e)\n"
     "    if e.block == \"gravel\" then world.drop(\"flint\", 1, e.x + 0.5, e.y + 0.5, e.z + 0.5) "
     "end\n"
     "end)"},
    {"explode", explode, "(x: number, y: number, z: number, radius: number): boolean",
     "Explodes with a radius of 1 to 8 blocks. Players and creatures are hurt if the mod has the "
     "permission `players`. Needs the permission `blocks`.",
     "on(\"use\", function(e)\n"
     "    if e.block == \"hay_bale\" then world.explode(e.x + 0.5, e.y + 0.5, e.z + 0.5, 3) end\n"
     "end)"},
    {"particles", particles,
     "(name: string, x: number, y: number, z: number, count: integer, color?: string)",
     "Shows 1 to 64 particles: `hearts`, `poof`, `feathers`, `crumbs` or `blast`; the last three "
     "in a color, such as `#ff0000`.",
     "on(\"place\", function(e)\n"
     "    world.particles(\"poof\", e.x + 0.5, e.y + 1, e.z + 0.5, 4)\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_world_table = {
    "world",
    "The world. Cells are three whole numbers: x to the east, y up, z to the south. Mods reach the "
    "chunks within 128 blocks of players.",
    functions, NULL};
