/* What tests of cameras share: a world with them on a heap that counts, and random ones. */
#ifndef CAIRN_TESTS_UNIT_SCENE_CAMERA_FIXTURE_H
#define CAIRN_TESTS_UNIT_SCENE_CAMERA_FIXTURE_H

#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>

#include <math.h>
#include <string.h>

static CnHeap *heap;
static CnWorld *world;

static inline int make_eyes(void **state)
{
    (void)state;
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    return world && cn_input_add(world, NULL) && cn_scene_add(world, NULL) ? 0 : -1;
}

static inline int drop_eyes(void **state)
{
    (void)state;
    cn_world_destroy(world);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    return live == 0 ? 0 : -1;
}

static inline CnEntity make_eye(const char *name)
{
    CnEntity eye = cn_object(world, name);
    assert_true(cn_add(world, eye, CnCamera));
    return eye;
}

static inline float random_float(TestRandom *random, float least, float most)
{
    return least + (most - least) * (float)test_random_unit(random);
}

static inline CnVec3 random_vec3(TestRandom *random, float size)
{
    float x = random_float(random, -size, size), y = random_float(random, -size, size);
    return cn_vec3(x, y, random_float(random, -size, size));
}

/* Of either kind, somewhere, turned, a bit larger or smaller, under a parent that is turned too. */
static inline CnEntity random_eye(TestRandom *random)
{
    CnEntity rig = cn_object(world, "Rig");
    CnEntity eye = cn_object(world, "Eye", .parent = rig);
    CnTransform transforms[2];
    for (int i = 0; i < 2; i++) {
        transforms[i].position = random_vec3(random, 20);
        transforms[i].rotation = cn_quat_from_euler(random_vec3(random, 180));
        float size = random_float(random, 0.5f, 2);
        transforms[i].scale = cn_vec3(size, size, size);
    }
    cn_set_component(world, rig, cn_id(world, CnTransform), &transforms[0]);
    cn_set_component(world, eye, cn_id(world, CnTransform), &transforms[1]);
    float near_plane = random_float(random, 0.1f, 2);
    CnCamera camera = {.projection = (uint8_t)test_random_below(random, 2),
                       .fov = random_float(random, 20, 120),
                       .height = random_float(random, 1, 30),
                       .near_plane = near_plane,
                       .far_plane = near_plane + random_float(random, 5, 200),
                       .aspect = random_float(random, 0.5f, 2.5f)};
    cn_set_component(world, eye, cn_id(world, CnCamera), &camera);
    return eye;
}

#endif
