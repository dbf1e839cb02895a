/* Placements: decorations and structures of a game stand where chance, biome and ground allow it,
 * are whole across borders of chunks, and keep off each other. */
#include "cmocka_tests.h"
#include "voxel_generated.h"

#include <string.h>

#define SEED 42u
#define GOLD BLOCK_GOLD_ORE
#define BRICK BLOCK_BRICKS

static CnBlock cube[21 * 5 * 21], small[1];
static CnPattern cube_pattern = {21, 5, 21, 1, cube}, small_pattern = {1, 1, 1, 1, small};

static CnPlacement structure(uint64_t salt)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(cube); i++)
        cube[i] = GOLD;
    return (CnPlacement){.name = "cube",
                         .salt = salt,
                         .spacing = 64,
                         .separation = 24,
                         .chance = CN_PLACEMENT_ALWAYS,
                         .lowest = 0,
                         .highest = 200,
                         .unevenness = 8,
                         .sunk = 1,
                         .is_structure = true,
                         .foundation = BRICK,
                         .patterns = &cube_pattern,
                         .pattern_count = 1};
}

static CnPlacement decoration(uint64_t salt)
{
    small[0] = GOLD;
    return (CnPlacement){.name = "pebble",
                         .salt = salt,
                         .spacing = 4,
                         .chance = CN_PLACEMENT_ALWAYS,
                         .highest = 200,
                         .unevenness = UINT8_MAX,
                         .patterns = &small_pattern,
                         .pattern_count = 1};
}

static GeneratedWorld world_of(const CnPlacement *placements, uint32_t count, uint64_t seed)
{
    return generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(),
                                              .seed = seed,
                                              .no_erosion = true,
                                              .no_caves = true,
                                              .no_ores = true,
                                              .placements = placements,
                                              .placement_count = count});
}

static CnBlock block_at(GeneratedWorld *world, CnCell cell)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    static CnChunkPos held = {INT32_MAX, 0, 0};
    static const void *of;
    CnChunkPos position = {cell.x >> 4, cell.y >> 4, cell.z >> 4};
    if (of != world->generator || memcmp(&held, &position, sizeof held) != 0)
        cn_generate(world->generator, world->scratch, position, blocks);
    held = position;
    of = world->generator;
    return blocks[(cell.x & 15) + 16 * (cell.y & 15) + 256 * (cell.z & 15)];
}

/* Finds a structure that stands, at squares from -4 to 4. */
static uint32_t find_all(GeneratedWorld *world, uint32_t placement, CnPlaced found[81])
{
    uint32_t count = 0;
    for (int32_t k = -4; k <= 4; k++)
        for (int32_t i = -4; i <= 4; i++)
            count += cn_generate_placed(world->generator, world->scratch, placement, i, k,
                                        &found[count]);
    return count;
}

static void a_structure_is_whole_across_borders_of_chunks(void **state)
{
    (void)state;
    CnPlacement placement = structure(1);
    GeneratedWorld world = world_of(&placement, 1, SEED);
    CnPlaced found[81];
    uint32_t count = find_all(&world, 0, found);
    assert_in_range(count, 5, 81);
    for (uint32_t n = 0; n < count; n++)
        for (int32_t z = 0; z < 21; z++)
            for (int32_t y = 0; y < 5; y++)
                for (int32_t x = 0; x < 21; x++) {
                    const CnCell low = found[n].low;
                    assert_int_equal(block_at(&world, (CnCell){low.x + x, low.y + y, low.z + z}),
                                     GOLD);
                }
    generated_drop(&world);
}

static void nothing_floats_above_the_ground(void **state)
{
    (void)state;
    CnPlacement placement = structure(1);
    GeneratedWorld world = world_of(&placement, 1, SEED);
    CnPlaced found[81];
    uint32_t count = find_all(&world, 0, found), filled = 0;
    for (uint32_t n = 0; n < count; n++)
        for (int32_t i = 0; i < 21 * 21; i++) {
            CnCell cell = {found[n].low.x + i % 21, found[n].low.y - 1, found[n].low.z + i / 21};
            CnBlock below = block_at(&world, cell);
            assert_int_not_equal(below, BLOCK_AIR);
            filled += below == BRICK;
        }
    assert_true(filled > 0);
    generated_drop(&world);
}

