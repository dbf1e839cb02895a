/* Bodies from scripts: forces, velocities, rays, shapes, collisions. */
#include "script_checks.h"

static int make_trusted_bodies(void **state)
{
    (void)state;
    return script_world_init(&w, &(ScriptWorldDesc){.physics = true}) ? 0 : -1;
}

static int make_boxed_bodies(void **state)
{
    (void)state;
    return script_world_init(&w, &(ScriptWorldDesc){.physics = true, .sandboxed = true}) ? 0 : -1;
}

#define BODIES(test)                                                                               \
    {#test " (trusted)", test, make_trusted_bodies, drop, NULL},                                   \
    {                                                                                              \
#test " (sandboxed)", test, make_boxed_bodies, drop, NULL                                  \
    }

static void velocity_is_written_and_moves_the_body(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("local b = getObject('Ball') b.velocity = Vec3(6, 0, 0) return b.velocity",
          "Vec3(6, 0, 0)");
    script_tick(&w, 10);
    assert_true(cn_transform_world_position(w.world, w.ball).x > .9f);
}

static void angular_velocity_is_written_and_read(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("local b = getObject('Ball') b.angularVelocity = Vec3(0, 3, 0) "
          "return b.angularVelocity",
          "Vec3(0, 3, 0)");
}

static void spin_is_accepted_for_angular_velocity(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("local b = getObject('Ball') b.spin = Vec3(0, 3, 0) return b.angularVelocity",
          "Vec3(0, 3, 0)");
    check("return getObject('Ball').spin", "Vec3(0, 3, 0)");
}

static void an_impulse_changes_the_velocity_by_its_mass(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("getObject('Ball'):addImpulse(Vec3(4, 0, 0))", "");
    script_tick(&w, 1);
    float x = cn_body_velocity(w.world, w.ball).x;
    assert_true(x > 1.9f && x < 2.1f);
}

static void forces_and_torques_push(void **state)
{
    (void)state;
    CnEntity object = check_script("function on_fixedupdate() local b = getObject('Ball') "
                                   "b:addForce(Vec3(100, 0, 0)) b:addTorque(Vec3(0, 10, 0)) "
                                   "b:addForce(Vec3(0, 1, 0), Vec3(1, 5, 0)) end",
                                   30);
    (void)object;
    assert_true(cn_body_velocity(w.world, w.ball).x > 1);
    assert_true(cn_body_angular_velocity(w.world, w.ball).y > .1f);
}

static void what_is_no_dynamic_body_cannot_be_pushed(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check_error("getObject('Car'):addForce(Vec3(1, 0, 0))", "object 'Car' has no dynamic");
    check_error("getObject('Floor').velocity = Vec3(1, 0, 0)", "object 'Floor' has no dynamic");
    check_error("getObject('Ball'):addForce(5)", "Vec3 expected, got number");
    check_error("getObject('Ball'):addForce(Vec3(0/0, 0, 0))", "not finite");
    check_error("getObject('Ball'):addImpulse(Vec3(1, 0, 0), 1)", "Vec3 expected");
    check_error("getObject('Ball').velocity = Vec3(0, 1e300, 0)", "infinite");
    check("return getObject('Car').velocity", "Vec3(0, 0, 0)");
}

static void gravity_is_written_and_read(void **state)
{
    (void)state;
    check("return physics.gravity.x, physics.gravity.y < -9.8, physics.gravity.y > -9.82",
          "0\ttrue\ttrue");
    check("physics.gravity = Vec3(0, 20, 0) return physics.gravity", "Vec3(0, 20, 0)");
}

static void bodies_fall_as_a_script_says(void **state)
{
    (void)state;
    check_script("function on_init() physics.gravity = Vec3(6, 0, 0) end", 31);
    CnVec3 velocity = cn_body_velocity(w.world, w.ball);
    assert_true(velocity.x > 2.5f);
    assert_true(velocity.y > -0.5f);
}

static void gravity_is_checked(void **state)
{
    (void)state;
    check_error("physics.gravity = 5", "'gravity' must be a Vec3, not number");
    check_error("physics.gravity = Vec3(0, 0/0, 0)", "not a number");
    check_error("physics.gravity = Vec3(0, 1e300, 0)", "infinite");
    check_error("physics.gravity = Vec3(0, -10001, 0)", "'gravity' must be -10000 to 10000");
    check_error("physics.gravty = Vec3(0, 1, 0)", "did you mean 'gravity'?");
    check("physics.gravity = Vec3(0, -10000, 0) return physics.gravity", "Vec3(0, -10000, 0)");
}

static void the_body_of_a_script_cannot_change_gravity(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "physics.gravity = Vec3(0, 1, 0)");
    script_tick(&w, 1);
    check_failed(object, "the body of a script cannot change the world");
}

