/* What the file of a scene said when it was last read, and which objects came from it. */
#ifndef CAIRN_SRC_SCENE_FILE_SCENE_SOURCE_H
#define CAIRN_SRC_SCENE_FILE_SCENE_SOURCE_H

#include "scene/file/file_reload.h"
#include "scene/scene_internal.h"

struct CniSceneSource {
    CniScenePlan plan;
    uint64_t *uids; /* per node, in memory of the plan; 0: no object */
    char *camera;   /* path of the active camera in the file, in memory of the plan; "": none */
};

/* Reads a scene and creates its objects, as cni_scene_read_bytes does. Returns NULL and an error on
 * failure. */
CniSceneSource *cni_scene_source_create(CnWorld *world, CnFileSystem *files,
                                        const CniSceneBytes *bytes, CnSceneFile *file,
                                        CnError *error);

#endif
