/* Wrong calls are reported if guards are compiled in. Without guards, only the test remains that
 * the calls fail without side effects. */
#include "guards.h"
#include "world_internals.h"

#include <cairn/base/assert.h>
#include <string.h>

CN_COMPONENT(Gravity, (f32, y));
CN_COMPONENT(Damage, (f32, amount));

static CnEntity make_dead(void)
{
    CnEntity entity = cn_spawn(world, cn_with(Position, {0}));
    cn_destroy(world, entity);
    return entity;
}

#ifdef CN_GUARDS

#define EXPECT_REPORT(reason, ...)                                                                 \
    do {                                                                                           \
        EXPECT_GUARD((void)(__VA_ARGS__));                                                         \
        if (!strstr(guard_message(), (reason)))                                                    \
            fail_msg("\"%s\" does not say \"%s\"", guard_message(), (reason));                     \
    } while (0)

/* ---- Entities ---- */

static void changing_the_dead_is_reported(void **state)
{
    (void)state;
    CnEntity dead = make_dead();
    cn_register(world, Enemy);
    const CnValue values[] = {cn_with(Position, {0})};
    EXPECT_REPORT("is dead", cn_set(world, dead, Position, {0}));
    EXPECT_REPORT("is dead", cn_add(world, dead, Enemy));
    EXPECT_REPORT("is dead", cn_remove(world, dead, Position));
    EXPECT_REPORT("is dead", cn_change(world, dead, &(CnChange){.set = values, .set_count = 1}));
}

static void a_report_names_index_and_generation(void **state)
{
    (void)state;
    CnEntity dead = make_dead();
    char name[32];
    cn_format(name, sizeof name, "entity %u:%u,", cn_entity_index(dead),
              cn_entity_generation(dead));
    EXPECT_REPORT(name, cn_set(world, dead, Position, {0}));
}

static void changing_an_id_out_of_range_is_reported_as_never_created(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    const CnEntity forged[] = {
        {0},
        cn_entity_make(index, generation + 2),
        cn_entity_make(index + 1, generation),
        cn_entity_make(UINT32_MAX, generation),
        cn_entity_make(index, generation + 1),
    };
    for (size_t i = 0; i < CN_COUNT_OF(forged); i++)
        EXPECT_REPORT("never created", cn_set(world, forged[i], Position, {0}));
}

static void queries_about_dead_entities_are_allowed(void **state)
{
    (void)state;
    CnEntity dead = make_dead();
    Position p;
    assert_false(cn_is_alive(world, dead));
    assert_false(cn_has(world, dead, Position));
    assert_null(cn_get(world, dead, Position));
    assert_null(cn_get_mut(world, dead, Position));
    assert_false(cn_read(world, dead, Position, &p));
    assert_false(cn_destroy(world, dead));
    assert_false(cn_set_parent(world, dead, dead));
    assert_entity_null(cn_parent(world, dead));
}

/* ---- Components ---- */

static void a_component_that_is_not_registered_is_reported(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    CnComponent unknown = {999};
    EXPECT_REPORT("999 is not registered", cn_add_component(world, entity, unknown));
    EXPECT_REPORT("not registered", cn_set_component(world, entity, unknown, NULL));
    EXPECT_REPORT("not registered", cn_spawn(world, (CnValue){.component = unknown}));
    EXPECT_REPORT("not registered", cn_resource_set_value(world, unknown, NULL));
    EXPECT_REPORT("not registered", cn_component_set_hooks(world, unknown, &(CnHooks){0}));
    EXPECT_REPORT("not registered", cn_channel_open(world, &(CnChannelDesc){.component = unknown}));
    EXPECT_REPORT("not registered",
                  cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(unknown)}}, NULL));
}

static void a_command_for_a_component_that_is_not_registered_is_reported(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity entity = cn_entity_create(world);
    EXPECT_REPORT("not registered", cn_defer_set(commands, entity, Health, {0}));
    EXPECT_REPORT("not registered", cn_defer_spawn(commands, cn_with(Health, {0})));
}

