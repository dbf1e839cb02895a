/*
 * Hot reload: files that change on disk take effect in the running program.
 *
 *     void run(CnScenes *scenes, CnVfs *vfs, CnError *error)
 *     {
 *         CnHotReload *reload =
 *             cn_hot_reload_create(&(CnHotReloadDesc){.vfs = vfs, .scenes = scenes}, error);
 *         while (reload && cn_scenes_frame(scenes, 1.0 / 60, error))
 *             if (cn_hot_reload_has_changes(reload)) // between ticks
 *                 cn_hot_reload_apply(reload);
 *         cn_hot_reload_destroy(reload);
 *     }
 *
 * Programs with an engine set CnEngineDesc.hot_reload instead.
 *
 * | file | what is replaced | what is kept |
 * | --- | --- | --- |
 * | script of an object | its code and globals | this.state, store, the world |
 * | Lua file with systems, shared library | its systems | all components and resources |
 * | scene, prefab | fields that differ in the file | everything else (cn_scene_reload) |
 * | materials and pipelines of a scene | themselves | |
 * | texture, model, GLSL of a surface | itself | ids and names |
 *
 * A file that is wrong replaces nothing. Its error is logged once and stands, which
 * cn_hot_reload_errors reports, until the file is read without an error.
 *
 * Recordings: they do not contain changes of files. While any of the simulations is recorded or
 * replayed (cn_sim_is_observed), changes of scripts, systems, plugins, scenes and prefabs wait
 * until it no longer is; textures, models and shaders are not part of the simulation and are
 * replaced at once. This does not cover files that the simulation itself reads meanwhile: a script
 * or a prefab that is used for the first time, and scripts when a state is restored.
 *
 * The mounted folders of the virtual file system are watched with all subfolders, as are the
 * folders of libraries and of Lua files with systems outside of it. Archives are not watched.
 *
 * All functions are for the thread that owns the simulations, between ticks. When files have not
 * changed, nothing is allocated, and cn_hot_reload_has_changes is one system call.
 */
#ifndef CAIRN_ENGINE_HOT_RELOAD_H
#define CAIRN_ENGINE_HOT_RELOAD_H

#include <cairn/plugin.h>
#include <cairn/render.h>
#include <cairn/scene.h>
#include <cairn/vfs.h>

CN_EXTERN_C_BEGIN

#define CN_HOT_RELOAD_MAX_HOSTS 64u

typedef struct CnHotReload CnHotReload;

/* What is used must outlive the hot reload. */
typedef struct CnHotReloadDesc {
    CnAllocator *allocator;
    CnVfs *vfs;           /* NULL: only the files of plugins are watched */
    CnScenes *scenes;     /* created as `reloadable`; NULL: `sim` */
    CnSim *sim;           /* without scenes; may be NULL */
    CnRenderer *renderer; /* created as `watched`; NULL: none */
} CnHotReloadDesc;

/* Returns NULL and an error on failure. Folders that cannot be watched are logged. */
CN_API CnHotReload *cn_hot_reload_create(const CnHotReloadDesc *desc, CnError *error);
/* NULL is ignored. */
CN_API void cn_hot_reload_destroy(CnHotReload *reload);

/* Reloads the libraries of a host, too, until it is removed, which must be before it is destroyed.
 * Returns false beyond CN_HOT_RELOAD_MAX_HOSTS. */
CN_API bool cn_hot_reload_add_plugins(CnHotReload *reload, CnPluginHost *host);
CN_API void cn_hot_reload_remove_plugins(CnHotReload *reload, const CnPluginHost *host);

/* Returns whether files have changed since cn_hot_reload_apply. */
CN_API bool cn_hot_reload_has_changes(CnHotReload *reload);
/* Replaces what comes from these files, and logs it. The renderer must be idle. */
CN_API void cn_hot_reload_apply(CnHotReload *reload);

/* Stores the errors that stand, of all files and of scripts and systems that failed while they ran.
 * Returns how many were stored. The renderer must be idle. */
CN_API uint32_t cn_hot_reload_errors(const CnHotReload *reload, CnError *errors, uint32_t capacity);
/* Returns the number of changed files that wait for the end of a recording or replay. */
CN_API uint32_t cn_hot_reload_waiting(const CnHotReload *reload);

CN_EXTERN_C_END

#endif
