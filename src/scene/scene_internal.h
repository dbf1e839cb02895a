/* Internals of scenes and their registry. */
#ifndef CAIRN_SRC_SCENE_SCENE_INTERNAL_H
#define CAIRN_SRC_SCENE_SCENE_INTERNAL_H

#include <cairn/scene/scene.h>

/* What the file of a scene said when it was last read, for cn_scene_reload. */
typedef struct CniSceneSource CniSceneSource;

struct CnScene {
    char name[CN_SCENE_NAME_BYTES];
    CnScenes *scenes;
    CnSim *sim;
    CnSceneFile file;
    bool has_file;
    CniSceneSource *source; /* NULL: not kept */
    bool is_stale;          /* the last reload failed, so the next one reads everything again */
};

struct CnScenes {
    CnAllocator *allocator;
    CnScenesDesc desc; /* its plugins are in memory of the registry */
    CN_ARRAY(CnScene *) scenes;
    CnScene *active;
    CnScene *running; /* whose ticks or frame are running */
    CnScene *next;    /* becomes active afterwards; NULL: no change */
};

/* Creates a scene that is not in the registry yet; returns NULL and an error on failure. */
CnScene *cni_scene_create(CnScenes *scenes, const CnSceneDesc *desc, CnError *error);
/* Frees what cn_scene_load has kept; may be NULL. */
void cni_scene_source_free(CnAllocator *allocator, CniSceneSource *source);
/* Frees a scene that is not in the registry. */
void cni_scene_free(CnScene *scene);
/* Adds a scene to the registry; returns false when out of memory. */
bool cni_scene_registry_add(CnScenes *scenes, CnScene *scene, CnError *error);

#endif
