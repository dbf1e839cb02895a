/* Creates and destroys an engine and its parts, in order. */
#include "engine/engine_internal.h"

#include <cairn/base/log.h>

#include <string.h>

/* ---- Parts ---- */

static bool out_of_memory(CnError *error)
{
    return cn_error_memory(error, "engine");
}

/* Copies a string; NULL stays NULL. Returns false if out of memory. */
static bool keep_text(CnEngine *engine, const char **text)
{
    if (!*text)
        return true;
    *text = cn_arena_copy_text(&engine->texts, *text, strlen(*text));
    return *text != NULL;
}

static bool keep_trusted(CnEngine *engine)
{
    for (uint32_t i = 0; i < CN_ENGINE_MAX_TRUSTED; i++)
        if (!keep_text(engine, &engine->desc.trusted[i]))
            return false;
    return true;
}

static bool fill_in(CnEngine *engine, CnError *error)
{
    CnEngineDesc *desc = &engine->desc;
    if (!desc->title)
        desc->title = "Cairn";
    if (!desc->width && !desc->height) {
        desc->width = CNI_ENGINE_WIDTH;
        desc->height = CNI_ENGINE_HEIGHT;
    }
    if (!desc->width || !desc->height || desc->width > CNI_ENGINE_MAX_SIZE ||
        desc->height > CNI_ENGINE_MAX_SIZE)
        return cn_error_set(
            error, CN_ERROR_LIMIT,
            "the image size %u x %u is out of range; width and height must be 1 to %u", desc->width,
            desc->height, CNI_ENGINE_MAX_SIZE);
    if (!desc->fps)
        desc->fps = CNI_ENGINE_FPS;
    if (!desc->tick_hz)
        desc->tick_hz = CN_TICK_HZ_DEFAULT;
    engine->width = desc->width;
    engine->height = desc->height;
    engine->is_fixed = desc->headless || desc->image_path || desc->video_path || desc->audio_path;
    if (desc->render_thread == CN_SWITCH_DEFAULT)
        desc->render_thread = engine->is_fixed ? CN_SWITCH_OFF : CN_SWITCH_ON;
    cni_engine_choose_hot_reload(engine);
    return (keep_text(engine, &desc->title) && keep_text(engine, &desc->gpu) &&
            keep_text(engine, &desc->project) && keep_text(engine, &desc->save_folder) &&
            keep_text(engine, &desc->image_path) && keep_text(engine, &desc->video_path) &&
            keep_text(engine, &desc->graph_path) && keep_text(engine, &desc->audio_path) &&
            keep_text(engine, &desc->audio_device) && keep_trusted(engine)) ||
           out_of_memory(error);
}

static bool make_jobs(CnEngine *engine, CnError *error)
{
    uint32_t threads = engine->desc.threads;
    if (threads == 1)
        return true;
    if (threads > CN_JOBS_MAX_WORKERS)
        return cn_error_set(error, CN_ERROR_LIMIT, "%u threads exceed the limit of %u", threads,
                            CN_JOBS_MAX_WORKERS);
    engine->jobs =
        cn_job_pool_create(&(CnJobPoolDesc){.allocator = engine->allocator,
                                            .workers = threads ? threads - 1 : CN_JOBS_AUTO},
                           error);
    return engine->jobs != NULL;
}

/* A prefix "scripts://tools" would also trust "scripts://tools_of_others/a.lua". */
static bool check_trusted(const char *folder, CnError *error)
{
    CnText text = cn_text(folder);
    const char *scheme_end = strstr(folder, "://");
    if (scheme_end && scheme_end != folder && cn_text_ends_with(text, cn_text("/")))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the trusted folder \"%s\" must begin with a scheme and end with '/', such "
                        "as scripts:// or assets://tools/",
                        folder);
}

static bool trust_folders(CnEngine *engine, CnError *error)
{
    static const char *const all[] = {"project://", "assets://", "scripts://"};
    uint32_t count = 0;
    for (uint32_t i = 0; engine->desc.trust_scripts && i < CN_COUNT_OF(all); i++)
        engine->trusted[count++] = all[i];
    for (uint32_t i = 0; i < CN_ENGINE_MAX_TRUSTED; i++) {
        const char *folder = engine->desc.trusted[i];
        if (folder && !check_trusted(folder, error))
            return false;
        if (folder)
            engine->trusted[count++] = folder;
    }
    engine->scripts.trusted = engine->trusted;
    return true;
}

