/* The systems of Crafty, among those of the engine. */
#include "item_fixture.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/client/lamps.h>
#include <crafty/sim/crafty_sim.h>

#include <cairn/physics.h>
#include <cairn/script.h>

static void print_ambiguity(const char *text, void *user)
{
    print_message("%s", text);
    *(bool *)user = true;
}

static void every_conflict_between_systems_has_a_declared_order(void **state)
{
    (void)state;
    VoxelWorld blocks = voxel_world_create(cn_system_allocator(), 0, NULL);
    CraftyLamps *lamps = crafty_lamps_create(NULL, standard_blocks());
    CraftyItems *items = make_items(NULL);
    CraftySimDesc desc = {
        .voxels = blocks.world, .items = items, .start = {.viewer = CRAFTY_VIEWER_WALKS}};
    CnPlugin scene = cn_scene_plugin();
    CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(NULL),
                          crafty_sim_plugin(&desc)};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_true(lamps && sim);
    for (uint32_t i = 0; i < CN_COUNT_OF(plugins); i++)
        assert_true(cn_sim_add_plugin(sim, &plugins[i], NULL));
    assert_true(crafty_lamps_add(cn_sim_world(sim), lamps, NULL));
    bool is_ambiguous = false;
    assert_true(cn_schedule_ambiguities(cn_sim_world(sim), print_ambiguity, &is_ambiguous, NULL));
    assert_false(is_ambiguous);
    cn_sim_destroy(sim);
    crafty_lamps_destroy(lamps);
    crafty_items_destroy(items);
    voxel_world_destroy(&blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_conflict_between_systems_has_a_declared_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
