#include "sim_world.h"

#include "random.h"

/* ---- Systems ---- */

static void spawn_herd(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    CnCommands *commands = context->commands;
    CnEntity last = {0};
    uint32_t animals = own->desc.animals ? own->desc.animals : 20;
    for (uint32_t i = 0; i < animals; i++) {
        CnEntity animal = cn_defer_spawn(commands, cn_with(SimPlace, {(float)i, 0}),
                                         cn_with(SimSpeed, {0, 1}), cn_with(SimAge, {1, i}));
        if (i % 4 == 3)
            cn_defer_set_parent(commands, animal, last);
        if (i % 5 == 0)
            cn_defer_set(commands, animal, SimLabel, {"first"});
        last = animal;
    }
}

static void obey(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    SimScore *score = cn_resource_mut(context->world, SimScore);
    score->pings += cn_event_count(own->pings);
    if (!own->orders)
        return;
    const SimOrder *orders = cn_events(own->orders, SimOrder);
    for (uint32_t i = 0; i < cn_event_count(own->orders); i++) {
        score->orders += orders[i].amount + orders[i].loud;
        CnEntity animal =
            cn_defer_spawn(context->commands, cn_with(SimPlace, {(float)orders[i].kind, 5}),
                           cn_with(SimSpeed, {1, 0}), cn_with(SimAge, {orders[i].kind, 0}));
        SimLabel label = {""};
        cn_copy_text(label.text, sizeof label.text, cn_text(orders[i].note));
        cn_defer_set_component(context->commands, animal, cn_id(context->world, SimLabel), &label);
    }
}

static void steer(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    CnRandom *random = cn_random_of(context->world, own->stream);
    const SimPush *pushes = cn_events(own->pushes, SimPush);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        float *x = cn_field(&view, SimSpeed, x);
        for (uint32_t i = 0; i < view.count; i++) {
            x[i] += cn_random_f32_range(random, -1, 1);
            for (uint32_t p = 0; p < cn_event_count(own->pushes); p++)
                x[i] += pushes[p].x;
        }
    }
}

CN_SYSTEM(go, (write, SimPlace, place), (read, SimSpeed, x, vx), (read, SimSpeed, y, vy))
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += vx[i] * context->dt;
        place[i].y += vy[i] * context->dt;
    }
}

/* Animals get older, tired, parents, and die. */
static void live(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        SimAge *age = cn_column(&view, SimAge);
        for (uint32_t i = 0; i < view.count; i++) {
            CnEntity animal = view.entities[i];
            uint32_t ticks = ++age[i].ticks;
            if (ticks == 30) {
                cn_defer_add(context->commands, animal, SimTired);
            } else if (ticks == 40 && age[i].kind < 4) {
                CnEntity child = cn_defer_spawn(context->commands, cn_with(SimPlace, {0, 0}),
                                                cn_with(SimSpeed, {0, 0}),
                                                cn_with(SimAge, {(uint8_t)(age[i].kind + 1), 0}));
                cn_defer_set_parent(context->commands, child, animal);
                cn_send(own->births, SimBirth, {child});
            } else if (ticks == 50) {
                cn_defer_remove(context->commands, animal, SimTired);
            } else if (ticks > 70) {
                cn_defer_destroy(context->commands, animal);
            }
        }
    }
}

/* Declares nothing, so it may do everything, also make pairs. */
static void count_births(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    CnWorld *world = context->world;
    SimScore *score = cn_resource_mut(world, SimScore);
    const SimBirth *births = cn_events(own->births, SimBirth);
    for (uint32_t i = 0; i < cn_event_count(own->births); i++) {
        CnEntity child = births[i].child, parent = cn_parent(world, child);
        score->born++;
        if (cn_is_alive(world, parent)) {
            CnComponent likes = cn_pair(world, cn_id(world, SimLikes), parent);
            if (likes.id)
                cn_defer_set_component(context->commands, child, likes, &(SimLikes){0.5f});
        }
    }
}

static void run_sabotage(CnSystemContext *context)
{
    const SimWorld *own = context->user;
    if (own->sabotage)
        own->sabotage(context, cn_resource(context->world, CnTickInfo)->tick);
}

/* ---- The plugin ---- */

