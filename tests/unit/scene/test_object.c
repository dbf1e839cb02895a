/* Objects: creation, names, paths, uids, parents, enabled, clones. */
#include "cmocka_tests.h"

#include <cairn/ecs/snapshot.h>
#include <cairn/scene/object.h>

#include <string.h>

CN_COMPONENT(ObjectHealth, (i32, points));
CN_COMPONENT(ObjectAim, (entity, at), (entity, more, 2));
CN_COMPONENT(ObjectLikes, (f32, how_much));

static CnHeap *heap;
static CnWorld *world;
static CnError error;

static int make_world(void **state)
{
    (void)state;
    error = (CnError){0};
    heap = cn_heap_create(NULL, NULL);
    world = cn_world_create(&(CnWorldDesc){.allocator = cn_heap_tag(heap, "world")}, NULL);
    return cn_object_add(world, &error) ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    int leaked = cn_heap_stats(heap).live_blocks != 0;
    cn_heap_destroy(heap);
    return leaked;
}

static CnEntity make(const char *name, CnEntity parent)
{
    CnEntity object = cn_object(world, name, .parent = parent);
    assert_false(cn_entity_is_null(object));
    return object;
}

static bool same(CnEntity a, CnEntity b)
{
    return cn_entity_equal(a, b);
}

static bool is_null(CnEntity entity)
{
    return cn_entity_is_null(entity);
}

static bool is_tagged(CnEntity object)
{
    return cn_has(world, object, CnInactive);
}

static void tick(void)
{
    assert_true(cn_world_update(world, 0.1f, &error));
}

/* ---- Creation ---- */

static void an_object_has_name_transform_and_uid(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    const CnTransform *transform = cn_get(world, car, CnTransform);
    assert_string_equal(cn_object_name(world, car), "Car");
    assert_true(cn_object_uid(world, car) != 0);
    assert_true(cn_object_uid(world, car) <= CN_OBJECT_UID_MAX);
    assert_non_null(transform);
    assert_true(transform->scale.x == 1 && transform->rotation.w == 1);
}

static void adding_objects_again_is_harmless(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    assert_true(cn_object_add(world, &error));
    assert_true(same(cn_object_by_uid(world, cn_object_uid(world, car)), car));
}

static void a_description_gives_everything(void **state)
{
    (void)state;
    CnTransform there = CN_TRANSFORM_IDENTITY;
    there.position.y = 5;
    CnEntity car = make("Car", CN_NO_PARENT);
    CnEntity wheel =
        cn_object_create(world,
                         &(CnObjectDesc){.name = "Wheel",
                                         .parent = car,
                                         .transform = &there,
                                         .uid = 77,
                                         .disabled = true,
                                         .values = (CnValue[]){cn_with(ObjectHealth, {12})},
                                         .value_count = 1},
                         &error);
    assert_true(same(cn_parent(world, wheel), car));
    assert_true(cn_get(world, wheel, CnTransform)->position.y == 5);
    assert_int_equal(cn_object_uid(world, wheel), 77);
    assert_false(cn_object_is_enabled(world, wheel));
    assert_int_equal(cn_get(world, wheel, ObjectHealth)->points, 12);
}

static void without_a_name_it_is_called_object(void **state)
{
    (void)state;
    assert_string_equal(cn_object_name(world, make(NULL, CN_NO_PARENT)), "Object");
}

static void assert_refused(const CnObjectDesc *desc, CnErrorCode code)
{
    uint32_t before = cn_entity_count(world);
    error = (CnError){0};
    uint64_t hash = cn_world_hash(world);
    assert_true(is_null(cn_object_create(world, desc, &error)));
    assert_true(cn_world_hash(world) == hash);
    assert_int_equal(error.code, code);
    assert_true(error.message[0] != '\0');
    assert_int_equal(cn_entity_count(world), before);
}

static void bad_names_are_refused(void **state)
{
    (void)state;
    char longest[CN_OBJECT_NAME_BYTES + 1];
    memset(longest, 'x', sizeof longest);
    longest[CN_OBJECT_NAME_BYTES] = '\0';
    assert_refused(&(CnObjectDesc){.name = ""}, CN_ERROR_FORMAT);
    assert_refused(&(CnObjectDesc){.name = "a/b"}, CN_ERROR_FORMAT);
    assert_refused(&(CnObjectDesc){.name = "\xff"}, CN_ERROR_FORMAT);
    assert_refused(&(CnObjectDesc){.name = longest}, CN_ERROR_FORMAT);
    longest[CN_OBJECT_NAME_BYTES - 1] = '\0';
    make(longest, CN_NO_PARENT);
}