static void more_values_than_the_limit_are_reported(void **state)
{
    (void)state;
    CnValue values[CN_MAX_VALUES + 1];
    for (uint32_t i = 0; i <= CN_MAX_VALUES; i++)
        values[i] = cn_with_default(Health);
    CnEntity entity = cn_entity_create(world);
    EXPECT_REPORT("33 values", cn_spawn_values(world, values, CN_MAX_VALUES + 1));
    EXPECT_REPORT(
        "33 values",
        cn_change(world, entity, &(CnChange){.set = values, .set_count = CN_MAX_VALUES + 1}));
}

static void what_the_library_keeps_itself_is_not_for_others_to_change(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world), target = cn_entity_create(world);
    CnComponent kind = cn_id(world, Enemy), some = cn_pair_any(world, kind);
    EXPECT_REPORT("cn_set_parent", cn_add(world, entity, CnNode));
    cn_set_parent(world, entity, target);
    EXPECT_REPORT("cn_set_parent", cn_remove(world, entity, CnNode));
    EXPECT_REPORT("follows its pairs", cn_add_component(world, entity, some));
    EXPECT_REPORT("kind of a pair", cn_pair(world, cn_pair(world, kind, target), entity));
}

static void the_address_of_a_component_by_fields_is_reported(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    CnEntity entity = cn_spawn(world, cn_with(Health, {0}));
    EXPECT_REPORT("laid out by fields", cn_get(world, entity, Health));
    EXPECT_REPORT("laid out by fields", cn_get_mut(world, entity, Health));
}

/* ---- Bounds of archetypes and columns ---- */

static void a_row_outside_its_chunk_is_reported(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {0}));
    CniEcsRowRef place = place_of(entity);
    place.row = 1;
    EXPECT_REPORT("row 1 of a chunk with 1", cni_ecs_row_remove(world, place));
}

static void a_field_of_another_component_is_reported(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Mass, {0}), cn_with(Position, {0}));
    const CnField *z = cn_component_field(world, cn_id(world, Position), "z");
    EXPECT_REPORT("no field z", cn_get_field(world, entity, cn_id(world, Mass), z));
}

static CnChunkView first_view(CnQuery *query)
{
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    return view;
}

static void a_column_that_the_query_does_not_declare_is_reported(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}), cn_with(Mass, {0}));
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Position), cn_tag(Velocity)}}, NULL);
    CnChunkView view = first_view(query);
    EXPECT_REPORT("does not declare Mass", cn_column_const(&view, Mass));
    EXPECT_REPORT("does not declare Velocity", cn_column_const(&view, Velocity));
    EXPECT_REPORT("does not declare component", cn_column_by_id(&view, cn_id(world, Mass), NULL));
}

static void writing_a_column_that_is_declared_to_be_read_is_reported(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}));
    CnChunkView view =
        first_view(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL));
    EXPECT_REPORT("declare to write Position", cn_column(&view, Position));
    EXPECT_REPORT("declare to write component",
                  cn_column_by_id_mut(&view, cn_id(world, Position), NULL));
}

static void a_column_of_the_other_layout_is_reported(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    cn_spawn(world, cn_with(Position, {0}), cn_with(Health, {0}));
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_writes(Position), cn_writes(Health)}}, NULL);
    CnChunkView view = first_view(query);
    EXPECT_REPORT("Health is laid out by fields", cn_column_const(&view, Health));
    EXPECT_REPORT("Health is laid out by fields", cn_column(&view, Health));
    EXPECT_REPORT("Position is packed", cn_field_const(&view, Position, x));
    EXPECT_REPORT("Health is laid out by fields",
                  cn_column_by_id(&view, cn_id(world, Health), NULL));
}

/* ---- Iteration and structure ---- */

