/*
 * A small world that extracts its state: bodies that rotate and move, lamps, a score, steps with
 * sounds. The systems of render, ui and audio share a wave.
 */
#ifndef CAIRN_TESTS_SUPPORT_SIM_EXTRACT_WORLD_H
#define CAIRN_TESTS_SUPPORT_SIM_EXTRACT_WORLD_H

#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/sim/extract.h>

CN_COMPONENT(Place, (vec3, position), (quat, rotation));
CN_COMPONENT(Motion, (vec3, velocity));
CN_COMPONENT(Body, (u32, mesh), (u32, steps));
CN_COMPONENT(Lamp, (f32, range));

CN_SYSTEM(move_bodies, (write, Place, place), (read, Motion, motion))
{
    for (uint32_t i = 0; i < count; i++) {
        place[i].position.x += motion[i].velocity.x * context->dt;
        place[i].position.y += motion[i].velocity.y * context->dt;
    }
}

CN_SYSTEM(count_steps, (write, Body, body), (read, Place, place))
{
    for (uint32_t i = 0; i < count; i++)
        body[i].steps = (uint32_t)place[i].position.x;
}

CN_SYSTEM(show_bodies, (read, Place, place), (read, Body, body))
{
    CnRenderItem *items = cn_extract_items(cn_resource_mut(context->world, CnRenderOut), count);
    for (uint32_t i = 0; items && i < count; i++)
        items[i] = (CnRenderItem){.entity = chunk->entities[i],
                                  .position = place[i].position,
                                  .rotation = place[i].rotation,
                                  .scale = {1, 1, 1},
                                  .mesh = body[i].mesh};
}

CN_SYSTEM(show_lamps, (read, Place, place), (read, Lamp, lamp))
{
    CnRenderLight *lights = cn_extract_lights(cn_resource_mut(context->world, CnRenderOut), count);
    for (uint32_t i = 0; lights && i < count; i++)
        lights[i] = (CnRenderLight){.entity = chunk->entities[i],
                                    .kind = CN_LIGHT_POINT,
                                    .position = place[i].position,
                                    .range = lamp[i].range};
}

CN_SYSTEM(show_steps, (read, Body, body))
{
    for (uint32_t i = 0; i < count; i += 50)
        cn_extract_ui_value(cn_resource_mut(context->world, CnUiOut),
                            cn_entity_index(chunk->entities[i]), (float)body[i].steps);
}

CN_SYSTEM(sound_steps, (read, Place, place), (read, Body, body))
{
    for (uint32_t i = 0; i < count; i++)
        if (body[i].steps % 97 == 1)
            cn_extract_audio(cn_resource_mut(context->world, CnAudioOut),
                             &(CnAudioCommand){.source = chunk->entities[i],
                                               .sound = body[i].steps,
                                               .position = place[i].position});
}

#define EXTRACT_DT (1.0f / 64)

static inline void add_extract_systems(CnWorld *world)
{
    cn_system(world, move_bodies, .stage = CN_STAGE_UPDATE);
    cn_system(world, count_steps, .stage = CN_STAGE_UPDATE);
    cn_system(world, show_bodies, .stage = CN_STAGE_PRE_EXTRACT,
              .access = {cn_writes(CnRenderOut)});
    cn_system(world, show_lamps, .stage = CN_STAGE_PRE_EXTRACT, .access = {cn_writes(CnRenderOut)});
    cn_system(world, show_steps, .stage = CN_STAGE_PRE_EXTRACT, .access = {cn_writes(CnUiOut)});
    cn_system(world, sound_steps, .stage = CN_STAGE_PRE_EXTRACT, .access = {cn_writes(CnAudioOut)});
}

static inline void spawn_bodies(CnWorld *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CnEntity body =
            cn_spawn(world, cn_with(Place, {{(float)(i % 300), 0, 0}, {0, 0, 0, 1}}),
                     cn_with(Motion, {{(float)(i % 7), 1, 0}}), cn_with(Body, {.mesh = i % 5}));
        if (i % 9 == 0)
            cn_set(world, body, Lamp, {(float)i});
    }
}

/* The work of the loop. */
static inline void run_extract_tick(CnWorld *world, CnOutbox *outbox, uint64_t tick)
{
    cn_outbox_begin(outbox, tick, (double)tick * (double)EXTRACT_DT);
    assert_true(cn_world_update(world, EXTRACT_DT, NULL));
    cn_outbox_publish(outbox);
}

#endif
