/* CnScriptGame: carries out between ticks what the scripts of the active scene request. */
#include "script/game/saved_game.h"
#include "script/runtime/runtime.h"

#include <cairn/base/log.h>
#include <cairn/sim/random.h>

#define MAX_SCENES 64u /* that restart or were loaded by scripts */

/* A scene as it was before its first tick. */
typedef struct CniScriptKnownScene {
    const CnScene *scene;           /* only compared */
    char path[CN_ASSET_PATH_BYTES]; /* of loadScene; "": the program loaded it */
    CnSnapshot start;               /* empty: it was already running */
} CniScriptKnownScene;

struct CnScriptGame {
    CnAllocator *allocator;
    CnScenes *scenes;
    CnFileSystem *files;
    CniScriptSaveFolder saves;
    CN_ARRAY(CniScriptKnownScene) known;
};

CnScriptGame *cn_script_game_create(const CnScriptGameDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->scenes, "cn_script_game_create: scenes is NULL");
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CnScriptGame *game = cn_alloc_zeroed(allocator, sizeof *game);
    if (!game) {
        cn_error_memory(error, "the game of scripts");
        return NULL;
    }
    game->allocator = allocator;
    game->scenes = desc->scenes;
    game->files = desc->files;
    game->saves.allocator = allocator;
    game->saves.files = desc->save_files ? desc->save_files : cn_native_files();
    cn_array_init(&game->known, allocator);
    if (desc->save_folder &&
        !cn_copy_text(game->saves.path, sizeof game->saves.path, cn_text(desc->save_folder))) {
        cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder of saved games is too long");
        cn_script_game_destroy(game);
        return NULL;
    }
    return game;
}

void cn_script_game_destroy(CnScriptGame *game)
{
    if (!game)
        return;
    for (uint32_t i = 0; i < game->known.count; i++)
        cn_snapshot_free(&game->known.items[i].start);
    cn_array_fini(&game->known);
    cn_free(game->allocator, game, sizeof *game);
}

static void log_error(const char *what, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CN_LOG_ERROR("script", "%s: %s", what, cn_error_text(error, text, sizeof text));
}

/* ---- Known scenes ---- */

static bool exists(const CnScriptGame *game, const CnScene *scene)
{
    for (uint32_t i = 0; i < cn_scenes_count(game->scenes); i++)
        if (cn_scenes_at(game->scenes, i) == scene)
            return true;
    return false;
}

static void forget_destroyed(CnScriptGame *game)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < game->known.count; i++) {
        CniScriptKnownScene *known = &game->known.items[i];
        if (exists(game, known->scene))
            game->known.items[n++] = *known;
        else
            cn_snapshot_free(&known->start);
    }
    game->known.count = n;
}

static CniScriptKnownScene *find_known(CnScriptGame *game, const CnScene *scene)
{
    for (uint32_t i = 0; i < game->known.count; i++)
        if (game->known.items[i].scene == scene)
            return &game->known.items[i];
    return NULL;
}

static CnScene *find_by_path(CnScriptGame *game, const char *path)
{
    for (uint32_t i = 0; i < cn_scenes_count(game->scenes); i++) {
        CnScene *scene = cn_scenes_at(game->scenes, i);
        const CniScriptKnownScene *known = find_known(game, scene);
        if (known && !strcmp(known->path, path))
            return scene;
    }
    return NULL;
}

static bool has_scripts(const CnScene *scene)
{
    const CniScriptRuntime *runtime = cni_script_runtime_of(cn_scene_world(scene));
    return runtime && cn_query_count(runtime->query) > 0;
}

/* ---- Values of store ---- */

static CniScriptStoredValues *values_of(const CnScene *scene)
{
    return &cni_script_runtime_of(cn_scene_world(scene))->stored;
}

/* Returns false, and an error unless there is no file. */
static bool read_values(const CnScriptGame *game, CniScriptStoredValues *values, CnError *error)
{
    CniScriptSavedFile file;
    if (!cni_script_saved_read(&game->saves, CNI_SCRIPT_SAVED_VALUES, "", &file, error)) {
        if (error->code == CN_ERROR_NOT_FOUND)
            cn_error_clear(error);
        return false;
    }
    bool done = cni_script_stored_read(values, file.state, file.state_bytes, error);
    cn_file_bytes_free(&file.bytes);
    return done;
}

/* A script file belongs to a scene if it runs there. */
static bool is_used(CnText owner, void *user)
{
    const CniScriptRuntime *runtime = user;
    for (uint32_t i = 0; i < runtime->script_files.count; i++)
        if (cn_text_equal(cn_text(runtime->script_files.items[i]->path), owner))
            return true;
    return false;
}