static bool add_systems(SimWorld *own, CnWorld *world, CnError *error)
{
    CnComponent order = own->orders ? cn_id(world, SimOrder) : cn_id(world, SimPing);
    const CnSystemDesc systems[] = {
        {.name = "spawn_herd", .run = spawn_herd, .stage = CN_STAGE_STARTUP, .user = own},
        {.name = "obey",
         .run = obey,
         .stage = CN_STAGE_PRE_UPDATE,
         .user = own,
         .access = {cn_writes(SimScore), cn_reads_id(order), cn_reads(SimPing)}},
        {.name = "steer",
         .run = steer,
         .stage = CN_STAGE_UPDATE,
         .user = own,
         .query = {.all = {cn_writes(SimSpeed)}},
         .access = {cn_writes_id(own->stream), cn_reads(SimPush)}},
        {.name = "live",
         .run = live,
         .stage = CN_STAGE_UPDATE,
         .user = own,
         .query = {.all = {cn_writes(SimAge)}},
         .access = {cn_writes(SimBirth)},
         .before = {"steer"}},
        {.name = "count_births", .run = count_births, .stage = CN_STAGE_POST_UPDATE, .user = own},
        {.name = "sabotage",
         .run = run_sabotage,
         .stage = CN_STAGE_POST_UPDATE,
         .user = own,
         .after = {"count_births"}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (!cn_system_add(world, &systems[i], error).id)
            return false;
    return cn_system(world, go, .stage = CN_STAGE_UPDATE, .after = {"steer"}).id ||
           cn_error_memory(error, "this operation");
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    SimWorld *own = user;
    CnWorld *world = cn_sim_world(sim);
    bool known = cn_register(world, SimSpeed, .layout = CN_LAYOUT_FIELDS).id &&
                 cn_register(world, SimAge).id && cn_register(world, SimTired).id &&
                 cn_register(world, SimLabel).id && cn_register(world, SimPlace).id &&
                 cn_resource_set(world, SimScore, {0});
    own->pushes = cn_channel(world, SimPush);
    own->orders = own->desc.without_orders ? NULL : cn_channel(world, SimOrder);
    own->pings = cn_channel(world, SimPing);
    own->births = cn_channel(world, SimBirth);
    own->near = cn_producer_create(world, &(CnProducerDesc){.name = "near"}, NULL);
    own->far = cn_producer_create(world, &(CnProducerDesc){.name = "far"}, NULL);
    own->stream = cn_random_stream(world, "wander", error);
    bool made = own->pushes && (own->orders || own->desc.without_orders) && own->pings &&
                own->births && own->near && own->far && own->stream.id;
    if (!known || !made)
        return cn_error_memory(error, "this operation");
    return add_systems(own, world, error);
}

bool sim_world_init(SimWorld *world, const SimWorldDesc *desc)
{
    CnError error = {0};
    *world = (SimWorld){.desc = *desc};
    world->sim = cn_sim_create(&(CnSimDesc){.allocator = desc->allocator,
                                            .jobs = desc->jobs,
                                            .seed = desc->seed,
                                            .tick_hz = desc->tick_hz},
                               &error);
    const CnPlugin plugin = {.name = "SimWorld", .version = 1, .build = build, .user = world};
    if (world->sim && cn_sim_add_plugin(world->sim, &plugin, &error))
        return true;
    sim_world_fini(world);
    return false;
}

void sim_world_fini(SimWorld *world)
{
    cn_sim_destroy(world->sim);
    world->sim = NULL;
}

void sim_world_send(SimWorld *world)
{
    uint64_t tick = cn_sim_tick(world->sim);
    TestRandom random = {tick};
    if (tick % 3 == 0)
        cn_produce(world->far, world->pushes, SimPush, {(float)(tick % 7) - 3, 0.5f});
    for (uint32_t i = test_random_below(&random, 3); world->orders && i > 0; i--) {
        SimOrder order;
        memset(&order, 0xa5, sizeof order); /* padding must not matter */
        order.kind = (uint8_t)test_random_below(&random, 4);
        order.amount = test_random(&random) >> 40;
        cn_format(order.note, sizeof order.note, "n%u", (unsigned)tick % 1000);
        order.loud = tick % 2;
        cn_produce_value(i % 2 ? world->near : world->far, world->orders, &order);
    }
    if (tick % 5 == 1)
        cn_produce_value(world->near, world->pings, NULL);
}

bool sim_world_play(SimWorld *world, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        sim_world_send(world);
        if (!cn_sim_tick_n(world->sim, 1, NULL))
            return false;
    }
    return true;
}
