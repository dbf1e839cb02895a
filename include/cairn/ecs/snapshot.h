/*
 * The state of a world as bytes, and its hash.
 *
 *     CnSnapshot snapshot;
 *     if (cn_world_save(world, &snapshot, &error) &&
 *         cn_world_load(other, snapshot.bytes, snapshot.size, &error))
 *         CN_ASSERT(cn_world_hash(other) == cn_world_hash(world), "equal state, equal hash");
 *     cn_snapshot_free(&snapshot);
 *
 * A snapshot contains entities with their generations and free slots, components, pairs, the order
 * of rows and archetypes, and resources. A loaded world therefore continues exactly as the saved
 * one would, in a program that registers the same components and creates the same command buffers.
 * It does not contain systems, queries, hooks, events, pending commands, and transient or opaque
 * components. Rows that differ only in components that are not saved are loaded into one archetype,
 * in order of creation; a world in which only some entities have a transient component may
 * therefore continue with rows in a different order. For a derived component
 * (CN_COMPONENT_DERIVED), a snapshot contains which entities have it.
 *
 * Components are matched by name. A field that the data lacks gets its default, a field that the
 * program lacks is ignored, and a field of a different type is an error. Texts are saved up to
 * their terminator and as far as they are valid UTF-8.
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

/* Saves the state of a world, in memory of the world's allocator. Pending commands are not saved,
 * and the ids that they reserved are free in the data. Returns false and an empty snapshot when out
 * of memory or in a hook. */
CN_API bool cn_world_save(const CnWorld *world, CnSnapshot *snapshot, CnError *error);
CN_API void cn_snapshot_free(CnSnapshot *snapshot);

/* Replaces all entities, pairs and saved resources, and discards pending commands. Hooks are not
 * called. Queries remain and match the loaded entities, all of which count as changed. An existing
 * resource keeps its address, one that the data lacks is removed, and a transient one is unchanged.
 * Components that the world does not know are registered from the data, with packed layout. Pairs
 * keep their ids if these are free; call cn_pair_find again. Must not be called in a hook or a
 * system.
 *
 * Invalid data and data that does not fit change nothing; the error describes the problem and its
 * byte offset. When out of memory (CN_ERROR_MEMORY), there are two cases, which the message
 * distinguishes: before anything is replaced, the world is unchanged, except that components of the
 * data may be registered; after that, the world has no entities, pairs and pending commands, like a
 * new one, but keeps its registrations, queries, systems and resources (except those of pairs). */
CN_API bool cn_world_load(CnWorld *world, const void *bytes, size_t size, CnError *error);

/* Returns how often the entities were replaced by loading. Data kept outside of the world, such as
 * an index maintained by hooks, is out of date when this number changes. */
CN_API uint32_t cn_world_load_count(const CnWorld *world);

/* Returns an XXH3 hash of all saved state. It covers names and fields, never padding or addresses,
 * so it is the same on every machine and with every compiler and SIMD path. Allocates nothing.
 *
 * The hash covers the entity slots (generations, and free slots in the order in which they will be
 * used), then the archetypes with rows in order of creation, then the resources in order of
 * creation. Archetypes that differ only in components that are not saved count as one; it takes the
 * position of the first of them that has rows (the archetype without components comes before all
 * others) and contains their rows in sequence. An archetype contributes its entities and the sum of
 * the hashes of its components, each computed from name, fields, pair target and values in row
 * order. Neither layout nor order of registration matters. */
CN_API uint64_t cn_world_hash(const CnWorld *world);
/* Returns the hash of one component, to find the one that differs: the entities that have it in
 * their order, their values, and the resource; for a kind of pairs, also those of its pairs. 0 for
 * components that are not saved. */
CN_API uint64_t cn_world_hash_component(const CnWorld *world, CnComponent component);
/* Returns a hash of the live entities in order of archetypes and rows. */
CN_API uint64_t cn_world_hash_entities(const CnWorld *world);

/* ---- Which entity differs ---- */

/* A summary of a component in a world. Two summaries identify a single entity that differs. Each
 * entity that has the component contributes a hash h of its id and value, and x, its index + 1; the
 * sums are those of h, h * x and h * x * x, modulo 2^61 - 1. Neither row order nor layout
 * matters. */
typedef struct CnFingerprint {
    uint64_t count; /* entities; for a kind of pairs, its pairs on entities */
    uint64_t sums[3];
    uint64_t resource; /* a hash; 0 if there is none */
} CnFingerprint;

/* Computes the fingerprint of a component: all zeros if it is not saved. A kind of pairs includes
 * its pairs. For the null component, computes the fingerprint of the live entities. */
CN_API void cn_world_fingerprint_component(const CnWorld *world, CnComponent component,
                                           CnFingerprint *fingerprint);
static inline bool cn_fingerprint_equal(const CnFingerprint *a, const CnFingerprint *b)
{
    return a->count == b->count && a->sums[0] == b->sums[0] && a->sums[1] == b->sums[1] &&
           a->sums[2] == b->sums[2] && a->resource == b->resource;
}
/* Returns true and the index of the entity if two fingerprints differ in exactly one entity: in its
 * value, its generation, or whether it exists. A difference in two entities is never reported as
 * one; for more, the probability is below 2^-60. */
CN_API bool cn_fingerprint_locate(const CnFingerprint *a, const CnFingerprint *b, uint32_t *index);
/* Returns the live entity with this index, or null. */
CN_API CnEntity cn_entity_at(const CnWorld *world, uint32_t index);

CN_EXTERN_C_END

#endif