static void a_uid_that_is_taken_is_refused(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    assert_refused(&(CnObjectDesc){.uid = cn_object_uid(world, car)}, CN_ERROR_EXISTS);
}

static void a_uid_beyond_the_exact_numbers_is_refused(void **state)
{
    (void)state;
    assert_refused(&(CnObjectDesc){.uid = CN_OBJECT_UID_MAX + 1}, CN_ERROR_FORMAT);
}

static void a_dead_parent_is_refused(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    cn_destroy(world, car);
    assert_refused(&(CnObjectDesc){.name = "Wheel", .parent = car}, CN_ERROR_NOT_FOUND);
}

static void a_world_without_objects_refuses(void **state)
{
    (void)state;
    CnWorld *bare = cn_world_create(NULL, NULL);
    assert_true(is_null(cn_object_create(bare, &(CnObjectDesc){.name = "Car"}, &error)));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_true(is_null(cn_object_find(bare, "Car")));
    assert_true(is_null(cn_object_by_uid(bare, 1)));
    assert_int_equal(cn_object_roots(bare, NULL, 0), 0);
    cn_world_destroy(bare);
}

static void destroying_takes_all_below_along(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    CnEntity tyre = make("Tyre", wheel);
    cn_destroy(world, car);
    assert_false(cn_is_alive(world, tyre));
    assert_true(is_null(cn_object_find(world, "Car/Wheel")));
}

static CnEntity made_by_hook[2];

static void make_two(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    made_by_hook[0] = cn_object(of, "FromHook", .parent = entity);
    made_by_hook[1] = cn_object(of, "Below", .parent = made_by_hook[0]);
}

static void a_hook_may_create_objects(void **state)
{
    (void)state;
    cn_register(world, ObjectHealth, .hooks = {.on_add = {make_two, NULL}});
    CnEntity car = make("Car", CN_NO_PARENT);
    cn_set(world, car, ObjectHealth, {1});
    assert_true(same(cn_object_find(world, "Car/FromHook/Below"), made_by_hook[1]));
    for (int i = 0; i < 2; i++) {
        uint64_t uid = cn_object_uid(world, made_by_hook[i]);
        assert_true(same(cn_object_by_uid(world, uid), made_by_hook[i]));
    }
}

static CnEntity clone_by_hook;

static void clone_first(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component;
    clone_by_hook = cn_object_clone(of, *(CnEntity *)user, CN_NO_PARENT, NULL);
}

static void a_hook_may_clone_objects(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    cn_set(world, wheel, ObjectAim, {.at = car});
    cn_register(world, ObjectHealth, .hooks = {.on_add = {clone_first, &car}});
    cn_set(world, make("Trigger", CN_NO_PARENT), ObjectHealth, {1});
    CnEntity copy_wheel = cn_object_child(world, clone_by_hook, "Wheel");
    assert_true(same(cn_get(world, copy_wheel, ObjectAim)->at, clone_by_hook));
    assert_true(cn_object_uid(world, copy_wheel) != cn_object_uid(world, wheel));
}

/* More components than one spawn takes. */
static void an_object_may_have_many_components(void **state)
{
    (void)state;
    enum { COUNT = 70 };
    static char names[COUNT][16];
    CnField field = {"value", CN_FIELD_U32, 1, 0, 4};
    CnValue values[COUNT];
    static uint32_t numbers[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        cn_format(names[i], sizeof names[i], "Many%u", i);
        CnType type = {names[i], 4, 4, &field, 1, NULL};
        numbers[i] = i;
        values[i] = (CnValue){
            .component = cn_component_register(world, &(CnComponentDesc){.type = &type}, &error),
            .data = &numbers[i]};
    }
    CnObjectDesc desc = {.name = "Rich", .values = values, .value_count = COUNT};
    CnEntity rich = cn_object_create(world, &desc, &error);
    CnEntity copy = cn_object_clone(world, rich, CN_NO_PARENT, &error);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(*(const uint32_t *)cn_get_component(world, rich, values[i].component), i);
        assert_int_equal(*(const uint32_t *)cn_get_component(world, copy, values[i].component), i);
    }
}

