/* Trees, stones and plants: whole, within their bounds, and on the ground. */
#include "block_canvas.h"
#include "random.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include "voxel/generate/feature.h"

#include <string.h>

#define SEED 42

static GeneratedWorld world;

/* ---- One kind at a time ---- */

typedef struct Drawn {
    BlockCanvas canvas;
    CniVoxelFeatureInstance instance;
} Drawn;

/* In the middle of air, near to where four chunks meet. */
static void draw(Drawn *drawn, CniVoxelFeatureKindId kind, uint32_t dice)
{
    canvas_init(&drawn->canvas, (CnChunkPos){0, 0, 0}, 3, 3);
    drawn->instance =
        (CniVoxelFeatureInstance){.x = 17, .z = 30, .y = 12, .kind = (uint8_t)kind, .dice = dice};
    for (int32_t i = 0; i < canvas_chunk_count(&drawn->canvas); i++) {
        CnChunkPos at;
        CniVoxelBrush brush = {canvas_chunk(&drawn->canvas, i, &at), 0, 0, 0,
                               cni_voxel_generator_blocks(world.generator)};
        brush.x = 16 * at.x;
        brush.y = 16 * at.y;
        brush.z = 16 * at.z;
        cni_voxel_feature_kinds[kind].draw(&brush, &drawn->instance);
    }
}

static void for_all_kinds(void (*check)(const Drawn *drawn))
{
    TestRandom random = {1};
    for (uint32_t kind = CNI_VOXEL_NO_FEATURE + 1; kind < CNI_VOXEL_FEATURE_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < 12; i++) {
            Drawn drawn;
            draw(&drawn, (CniVoxelFeatureKindId)kind, (uint32_t)test_random(&random));
            check(&drawn);
            canvas_fini(&drawn.canvas);
        }
    }
}

static void check_bounds(const Drawn *drawn)
{
    const CniVoxelFeatureInstance *instance = &drawn->instance;
    const CniVoxelFeatureKind *kind = &cni_voxel_feature_kinds[instance->kind];
    const BlockCanvas *canvas = &drawn->canvas;
    uint32_t cells = 0;
    for (CnCell c = canvas->low; c.z < canvas->end.z; c.z++) {
        for (c.y = canvas->low.y; c.y < canvas->end.y; c.y++) {
            for (c.x = canvas->low.x; c.x < canvas->end.x; c.x++) {
                if (canvas_at(canvas, c) == CN_BLOCK_AIR)
                    continue;
                cells++;
                assert_in_range(c.x - instance->x + kind->radius, 0, 2 * kind->radius);
                assert_in_range(c.z - instance->z + kind->radius, 0, 2 * kind->radius);
                assert_in_range(c.y - instance->y + CNI_VOXEL_ROOT_DEPTH, 0,
                                CNI_VOXEL_ROOT_DEPTH + kind->height);
            }
        }
    }
    assert_true(cells > 0);
}

static void every_kind_stays_within_its_bounds(void **state)
{
    (void)state;
    for_all_kinds(check_bounds);
    for (uint32_t kind = CNI_VOXEL_NO_FEATURE + 1; kind < CNI_VOXEL_FEATURE_KIND_COUNT; kind++)
        assert_true(cni_voxel_feature_kinds[kind].radius <=
                    (kind < CNI_VOXEL_GREAT_OAK ? CNI_VOXEL_FINE_RADIUS : CNI_VOXEL_COARSE_RADIUS));
}

static bool is_part(CnBlock block)
{
    return block != CN_BLOCK_AIR && block != BLOCK_BEDROCK;
}

