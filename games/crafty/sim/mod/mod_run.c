/* Mods in a simulation: the system that notifies them of what happened, and adding all of it. */
#include "mods_internal.h"

#include "mod_resource.h"

#include "crafty/sim/growth.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/player_index.h"
#include "crafty/sim/systems.h"

#include <cairn/base/log.h>

#include <string.h>

#define SECTION "crafty.mods"
#define NOWHERE INT32_MIN /* y of a player who stands on nothing */

/* ---- Ticks ---- */

static void begin_tick(CnSystemContext *context)
{
    CraftyModRun *run = context->user;
    run->tick = cn_resource(context->world, CnTickInfo)->tick;
    run->is_ticking = true;
    run->dropped_logged = false;
    for (uint32_t i = 0; i < run->mods->count; i++) {
        CraftyModState *mod = &run->mods->list[i];
        mod->budget_logged = false;
        mod->rolls = 0;
        crafty_mod_begin_quotas(mod);
        if (mod->sandbox && !mod->is_disabled)
            cn_lua_sandbox_begin_tick(mod->sandbox);
    }
    crafty_mods_begin_schedules(run);
    if (run->is_stale)
        crafty_mods_index(run, &(CnError){0});
}

/* ---- Players ---- */

static CnCell cell_below(CnVec3 eye)
{
    float feet = eye.y - CRAFTY_PLAYER_EYE - 0.05f;
    return (CnCell){(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(feet), (int32_t)cn_floorf(eye.z)};
}

static bool stands(const CnWorld *world, CnEntity player, CnCell *cell)
{
    const CraftyMotion *motion = cn_get(world, player, CraftyMotion);
    const CnTransform *transform = cn_get(world, player, CnTransform);
    if (!motion || !transform || !motion->grounded)
        return false;
    *cell = cell_below(transform->position);
    return cn_cell_is_in_world(*cell);
}

/* Another block below the feet is an event. */
static void watch_feet(CraftyModRun *run, CnEntity player, uint32_t number,
                       CraftyModVisitor *visitor)
{
    CnCell cell, *under = &visitor->under;
    if (!stands(run->world, player, &cell)) {
        under->y = NOWHERE;
        return;
    }
    if (cell.x == under->x && cell.y == under->y && cell.z == under->z)
        return;
    *under = cell;
    CraftyModNote note = {.event = CRAFTY_MOD_STEPPED,
                          .player = number,
                          .cell = cell,
                          .block = cn_voxels_get(run->voxels, cell)};
    if (note.block != CN_BLOCK_AIR)
        crafty_mods_note(run->world, &note);
}

CraftyModVisitor *crafty_mods_visitor(CraftyModRun *run, uint32_t number)
{
    if (number < CRAFTY_FIRST_PLAYER || number > CRAFTY_MAX_PLAYER_NUMBER)
        return NULL;
    while (run->visitors.count < number)
        if (!cn_array_push(&run->visitors, (CraftyModVisitor){.under = {0, NOWHERE, 0}}))
            return NULL;
    return &run->visitors.items[number - 1];
}

static void watch_players(CraftyModRun *run)
{
    uint32_t count;
    const uint32_t *numbers = crafty_player_numbers(run->world, &count);
    uint64_t last = run->watches++;
    for (uint32_t i = 0; i < count; i++) {
        CnEntity player = crafty_player_find(run->players, numbers[i]);
        CraftyModVisitor *visitor = crafty_mods_visitor(run, numbers[i]);
        if (!visitor || !player.id || !cn_get(run->world, player, CraftyPlayer))
            continue;
        if (visitor->seen != last)
            crafty_mods_note(run->world,
                             &(CraftyModNote){.event = CRAFTY_MOD_JOIN, .player = numbers[i]});
        visitor->seen = run->watches;
        watch_feet(run, player, numbers[i], visitor);
    }
}

/* ---- Notifying ---- */

static void notify_block(CraftyModRun *run, const CraftyModNote *note)
{
    CraftyModState *mod;
    const CraftyBlockHandlers *handlers = crafty_mods_block_handlers(run, note->block, &mod);
    uint32_t function = !handlers                           ? 0
                        : note->event == CRAFTY_MOD_PLACE   ? handlers->on_place
                        : note->event == CRAFTY_MOD_BREAK   ? handlers->on_break
                        : note->event == CRAFTY_MOD_STEPPED ? handlers->on_step
                                                            : 0;
    if (function && crafty_mod_note_write(run, note, &run->text))
        crafty_mod_call(mod, CRAFTY_MODS_RUN, function, (CnText){run->text.items, run->text.count},
                        NULL, 0);
}

/* By name, because the list of mods may have changed since the choice was made. */
static bool is_dialog_of(const CraftyModNote *note, const char *mod)
{
    size_t size = strlen(mod);
    return strncmp(note->text, mod, size) == 0 && note->text[size] == ':';
}

static bool listens(const CraftyModRun *run, const CraftyModHandler *handler,
                    const CraftyModNote *note, const char *mod)
{
    return !handler->is_before && handler->event == note->event &&
           (note->event != CRAFTY_MOD_CHOICE || is_dialog_of(note, mod)) &&
           (note->event != CRAFTY_MOD_TICK || run->tick % handler->period == 0);
}

static void notify(CraftyModRun *run, const CraftyModNote *note)
{
    notify_block(run, note);
    for (uint32_t i = 0; i < run->mods->count; i++) {
        CraftyModState *mod = &run->mods->list[i];
        for (uint32_t k = 0; k < mod->hooks.handlers.count && !mod->is_disabled; k++) {
            const CraftyModHandler *handler = &mod->hooks.handlers.items[k];
            if (listens(run, handler, note, mod->source->name) &&
                crafty_mod_note_write(run, note, &run->text))
                crafty_mod_call(mod, CRAFTY_MODS_RUN, handler->function,
                                (CnText){run->text.items, run->text.count}, NULL, 0);
        }
    }
}

/* What happens meanwhile waits for the next tick. */
static void run_mods(CnSystemContext *context)
{
    CraftyModRun *run = context->user;
    watch_players(run);
    uint32_t count = run->notes.count;
    for (uint32_t i = 0; i < run->mods->count; i++) /* what they cause waits for the next tick */
        run->mods->list[i].used[CRAFTY_MOD_NOTES] = 0;
    for (uint32_t i = 0; i < count; i++) {
        CraftyModNote note = run->notes.items[i]; /* the array may move */
        notify(run, &note);
    }
    run->notes.count -= count;
    if (run->notes.count)
        memmove(run->notes.items, run->notes.items + count,
                run->notes.count * sizeof *run->notes.items);
    notify(run, &(CraftyModNote){.event = CRAFTY_MOD_TICK});
    crafty_mods_think(run);
    for (uint32_t i = 0; crafty_mod_parts[i]; i++)
        if (run->parts[i] && crafty_mod_parts[i]->tick)
            crafty_mod_parts[i]->tick(run->parts[i]);
}

static void end_tick(CnSystemContext *context)
{
    CraftyModRun *run = context->user;
    uint64_t hash = crafty_mods_hash(run);
    const CraftyModSum *sum = cn_resource(context->world, CraftyModSum);
    if (sum && sum->hash != hash)
        cn_resource_mut(context->world, CraftyModSum)->hash = hash;
    run->is_ticking = false;
}

/* ---- Blocks and commands ---- */

static bool index_blocks(CraftyModRun *run, CraftyModState *mod)
{
    for (uint32_t i = 0; i < mod->hooks.blocks.count; i++) {
        const CraftyBlockHandlers *handlers = &mod->hooks.blocks.items[i];
        CnBlock block = cn_block_find(run->blocks, handlers->name);
        if (block == CN_BLOCK_NONE)
            continue;
        run->of_block[block] = (CraftyModOfBlock){mod->index, i + 1};
        if (handlers->on_random_tick)
            crafty_growth_let_tick(run->world, block);
    }
    return true;
}

static bool index_commands(CraftyModRun *run, const CraftyModState *mod)
{
    for (uint32_t i = 0; i < mod->hooks.commands.count; i++) {
        const CraftyModCommand *own = &mod->hooks.commands.items[i];
        CraftyChatCommand command = {
            .name = own->name,
            .help = own->help,
            .usage = own->usage,
            .is_always_allowed = true,
            .forms = {{CRAFTY_CHAT_MOD, {{CRAFTY_PARAM_TEXT, "arguments", true, 0, 0}}}},
            .form_count = 1};
        if (!cn_array_push(&run->commands, command))
            return false;
    }
    return true;
}

bool crafty_mods_index(CraftyModRun *run, CnError *error)
{
    uint32_t count = run->blocks->count;
    run->is_stale = false;
    run->commands.count = 0;
    if (!run->of_block)
        run->of_block =
            cn_alloc_zeroed(cn_world_allocator(run->world), count * sizeof *run->of_block);
    if (!run->of_block)
        return cn_error_memory(error, "the blocks of mods");
    memset(run->of_block, 0, count * sizeof *run->of_block);
    bool good = true;
    for (uint32_t i = 0; i < run->mods->count && good; i++)
        if (!run->mods->list[i].is_disabled)
            good =
                index_blocks(run, &run->mods->list[i]) && index_commands(run, &run->mods->list[i]);
    return good || cn_error_memory(error, "the commands of mods");
}

CraftyItem crafty_mods_held(const CraftyModRun *run, CnEntity player)
{
    const CraftyPlayer *own = cn_get(run->world, player, CraftyPlayer);
    CraftyStack held = own ? crafty_player_held(run->items, own) : (CraftyStack){0};
    return crafty_stack_is_empty(held) ? (CraftyItem)CRAFTY_NO_ITEM : held.item;
}

/* ---- Adding ---- */

static bool save_section(void *user, CnU8Array *bytes, CnError *error)
{
    return crafty_mods_save_state(user, bytes, error);
}

/* A malformed section must not keep the world from being opened. */
static bool restore_section(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CnError cause = {0};
    if (crafty_mods_restore_state(user, bytes, size, &cause))
        return true;
    if (cause.code == CN_ERROR_MEMORY)
        return cn_error_set(error, cause.code, "%s", cause.message);
    CN_LOG_WARNING("mods", "what mods kept in this world is ignored: %s", cause.message);
    return true;
}

static bool make_parts(CraftyModRun *run, CnError *error)
{
    for (uint32_t i = 0; crafty_mod_parts[i]; i++) {
        run->parts[i] = crafty_mod_parts[i]->create(run, error);
        if (!run->parts[i])
            return false;
    }
    return true;
}

static bool add_systems(CraftyModRun *run, CnError *error)
{
    const CnSystemDesc systems[] = {{.name = "CraftyModsBegin",
                                     .run = begin_tick,
                                     .user = run,
                                     .stage = CN_STAGE_INPUT,
                                     .alone = true},
                                    {.name = "CraftyMods",
                                     .run = run_mods,
                                     .user = run,
                                     .stage = CN_STAGE_POST_UPDATE,
                                     .alone = true},
                                    {.name = "CraftyModsEnd",
                                     .run = end_tick,
                                     .user = run,
                                     .stage = CN_STAGE_POST_UPDATE,
                                     .alone = true}};
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!crafty_system_add(run->world, &systems[i], error))
            return false;
    return true;
}