/* ---- Names and paths ---- */

static void a_path_finds_through_children(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    CnEntity tyre = make("Tyre", wheel);
    assert_true(same(cn_object_find(world, "Car"), car));
    assert_true(same(cn_object_find(world, "Car/Wheel/Tyre"), tyre));
    assert_true(same(cn_object_child(world, car, "Wheel/Tyre"), tyre));
}

static void paths_that_lead_nowhere_find_nothing(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    make("Wheel", car);
    const char *const paths[] = {"",      "/",        "Wheel",      "Car/",       "/Car",
                                 "Ca",    "Cars",     "Car//Wheel", "Car/Wheel/", "Car/Wheel/Tyre",
                                 "Car/W", "car/Wheel"};
    for (size_t i = 0; i < CN_COUNT_OF(paths); i++)
        assert_true(is_null(cn_object_find(world, paths[i])));
    assert_true(is_null(cn_object_child(world, car, "")));
    assert_true(is_null(cn_object_child(world, car, "Wheel/")));
    assert_true(is_null(cn_object_child(world, CN_NO_PARENT, "Wheel")));
}

static void among_namesakes_a_path_means_the_first(void **state)
{
    (void)state;
    CnEntity gone = make("Gone", CN_NO_PARENT);
    CnEntity first = make("Car", CN_NO_PARENT);
    cn_destroy(world, gone);
    make("Car", CN_NO_PARENT); /* in the place of the one that is gone: a smaller index */
    CnEntity wheel = make("Wheel", first);
    make("Wheel", first);
    assert_true(same(cn_object_find(world, "Car"), first));
    assert_true(same(cn_object_find(world, "Car/Wheel"), wheel));
}

static void the_path_of_an_object_finds_it(void **state)
{
    (void)state;
    char path[CN_OBJECT_PATH_BYTES];
    CnEntity tyre = make("Tyre", make("Wheel", make("Car", CN_NO_PARENT)));
    assert_true(cn_object_path(world, tyre, path, sizeof path));
    assert_string_equal(path, "Car/Wheel/Tyre");
    assert_true(same(cn_object_find(world, path), tyre));
}

static void a_path_that_does_not_fit_is_reported(void **state)
{
    (void)state;
    char path[15];
    CnEntity tyre = make("Tyre", make("Wheel", make("Car", CN_NO_PARENT)));
    assert_true(cn_object_path(world, tyre, path, 15));
    assert_false(cn_object_path(world, tyre, path, 14));
    assert_string_equal(path, "");
    assert_false(cn_object_path(world, cn_entity_create(world), path, 15));
}

static void a_renamed_object_is_found_by_its_new_name(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    assert_true(cn_object_rename(world, car, "Bus", &error));
    assert_true(same(cn_object_find(world, "Bus"), car));
    assert_true(is_null(cn_object_find(world, "Car")));
    assert_false(cn_object_rename(world, car, "a/b", &error));
    assert_string_equal(cn_object_name(world, car), "Bus");
}

static void a_component_set_with_another_name_is_found_by_it(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), other = make("Car", CN_NO_PARENT);
    CnObject object = *cn_get(world, car, CnObject);
    cn_format(object.name, sizeof object.name, "Bus");
    cn_set_component(world, car, cn_id(world, CnObject), &object);
    assert_true(same(cn_object_find(world, "Bus"), car));
    assert_true(same(cn_object_find(world, "Car"), other));
}

static void names_are_found_while_namesakes_come_and_go(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    CnEntity objects[COUNT];
    for (int i = 0; i < COUNT; i++)
        objects[i] = make(i % 2 ? "Odd" : "Even", CN_NO_PARENT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(same(cn_object_find(world, i % 2 ? "Odd" : "Even"), objects[i]));
        if (i % 3)
            cn_destroy(world, objects[i]);
        else
            cn_object_set_parent(world, objects[i], objects[COUNT - 1], CN_REPARENT_KEEP_LOCAL,
                                 &error);
    }
}

static void after_a_load_names_are_found_again(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, &error));
    assert_true(cn_object_rename(world, car, "Bus", &error));
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_true(same(cn_object_find(world, "Car"), car)); /* by looking at all */
    tick();
    assert_true(same(cn_object_find(world, "Car"), car)); /* by the index, which is mended */
    assert_true(is_null(cn_object_find(world, "Bus")));
}