static void every_kind_hangs_together(void **state)
{
    (void)state;
    TestRandom random = {2};
    for (uint32_t kind = CNI_VOXEL_NO_FEATURE + 1; kind < CNI_VOXEL_FEATURE_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < 12; i++) {
            Drawn drawn;
            CnCell found;
            CnChunkPos at;
            draw(&drawn, (CniVoxelFeatureKindId)kind, (uint32_t)test_random(&random));
            /* The ground block is all there is to stand on. */
            CnCell ground = {drawn.instance.x, drawn.instance.y, drawn.instance.z};
            int32_t chunk = (ground.x >> 4) + 3 * ((ground.y >> 4) + 3 * (ground.z >> 4));
            canvas_chunk(&drawn.canvas, chunk, &at)[cn_chunk_index(ground)] = BLOCK_BEDROCK;
            assert_int_equal(canvas_floating(&drawn.canvas, is_part, &found), 0);
            canvas_fini(&drawn.canvas);
        }
    }
}

/* ---- In the world ---- */

#define WIDE 4

static int create_world(void **state)
{
    (void)state;
    world = generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = SEED});
    return 0;
}

static int destroy_world(void **state)
{
    (void)state;
    generated_drop(&world);
    return 0;
}

/* The chunk at the middle of a wide area of the biome, on land. */
static bool find_biome(CnBiome biome, CnChunkPos *found)
{
    enum { COUNT = 96, STEP = 64 };
    static CnColumn columns[COUNT * COUNT];
    static bool is_known;
    if (!is_known) { /* heights as they are before erosion will do */
        GeneratedWorld bare = generated_bare(SEED);
        CnColumnGrid grid = {-COUNT * STEP / 2, -COUNT * STEP / 2, STEP, COUNT};
        cn_generate_columns(bare.generator, bare.scratch, &grid, columns);
        generated_drop(&bare);
        is_known = true;
    }
    for (int32_t at = COUNT + 1; at < COUNT * (COUNT - 1) - 1; at++) {
        bool inside = true;
        for (int32_t n = 0; n < 9; n++) {
            const CnColumn *column = &columns[at + n % 3 - 1 + COUNT * (n / 3 - 1)];
            inside = inside && column->biome == biome && !column->underwater;
        }
        if (inside) {
            found->x = (-COUNT * STEP / 2 + at % COUNT * STEP) >> 4;
            found->z = (-COUNT * STEP / 2 + at / COUNT * STEP) >> 4;
            return true;
        }
    }
    return false;
}

/* Everything above the ground of 4 x 4 columns of chunks in the biome. */
static bool generate_biome(CnBiome biome, BlockCanvas *canvas)
{
    CnChunkPos at;
    if (!find_biome(biome, &at))
        return false;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (int32_t i = 0; i < WIDE * WIDE; i++) {
        int32_t x = at.x + i % WIDE, z = at.z + i / WIDE;
        const CnColumn *columns =
            cni_voxel_generate_chunk_columns(world.generator, world.scratch, x, z);
        for (uint32_t c = 0; c < 256; c++)
            low = columns[c].ground < low ? columns[c].ground : low;
        int32_t top = cn_generate_max_height(world.generator, world.scratch, x, z);
        high = top > high ? top : high;
    }
    at.y = (low - 4) >> 4;
    canvas_init(canvas, at, WIDE, ((high + 15) >> 4) - at.y);
    canvas_generate(canvas, world.generator, world.scratch);
    return true;
}

static bool is_of_tree(CnBlock block)
{
    switch (block) {
    case BLOCK_OAK_LOG:
    case BLOCK_BIRCH_LOG:
    case BLOCK_SPRUCE_LOG:
    case BLOCK_JUNGLE_LOG:
    case BLOCK_ACACIA_LOG:
    case BLOCK_CHERRY_LOG:
    case BLOCK_WILLOW_LOG:
    case BLOCK_MUSHROOM_STEM:
    case BLOCK_RED_MUSHROOM_BLOCK:
    case BLOCK_BROWN_MUSHROOM_BLOCK:
    case BLOCK_PACKED_ICE:
        return true;
    default:
        return (standard_blocks()->flags[block] & CN_BLOCK_IS_SEMI) && block != BLOCK_ICE &&
               block != BLOCK_GLASS && block != BLOCK_OAK_FENCE;
    }
}

