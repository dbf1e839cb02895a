/*
 * Houses: a floor, walls with posts and windows, a roof, and furniture. Usually 7 x 5.
 */
#include "voxel/generate/feature.h"
#include "voxel/generate/village.h"

typedef struct Style {
    CniVoxelGenerated base, wall, post, roof, floor;
} Style;

static const Style styles[5] = {
    {CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_OAK_PLANKS, CNI_VOXEL_GEN_OAK_LOG,
     CNI_VOXEL_GEN_SPRUCE_PLANKS, CNI_VOXEL_GEN_SPRUCE_PLANKS},
    {CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_SPRUCE_PLANKS, CNI_VOXEL_GEN_SPRUCE_LOG,
     CNI_VOXEL_GEN_STONE_BRICKS, CNI_VOXEL_GEN_OAK_PLANKS},
    {CNI_VOXEL_GEN_STONE_BRICKS, CNI_VOXEL_GEN_WHITE_TERRACOTTA, CNI_VOXEL_GEN_OAK_LOG,
     CNI_VOXEL_GEN_BRICKS, CNI_VOXEL_GEN_OAK_PLANKS},
    {CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_BIRCH_PLANKS, CNI_VOXEL_GEN_BIRCH_LOG,
     CNI_VOXEL_GEN_ACACIA_PLANKS, CNI_VOXEL_GEN_BIRCH_PLANKS},
    {CNI_VOXEL_GEN_MOSSY_COBBLESTONE, CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_SPRUCE_LOG,
     CNI_VOXEL_GEN_SPRUCE_PLANKS, CNI_VOXEL_GEN_SPRUCE_PLANKS},
};

typedef struct House {
    const CniVoxelBrush *brush;
    const CniVoxelVillagePiece *piece;
    Style style;
    int32_t width, depth;
    int32_t floors, walls; /* heights */
    uint32_t dice;
} House;

static void put(const House *house, int32_t u, int32_t y, int32_t v, CniVoxelGenerated block)
{
    cni_voxel_piece_put(house->brush, house->piece, u, y, v, block);
}

static void draw_walls(const House *house)
{
    int32_t right = house->width - 1, front = house->depth - 1;
    for (int32_t y = 1; y <= house->walls; y++) {
        CniVoxelGenerated wall = y == 1 ? house->style.base : house->style.wall;
        if (house->floors == 2 && y == 4)
            wall = house->style.post; /* a surrounding beam */
        for (int32_t u = 0; u <= right; u++) {
            put(house, u, y, 0, wall);
            put(house, u, y, front, wall);
        }
        for (int32_t v = 0; v <= front; v++) {
            bool corner = v == 0 || v == front;
            put(house, 0, y, v, corner ? house->style.post : wall);
            put(house, right, y, v, corner ? house->style.post : wall);
        }
    }
}

static void draw_openings(const House *house)
{
    int32_t right = house->width - 1, front = house->depth - 1, middle = house->width / 2;
    for (int32_t level = 0; level < house->floors; level++) {
        int32_t y = 2 + 4 * level;
        put(house, middle, y, 0, CNI_VOXEL_GEN_GLASS);
        put(house, 0, y, house->depth / 2, CNI_VOXEL_GEN_GLASS);
        put(house, right, y, house->depth / 2, CNI_VOXEL_GEN_GLASS);
        if (house->width >= 7) {
            put(house, 1, y, front, CNI_VOXEL_GEN_GLASS);
            put(house, right - 1, y, front, CNI_VOXEL_GEN_GLASS);
        }
        if (house->width >= 9) {
            put(house, middle - 2, y, 0, CNI_VOXEL_GEN_GLASS);
            put(house, middle + 2, y, 0, CNI_VOXEL_GEN_GLASS);
        }
        if (level > 0)
            put(house, middle, y, front, CNI_VOXEL_GEN_GLASS);
    }
    put(house, middle, 1, front, CNI_VOXEL_GEN_AIR);
    put(house, middle, 2, front, CNI_VOXEL_GEN_AIR);
    put(house, middle, 3, front, house->style.post);
}

/* Two slopes from the overhanging eaves to a ridge along the front. */
static void draw_gable_roof(const House *house)
{
    for (int32_t i = -1; i <= house->depth / 2; i++) {
        int32_t y = house->walls + 1 + i, far = house->depth - 1 - i;
        for (int32_t u = -1; u <= house->width; u++) {
            put(house, u, y, i, house->style.roof);
            put(house, u, y, far, house->style.roof);
        }
        for (int32_t v = i + 1; i >= 0 && v < far; v++) {
            put(house, 0, y, v, house->style.wall);
            put(house, house->width - 1, y, v, house->style.wall);
        }
    }
}

