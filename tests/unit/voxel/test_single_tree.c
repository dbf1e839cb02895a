/* Trees of the generator, drawn alone. */
#include "standard_blocks.h"
#include "voxel_world.h"

static VoxelWorld made;

static int make(void **state)
{
    (void)state;
    made = voxel_world_create(NULL, 0, &(CnVoxelsHooks){0});
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

static void the_same_dice_give_the_same_tree(void **state)
{
    (void)state;
    static CnTreeBlock a[CN_TREE_MAX_BLOCKS], b[CN_TREE_MAX_BLOCKS];
    CnCell ground = {-7, 40, 31};
    for (uint32_t tree = 0; tree < CN_TREE_COUNT; tree++) {
        uint32_t count = cn_generate_tree(made.generator, (CnTree)tree, ground, 99, a);
        assert_in_range(count, 4, CN_TREE_MAX_BLOCKS);
        assert_int_equal(cn_generate_tree(made.generator, (CnTree)tree, ground, 99, b), count);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(a[i].block, b[i].block);
            assert_true(a[i].cell.x == b[i].cell.x && a[i].cell.y == b[i].cell.y &&
                        a[i].cell.z == b[i].cell.z);
            assert_true(a[i].cell.y > ground.y);
        }
    }
}

static void trees_have_different_shapes(void **state)
{
    (void)state;
    static CnTreeBlock blocks[CN_TREE_MAX_BLOCKS];
    uint32_t sizes[16], different = 0;
    for (uint32_t i = 0; i < 16; i++)
        sizes[i] = cn_generate_tree(made.generator, CN_TREE_OAK, (CnCell){0}, i * 7919, blocks);
    for (uint32_t i = 1; i < 16; i++)
        different += sizes[i] != sizes[0];
    assert_true(different > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_same_dice_give_the_same_tree, make, unmake),
        cmocka_unit_test_setup_teardown(trees_have_different_shapes, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
