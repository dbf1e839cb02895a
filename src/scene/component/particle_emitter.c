/* Particle emitters: the component, and its extraction. */
#include "scene/component/particle_emitter.h"

#include <cairn/base/math.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>
#include <cairn/scene/transform.h>

#define EXTRACT_PARTICLES "ExtractParticles"

/* ---- Reflection ---- */

static const char *const shapes[] = {"Point", "Sphere", "Box", NULL};

static const CnReflectedField fields[] = {
    {.key = "rate",
     .field = "rate",
     .minimum = 0,
     .maximum = 10000,
     .unit = "1/s",
     .about = "particles per second"},
    {.key = "burst",
     .field = "burst",
     .minimum = 0,
     .maximum = CN_MAX_PARTICLE_BURST,
     .about = "particles at once when it starts to play"},
    {.key = "life",
     .field = "life",
     .minimum = 0.01,
     .maximum = 60,
     .unit = "s",
     .about = "how long a particle exists"},
    {.key = "speed",
     .field = "speed",
     .minimum = -1000,
     .maximum = 1000,
     .unit = "m/s",
     .about = "speed at the start"},
    {.key = "variation",
     .field = "variation",
     .minimum = 0,
     .maximum = 1,
     .about = "of life, speed and size: 0 none, 1 from 0 to twice the value"},
    {.key = "direction",
     .field = "direction",
     .minimum = -1e6,
     .maximum = 1e6,
     .about = "axis of the cone into which particles start, in the space of the object"},
    {.key = "spread",
     .field = "spread",
     .minimum = 0,
     .maximum = 180,
     .unit = "degrees",
     .about = "angle between the axis and the edge of the cone; 180: all directions"},
    {.key = "gravity",
     .field = "gravity",
     .minimum = -1000,
     .maximum = 1000,
     .unit = "m/s^2",
     .about = "downward acceleration"},
    {.key = "startSize",
     .field = "start_size",
     .minimum = 0,
     .maximum = 1000,
     .unit = "m",
     .about = "diameter at the start of a life"},
    {.key = "endSize",
     .field = "end_size",
     .minimum = 0,
     .maximum = 1000,
     .unit = "m",
     .about = "diameter at the end of a life"},
    {.key = "startColor",
     .field = "start_color",
     .minimum = 0,
     .maximum = 1e4,
     .about = "linear color and alpha at the start; particles are not lit"},
    {.key = "endColor",
     .field = "end_color",
     .minimum = 0,
     .maximum = 1e4,
     .about = "linear color and alpha at the end"},
    {.key = "shape",
     .field = "shape",
     .kind = CN_REFLECTED_CHOICE,
     .choices = shapes,
     .about = "where particles start"},
    {.key = "extents",
     .field = "extents",
     .minimum = 0,
     .maximum = 1e4,
     .unit = "m",
     .about = "half the size of a box; x is the radius of a sphere"},
    {.key = "local",
     .field = "local",
     .about = "whether particles move with the object after their start"},
    {.key = "additive",
     .field = "additive",
     .about = "whether their light is added to what is behind them"},
    {.key = "playing", .field = "playing", .about = "whether it emits"},
};

static const CnReflectedType reflected_type = {
    .name = "ParticleEmitterComponent",
    .type = &cn_type_CnParticleEmitter,
    .fields = fields,
    .field_count = CN_COUNT_OF(fields),
    .about = "emits particles, which only the renderer knows",
};

static bool register_component(CnWorld *world, CnError *error)
{
    static const CnParticleEmitter defaults = {.rate = 20,
                                               .life = 1,
                                               .speed = 1,
                                               .direction = {0, 1, 0},
                                               .spread = 30,
                                               .start_size = 0.1f,
                                               .end_size = 0.1f,
                                               .start_color = {1, 1, 1, 1},
                                               .end_color = {1, 1, 1, 0},
                                               .extents = {0.5f, 0.5f, 0.5f},
                                               .playing = true};
    const CnComponentDesc desc = {.type = &cn_type_CnParticleEmitter, .default_value = &defaults};
    return cn_component_register(world, &desc, error).id &&
           cn_reflection_add(world, &reflected_type, error);
}

