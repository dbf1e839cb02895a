/*
 * Meshes with random damage, and bodies whose components are overwritten with anything. Nothing
 * crashes, nothing hangs, and what takes part stays within bounds. The cases come from a seed.
 */
#include "cmocka_tests.h"
#include "random.h"

#include "physics/collision_mesh_file.h"

#include <cairn/physics.h>
#include <cairn/scene/object.h>
#include <cairn/sim.h>

#include <math.h>
#include <string.h>

enum { MESHES = 20000, TICKS = 1500, BODIES = 24 };

static TestRandom random_numbers = {77};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

/* ---- Meshes ---- */

static const char mesh[] = "# a tent\nmtllib a.mtl\no Tent\nv -1.5 0 -1e0\nv 1 0 -1\nv 1 0 1\n"
                           "v -1 0 +1\nv 0 2.25 0\nvn 0 1 0\nvt 0 0\nf 1/1/1 2/2/1 3//1 4\n"
                           "f 1 2 5\nf 2 3 -1\nf 3 4 5\nf 4 1 5\n";

static size_t damage(char *text, size_t size)
{
    for (uint32_t n = 1 + below(4); n > 0 && size > 4; n--) {
        uint32_t at = below((uint32_t)size - 3);
        switch (below(5)) {
        case 0:
            text[at] = (char)below(256);
            break;
        case 1:
            text[at] = "0123456789.-+eE/ \n\tvf#"[below(22)];
            break;
        case 2:
            memmove(text + at, text + at + 1, size - at - 1);
            size--;
            break;
        case 3:
            memmove(text + at, text + below((uint32_t)size - 3), 3);
            break;
        default:
            size = at + 1;
            break;
        }
    }
    return size;
}

static void damaged_meshes_are_read_or_refused(void **state)
{
    (void)state;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < MESHES; i++) {
        /* On the heap and of its size, so that reading beyond it is seen. */
        char copy[sizeof mesh];
        memcpy(copy, mesh, sizeof mesh);
        size_t size = damage(copy, sizeof mesh - 1);
        char *exact = cn_alloc(NULL, size);
        memcpy(exact, copy, size);
        CniPhysicsTriangles triangles;
        CnError error = {0};
        cni_physics_triangles_init(&triangles, NULL);
        bool read = cni_physics_mesh_parse(&triangles, "m", (CnText){exact, size}, &error);
        assert_true(read == (error.code == CN_OK));
        for (uint32_t c = 0; c < triangles.corners.count; c++)
            assert_true(fabsf(triangles.corners.items[c]) <= 1e5f);
        for (uint32_t c = 0; c < triangles.indices.count; c++)
            assert_true(triangles.indices.items[c] < triangles.corners.count / 3);
        taken += read;
        cni_physics_triangles_fini(&triangles);
        cn_free(NULL, exact, size);
    }
    assert_in_range(taken, 500, MESHES - 500);
}

/* ---- Bodies ---- */

static float any_float(void)
{
    static const float odd[] = {0,        -0.0f, 1,     -1,   .5f,       1e-30f, -1e30f,
                                INFINITY, NAN,   1e38f, 1e6f, 9999999.f, 1e-6f,  3};
    return below(3) ? (float)below(2000) / 100 - 10 : odd[below(CN_COUNT_OF(odd))];
}

static void write_floats(void *at, uint32_t count)
{
    float *floats = at;
    floats[below(count)] = any_float();
}

static void disturb(CnWorld *world, CnEntity body)
{
    CnTransform *transform = cn_get_mut(world, body, CnTransform);
    CnRigidbody *rigid = cn_get_mut(world, body, CnRigidbody);
    CnBodyState *state = cn_get_mut(world, body, CnBodyState);
    switch (below(8)) {
    case 0:
        write_floats(transform, sizeof *transform / sizeof(float));
        break;
    case 1:
        *transform = CN_TRANSFORM_IDENTITY;
        transform->position = cn_vec3(any_float(), (float)below(20), any_float());
        break;
    case 2:
        write_floats(&rigid->half_extents, 11);
        break;
    case 3:
        *rigid = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_BOX);
        rigid->kind = (uint8_t)below(5);
        rigid->shape = (uint8_t)below(5);
        break;
    case 4:
        state->velocity[below(3)] = (double)any_float();
        state->angular_velocity[below(3)] = (double)any_float();
        break;
    case 5:
        cn_body_add_force_at(world, body, cn_vec3(any_float(), any_float(), any_float()),
                             cn_vec3(any_float(), any_float(), any_float()));
        break;
    case 6:
        state->position[below(3)] = (double)any_float();
        state->rotation[below(4)] = (double)any_float();
        break;
    default:
        cn_object_set_enabled(world, body, below(3) != 0);
        break;
    }
}

static void ask(CnWorld *world)
{
    CnRaycastHit hits[3];
    CnRaycastQuery ray = {.origin = {any_float(), any_float(), any_float()},
                          .direction = {any_float(), any_float(), any_float()},
                          .distance = any_float()};
    CnShapeQuery shape = {.shape = (CnShapeKind)below(3),
                          .position = {any_float(), any_float(), any_float()},
                          .rotation = {any_float(), any_float(), any_float(), any_float()},
                          .half_extents = {any_float(), any_float(), any_float()},
                          .radius = any_float(),
                          .height = any_float()};
    cn_physics_raycast_all(world, &ray, hits, 3);
    cn_physics_overlap(world, &shape, NULL, 0);
    cn_physics_sweep(world, &shape, cn_vec3(any_float(), any_float(), any_float()), hits);
}

static void bodies_with_any_values_do_no_harm(void **state)
{
    (void)state;
    CnError error = {0};
    CnEntity bodies[BODIES];
    CnPlugin plugin = cn_physics_plugin(NULL);
    CnSim *sim = cn_sim_create(NULL, &error);
    CnWorld *world = cn_sim_world(sim);
    assert_true(cn_sim_add_plugin(sim, &plugin, &error));
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < BODIES; i++) {
        CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, (CnShapeKind)below(3));
        bodies[i] = cn_object(world, "Body", .parent = i % 4 == 3 ? bodies[i - 1] : CN_NO_PARENT);
        cn_set_component(world, bodies[i], cn_id(world, CnRigidbody), &body);
    }
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        disturb(world, bodies[below(BODIES)]);
        if (below(3) == 0)
            ask(world);
        assert_true(cn_sim_tick_n(sim, 1, &error));
        for (uint32_t i = 0; i < BODIES; i++) {
            const CnBodyState *body = cn_get(world, bodies[i], CnBodyState);
            if (body->settings_hash && !body->asleep && cn_object_is_active(world, bodies[i]))
                for (int axis = 0; axis < 3; axis++)
                    assert_true(fabs(body->position[axis]) <= 1e6 &&
                                fabs(body->velocity[axis]) <= 1e4);
        }
    }
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_meshes_are_read_or_refused),
        cmocka_unit_test(bodies_with_any_values_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