static void a_change_of_structure_during_iteration_is_reported(void **state)
{
    (void)state;
    CnEntity entities[2000];
    cn_spawn_many(world, 2000, entities, cn_with(Position, {0}), cn_with(Velocity, {0}));
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    for (int way = 0; way < 5; way++) {
        CnChunkView view = {0};
        CnQueryIter it = cn_query_iter(query);
        cn_query_next(&it, &view);
        if (way == 0)
            cn_entity_create(world);
        else if (way == 1)
            cn_add(world, entities[0], Enemy);
        else if (way == 2)
            cn_destroy(world, entities[1]);
        else if (way == 3)
            cn_query_set(query, cn_with_tag(Frozen));
        else
            cn_world_trim(world); /* of the archetypes that the others have left */
        EXPECT_REPORT("structure changed", cn_query_next(&it, &view));
    }
}

static void hook_calls(CnWorld *of, CnEntity entity, CnComponent component, void *user)
{
    (void)component;
    CnQuery *query = cn_query_acquire(of, &(CnQueryDesc){.all = {cn_tag(Health)}}, NULL);
    switch (*(int *)user) {
    case 0:
        cn_flush(of);
        break;
    case 1:
        cn_world_clear(of);
        break;
    case 2:
        cn_query_set(query, cn_with_tag(Enemy));
        break;
    case 3:
        cn_query_destroy_entities(query);
        break;
    default:
        cn_spawn_many(of, 1, &entity, cn_with_tag(Enemy));
    }
}

static void what_a_hook_cannot_do_is_reported(void **state)
{
    (void)state;
    int what;
    CnHooks hooks = {.on_add = {hook_calls, &what}};
    cn_register(world, Health, .hooks = hooks);
    for (what = 0; what < 5; what++) {
        EXPECT_REPORT("a hook cannot", cn_spawn(world, cn_with(Health, {0})));
        world->hook_depth = 0; /* the guard has jumped over its end */
    }
}

/* ---- Systems ---- */

static void nothing(CnSystemContext *context)
{
    (void)context;
}

static void a_system_registered_twice_is_reported(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "twin", .run = nothing};
    cn_system_add(world, &desc, NULL);
    EXPECT_REPORT("system twin is registered twice", cn_system_add(world, &desc, NULL));
}

static void a_cycle_of_systems_is_reported(void **state)
{
    (void)state;
    cn_system_add(world, &(CnSystemDesc){.name = "hen", .run = nothing, .before = {"egg"}}, NULL);
    cn_system_add(world, &(CnSystemDesc){.name = "egg", .run = nothing, .before = {"hen"}}, NULL);
    EXPECT_REPORT("hen, egg", cn_world_startup(world, NULL));
}

/* The action of a system, chosen by the test. */
typedef struct Operation {
    void (*act)(CnSystemContext *context);
    CnEntity entity;
    CnQuery *query;
    CnChannel *channel;
} Operation;

static Operation action;

static void act(CnSystemContext *context)
{
    action.act(context);
}

/* The system reads Position and writes Velocity; the test chooses a further action. */
static void run_deed(void)
{
    CnSystemDesc desc = {.name = "action", .run = act, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    desc.access[0] = (CnTerm)cn_writes(Velocity);
    if (!cn_system_find(world, "action").id)
        cn_system_add(world, &desc, NULL);
    cn_world_run_stage(world, CN_STAGE_UPDATE, 0.1f, NULL);
}

static void expect_operation(void (*what)(CnSystemContext *), const char *reason)
{
    cn_register(world, Gravity);
    cn_register(world, Enemy);
    action = (Operation){.act = what};
    action.entity =
        cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}), cn_with(Mass, {0}));
    action.query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Mass), cn_reads(Position)}}, NULL);
    action.channel = cn_channel(world, Damage);
    if (!reason) {
        run_deed();
        return;
    }
    EXPECT_REPORT(reason, run_deed());
    world->updating = world->in_stage = false; /* the guard has jumped over the end of the stage */
}

