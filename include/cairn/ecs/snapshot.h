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
 * and archetypes, and resources, so that a loaded world goes on exactly as the saved one would, in
 * a program that registers the same components and makes the same command buffers. Not saved:
 * systems, queries, hooks, events, pending commands, and what is transient or opaque. Rows that
 * differ only in what is not saved come to lie in one archetype, in order of creation: a world in
 * which only some have a transient component may go on with rows in another order. Of a derived
 * component (CN_COMPONENT_DERIVED) is saved who has it.
 *
 * Components are matched by name; a field that the data lacks gets its default, one that the
 * program lacks is ignored, one whose type differs is an error. Texts are saved up to their
 * terminator and as far as they are UTF-8.
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

/* Memory from the world's allocator. Commands that wait are not saved: the ids they promise are
 * free in the data. False and an empty snapshot when out of memory, or in a hook. */
CN_API bool cn_world_save(const CnWorld *world, CnSnapshot *snapshot, CnError *error);
CN_API void cn_snapshot_free(CnSnapshot *snapshot);

/* Replaces all entities, pairs and saved resources, and drops waiting commands. Hooks are not
 * called. Queries stay and match what was loaded, all of which counts as changed. A resource that
 * was there keeps its address, one that the data lacks is removed, one that is transient stays as
 * it is. Components the world does not know are registered from the data, packed. Pairs get the ids
 * they had where these are free; ask cn_pair_find again. Not in a hook, not in a system.
 *
 * Data that is bad or does not fit changes nothing, and the error says what and at which byte. Out
 * of memory (CN_ERROR_MEMORY) there are two cases: before anything is replaced, the world stays as
 * it was, except that components of the data may be registered; after that, it is left without
 * entities, pairs and waiting commands, as if new, but with its registrations, queries, systems and
 * resources (but those of pairs). The message says which. */
CN_API bool cn_world_load(CnWorld *world, const void *bytes, size_t size, CnError *error);

/* How often the entities were replaced by loading: what is kept beside the world, such as an index
 * that hooks feed, is out of date when this is another number. */
CN_API uint32_t cn_world_load_count(const CnWorld *world);

/* XXH3 over all saved state, by names and fields, never by padding or addresses: the same on every
 * machine, compiler and SIMD path. It takes no memory.
 *
 * It has the slots of entities (generations, free ones in the order in which they will be used),
 * then archetypes with rows in order of creation, then resources in order of creation. Archetypes
 * that differ only in what is not saved count as one, which stands where the first of them that
 * has rows does (the one without components before all others) and has the rows of each in turn.
 * An archetype has its entities and, added up, the hashes of its components, each from name,
 * fields, pair target and values in order of rows; so neither layout nor order of registration
 * matters. */
CN_API uint64_t cn_world_hash(const CnWorld *world);
/* The part of one component, to find which one differs: which entities have it in which order,
 * their values, and the resource; for a kind of pairs, also these of its pairs. 0 for what is not
 * saved. */
CN_API uint64_t cn_world_hash_component(const CnWorld *world, CnComponent component);
/* Which entities there are, in order of archetypes and rows. */
CN_API uint64_t cn_world_hash_entities(const CnWorld *world);

/* ---- Which entity differs ---- */

/* What a component is in a world, such that from two of them a single entity that differs can be
 * told. Each entity that has the component gives a hash h of its id and value, and x, its index +
 * 1; the sums are those of h, h * x and h * x * x, modulo 2^61 - 1. So neither the order of rows
 * nor layouts matter. */
typedef struct CnFingerprint {
    uint64_t count; /* of entities; of a kind of pairs, of its pairs on entities */
    uint64_t sums[3];
    uint64_t resource; /* a hash; 0: there is none */
} CnFingerprint;

/* All zeros for what is not saved. A kind of pairs includes its pairs. The null component: which
 * entities there are. */
CN_API void cn_world_fingerprint_component(const CnWorld *world, CnComponent component,
                                           CnFingerprint *fingerprint);
static inline bool cn_fingerprint_equal(const CnFingerprint *a, const CnFingerprint *b)
{
    return a->count == b->count && a->sums[0] == b->sums[0] && a->sums[1] == b->sums[1] &&
           a->sums[2] == b->sums[2] && a->resource == b->resource;
}
/* True, and the index of the entity, when the two differ in exactly one: in its value, its
 * generation or whether it is there. Two that differ are never taken for one; for more, the odds
 * are below 2^-60. */
CN_API bool cn_fingerprint_locate(const CnFingerprint *a, const CnFingerprint *b, uint32_t *index);
/* The live entity with this index, or null. */
CN_API CnEntity cn_entity_at(const CnWorld *world, uint32_t index);

CN_EXTERN_C_END

#endif
