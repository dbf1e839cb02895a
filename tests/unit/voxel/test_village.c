/* Villages: on level plains, whole houses, doors that can be reached, trees that keep off. */
#include "block_canvas.h"
#include "standard_blocks.h"
#include "voxel_generated.h"

#include "voxel/generate/feature.h"
#include "voxel/generate/village.h"

#include <string.h>

#define SEED 42
#define VILLAGES 3 /* that are looked at */

static GeneratedWorld world;
static CniVoxelVillage villages[VILLAGES];

static int create_world(void **state)
{
    (void)state;
    uint32_t count = 0;
    world = generated_world(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = SEED});
    for (int32_t i = 0; i < 900 && count < VILLAGES; i++) {
        cni_voxel_village_plan(world.generator, world.scratch, 2 + i % 30, -7 + i / 30,
                               &villages[count]);
        count += villages[count].exists;
    }
    assert_int_equal(count, VILLAGES);
    return 0;
}

static int destroy_world(void **state)
{
    (void)state;
    generated_drop(&world);
    return 0;
}

static CnColumn column_at(int32_t x, int32_t z)
{
    return cn_generate_column(world.generator, world.scratch, x, z);
}

static bool has(const CniVoxelVillage *village, const CniVoxelVillageMask mask, int32_t x,
                int32_t z)
{
    uint32_t i = (uint32_t)(x - village->x), k = (uint32_t)(z - village->z);
    return i < CNI_VOXEL_VILLAGE_SIZE && k < CNI_VOXEL_VILLAGE_SIZE &&
           (mask[k][i / 32] >> i % 32 & 1);
}

static bool is_house(const CniVoxelVillagePiece *piece)
{
    return piece->kind == CNI_VOXEL_PIECE_HOUSE || piece->kind == CNI_VOXEL_PIECE_TOWER;
}

/* The whole village, from below its ground to above its roofs. */
static void generate_village(const CniVoxelVillage *village, BlockCanvas *canvas)
{
    int32_t low = village->middle.y, high = low;
    for (uint32_t i = 0; i < village->piece_count; i++) {
        const CniVoxelVillagePiece *piece = &village->pieces[i];
        low = piece->y < low ? piece->y : low;
        high = piece->y + piece->height > high ? piece->y + piece->height : high;
    }
    CnChunkPos first = {(village->x >> 4) - 1, (low - 8) >> 4, (village->z >> 4) - 1};
    canvas_init(canvas, first, CNI_VOXEL_VILLAGE_SIZE / 16 + 3, (high >> 4) - first.y + 1);
    canvas_generate(canvas, world.generator, world.scratch);
}

static void the_middle_is_a_level_plain_without_water(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        CnCell middle = villages[v].middle;
        assert_int_equal(column_at(middle.x, middle.z).biome, CN_BIOME_GRASSY_PLAINS);
        for (int32_t i = 0; i < 25; i++) {
            CnColumn column = column_at(middle.x + (i % 5 - 2) * 4, middle.z + (i / 5 - 2) * 4);
            assert_false(column.underwater);
            assert_in_range(column.ground - middle.y + 2, 0, 4);
        }
    }
}

static void every_house_stands_on_level_ground(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        uint32_t houses = 0;
        for (uint32_t i = 0; i < villages[v].piece_count; i++) {
            const CniVoxelVillagePiece *piece = &villages[v].pieces[i];
            if (!is_house(piece))
                continue;
            houses++;
            for (int32_t z = 0; z < piece->depth; z++)
                for (int32_t x = 0; x < piece->width; x++) {
                    CnColumn column = column_at(piece->x + x, piece->z + z);
                    assert_false(column.underwater);
                    assert_in_range(column.ground - piece->y + 1, 0, 2);
                }
        }
        assert_true(houses >= 3);
    }
}

static void pieces_do_not_overlap(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        for (uint32_t i = 0; i < villages[v].piece_count; i++) {
            for (uint32_t k = 0; k < i; k++) {
                const CniVoxelVillagePiece *a = &villages[v].pieces[i], *b = &villages[v].pieces[k];
                assert_true(a->x + a->width <= b->x || b->x + b->width <= a->x ||
                            a->z + a->depth <= b->z || b->z + b->depth <= a->z);
            }
        }
    }
}

/* Draws the piece alone, over stone that shows what it leaves as it was. */
static void draw_alone(const CniVoxelVillagePiece *piece, const BlockCanvas *like,
                       BlockCanvas *canvas)
{
    canvas_init(canvas, like->first, like->wide, like->high);
    for (int32_t i = 0; i < canvas_chunk_count(canvas); i++) {
        CnChunkPos at;
        CnBlock *blocks = canvas_chunk(canvas, i, &at);
        for (uint32_t n = 0; n < CN_CHUNK_BLOCKS; n++)
            blocks[n] = BLOCK_OBSIDIAN;
        CniVoxelBrush brush = {blocks, 16 * at.x, 16 * at.y, 16 * at.z,
                               cni_voxel_generator_blocks(world.generator)};
        cni_voxel_draw_piece(&brush, piece);
    }
}