static void no_part_of_a_tree_floats(void **state)
{
    (void)state;
    for (uint32_t biome = 0; biome < CN_BIOME_COUNT; biome++) {
        BlockCanvas canvas;
        CnCell found;
        if (!generate_biome((CnBiome)biome, &canvas))
            continue;
        assert_int_equal(canvas_floating(&canvas, is_of_tree, &found), 0);
        canvas_fini(&canvas);
    }
}

static void every_wooded_biome_has_trees_of_its_own(void **state)
{
    (void)state;
    static const CnBlock leaves[CN_BIOME_COUNT] = {
        [CN_BIOME_FOREST] = BLOCK_OAK_LEAVES,    [CN_BIOME_SAVANNA] = BLOCK_ACACIA_LEAVES,
        [CN_BIOME_JUNGLE] = BLOCK_JUNGLE_LEAVES, [CN_BIOME_SWAMP] = BLOCK_WILLOW_LEAVES,
        [CN_BIOME_TAIGA] = BLOCK_SPRUCE_LEAVES,  [CN_BIOME_CHERRY_GROVE] = BLOCK_CHERRY_LEAVES,
    };
    for (uint32_t biome = 0; biome < CN_BIOME_COUNT; biome++) {
        BlockCanvas canvas;
        if (!leaves[biome] || !generate_biome((CnBiome)biome, &canvas))
            continue;
        uint32_t count = 0;
        for (int32_t i = 0; i < canvas_chunk_count(&canvas) * CN_CHUNK_BLOCKS; i++)
            count += canvas.blocks[i] == leaves[biome];
        assert_true(count > 200);
        canvas_fini(&canvas);
    }
}

static void plants_have_something_below_them(void **state)
{
    (void)state;
    for (uint32_t biome = 0; biome < CN_BIOME_COUNT; biome++) {
        BlockCanvas canvas;
        if (!generate_biome((CnBiome)biome, &canvas))
            continue;
        for (CnCell c = canvas.low; c.z < canvas.end.z; c.z++)
            for (c.y = canvas.low.y + 1; c.y < canvas.end.y; c.y++)
                for (c.x = canvas.low.x; c.x < canvas.end.x; c.x++) {
                    CnBlock block = canvas_at(&canvas, c);
                    if ((standard_blocks()->flags[block] & CN_BLOCK_IS_PROP) ||
                        block == BLOCK_CACTUS || block == BLOCK_PUMPKIN || block == BLOCK_MELON)
                        assert_int_not_equal(canvas_at(&canvas, (CnCell){c.x, c.y - 1, c.z}),
                                             CN_BLOCK_AIR);
                }
        canvas_fini(&canvas);
    }
}

static void a_chunk_is_the_same_whatever_came_before_it(void **state)
{
    (void)state;
    BlockCanvas canvas;
    assert_true(generate_biome(CN_BIOME_FOREST, &canvas));
    GeneratedWorld other = generated_world(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = SEED, .cache_bytes = 1});
    for (int32_t i = canvas_chunk_count(&canvas) - 1; i >= 0; i--) {
        CnChunkPos position;
        CnBlock blocks[CN_CHUNK_BLOCKS];
        const CnBlock *expected = canvas_chunk(&canvas, i, &position);
        cn_generate(other.generator, other.scratch, position, blocks);
        assert_memory_equal(blocks, expected, sizeof blocks);
    }
    generated_drop(&other);
    canvas_fini(&canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_stays_within_its_bounds),
        cmocka_unit_test(every_kind_hangs_together),
        cmocka_unit_test(no_part_of_a_tree_floats),
        cmocka_unit_test(every_wooded_biome_has_trees_of_its_own),
        cmocka_unit_test(plants_have_something_below_them),
        cmocka_unit_test(a_chunk_is_the_same_whatever_came_before_it),
    };
    return cmocka_run_group_tests(tests, create_world, destroy_world);
}
