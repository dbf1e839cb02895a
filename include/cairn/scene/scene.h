/*
 * Scenes: worlds by name, of which one runs.
 *
 *     CnPlugin parts[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
 *     CnScenes *scenes = cn_scenes_create(&(CnScenesDesc){.plugins = parts, .plugin_count = 2}, &error);
 *     CnScene *menu = cn_scenes_new(scenes, "Menu", &error);             // the first becomes active
 *     CnScene *level = cn_scenes_load(scenes, files, "project://level.json", &error);
 *     cn_scenes_switch(scenes, "Level", &error);                         // when this tick is over
 *     for (;;)
 *         cn_scenes_frame(scenes, real_seconds, &error);
 *     cn_scenes_destroy(scenes);
 *
 * A scene has a simulation of its own: world, clock, random numbers, input, and whatever the plugins
 * make for it, such as a physics world and a script context. Scenes share nothing.
 *
 * So input goes to the one that is active (cn_sim_input of cn_scene_sim), which is also told how large
 * the window is. A switch moves the focus: the scene that is left is sent cn_input_focus with false,
 * so that nothing stays held in it, and the one that is entered with true. It sees this in its next
 * tick, as an input like others: recordings have it. Keys that are still down come as pressed when
 * they are sent again. A window without the focus says so to the scene that is entered.
 */
#ifndef CAIRN_SCENE_SCENE_H
#define CAIRN_SCENE_SCENE_H

#include <cairn/scene/file.h>
#include <cairn/sim/loop.h>

CN_EXTERN_C_BEGIN

#define CN_SCENE_NAME_BYTES 64u /* with the terminator */

typedef struct CnScene CnScene;
typedef struct CnScenes CnScenes;

/* The engine's plugin "Scene": objects, transforms, cameras, parts, controllers. For CnSimDesc.core
 * of a simulation without CnScenes; scenes have it by themselves. */
CN_API CnPlugin cn_scene_plugin(void);
/* What the plugin does, for a world without a simulation; calling it again is harmless. */
CN_API bool cn_scene_add(CnWorld *world, CnError *error);

typedef struct CnScenesDesc {
    CnAllocator *allocator;
    CnJobPool *jobs;
    uint32_t tick_hz;            /* 0 means 60 */
    uint32_t max_catch_up_ticks; /* 0 means 8 */
    uint64_t seed;               /* each scene's is made from this and its name */
    const CnPlugin *plugins;     /* added to each scene, in this order; copied */
    uint32_t plugin_count;
    /* Called for each new scene after that and before its file is read, for what else belongs to it,
     * such as plugins of shared libraries. False and an error: there is no new scene. */
    bool (*prepare)(CnSim *sim, void *user, CnError *error);
    void *user;
} CnScenesDesc;

CN_API CnScenes *cn_scenes_create(const CnScenesDesc *desc, CnError *error);
CN_API void cn_scenes_destroy(CnScenes *scenes);

/* An empty scene; an error when the name is taken. */
CN_API CnScene *cn_scenes_new(CnScenes *scenes, const char *name, CnError *error);
/* A scene from a file, named by its "id"; on an error there is no new scene. */
CN_API CnScene *cn_scenes_load(CnScenes *scenes, CnFileSystem *files, const char *path,
                               CnError *error);
CN_API CnScene *cn_scenes_find(const CnScenes *scenes, const char *name);
CN_API CnScene *cn_scenes_active(const CnScenes *scenes);
CN_API uint32_t cn_scenes_count(const CnScenes *scenes);
CN_API CnScene *cn_scenes_at(const CnScenes *scenes, uint32_t index); /* in order of creation */
/* Between ticks at once; during one when it is over, and no further one of the old scene runs in the
 * same frame: the new one's begin with the next frame. The last call before that counts. */
CN_API bool cn_scenes_switch(CnScenes *scenes, const char *name, CnError *error);
/* Not during its own tick or frame. When it was active, none is, until one is made or switched to. */
CN_API void cn_scene_destroy(CnScene *scene);

/* Lets time pass in the active scene; nothing happens without one. */
CN_API bool cn_scenes_frame(CnScenes *scenes, double real_seconds, CnError *error);
/* Runs ticks of the active scene; goes on in the other one after a switch. */
CN_API bool cn_scenes_tick_n(CnScenes *scenes, uint64_t count, CnError *error);

CN_API const char *cn_scene_name(const CnScene *scene);
CN_API CnSim *cn_scene_sim(const CnScene *scene);
CN_API CnWorld *cn_scene_world(const CnScene *scene);
/* What its file said besides nodes; all "" without a file. */
CN_API const CnSceneFile *cn_scene_file(const CnScene *scene);
CN_API bool cn_scene_save(CnScene *scene, CnFileSystem *files, const char *path, CnError *error);

/* A transient resource: leads from a world to its scene. In CnSystemDesc.access of systems that share
 * their wave: cn_reads(CnSceneLink) for cn_scene_of, cn_writes(CnSceneLink) for cn_goto_scene. */
typedef struct CnSceneLink {
    CnScene *scene;
} CnSceneLink;
CN_OPAQUE(CnSceneLink);

/* From within: asks the registry to switch when the tick is over. False: no registry, no such scene. */
CN_API bool cn_goto_scene(CnWorld *world, const char *name, CnError *error);
/* The scene of a world; NULL for one outside of a registry. */
CN_API CnScene *cn_scene_of(const CnWorld *world);

CN_EXTERN_C_END

#endif
