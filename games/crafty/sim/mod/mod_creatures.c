/* The table `creatures`. Creatures are numbers that stay valid as long as they exist. */
#include "mod_answer.h"
#include "mod_area.h"
#include "mod_cost.h"

#include "crafty/sim/creature/creatures.h"
#include "crafty/sim/villager.h"

#include <cairn/base/math.h>

#include <string.h>

#define MAX_NEAR 64u
#define MAX_RADIUS 64.0
#define MAX_POINTS 1000.0

/* ---- One creature ---- */

/* Returns the creature whose id is an argument; the null entity if it does not exist any more. */
static CnEntity creature_of(const CnLuaCall *call, uint32_t argument)
{
    const CraftyModRun *run = crafty_mod_run(call);
    CnEntity creature = crafty_mod_creature(call->arguments[argument].number);
    bool exists = creature.id && cn_is_alive(run->world, creature) &&
                  cn_get(run->world, creature, CraftyCreature) &&
                  cn_get(run->world, creature, CnTransform);
    return exists ? creature : (CnEntity){0};
}

static const char *profession_of(const CnWorld *world, CnEntity creature)
{
    const CraftyVillager *villager = cn_get(world, creature, CraftyVillager);
    return villager ? crafty_profession_name((CraftyProfession)villager->profession) : NULL;
}

static bool get(CnLuaCall *call)
{
    if (!crafty_mod_may_read(call))
        return false;
    CnEntity entity = creature_of(call, 0);
    if (!entity.id)
        return crafty_mod_return_nil(call);
    const CnWorld *world = crafty_mod_run(call)->world;
    const CraftyCreature *creature = cn_get(world, entity, CraftyCreature);
    const CraftyCreatureKind *kind = crafty_creature_kind_of(world, entity);
    json_t *table =
        json_pack("{s:s?, s:o, s:f, s:b, s:s?}", "kind", kind ? kind->name : NULL, "position",
                  crafty_mod_position(cn_get(world, entity, CnTransform)->position), "health",
                  (double)creature->health, "young", (int)(creature->growth > 0), "profession",
                  profession_of(world, entity));
    if (table && creature->label[0])
        json_object_set_new(table, "name", json_string(creature->label));
    if (table && creature->owner)
        json_object_set_new(table, "owner", json_integer(creature->owner));
    cn_lua_charge(call, CRAFTY_MOD_COST_PLAYER);
    return crafty_mod_return_json(call, table);
}

/* ---- Searching ---- */

typedef struct Found {
    double id;
    float distance2;
} Found;

/* Inserts by distance, then by id; the farthest is dropped if there are too many. */
static void insert(Found *found, uint32_t *count, Found one)
{
    uint32_t at = *count < MAX_NEAR ? (*count)++ : MAX_NEAR;
    if (at == MAX_NEAR) {
        if (!(one.distance2 < found[MAX_NEAR - 1].distance2))
            return;
        at = MAX_NEAR - 1;
    }
    for (; at > 0 && (found[at - 1].distance2 > one.distance2 ||
                      (!(found[at - 1].distance2 < one.distance2) && found[at - 1].id > one.id));
         at--)
        found[at] = found[at - 1];
    found[at] = one;
}

static uint32_t search(CnQuery *query, CnVec3 at, float radius, Found found[MAX_NEAR])
{
    uint32_t count = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 d = cn_vec3_sub(cn_column_const(&view, CnTransform)[i].position, at);
            float distance2 = cn_vec3_dot(d, d);
            if (distance2 <= radius * radius)
                insert(found, &count, (Found){crafty_mod_creature_id(view.entities[i]), distance2});
        }
    return count;
}

static bool near(CnLuaCall *call)
{
    Found found[MAX_NEAR];
    double radius = call->arguments[3].number;
    CnVec3 at;
    if (!crafty_mod_may_read(call) || !crafty_mod_point(call, 0, &at))
        return false;
    if (!(radius >= 0 && radius <= MAX_RADIUS))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "the radius is 0 to %.0f blocks",
                            MAX_RADIUS);
    CnQuery *query = cn_query_acquire(
        crafty_mod_run(call)->world,
        &(CnQueryDesc){.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}}, call->error);
    if (!query)
        return false;
    uint32_t count = search(query, at, (float)radius, found);
    cn_lua_charge(call, CRAFTY_MOD_COST_SEARCH + 20 * (uint64_t)cn_query_count(query));
    cn_query_release(query);
    json_t *ids = json_array();
    for (uint32_t i = 0; ids && i < count; i++)
        json_array_append_new(ids, json_real(found[i].id));
    return crafty_mod_return_json(call, ids);
}

/* ---- Spawning ---- */

typedef struct Options {
    char name[CRAFTY_CREATURE_LABEL_BYTES];
    CraftyCreatureDesc desc;
} Options;

static bool is_player(const CraftyModRun *run, json_int_t number)
{
    return number >= 1 && number <= CRAFTY_MAX_PLAYER_NUMBER &&
           crafty_player_find(run->players, (uint32_t)number).id;
}