/* ---- Uids ---- */

static void uids_differ(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    for (int i = 0; i < COUNT; i++) {
        CnEntity object = make("Same", CN_NO_PARENT);
        assert_true(same(cn_object_by_uid(world, cn_object_uid(world, object)), object));
    }
    CnEntity roots[COUNT];
    assert_int_equal(cn_object_roots(world, roots, COUNT), COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(same(cn_object_by_uid(world, cn_object_uid(world, roots[i])), roots[i]));
}

static void a_uid_of_a_dead_object_finds_nothing(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    uint64_t uid = cn_object_uid(world, car);
    cn_destroy(world, car);
    assert_true(is_null(cn_object_by_uid(world, uid)));
    assert_true(is_null(cn_object_by_uid(world, 0)));
}

static void after_a_load_uids_are_found_again(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), bus = make("Bus", CN_NO_PARENT);
    uint64_t car_uid = cn_object_uid(world, car), bus_uid = cn_object_uid(world, bus);
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, &error));
    cn_destroy(world, car);
    CnEntity late = make("Late", CN_NO_PARENT);
    uint64_t late_uid = cn_object_uid(world, late);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_true(same(cn_object_by_uid(world, car_uid), car));
    assert_true(same(cn_object_by_uid(world, bus_uid), bus));
    assert_true(is_null(cn_object_by_uid(world, late_uid)));
}

static void after_a_load_uids_go_on_as_they_would_have(void **state)
{
    (void)state;
    make("Car", CN_NO_PARENT);
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, &error));
    uint64_t uid = cn_object_uid(world, make("Bus", CN_NO_PARENT));
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_true(cn_object_uid(world, make("Bus", CN_NO_PARENT)) == uid);
}

static void a_component_set_by_hand_gets_uid_and_a_valid_name(void **state)
{
    (void)state;
    CnEntity thing = cn_spawn(world, cn_with(CnObject, {.name = "a/b", .enabled = true}));
    assert_string_equal(cn_object_name(world, thing), "a_b");
    uint64_t uid = cn_object_uid(world, thing);
    assert_true(same(cn_object_by_uid(world, uid), thing));
    CnEntity other = cn_spawn(world, cn_with(CnObject, {.uid = uid, .enabled = true}));
    assert_true(cn_object_uid(world, other) != uid);
    assert_string_equal(cn_object_name(world, other), "Object");
    cn_set(world, other, CnObject, {.uid = 9, .name = "New", .enabled = true});
    assert_true(same(cn_object_by_uid(world, 9), other));
}

/* ---- Parents ---- */

static void keeping_local_leaves_the_numbers(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", CN_NO_PARENT);
    cn_get_mut(world, car, CnTransform)->position = (CnVec3){10, 0, 0};
    cn_get_mut(world, wheel, CnTransform)->position = (CnVec3){1, 2, 3};
    assert_true(cn_object_set_parent(world, wheel, car, CN_REPARENT_KEEP_LOCAL, &error));
    assert_true(cn_get(world, wheel, CnTransform)->position.x == 1);
    assert_true(cn_transform_world_position(world, wheel).x == 11);
}

static void keeping_world_leaves_the_place(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", CN_NO_PARENT);
    cn_get_mut(world, car, CnTransform)->position = (CnVec3){10, 0, 0};
    cn_get_mut(world, wheel, CnTransform)->position = (CnVec3){1, 2, 3};
    assert_true(cn_object_set_parent(world, wheel, car, CN_REPARENT_KEEP_WORLD, &error));
    assert_true(cn_get(world, wheel, CnTransform)->position.x == -9);
    assert_true(cn_transform_world_position(world, wheel).x == 1);
}

static void a_cycle_is_refused(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    assert_false(cn_object_set_parent(world, car, wheel, CN_REPARENT_KEEP_LOCAL, &error));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
    assert_false(cn_object_set_parent(world, car, car, CN_REPARENT_KEEP_LOCAL, &error));
    assert_int_equal(error.code, CN_ERROR_CYCLE);
    assert_true(is_null(cn_parent(world, car)));
}

