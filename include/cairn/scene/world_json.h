/*
 * The state of a world as JSON, and back: for people, diffs and other programs. It contains what a
 * snapshot contains (cairn/ecs/snapshot.h), described by the same field descriptions as scene
 * files. A world that is read from JSON has the same state hash as the world that was written, and
 * continues identically.
 *
 *     bool copy_world(const CnWorld *world, CnWorld *other, CnError *error)
 *     {
 *         CnTextBuilder text;
 *         cn_array_init(&text, NULL);
 *         bool ok = cn_world_to_json(world, &text, error) &&
 *                   cn_world_from_json(other, "copy", (CnText){text.items, text.count}, error);
 *         cn_array_fini(&text);
 *         return ok;
 *     }
 *
 * The text describes the components; a world registers those that it does not know. docs/formats.md
 * describes the format. Both functions must be called on the thread that owns the world.
 */
#ifndef CAIRN_SCENE_WORLD_JSON_H
#define CAIRN_SCENE_WORLD_JSON_H

#include <cairn/ecs/snapshot.h>

CN_EXTERN_C_BEGIN

/* The version that is written and read. It changes with the format and when components of the
 * engine or their fields get other names. */
#define CN_WORLD_JSON_VERSION 2u
/* The memory for the values of a text while it is read (CnJsonSize.tree_bytes). The text itself has
 * at most CN_SCENE_FILE_MAX_BYTES. */
#define CN_WORLD_JSON_MAX_TREE_BYTES (768u << 20)

/* Appends the JSON to `text` and terminates it. Must not be called in a hook or during a flush.
 * Returns false and an error when out of memory; `text` is then unchanged. */
CN_API bool cn_world_to_json(const CnWorld *world, CnTextBuilder *text, CnError *error);

/* Replaces the state of the world, like cn_world_load. Component members that the text omits are
 * zero. `name` is used in errors, which have a line and a column for errors in the text. Returns
 * false and an error when the text is invalid or memory runs out; the world is then unchanged. */
CN_API bool cn_world_from_json(CnWorld *world, const char *name, CnText text, CnError *error);

/* Creates the snapshot that the text describes, for functions that restore snapshots, such as
 * cn_sim_restore. `allocator` may be NULL (the system allocator). Returns false, an error and an
 * empty snapshot when the text is invalid or memory runs out. Free it with cn_snapshot_free.
 * Thread-safe. */
CN_API bool cn_snapshot_from_json(CnAllocator *allocator, const char *name, CnText text,
                                  CnSnapshot *snapshot, CnError *error);

CN_EXTERN_C_END

#endif