#define OPERATION(name, ...)                                                                       \
    static void name(CnSystemContext *context)                                                     \
    {                                                                                              \
        (void)context;                                                                             \
        __VA_ARGS__;                                                                               \
    }

OPERATION(declared_access, (void)cn_get(context->world, action.entity, Position);
          (void)cn_get_mut(context->world, action.entity, Velocity);
          cn_set(context->world, action.entity, Velocity, {1, 2, 3});
          cn_has(context->world, action.entity, Mass);
          CnChunkView view = first_view(context->query); (void)cn_column_const(&view, Position))
OPERATION(read_mass, (void)cn_get(context->world, action.entity, Mass))
OPERATION(copy_mass, Mass mass; cn_read(context->world, action.entity, Mass, &mass))
OPERATION(read_mass_field, cn_get_field(context->world, action.entity, cn_id(context->world, Mass),
                                        cn_type_Mass.fields))
OPERATION(write_position, (void)cn_get_mut(context->world, action.entity, Position))
OPERATION(set_position, cn_set(context->world, action.entity, Position, {0}))
OPERATION(write_position_field,
          cn_get_field_mut(context->world, action.entity, cn_id(context->world, Position),
                           cn_type_Position.fields))
OPERATION(name_position_field, float x = 1;
          cn_write_field(context->world, action.entity, "Position", "x", &x, sizeof x, NULL))
OPERATION(read_mass_column, CnChunkView view = first_view(action.query);
          (void)cn_column_const(&view, Mass))
OPERATION(write_mass_column, CnChunkView view = first_view(action.query);
          (void)cn_column(&view, Mass))
OPERATION(mass_column_by_id, CnChunkView view = first_view(action.query);
          cn_column_by_id(&view, cn_id(context->world, Mass), NULL))
OPERATION(read_resource, (void)cn_resource(context->world, Gravity))
OPERATION(write_resource, (void)cn_resource_set(context->world, Gravity, {1}))
OPERATION(send_event, cn_send(action.channel, Damage, {1}))
OPERATION(read_events, cn_event_count(action.channel))

static void access_that_a_system_declares_is_not_reported(void **state)
{
    (void)state;
    expect_operation(declared_access, NULL);
}

static void reading_an_undeclared_component_is_reported(void **state)
{
    (void)state;
    expect_operation(read_mass,
                     "system action (stage Update, query: Position) does not declare to read Mass");
    expect_operation(copy_mass, "declare to read");
    expect_operation(read_mass_field, "declare to read");
}

static void writing_what_is_declared_to_be_read_is_reported(void **state)
{
    (void)state;
    expect_operation(write_position, "declare to write");
    expect_operation(set_position, "declare to write");
    expect_operation(write_position_field, "declare to write");
    expect_operation(name_position_field, "declare to write");
}

static void columns_of_an_undeclared_query_are_reported(void **state)
{
    (void)state;
    expect_operation(read_mass_column, "declare to read Mass");
    expect_operation(write_mass_column, "declare to write Mass");
    expect_operation(mass_column_by_id, "declare to read Mass");
}

OPERATION(make_channel, cn_channel(context->world, Gravity))

static void undeclared_resources_and_events_are_reported(void **state)
{
    (void)state;
    expect_operation(read_resource, "declare to read Gravity");
    expect_operation(write_resource, "declare to write Gravity");
    expect_operation(send_event, "declare to send event Damage");
    expect_operation(read_events, "declare to read event Damage");
    expect_operation(make_channel, "declare to open the channel of Gravity");
}

OPERATION(add_enemy, cn_add(context->world, action.entity, Enemy))
OPERATION(destroy_entity, cn_destroy(context->world, action.entity))
OPERATION(create_entity, cn_entity_create(context->world))
OPERATION(set_whole_query, cn_query_set(action.query, cn_with_tag(Enemy)))
OPERATION(flush_now, cn_defer_destroy(context->commands, action.entity); cn_flush(context->world))

