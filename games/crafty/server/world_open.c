/* Opening a world of a server. */
#include "world_host_internal.h"

#include "world_store.h"

#include "crafty/crash/recover.h"
#include "crafty/save/world_seed.h"

#include <cairn/base/file.h>

#define FIRST_HOURS 9.5f

static bool open_save(CraftyWorldHost *host, CnError *error)
{
    CraftySaveDesc desc = {.path = host->path, .name = host->world->name};
    bool is_uri = crafty_settings_is_uri(host->path);
    if (!is_uri && !cn_file_make_folder_of(cn_native_files(), host->path, error))
        return false;
    desc.has_seed = host->world->seed[0];
    if (!crafty_seed_from_text(host->world->seed, &desc.seed, error))
        return false;
    if (!is_uri)
        crafty_recovery_offer("crafty-server", host->path, host->desc.continues,
                              host->settings.mods[0] ? host->settings.mods : NULL);
    host->save = crafty_world_store_open(&desc, error);
    return host->save;
}

/* A world that was created with rules keeps them. */
static CraftyStart start_of(const CraftyWorldHost *host)
{
    const CraftyWorldIdentity *identity = crafty_save_identity(host->save);
    const CraftyWorldSettings *world = host->world;
    bool has_rules = identity && identity->has_rules;
    CraftyPlayerMode mode = (CraftyPlayerMode)(has_rules ? identity->mode : world->mode);
    return (CraftyStart){.viewer = host->desc.network ? CRAFTY_VIEWER_NONE /* players join */
                                                      : crafty_start_viewer(mode),
                         .difficulty = (CraftyDifficulty)world->difficulty,
                         .mode = mode,
                         .commands = has_rules ? identity->commands : world->commands,
                         .keep_inventory =
                             has_rules ? identity->keep_inventory : world->keep_inventory,
                         .hours = FIRST_HOURS};
}

static bool open_session(CraftyWorldHost *host, CnError *error)
{
    const CraftyServerSettings *settings = &host->settings;
    host->mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.extra = settings->mods[0] ? settings->mods : NULL,
                                 .without = host->desc.no_mods,
                                 .save = host->save},
        error);
    if (!host->mods)
        return false;
    host->session =
        crafty_session_create(&(CraftySessionDesc){.start = start_of(host),
                                                   .finds_spawn = true,
                                                   .threads = settings->threads,
                                                   .tick_hz = settings->tick_rate,
                                                   .save = host->save,
                                                   .mods = crafty_session_mods_code(host->mods)},
                              error);
    return host->session;
}

static bool open_recorder(CraftyWorldHost *host, CnError *error)
{
    if (!host->desc.record)
        return true;
    host->recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = host->desc.record,
                                   .sim = crafty_session_sim(host->session),
                                   .world = crafty_session_world(host->session),
                                   .start = crafty_session_start(host->session),
                                   .save = host->save,
                                   .mods = crafty_session_mods_running(host->mods)},
        error);
    return host->recorder;
}

static void begin_watch(CraftyWorldHost *host)
{
    if (!crafty_settings_is_uri(host->path))
        host->watch = crafty_crash_watch_begin(
            &(CraftyCrashWatchDesc){.program = "crafty-server",
                                    .world_path = host->path,
                                    .sim = crafty_session_sim(host->session),
                                    .world = crafty_session_world(host->session),
                                    .start = crafty_session_start(host->session),
                                    .save = host->save,
                                    .mods = crafty_session_mods_running(host->mods),
                                    .instance = host->desc.index});
}

static bool open_network(CraftyWorldHost *host, CnError *error)
{
    if (!host->desc.network)
        return true;
    host->network =
        host->desc.network->open(&(CraftyServerNetworkDesc){.session = host->session,
                                                            .save = host->save,
                                                            .settings = &host->settings,
                                                            .world = host->world,
                                                            .index = host->desc.index,
                                                            .key_path = host->key_path,
                                                            .accounts = host->desc.accounts,
                                                            .metrics = host->desc.metrics,
                                                            .submit_line = host->desc.submit_line,
                                                            .server = host->desc.server},
                                 error);
    return host->network;
}

bool crafty_world_host_open(CraftyWorldHost *host, CnError *error)
{
    bool done = open_save(host, error) && open_session(host, error) && open_recorder(host, error);
    if (!done)
        return false;
    begin_watch(host);
    return crafty_server_console_begin(&host->console,
                                       cn_sim_world(crafty_session_sim(host->session)), error) &&
           open_network(host, error);
}