static bool check_key(CnLuaCall *call, const char *key)
{
    static const char *const known[] = {"name", "yaw", "young", "owner"};
    char escaped[64];
    for (uint32_t i = 0; i < CN_COUNT_OF(known); i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return cn_error_set(call->error, CN_ERROR_FORMAT,
                        "there is no option \"%s\"; there are: name, yaw, young, owner",
                        cn_text_escape(cn_text(key), escaped, sizeof escaped));
}

static bool copy_name(CnLuaCall *call, CnText text, char name[CRAFTY_CREATURE_LABEL_BYTES])
{
    char escaped[2 * CRAFTY_CREATURE_LABEL_BYTES];
    return (cn_copy_text(name, CRAFTY_CREATURE_LABEL_BYTES, text) &&
            strcmp(cn_text_escape(text, escaped, sizeof escaped), name) == 0) ||
           cn_error_set(call->error, CN_ERROR_LIMIT,
                        "a name has at most %u bytes, without control characters",
                        CRAFTY_CREATURE_LABEL_BYTES - 1);
}

static bool read_fields(CnLuaCall *call, json_t *table, Options *options)
{
    const json_t *name = json_object_get(table, "name"), *yaw = json_object_get(table, "yaw"),
                 *young = json_object_get(table, "young"), *owner = json_object_get(table, "owner");
    const char *key;
    json_t *value;
    json_object_foreach(table, key, value)
    {
        if (!check_key(call, key))
            return false;
    }
    if ((name && !json_is_string(name)) || (yaw && !json_is_number(yaw)) ||
        (young && !json_is_boolean(young)) || (owner && !json_is_integer(owner)))
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"name\" is a text, \"yaw\" a number, \"young\" true or false, "
                            "\"owner\" a player");
    if (name && !copy_name(call, cn_text(json_string_value(name)), options->name))
        return false;
    if (owner && !is_player(crafty_mod_run(call), json_integer_value(owner)))
        return cn_error_set(call->error, CN_ERROR_NOT_FOUND, "the owner is not a player");
    double degrees = json_number_value(yaw);
    options->desc.yaw = degrees >= -360 && degrees <= 360 ? (float)degrees : 0;
    options->desc.is_young = json_is_true(young);
    options->desc.owner = (uint32_t)json_integer_value(owner);
    options->desc.label = options->name[0] ? options->name : NULL;
    return true;
}

static bool read_options(CnLuaCall *call, uint32_t argument, Options *options)
{
    if (call->arguments[argument].kind == CN_LUA_NIL)
        return true;
    json_t *table = crafty_mod_table_of(call, argument);
    bool is_empty = json_is_array(table) && json_array_size(table) == 0;
    bool good = table && (is_empty || json_is_object(table)
                              ? read_fields(call, table, options)
                              : cn_error_set(call->error, CN_ERROR_FORMAT,
                                             "a table with named fields is expected"));
    json_decref(table);
    return good;
}

static bool spawn(CnLuaCall *call)
{
    char kind[CRAFTY_CREATURE_NAME_BYTES], escaped[CRAFTY_CREATURE_NAME_BYTES];
    Options options = {0};
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES) ||
        !crafty_mod_point(call, 1, &options.desc.position) || !read_options(call, 4, &options))
        return false;
    CraftyModRun *run = crafty_mod_run(call);
    const CraftyCreatureList *list = cn_resource(run->world, CraftyCreatureList);
    const CnText name = call->arguments[0].text;
    if (list &&
        (!cn_copy_text(kind, sizeof kind, name) || !crafty_creature_kind_find(list->kinds, kind)))
        return cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no creature \"%s\"",
                            cn_text_escape(name, escaped, sizeof escaped));
    CnVec3 at = options.desc.position;
    CnCell cell = {(int32_t)cn_floorf(at.x), (int32_t)cn_floorf(at.y), (int32_t)cn_floorf(at.z)};
    cn_lua_charge(call, CRAFTY_MOD_COST_ENTITY);
    if (!list || !crafty_mod_area_has(call, cell))
        return crafty_mod_return_nil(call);
    options.desc.kind = kind;
    CnEntity creature = crafty_creature_spawn(run->world, &options.desc);
    return creature.id ? cn_lua_return_number(call, crafty_mod_creature_id(creature))
                       : crafty_mod_return_nil(call);
}

/* ---- Changing ---- */

static bool remove_creature(CnLuaCall *call)
{
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES))
        return false;
    CnEntity creature = creature_of(call, 0);
    cn_lua_charge(call, CRAFTY_MOD_COST_ENTITY);
    if (creature.id)
        crafty_creature_remove(crafty_mod_run(call)->world, creature);
    return cn_lua_return_boolean(call, creature.id != 0);
}

static bool hurt(CnLuaCall *call)
{
    double points = call->arguments[1].number;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES))
        return false;
    if (!(points >= 0 && points <= MAX_POINTS))
        return cn_error_set(call->error, CN_ERROR_LIMIT, "0 to %.0f points are possible",
                            MAX_POINTS);
    CnEntity creature = creature_of(call, 0);
    cn_lua_charge(call, CRAFTY_MOD_COST_ENTITY);
    return cn_lua_return_boolean(
        call, creature.id && crafty_creature_hurt(crafty_mod_run(call)->world, creature,
                                                  (float)points, cn_vec3(0, 0, 0), (CnEntity){0}));
}

