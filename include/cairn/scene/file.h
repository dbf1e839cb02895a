/*
 * Scene and prefab files in JSON.
 *
 *     bool copy_scene(CnWorld *world, CnFileSystem *files, CnError *error)
 *     {
 *         CnSceneFile scene;
 *         if (!cn_scene_read(world, files, "project://scenes/main.json", &scene, error))
 *             return false;
 *         cn_prefab_spawn(world, files, "assets://tree.json", CN_NO_PARENT, error);
 *         bool ok = cn_scene_write(world, files, "project://saved.json", &scene, error);
 *         cn_scene_file_free(&scene);
 *         return ok;
 *     }
 *
 * A scene:
 *
 *   {"id": "Main", "nodes": [...], "materials": [...], "pipelines": [...],
 *    "activeCamera": "Rig/Eye"}
 *
 * A node, which is also the content of a prefab file:
 *
 *   {"id": "Box", "components": [{"type": "TransformComponent", "position": [0, 1, 0],
 *                                 "rotation": [0, 90, 0], "scale": [1, 1, 1]}],
 *    "children": [...]}
 *
 * Optional members of a node: "uid" (a number; a new one by default), "enabled" (true by default)
 * and "prefab" (a path: the node is created from that file; the fields that it specifies override
 * those of the prefab's root, "overrides" those of other nodes, and "children" are added).
 * Component types are those of cairn/scene/reflection.h; omitted fields have their defaults. A
 * field that holds an entity is the path of a node in the same file, or null. Rotations are three
 * angles in degrees, or the four numbers of a quaternion. `materials` and `pipelines` are kept
 * unchanged. docs/formats.md describes the format completely.
 *
 * An error has a file, a line and a column, and leaves everything unchanged, also when memory runs
 * out: the state and the next ids and uids. A written file is read back as the same objects in the
 * same order, and written again as the same bytes; fields that a component does not reflect get
 * their defaults. If siblings share a name, the later ones are written with a number appended.
 * Values that could not be read again, such as a number that is not finite, are an error that names
 * the object and the field.
 */
#ifndef CAIRN_SCENE_FILE_H
#define CAIRN_SCENE_FILE_H

#include <cairn/scene/object.h>
#include <cairn/scene/reflection.h>

CN_EXTERN_C_BEGIN

/* How many objects a file may contain, with all the prefabs in it, depends on its origin
 * (CnBudget.scene_objects and scene_bytes). A node without its children has at most 64 KiB of
 * text, so that parsing takes little memory whatever the file contains. */
#define CN_SCENE_FILE_MAX_BYTES (64u << 20)
#define CN_SCENE_FILE_MAX_DEPTH 128u /* of nested nodes, and of nested prefabs */

/* On the root of the objects that were created from a prefab. */
CN_COMPONENT(CnPrefabSource, (text, path, 128));

/* A position in a file; 1-based. */
typedef struct CnFileLocation {
    int line, column;
} CnFileLocation;

/* The content of a file apart from its nodes. Texts are zero-terminated, "" where the file has
 * none. */
typedef struct CnSceneFile {
    char *name;   /* of the file, as in errors */
    char *schema; /* "$schema": JSON, exactly as in the file */
    char *id;
    char *materials; /* JSON, exactly as in the file; so is `pipelines` */
    char *pipelines;
    CnFileLocation materials_location, pipelines_location;
    CnEntity active_camera;
    uint32_t node_count;
    CnAllocator *allocator;
} CnSceneFile;
CN_API void cn_scene_file_free(CnSceneFile *file);

/* Adds all nodes of a file to the world, or none, and sets the active camera. `files` resolves
 * `path` and the paths of prefabs in the file. `file` may be NULL. */
CN_API bool cn_scene_read(CnWorld *world, CnFileSystem *files, const char *path, CnSceneFile *file,
                          CnError *error);
/* Like cn_scene_read, from memory. `name` is used in errors. `files` may be NULL if there are no
 * prefabs. */
CN_API bool cn_scene_read_text(CnWorld *world, CnFileSystem *files, const char *name, CnText text,
                               CnSceneFile *file, CnError *error);

/* Write all objects of the world. `file` supplies id, materials and pipelines; it may be NULL. A
 * file is replaced atomically; text is appended to. */
CN_API bool cn_scene_write(CnWorld *world, CnFileSystem *files, const char *path,
                           const CnSceneFile *file, CnError *error);
CN_API bool cn_scene_write_text(CnWorld *world, CnTextBuilder *text, const CnSceneFile *file,
                                CnError *error);

/* Creates objects from a prefab. Reads the file on first use and caches it. Returns null and an
 * error on failure. For code that may change structure: between ticks, in hooks, and in systems
 * that run alone. */
CN_API CnEntity cn_prefab_spawn(CnWorld *world, CnFileSystem *files, const char *path,
                                CnEntity parent, CnError *error);
/* Like cn_prefab_spawn, in a system. The returned id is valid immediately; the objects exist
 * after the flush. A system that runs in parallel with others declares cn_writes(CnObjects). */
CN_API CnEntity cn_defer_prefab(CnCommands *commands, CnFileSystem *files, const char *path,
                                CnEntity parent, CnError *error);
/* What reading and creating a prefab costs: counts that depend only on the files, not on what is
 * cached. A prefab that is contained several times counts as often. */
typedef struct CnPrefabCost {
    uint64_t text_bytes; /* of the file and of the prefabs in it */
    uint64_t objects;    /* of the prefab, and once more of each prefab in it */
} CnPrefabCost;
/* Reads a prefab unless it is cached, without creating objects, for callers that limit what others
 * may load: fails if it costs more than `limit`. Returns how many objects it creates, or 0 and an
 * error. Stores the cost up to this point in *cost, also on failure. A file that could not be read
 * because of its content is not read again until it, or the prefab in it that is wrong, has
 * changed. */
CN_API uint32_t cn_prefab_load(CnWorld *world, CnFileSystem *files, const char *path,
                               const CnPrefabCost *limit, CnPrefabCost *cost, CnError *error);
/* Returns how many objects a cached prefab creates; 0 if it has not been read yet. Stores the
 * name and the enabled flag of its root in `object`, and the root's transform in `transform`. */
CN_API uint32_t cn_prefab_root(CnWorld *world, const char *path, CnObject *object,
                               CnTransform *transform);
/* Returns the value of a component of the root of a cached prefab, valid until the next call that
 * reads or removes a prefab; NULL if it has not been read yet or has no such component with data.
 */
CN_API const void *cn_prefab_component(CnWorld *world, const char *path, CnComponent component);
/* Removes a prefab from the cache, so that the next spawn reads the file again. NULL: all
 * prefabs. */
CN_API void cn_prefab_unload(CnWorld *world, const char *path);
/* Writes an object and everything below it as a prefab, and removes this path from the cache. */
CN_API bool cn_prefab_write(CnWorld *world, CnFileSystem *files, const char *path, CnEntity object,
                            CnError *error);

/* Appends a JSON schema (draft 7) of scene and prefab files, for the components of this world. */
CN_API bool cn_scene_schema(CnWorld *world, CnTextBuilder *text, CnError *error);

CN_EXTERN_C_END

#endif