static void trees_keep_off_a_structure(void **state)
{
    (void)state;
    CnPlacement placement = structure(1);
    GeneratedWorld world = world_of(&placement, 1, SEED);
    CnPlaced found[81];
    uint32_t count = find_all(&world, 0, found);
    for (uint32_t n = 0; n < count; n++)
        for (int32_t i = 0; i < 21 * 21; i++)
            for (int32_t y = 5; y < 30; y++)
                if (block_at(&world, (CnCell){found[n].low.x + i % 21, found[n].low.y + y,
                                              found[n].low.z + i / 21}) == BLOCK_OAK_LOG)
                    fail_msg("a trunk at %d above a structure", y);
    generated_drop(&world);
}

static bool is_apart(const CnPlaced *a, const CnPlaced *b)
{
    int32_t dx = a->low.x - b->low.x, dz = a->low.z - b->low.z;
    return dx >= 21 || dx <= -21 || dz >= 21 || dz <= -21;
}

static void structures_do_not_overlap(void **state)
{
    (void)state;
    CnPlacement placements[] = {structure(1), structure(2), structure(3)};
    GeneratedWorld world = world_of(placements, 3, SEED);
    CnPlaced found[3][81];
    uint32_t count[3];
    for (uint32_t p = 0; p < 3; p++)
        count[p] = find_all(&world, p, found[p]);
    assert_true(count[2] < count[0] && count[2] > 0);
    for (uint32_t p = 0; p < 3; p++)
        for (uint32_t q = 0; q < p; q++)
            for (uint32_t n = 0; n < count[p]; n++)
                for (uint32_t m = 0; m < count[q]; m++)
                    assert_true(is_apart(&found[p][n], &found[q][m]));
    generated_drop(&world);
}

static void structures_keep_off_villages(void **state)
{
    (void)state;
    CnPlacement placement = structure(1);
    GeneratedWorld world = world_of(&placement, 1, SEED);
    CnVillagePiece pieces[CN_VILLAGE_MAX_PIECES];
    uint32_t villages = 0;
    for (int32_t r = 0; r < 36; r++) {
        CnPlaced placed;
        uint32_t count = cn_generate_village_pieces(world.generator, world.scratch, r % 6 - 3,
                                                    r / 6 - 3, pieces);
        villages += count > 0;
        for (uint32_t n = 0; n < count; n++)
            for (int32_t s = 0; s < 9; s++) {
                const CnCell low = pieces[n].low, high = pieces[n].high;
                if (!cn_generate_placed(world.generator, world.scratch, 0, (low.x >> 6) + s % 3 - 1,
                                        (low.z >> 6) + s / 3 - 1, &placed))
                    continue;
                assert_true(placed.low.x > high.x || placed.low.x + 20 < low.x ||
                            placed.low.z > high.z || placed.low.z + 20 < low.z);
            }
    }
    assert_true(villages > 0);
    generated_drop(&world);
}

static uint32_t count_gold(GeneratedWorld *world, CnBlock on)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    uint32_t count = 0;
    for (int32_t c = 0; c < 64; c++) {
        CnChunkPos position = {c % 8 - 4, 0, c / 8 - 4};
        int32_t top =
            cn_generate_max_height(world->generator, world->scratch, position.x, position.z);
        for (position.y = 0; position.y * 16 < top; position.y++) {
            cn_generate(world->generator, world->scratch, position, blocks);
            for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
                bool is_gold = blocks[i] == GOLD;
                count += is_gold;
                if (is_gold && on && (i >> 4 & 15) > 0)
                    assert_int_equal(blocks[i - 16], on);
            }
        }
    }
    return count;
}

static void a_decoration_stands_on_its_ground_only(void **state)
{
    (void)state;
    CnPlacement placement = decoration(7);
    placement.on[0] = BLOCK_GRASS;
    placement.on_count = 1;
    GeneratedWorld world = world_of(&placement, 1, SEED);
    assert_in_range(count_gold(&world, BLOCK_GRASS), 100, 1024);
    generated_drop(&world);
}

static void chance_and_biomes_make_decorations_rarer(void **state)
{
    (void)state;
    CnPlacement always = decoration(7), seldom = always, nowhere = always;
    seldom.chance = CN_PLACEMENT_ALWAYS / 4;
    nowhere.biomes = 1u << 31;
    GeneratedWorld a = world_of(&always, 1, SEED), b = world_of(&seldom, 1, SEED),
                   c = world_of(&nowhere, 1, SEED);
    uint32_t all = count_gold(&a, 0), some = count_gold(&b, 0);
    assert_in_range(some, all / 8, all / 2);
    assert_int_equal(count_gold(&c, 0), 0);
    generated_drop(&a);
    generated_drop(&b);
    generated_drop(&c);
}