static bool begin(CraftyModRun *run, CnError *error)
{
    CnWorld *world = run->world;
    run->players =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, error);
    if (!run->players || !crafty_mods_index(run, error) || !make_parts(run, error) ||
        !add_systems(run, error))
        return false;
    return cn_resource_set(world, CraftyModSum, {.hash = crafty_mods_hash(run)}) ||
           cn_error_memory(error, "the mods");
}

static bool has_mods(const CraftyMods *mods)
{
    for (uint32_t i = 0; mods && i < mods->count; i++)
        if (!mods->list[i].source->is_standard)
            return true;
    return false;
}

static CraftyModRun *make_run(CnSim *sim, CraftyMods *mods)
{
    CnWorld *world = cn_sim_world(sim);
    CnAllocator *allocator = cn_world_allocator(world);
    CraftyModRun *run = cn_alloc_zeroed(allocator, sizeof *run);
    if (!run)
        return NULL;
    run->mods = mods;
    run->sim = sim;
    run->world = world;
    run->voxels = cn_resource(world, CraftyBlocks)->voxels;
    run->blocks = cn_voxels_blocks(run->voxels);
    run->items = cn_resource(world, CraftyItemList)->items;
    run->is_active = has_mods(mods);
    run->notes.allocator = allocator;
    run->text.allocator = allocator;
    run->orphans.allocator = allocator;
    run->commands.allocator = allocator;
    run->visitors.allocator = allocator;
    run->watches = 1;
    return run;
}