/* Replaces the values of the scene's scripts in the file and keeps those of others. */
static bool write_values(const CnScriptGame *game, const CnScene *scene, CnError *error)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(cn_scene_world(scene));
    CniScriptStoredValues merged;
    CnU8Array bytes;
    cni_script_stored_init(&merged, game->allocator);
    cn_array_init(&bytes, game->allocator);
    bool done = read_values(game, &merged, error) || error->code == CN_OK;
    if (!done && error->code == CN_ERROR_FORMAT) {
        log_error("the stored values are replaced", error); /* a damaged file is of no use */
        cn_error_clear(error);
        done = true;
    }
    done = done && cni_script_stored_merge(&merged, &runtime->stored, is_used, runtime, error) &&
           cni_script_stored_write(&merged, &bytes, error);
    CnSnapshot state = {.bytes = bytes.items, .size = bytes.count};
    done = done &&
           cni_script_saved_write(&game->saves, CNI_SCRIPT_SAVED_VALUES, "", "", &state, error);
    cn_array_fini(&bytes);
    cni_script_stored_fini(&merged);
    return done;
}

/* ---- Names of saved games ---- */

typedef struct Names {
    const CniScriptGameState *state;
    CnInputSource input;
    bool found[CN_SCRIPT_MAX_SAVES]; /* of the names in the state */
    uint32_t count;
} Names;

static bool send_name(const char *name, void *user)
{
    Names *names = user;
    bool is_known = false;
    for (uint32_t i = 0; i < names->state->save_count; i++)
        if (!strcmp(names->state->saves[i], name))
            is_known = names->found[i] = true;
    if (!is_known)
        cni_script_game_send_save(names->input, name, true);
    return ++names->count < CN_SCRIPT_MAX_SAVES;
}

/* Sends how the names that scripts know differ from the files. */
static void send_names(const CnScriptGame *game, const CnScene *scene)
{
    CniScriptRuntime *runtime = cni_script_runtime_of(cn_scene_world(scene));
    Names names = {.state = &runtime->game, .input = cn_sim_input(cn_scene_sim(scene))};
    cni_script_saved_list(&game->saves, send_name, &names);
    for (uint32_t i = 0; i < runtime->game.save_count; i++)
        if (!names.found[i])
            cni_script_game_send_save(names.input, runtime->game.saves[i], false);
}

/* ---- Beginning a scene ---- */

static bool save_start(CniScriptKnownScene *known, const CnScene *scene, CnError *error)
{
    CnSim *sim = cn_scene_sim(scene);
    return cn_sim_tick(sim) != 0 ||
           (cn_sim_start(sim, error) && cn_sim_save(sim, &known->start, error));
}

/* Remembers a scene with scripts before its first tick, and gives it the values of the file. */
static CniScriptKnownScene *begin_scene(CnScriptGame *game, const CnScene *scene)
{
    CnError error = {0};
    CniScriptKnownScene known = {.scene = scene};
    if (game->known.count == MAX_SCENES ||
        !cn_array_reserve(&game->known, game->known.count + 1u)) {
        CN_LOG_ERROR("script", "scene %s cannot restart: there are too many scenes",
                     cn_scene_name(scene));
        return NULL;
    }
    if (!save_start(&known, scene, &error))
        log_error("a scene cannot restart", &error);
    cn_error_clear(&error);
    if (game->saves.path[0] && cn_sim_tick(cn_scene_sim(scene)) == 0 &&
        !read_values(game, values_of(scene), &error) && error.code)
        log_error("stored values", &error);
    send_names(game, scene);
    game->known.items[game->known.count] = known;
    return &game->known.items[game->known.count++];
}

/* ---- Requests ---- */

static bool restart(CnScriptGame *game, CnScene *scene, const CniScriptStoredValues *values,
                    const uint64_t *seed, CnError *error)
{
    const CniScriptKnownScene *known = find_known(game, scene);
    CniScriptStoredValues kept;
    if (!known || !known->start.size)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "scene %s was already running when it was first seen",
                            cn_scene_name(scene));
    cni_script_stored_init(&kept, game->allocator);
    bool done = cni_script_stored_copy(&kept, values, error) &&
                cn_sim_restore(cn_scene_sim(scene), known->start.bytes, known->start.size, error) &&
                (!seed || cn_random_seed(cn_scene_world(scene), *seed, error)) &&
                cni_script_stored_copy(values_of(scene), &kept, error);
    cni_script_stored_fini(&kept);
    if (done)
        send_names(game, scene);
    return done;
}

