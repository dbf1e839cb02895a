/* A tick of 100 systems, each with a component and an entity of its own. */
#include "bench.h"

#include <stdio.h>

enum { TICKS = 200 };

#define TEN(use, tens)                                                                             \
    use(tens##0) use(tens##1) use(tens##2) use(tens##3) use(tens##4) use(tens##5) use(tens##6)     \
        use(tens##7) use(tens##8) use(tens##9)
#define HUNDRED(use)                                                                               \
    TEN(use, 0)                                                                                    \
    TEN(use, 1)                                                                                    \
    TEN(use, 2) TEN(use, 3) TEN(use, 4) TEN(use, 5) TEN(use, 6) TEN(use, 7) TEN(use, 8) TEN(use, 9)

#define DECLARE_CELL(number)                                                                       \
    CN_COMPONENT(Cell##number, (f32, value), (f32, speed));                                        \
    CN_SYSTEM(advance_##number, (write, Cell##number, cell))                                       \
    {                                                                                              \
        for (uint32_t i = 0; i < count; i++)                                                       \
            cell[i].value += cell[i].speed * context->dt;                                          \
    }                                                                                              \
    CN_SYSTEM(advance_fields_##number, (write, Cell##number, value, value),                        \
              (write, Cell##number, speed, speed))                                                 \
    {                                                                                              \
        for (uint32_t i = 0; i < count; i++)                                                       \
            value[i] += speed[i] * context->dt;                                                    \
    }
HUNDRED(DECLARE_CELL)

static uint64_t tick_run(void *state)
{
    CnWorld *world = state;
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < TICKS; i++)
        cn_world_update(world, DT, NULL);
    return cn_clock_ns() - start;
}

Figures measure_tick_100_systems(const Case *run)
{
    CnWorld *world = need(cn_world_create(NULL, NULL));
#define ADD_CELL(number)                                                                           \
    cn_register(world, Cell##number, .layout = run->layout);                                       \
    cn_spawn(world, cn_with(Cell##number, {1, 2}));                                                \
    if (run->layout == CN_LAYOUT_PACKED)                                                           \
        cn_system(world, advance_##number, .stage = CN_STAGE_UPDATE);                              \
    else                                                                                           \
        cn_system(world, advance_fields_##number, .stage = CN_STAGE_UPDATE);
    HUNDRED(ADD_CELL)
    CnError error;
    if (!cn_world_startup(world, &error)) {
        fprintf(stderr, "bench_ecs: %s\n", error.message);
        exit(1);
    }
    Figures figures = take_turns(run, tick_run, NULL, world, TICKS);
    cn_world_destroy(world);
    return figures;
}
