/*
 * An empty region in a real voxel world, high above the ground, that contains only what a test puts
 * there.
 *
 *     Room room = room_open();
 *     room_put(&room, 1, ROOM_FLOOR, 2, BLOCK_STONE);
 *     ...
 *     room_close(&room);
 */
#ifndef CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_ROOM_H
#define CAIRN_TESTS_SUPPORT_VOXEL_VOXEL_ROOM_H

#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <cairn/voxel/voxels.h>

#define ROOM_FLOOR 1024

typedef struct Room {
    CnGenerator *generator;
    CnVoxels *world;
} Room;

static inline Room room_open(void)
{
    Room room = {.generator = cn_generator_create(
                     &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 1}, NULL)};
    assert_non_null(room.generator);
    room.world = cn_voxels_create(&(CnVoxelsDesc){.generator = room.generator}, NULL);
    assert_non_null(room.world);
    return room;
}

static inline void room_close(Room *room)
{
    cn_voxels_destroy(room->world);
    cn_generator_destroy(room->generator);
}

static inline void room_put(Room *room, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    CnEdit edit = {
        .kind = CN_EDIT_PLACE, .face = CN_EDIT_NO_FACE, .cell = {x, y, z}, .new_block = block};
    assert_true(cn_voxels_edit(room->world, &edit, NULL));
}

static inline void room_fill(Room *room, CnCell low, CnCell high, CnBlock block)
{
    for (int32_t z = low.z; z <= high.z; z++)
        for (int32_t y = low.y; y <= high.y; y++)
            for (int32_t x = low.x; x <= high.x; x++)
                room_put(room, x, y, z, block);
}

static inline CnBlock room_get(Room *room, int32_t x, int32_t y, int32_t z)
{
    return cn_voxels_get(room->world, (CnCell){x, y, z});
}

#endif
