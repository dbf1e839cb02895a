/* A block that the standard content does not have: placed, lit, meshed, an item of its own, and
 * saved with its name, which is read back in worlds with other numbers, also without the mod. */
#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/world/world.h>

#include <string.h>

#define NAME "mod:moon_lamp"
#define LIGHT 12

static const CnCell place = {8, 300, 8};

static CnBlockInfo moon_lamp(void)
{
    CnBlockInfo info = cn_block_info_default(NAME);
    info.light_level = LIGHT;
    info.emits_light = true;
    info.side = info.bottom = info.top = 20;
    return info;
}

static void add(CnBlockTable *table, CnBlockInfo info)
{
    CnError error = {0};
    if (!cn_block_table_add(table, &info, NULL, &error))
        fail_msg("%s", error.message);
}

/* The standard blocks and then that of the mod; `others` of another mod come before it. */
static CnBlockTable *modded_table(uint32_t others)
{
    CnBlockTable *table = crafty_blocks_create(NULL, NULL);
    assert_non_null(table);
    for (uint32_t i = 0; i < others; i++)
        add(table, cn_block_info_default((const char[]){'o', ':', (char)('a' + i), 0}));
    add(table, moon_lamp());
    cn_block_table_close(table);
    return table;
}

static CraftyWorld *make_world(const CnBlockTable *table)
{
    CnError error = {0};
    CraftyWorld *world = crafty_world_create(
        &(CraftyWorldDesc){.blocks = table, .seed = 5, .workers = CN_JOBS_NONE}, &error);
    if (!world)
        fail_msg("%s", error.message);
    return world;
}

static CnVoxels *place_lamp(CraftyWorld *world)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    CnEdit edit = {.player = 1,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = place,
                   .new_block = cn_block_find(cn_voxels_blocks(voxels), NAME)};
    assert_true(cn_voxels_edit(voxels, &edit, NULL));
    return voxels;
}

static const char *name_at(CnVoxels *voxels, CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell))->name;
}

/* ---- In its world ---- */

static CnBlockTable *table;
static CraftyWorld *world;

static int make(void **state)
{
    (void)state;
    table = modded_table(0);
    world = make_world(table);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    crafty_world_destroy(world);
    cn_block_table_destroy(table);
    return 0;
}

static void its_number_follows_the_standard_ones(void **state)
{
    (void)state;
    assert_int_equal(cn_block_find(table, NAME), BLOCK_COUNT);
    assert_int_equal(cn_block_find(table, "stone"), BLOCK_STONE);
}

static void it_is_placed(void **state)
{
    (void)state;
    assert_string_equal(name_at(place_lamp(world), place), NAME);
}

static void it_lights_its_surroundings(void **state)
{
    (void)state;
    CnVoxels *voxels = place_lamp(world);
    for (int32_t away = 1; away <= LIGHT; away++)
        assert_int_equal(cn_voxels_light(voxels, (CnCell){place.x, place.y - away, place.z}) & 15,
                         LIGHT - away);
}

static void it_is_meshed(void **state)
{
    (void)state;
    CnVoxels *voxels = place_lamp(world);
    cn_voxels_stream(voxels, &(CnVoxelsView){.eye = {(float)place.x, (float)place.y, 8},
                                             .forward = {1, 0, 0},
                                             .radius = 1,
                                             .height = 1,
                                             .wait = true});
    const CnChunkMesh *mesh = cn_voxels_mesh(voxels, cn_chunk_of(place));
    assert_non_null(mesh);
    assert_int_equal(mesh->count, CN_FACE_COUNT);
    for (uint32_t i = 0; i < mesh->count; i++)
        assert_int_equal(cn_quad_unpack(mesh->quads[i], CN_CHUNK_MESH_OPAQUE).block,
                         cn_block_find(table, NAME));
}

static void it_has_an_item(void **state)
{
    (void)state;
    const CraftyItems *items = crafty_world_items(world);
    CraftyItem item = crafty_items_find(items, NAME);
    assert_int_not_equal(item, CRAFTY_NO_ITEM);
    assert_int_equal(crafty_items_block(items, item), cn_block_find(table, NAME));
    assert_string_equal(crafty_items_info(items, item)->title, "Mod:Moon Lamp");
}

static void the_ground_is_that_of_a_world_without_it(void **state)
{
    (void)state;
    CraftyWorld *plain = make_world(NULL);
    for (int32_t y = -16; y < 96; y++)
        assert_int_equal(cn_voxels_get(crafty_world_voxels(plain), (CnCell){3, y, 5}),
                         cn_voxels_get(crafty_world_voxels(world), (CnCell){3, y, 5}));
    crafty_world_destroy(plain);
}

/* ---- Saved and read again ---- */