static void dead_ones_are_refused_as_parent_and_child(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), dead = make("Dead", CN_NO_PARENT);
    cn_destroy(world, dead);
    assert_false(cn_object_set_parent(world, car, dead, CN_REPARENT_KEEP_LOCAL, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_false(cn_object_set_parent(world, dead, car, CN_REPARENT_KEEP_LOCAL, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

/* ---- Enabled ---- */

static void below_a_disabled_object_nothing_is_active(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    assert_true(cn_object_is_active(world, wheel));
    assert_true(cn_object_set_enabled(world, car, false));
    assert_false(cn_object_is_active(world, wheel));
    assert_true(cn_object_is_enabled(world, wheel));
    assert_true(is_tagged(car) && is_tagged(wheel));
    assert_true(cn_object_set_enabled(world, car, true));
    assert_false(is_tagged(car) || is_tagged(wheel));
}

static void one_that_is_disabled_itself_stays_so(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    CnEntity tyre = make("Tyre", wheel);
    cn_object_set_enabled(world, wheel, false);
    cn_object_set_enabled(world, car, false);
    cn_object_set_enabled(world, car, true);
    assert_true(is_tagged(wheel) && is_tagged(tyre));
    assert_false(is_tagged(car));
}

static void created_below_an_inactive_one_it_is_inactive(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    cn_object_set_enabled(world, car, false);
    CnEntity wheel = make("Wheel", car);
    assert_true(is_tagged(wheel));
    cn_object_set_enabled(world, car, true);
    assert_false(is_tagged(wheel));
}

static void a_new_parent_passes_its_state_on(void **state)
{
    (void)state;
    CnEntity off = make("Off", CN_NO_PARENT), car = make("Car", CN_NO_PARENT);
    CnEntity wheel = make("Wheel", car);
    cn_object_set_enabled(world, off, false);
    assert_true(cn_object_set_parent(world, car, off, CN_REPARENT_KEEP_LOCAL, &error));
    assert_true(is_tagged(car) && is_tagged(wheel));
    assert_true(cn_object_set_parent(world, car, CN_NO_PARENT, CN_REPARENT_KEEP_LOCAL, &error));
    assert_false(is_tagged(car) || is_tagged(wheel));
}

static void a_plain_parent_change_is_seen_by_the_next_tick(void **state)
{
    (void)state;
    CnEntity off = make("Off", CN_NO_PARENT), car = make("Car", CN_NO_PARENT);
    CnEntity wheel = make("Wheel", car);
    cn_object_set_enabled(world, off, false);
    tick();
    cn_set_parent(world, car, off);
    tick();
    assert_true(is_tagged(car) && is_tagged(wheel));
    cn_set_parent(world, car, CN_NO_PARENT);
    tick();
    assert_false(is_tagged(car) || is_tagged(wheel));
}

static void a_plain_write_is_seen_by_the_next_tick(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    tick();
    tick();
    cn_get_mut(world, car, CnObject)->enabled = false;
    tick();
    assert_true(is_tagged(car) && is_tagged(wheel));
}

/* ---- Deferred ---- */

static CnEntity deferred[2];

static void defer_two(CnSystemContext *context)
{
    CnEntity parent = *(CnEntity *)context->user;
    deferred[0] = cn_defer_object(context->commands,
                                  &(CnObjectDesc){.name = "Late/r",
                                                  .parent = parent,
                                                  .values = (CnValue[]){cn_with(ObjectHealth, {5})},
                                                  .value_count = 1});
    deferred[1] =
        cn_defer_object(context->commands, &(CnObjectDesc){.name = "Leaf", .parent = deferred[0]});
}

static void a_deferred_object_is_complete_after_the_flush(void **state)
{
    (void)state;
    CnEntity off = make("Off", CN_NO_PARENT);
    cn_id(world, ObjectHealth);
    cn_object_set_enabled(world, off, false);
    cn_system_add(
        world,
        &(CnSystemDesc){.name = "defer", .run = defer_two, .user = &off, .stage = CN_STAGE_UPDATE},
        &error);
    tick();
    assert_string_equal(cn_object_name(world, deferred[0]), "Late_r");
    assert_true(same(cn_parent(world, deferred[0]), off));
    assert_true(same(cn_parent(world, deferred[1]), deferred[0]));
    for (int i = 0; i < 2; i++) {
        uint64_t uid = cn_object_uid(world, deferred[i]);
        assert_true(uid && same(cn_object_by_uid(world, uid), deferred[i]));
        assert_true(is_tagged(deferred[i]));
    }
    assert_int_equal(cn_get(world, deferred[0], ObjectHealth)->points, 5);
}

static void look_around(CnSystemContext *context)
{
    CnEntity *found = context->user, roots[4];
    char path[32];
    found[0] = cn_object_find(context->world, "Car/Wheel");
    assert_int_equal(cn_object_roots(context->world, roots, 4), 1);
    assert_true(cn_object_is_active(context->world, found[0]));
    assert_true(cn_object_path(context->world, found[0], path, sizeof path));
}

static void look_by_uid(CnSystemContext *context)
{
    CnEntity *found = context->user;
    found[1] = cn_object_by_uid(context->world, 77);
}

static void systems_that_declare_it_look_for_objects(void **state)
{
    (void)state;
    CnEntity found[2] = {{0}};
    CnEntity car = make("Car", CN_NO_PARENT);
    CnObjectDesc desc = {.name = "Wheel", .parent = car, .uid = 77};
    CnEntity wheel = cn_object_create(world, &desc, &error);
    assert_true(cn_system_add(world,
                              &(CnSystemDesc){.name = "look",
                                              .run = look_around,
                                              .user = found,
                                              .stage = CN_STAGE_UPDATE,
                                              .access = {CN_OBJECT_ACCESS}},
                              &error)
                    .id != 0);
    assert_true(cn_system_add(world,
                              &(CnSystemDesc){.name = "look_by_uid",
                                              .run = look_by_uid,
                                              .user = found,
                                              .stage = CN_STAGE_UPDATE,
                                              .access = {cn_reads(CnObject), cn_writes(CnObjects)}},
                              &error)
                    .id != 0);
    tick();
    assert_true(same(found[0], wheel) && same(found[1], wheel));
}

/* ---- Clones ---- */

static void a_clone_has_the_components_and_children(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT), wheel = make("Wheel", car);
    CnEntity lamp = make("Lamp", car);
    cn_set(world, wheel, ObjectHealth, {3});
    cn_get_mut(world, lamp, CnTransform)->position.z = 4;
    CnEntity copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    assert_string_equal(cn_object_name(world, copy), "Car");
    assert_int_equal(cn_get(world, cn_object_child(world, copy, "Wheel"), ObjectHealth)->points, 3);
    assert_true(cn_transform_world_position(world, cn_object_child(world, copy, "Lamp")).z == 4);
    assert_string_equal(cn_object_name(world, cn_first_child(world, copy)), "Wheel");
    assert_int_equal(cn_child_count(world, copy), 2);
    assert_int_equal(cn_child_count(world, car), 2);
}

static void a_clone_has_uids_of_its_own(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    CnEntity copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    assert_true(cn_object_uid(world, copy) != cn_object_uid(world, car));
    assert_true(same(cn_object_by_uid(world, cn_object_uid(world, copy)), copy));
    assert_true(same(cn_object_find(world, "Car"), car));
}

static void fields_point_into_the_clone(void **state)
{
    (void)state;
    CnEntity target = make("Target", CN_NO_PARENT), car = make("Car", CN_NO_PARENT);
    CnEntity wheel = make("Wheel", car);
    cn_set(world, wheel, ObjectAim, {car, {wheel, target}});
    CnEntity copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    CnEntity copy_wheel = cn_object_child(world, copy, "Wheel");
    const ObjectAim *aim = cn_get(world, copy_wheel, ObjectAim);
    assert_true(same(aim->at, copy));
    assert_true(same(aim->more[0], copy_wheel));
    assert_true(same(aim->more[1], target));
    assert_true(same(cn_get(world, wheel, ObjectAim)->at, car));
}

static void pairs_point_into_the_clone(void **state)
{
    (void)state;
    CnEntity target = make("Target", CN_NO_PARENT), car = make("Car", CN_NO_PARENT);
    CnEntity wheel = make("Wheel", car);
    CnComponent likes = cn_id(world, ObjectLikes);
    cn_pair_any(world, likes);
    cn_set_component(world, wheel, cn_pair(world, likes, car), &(ObjectLikes){1});
    cn_set_component(world, wheel, cn_pair(world, likes, target), &(ObjectLikes){2});
    CnEntity copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    CnEntity copy_wheel = cn_object_child(world, copy, "Wheel");
    ObjectLikes value;
    assert_true(cn_read_component(world, copy_wheel, cn_pair_find(world, likes, copy), &value));
    assert_true(value.how_much == 1);
    assert_true(cn_read_component(world, copy_wheel, cn_pair_find(world, likes, target), &value));
    assert_true(value.how_much == 2);
    assert_false(cn_has_component(world, copy_wheel, cn_pair_find(world, likes, car)));
}

static void a_clone_below_an_inactive_parent_is_inactive(void **state)
{
    (void)state;
    CnEntity off = make("Off", CN_NO_PARENT), car = make("Car", CN_NO_PARENT);
    CnEntity wheel = make("Wheel", car);
    cn_object_set_enabled(world, off, false);
    CnEntity copy = cn_object_clone(world, car, off, &error);
    assert_true(is_tagged(copy) && is_tagged(cn_object_child(world, copy, "Wheel")));
    cn_object_set_enabled(world, wheel, false);
    copy = cn_object_clone(world, car, CN_NO_PARENT, &error);
    assert_true(!is_tagged(copy) && is_tagged(cn_object_child(world, copy, "Wheel")));
    cn_object_set_enabled(world, car, false);
    copy = cn_object_clone(world, wheel, CN_NO_PARENT, &error);
    assert_true(is_tagged(copy) && !cn_object_is_enabled(world, copy));
}

static void a_clone_may_lie_below_its_original(void **state)
{
    (void)state;
    CnEntity car = make("Car", CN_NO_PARENT);
    make("Wheel", car);
    CnEntity copy = cn_object_clone(world, car, car, &error);
    assert_true(same(cn_object_child(world, car, "Car"), copy));
    assert_int_equal(cn_child_count(world, copy), 1);
}

static void a_clone_of_nothing_is_refused(void **state)
{
    (void)state;
    assert_true(is_null(cn_object_clone(world, CN_NO_PARENT, CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    CnEntity car = make("Car", CN_NO_PARENT), dead = make("Dead", CN_NO_PARENT);
    cn_destroy(world, dead);
    assert_true(is_null(cn_object_clone(world, car, dead, &error)));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

/* ---- Many ---- */

static void roots_come_in_order_of_creation(void **state)
{
    (void)state;
    CnEntity a = make("A", CN_NO_PARENT), b = make("B", CN_NO_PARENT), c = make("C", b);
    cn_destroy(world, a);
    CnEntity d = make("D", CN_NO_PARENT), roots[4];
    assert_int_equal(cn_object_roots(world, roots, 4), 2);
    assert_true(same(roots[0], b) && same(roots[1], d));
    cn_object_set_parent(world, c, CN_NO_PARENT, CN_REPARENT_KEEP_LOCAL, &error);
    assert_int_equal(cn_object_roots(world, roots, 2), 3);
    assert_true(same(roots[0], b) && same(roots[1], c));
    assert_int_equal(cn_object_roots(world, NULL, 0), 3);
}

static void those_with_a_component_come_parents_first(void **state)
{
    (void)state;
    CnEntity a = make("A", CN_NO_PARENT), b = make("B", CN_NO_PARENT), c = make("C", a);
    CnEntity found[4];
    cn_object_set_parent(world, a, b, CN_REPARENT_KEEP_LOCAL, &error);
    CnComponent health = cn_id(world, ObjectHealth);
    assert_int_equal(cn_objects_with(world, health, found, 4), 0);
    CnEntity all[] = {c, a, b};
    for (int i = 0; i < 3; i++)
        cn_set(world, all[i], ObjectHealth, {i});
    assert_int_equal(cn_objects_with(world, health, found, 4), 3);
    assert_true(same(found[0], b) && same(found[1], a) && same(found[2], c));
    cn_object_set_enabled(world, a, false);
    assert_int_equal(cn_objects_with(world, health, found, 4), 1);
}

static void the_first_with_a_component_is_found_depth_first(void **state)
{
    (void)state;
    CnEntity a = make("A", CN_NO_PARENT), b = make("B", a), c = make("C", b), d = make("D", a);
    CnComponent health = cn_id(world, ObjectHealth);
    assert_true(is_null(cn_object_first_with(world, a, health)));
    cn_set(world, d, ObjectHealth, {1});
    cn_set(world, c, ObjectHealth, {1});
    assert_true(same(cn_object_first_with(world, a, health), c));
    assert_true(same(cn_object_first_with(world, d, health), d));
    assert_true(is_null(cn_object_first_with(world, CN_NO_PARENT, health)));
}

static void all_with_a_component_are_found_at_an_object_and_below(void **state)
{
    (void)state;
    CnEntity a = make("A", CN_NO_PARENT), b = make("B", a), c = make("C", b), d = make("D", a);
    CnEntity other = make("Other", CN_NO_PARENT), found[4] = {{0}};
    CnComponent health = cn_id(world, ObjectHealth);
    CnEntity with[] = {a, c, d, other};
    for (int i = 0; i < 4; i++)
        cn_set(world, with[i], ObjectHealth, {i});
    cn_object_set_enabled(world, c, false);
    assert_int_equal(cn_object_all_with(world, a, health, found, 4), 3);
    assert_true(same(found[0], a) && same(found[1], c) && same(found[2], d) && is_null(found[3]));
    assert_int_equal(cn_object_all_with(world, a, health, found, 1), 3);
    assert_int_equal(cn_object_all_with(world, b, health, found, 4), 1);
    assert_true(same(found[0], c));
}

static void a_dead_object_has_no_components_below_it(void **state)
{
    (void)state;
    CnEntity a = make("A", CN_NO_PARENT), found[1];
    cn_set(world, a, ObjectHealth, {1});
    CnComponent health = cn_id(world, ObjectHealth);
    assert_int_equal(cn_object_all_with(world, a, (CnComponent){0}, found, 1), 0);
    cn_destroy(world, a);
    assert_int_equal(cn_object_all_with(world, a, health, found, 1), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_object_has_name_transform_and_uid),
        TEST(adding_objects_again_is_harmless),
        TEST(a_description_gives_everything),
        TEST(without_a_name_it_is_called_object),
        TEST(bad_names_are_refused),
        TEST(a_uid_that_is_taken_is_refused),
        TEST(a_uid_beyond_the_exact_numbers_is_refused),
        TEST(a_dead_parent_is_refused),
        TEST(a_world_without_objects_refuses),
        TEST(destroying_takes_all_below_along),
        TEST(a_hook_may_create_objects),
        TEST(a_hook_may_clone_objects),
        TEST(an_object_may_have_many_components),
        TEST(a_path_finds_through_children),
        TEST(paths_that_lead_nowhere_find_nothing),
        TEST(among_namesakes_a_path_means_the_first),
        TEST(the_path_of_an_object_finds_it),
        TEST(a_path_that_does_not_fit_is_reported),
        TEST(a_renamed_object_is_found_by_its_new_name),
        TEST(a_component_set_with_another_name_is_found_by_it),
        TEST(names_are_found_while_namesakes_come_and_go),
        TEST(after_a_load_names_are_found_again),
        TEST(uids_differ),
        TEST(a_uid_of_a_dead_object_finds_nothing),
        TEST(after_a_load_uids_are_found_again),
        TEST(after_a_load_uids_go_on_as_they_would_have),
        TEST(a_component_set_by_hand_gets_uid_and_a_valid_name),
        TEST(keeping_local_leaves_the_numbers),
        TEST(keeping_world_leaves_the_place),
        TEST(a_cycle_is_refused),
        TEST(dead_ones_are_refused_as_parent_and_child),
        TEST(below_a_disabled_object_nothing_is_active),
        TEST(one_that_is_disabled_itself_stays_so),
        TEST(created_below_an_inactive_one_it_is_inactive),
        TEST(a_new_parent_passes_its_state_on),
        TEST(a_plain_parent_change_is_seen_by_the_next_tick),
        TEST(a_plain_write_is_seen_by_the_next_tick),
        TEST(a_deferred_object_is_complete_after_the_flush),
        TEST(systems_that_declare_it_look_for_objects),
        TEST(a_clone_has_the_components_and_children),
        TEST(a_clone_has_uids_of_its_own),
        TEST(fields_point_into_the_clone),
        TEST(pairs_point_into_the_clone),
        TEST(a_clone_below_an_inactive_parent_is_inactive),
        TEST(a_clone_may_lie_below_its_original),
        TEST(a_clone_of_nothing_is_refused),
        TEST(roots_come_in_order_of_creation),
        TEST(those_with_a_component_come_parents_first),
        TEST(the_first_with_a_component_is_found_depth_first),
        TEST(all_with_a_component_are_found_at_an_object_and_below),
        TEST(a_dead_object_has_no_components_below_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
