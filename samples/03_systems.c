/*
 * 03: systems and their order.
 *
 * Systems are registered in stages. An update runs Input, PreUpdate, Update, PostUpdate and
 * PreExtract. Within a stage, `before` and `after` determine the order, then the order of
 * registration; `run_if` skips a system. A contradictory order is an error that explains why.
 *
 * The terms of CN_SYSTEM declare what a system reads and writes. They can also exclude components,
 * make them optional, and skip unchanged data. A system with other needs fills in a CnSystemDesc
 * and declares the rest in `access`: components that it looks up by id, resources, events. The
 * validate build reports every access that was not declared.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Height, (f32, meters));
CN_COMPONENT(Speed, (f32, meters_per_second));
CN_COMPONENT(Gravity, (f32, meters_per_second_squared)); /* a resource: one for the whole world */
CN_COMPONENT(Landings, (u32, count));
CN_COMPONENT(Steps, (u32, count));

static void fall(CnSystemContext *context)
{
    const Gravity *gravity = cn_resource(context->world, Gravity);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Speed *speed = cn_column(&view, Speed);
        for (uint32_t i = 0; i < view.count; i++)
            speed[i].meters_per_second += gravity->meters_per_second_squared * context->dt;
    }
}

CN_SYSTEM(move, (write, Height, height), (read, Speed, speed))
{
    for (uint32_t i = 0; i < count; i++)
        height[i].meters += speed[i].meters_per_second * context->dt;
}

CN_SYSTEM(bounce, (write, Height, height), (write, Speed, speed))
{
    Landings *landings = cn_resource_mut(context->world, Landings);
    for (uint32_t i = 0; i < count; i++) {
        if (height[i].meters > 0)
            continue;
        height[i].meters = 0;
        speed[i].meters_per_second *= -0.8f;
        landings->count++;
    }
}

static void count_steps(CnSystemContext *context)
{
    cn_resource_mut(context->world, Steps)->count++;
}

static bool every_fifth(const CnSystemContext *context)
{
    return cn_resource(context->world, Steps)->count % 5 == 0;
}

CN_SYSTEM(show, (read, Height, height))
{
    for (uint32_t i = 0; i < count; i++)
        printf("%*s\n", (int)(height[i].meters * 6) + 1, "o");
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_resource_set(world, Gravity, {-9.81f});
    cn_resource_set(world, Landings, {0});
    cn_resource_set(world, Steps, {0});

    /* Registered in the wrong order on purpose. */
    CnSystemDesc falling = {.name = "fall",
                            .run = fall,
                            .stage = CN_STAGE_UPDATE,
                            .query = {.all = {cn_writes(Speed)}},
                            .access = {cn_reads(Gravity)},
                            .before = {"move"}};
    cn_system(world, bounce, .stage = CN_STAGE_UPDATE, .after = {"move"},
              .access = {cn_writes(Landings)});
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    cn_system_add(world, &falling, NULL);
    cn_system_add(world,
                  &(CnSystemDesc){.name = "count_steps",
                                  .run = count_steps,
                                  .stage = CN_STAGE_PRE_UPDATE,
                                  .access = {cn_writes(Steps)}},
                  NULL);
    CnSystem showing = cn_system(world, show, .stage = CN_STAGE_POST_UPDATE,
                                 .access = {cn_reads(Steps)}, .run_if = every_fifth);
    cn_spawn(world, cn_with(Height, {8}), cn_with_default(Speed));

    CnError error = {0};
    for (int step = 0; step < 200; step++)
        if (!cn_world_update(world, 0.02f, &error))
            break;
    cn_system_enable(world, showing, false);

    CnScheduled order[8];
    uint32_t count = 0;
    cn_stage_systems(world, CN_STAGE_UPDATE, order, 8, &count, &error);
    printf("order in Update:");
    for (uint32_t i = 0; i < count; i++)
        printf(" %s", order[i].name);
    printf("\nlandings: %u\n", cn_resource(world, Landings)->count);
    cn_world_destroy(world);
}