static void save(CraftyWorld *from, CnU8Array *bytes)
{
    cn_array_init(bytes, NULL);
    assert_true(cn_edit_log_write(cn_voxels_log(crafty_world_voxels(from)),
                                  crafty_world_blocks(from), bytes, NULL));
}

/* Applies the edits of a log to a world. */
static void restore(CraftyWorld *to, const CnU8Array *bytes)
{
    CnError error = {0};
    CnEditLog *log =
        cn_edit_log_read(NULL, crafty_world_blocks(to), 100, bytes->items, bytes->count, &error);
    if (!log)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        assert_true(cn_voxels_edit(crafty_world_voxels(to), &edit, NULL));
    }
    cn_edit_log_destroy(log);
}

static void a_world_with_other_numbers_reads_it_by_its_name(void **state)
{
    (void)state;
    CnU8Array bytes;
    CnBlockTable *other_table = modded_table(7);
    CraftyWorld *other = make_world(other_table);
    place_lamp(world);
    save(world, &bytes);
    assert_int_not_equal(cn_block_find(other_table, NAME), cn_block_find(table, NAME));
    restore(other, &bytes);
    assert_string_equal(name_at(crafty_world_voxels(other), place), NAME);
    cn_array_fini(&bytes);
    crafty_world_destroy(other);
    cn_block_table_destroy(other_table);
}

static void without_the_mod_a_closed_table_refuses_the_log_and_names_the_block(void **state)
{
    (void)state;
    CnU8Array bytes;
    CnError error = {0};
    place_lamp(world);
    save(world, &bytes);
    assert_null(cn_edit_log_read(NULL, standard_blocks(), 100, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, NAME));
    cn_array_fini(&bytes);
}

static void without_the_mod_a_placeholder_keeps_its_cells_and_its_name(void **state)
{
    (void)state;
    CnU8Array bytes, again;
    place_lamp(world);
    save(world, &bytes);
    CnBlockTable *without = crafty_blocks_create(NULL, NULL);
    CnBlockInfo look = crafty_blocks_placeholder();
    assert_true(cn_edit_log_register_blocks(without, &look, bytes.items, bytes.count, NULL));
    cn_block_table_close(without);
    CraftyWorld *other = make_world(without);
    restore(other, &bytes);
    CnVoxels *voxels = crafty_world_voxels(other);
    assert_true(cn_block_info(without, cn_voxels_get(voxels, place))->is_placeholder);
    assert_int_equal(crafty_items_find(crafty_world_items(other), NAME), CRAFTY_NO_ITEM);
    save(other, &again);

    CraftyWorld *with_mod = make_world(table);
    restore(with_mod, &again);
    assert_string_equal(name_at(crafty_world_voxels(with_mod), place), NAME);
    CnBlock again_block = cn_voxels_get(crafty_world_voxels(with_mod), place);
    assert_int_equal(cn_block_info(table, again_block)->light_level, LIGHT);
    crafty_world_destroy(with_mod);
    crafty_world_destroy(other);
    cn_block_table_destroy(without);
    cn_array_fini(&bytes);
    cn_array_fini(&again);
}

static void known_blocks_of_a_log_become_no_placeholders(void **state)
{
    (void)state;
    CnU8Array bytes;
    place_lamp(world);
    save(world, &bytes);
    CnBlockTable *open = crafty_blocks_create(NULL, NULL);
    add(open, moon_lamp());
    uint32_t count = open->count;
    assert_true(cn_edit_log_register_blocks(open, NULL, bytes.items, bytes.count, NULL));
    assert_int_equal(open->count, count);
    cn_block_table_destroy(open);
    cn_array_fini(&bytes);
}

static void a_damaged_log_registers_nothing(void **state)
{
    (void)state;
    CnU8Array bytes;
    CnError error = {0};
    place_lamp(world);
    save(world, &bytes);
    bytes.items[bytes.count - 20] ^= 1;
    CnBlockTable *open = crafty_blocks_create(NULL, NULL);
    assert_false(cn_edit_log_register_blocks(open, NULL, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_int_equal(open->count, BLOCK_COUNT);
    cn_block_table_destroy(open);
    cn_array_fini(&bytes);
}

int main(void)
{
#define TEST(fact) cmocka_unit_test_setup_teardown(fact, make, unmake)
    const struct CMUnitTest tests[] = {
        TEST(its_number_follows_the_standard_ones),
        TEST(it_is_placed),
        TEST(it_lights_its_surroundings),
        TEST(it_is_meshed),
        TEST(it_has_an_item),
        TEST(the_ground_is_that_of_a_world_without_it),
        TEST(a_world_with_other_numbers_reads_it_by_its_name),
        TEST(without_the_mod_a_closed_table_refuses_the_log_and_names_the_block),
        TEST(without_the_mod_a_placeholder_keeps_its_cells_and_its_name),
        TEST(known_blocks_of_a_log_become_no_placeholders),
        TEST(a_damaged_log_registers_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
