/*
 * 05: commands.
 *
 * While a query is iterated, entities must not move, but adding a component moves an entity to
 * another table. A system therefore records changes in its command buffer, and the world applies
 * them after the stage: first all additions and removals in recorded order, with one move per
 * entity for any number of steps, then the destructions. Commands for an entity that is dead by
 * then are skipped.
 *
 * The id of a spawned entity is valid at once, so other commands and components can refer to it.
 * Ids do not depend on threads or timing.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Position, (f32, x), (f32, y));
CN_COMPONENT(Rocket, (f32, seconds_left));
CN_COMPONENT(Spark, (f32, seconds_left), (entity, rocket));
CN_TAG(Burnt);

static void burn(CnSystemContext *context)
{
    CnCommands *commands = context->commands;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Rocket *rocket = cn_column(&view, Rocket);
        const Position *position = cn_column_const(&view, Position);
        for (uint32_t i = 0; i < view.count; i++) {
            rocket[i].seconds_left -= context->dt;
            if (rocket[i].seconds_left > 0)
                continue;
            for (int s = 0; s < 3; s++)
                cn_defer_spawn(commands,
                               cn_with(Position, {position[i].x + (float)s, position[i].y}),
                               cn_with(Spark, {.seconds_left = 0.25f, .rocket = view.entities[i]}));
            cn_defer_remove(commands, view.entities[i], Rocket);
            cn_defer_add(commands, view.entities[i], Burnt);
        }
    }
}

static void fade(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        Spark *spark = cn_column(&view, Spark);
        for (uint32_t i = 0; i < view.count; i++)
            if ((spark[i].seconds_left -= context->dt) <= 0)
                cn_defer_destroy(context->commands, view.entities[i]);
    }
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnSystemDesc systems[] = {
        {.name = "burn",
         .run = burn,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(Rocket), cn_reads(Position)}}},
        {.name = "fade",
         .run = fade,
         .stage = CN_STAGE_UPDATE,
         .query = {.all = {cn_writes(Spark)}}},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        cn_system_add(world, &systems[i], NULL);
    cn_register(world, Burnt);
    for (int i = 0; i < 5; i++)
        cn_spawn(world, cn_with(Position, {(float)i * 10, 0}),
                 cn_with(Rocket, {0.1f * (float)(i + 1)}));

    CnQuery *rockets = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Rocket)}}, NULL);
    CnQuery *sparks = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Spark)}}, NULL);
    CnQuery *burnt = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Burnt)}}, NULL);
    for (int frame = 1; frame <= 9; frame++) {
        cn_world_update(world, 0.1f, NULL);
        printf("%.1f s: %u rockets, %2u sparks, %u burnt out\n", (double)frame * 0.1,
               cn_query_count(rockets), cn_query_count(sparks), cn_query_count(burnt));
    }
    cn_world_destroy(world);
}
