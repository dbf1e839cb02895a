#include "type_conflict.h"

CN_COMPONENT(ClashFields, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(ClashNames, (f32, left), (f32, top));
CN_COMPONENT(ClashTag, (u64, value));
CN_COMPONENT(ClashSame, (f32, x), (text, label, 8));

typedef struct ClashOpaque {
    double values[4];
} ClashOpaque;
CN_OPAQUE(ClashOpaque);

/* The fields have other offsets than in the test. */
typedef struct ClashOffsets {
    float x, y;
} ClashOffsets;
CN_DESCRIBE(ClashOffsets, (f32, x), (f32, y));

CnEntity clash_spawn(CnWorld *world)
{
    return cn_spawn(world, cn_with(ClashFields, {1, 2, 3}));
}

const void *clash_get(const CnWorld *world, CnEntity entity)
{
    return cn_get(world, entity, ClashFields);
}

CnEntity clash_spawn_same(CnWorld *world, float x)
{
    return cn_spawn(world, cn_with(ClashSame, {x, "same"}));
}

float clash_get_same(const CnWorld *world, CnEntity entity)
{
    return cn_get(world, entity, ClashSame)->x;
}
