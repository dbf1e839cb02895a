/*
 * Scenes: named worlds, of which one is active.
 *
 *     CnError error = {0};
 *     CnFileSystem *files = cn_native_files();
 *     CnScenes *scenes = cn_scenes_create(&(CnScenesDesc){.seed = 7}, &error);
 *     cn_scene_create(scenes, &(CnSceneDesc){.name = "Menu"}, &error);  // the first becomes active
 *     CnScene *level = cn_scene_load(scenes, files, "level.json", &error);
 *     cn_scenes_switch(scenes, "Level", &error);
 *     for (int frame = 0; frame < 600; frame++)
 *         cn_scenes_frame(scenes, 1.0 / 60, &error);
 *     cn_scenes_destroy(scenes);
 *
 * Each scene has its own simulation: world, clock, random numbers, input, and whatever the plugins
 * create for it, such as a physics world and a script context. Scenes share nothing.
 *
 * Input therefore goes to the active scene (cn_sim_input of cn_scene_sim), which also receives the
 * window size. Switching scenes moves the focus: the old scene receives cn_input_focus(false), so
 * that nothing stays held in it, and the new one cn_input_focus(true). They see this in their next
 * tick as ordinary input, so recordings contain it. Keys that are still down count as pressed when
 * they are sent again. If the window does not have the focus, the program sends this to the new
 * scene.
 */
#ifndef CAIRN_SCENE_SCENE_H
#define CAIRN_SCENE_SCENE_H

#include <cairn/scene/file.h>
#include <cairn/sim/loop.h>

CN_EXTERN_C_BEGIN

#define CN_SCENE_NAME_BYTES 64u /* including the terminator */

typedef struct CnScene CnScene;
typedef struct CnScenes CnScenes;

/* Returns the engine's plugin "Scene": objects, transforms, cameras, parts, controllers. For
 * CnSimDesc.core of a simulation without CnScenes; scenes add it themselves. */
CN_API CnPlugin cn_scene_plugin(void);
/* Does what the plugin does, for a world without a simulation. Calling it again has no effect. */
CN_API bool cn_scene_add(CnWorld *world, CnError *error);

typedef struct CnScenesDesc {
    CnAllocator *allocator;
    CnJobPool *jobs;
    uint32_t tick_hz;            /* 0 selects the default, 60 */
    uint32_t max_catch_up_ticks; /* 0 selects the default, 8 */
    uint64_t seed;               /* the seed of a scene is derived from this and its name */
    const CnPlugin *plugins;     /* added to each scene, in this order; copied */
    uint32_t plugin_count;
    /* Called for each new scene after the plugins were added and before its file is read, for
     * example to load plugins from shared libraries. If it returns false, the scene is not
     * created. */
    bool (*prepare)(CnSim *sim, void *user, CnError *error);
    void *user;
    /* Keeps in memory what scene files contain, for cn_scene_reload. */
    bool reloadable;
} CnScenesDesc;

/* Creates an empty registry. `desc` may be NULL. Returns NULL and an error when out of memory. */
CN_API CnScenes *cn_scenes_create(const CnScenesDesc *desc, CnError *error);
/* Destroys all scenes and the registry. Must not be called during a tick. */
CN_API void cn_scenes_destroy(CnScenes *scenes);

typedef struct CnSceneDesc {
    const char *name; /* required; less than CN_SCENE_NAME_BYTES of UTF-8; copied */
    /* Of a scene that continues a saved state. */
    bool has_seed;
    uint64_t seed;    /* with has_seed: of the random streams, instead of the derived one */
    uint32_t tick_hz; /* 0: that of the scenes */
} CnSceneDesc;

/* Creates an empty scene. Returns NULL and an error when the name is missing, invalid or in use, or
 * when out of memory. */
