/* The inside of scenes and their registry. */
#ifndef CAIRN_SRC_SCENE_SCENES_H
#define CAIRN_SRC_SCENE_SCENES_H

#include <cairn/scene/scene.h>

struct CnScene {
    char name[CN_SCENE_NAME_BYTES];
    CnScenes *scenes;
    CnSim *sim;
    CnSceneFile file;
    bool has_file;
};

struct CnScenes {
    CnAllocator *allocator;
    CnScenesDesc desc; /* its plugins lie in memory of the registry */
    CN_ARRAY(CnScene *) scenes;
    CnScene *active;
    CnScene *running; /* its ticks or frame run now */
    CnScene *next;    /* active when that is over; NULL: as it was */
};

/* A scene that is not in the registry yet; NULL and an error. */
CnScene *cni_scene_create(CnScenes *scenes, const char *name, CnError *error);
/* One that is not in the registry. */
void cni_scene_free(CnScene *scene);
/* Enters a scene; false when out of memory. */
bool cni_scenes_enter(CnScenes *scenes, CnScene *scene, CnError *error);

#endif
