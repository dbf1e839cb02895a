/* Data attached to blocks: kinds, limits, active cells, removal by edits, hash, rows. */
#include "standard_blocks.h"
#include "voxel_world.h"

#include <cairn/voxel/block_data.h>

#include <stdio.h>
#include <string.h>

static const CnCell CELL = {3, 200, -5};
static const CnCell NEAR = {4, 200, -5}; /* in the same chunk */
static const CnCell FAR_CELL = {900, 200, 900};

static VoxelWorld made;
static CnVoxels *world;
static CnBlockDataKind sign;

static int make(void **state)
{
    (void)state;
    made = voxel_world_create(NULL, 0, NULL);
    world = made.world;
    return cn_block_data_kind(world, "test.sign", &sign, NULL) ? 0 : -1;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

static CnBlockData text_data(const char *text)
{
    return (CnBlockData){
        .kind = sign, .size = (uint16_t)strlen(text), .bytes = (const uint8_t *)text};
}

static void write_on(CnVoxels *voxels, CnCell cell, const char *text)
{
    CnBlockData data = text_data(text);
    assert_true(cn_block_data_set(voxels, cell, &data, NULL));
}

static void expect_text(CnCell cell, const char *text)
{
    CnBlockData data;
    assert_true(cn_block_data_get(world, cell, &data));
    assert_int_equal(data.size, strlen(text));
    assert_memory_equal(data.bytes, text, data.size);
}

static bool has_data(CnCell cell)
{
    CnBlockData data;
    return cn_block_data_get(world, cell, &data);
}

static void activate(CnCell cell, bool active)
{
    CnBlockData data = text_data("fire");
    data.active = active;
    assert_true(cn_block_data_set(world, cell, &data, NULL));
}

/* ---- Kinds ---- */

static void a_kind_keeps_its_number(void **state)
{
    (void)state;
    CnBlockDataKind chest, again;
    assert_true(cn_block_data_kind(world, "mod:chest_2", &chest, NULL));
    assert_true(cn_block_data_kind(world, "test.sign", &again, NULL));
    assert_int_equal(again, sign);
    assert_int_not_equal(chest, sign);
    assert_string_equal(cn_block_data_kind_name(world, chest), "mod:chest_2");
}

static void a_name_that_is_not_valid_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",    "Chest", "a b",
        "a,b", "ä",     "name_of_a_kind_with_more_than_sixty_three_bytes_which_is_too_long"};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++) {
        CnError error = {0};
        CnBlockDataKind kind;
        assert_false(cn_block_data_kind(world, names[i], &kind, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
    assert_int_equal(cn_block_data_kind_count(world), 1);
}

static void the_number_of_kinds_is_limited(void **state)
{
    (void)state;
    CnError error = {0};
    CnBlockDataKind kind;
    char name[32];
    for (uint32_t i = 1; i < CN_BLOCK_DATA_KINDS; i++) {
        cn_format(name, sizeof name, "kind_%u", i);
        assert_true(cn_block_data_kind(world, name, &kind, NULL));
    }
    assert_false(cn_block_data_kind(world, "one_more", &kind, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_true(cn_block_data_kind(world, "test.sign", &kind, NULL));
}

static void kinds_keep_their_numbers_in_another_world(void **state)
{
    (void)state;
    CnTextBuilder names;
    cn_array_init(&names, NULL);
    CnBlockDataKind chest;
    assert_true(cn_block_data_kind(world, "chest", &chest, NULL));
    assert_true(cn_block_data_write_kinds(world, &names));
    assert_string_equal(names.items, "test.sign,chest");
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    assert_true(cn_block_data_read_kinds(other.world, cn_text(names.items), NULL));
    assert_string_equal(cn_block_data_kind_name(other.world, chest), "chest");
    assert_null(cn_block_data_kind_name(other.world, 3));
    voxel_world_destroy(&other);
    cn_array_fini(&names);
}

static void a_kind_that_is_listed_twice_is_refused(void **state)
{
    (void)state;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    CnError error = {0};
    assert_false(cn_block_data_read_kinds(other.world, cn_text("a,b,a"), &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_int_equal(cn_block_data_kind_count(other.world), 0);
    voxel_world_destroy(&other);
}

/* ---- Data ---- */

static void data_is_found_at_its_cell_only(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    expect_text(CELL, "Home");
    assert_false(has_data(NEAR));
    assert_false(has_data(FAR_CELL));
}

static void data_is_replaced(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    write_on(world, CELL, "Harbour");
    write_on(world, CELL, "Hartor!");
    expect_text(CELL, "Hartor!");
    assert_int_equal(cn_block_data_stats(world).blocks, 1);
    assert_int_equal(cn_block_data_stats(world).bytes, 7);
}

static void data_may_be_set_to_a_part_of_itself(void **state)
{
    (void)state;
    CnBlockData data;
    write_on(world, CELL, "Harbour");
    assert_true(cn_block_data_get(world, CELL, &data));
    data.bytes += 3;
    data.size = 4;
    assert_true(cn_block_data_set(world, CELL, &data, NULL));
    expect_text(CELL, "bour");
}

static void data_may_be_empty(void **state)
{
    (void)state;
    write_on(world, CELL, "");
    expect_text(CELL, "");
}

static void removed_data_is_gone(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    write_on(world, NEAR, "Port");
    assert_true(cn_block_data_remove(world, CELL, NULL));
    assert_true(cn_block_data_remove(world, CELL, NULL));
    assert_false(has_data(CELL));
    expect_text(NEAR, "Port");
}

static void many_blocks_of_one_chunk_have_data_of_their_own(void **state)
{
    (void)state;
    for (int32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        int32_t n = i * 1531 % CN_CHUNK_BLOCKS; /* in another order */
        char text[16];
        cn_format(text, sizeof text, "%d", n);
        write_on(world, (CnCell){n & 15, 192 + (n >> 4 & 15), n >> 8}, text);
    }
    assert_int_equal(cn_block_data_stats(world).blocks, CN_CHUNK_BLOCKS);
    for (int32_t n = 0; n < CN_CHUNK_BLOCKS; n += 37) {
        char text[16];
        cn_format(text, sizeof text, "%d", n);
        expect_text((CnCell){n & 15, 192 + (n >> 4 & 15), n >> 8}, text);
    }
}

static void expect_refusal(CnCell cell, const CnBlockData *data, CnErrorCode code)
{
    CnError error = {0};
    assert_false(cn_block_data_set(world, cell, data, &error));
    assert_int_equal(error.code, code);
    assert_int_equal(cn_block_data_stats(world).blocks, 0);
}

static void data_beyond_the_limit_is_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[CN_BLOCK_DATA_BYTES + 1];
    CnBlockData data = {.kind = sign, .size = sizeof bytes, .bytes = bytes};
    expect_refusal(CELL, &data, CN_ERROR_LIMIT);
    data.size--;
    assert_true(cn_block_data_set(world, CELL, &data, NULL));
}

static void data_of_no_kind_is_refused(void **state)
{
    (void)state;
    CnBlockData data = text_data("Home");
    data.kind = 0;
    expect_refusal(CELL, &data, CN_ERROR_NOT_FOUND);
    data.kind = sign + 1;
    expect_refusal(CELL, &data, CN_ERROR_NOT_FOUND);
}

static void data_outside_the_world_is_refused(void **state)
{
    (void)state;
    CnBlockData data = text_data("Home");
    expect_refusal((CnCell){CN_CELL_LIMIT, 0, 0}, &data, CN_ERROR_LIMIT);
    assert_false(has_data((CnCell){CN_CELL_LIMIT, 0, 0}));
}

/* ---- Edits ---- */

static CnEdit seen_edit;
static char seen_text[16];
static uint32_t seen_count;

static void note_removed(void *user, const CnEdit *edit, const CnBlockData *data)
{
    assert_ptr_equal(user, &seen_edit);
    assert_false(has_data(edit->cell));
    assert_int_equal(cn_voxels_get(world, edit->cell), edit->new_block);
    seen_edit = *edit;
    memcpy(seen_text, data->bytes, data->size);
    seen_text[data->size] = 0;
    seen_count++;
}

static void listen(void)
{
    seen_count = 0;
    cn_block_data_listen(world, note_removed, &seen_edit);
}

static void replacing_a_block_removes_its_data(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    write_on(world, CELL, "Home");
    write_on(world, NEAR, "Port");
    assert_true(voxel_set(world, CELL, CN_BLOCK_AIR));
    assert_false(has_data(CELL));
    expect_text(NEAR, "Port");
}

static void an_edit_that_changes_nothing_keeps_the_data(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    write_on(world, CELL, "Home");
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    expect_text(CELL, "Home");
}

static void the_listener_gets_the_data_of_a_broken_block(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    write_on(world, CELL, "Home");
    listen();
    CnEdit edit = {.player = 7, .kind = CN_EDIT_BREAK, .cell = CELL, .new_block = CN_BLOCK_AIR};
    assert_true(cn_voxels_edit(world, &edit, NULL));
    assert_int_equal(seen_count, 1);
    assert_string_equal(seen_text, "Home");
    assert_int_equal(seen_edit.player, 7);
    assert_int_equal(seen_edit.old_block, BLOCK_BRICKS);
}

static void the_listener_is_not_called_without_data(void **state)
{
    (void)state;
    listen();
    write_on(world, NEAR, "Port");
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    assert_true(cn_block_data_remove(world, NEAR, NULL));
    assert_int_equal(seen_count, 0);
}

static void put_back(void *user, const CnEdit *edit, const CnBlockData *data)
{
    assert_true(cn_block_data_set(user, edit->cell, data, NULL));
}

static void a_listener_may_keep_the_data(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    write_on(world, CELL, "Home");
    cn_block_data_listen(world, put_back, world);
    assert_true(voxel_set(world, CELL, BLOCK_STONE));
    expect_text(CELL, "Home");
}

static void data_stays_when_its_chunk_is_unloaded(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    uint64_t hash = cn_voxels_hash(world);
    for (uint32_t i = 0; i < 4; i++)
        voxel_show(world, (CnChunkPos){50, 1, 50});
    expect_text(CELL, "Home");
    assert_true(cn_voxels_hash(world) == hash);
}

static void visiting_the_data_of_a_chunk_does_not_load_it(void **state)
{
    (void)state;
    CnCell cell;
    write_on(world, FAR_CELL, "Home");
    assert_true(cn_block_data_first_in_chunk(world, cn_chunk_of(FAR_CELL), &cell));
    assert_false(cn_voxels_is_loaded(world, cn_chunk_of(FAR_CELL)));
    assert_int_equal(cn_voxels_get(world, cell), CN_BLOCK_AIR);
    assert_true(cn_voxels_is_loaded(world, cn_chunk_of(FAR_CELL)));
}

/* ---- Active cells ---- */

static void active_cells_are_visited_in_an_order_of_their_positions(void **state)
{
    (void)state;
    static const CnCell cells[] = {{40, 7, 3},      {-1, -1, -1}, {3, 200, -5},
                                   {900, 200, 900}, {4, 200, -5}, {40, 6, 3}};
    CnCell forward[CN_COUNT_OF(cells)], cell;
    uint32_t count = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(cells); i++)
        activate(cells[i], true);
    for (bool more = cn_block_data_first_active(world, &cell); more;
         more = cn_block_data_next_active(world, &cell))
        forward[count++] = cell;
    assert_int_equal(count, CN_COUNT_OF(cells));
    for (uint32_t i = 0; i < CN_COUNT_OF(cells); i++)
        assert_true(cn_block_data_remove(world, cells[i], NULL));
    for (uint32_t i = CN_COUNT_OF(cells); i-- > 0;) /* added in another order */
        activate(cells[i], true);
    count = 0;
    for (bool more = cn_block_data_first_active(world, &cell); more;
         more = cn_block_data_next_active(world, &cell))
        assert_memory_equal(&cell, &forward[count++], sizeof cell);
}

static void the_data_of_a_chunk_is_visited_in_the_order_of_its_cells(void **state)
{
    (void)state;
    CnCell cell;
    write_on(world, NEAR, "second");
    write_on(world, FAR_CELL, "elsewhere");
    write_on(world, CELL, "first");
    assert_true(cn_block_data_first_in_chunk(world, cn_chunk_of(CELL), &cell));
    assert_memory_equal(&cell, &CELL, sizeof cell);
    assert_true(cn_block_data_next_in_chunk(world, &cell));
    assert_memory_equal(&cell, &NEAR, sizeof cell);
    assert_false(cn_block_data_next_in_chunk(world, &cell));
}

static void data_may_be_removed_while_that_of_a_chunk_is_visited(void **state)
{
    (void)state;
    CnCell cell;
    write_on(world, CELL, "first");
    write_on(world, NEAR, "second");
    assert_true(cn_block_data_first_in_chunk(world, cn_chunk_of(CELL), &cell));
    assert_true(cn_block_data_remove(world, cell, NULL));
    assert_true(cn_block_data_next_in_chunk(world, &cell));
    assert_memory_equal(&cell, &NEAR, sizeof cell);
}

static void a_chunk_without_data_has_no_cell_to_visit(void **state)
{
    (void)state;
    CnCell cell;
    assert_false(cn_block_data_first_in_chunk(world, cn_chunk_of(CELL), &cell));
    write_on(world, CELL, "text");
    assert_true(cn_block_data_remove(world, CELL, NULL));
    assert_false(cn_block_data_first_in_chunk(world, cn_chunk_of(CELL), &cell));
    write_on(world, FAR_CELL, "elsewhere");
    assert_false(cn_block_data_first_in_chunk(world, cn_chunk_of(CELL), &cell));
}

static void data_that_is_not_active_is_not_visited(void **state)
{
    (void)state;
    CnCell cell;
    for (int32_t i = 0; i < 100; i++)
        write_on(world, (CnCell){i, 200, 0}, "chest");
    assert_false(cn_block_data_first_active(world, &cell));
    activate(CELL, true);
    assert_true(cn_block_data_first_active(world, &cell));
    assert_memory_equal(&cell, &CELL, sizeof cell);
    assert_false(cn_block_data_next_active(world, &cell));
    activate(CELL, false);
    assert_int_equal(cn_block_data_stats(world).active, 0);
    expect_text(CELL, "fire");
}

static void active_data_may_be_removed_while_it_is_visited(void **state)
{
    (void)state;
    uint32_t count = 0;
    CnCell cell;
    for (int32_t i = 0; i < 10; i++)
        activate((CnCell){i, 200, 0}, true);
    for (bool more = cn_block_data_first_active(world, &cell); more;
         more = cn_block_data_next_active(world, &cell), count++)
        assert_true(cn_block_data_remove(world, cell, NULL));
    assert_int_equal(count, 10);
    assert_int_equal(cn_block_data_stats(world).active, 0);
}

static void a_broken_block_is_not_active_any_more(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    activate(CELL, true);
    assert_true(voxel_set(world, CELL, CN_BLOCK_AIR));
    assert_int_equal(cn_block_data_stats(world).active, 0);
}

/* ---- Hash ---- */

static void every_part_of_the_data_changes_the_hash(void **state)
{
    (void)state;
    CnBlockDataKind other;
    assert_true(cn_block_data_kind(world, "other", &other, NULL));
    CnBlockData variants[] = {text_data("Home"), text_data("Hone"), text_data("Home"),
                              text_data("Home")};
    variants[2].active = true;
    variants[3].kind = other;
    uint64_t hashes[CN_COUNT_OF(variants) + 2] = {cn_voxels_hash(world)};
    for (uint32_t i = 0; i < CN_COUNT_OF(variants); i++) {
        assert_true(cn_block_data_set(world, CELL, &variants[i], NULL));
        hashes[i + 1] = cn_voxels_hash(world);
    }
    assert_true(cn_block_data_remove(world, CELL, NULL));
    write_on(world, NEAR, "Home");
    hashes[CN_COUNT_OF(hashes) - 1] = cn_voxels_hash(world);
    for (uint32_t i = 0; i < CN_COUNT_OF(hashes); i++)
        for (uint32_t j = 0; j < i; j++)
            assert_true(hashes[i] != hashes[j]);
}

static void the_hash_without_data_is_that_of_before(void **state)
{
    (void)state;
    uint64_t before = cn_voxels_hash(world);
    write_on(world, CELL, "Home");
    assert_true(cn_block_data_remove(world, CELL, NULL));
    assert_true(cn_voxels_hash(world) == before);
}

static void the_hash_depends_on_names_of_kinds_not_on_numbers(void **state)
{
    (void)state;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    assert_true(cn_block_data_read_kinds(other.world, cn_text("first,second,test.sign"), NULL));
    CnBlockData data = text_data("Home");
    write_on(world, CELL, "Home");
    data.kind = 3;
    assert_true(cn_block_data_set(other.world, CELL, &data, NULL));
    assert_true(cn_voxels_hash(world) == cn_voxels_hash(other.world));
    voxel_world_destroy(&other);
}

/* ---- Rows ---- */

static uint32_t changed_chunks(void)
{
    return cn_block_data_stats(world).changed_chunks;
}

/* Takes the next row of a save and expects its cell to have this text; NULL: to have no data. */
static void expect_next(CnCell cell, const char *text)
{
    CnU8Array row;
    CnChunkPos position, expected = cn_chunk_of(cell);
    cn_array_init(&row, NULL);
    assert_true(cn_block_data_save_next(world, &position, &row, NULL));
    assert_memory_equal(&position, &expected, sizeof position);
    if (text) {
        assert_int_equal(row.count, 12 + strlen(text));
        assert_memory_equal(row.items + 12, text, strlen(text));
    } else {
        assert_int_equal(row.count, 0);
    }
    cn_array_fini(&row);
}

static void save_all(void)
{
    CnU8Array row;
    CnChunkPos position;
    cn_array_init(&row, NULL);
    cn_block_data_save_begin(world);
    while (cn_block_data_save_left(world) > 0)
        assert_true(cn_block_data_save_next(world, &position, &row, NULL));
    cn_block_data_save_end(world, true);
    cn_array_fini(&row);
}

static void only_chunks_that_changed_are_saved(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    write_on(world, NEAR, "Port");
    write_on(world, FAR_CELL, "Away");
    assert_int_equal(changed_chunks(), 2);
    save_all();
    assert_int_equal(changed_chunks(), 0);
    write_on(world, FAR_CELL, "Away");
    assert_int_equal(changed_chunks(), 0);
    write_on(world, FAR_CELL, "Gone");
    cn_block_data_save_begin(world);
    assert_int_equal(cn_block_data_save_left(world), 1);
    expect_next(FAR_CELL, "Gone");
    cn_block_data_save_end(world, true);
}

static void a_chunk_whose_data_was_removed_is_saved_without_bytes(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    save_all();
    assert_true(cn_block_data_remove(world, CELL, NULL));
    cn_block_data_save_begin(world);
    expect_next(CELL, NULL);
    cn_block_data_save_end(world, true);
    write_on(world, CELL, "Back");
    expect_text(CELL, "Back");
}

static void a_save_is_the_state_of_its_begin(void **state)
{
    (void)state;
    assert_true(voxel_set(world, CELL, BLOCK_BRICKS));
    write_on(world, CELL, "Home");
    write_on(world, FAR_CELL, "Away");
    cn_block_data_save_begin(world);
    assert_true(voxel_set(world, CELL, CN_BLOCK_AIR));
    write_on(world, FAR_CELL, "Other");
    write_on(world, FAR_CELL, "Another");
    write_on(world, (CnCell){500, 200, 500}, "New");
    expect_next(CELL, "Home");
    expect_next(FAR_CELL, "Away");
    assert_int_equal(cn_block_data_save_left(world), 0);
    cn_block_data_save_end(world, true);
    cn_block_data_save_begin(world); /* the next save has what changed meanwhile */
    expect_next(CELL, NULL);
    expect_next(FAR_CELL, "Another");
    expect_next((CnCell){500, 200, 500}, "New");
    cn_block_data_save_end(world, true);
    assert_int_equal(changed_chunks(), 0);
}

static void a_change_after_its_chunk_was_taken_is_in_the_next_save(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    cn_block_data_save_begin(world);
    expect_next(CELL, "Home");
    write_on(world, CELL, "Port");
    cn_block_data_save_end(world, true);
    cn_block_data_save_begin(world);
    expect_next(CELL, "Port");
    cn_block_data_save_end(world, true);
}

static void the_chunks_of_a_save_that_fails_are_in_the_next_one(void **state)
{
    (void)state;
    write_on(world, CELL, "Home");
    write_on(world, FAR_CELL, "Away");
    cn_block_data_save_begin(world);
    expect_next(CELL, "Home");
    write_on(world, FAR_CELL, "Other");
    cn_block_data_save_end(world, false);
    assert_int_equal(changed_chunks(), 2);
    cn_block_data_save_begin(world);
    expect_next(CELL, "Home");
    expect_next(FAR_CELL, "Other");
    cn_block_data_save_end(world, true);
}

static void a_row_has_the_documented_form(void **state)
{
    (void)state;
    static const uint8_t expected[] = {2,    0,   0, 0, /* blocks */
                                       0x83, 0xB, 1, 0, 2, 0, 0, 0, 'A',
                                       'B', /* 3 + 16*8 + 256*11 */
                                       0x84, 0xB, 1, 0, 1, 0, 1, 0, 'C'};
    CnU8Array row;
    cn_array_init(&row, NULL);
    write_on(world, NEAR, "C");
    CnBlockData data = text_data("C");
    data.active = true;
    assert_true(cn_block_data_set(world, NEAR, &data, NULL));
    write_on(world, CELL, "AB");
    assert_true(cn_block_data_write(world, cn_chunk_of(CELL), &row, NULL));
    assert_int_equal(row.count, sizeof expected);
    assert_memory_equal(row.items, expected, sizeof expected);
    cn_array_fini(&row);
}

static void rows_restore_data_hash_and_active_cells(void **state)
{
    (void)state;
    CnU8Array row;
    cn_array_init(&row, NULL);
    write_on(world, CELL, "Home");
    activate(NEAR, true);
    assert_true(cn_block_data_write(world, cn_chunk_of(CELL), &row, NULL));
    uint64_t hash = cn_voxels_hash(world);
    CnVoxels *before = world;
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    world = other.world;
    CnCell cell;
    assert_true(cn_block_data_read_kinds(world, cn_text("test.sign"), NULL));
    assert_true(cn_block_data_read(world, cn_chunk_of(CELL), row.items, row.count, NULL));
    expect_text(CELL, "Home");
    assert_true(cn_voxels_hash(world) == hash);
    assert_true(cn_block_data_first_active(world, &cell));
    assert_memory_equal(&cell, &NEAR, sizeof cell);
    assert_int_equal(cn_block_data_stats(world).changed_chunks, 0);
    world = before;
    voxel_world_destroy(&other);
    cn_array_fini(&row);
}

static void a_malformed_row_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t size;
        uint8_t bytes[24];
    } rows[] = {
        {0, {0}},
        {4, {0, 0, 0, 0}},                                            /* no blocks */
        {3, {1, 0, 0}},                                               /* cut */
        {13, {1, 0, 0, 0, 5, 0, 1, 0, 2, 0, 0, 0, 'A'}},              /* cut */
        {14, {1, 0, 0, 0, 5, 0, 1, 0, 1, 0, 0, 0, 'A', 'B'}},         /* too long */
        {13, {1, 0, 0, 0, 0, 0x10, 1, 0, 1, 0, 0, 0, 'A'}},           /* cell 4096 */
        {13, {1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 'A'}},              /* kind 0 */
        {13, {1, 0, 0, 0, 5, 0, 2, 0, 1, 0, 0, 0, 'A'}},              /* kind 2 */
        {13, {1, 0, 0, 0, 5, 0, 1, 0, 1, 0, 2, 0, 'A'}},              /* flags */
        {20, {2, 0, 0, 0, 5, 0, 1, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0}}, /* a cell twice */
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(rows); i++) {
        CnError error = {0};
        assert_false(
            cn_block_data_read(world, (CnChunkPos){1, 2, 3}, rows[i].bytes, rows[i].size, &error));
        assert_int_equal(error.code, CN_ERROR_FORMAT);
        assert_non_null(strstr(error.message, "1, 2, 3"));
    }
    assert_int_equal(cn_block_data_stats(world).blocks, 0);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_kind_keeps_its_number),
        TEST(a_name_that_is_not_valid_is_refused),
        TEST(the_number_of_kinds_is_limited),
        TEST(kinds_keep_their_numbers_in_another_world),
        TEST(a_kind_that_is_listed_twice_is_refused),
        TEST(data_is_found_at_its_cell_only),
        TEST(data_is_replaced),
        TEST(data_may_be_set_to_a_part_of_itself),
        TEST(data_may_be_empty),
        TEST(removed_data_is_gone),
        TEST(many_blocks_of_one_chunk_have_data_of_their_own),
        TEST(data_beyond_the_limit_is_refused),
        TEST(data_of_no_kind_is_refused),
        TEST(data_outside_the_world_is_refused),
        TEST(replacing_a_block_removes_its_data),
        TEST(an_edit_that_changes_nothing_keeps_the_data),
        TEST(the_listener_gets_the_data_of_a_broken_block),
        TEST(the_listener_is_not_called_without_data),
        TEST(a_listener_may_keep_the_data),
        TEST(data_stays_when_its_chunk_is_unloaded),
        TEST(active_cells_are_visited_in_an_order_of_their_positions),
        TEST(the_data_of_a_chunk_is_visited_in_the_order_of_its_cells),
        TEST(visiting_the_data_of_a_chunk_does_not_load_it),
        TEST(data_may_be_removed_while_that_of_a_chunk_is_visited),
        TEST(a_chunk_without_data_has_no_cell_to_visit),
        TEST(data_that_is_not_active_is_not_visited),
        TEST(active_data_may_be_removed_while_it_is_visited),
        TEST(a_broken_block_is_not_active_any_more),
        TEST(every_part_of_the_data_changes_the_hash),
        TEST(the_hash_without_data_is_that_of_before),
        TEST(the_hash_depends_on_names_of_kinds_not_on_numbers),
        TEST(only_chunks_that_changed_are_saved),
        TEST(a_chunk_whose_data_was_removed_is_saved_without_bytes),
        TEST(a_save_is_the_state_of_its_begin),
        TEST(a_change_after_its_chunk_was_taken_is_in_the_next_save),
        TEST(the_chunks_of_a_save_that_fails_are_in_the_next_one),
        TEST(a_row_has_the_documented_form),
        TEST(rows_restore_data_hash_and_active_cells),
        TEST(a_malformed_row_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
