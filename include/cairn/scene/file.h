/*
 * Scene and prefab files: JSON.
 *
 *     CnSceneFile scene;
 *     if (!cn_scene_read(world, files, "project://scenes/main.json", &scene, &error)) ...
 *     cn_scene_write(world, files, "project://saved.json", &scene, &error);
 *     cn_scene_file_free(&scene);
 *
 *     CnEntity tree = cn_prefab_spawn(world, files, "assets://tree.json", parent, &error);
 *
 * A scene:
 *
 *     {"id": "Main", "nodes": [...], "materials": [...], "pipelines": [...], "activeCamera": "Rig/Eye"}
 *
 * A node, which is also what a prefab file holds:
 *
 *     {"id": "Box", "components": [{"type": "TransformComponent", "position": [0, 1, 0],
 *                                   "rotation": [0, 90, 0], "scale": [1, 1, 1]}],
 *      "children": [...]}
 *
 * Optional in a node: "uid" (a number; without it, a new one), "enabled" (true), "prefab" (a path: a
 * node without "children" is made from that file, and the fields it gives itself lie over it; with
 * "children" it only remembers where it came from). Component types are those of cairn/scene/shown.h;
 * fields that are left out have their defaults. A field that is an entity is the path of a node in the
 * same file, or null. Rotations are three angles in degrees, or four numbers: the quaternion itself.
 * `materials` and `pipelines` are kept as they are. docs/formats.md has all of it.
 *
 * An error has file, line and column, and nothing is changed, also when memory runs out: not the state,
 * not the ids and uids that come next. What is written is read back as the same objects in the same
 * order, and written again as the same bytes; what a component does not show has its default then.
 * Where siblings share a name, the later ones are written with a number. What could not be read again,
 * such as a number that is not finite, is an error that names object and field.
 */
#ifndef CAIRN_SCENE_FILE_H
#define CAIRN_SCENE_FILE_H

#include <cairn/scene/object.h>
#include <cairn/scene/shown.h>

CN_EXTERN_C_BEGIN

#define CN_SCENE_FILE_MAX_BYTES (64u << 20) /* parsed, it may take forty times that */
#define CN_SCENE_FILE_MAX_DEPTH 128u        /* of nodes in nodes, and of prefabs in prefabs */
#define CN_SCENE_FILE_MAX_NODES 1000000u

/* On the root of what was made from a prefab. */
CN_COMPONENT(CnPrefabSource, (text, path, 128));

/* Where a part of a file begins, from 1. */
typedef struct CnFilePlace {
    int line, column;
} CnFilePlace;

/* What a file has besides its nodes. Terminated texts, "" where the file has none. */
typedef struct CnSceneFile {
    char *name;   /* of the file, as in errors */
    char *schema; /* "$schema": JSON, as it stands in the file */
    char *id;
    char *materials; /* likewise */
    char *pipelines;
    CnFilePlace materials_place, pipelines_place;
    CnEntity active_camera;
    uint32_t node_count;
    CnAllocator *allocator;
} CnSceneFile;
CN_API void cn_scene_file_free(CnSceneFile *file);

/* Adds the nodes of a file to the world, all or none, and makes the active camera active. `files`
 * understands the path and the paths of prefabs in it. `file` may be NULL. */
CN_API bool cn_scene_read(CnWorld *world, CnFileSystem *files, const char *path, CnSceneFile *file,
                          CnError *error);
/* The same from memory; `name` stands for the file in errors; `files` may be NULL: no prefabs. */
CN_API bool cn_scene_read_text(CnWorld *world, CnFileSystem *files, const char *name, CnText text,
                               CnSceneFile *file, CnError *error);

/* All objects of the world. `file` gives id, materials and pipelines; NULL: none. A file is replaced as a
 * whole or not at all; a text is appended to. */
CN_API bool cn_scene_write(CnWorld *world, CnFileSystem *files, const char *path,
                           const CnSceneFile *file, CnError *error);
CN_API bool cn_scene_write_text(CnWorld *world, CnTextBuilder *text, const CnSceneFile *file,
                                CnError *error);

/* Reads the file on first use and keeps it; spawning again does not read. Null and an error. For code
 * that may change structure: between ticks, in hooks, in systems that run alone. */
CN_API CnEntity cn_prefab_spawn(CnWorld *world, CnFileSystem *files, const char *path,
                                CnEntity parent, CnError *error);
/* In a system. The id is good at once; the objects are there after the flush. A system that shares its
 * wave declares cn_writes(CnObjects). */
CN_API CnEntity cn_defer_prefab(CnCommands *commands, CnFileSystem *files, const char *path,
                                CnEntity parent, CnError *error);
/* How many objects a prefab makes, and what its root has in its file: `object` gets name and enabled. 0:
 * it was not read yet. */
CN_API uint32_t cn_prefab_root(CnWorld *world, const char *path, CnObject *object,
                               CnTransform *transform);
/* Forgets what was read, so that the next spawning sees a file that changed. */
CN_API void cn_prefab_forget(CnWorld *world, const char *path); /* NULL: all */
/* An object and all below it; what was read under this path before is forgotten. */
CN_API bool cn_prefab_write(CnWorld *world, CnFileSystem *files, const char *path, CnEntity object,
                            CnError *error);

/* A JSON schema (draft 7) of scene and prefab files as this world reads them. */
CN_API bool cn_scene_schema(CnWorld *world, CnTextBuilder *text, CnError *error);

CN_EXTERN_C_END

#endif