static bool rename_creature(CnLuaCall *call)
{
    char name[CRAFTY_CREATURE_LABEL_BYTES];
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES) ||
        !copy_name(call, call->arguments[1].text, name))
        return false;
    CnEntity creature = creature_of(call, 0);
    return cn_lua_return_boolean(
        call,
        creature.id && crafty_creature_set_label(crafty_mod_run(call)->world, creature, name));
}

static bool walk(CnLuaCall *call)
{
    CnVec3 goal;
    if (!crafty_mod_may(call, CRAFTY_MOD_MAY_CREATURES) || !crafty_mod_point(call, 1, &goal))
        return false;
    CnEntity creature = creature_of(call, 0);
    cn_lua_charge(call, CRAFTY_MOD_COST_ENTITY);
    return cn_lua_return_boolean(
        call, creature.id && crafty_creature_send(crafty_mod_run(call)->world, creature, goal));
}

/* ---- The table ---- */

static const CnLuaField creature_fields[] = {
    {"kind", "string", "Such as `pig` or `castle:knight`."},
    {"position", "Position", "Of the feet."},
    {"health", "number", "0: it is dead."},
    {"young", "boolean", "Whether it is not adult yet."},
    {"name", "string?", "That a player or a mod gave it."},
    {"owner", "integer?", "The player who tamed it."},
    {"profession", "string?", "Of a villager."},
    {0}};
static const CnLuaField option_fields[] = {
    {"name", "string?", "At most 31 bytes; it then stays forever."},
    {"yaw", "number?", "Degrees: at 0 it faces north."},
    {"young", "boolean?", "Whether it is young."},
    {"owner", "integer?", "The player to whom it belongs; it then stays forever."},
    {0}};
static const CnLuaClass classes[] = {
    {"CreatureInfo", "What `creatures.get` returns.", creature_fields},
    {"CreatureOptions", "Options of `creatures.spawn`.", option_fields},
    {0}};
static const CnLuaFunction functions[] = {
    {"spawn", spawn,
     "(kind: string, x: number, y: number, z: number, options?: CreatureOptions): integer?",
     "Creates a creature. Returns its number; nil if the world has no creatures, or too many, or "
     "if the point is too far from all players. Needs the permission `creatures`.",
     "on(\"place\", function(e)\n"
     "    if e.block == \"hay_bale\" then\n"
     "        creatures.spawn(\"chicken\", e.x + 0.5, e.y + 1, e.z + 0.5, { young = true })\n"
     "    end\n"
     "end)"},
    {"near", near, "(x: number, y: number, z: number, radius: number): integer[]",
     "Returns up to 64 creatures within a radius of at most 64 blocks, the nearest first.",
     "on(\"stepped\", function(e)\n"
     "    print(#creatures.near(e.x, e.y, e.z, 16) .. \" creatures are near.\")\n"
     "end)"},
    {"get", get, "(creature: integer): CreatureInfo?",
     "Returns what is known about a creature; nil if it does not exist any more.",
     "on(\"talk\", function(e)\n"
     "    local info = creatures.get(e.creature)\n"
     "    if info then print(info.kind, info.health) end\n"
     "end)"},
    {"remove", remove_creature, "(creature: integer): boolean",
     "Removes a creature without drops. Returns whether it existed. Needs the permission "
     "`creatures`.",
     "on(\"talk\", function(e)\n"
     "    if players.get(e.player).held == \"stick\" then creatures.remove(e.creature) end\n"
     "end)"},
    {"hurt", hurt, "(creature: integer, points: number): boolean",
     "Takes health. Returns false if nothing changed: it is dead, or was hurt a moment ago. Needs "
     "the permission `creatures`.",
     "on(\"stepped\", function(e)\n"
     "    for _, c in ipairs(creatures.near(e.x, e.y, e.z, 2)) do creatures.hurt(c, 1) end\n"
     "end)"},
    {"name", rename_creature, "(creature: integer, name: string): boolean",
     "Names a creature, which then stays forever; an empty name takes it. Needs the permission "
     "`creatures`.",
     "on(\"talk\", function(e) creatures.name(e.creature, \"Greta\") end)"},
    {"walk", walk, "(creature: integer, x: number, y: number, z: number): boolean",
     "Sends a creature to a point, for up to 20 seconds. Then it does what its kind does again. "
     "Returns false if it does not walk by itself, as villagers. Needs the permission "
     "`creatures`.",
     "on(\"place\", function(e)\n"
     "    for _, c in ipairs(creatures.near(e.x, e.y, e.z, 16)) do\n"
     "        creatures.walk(c, e.x + 0.5, e.y, e.z + 0.5)\n"
     "    end\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_creatures_table = {
    "creatures", "Creatures. They are numbers, which stay valid as long as they exist.", functions,
    classes};
