/*
 * 29: components and systems in Lua.
 *
 * A plugin file declares components, which are like those of C, and systems, which run over batches
 * of entities in the same schedule. The views that a batch has refer to the columns of the world,
 * without copies, and LuaJIT compiles the loops. A file has all rights of the program, so the
 * program declares that it trusts it.
 *
 * The file is scenes/fountain/fountain.lua. Run the sample in the folder that contains scenes/.
 */
#include <cairn/script.h>
#include <cairn/sim.h>

#include <inttypes.h>
#include <stdio.h>

static const CnScriptSystemDesc fountain = {.path = "scenes/fountain/fountain.lua",
                                            .trusted = true};

/* C reads what Lua has declared, by name. */
static void show(CnSim *sim)
{
    CnWorld *world = cn_sim_world(sim);
    CnComponent place = cn_component_find(world, "Place");
    const CnField *y = cn_component_field(world, place, "y");
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(place)}}, NULL);
    float highest = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            const float *height = cn_get_field(world, view.entities[i], place, y);
            highest = *height > highest ? *height : highest;
        }
    printf("tick %3" PRIu64 ": %4u sparks, the highest at %.2f m\n", cn_sim_tick(sim),
           cn_query_count(query), (double)highest);
    cn_query_release(query);
}

static bool run(CnSim *sim, CnError *error)
{
    CnPlugin plugin = cn_script_system_plugin(&fountain);
    if (!cn_sim_add_plugin(sim, &plugin, error))
        return false;
    for (int i = 0; i < 5; i++) {
        if (!cn_sim_tick_n(sim, 30, error))
            return false;
        show(sim);
    }
    return !cn_script_system_error(cn_sim_world(sim), "fly", error);
}

int main(void)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 5}, &error);
    bool done = sim && run(sim, &error);
    if (!done)
        fprintf(stderr, "29_lua_systems: %s\n", error.message);
    cn_sim_destroy(sim);
    return done ? 0 : 1;
}