/* ---- Extraction ---- */

CnParticleStyle cn_particle_style(const CnParticleEmitter *emitter)
{
    CN_ASSERT(emitter, "%s: emitter is NULL", __func__);
    return (CnParticleStyle){.direction = emitter->direction,
                             .spread_cosine = cn_cosf(emitter->spread * (CN_PIF / 180)),
                             .extents = emitter->extents,
                             .shape = emitter->shape,
                             .life = emitter->life,
                             .speed = emitter->speed,
                             .variation = emitter->variation,
                             .gravity = emitter->gravity,
                             .start_size = emitter->start_size,
                             .end_size = emitter->end_size,
                             .start_color = emitter->start_color,
                             .end_color = emitter->end_color,
                             .flags = (emitter->local ? CN_PARTICLES_LOCAL : 0) |
                                      (emitter->additive ? CN_PARTICLES_ADDITIVE : 0)};
}

/* The particles of a local emitter that has stopped still follow it. */
static bool is_extracted(const CnParticleEmitter *emitter)
{
    return emitter->playing || emitter->local;
}

static void extract_chunk(const CnChunkView *view, CnRenderOut *out)
{
    const CnParticleEmitter *emitters = cn_column_const(view, CnParticleEmitter);
    const CnWorldTransform *worlds = cn_column_const(view, CnWorldTransform);
    uint32_t count = 0, filled = 0;
    for (uint32_t i = 0; i < view->count; i++)
        count += is_extracted(&emitters[i]);
    CnRenderEmitter *extracted = cn_extract_emitters(out, count);
    for (uint32_t i = 0; extracted && i < view->count; i++) {
        if (!is_extracted(&emitters[i]))
            continue;
        CnVec3 position, scale;
        CnQuat rotation;
        cn_affine_to_trs(&worlds[i].matrix, &position, &rotation, &scale);
        extracted[filled++] = (CnRenderEmitter){.entity = view->entities[i],
                                                .position = position,
                                                .rotation = rotation,
                                                .rate = emitters[i].rate,
                                                .burst = emitters[i].burst,
                                                .is_playing = emitters[i].playing,
                                                .style = cn_particle_style(&emitters[i])};
    }
}

static void extract_particles(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->user); cn_query_next(&it, &view);)
        extract_chunk(&view, out);
}

static bool has_consumer(const CnSystemContext *context)
{
    return cn_resource(context->world, CnRenderOut) != NULL;
}

static void dispose(void *user)
{
    cn_query_release(user);
}

static bool add_system(CnWorld *world, CnQuery *query, CnError *error)
{
    CnSystemDesc desc = {
        .name = EXTRACT_PARTICLES,
        .run = extract_particles,
        .user = query,
        .stage = CN_STAGE_PRE_EXTRACT,
        .after = {"ExtractObjects"},
        .access = {cn_reads(CnParticleEmitter), cn_reads(CnWorldTransform), cn_writes(CnRenderOut)},
        .run_if = has_consumer,
        .dispose = dispose};
    return cn_system_add(world, &desc, error).id != 0;
}

bool cni_scene_particle_emitters_add(CnWorld *world, CnError *error)
{
    if (!register_component(world, error))
        return false;
    if (cn_system_find(world, EXTRACT_PARTICLES).id)
        return true;
    CnQuery *query = cn_query_acquire(
        world,
        &(CnQueryDesc){.all = {cn_reads(CnParticleEmitter), cn_reads(CnWorldTransform)},
                       .none = {cn_tag(CnInactive)}},
        error);
    if (query && add_system(world, query, error))
        return true;
    cn_query_release(query);
    return false;
}