static void decorations_keep_off_structures(void **state)
{
    (void)state;
    CnPlacement placements[] = {decoration(7), structure(1)};
    CnBlock other[1] = {BLOCK_BOOKSHELF};
    CnPattern pattern = {1, 1, 1, 1, other};
    placements[0].patterns = &pattern;
    GeneratedWorld world = world_of(placements, 2, SEED);
    CnPlaced found[81];
    uint32_t count = find_all(&world, 1, found);
    assert_true(count > 0);
    for (uint32_t n = 0; n < count; n++)
        for (int32_t i = 0; i < 21 * 21; i++)
            for (int32_t y = 5; y < 20; y++)
                assert_int_not_equal(
                    block_at(&world, (CnCell){found[n].low.x + i % 21, found[n].low.y + y,
                                              found[n].low.z + i / 21}),
                    BLOCK_BOOKSHELF);
    generated_drop(&world);
}

static void a_world_without_placements_that_stand_has_the_same_blocks(void **state)
{
    (void)state;
    CnPlacement placements[] = {structure(1), decoration(7)};
    placements[0].chance = placements[1].chance = 0;
    GeneratedWorld plain = world_of(NULL, 0, SEED), with = world_of(placements, 2, SEED);
    const CnChunkPos first = {-3, 0, -3}, size = {6, 5, 6};
    assert_int_equal(generated_hash(&plain, first, size), generated_hash(&with, first, size));
    generated_drop(&plain);
    generated_drop(&with);
}

/* Structures of another seed stand elsewhere: no more of them coincide than by chance. */
static void another_seed_has_other_places(void **state)
{
    (void)state;
    CnPlacement placement = structure(1);
    GeneratedWorld a = world_of(&placement, 1, 1), b = world_of(&placement, 1, 2);
    uint32_t same_x = 0, same_z = 0, both = 0;
    for (int32_t k = -12; k < 12; k++)
        for (int32_t i = -12; i < 12; i++) {
            CnPlaced first, second;
            if (!cn_generate_placed(a.generator, a.scratch, 0, i, k, &first) ||
                !cn_generate_placed(b.generator, b.scratch, 0, i, k, &second))
                continue;
            both++;
            same_x += first.low.x == second.low.x;
            same_z += first.low.z == second.low.z;
        }
    assert_true(both > 40); /* 1 of 40 positions coincides by chance */
    assert_in_range(same_x, 0, both / 8);
    assert_in_range(same_z, 0, both / 8);
    generated_drop(&a);
    generated_drop(&b);
}

/* ---- Errors ---- */

static void refuse(const CnPlacement *placements, uint32_t count, const char *part)
{
    CnError error = {0};
    assert_false(cn_placements_check(placements, count, &error));
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in '%s'", part, error.message);
    assert_null(cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(),
                                                       .placements = placements,
                                                       .placement_count = count},
                                    &error));
}

static void limits_of_placements_are_checked(void **state)
{
    (void)state;
    CnPlacement good = structure(1), bad = good;
    assert_true(cn_placements_check(&good, 1, NULL));
    bad.spacing = 0;
    refuse(&bad, 1, "spacing");
    bad = good;
    bad.separation = 64;
    refuse(&bad, 1, "separation");
    bad.separation = 20;
    refuse(&bad, 1, "separation");
    bad = good;
    bad.pattern_count = 0;
    refuse(&bad, 1, "pattern");
    CnPattern wide = cube_pattern;
    wide.width = 49;
    bad = good;
    bad.patterns = &wide;
    refuse(&bad, 1, "wide");
    bad = good;
    bad.is_structure = false;
    refuse(&bad, 1, "wide");
    const CnPlacement twice[] = {good, good};
    refuse(twice, 2, "salt");
}

static void too_many_decorations_are_refused(void **state)
{
    (void)state;
    CnPlacement many[8];
    for (uint32_t i = 0; i < 8; i++) {
        many[i] = decoration(i);
        many[i].spacing = 1;
    }
    refuse(many, 8, "too dense");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_structure_is_whole_across_borders_of_chunks),
        cmocka_unit_test(nothing_floats_above_the_ground),
        cmocka_unit_test(trees_keep_off_a_structure),
        cmocka_unit_test(structures_do_not_overlap),
        cmocka_unit_test(structures_keep_off_villages),
        cmocka_unit_test(a_decoration_stands_on_its_ground_only),
        cmocka_unit_test(chance_and_biomes_make_decorations_rarer),
        cmocka_unit_test(decorations_keep_off_structures),
        cmocka_unit_test(a_world_without_placements_that_stand_has_the_same_blocks),
        cmocka_unit_test(another_seed_has_other_places),
        cmocka_unit_test(limits_of_placements_are_checked),
        cmocka_unit_test(too_many_decorations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
