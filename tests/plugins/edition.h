/* A plugin in several editions, to be reloaded one over the other. */
#include <cairn/plugin.h>
#include <cairn/sim.h>

CN_COMPONENT(EditionStep, (u64, value));
CN_COMPONENT(EditionBody, (u32, age));
CN_COMPONENT(EditionLoads, (u32, count)); /* transient: how often the library was loaded afresh */

static void step(CnSystemContext *context)
{
    EditionStep *sum = cn_resource_mut(context->world, EditionStep);
    sum->value = sum->value * 31 + EDITION;
}

CN_SYSTEM(edition_age, (write, EditionBody, body))
{
    for (uint32_t i = 0; i < count; i++)
        body[i].age++;
    if (body[0].age % 7 == 0)
        cn_defer_spawn(context->commands, cn_with(EditionBody, {EDITION}));
    if (body[0].age % 11 == 0)
        cn_defer_destroy(context->commands, chunk->entities[count - 1]);
}

static void greet(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)entity, (void)component, (void)user;
    cn_resource_mut(world, EditionStep)->value += 3;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user;
    if (EDITION_FAILS)
        return cn_error_set(error, CN_ERROR_MISMATCH, "this edition cannot be built");
    static bool is_loaded;
    cn_register(world, EditionLoads, .flags = CN_COMPONENT_TRANSIENT);
    if (!cn_resource(world, EditionLoads))
        cn_resource_set(world, EditionLoads, {0});
    cn_resource_mut(world, EditionLoads)->count += !is_loaded;
    is_loaded = true;
    cn_register(world, EditionBody, .hooks = {.on_add = {greet, NULL}});
    if (!cn_resource(world, EditionStep)) {
        cn_resource_set(world, EditionStep, {1});
        cn_spawn(world, cn_with(EditionBody, {0}));
    }
    const CnSystemDesc stepping = {.name = "edition_step",
                                   .run = step,
                                   .stage = CN_STAGE_UPDATE,
                                   .access = {cn_writes(EditionStep)}};
    return cn_system_add(world, &stepping, error).id &&
           cn_system(world, edition_age, .stage = CN_STAGE_UPDATE,
                     .access = {cn_writes(EditionStep)})
               .id;
}

CN_NATIVE_PLUGIN(.name = EDITION_NAME, .version = EDITION, .build = build);
