#include "session.h"

#include "crafty/world/viewpoint.h"

#include <cairn/physics.h>
#include <cairn/script.h>

struct CraftySession {
    CraftyWorld *world;
    CnJobPool *jobs; /* of the ticks, which must not wait for jobs of the world */
    CraftySimDesc sim_desc;
    CnSim *sim;
};

static uint32_t workers_of(uint32_t threads)
{
    return threads == 0 ? 0 : threads == 1 ? CN_JOBS_NONE : threads - 1;
}

static void find_spawn(CraftyWorld *world, CraftyStart *start)
{
    start->pose = crafty_find_spawn(world);
    if (start->viewer == CRAFTY_VIEWER_WALKS)
        start->pose.position = crafty_ground_near(world, start->pose.position);
}

/* Of a saved world: what the plugin creates at the start is replaced by the saved state. */
static void continue_saved(CraftySave *save, CraftySessionDesc *desc)
{
    const CraftyWorldIdentity *identity = crafty_save_identity(save);
    desc->start.seed = identity->seed;
    desc->palettes = crafty_save_palettes(save);
    if (crafty_save_is_new(save))
        return;
    desc->sim_seed = identity->random_seed;
    desc->tick_hz = identity->tick_hz;
    desc->finds_spawn = false;
    desc->start.pose = crafty_save_summary(save)->pose;
    desc->start.torches = 0;
}

static void begin_replay(CraftyWorldReplay *replay, CraftySessionDesc *desc)
{
    const CnReplayInfo *info = cn_replay_info(crafty_world_replay_cn(replay));
    desc->start = *crafty_world_replay_start(replay);
    desc->palettes = crafty_world_replay_palettes(replay);
    desc->sim_seed = info->seed;
    desc->tick_hz = info->tick_hz;
    desc->finds_spawn = false;
}

static CnVoxelsHooks hooks_of(const CraftySessionDesc *desc)
{
    return desc->save     ? crafty_save_hooks(desc->save)
           : desc->replay ? crafty_world_replay_hooks(desc->replay)
                          : (CnVoxelsHooks){0};
}

static bool make_world(CraftySession *session, const CraftySessionDesc *desc, CnError *error)
{
    session->world = crafty_world_create(
        &(CraftyWorldDesc){.seed = desc->start.seed,
                           .workers = workers_of(desc->threads),
                           .content = desc->mods ? crafty_mods_content(desc->mods) : NULL,
                           .palettes = desc->palettes,
                           .hooks = hooks_of(desc)},
        error);
    return session->world &&
           (!desc->save || crafty_save_attach(desc->save, session->world, error)) &&
           (!desc->replay || crafty_world_replay_attach(desc->replay, session->world, error));
}

static bool build(CraftySession *session, CraftySessionDesc *desc, CnError *error)
{
    if (desc->save)
        continue_saved(desc->save, desc);
    else if (desc->replay)
        begin_replay(desc->replay, desc);
    CraftyStart start = desc->start;
    uint32_t workers = workers_of(desc->threads);
    if (!make_world(session, desc, error))
        return false;
    if (desc->finds_spawn)
        find_spawn(session->world, &start);
    session->jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, error);
    if (!session->jobs)
        return false;
    session->sim_desc = (CraftySimDesc){.voxels = crafty_world_voxels(session->world),
                                        .items = crafty_world_items(session->world),
                                        .recipes = crafty_world_recipes(session->world),
                                        .block_rules = crafty_world_block_rules(session->world),
                                        .families = crafty_world_families(session->world),
                                        .creatures = crafty_world_creatures(session->world),
                                        .trades = crafty_world_trades(session->world),
                                        .weather = crafty_world_weather(session->world),
                                        .biomes = crafty_world_biomes(session->world),
                                        .terrain = crafty_world_terrain(session->world),
                                        .villages = crafty_world_villages(session->world),
                                        .mods = desc->mods,
                                        .start = start};
    /* The plugins of the engine, so that states are those of a client with a window. */
    CnPlugin scene = cn_scene_plugin(),
             plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(NULL),
                          crafty_sim_plugin(&session->sim_desc)};
    session->sim = cn_sim_create(&(CnSimDesc){.jobs = session->jobs,
                                              .tick_hz = desc->tick_hz,
                                              .seed = desc->sim_seed ? desc->sim_seed : start.seed,
                                              .core = &scene,
                                              .core_count = 1},
                                 error);
    for (uint32_t i = 0; session->sim && i < CN_COUNT_OF(plugins); i++)
        if (!cn_sim_add_plugin(session->sim, &plugins[i], error))
            return false;
    if (!session->sim)
        return false;
    if (desc->save && !crafty_save_is_new(desc->save))
        return crafty_save_restore(desc->save, session->sim, error);
    return !desc->replay || crafty_world_replay_restore(desc->replay, session->sim, error);
}

CraftySession *crafty_session_create(const CraftySessionDesc *desc, CnError *error)
{
    CraftySession *session = cn_alloc_zeroed(cn_system_allocator(), sizeof *session);
    if (!session) {
        cn_error_memory(error, "the session");
        return NULL;
    }
    CraftySessionDesc own = *desc;
    if (build(session, &own, error))
        return session;
    crafty_session_destroy(session);
    return NULL;
}

void crafty_session_destroy(CraftySession *session)
{
    if (!session)
        return;
    cn_sim_destroy(session->sim);
    cn_job_pool_destroy(session->jobs);
    crafty_world_destroy(session->world);
    cn_free(cn_system_allocator(), session, sizeof *session);
}

CnSim *crafty_session_sim(CraftySession *session)
{
    return session->sim;
}

CraftyWorld *crafty_session_world(CraftySession *session)
{
    return session->world;
}

const CraftyStart *crafty_session_start(const CraftySession *session)
{
    return &session->sim_desc.start;
}
