/*
 * 03: systems and their order.
 *
 * Systems are registered in stages. An update runs FixedUpdate as often as real time asks for (here
 * 50 times a second), then PreUpdate, Update and PostUpdate once. Inside a stage, `before` and
 * `after` decide, then order of registration. What cannot be ordered is an error that says why.
 *
 * A system made with CN_SYSTEM declares what it reads and writes by its arguments. One that needs
 * more fills in a CnSystemDesc and declares the rest in `access`: components it looks up by id,
 * resources, events. The validate build reports every access that was not declared.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Height, (f32, metres));
CN_COMPONENT(Speed, (f32, metres_per_second));
CN_COMPONENT(Gravity, (f32, metres_per_second_squared)); /* a resource: one for the whole world */
CN_COMPONENT(Landings, (u32, count));

static void fall(CnSystemContext *context)
{
    const Gravity *gravity = cn_resource(context->world, Gravity);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Speed *speed = cn_column(&view, Speed);
        for (uint32_t i = 0; i < view.count; i++)
            speed[i].metres_per_second += gravity->metres_per_second_squared * context->dt;
    }
}

CN_SYSTEM(move, (write, Height, height), (read, Speed, speed))
{
    for (uint32_t i = 0; i < count; i++)
        height[i].metres += speed[i].metres_per_second * context->dt;
}

CN_SYSTEM(bounce, (write, Height, height), (write, Speed, speed))
{
    Landings *landings = cn_resource(context->world, Landings);
    for (uint32_t i = 0; i < count; i++) {
        if (height[i].metres > 0)
            continue;
        height[i].metres = 0;
        speed[i].metres_per_second *= -0.8f;
        landings->count++;
    }
}

CN_SYSTEM(show, (read, Height, height))
{
    for (uint32_t i = 0; i < count; i++)
        printf("%*s\n", (int)(height[i].metres * 6) + 1, "o");
}

int main(void)
{
    CnWorld *world = cn_world_create(&(CnWorldDesc){.fixed_timestep = 0.02, .max_fixed_steps = 8});
    cn_resource_set(world, Gravity, {-9.81f});
    cn_resource_set(world, Landings, {0});

    /* Registered in the wrong order on purpose. */
    CnSystemDesc falling = {.name = "fall",
                            .run = fall,
                            .stage = CN_STAGE_FIXED_UPDATE,
                            .query = {.all = {cn_writes(Speed)}},
                            .access = {cn_reads(Gravity)},
                            .before = {"move"}};
    cn_system(world, bounce, .stage = CN_STAGE_FIXED_UPDATE, .after = {"move"},
              .access = {cn_writes(Landings)});
    cn_system(world, move, .stage = CN_STAGE_FIXED_UPDATE);
    cn_system_add(world, &falling, NULL);
    CnSystem showing = cn_system(world, show, .stage = CN_STAGE_POST_UPDATE);
    cn_spawn(world, cn_with(Height, {8}), cn_with_default(Speed));

    CnError error = {0};
    for (int frame = 0; frame < 40; frame++)
        if (!cn_world_update(world, 0.1f, &error))
            break;
    cn_system_enable(world, showing, false);

    CnSystem order[8];
    uint32_t count = 0;
    cn_stage_systems(world, CN_STAGE_FIXED_UPDATE, order, 8, &count, &error);
    printf("order in FixedUpdate:");
    for (uint32_t i = 0; i < count; i++)
        printf(" %s", cn_system_name(world, order[i]));
    printf("\nlandings: %u\n", cn_resource(world, Landings)->count);
    cn_world_destroy(world);
}