static void describe_scripts(CnEngine *engine)
{
    engine->scripts.memory_bytes = engine->desc.script_memory_bytes;
    engine->scripts.instructions_per_tick = engine->desc.script_instructions_per_tick;
    engine->scripts.instructions_per_call = engine->desc.script_instructions_per_call;
}

static bool make_files(CnEngine *engine, CnError *error)
{
    if (!trust_folders(engine, error))
        return false;
    describe_scripts(engine);
    engine->vfs = cn_vfs_create(&(CnVfsDesc){.allocator = engine->allocator}, error);
    if (!engine->vfs)
        return false;
    engine->physics.files = engine->scripts.files = cn_vfs_files(engine->vfs);
    return !engine->desc.project ||
           cni_engine_mount(engine, engine->desc.project, CN_ORIGIN_TRUSTED, error);
}

static bool make_scenes(CnEngine *engine, CnError *error)
{
    const CnEngineDesc *desc = &engine->desc;
    CnPlugin plugins[CN_MAX_PLUGINS] = {cn_physics_plugin(&engine->physics),
                                        cn_script_plugin(&engine->scripts)};
    if (desc->plugin_count > CN_MAX_PLUGINS - 2)
        return cn_error_set(error, CN_ERROR_LIMIT, "engine: more than %u plugins", CN_MAX_PLUGINS);
    if (desc->plugin_count)
        memcpy(plugins + 2, desc->plugins, desc->plugin_count * sizeof *plugins);
    engine->scenes =
        cn_scenes_create(&(CnScenesDesc){.allocator = engine->allocator,
                                         .jobs = engine->jobs,
                                         .tick_hz = desc->tick_hz,
                                         .max_catch_up_ticks = desc->max_catch_up_ticks,
                                         .seed = desc->seed,
                                         .plugins = plugins,
                                         .plugin_count = desc->plugin_count + 2,
                                         .prepare = desc->prepare,
                                         .user = desc->user,
                                         .reloadable = desc->hot_reload == CN_SWITCH_ON},
                         error);
    engine->desc.plugins = NULL; /* copied */
    return engine->scenes != NULL;
}

/* Without a cache everything works, only slower. */
static bool open_cache(CnEngine *engine)
{
    CnError error = {0};
    if (!engine->desc.cache)
        return true;
    engine->cache = cn_cache_create(&(CnCacheDesc){.allocator = engine->allocator}, &error);
    if (!engine->cache)
        CN_LOG_WARNING("engine", "running without a cache: %s", error.message);
    return true;
}

static bool make_gpu(CnEngine *engine, CnError *error)
{
    const CnEngineDesc *desc = &engine->desc;
    engine->gpu = cn_gpu_create(
        &(CnGpuDesc){.allocator = engine->allocator,
                     .name = desc->title,
                     .backend = desc->backend,
                     .device = desc->gpu,
                     .validation = desc->validation,
                     .window = engine->window ? cni_engine_window_gpu(engine->window) : NULL,
                     .vsync = desc->vsync,
                     .cache = engine->cache},
        error);
    return engine->gpu != NULL;
}

static bool make_renderer(CnEngine *engine, CnError *error)
{
    const CnEngineDesc *desc = &engine->desc;
    engine->renderer =
        cn_renderer_create(&(CnRendererDesc){.allocator = engine->allocator,
                                             .gpu = engine->gpu,
                                             .files = cn_vfs_files(engine->vfs),
                                             .cache = engine->cache,
                                             .watched = desc->hot_reload == CN_SWITCH_ON},
                           error);
    if (!engine->renderer)
        return false;
    return !desc->preset ||
           (desc->preset(engine->renderer, &desc->render, desc->preset_user, error) &&
            (cn_renderer_feature(engine->renderer, cn_feature_ui.name) ||
             cn_renderer_add_feature(engine->renderer, &cn_feature_ui, NULL, error)));
}

static bool make_window(CnEngine *engine, CnError *error)
{
    if (engine->desc.headless)
        return true;
    engine->window = cni_engine_window_create(engine, error);
    return engine->window != NULL;
}

/* ---- The whole ---- */