static CnScene *load_new_scene(CnScriptGame *game, const char *path, CnError *error)
{
    if (!game->files) {
        cn_error_set(error, CN_ERROR_UNSUPPORTED, "this program does not load scenes of scripts");
        return NULL;
    }
    CnScene *scene = cn_scene_load(game->scenes, game->files, path, error);
    CniScriptKnownScene *known = scene ? begin_scene(game, scene) : NULL;
    if (known)
        cn_copy_text(known->path, sizeof known->path, cn_text(path));
    return scene;
}

static bool load_scene(CnScriptGame *game, CnScene *from, const char *path, CnError *error)
{
    CnScene *scene = find_by_path(game, path);
    if (!scene)
        scene = load_new_scene(game, path, error);
    const CniScriptKnownScene *known = scene ? find_known(game, scene) : NULL;
    return scene &&
           (!known || !known->start.size || restart(game, scene, values_of(from), NULL, error)) &&
           cn_scenes_switch(game->scenes, cn_scene_name(scene), error);
}

static bool save_game(const CnScriptGame *game, const CnScene *scene, const char *name,
                      CnError *error)
{
    CnSnapshot state;
    if (!cn_sim_save(cn_scene_sim(scene), &state, error))
        return false;
    bool done = cni_script_saved_write(&game->saves, CNI_SCRIPT_SAVED_GAME, name,
                                       cn_scene_name(scene), &state, error);
    cn_snapshot_free(&state);
    if (done)
        send_names(game, scene);
    return done;
}

static bool load_game(const CnScriptGame *game, const char *name, CnError *error)
{
    CniScriptSavedFile file;
    if (!cni_script_saved_read(&game->saves, CNI_SCRIPT_SAVED_GAME, name, &file, error))
        return false;
    CnScene *scene = cn_scenes_find(game->scenes, file.scene);
    bool done =
        scene ? cn_sim_restore(cn_scene_sim(scene), file.state, file.state_bytes, error) &&
                    cn_scenes_switch(game->scenes, file.scene, error)
              : cn_error_set(error, CN_ERROR_NOT_FOUND,
                             "the saved game belongs to scene %s, which is not loaded", file.scene);
    cn_file_bytes_free(&file.bytes);
    if (done)
        send_names(game, scene);
    return done;
}

/* Returns whether the state or the active scene has changed. */
static bool make_change(CnScriptGame *game, CnScene *scene, const CniScriptRequests *requests)
{
    CnError error = {0};
    bool done = false;
    const char *what = NULL;
    switch (requests->change) {
    case CNI_SCRIPT_KEEP:
        return false;
    case CNI_SCRIPT_RESTART_SCENE:
        what = "restartScene";
        done = restart(game, scene, values_of(scene), &requests->seed, &error);
        break;
    case CNI_SCRIPT_LOAD_SCENE:
        what = "loadScene";
        done = load_scene(game, scene, requests->argument, &error);
        break;
    case CNI_SCRIPT_LOAD_GAME:
        what = "game.load";
        done = load_game(game, requests->argument, &error);
        break;
    }
    if (!done)
        log_error(what, &error);
    return done;
}

static void carry_out(CnScriptGame *game, CnScene *scene, CnScriptGameResult *result)
{
    CnError error = {0};
    CniScriptGameState *state = &cni_script_runtime_of(cn_scene_world(scene))->game;
    CniScriptRequests requests = state->requests;
    state->requests = (CniScriptRequests){0};
    result->quit |= requests.quit;
    if (requests.save_values && !write_values(game, scene, &error))
        log_error("store.save", &error);
    cn_error_clear(&error);
    if (requests.save_game && !save_game(game, scene, requests.save, &error))
        log_error("game.save", &error);
    result->replaced = make_change(game, scene, &requests);
}

static void apply_time_scale(const CnScene *scene)
{
    CniScriptGameState *state = &cni_script_runtime_of(cn_scene_world(scene))->game;
    if (state->applied_scale == state->time_scale)
        return;
    state->applied_scale = state->time_scale;
    cn_sim_time(cn_scene_sim(scene))->scale = (double)state->time_scale;
}

void cn_script_game_update(CnScriptGame *game, CnScriptGameResult *result)
{
    CN_ASSERT(game && result, "%s: an argument is NULL", __func__);
    CnScene *scene = cn_scenes_active(game->scenes);
    result->replaced = false;
    if (!scene || !has_scripts(scene))
        return;
    forget_destroyed(game);
    if (!find_known(game, scene))
        begin_scene(game, scene);
    carry_out(game, scene, result);
    scene = cn_scenes_active(game->scenes);
    if (has_scripts(scene))
        apply_time_scale(scene);
}
