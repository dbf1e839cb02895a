/*
 * Creatures whose next step a mod decides. Every `every` ticks, the function of a behaviour
 * "script" gets the creature and returns an order, which the steering in C carries out.
 * The calls count for the budget of the mod.
 */
#include "mods_internal.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/player_index.h"
#include "crafty/world/data_reader.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERIOD 20
#define MAX_PERIOD 1200
#define MAX_DISTANCE 64.0f /* of the nearest player: others are not asked */
#define FLEE_DISTANCE 12.0f
#define MAX_COORDINATE 1e6

/* ---- Definitions ---- */

static bool take_behaviour(CnLuaCall *call, json_t *row, const char *kind, uint32_t index)
{
    CraftyModState *mod = crafty_mod_of(call);
    CraftyCreatureHandler handler = {.behaviour = index,
                                     .function = crafty_mod_take_handler(row, "run")};
    const json_t *every = json_object_get(row, "every");
    const json_int_t period = every ? json_integer_value(every) : DEFAULT_PERIOD;
    if (!handler.function)
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "the behaviour \"script\" needs \"run\", a function");
    if ((every && !json_is_integer(every)) || period < 1 || period > MAX_PERIOD)
        return cn_error_set(call->error, CN_ERROR_FORMAT,
                            "\"every\" must be a whole number of ticks from 1 to %d", MAX_PERIOD);
    json_object_del(row, "every");
    handler.period = (uint32_t)period;
    cn_copy_text(handler.kind, sizeof handler.kind, cn_text(kind));
    return cn_array_push(&mod->hooks.creatures, handler) ||
           cn_error_memory(call->error, "a creature");
}

bool crafty_mod_take_behaviours(CnLuaCall *call, json_t *row)
{
    char kind[CRAFTY_MOD_KEY_BYTES];
    json_t *behaviour;
    size_t i;
    if (!crafty_mod_name(call, json_string_value(json_object_get(row, "name")), kind))
        return false;
    json_array_foreach(json_object_get(row, "behaviours"), i, behaviour)
    {
        const char *word = json_string_value(json_object_get(behaviour, "do"));
        if (word && strcmp(word, "script") == 0 &&
            !take_behaviour(call, behaviour, kind, (uint32_t)i))
            return false;
    }
    return true;
}

/* ---- Who is asked ---- */

typedef struct Nearest {
    CnEntity entity;
    uint32_t number;
    CnVec3 feet;
    float distance;
} Nearest;

static Nearest nearest_player(const CraftyModRun *run, CnVec3 from)
{
    Nearest nearest = {.distance = MAX_DISTANCE};
    uint32_t count;
    const uint32_t *numbers = crafty_player_numbers(run->world, &count);
    for (uint32_t i = 0; i < count; i++) {
        const CnEntity player = crafty_player_find(run->players, numbers[i]);
        const CnTransform *transform = player.id ? cn_get(run->world, player, CnTransform) : NULL;
        if (!transform)
            continue;
        const CnVec3 feet = cn_vec3_sub(transform->position, cn_vec3(0, CRAFTY_PLAYER_EYE, 0));
        const CnVec3 way = cn_vec3_sub(feet, from);
        const float distance = cn_sqrtf(cn_vec3_dot(way, way));
        if (distance < nearest.distance)
            nearest = (Nearest){player, numbers[i], feet, distance};
    }
    return nearest;
}

/* Keeps those with the lowest ids, in their order. */
static void add_due(CraftyModRun *run, CnEntity entity)
{
    uint32_t at = run->due_count < CRAFTY_MOD_MAX_DUE ? run->due_count++ : CRAFTY_MOD_MAX_DUE - 1;
    if (at == CRAFTY_MOD_MAX_DUE - 1 && run->due[at].id && run->due[at].id < entity.id)
        return;
    for (; at > 0 && run->due[at - 1].id > entity.id; at--)
        run->due[at] = run->due[at - 1];
    run->due[at] = entity;
}

/* Finds the creatures of a kind that are due, near a player and alive. */
static void find_due(CraftyModRun *run, uint32_t kind, uint32_t period)
{
    CnChunkView view;
    memset(run->due, 0, sizeof run->due);
    run->due_count = 0;
    for (CnQueryIter it = cn_query_iter(run->creatures); cn_query_next(&it, &view);) {
        const CraftyCreature *creatures = cn_column_const(&view, CraftyCreature);
        const CnTransform *transforms = cn_column_const(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++)
            if (creatures[i].kind == kind && creatures[i].health > 0 &&
                (run->tick + creatures[i].seed) % period == 0 &&
                nearest_player(run, transforms[i].position).number)
                add_due(run, view.entities[i]);
    }
}

/* ---- What they get ---- */

