/* test-labels: threads */
/* What the client makes of the files of mods when memory runs out. */
#include "failing_heap.h"
#include "mod_client_fixture.h"

#include <crafty/client/world_tiles.h>

static bool load_tiles(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CraftyWorldTiles *tiles = crafty_world_tiles_create(allocator, mod_client.mods, &error);
    if (!tiles) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    size_t size;
    const uint8_t *bytes = crafty_world_tiles_bytes(tiles, &size);
    CnBlockTiles read;
    assert_true(cn_block_tiles_read(bytes, size, &read, NULL));
    /* Memory may lack for a single texture, too. */
    bool is_complete = crafty_world_tiles_problem_count(tiles) == 0;
    crafty_world_tiles_destroy(tiles);
    return is_complete;
}

static void textures_are_valid_or_an_error(void **state)
{
    (void)state;
    mod_client_write_texture("wall", 16, 0xFF0000FFu);
    mod_client_write_texture("roof", 32, 0x00FF00FFu);
    mod_client_load_good("block { name = 'hut', all = 'wall', top = 'roof' }");
    assert_true(run_with_failing_allocations(load_tiles, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(textures_are_valid_or_an_error, mod_client_begin,
                                        mod_client_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
