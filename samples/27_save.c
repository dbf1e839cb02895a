/*
 * 27: saving a world and continuing it.
 *
 * A store is one file. A batch of changes becomes durable as a whole or not at all, so the state of
 * the simulation and everything that belongs to it can never disagree, not even after a power cut.
 * The game builds a batch and hands it over, which costs it a pointer; a thread of the store
 * compresses, writes and reports when the data is safe.
 *
 * The world is scenes/machines with its Lua scripts. The first session runs two seconds, saves and
 * quits. The second one opens the file and runs on. A third world runs without interruption: both
 * end in the same state. Run it in the folder that contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>
#include <cairn/store.h>
#include <cairn/vfs.h>

#include <inttypes.h>
#include <stdio.h>

enum { INFO, STATE, TABLES, TICKS = 120, SAVE_MS = 10000 };

static const CnStoreTableDesc tables[TABLES] = {
    [INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES},
    [STATE] = {.name = "state", .kind = CN_STORE_BY_BYTES, .compress_above_bytes = 1024},
};

/* A game with one scene, as a program would start it. */
typedef struct Game {
    CnVfs *vfs;
    CnScriptDesc scripts;
    CnScenes *scenes;
    CnScene *scene;
    CnSim *sim;
} Game;

static void end(Game *game)
{
    cn_scenes_destroy(game->scenes);
    cn_vfs_destroy(game->vfs);
}

static bool begin(Game *game, CnError *error)
{
    *game = (Game){.vfs = cn_vfs_create(NULL, error)};
    if (!game->vfs || !cn_vfs_mount_project(game->vfs, "scenes/machines", CN_ORIGIN_USER, error))
        return false;
    game->scripts = (CnScriptDesc){.files = cn_vfs_files(game->vfs)};
    const CnPlugin plugin = cn_script_plugin(&game->scripts);
    game->scenes = cn_scenes_create(&(CnScenesDesc){.plugins = &plugin, .plugin_count = 1}, error);
    if (game->scenes)
        game->scene =
            cn_scene_load(game->scenes, cn_vfs_files(game->vfs), "project://main.json", error);
    game->sim = game->scene ? cn_scene_sim(game->scene) : NULL;
    return game->sim;
}

/* Saves the state and what a menu shows of it, in one batch. */
static bool save(const Game *game, CnStore *store, CnError *error)
{
    static const char name[] = "Machines";
    CnStoreBatch *batch = cn_store_batch_create(store, error);
    if (batch && cn_store_batch_put(batch, INFO, cn_store_text("name"), name, 8, error) &&
        cn_sim_save_to(game->sim, batch, STATE, cn_store_text("sim"), error) &&
        cn_store_submit(store, batch))
        return cn_store_flush(store, SAVE_MS, error);
    cn_store_batch_destroy(batch);
    return false;
}

/* A session: load what is there, play, save. */
static bool play(const char *path, const char *what, CnError *error)
{
    Game game;
    CnStoreDesc desc = {.path = path,
                        .application = "sample.machines",
                        .version = 1,
                        .tables = tables,
                        .table_count = TABLES};
    CnSimSaved saved = {0};
    bool found = false;
    CnStore *store = NULL;
    bool done =
        begin(&game, error) && (store = cn_store_create(&desc, error)) &&
        cn_sim_restore_from(game.sim, store, STATE, cn_store_text("sim"), &saved, &found, error);
    if (done && found)
        printf("%s: loaded tick %" PRIu64 ", the state is %s\n", what, saved.tick,
               saved.hash == cn_sim_hash(game.sim) ? "the saved one" : "different");
    done = done && cn_scenes_tick_n(game.scenes, TICKS, error) && save(&game, store, error);
    if (done)
        printf("%s: saved tick %" PRIu64 ", state %016" PRIx64 "\n", what, cn_sim_tick(game.sim),
               cn_sim_hash(game.sim));
    cn_store_destroy(store);
    end(&game);
    return done;
}

static bool play_without_interruption(CnError *error)
{
    Game game;
    bool done = begin(&game, error) && cn_scenes_tick_n(game.scenes, 2 * TICKS, error);
    if (done)
        printf("uninterrupted: tick %" PRIu64 ", state %016" PRIx64 "\n", cn_sim_tick(game.sim),
               cn_sim_hash(game.sim));
    end(&game);
    return done;
}

int main(void)
{
    static const char path[] = "out/machines.cairn";
    CnError error = {0};
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* one of the scripts fails on purpose */
    remove(path);                       /* of an earlier run */
    bool done = cn_file_make_folder_of(cn_native_files(), path, &error) &&
                play(path, "first session", &error) && play(path, "second session", &error) &&
                play_without_interruption(&error);
    if (!done)
        fprintf(stderr, "27_save: %s\n", error.message);
    return done ? 0 : 1;
}