static bool write_event(CraftyModRun *run, CnEntity entity, const char *kind,
                        const CraftyCreature *creature, CnVec3 at, const Nearest *nearest)
{
    json_t *table =
        json_pack("{s:f, s:s, s:f, s:{s:f, s:f, s:f}, s:i, s:f}", "id",
                  crafty_mod_creature_id(entity), "kind", kind, "health", (double)creature->health,
                  "position", "x", (double)at.x, "y", (double)at.y, "z", (double)at.z, "player",
                  (int)nearest->number, "distance", (double)nearest->distance);
    char *json = table ? json_dumps(table, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    run->text.count = 0;
    bool good = json && cn_text_append(&run->text, cn_text(json));
    free(json);
    json_decref(table);
    return good;
}

/* ---- What they answer ---- */

static bool read_goal(const CnLuaValue *answer, CnVec3 *goal)
{
    json_error_t wrong;
    json_t *table = json_loadb(answer->text.data, answer->text.size, 0, &wrong);
    const json_t *at = json_object_get(table, "goal");
    static const char *const names[] = {"x", "y", "z"};
    float *numbers[] = {&goal->x, &goal->y, &goal->z};
    bool good = json_is_object(at);
    for (uint32_t i = 0; i < 3 && good; i++) {
        const json_t *value = json_object_get(at, names[i]);
        const double number = json_number_value(value);
        good = json_is_number(value) && number > -MAX_COORDINATE && number < MAX_COORDINATE;
        *numbers[i] = good ? (float)number : 0;
    }
    json_decref(table);
    return good;
}

static CnVec3 away_from(CnVec3 at, const Nearest *nearest)
{
    CnVec3 way = {at.x - nearest->feet.x, 0, at.z - nearest->feet.z};
    const float length = cn_sqrtf(cn_vec3_dot(way, way));
    way =
        length > 0.01f ? cn_vec3_scale(way, FLEE_DISTANCE / length) : cn_vec3(FLEE_DISTANCE, 0, 0);
    return cn_vec3_add(at, way);
}

static bool read_order(const CnLuaValue *answer, CnVec3 at, const Nearest *nearest,
                       CraftyOrder *order)
{
    static const char *const words[] = {"wander", "idle", "flee", "follow", "attack"};
    uint32_t word = 0;
    *order = (CraftyOrder){.kind = CRAFTY_ORDER_NONE, .goal = at, .target = nearest->entity};
    if (answer->kind == CN_LUA_NIL)
        return true;
    if (answer->kind == CN_LUA_TABLE) {
        order->kind = CRAFTY_ORDER_GO;
        return read_goal(answer, &order->goal);
    }
    while (word < CN_COUNT_OF(words) &&
           (answer->kind != CN_LUA_TEXT || !cn_text_equal(answer->text, cn_text(words[word]))))
        word++;
    if (word == CN_COUNT_OF(words))
        return false;
    if (word == 1)
        order->kind = CRAFTY_ORDER_GO;
    if (word >= 2 && nearest->number)
        order->kind = word == 2   ? CRAFTY_ORDER_GO
                      : word == 3 ? CRAFTY_ORDER_FOLLOW
                                  : CRAFTY_ORDER_ATTACK;
    if (word == 2 && nearest->number)
        order->goal = away_from(at, nearest);
    return true;
}

/* ---- Asking ---- */

static void ask(CraftyModRun *run, CraftyModState *mod, const CraftyCreatureHandler *handler,
                CnEntity entity)
{
    const CraftyCreature *creature = cn_get(run->world, entity, CraftyCreature);
    const CnTransform *transform = cn_get(run->world, entity, CnTransform);
    CnLuaValue answer = {0};
    CraftyOrder order;
    if (!creature || !transform)
        return;
    const CnVec3 at = transform->position;
    const Nearest nearest = nearest_player(run, at);
    if (!nearest.number || !write_event(run, entity, handler->kind, creature, at, &nearest) ||
        !crafty_mod_call(mod, CRAFTY_MODS_RUN, handler->function,
                         (CnText){run->text.items, run->text.count}, &answer, 1))
        return;
    if (read_order(&answer, at, &nearest, &order)) {
        crafty_creature_order(run->world, entity, handler->behaviour, &order);
        return;
    }
    CnError error = {0};
    cn_error_set_at(&error, CN_ERROR_FORMAT, mod->source->name, 0, 0,
                    "the function of %s must return \"wander\", \"idle\", \"flee\", \"follow\", "
                    "\"attack\", {goal = {x = .., y = .., z = ..}} or nil",
                    handler->kind);
    crafty_mod_disable(mod, &error);
}

static uint32_t number_of(const CraftyModRun *run, const char *name)
{
    const CraftyCreatureList *list = cn_resource(run->world, CraftyCreatureList);
    const CraftyCreatureKind *kind =
        list && list->kinds ? crafty_creature_kind_find(list->kinds, name) : NULL;
    return kind ? kind->number : 0;
}

static bool has_query(CraftyModRun *run)
{
    if (!run->creatures) {
        const CnQueryDesc desc = {.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}};
        run->creatures = cn_query_acquire(run->world, &desc, NULL);
    }
    return run->creatures != NULL;
}

void crafty_mods_think(CraftyModRun *run)
{
    uint32_t calls = 0;
    for (uint32_t i = 0; i < run->mods->count; i++) {
        CraftyModState *mod = &run->mods->list[i];
        for (uint32_t k = 0; k < mod->hooks.creatures.count && !mod->is_disabled; k++) {
            const CraftyCreatureHandler handler = mod->hooks.creatures.items[k];
            const uint32_t kind = number_of(run, handler.kind);
            if (!kind || !has_query(run))
                continue;
            find_due(run, kind, handler.period);
            for (uint32_t n = 0; n < run->due_count && calls < CRAFTY_MOD_MAX_DUE; n++, calls++)
                ask(run, mod, &handler, run->due[n]);
        }
    }
}

void crafty_mods_think_end(CraftyModRun *run)
{
    cn_query_release(run->creatures);
}