static void begin_run(CraftyMods *mods, CraftyModRun *run)
{
    mods->run = run;
    if (mods->not_reproducible[0])
        cn_sim_mark_not_reproducible(run->sim, mods->not_reproducible);
    for (uint32_t i = 0; i < mods->count; i++)
        if (mods->list[i].sandbox)
            cn_lua_sandbox_seed(mods->list[i].sandbox, cn_sim_seed(run->sim));
}

bool crafty_mods_add(CnSim *sim, CraftyMods *mods, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    const CnComponentDesc descs[] = {
        {.type = &cn_type_CraftyModding, .flags = CN_COMPONENT_TRANSIENT},
        {.type = &cn_type_CraftyModSum},
        {.type = &cn_type_CraftyModOwned}};
    CN_ASSERT(!mods || !mods->run, "the mods run in another simulation");
    for (uint32_t i = 0; i < CN_COUNT_OF(descs); i++)
        if (!cn_component_register(world, &descs[i], error).id)
            return false;
    CraftyModRun *run = make_run(sim, mods);
    if (!run || !cn_resource_set(world, CraftyModding, {.run = run})) {
        cn_free(cn_world_allocator(world), run, sizeof *run);
        return cn_error_memory(error, "the mods");
    }
    if (mods)
        begin_run(mods, run);
    if (run->is_active && !begin(run, error))
        return false;
    return cn_sim_add_state_section(
        sim,
        &(CnStateSection){
            .name = SECTION, .save = save_section, .restore = restore_section, .user = run},
        error);
}