static void direct_changes_of_structure_in_a_system_are_reported(void **state)
{
    (void)state;
    expect_operation(add_enemy, "use its commands");
    expect_operation(destroy_entity, "use its commands");
    expect_operation(create_entity, "use its commands");
    expect_operation(set_whole_query, "use its commands");
    expect_operation(flush_now, "use its commands");
}

OPERATION(make_query,
          cn_query_acquire(context->world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL))
OPERATION(find_query,
          cn_query_acquire(context->world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL))
OPERATION(make_component, cn_register(context->world, Frozen))
OPERATION(make_buffer, cn_commands_create(context->world, NULL))
OPERATION(make_resource, (void)cn_resource_set(context->world, Velocity, {0}))
OPERATION(order_tree, CnTreeOrder order; cn_tree_order(context->world, &order))
OPERATION(add_system,
          cn_system_add(context->world, &(CnSystemDesc){.name = "new", .run = nothing}, NULL))
OPERATION(remove_system, cn_system_remove(context->world, cn_system_find(context->world, "action")))
OPERATION(switch_system,
          cn_system_enable(context->world, cn_system_find(context->world, "action"), false))

static void what_only_a_system_alone_may_make_is_reported(void **state)
{
    (void)state;
    expect_operation(make_component, "shares its wave registers a component");
    expect_operation(make_buffer, "shares its wave creates a command buffer");
    expect_operation(make_resource, "shares its wave creates resource Velocity");
    expect_operation(order_tree, "shares its wave requests the order of the tree");
    expect_operation(add_system, "shares its wave adds a system");
    expect_operation(remove_system, "shares its wave removes a system");
    expect_operation(switch_system, "shares its wave enables or disables a system");
}

static char noted[200];

static void note_report(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)user;
    cn_copy_text(noted, sizeof noted, cn_text(message));
}

/* Without a longjmp, which would leak the parts of the query. */
static void making_a_query_in_a_system_that_is_not_alone_is_reported(void **state)
{
    (void)state;
    cn_register(world, Health);
    cn_assert_set_handler(note_report, NULL);
    expect_operation(make_query, NULL);
    cn_assert_set_handler(NULL, NULL);
    assert_non_null(strstr(noted, "shares its wave creates a query"));
}

static void a_query_that_exists_may_be_requested_in_any_system(void **state)
{
    (void)state;
    expect_operation(find_query, NULL);
}

OPERATION(do_all_this, add_enemy(context); make_query(context); make_component(context);
          make_channel(context); order_tree(context); add_system(context); read_mass(context);
          set_position(context); write_resource(context); send_event(context);
          create_entity(context); destroy_entity(context))

static void a_system_that_is_alone_may_do_all_this(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "action", .run = act, .stage = CN_STAGE_UPDATE, .alone = true};
    cn_system_add(world, &desc, NULL);
    expect_operation(do_all_this, NULL);
}

OPERATION(touch_values, read_mass(context); set_position(context); read_resource(context);
          write_resource(context); send_event(context))

static void a_system_that_declares_nothing_may_touch_all_values(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "action", .run = act, .stage = CN_STAGE_UPDATE};
    cn_system_add(world, &desc, NULL);
    expect_operation(touch_values, NULL);
    expect_operation(create_entity, "use its commands");
}

static bool peek(const CnSystemContext *context)
{
    return cn_get(context->world, action.entity, Mass) != NULL;
}

static void a_condition_that_reads_what_is_not_declared_is_reported(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "action", .run = act, .run_if = peek, .stage = CN_STAGE_UPDATE};
    desc.query.all[0] = (CnTerm)cn_reads(Position);
    cn_system_add(world, &desc, NULL);
    expect_operation(read_mass,
                     "system action (stage Update, query: Position) does not declare to read");
}

OPERATION(update_world, cn_world_update(context->world, 0.1f, NULL))

static void an_update_inside_a_system_is_reported(void **state)
{
    (void)state;
    expect_operation(update_world, "cannot run a stage");
}

/* ---- Events ---- */

