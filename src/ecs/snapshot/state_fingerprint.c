#include "ecs/snapshot/snapshot_format.h"

/* Hashing a few bytes costs less than a call. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#define PRIME ((1ull << 61) - 1)

typedef unsigned __int128 Wide;

/* Not reduced: the sum of 2^32 terms below 2^94 fits. */
typedef struct Sums {
    Wide plain, once, twice;
    uint64_t count;
    uint64_t key; /* of the pair being added; 0 if none */
} Sums;

/* ---- Arithmetic modulo 2^61 - 1: bits above 61 are added to those below ---- */

static uint64_t reduce(Wide value)
{
    uint64_t sum =
        (uint64_t)(value & PRIME) + (uint64_t)((value >> 61) & PRIME) + (uint64_t)(value >> 122);
    sum = (sum & PRIME) + (sum >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return reduce((Wide)a * b);
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

/* Returns a^(PRIME - 2), the inverse by Fermat's little theorem. */
static uint64_t invert(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t power = PRIME - 2; power; power >>= 1) {
        if (power & 1)
            result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

/* ---- Rows ---- */

static inline __attribute__((always_inline)) void add_row(Sums *sums, CnEntity entity,
                                                          const uint8_t *value, size_t size)
{
    /* Ids are small numbers, which make poor seeds. */
    uint64_t hash =
        XXH3_64bits_withSeed(value, size, (entity.id ^ sums->key) * 0x9e3779b97f4a7c15u);
    uint64_t h = (hash & PRIME) + (hash >> 61);
    uint64_t x = (uint64_t)cn_entity_index(entity) + 1;
    /* Indices are below CN_MAX_ENTITIES: x * x fits. */
    Wide square = (Wide)h * (x * x);
    sums->plain += h;
    sums->once += (Wide)h * x;
    sums->twice += ((uint64_t)square & PRIME) + (square >> 61);
}

static inline __attribute__((always_inline)) void
add_sized(Sums *sums, const CnEntity *entities, const uint8_t *values, size_t size, uint32_t count)
{
    Sums own = *sums;
    for (uint32_t i = 0; i < count; i++)
        add_row(&own, entities[i], values + i * size, size);
    own.count += count;
    *sums = own;
}

/* Frequent sizes have loops of their own. */
static void add_rows(Sums *sums, const CnEntity *entities, const uint8_t *values, size_t size,
                     uint32_t count)
{
    switch (size) {
    case 0:
        add_sized(sums, entities, values, 0, count);
        break;
    case 4:
        add_sized(sums, entities, values, 4, count);
        break;
    case 8:
        add_sized(sums, entities, values, 8, count);
        break;
    case 12:
        add_sized(sums, entities, values, 12, count);
        break;
    case 16:
        add_sized(sums, entities, values, 16, count);
        break;
    case 24:
        add_sized(sums, entities, values, 24, count);
        break;
    case 32:
        add_sized(sums, entities, values, 32, count);
        break;
    default:
        add_sized(sums, entities, values, size, count);
    }
}

static uint32_t field_bytes(const CnComponentInfo *info)
{
    uint32_t bytes = 0;
    for (uint32_t f = 0; f < info->field_count; f++)
        bytes += info->fields[f].size;
    return bytes;
}

/* Adds values through a buffer, each as its fields in order of description, without padding. */
static void add_gathered(Sums *sums, const CnComponentInfo *info, const CniEcsChunk *chunk,
                         const CniEcsColumn *column)
{
    uint8_t buffer[CN_MAX_COMPONENT_BYTES];
    const CnEntity *entities = cni_ecs_chunk_entities(chunk);
    uint32_t bytes = field_bytes(info);
    uint32_t batch = bytes < 8192 ? 8192 / bytes : 1;
    for (uint32_t row = 0; row < chunk->count; row += batch) {
        uint32_t rows = chunk->count - row < batch ? chunk->count - row : batch, offset = 0;
        for (uint32_t f = 0; f < info->field_count; f++) {
            const CnField *field = &info->fields[f];
            CniEcsFieldColumn from = cni_ecs_field_column(chunk, column, field);
            cni_ecs_field_copy(field->type, field->size, buffer + offset, bytes,
                               from.first + row * from.step, from.step, rows);
            offset += field->size;
        }
        add_rows(sums, entities + row, buffer, bytes, rows);
    }
}

/* If `component` is NULL, adds the entities only. */
static void add_chunk(Sums *sums, const CniEcsArchetype *archetype, const CniEcsChunk *chunk,
                      uint32_t id, const CniEcsComponent *component)
{
    const CnEntity *entities = cni_ecs_chunk_entities(chunk);
    if (!component || !component->info.field_count) {
        add_rows(sums, entities, NULL, 0, chunk->count);
        return;
    }
    const CniEcsColumn *column = cni_ecs_archetype_column(archetype, id);
    if (column->field_count <= 1 && cni_ecs_component_has_no_padding(component))
        add_rows(sums, entities, cni_ecs_column_values(chunk, column), component->info.size,
                 chunk->count);
    else
        add_gathered(sums, &component->info, chunk, column);
}

static void add_archetype(Sums *sums, const CnWorld *world, const CniEcsArchetype *archetype,
                          uint32_t id, const CniEcsComponent *component)
{
    for (uint32_t i = 0; i < archetype->head.chunk_count; i++)
        add_chunk(sums, archetype, &world->chunks.items[archetype->head.chunk_ids[i]], id,
                  component);
}

/* A kind of pairs includes the rows of all its pairs. */
static void add_component(Sums *sums, const CnWorld *world, uint32_t id)
{
    const CniEcsComponent *component = &world->components.items[id];
    if (!cni_ecs_component_is_saved(world, id))
        return;
    sums->key = cn_hash_mix(component->info.pair_target.id);
    for (uint32_t i = 0; i < component->archetypes.count; i++)
        add_archetype(sums, world, component->archetypes.items[i].archetype, id, component);
    for (uint32_t pair = cn_bitset_next(&component->pairs, 0); pair != CN_BITSET_NONE;
         pair = cn_bitset_next(&component->pairs, pair + 1))
        add_component(sums, world, pair);
}

static void add_entities(Sums *sums, const CnWorld *world)
{
    for (uint32_t i = 0; i < world->archetypes.count; i++)
        add_archetype(sums, world, world->archetypes.items[i], 0, NULL);
}

static uint64_t hash_resource(const CniEcsComponent *component)
{
    uint8_t buffer[CN_MAX_COMPONENT_BYTES];
    uint32_t offset = 0;
    for (uint32_t f = 0; f < component->info.field_count; f++) {
        const CnField *field = &component->info.fields[f];
        cni_ecs_field_copy(field->type, field->size, buffer + offset, field->size,
                           (const uint8_t *)component->resource + field->offset, field->size, 1);
        offset += field->size;
    }
    uint64_t hash = XXH3_64bits(buffer, offset);
    return hash ? hash : 1;
}

void cn_world_fingerprint_component(const CnWorld *world, CnComponent id,
                                    CnFingerprint *fingerprint)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(fingerprint, "%s: fingerprint is NULL", __func__);
    Sums sums = {0};
    const CniEcsComponent *component = cni_ecs_component_get(world, id.id);
    *fingerprint = (CnFingerprint){0};
    if (!id.id)
        add_entities(&sums, world);
    else if (component)
        add_component(&sums, world, id.id);
    fingerprint->count = sums.count;
    fingerprint->sums[0] = reduce(sums.plain);
    fingerprint->sums[1] = reduce(sums.once);
    fingerprint->sums[2] = reduce(sums.twice);
    if (component && component->resource && cni_ecs_component_is_saved(world, id.id))
        fingerprint->resource = hash_resource(component);
}

/* ---- Differences ---- */

/* One entity that differs by d at x yields the differences d, d * x and d * x * x. For two
 * entities, the first times the third minus the square of the second is d1 * d2 * (x1 - x2)^2,
 * which is not 0 modulo a prime. */
bool cn_fingerprint_locate(const CnFingerprint *a, const CnFingerprint *b, uint32_t *index)
{
    CN_ASSERT(a, "%s: a is NULL", __func__);
    CN_ASSERT(b, "%s: b is NULL", __func__);
    CN_ASSERT(index, "%s: index is NULL", __func__);
    uint64_t difference[3];
    for (uint32_t i = 0; i < 3; i++)
        difference[i] = subtract(a->sums[i] % PRIME, b->sums[i] % PRIME);
    if (!difference[0])
        return false;
    uint64_t x = multiply(difference[1], invert(difference[0]));
    if (!x || x > CN_MAX_ENTITIES || multiply(difference[1], x) != difference[2])
        return false;
    *index = (uint32_t)(x - 1);
    return true;
}

CnEntity cn_entity_at(const CnWorld *world, uint32_t index)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (index / CNI_ECS_PAGE_SLOTS >= world->head.page_count)
        return (CnEntity){0};
    uint32_t generation = cni_ecs_world_slot(world, index)->generation;
    return generation & 1u ? cn_entity_make(index, generation) : (CnEntity){0};
}
