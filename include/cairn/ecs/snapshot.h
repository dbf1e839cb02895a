/*
 * The state of a world as bytes, and as a hash.
 *
 *     CnSnapshot snapshot;
 *     cn_world_save(world, &snapshot, &error);
 *     ...
 *     cn_world_load(other, snapshot.bytes, snapshot.size, &error);
 *     cn_world_hash(other) == cn_world_hash(world);      // true
 *     cn_snapshot_free(&snapshot);
 *
 * Saved are entities with their generations and free slots, components, pairs, the order of rows
 * and archetypes, and resources, so that a loaded world goes on exactly as the saved one would.
 * Not saved: systems, queries, hooks, events, pending commands, and what is transient or opaque.
 * Components are matched by name; a field that the data lacks gets its default, one that the
 * program lacks is ignored, one whose type differs is an error. A failed load changes nothing.
 */
#ifndef CAIRN_ECS_SNAPSHOT_H
#define CAIRN_ECS_SNAPSHOT_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef struct CnSnapshot {
    uint8_t *bytes;
    size_t size;
    CnAllocator *allocator;
    size_t capacity;
} CnSnapshot;

/* Memory from the world's allocator. */
CN_API bool cn_world_save(const CnWorld *world, CnSnapshot *snapshot, CnError *error);
CN_API void cn_snapshot_free(CnSnapshot *snapshot);
/* Replaces all entities and resources. Components the world does not know are registered from the
 * data. Hooks are not called. */
CN_API bool cn_world_load(CnWorld *world, const void *bytes, size_t size, CnError *error);

/* Over all saved state, by names and fields, never by padding or addresses: the same on every
 * machine, compiler and SIMD path. */
CN_API uint64_t cn_world_hash(const CnWorld *world);
/* The part of one component, to find which one differs. */
CN_API uint64_t cn_world_hash_component(const CnWorld *world, CnComponent component);

CN_EXTERN_C_END

#endif