static void an_event_of_another_type_is_reported(void **state)
{
    (void)state;
    CnChannel *damage = cn_channel(world, Damage), *signals = cn_channel(world, Enemy);
    EXPECT_REPORT("another type", cn_send(damage, Position, {0}));
    EXPECT_REPORT("another type", cn_send(signals, Damage, {0}));
    EXPECT_REPORT("carries values", cn_signal(damage));
}

#endif

/* ---- With or without guards ---- */

static void go_on(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
}

static void a_wrong_call_that_goes_on_fails_and_changes_nothing(void **state)
{
    (void)state;
    cn_assert_set_handler(go_on, NULL);
    CnEntity dead = make_dead(), entity = cn_entity_create(world);
    CnComponent unknown = {999};
    assert_false(cn_set(world, dead, Position, {0}));
    assert_false(cn_add(world, dead, Enemy));
    assert_false(cn_remove(world, dead, Position));
    assert_false(cn_add_component(world, entity, unknown));
    assert_false(cn_add(world, entity, CnNode));
    assert_null(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(unknown)}}, NULL));
    assert_null(cn_channel_open(world, &(CnChannelDesc){.component = unknown}));
    cn_assert_set_handler(NULL, NULL);
    assert_int_equal(cn_entity_components(world, entity, NULL, 0), 0);
    assert_int_equal(cn_entity_count(world), 1);
    assert_true(cn_set_parent(world, entity, cn_entity_create(world)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef CN_GUARDS
        WORLD_TEST(changing_the_dead_is_reported),
        WORLD_TEST(a_report_names_index_and_generation),
        WORLD_TEST(changing_an_id_out_of_range_is_reported_as_never_created),
        WORLD_TEST(queries_about_dead_entities_are_allowed),
        WORLD_TEST(a_component_that_is_not_registered_is_reported),
        WORLD_TEST(a_command_for_a_component_that_is_not_registered_is_reported),
        WORLD_TEST(more_values_than_the_limit_are_reported),
        WORLD_TEST(what_the_library_keeps_itself_is_not_for_others_to_change),
        WORLD_TEST(the_address_of_a_component_by_fields_is_reported),
        WORLD_TEST(a_row_outside_its_chunk_is_reported),
        WORLD_TEST(a_field_of_another_component_is_reported),
        WORLD_TEST(a_column_that_the_query_does_not_declare_is_reported),
        WORLD_TEST(writing_a_column_that_is_declared_to_be_read_is_reported),
        WORLD_TEST(a_column_of_the_other_layout_is_reported),
        WORLD_TEST(a_change_of_structure_during_iteration_is_reported),
        WORLD_TEST(what_a_hook_cannot_do_is_reported),
        WORLD_TEST(a_system_registered_twice_is_reported),
        WORLD_TEST(a_cycle_of_systems_is_reported),
        WORLD_TEST(access_that_a_system_declares_is_not_reported),
        WORLD_TEST(reading_an_undeclared_component_is_reported),
        WORLD_TEST(writing_what_is_declared_to_be_read_is_reported),
        WORLD_TEST(columns_of_an_undeclared_query_are_reported),
        WORLD_TEST(undeclared_resources_and_events_are_reported),
        WORLD_TEST(direct_changes_of_structure_in_a_system_are_reported),
        WORLD_TEST(what_only_a_system_alone_may_make_is_reported),
        WORLD_TEST(making_a_query_in_a_system_that_is_not_alone_is_reported),
        WORLD_TEST(a_query_that_exists_may_be_requested_in_any_system),
        WORLD_TEST(a_system_that_is_alone_may_do_all_this),
        WORLD_TEST(a_system_that_declares_nothing_may_touch_all_values),
        WORLD_TEST(a_condition_that_reads_what_is_not_declared_is_reported),
        WORLD_TEST(an_update_inside_a_system_is_reported),
        WORLD_TEST(an_event_of_another_type_is_reported),
#endif
        WORLD_TEST(a_wrong_call_that_goes_on_fails_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
