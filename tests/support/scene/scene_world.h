/*
 * A world with the components of scene files and a few custom ones, for tests of files.
 *
 *     CnWorld *world = scene_world_create(NULL);
 */
#ifndef CAIRN_TESTS_SUPPORT_SCENE_SCENE_WORLD_H
#define CAIRN_TESTS_SUPPORT_SCENE_SCENE_WORLD_H

#include <cairn/ecs.h>
#include <cairn/scene/file.h>

/* One field of every type. */
CN_COMPONENT(SceneEvery, (f32, f32_value), (f64, f64_value), (i8, i8_value), (i16, i16_value),
             (i32, i32_value), (i64, i64_value), (u8, u8_value), (u16, u16_value), (u32, u32_value),
             (u64, u64_value), (bool, bool_value), (entity, entity_value), (vec2, vec2_value),
             (vec3, vec3_value), (vec4, vec4_value), (quat, quat_value), (mat4, mat4_value),
             (text, text_value, 16), (u16, list, 4), (vec2, corners, 2), (entity, friends, 2));

/* Reflected as "LampComponent", with every option of the tables. */
CN_COMPONENT(SceneLamp, (u8, kind), (f32, power), (f32, radius), (vec3, size), (quat, turn),
             (u32, secret));
/* With nested structs. */
CN_STRUCT(SceneRange, (f32, lo), (f32, hi));
CN_STRUCT(SceneSlot, (u16, item), (struct, SceneRange, wear));
CN_COMPONENT(SceneNested, (struct, SceneRange, spread), (struct, SceneSlot, slots, 3), (f32, heat));
CN_TAG(SceneMarked);
CN_COMPONENT(SceneLink, (entity, target), (f32, strength));
/* Omitted from files: transient, and hidden. */
CN_COMPONENT(ScenePassing, (f32, value));
CN_COMPONENT(SceneEngineState, (f32, value));

/* NULL when out of memory; `allocator` may be NULL. */
CnWorld *scene_world_create(CnAllocator *allocator);

#endif
