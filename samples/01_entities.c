/*
 * 01: the shortest complete program.
 *
 * A component is a struct with a description. A world holds entities; an entity is an id that has
 * components. A system is a loop over all entities that have the components it names: its body
 * runs once per chunk of rows, with one array per component.
 */
#include <cairn/ecs.h>

#include <stdio.h>

CN_COMPONENT(Position, (f32, x), (f32, y));
CN_COMPONENT(Velocity, (f32, x), (f32, y));

CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
{
    for (uint32_t i = 0; i < count; i++) {
        p[i].x += v[i].x * context->dt;
        p[i].y += v[i].y * context->dt;
    }
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    CnEntity bird = cn_spawn(world, cn_with(Position, {0, 10}), cn_with(Velocity, {2, -1}));
    CnEntity tree = cn_spawn(world, cn_with(Position, {5, 0}));
    for (int second = 0; second < 3; second++)
        cn_world_update(world, 1.0f, NULL);
    const Position *b = cn_get(world, bird, Position), *t = cn_get(world, tree, Position);
    printf("bird at (%g, %g), tree at (%g, %g)\n", b->x, b->y, t->x, t->y);
    cn_world_destroy(world);
}