static void no_house_is_cut_at_the_border_of_a_chunk(void **state)
{
    (void)state;
    uint32_t crossing = 0;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        BlockCanvas canvas;
        generate_village(&villages[v], &canvas);
        for (uint32_t i = 0; i < villages[v].piece_count; i++) {
            const CniVoxelVillagePiece *piece = &villages[v].pieces[i];
            if (!is_house(piece))
                continue;
            BlockCanvas alone;
            draw_alone(piece, &canvas, &alone);
            crossing += piece->x >> 4 != (piece->x + piece->width - 1) >> 4 ||
                        piece->z >> 4 != (piece->z + piece->depth - 1) >> 4;
            for (CnCell c = {0, piece->y, piece->z}; c.z < piece->z + piece->depth; c.z++)
                for (c.y = piece->y; c.y <= piece->y + piece->height; c.y++)
                    for (c.x = piece->x; c.x < piece->x + piece->width; c.x++)
                        assert_int_equal(canvas_at(&canvas, c), canvas_at(&alone, c));
            canvas_fini(&alone);
        }
        canvas_fini(&canvas);
    }
    assert_true(crossing > 0);
}

static void nothing_is_open_below_a_house(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        BlockCanvas canvas;
        generate_village(&villages[v], &canvas);
        for (uint32_t i = 0; i < villages[v].piece_count; i++) {
            const CniVoxelVillagePiece *piece = &villages[v].pieces[i];
            for (int32_t n = 0; is_house(piece) && n < piece->width * piece->depth; n++) {
                CnCell c = {piece->x + n % piece->width, piece->y - 1, piece->z + n / piece->width};
                assert_true(standard_blocks()->flags[canvas_at(&canvas, c)] & CN_BLOCK_IS_OPAQUE);
            }
        }
        canvas_fini(&canvas);
    }
}

static void one_can_walk_in_at_every_door(void **state)
{
    (void)state;
    static const int8_t ways[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
    for (uint32_t v = 0; v < VILLAGES; v++) {
        BlockCanvas canvas;
        generate_village(&villages[v], &canvas);
        for (uint32_t i = 0; i < villages[v].piece_count; i++) {
            const CniVoxelVillagePiece *piece = &villages[v].pieces[i];
            if (!is_house(piece))
                continue;
            const int8_t *way = ways[piece->turn];
            CnCell door = {piece->x + piece->width / 2, piece->y, piece->z + piece->depth / 2};
            if (way[0])
                door.x = way[0] > 0 ? piece->x + piece->width - 1 : piece->x;
            else
                door.z = way[1] > 0 ? piece->z + piece->depth - 1 : piece->z;
            for (int32_t up = 1; up <= 2; up++) {
                CnCell in = {door.x, door.y + up, door.z};
                CnCell out = {door.x + way[0], door.y + up, door.z + way[1]};
                assert_false(standard_blocks()->flags[canvas_at(&canvas, in)] & CN_BLOCK_COLLIDES);
                assert_false(standard_blocks()->flags[canvas_at(&canvas, out)] & CN_BLOCK_COLLIDES);
            }
            /* And the way there is paved. */
            assert_true(has(&villages[v], villages[v].paths, door.x + way[0], door.z + way[1]));
        }
        canvas_fini(&canvas);
    }
}

static void no_tree_stands_on_a_path(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < VILLAGES; v++) {
        BlockCanvas canvas;
        const CniVoxelVillage *village = &villages[v];
        generate_village(village, &canvas);
        for (int32_t i = 0; i < CNI_VOXEL_VILLAGE_SIZE * CNI_VOXEL_VILLAGE_SIZE; i++) {
            int32_t x = village->x + i % CNI_VOXEL_VILLAGE_SIZE,
                    z = village->z + i / CNI_VOXEL_VILLAGE_SIZE;
            if (!has(village, village->paths, x, z))
                continue;
            int32_t ground = column_at(x, z).ground;
            CnBlock path = canvas_at(&canvas, (CnCell){x, ground, z});
            assert_true(path == BLOCK_DIRT_PATH || path == BLOCK_GRAVEL);
            CnBlock above = canvas_at(&canvas, (CnCell){x, ground + 1, z});
            assert_false(standard_blocks()->flags[above] & CN_BLOCK_IS_OPAQUE);
        }
        canvas_fini(&canvas);
    }
}

static void the_nearest_village_is_found(void **state)
{
    (void)state;
    CnCell middle = villages[0].middle, found = {0, 0, 0};
    assert_true(cn_generate_find_village(world.generator, world.scratch, middle.x + 5, middle.z - 3,
                                         40, &found));
    assert_memory_equal(&found, &middle, sizeof found);
    assert_false(cn_generate_find_village(world.generator, world.scratch, middle.x + 5,
                                          middle.z - 3, 4, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_is_a_level_plain_without_water),
        cmocka_unit_test(every_house_stands_on_level_ground),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(no_house_is_cut_at_the_border_of_a_chunk),
        cmocka_unit_test(nothing_is_open_below_a_house),
        cmocka_unit_test(one_can_walk_in_at_every_door),
        cmocka_unit_test(no_tree_stands_on_a_path),
        cmocka_unit_test(the_nearest_village_is_found),
    };
    return cmocka_run_group_tests(tests, create_world, destroy_world);
}
