/*
 * The state of a world as JSON, and back: for people, diffs and other programs. It holds what a
 * snapshot holds (cairn/ecs/snapshot.h), by the same field descriptions as scene files, so that the
 * world that is read has the state hash of the one that was written and continues alike.
 *
 *     cn_world_to_json(world, &text, &error);
 *     cn_world_from_json(other, "world.json", (CnText){text.items, text.count}, &error);
 *
 * Components are described in the text: a world that does not know one registers it. docs/formats.md
 * has the format. Both functions belong to the thread that owns the world.
 */
#ifndef CAIRN_SCENE_WORLD_JSON_H
#define CAIRN_SCENE_WORLD_JSON_H

#include <cairn/ecs/snapshot.h>

CN_EXTERN_C_BEGIN

/* Appends the text to `text`, terminated behind its end. Not in a hook or during a flush. Returns
 * false and an error when out of memory; `text` is then as it was. */
CN_API bool cn_world_to_json(const CnWorld *world, CnTextBuilder *text, CnError *error);

/* Replaces the state of the world, as cn_world_load does. A member of a component that the text does
 * not name is zero. `name` is for errors, which have line and column where the text itself is wrong.
 * Returns false and an error when the text is wrong or memory is out; the world is then as it was. */
CN_API bool cn_world_from_json(CnWorld *world, const char *name, CnText text, CnError *error);

/* Makes the snapshot that the text describes, for functions that restore one (cn_sim_restore). Memory
 * comes from `allocator`; NULL selects the system's. Returns false, an error and an empty snapshot when
 * the text is wrong or memory is out. Free it with cn_snapshot_free. Any thread. */
CN_API bool cn_snapshot_from_json(CnAllocator *allocator, const char *name, CnText text,
                                  CnSnapshot *snapshot, CnError *error);

CN_EXTERN_C_END

#endif
