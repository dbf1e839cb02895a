/*
 * A plugin in a shared library: copy this folder and begin here.
 *
 *     cc -std=c17 -O2 -shared -fPIC plugin.c -o sheep.so $(pkg-config --cflags --libs cairn)
 *     cairn run --demo empty --plugin sheep.so --ticks 600 --hash
 *
 * A program of your own loads it with cn_plugin_load, and loads it again when its file has changed
 * with cn_plugin_reload_changed, between ticks. The program must use the shared library, as the
 * plugin does.
 *
 * Everything that must survive a reload lies in the world: components and resources. Static
 * variables do not survive. Systems are added in build, which runs again after each reload; they
 * keep their places, and the simulation goes on with not a bit changed. What the simulation may not
 * use (libm, clocks, rand) is in docs/architecture.md.
 */
#include <cairn/plugin.h>
#include <cairn/sim.h>

CN_COMPONENT(Sheep, (f32, x), (f32, speed));
CN_COMPONENT(Flock, (u64, steps)); /* a resource: one for the whole world */

CN_SYSTEM(graze, (write, Sheep, sheep))
{
    for (uint32_t i = 0; i < count; i++)
        sheep[i].x += sheep[i].speed * context->dt;
}

static void count_steps(CnSystemContext *context)
{
    cn_resource_mut(context->world, Flock)->steps += cn_query_count(context->query);
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user;
    /* After a reload the state is there already. */
    if (!cn_resource(world, Flock)) {
        if (!cn_resource_set(world, Flock, {0}))
            return cn_error_memory(error, "the plugin");
        for (int i = 0; i < 100; i++)
            cn_spawn(world, cn_with(Sheep, {0, (float)i}));
    }
    const CnSystemDesc counting = {.name = "count_steps",
                                   .run = count_steps,
                                   .stage = CN_STAGE_POST_UPDATE,
                                   .query = {.all = {cn_reads(Sheep)}},
                                   .access = {cn_writes(Flock)}};
    return cn_system(world, graze, .stage = CN_STAGE_UPDATE, .split = true).id &&
           cn_system_add(world, &counting, error).id;
}

CN_NATIVE_PLUGIN(.name = "Sheep", .version = 1, .needs = {"CoreTiming"}, .build = build);