static void events_of_types_that_are_hidden_are_refused(void **state)
{
    (void)state;
    check_error("send('CnCollision', {})", "events 'CnCollision' are not available");
    CnEntity object = script_add(&w, "A", "subscribe('CnCollision', function() end)");
    script_tick(&w, 1);
    assert_non_null(strstr(script_error(&w, object), "events 'CnCollision' are not available"));
}

static void a_ray_finds_the_nearest_body(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("local h = raycast{origin = Vec3(0, 20, 0), direction = Vec3(0, -1, 0), distance = 100} "
          "return h.object.name, math.floor(h.normal.y + .5), h.distance > 13 and h.distance < 15",
          "Ball\t1\ttrue");
    check("local h = raycast{origin = Vec3(0, 20, 0), direction = Vec3(0, -1, 0), "
          "except = getObject('Ball')} return h.object.name",
          "Floor");
    check("return raycast{origin = Vec3(0, 20, 0), direction = Vec3(0, 1, 0)}", "nil");
    check("local t = raycastAll{origin = Vec3(0, 20, 0), direction = Vec3(0, -2, 0)} "
          "return #t, t[1].object.name, t[2].object.name",
          "2\tBall\tFloor");
}

static void shapes_overlap_and_sweep(void **state)
{
    (void)state;
    script_tick(&w, 1);
    check("local t = overlap{shape = 'Sphere', position = Vec3(0, 5, 0), radius = 1} "
          "return #t, t[1].name",
          "1\tBall");
    check("return #overlap{shape = 'Box', position = Vec3(0, 2, 0), halfExtents = Vec3(5, 5, 5)}, "
          "#overlap{shape = 'Capsule', position = Vec3(20, 20, 0), radius = 1, height = 2}",
          "2\t0");
    check("local h = sweep{shape = 'Sphere', position = Vec3(20, 10, 0), radius = 1, "
          "motion = Vec3(0, -20, 0)} return h.object.name, math.floor(h.distance + .5)",
          "Floor\t9");
}

static void questions_are_checked(void **state)
{
    (void)state;
    check_error("raycast()", "table expected");
    check_error("raycast{direction = Vec3(0, 1, 0)}", "'origin' is missing");
    check_error("raycast{origin = Vec3(), direction = Vec3()}", "'direction' is zero");
    check_error("raycast{origin = Vec3(), direction = 5}",
                "'direction' must be a Vec3, not number");
    check_error("raycast{origin = Vec3(0/0, 0, 0), direction = Vec3(0, 1, 0)}", "not a number");
    check_error("raycast{origin = Vec3(), direction = Vec3(0, 1, 0), distance = -1}", "'distance'");
    check_error("raycast{origin = Vec3(), direction = Vec3(0, 1, 0), distance = 0/0}",
                "'distance'");
    check_error("raycast{origin = Vec3(), direction = Vec3(0, 1, 0), except = 5}", "'except'");
    check_error("raycast{origin = Vec3(), direction = Vec3(0, 1, 0), mask = 1e10}", "'mask'");
    check_error("overlap{shape = 'Mesh', position = Vec3()}", "'shape' must be");
    check_error("overlap{shape = 'Sphere', position = Vec3()}", "'radius'");
    check_error("overlap{shape = 'Box', position = Vec3(), halfExtents = Vec3(0, 1, 1)}",
                "greater than 0");
    check_error("sweep{shape = 'Sphere', position = Vec3(), radius = 1}", "'motion' is missing");
}

static void collisions_call_back(void **state)
{
    (void)state;
    CnScript script = {.script_name = "Ball", .script_path = "mods://ball.lua"};
    memory_files_set(
        &w.files, "mods://ball.lua",
        "function on_collisionenter(other) getObject('Car').name = 'on ' .. other.name end\n");
    cn_set_component(w.world, w.ball, cn_id(w.world, CnScript), &script);
    script_tick(&w, 120);
    assert_string_equal(cn_object_name(w.world, w.car), "on Floor");
}

/* Adds a script to the ball, which falls onto the floor, and runs for two seconds. */
static void fall_with(const char *code)
{
    memory_files_set(&w.files, "mods://ball.lua", code);
    CnScript script = {.script_path = "mods://ball.lua"};
    cn_set_component(w.world, w.ball, cn_id(w.world, CnScript), &script);
    script_tick(&w, 120);
    assert_string_equal(script_error(&w, w.ball), "");
}