static bool build(CnEngine *engine, CnError *error)
{
    return fill_in(engine, error) && cni_engine_check_begin(engine, error) &&
           make_jobs(engine, error) && make_files(engine, error) && make_scenes(engine, error) &&
           cni_engine_script_game_begin(engine, error) && make_window(engine, error) &&
           open_cache(engine) && make_gpu(engine, error) && make_renderer(engine, error) &&
           cni_engine_hot_reload_begin(engine, error) && cni_engine_overlay_create(engine, error) &&
           cni_engine_capture_begin(engine, error) && cni_engine_sound_begin(engine, error) &&
           (engine->desc.render_thread == CN_SWITCH_OFF ||
            cni_engine_render_thread_start(engine, error));
}

CnEngine *cn_engine_create(const CnEngineDesc *desc, CnError *error)
{
    CnError local = {0};
    error = error ? error : &local;
    CnAllocator *allocator = desc && desc->allocator ? desc->allocator : cn_system_allocator();
    CnEngine *engine = cn_alloc_zeroed(allocator, sizeof *engine);
    if (!engine) {
        out_of_memory(error);
        return NULL;
    }
    engine->allocator = allocator;
    engine->desc = desc ? *desc : (CnEngineDesc){0};
    cn_arena_init(&engine->texts, allocator, 4096);
    if (build(engine, error))
        return engine;
    cn_engine_destroy(engine);
    return NULL;
}

void cn_engine_destroy(CnEngine *engine)
{
    if (!engine)
        return;
    CN_ASSERT(!engine->in_frame, "an engine cannot be destroyed during its own frame");
    cni_engine_draw_wait(engine);
    cni_engine_render_thread_end(engine);
    cni_engine_capture_end(engine, NULL);
    cni_engine_sound_end(engine);
    cni_engine_overlay_destroy(engine);
    cn_hot_reload_destroy(engine->hot_reload);
    cn_renderer_destroy(engine->renderer);
    cn_gpu_destroy(engine->gpu);
    cn_cache_destroy(engine->cache);
    cni_engine_window_destroy(engine->window);
    cn_script_game_destroy(engine->script_game);
    cni_engine_script_ui_fini(engine);
    cn_scenes_destroy(engine->scenes);
    cn_vfs_destroy(engine->vfs);
    cn_job_pool_destroy(engine->jobs);
    cni_engine_check_end(engine);
    cn_arena_fini(&engine->texts);
    cn_free(engine->allocator, engine, sizeof *engine);
}

bool cni_engine_fail(CnEngine *engine, const CnError *error)
{
    if (engine->error.code == CN_OK) {
        engine->error = *error;
        engine->status = 1;
    }
    engine->is_over = true;
    return false;
}

/* ---- Access ---- */

CnScenes *cn_engine_scenes(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->scenes;
}

CnRenderer *cn_engine_renderer(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    cni_engine_draw_wait(engine);
    return engine->renderer;
}

CnGpu *cn_engine_gpu(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    cni_engine_draw_wait(engine);
    return engine->gpu;
}

CnVfs *cn_engine_vfs(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->vfs;
}

bool cn_engine_is_headless(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return !engine->window;
}

void cn_engine_size(const CnEngine *engine, uint32_t *width, uint32_t *height)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(width, "%s: width is NULL", __func__);
    CN_ASSERT(height, "%s: height is NULL", __func__);
    *width = engine->width;
    *height = engine->height;
    if (engine->window)
        cni_engine_window_size(engine->window, width, height);
}

bool cn_engine_is_over(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->is_over;
}

const CnError *cn_engine_error(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return &engine->error;
}

void cn_engine_quit(CnEngine *engine, int status)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    engine->is_over = true;
    if (engine->error.code == CN_OK)
        engine->status = status;
}

/* ---- Window ---- */

void cn_engine_set_title(CnEngine *engine, const char *title)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    if (engine->window)
        cni_engine_window_set_title(engine->window, title);
}

void cn_engine_set_fullscreen(CnEngine *engine, bool fullscreen)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    if (engine->window)
        cni_engine_window_set_fullscreen(engine->window, fullscreen);
}

void cn_engine_set_vsync(CnEngine *engine, CnVsync vsync)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    cn_gpu_set_vsync(cn_engine_gpu(engine), vsync);
}

void cn_engine_set_size(CnEngine *engine, uint32_t width, uint32_t height)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    bool is_good = width && height && width <= CNI_ENGINE_MAX_SIZE && height <= CNI_ENGINE_MAX_SIZE;
    CN_ASSERT(is_good, "invalid image size %u x %u", width, height);
    if (!is_good)
        return;
    engine->width = width;
    engine->height = height;
    if (engine->window)
        cni_engine_window_set_size(engine->window, width, height);
}