/* Four slopes. */
static void draw_hip_roof(const House *house)
{
    for (int32_t i = -1; i <= house->depth / 2; i++) {
        int32_t y = house->walls + 1 + i, right = house->width - 1 - i, far = house->depth - 1 - i;
        for (int32_t v = i; v <= far; v++)
            for (int32_t u = i; u <= right; u++)
                if (u == i || u == right || v == i || v == far)
                    put(house, u, y, v, house->style.roof);
    }
}

static void draw_flat_roof(const House *house)
{
    int32_t y = house->walls + 1;
    for (int32_t v = 0; v < house->depth; v++)
        for (int32_t u = 0; u < house->width; u++)
            put(house, u, y, v, house->style.roof);
    for (int32_t v = 0; v < house->depth; v++) {
        for (int32_t u = 0; u < house->width; u++) {
            bool rim = u == 0 || v == 0 || u == house->width - 1 || v == house->depth - 1;
            if (rim)
                put(house, u, y + 1, v, (u + v) % 2 ? CNI_VOXEL_GEN_OAK_FENCE : house->style.post);
        }
    }
}

static void draw_things(House *house)
{
    static const CniVoxelGenerated beds[3] = {CNI_VOXEL_GEN_RED_WOOL, CNI_VOXEL_GEN_BLUE_WOOL,
                                              CNI_VOXEL_GEN_YELLOW_WOOL};
    static const CniVoxelGenerated things[4] = {CNI_VOXEL_GEN_CRATE, CNI_VOXEL_GEN_BOOKSHELF,
                                                CNI_VOXEL_GEN_FURNACE, CNI_VOXEL_GEN_BOOKSHELF};
    int32_t right = house->width - 2, y = 4 * (house->floors - 1) + 1;
    put(house, 1, y, 1, CNI_VOXEL_GEN_WHITE_WOOL);
    put(house, 1, y, 2, beds[cni_voxel_roll(&house->dice, 3)]);
    put(house, right, 1, 1, things[cni_voxel_roll(&house->dice, 4)]);
    put(house, right, 2, 1, CNI_VOXEL_GEN_LANTERN);
    if (house->width >= 7)
        put(house, right - 1, 1, 1, things[cni_voxel_roll(&house->dice, 4)]);
    if (house->width >= 9) {
        put(house, 4, 1, 2, CNI_VOXEL_GEN_OAK_FENCE);
        put(house, 4, 2, 2, CNI_VOXEL_GEN_LANTERN);
    }
    if (house->floors == 2) {
        for (int32_t v = 1; v < house->depth - 1; v++)
            for (int32_t u = 1; u < house->width - 1; u++)
                put(house, u, 4, v, house->style.floor);
        for (int32_t up = 1; up <= 4; up++)
            put(house, right, up, house->depth - 2, CNI_VOXEL_GEN_LADDER);
        put(house, right, 5, 1, CNI_VOXEL_GEN_TORCH);
    }
}

static void draw_chimney(const House *house)
{
    for (int32_t y = 1; y < house->walls + 2 + house->depth / 2; y++)
        put(house, house->width - 1, y, 1,
            house->style.roof == CNI_VOXEL_GEN_BRICKS ? CNI_VOXEL_GEN_COBBLESTONE
                                                      : CNI_VOXEL_GEN_BRICKS);
}

void cni_voxel_draw_house(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    House house = {
        .brush = brush,
        .piece = piece,
        .style = styles[piece->style % 5],
        .width = cni_voxel_piece_width(piece),
        .depth = cni_voxel_piece_depth(piece),
        .floors = piece->height > 10 ? 2 : 1,
        .dice = piece->dice,
    };
    house.walls = house.floors == 2 ? 7 : 3;
    cni_voxel_piece_prepare(brush, piece, house.style.floor, CNI_VOXEL_GEN_COBBLESTONE);
    draw_walls(&house);
    draw_openings(&house);
    uint32_t roof = cni_voxel_roll(&house.dice, 10);
    if (roof == 0 && house.width < 9)
        draw_flat_roof(&house);
    else if (roof < 3 || house.width == house.depth)
        draw_hip_roof(&house);
    else
        draw_gable_roof(&house);
    if (cni_voxel_roll(&house.dice, 2) && roof > 0)
        draw_chimney(&house);
    draw_things(&house);
}
