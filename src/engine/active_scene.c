/* The scenes of an engine: the default scene, scenes from files, and the assets and materials that
 * the renderer needs for the active one. */
#include "engine/engine_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The active scene ---- */

bool cni_engine_need_scene(CnEngine *engine, CnError *error)
{
    return cn_scenes_active(engine->scenes) ||
           cn_scene_create(engine->scenes, &(CnSceneDesc){.name = "Main"}, error);
}

CnScene *cn_engine_scene(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CnError error = {0};
    if (!cni_engine_need_scene(engine, &error))
        cni_engine_fail(engine, &error);
    return cn_scenes_active(engine->scenes);
}

CnSim *cn_engine_sim(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CnScene *scene = cn_engine_scene(engine);
    return scene ? cn_scene_sim(scene) : NULL;
}

CnWorld *cn_engine_world(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CnScene *scene = cn_engine_scene(engine);
    return scene ? cn_scene_world(scene) : NULL;
}

const CnTime *cn_engine_time(CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CnSim *sim = cn_engine_sim(engine);
    return sim ? cn_sim_time(sim) : NULL;
}

/* ---- Files ---- */

bool cni_engine_mount(CnEngine *engine, const char *folder, CnOrigin origin, CnError *error)
{
    if (!realpath(folder, engine->project)) {
        engine->project[0] = '\0';
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "open", folder,
                                 "there is no such folder");
    }
    return cn_vfs_mount_project(engine->vfs, engine->project, origin, error);
}

/* Mounts the folder of a native file if nothing is mounted, and returns the file's virtual path. */
static bool virtual_path(CnEngine *engine, const char *native, char path[CN_VFS_PATH_BYTES],
                         CnError *error)
{
    char real[PATH_MAX], folder[PATH_MAX];
    struct stat status;
    if (!realpath(native, real) || stat(real, &status) != 0)
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "read", native,
                                 "there is no such file");
    if (S_ISDIR(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "read", native,
                                 "it is a folder; give the path of a scene file");
    CnText before = {real, (size_t)(strrchr(real, '/') - real)};
    cn_copy_text(folder, sizeof folder, before.size ? before : cn_text("/"));
    if (!engine->project[0]) {
        cni_engine_draw_wait(engine); /* the render thread may read files */
        if (!cni_engine_mount(engine, folder, CN_ORIGIN_USER, error))
            return false;
    }
    size_t length = strcmp(engine->project, "/") ? strlen(engine->project) : 0;
    if (strncmp(real, engine->project, length) || real[length] != '/')
        return cn_error_set(error, CN_ERROR_PERMISSION, "%s is not inside %s", native,
                            engine->project);
    return cn_format(path, CN_VFS_PATH_BYTES, "project://%s", real + length + 1) ||
           cn_error_set(error, CN_ERROR_FORMAT, "the scene path is too long");
}

/* ---- Registration with the renderer ---- */

static void bind_scene(CnEngine *engine, CnScene *scene)
{
    cn_renderer_clear_assets(engine->renderer);
    engine->rendered_scene = scene;
    engine->sent_asset_count = 0;
    engine->warned_no_camera = false;
}

static void send_new_assets(CnEngine *engine)
{
    const CnWorld *world = cn_scene_world(engine->rendered_scene);
    uint32_t count = cn_asset_count(world);
    while (engine->sent_asset_count < count) {
        uint32_t number = engine->sent_asset_count + 1;
        if (!cn_renderer_set_asset(engine->renderer, number, cn_asset_name(world, number)))
            return; /* out of memory: retried in the next frame */
        engine->sent_asset_count = number;
    }
}

static bool is_there(const CnEngine *engine, const CnScene *scene)
{
    for (uint32_t i = 0; i < cn_scenes_count(engine->scenes); i++)
        if (cn_scenes_at(engine->scenes, i) == scene)
            return true;
    return false;
}

static bool acquire_from(CnScene *scene, CniEngineFramePacket *packet)
{
    CnSnapshotPair pair;
    CnOutbox *outbox = cn_sim_outbox(cn_scene_sim(scene));
    if (!cn_outbox_acquire(outbox, &pair))
        return false;
    packet->outbox = outbox;
    packet->frame_desc.current = &pair.current->render;
    bool is_next =
        pair.previous && pair.previous->render.tick + 1 == packet->frame_desc.current->tick;
    packet->frame_desc.previous = is_next ? &pair.previous->render : NULL;
    return true;
}

void cni_engine_acquire_snapshots(CnEngine *engine, CniEngineFramePacket *packet)
{
    CnScene *active = cn_scenes_active(engine->scenes);
    if (engine->rendered_scene && !is_there(engine, engine->rendered_scene))
        engine->rendered_scene = NULL;
    if (active && acquire_from(active, packet)) {
        CnError error = {0};
        if (active != engine->rendered_scene) {
            bind_scene(engine, active);
            cn_materials_read_file(engine->renderer, cn_scene_file(active), &error);
            if (engine->hot_reload)
                cni_engine_hot_reload_note_materials(engine->hot_reload, active, &error);
            else if (error.code != CN_OK)
                CN_LOG_ERROR("engine", "materials of scene %s: %s", cn_scene_name(active),
                             error.message);
        }
    } else if (!engine->rendered_scene || !acquire_from(engine->rendered_scene, packet)) {
        return;
    }
    send_new_assets(engine);
    engine->overlay.camera = packet->frame_desc.current->camera.position;
    if (!packet->frame_desc.current->camera.valid && !engine->warned_no_camera) {
        engine->warned_no_camera = true;
        CN_LOG_WARNING("engine", "scene %s has no camera and is not drawn",
                       cn_scene_name(engine->rendered_scene));
    }
}

/* ---- Loading ---- */

CnScene *cn_engine_load(CnEngine *engine, const char *path, CnError *error)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    char local[CN_VFS_PATH_BYTES];
    if (!strstr(path, "://")) {
        if (!virtual_path(engine, path, local, error))
            return NULL;
        path = local;
    }
    CnScene *scene = cn_scene_load(engine->scenes, cn_vfs_files(engine->vfs), path, error);
    if (!scene)
        return NULL;
    cni_engine_draw_wait(engine);
    if (cn_materials_read_file(engine->renderer, cn_scene_file(scene), error) &&
        cn_scenes_switch(engine->scenes, cn_scene_name(scene), error))
        return scene;
    cn_scene_destroy(scene);
    return NULL;
}

void cn_engine_destroy_scene(CnEngine *engine, CnScene *scene)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    cni_engine_draw_wait(engine);
    if (engine->rendered_scene == scene)
        engine->rendered_scene = NULL;
    if (engine->notified_scene == scene)
        cni_engine_clear_notified_scene(engine);
    cn_scene_destroy(scene);
}
