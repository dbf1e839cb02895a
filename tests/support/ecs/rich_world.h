/*
 * A world that covers everything a snapshot can contain: all types of fields, both layouts,
 * padding, texts, tags, pairs with and without data, a tree, free and retired slots, pages that
 * command buffers skipped, empty archetypes, resources, and components that are not saved.
 *
 *     CnWorld *world = rich_world_create(allocator);      // always the same steps
 */
#ifndef CAIRN_TESTS_SUPPORT_ECS_RICH_WORLD_H
#define CAIRN_TESTS_SUPPORT_ECS_RICH_WORLD_H

#include <cairn/ecs.h>

CN_COMPONENT(RichPosition, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(RichParticle, (vec3, place), (quat, turn), (u8, kind), (f64, age));
CN_COMPONENT(RichPadded, (u8, small), (u64, large), (i16, middle));
CN_COMPONENT(RichLabel, (text, text, 12), (u16, size));
CN_COMPONENT(RichAll, (f32, a), (f64, b), (i8, c), (i16, d), (i32, e), (i64, f), (u8, g), (u16, h),
             (u32, i), (u64, j), (bool, k, 3), (entity, l), (vec2, m), (vec3, n), (vec4, o),
             (quat, p), (mat4, q), (text, r, 5), (u16, s, 7));
CN_COMPONENT(RichLikes, (f32, how_much));
CN_TAG(RichKnows);
CN_TAG(RichFrozen);
CN_COMPONENT(RichCache, (u32, value)); /* transient */
typedef struct RichSocket {
    int number;
} RichSocket;
CN_OPAQUE(RichSocket);
CN_COMPONENT(RichSettings, (u32, seed), (text, title, 20), (bool, is_hard));
CN_COMPONENT(RichClock, (u64, tick));

/* Registers all of these components in this order. Returns false when out of memory. */
bool rich_world_register(CnWorld *world);
/* NULL when out of memory. */
CnWorld *rich_world_create(CnAllocator *allocator);
/* Fills an empty world. Returns false when out of memory. */
bool rich_world_fill(CnWorld *world);

#endif