void crafty_mods_remove(CnWorld *world)
{
    CraftyModding *modding = cn_resource_mut(world, CraftyModding);
    if (!modding || !modding->run)
        return;
    CraftyModRun *run = modding->run;
    CnAllocator *allocator = cn_world_allocator(world);
    for (uint32_t i = 0; crafty_mod_parts[i]; i++)
        if (run->parts[i])
            crafty_mod_parts[i]->destroy(run->parts[i]);
    for (uint32_t i = 0; i < run->orphans.count; i++)
        crafty_mod_store_fini(&run->orphans.items[i].store);
    cn_query_release(run->players);
    if (run->owned)
        cn_query_release(run->owned);
    crafty_mods_think_end(run);
    if (run->of_block)
        cn_free(allocator, run->of_block, run->blocks->count * sizeof *run->of_block);
    cn_array_fini(&run->orphans);
    cn_array_fini(&run->notes);
    cn_array_fini(&run->text);
    cn_array_fini(&run->commands);
    cn_array_fini(&run->visitors);
    if (run->mods)
        run->mods->run = NULL;
    cn_sim_remove_state_section(run->sim, SECTION);
    cn_free(allocator, run, sizeof *run);
    cn_resource_remove(world, CraftyModding);
}

bool crafty_mods_complete(CnWorld *world, CnError *error)
{
    const CraftyModding *modding = cn_resource(world, CraftyModding);
    CraftyModRun *run = modding ? modding->run : NULL;
    if (!run || !run->is_active)
        return true;
    run->watches++; /* nobody has been seen */
    for (uint32_t i = 0; i < run->mods->count; i++)
        run->mods->list[i].is_disabled = run->mods->list[i].is_broken;
    if (!crafty_mods_start_again(run, error) || !crafty_mods_index(run, error))
        return false;
    uint64_t hash = crafty_mods_hash(run);
    return cn_resource_set(world, CraftyModSum, {.hash = hash}) ||
           cn_error_memory(error, "the mods");
}