static void entering_tells_where_and_how_hard(void **state)
{
    (void)state;
    fall_with("function on_collisionenter(other, contact) if this.state.done then return end "
              "this.state.done = true getObject('Car').name = "
              "string.format('%s %.0f %.0f %s %s', other.name, contact.point.y, "
              "contact.normal.y, contact.impulse > 1, contact.relativeVelocity.y < -1) end");
    assert_string_equal(cn_object_name(w.world, w.car), "Floor 0 1 true true");
}

static void staying_is_reported_every_tick_after_entering(void **state)
{
    (void)state;
    fall_with("function on_init() this.state.car = getObject('Car') end "
              "function on_collisionenter() this.state.last = time.tick end "
              "function on_collisionstay(other) "
              "if time.tick ~= this.state.last + 1 then error('not in each tick') end "
              "this.state.last = time.tick this.state.car.name = 'on ' .. other.name end");
    assert_string_equal(cn_object_name(w.world, w.car), "on Floor");
}

static void staying_tells_the_load(void **state)
{
    (void)state;
    fall_with("function on_init() this.state.car, this.state.most = getObject('Car'), 0 end "
              "function on_collisionstay(other, contact) "
              "this.state.most = math.max(this.state.most, contact.impulse) "
              "this.state.car.name = string.format('%.2f %s', contact.normal.y, "
              "this.state.most > 0.1) end");
    assert_string_equal(cn_object_name(w.world, w.car), "1.00 true");
}

static void a_script_may_destroy_what_it_touches(void **state)
{
    (void)state;
    fall_with("function on_collisionstay(other) other:destroy() end");
    assert_true(cn_entity_is_null(cn_object_find(w.world, "Floor")));
}

static void a_world_without_physics_has_no_bodies(void **state)
{
    (void)state;
    check("return raycast{origin = Vec3(0, 5, 0), direction = Vec3(0, -1, 0)}, "
          "#raycastAll{origin = Vec3(0, 5, 0), direction = Vec3(0, -1, 0)}, "
          "#overlap{shape = 'Sphere', position = Vec3(), radius = 5}, "
          "sweep{shape = 'Sphere', position = Vec3(), radius = 5, motion = Vec3(0, 1, 0)}",
          "nil\t0\t0\tnil");
    check("return getObject('Car').velocity, getObject('Car').asleep", "Vec3(0, 0, 0)\tfalse");
    check_error("getObject('Car'):wake()", "no dynamic");
    check("return physics.gravity", "Vec3(0, 0, 0)");
    check_error("physics.gravity = Vec3(0, 1, 0)", "this world has no physics");
}

static void keys_that_questions_do_not_have_are_refused(void **state)
{
    (void)state;
    check_error(
        "raycast{origin = Vec3(), direction = Vec3(0, 1, 0), distanc = 5}",
        "unknown key 'distanc'; the keys are origin, direction, distance, mask, ghosts, except");
    check_error("raycastAll{origin = Vec3(), direction = Vec3(0, 1, 0), zz = 1, aa = 2}",
                "unknown key 'aa'");
    check_error("raycast{origin = Vec3(), direction = Vec3(0, 1, 0), [1] = 5}", "unknown key '?'");
    check_error("overlap{shape = 'Sphere', radius = 1, position = Vec3(), motion = Vec3()}",
                "unknown key 'motion'");
    check_error("sweep{shape = 'Sphere', radius = 1, position = Vec3(), motions = Vec3()}",
                "unknown key 'motions'");
    check_error(
        "overlap{shape = 'Sphere', radius = 1, position = Vec3(), rotation = Quat(0, 0, 0, 0)}",
        "'rotation' cannot be a Quat of zeros");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BODIES(velocity_is_written_and_moves_the_body),
        BODIES(angular_velocity_is_written_and_read),
        BODIES(spin_is_accepted_for_angular_velocity),
        BODIES(an_impulse_changes_the_velocity_by_its_mass),
        BODIES(forces_and_torques_push),
        BODIES(what_is_no_dynamic_body_cannot_be_pushed),
        BODIES(gravity_is_written_and_read),
        BODIES(bodies_fall_as_a_script_says),
        BODIES(gravity_is_checked),
        BODIES(the_body_of_a_script_cannot_change_gravity),
        BODIES(events_of_types_that_are_hidden_are_refused),
        BODIES(a_ray_finds_the_nearest_body),
        BODIES(shapes_overlap_and_sweep),
        BODIES(questions_are_checked),
        BODIES(collisions_call_back),
        BODIES(entering_tells_where_and_how_hard),
        BODIES(staying_is_reported_every_tick_after_entering),
        BODIES(staying_tells_the_load),
        BODIES(a_script_may_destroy_what_it_touches),
        BOTH(a_world_without_physics_has_no_bodies),
        BOTH(keys_that_questions_do_not_have_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
