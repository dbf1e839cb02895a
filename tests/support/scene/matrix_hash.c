#include "matrix_hash.h"

#include <string.h>

static uint64_t fold(uint64_t hash, const void *bits, size_t bytes)
{
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t word;
        memcpy(&word, (const char *)bits + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

#define FOLD(hash, value) fold((hash), &(value), sizeof(value))

uint64_t hash_passed_matrices(CnWorld *world)
{
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnWorldTransform)}}, NULL);
    uint64_t hash = 1;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnWorldTransform *column = cn_column_const(&view, CnWorldTransform);
        for (uint32_t i = 0; i < view.count; i++)
            hash = FOLD(hash, column[i].matrix);
    }
    return hash;
}

static uint64_t add_peeked(CnWorld *world, CnEntity object, uint64_t hash)
{
    CnAffine matrix = cn_transform_world_affine_peek(world, object);
    return FOLD(hash, matrix);
}

static uint64_t add_read(CnWorld *world, CnEntity object, uint64_t hash)
{
    CnAffine matrix = cn_transform_world_affine(world, object);
    return FOLD(hash, matrix);
}

static uint64_t add_derived(CnWorld *world, CnEntity object, uint64_t hash)
{
    CnAffine inverse = cn_transform_world_to_local(world, object);
    CnQuat rotation = cn_transform_world_rotation(world, object);
    CnVec3 scale = cn_transform_world_scale(world, object);
    hash = FOLD(hash, inverse);
    hash = FOLD(hash, rotation);
    return FOLD(hash, scale);
}

static uint64_t hash_each(CnWorld *world, uint32_t step,
                          uint64_t (*add)(CnWorld *, CnEntity, uint64_t))
{
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnTransform)}}, NULL);
    uint64_t hash = 1;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i += step)
            hash = add(world, view.entities[i], hash);
    return hash;
}

uint64_t hash_peeked_matrices(CnWorld *world)
{
    return hash_each(world, 1, add_peeked);
}

uint64_t hash_read_matrices(CnWorld *world)
{
    return hash_each(world, 1, add_read);
}

uint64_t hash_derived(CnWorld *world)
{
    CnEntity camera = cn_camera_find(world);
    CnCameraMatrices matrices = cn_camera_matrices(world, camera);
    CnRay ray = cn_camera_ray(world, camera, 0.2f, 0.7f);
    CnFrustum frustum = cn_camera_frustum(world, camera);
    uint64_t hash = hash_each(world, 8, add_derived);
    hash = FOLD(hash, matrices.projection);
    hash = FOLD(hash, matrices.view);
    hash = FOLD(hash, matrices.view_projection);
    hash = FOLD(hash, ray);
    return FOLD(hash, frustum);
}