CN_API CnScene *cn_scene_create(CnScenes *scenes, const CnSceneDesc *desc, CnError *error);
/* Creates a scene from a file and names it after its "id". On an error no scene is created. */
CN_API CnScene *cn_scene_load(CnScenes *scenes, CnFileSystem *files, const char *path,
                              CnError *error);

/* What a reload has done. */
typedef struct CnSceneReload {
    bool is_read;             /* the scene uses one of the files, which was read again */
    bool has_other_materials; /* the texts of materials or pipelines in cn_scene_file changed */
    uint32_t changed_objects, added_objects, removed_objects;
    uint32_t changed_fields; /* and components that were added or removed */
    uint32_t skipped;        /* changes whose object or component the game has removed */
} CnSceneReload;
/* Reads a scene file and its prefabs again if one of these paths is among them, and applies the
 * differences between the old and the new texts to the objects that came from them, also to those
 * of prefabs that were spawned since: fields whose values differ in the files are written,
 * components and objects are added or removed, and everything else keeps its state. Objects are
 * recognized by their paths in the file. Later spawns use the new prefabs.
 *
 * If a file is wrong, nothing changes, the error says where, and the next call reads all files
 * again. Call it between ticks, like cn_script_reload: a recording does not contain the change, so
 * that replaying it reports a difference. The registry must be `reloadable`. */
CN_API bool cn_scene_reload(CnScene *scene, CnFileSystem *files, const char *const *paths,
                            uint32_t path_count, CnSceneReload *reload, CnError *error);

/* Return NULL when there is no such scene, or no active scene. */
CN_API CnScene *cn_scenes_find(const CnScenes *scenes, const char *name);
CN_API CnScene *cn_scenes_active(const CnScenes *scenes);
CN_API uint32_t cn_scenes_count(const CnScenes *scenes);
CN_API CnScene *cn_scenes_at(const CnScenes *scenes, uint32_t index); /* in order of creation */
/* Makes another scene active: between ticks immediately, and during a tick when it ends. No
 * further tick of the old scene then runs in that frame; the new scene starts with the next
 * frame. If it is called several times during a tick, the last call wins. */
CN_API bool cn_scenes_switch(CnScenes *scenes, const char *name, CnError *error);
/* Must not be called during a tick or frame of this scene. If it was active, no scene is active
 * until one is created or switched to. */
CN_API void cn_scene_destroy(CnScene *scene);

/* Advances the active scene by real time. Does nothing without an active scene. */
CN_API bool cn_scenes_frame(CnScenes *scenes, double real_seconds, CnError *error);
/* Runs ticks of the active scene; continues with the new scene after a switch. */
CN_API bool cn_scenes_tick_n(CnScenes *scenes, uint64_t count, CnError *error);

CN_API const char *cn_scene_name(const CnScene *scene);
CN_API CnSim *cn_scene_sim(const CnScene *scene);
CN_API CnWorld *cn_scene_world(const CnScene *scene);
/* Returns the content of its file apart from the nodes; all texts are "" without a file. */
CN_API const CnSceneFile *cn_scene_file(const CnScene *scene);
/* Writes all objects of the scene to a file, with the materials and pipelines of the file from
 * which it was loaded. */
CN_API bool cn_scene_save(CnScene *scene, CnFileSystem *files, const char *path, CnError *error);

/* A transient resource that leads from a world to its scene. Systems that run in parallel with
 * others declare cn_reads(CnSceneLink) for cn_scene_of and cn_writes(CnSceneLink) for
 * cn_scene_goto. */
typedef struct CnSceneLink {
    CnScene *scene;
} CnSceneLink;
CN_OPAQUE(CnSceneLink);

/* Requests a switch to another scene at the end of the tick. Returns false if the world does not
 * belong to a CnScenes or there is no such scene. */
CN_API bool cn_scene_goto(CnWorld *world, const char *name, CnError *error);
/* Returns the scene of a world; NULL if the world does not belong to a CnScenes. */
CN_API CnScene *cn_scene_of(const CnWorld *world);

CN_EXTERN_C_END

#endif
