/*
 * Village pieces other than houses: well, tower, stalls, fields, hay, lamps.
 */
#include "voxel/generate/feature.h"
#include "voxel/generate/village.h"

void cni_voxel_piece_put(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece, int32_t u,
                         int32_t y, int32_t v, CniVoxelGenerated block)
{
    int32_t right = piece->width - 1, end = piece->depth - 1, x, z;
    switch (piece->turn) {
    case 0:
        x = u, z = v;
        break;
    case 1:
        x = right - u, z = end - v;
        break;
    case 2:
        x = v, z = end - u;
        break;
    default:
        x = right - v, z = u;
        break;
    }
    cni_voxel_brush_cell(brush, piece->x + x, piece->y + y, piece->z + z, block,
                         CNI_VOXEL_OVER_ALL);
}

void cni_voxel_piece_fill(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece,
                          CnCell from, CnCell to, CniVoxelGenerated block)
{
    for (int32_t v = from.z; v <= to.z; v++)
        for (int32_t y = from.y; y <= to.y; y++)
            for (int32_t u = from.x; u <= to.x; u++)
                cni_voxel_piece_put(brush, piece, u, y, v, block);
}

void cni_voxel_piece_prepare(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece,
                             CniVoxelGenerated floor, CniVoxelGenerated foundation)
{
    CnCell low = {piece->x, piece->y - CNI_VOXEL_PIECE_DEPTH, piece->z};
    CnCell high = {piece->x + piece->width - 1, piece->y - 1, piece->z + piece->depth - 1};
    cni_voxel_brush_box(brush, low, high, foundation, CNI_VOXEL_OVER_LEAVES | CN_BLOCK_IS_WATER);
    low.y = high.y = piece->y;
    cni_voxel_brush_box(brush, low, high, floor, CNI_VOXEL_OVER_ALL);
    low.y = piece->y + 1;
    high.y = piece->y + piece->height;
    cni_voxel_brush_box(brush, low, high, CNI_VOXEL_GEN_AIR, CNI_VOXEL_OVER_ALL);
}

static void draw_well(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    cni_voxel_piece_prepare(brush, piece, CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_COBBLESTONE);
    cni_voxel_piece_fill(brush, piece, (CnCell){0, 1, 0}, (CnCell){2, 1, 2},
                         CNI_VOXEL_GEN_COBBLESTONE);
    cni_voxel_piece_fill(brush, piece, (CnCell){1, -1, 1}, (CnCell){1, 1, 1}, CNI_VOXEL_GEN_WATER);
    for (int32_t corner = 0; corner < 4; corner++)
        cni_voxel_piece_fill(brush, piece, (CnCell){corner % 2 * 2, 2, corner / 2 * 2},
                             (CnCell){corner % 2 * 2, 3, corner / 2 * 2}, CNI_VOXEL_GEN_OAK_FENCE);
    cni_voxel_piece_fill(brush, piece, (CnCell){0, 4, 0}, (CnCell){2, 4, 2},
                         CNI_VOXEL_GEN_SPRUCE_PLANKS);
    cni_voxel_piece_put(brush, piece, 1, 5, 1, CNI_VOXEL_GEN_LANTERN);
}

static void draw_lamp(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    for (int32_t y = 1; y <= 3; y++)
        cni_voxel_piece_put(brush, piece, 0, y, 0,
                            y == 1 ? CNI_VOXEL_GEN_COBBLESTONE : CNI_VOXEL_GEN_OAK_FENCE);
    cni_voxel_piece_put(brush, piece, 0, 4, 0, CNI_VOXEL_GEN_LANTERN);
}

static void draw_stall(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    static const CniVoxelGenerated cloths[3] = {CNI_VOXEL_GEN_RED_WOOL, CNI_VOXEL_GEN_BLUE_WOOL,
                                                CNI_VOXEL_GEN_YELLOW_WOOL};
    static const CniVoxelGenerated wares[4] = {CNI_VOXEL_GEN_CRATE, CNI_VOXEL_GEN_PUMPKIN,
                                               CNI_VOXEL_GEN_MELON, CNI_VOXEL_GEN_HAY_BALE};
    uint32_t dice = piece->dice;
    CniVoxelGenerated cloth = cloths[cni_voxel_roll(&dice, 3)];
    cni_voxel_piece_prepare(brush, piece, CNI_VOXEL_GEN_DIRT_PATH, CNI_VOXEL_GEN_DIRT);
    for (int32_t corner = 0; corner < 4; corner++)
        cni_voxel_piece_fill(brush, piece, (CnCell){corner % 2 * 4, 1, corner / 2 * 2},
                             (CnCell){corner % 2 * 4, 3, corner / 2 * 2}, CNI_VOXEL_GEN_OAK_FENCE);
    for (int32_t u = 0; u < 5; u++)
        cni_voxel_piece_fill(brush, piece, (CnCell){u, 4, 0}, (CnCell){u, 4, 2},
                             u % 2 ? CNI_VOXEL_GEN_WHITE_WOOL : cloth);
    for (int32_t u = 1; u < 4; u++) {
        cni_voxel_piece_put(brush, piece, u, 1, 2, CNI_VOXEL_GEN_SPRUCE_PLANKS);
        cni_voxel_piece_put(brush, piece, u, 1, 0, wares[cni_voxel_roll(&dice, 4)]);
    }
}

static void draw_field(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    static const CniVoxelGenerated crops[4] = {CNI_VOXEL_GEN_WHEAT, CNI_VOXEL_GEN_WHEAT,
                                               CNI_VOXEL_GEN_CARROTS, CNI_VOXEL_GEN_PUMPKIN};
    uint32_t dice = piece->dice;
    int32_t width = cni_voxel_piece_width(piece), depth = cni_voxel_piece_depth(piece);
    CniVoxelGenerated crop = crops[cni_voxel_roll(&dice, 4)];
    cni_voxel_piece_prepare(brush, piece, CNI_VOXEL_GEN_FARMLAND, CNI_VOXEL_GEN_DIRT);
    for (int32_t v = 0; v < depth; v++) {
        for (int32_t u = 0; u < width; u++) {
            bool rim = u == 0 || v == 0 || u == width - 1 || v == depth - 1;
            bool ripe = cni_voxel_roll(&dice, crop == CNI_VOXEL_GEN_PUMPKIN ? 4 : 8) > 0;
            if (rim)
                cni_voxel_piece_put(brush, piece, u, 0, v, CNI_VOXEL_GEN_OAK_LOG);
            else if (v == depth / 2)
                cni_voxel_piece_put(brush, piece, u, 0, v, CNI_VOXEL_GEN_WATER);
            else if (ripe != (crop == CNI_VOXEL_GEN_PUMPKIN))
                cni_voxel_piece_put(brush, piece, u, 1, v, crop);
        }
    }
}

static void draw_hay(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    uint32_t dice = piece->dice;
    cni_voxel_piece_prepare(brush, piece, CNI_VOXEL_GEN_DIRT, CNI_VOXEL_GEN_DIRT);
    for (int32_t v = 0; v < 2; v++)
        for (int32_t u = 0; u < 3; u++)
            cni_voxel_piece_fill(brush, piece, (CnCell){u, 1, v},
                                 (CnCell){u, 1 + (int32_t)cni_voxel_roll(&dice, 3), v},
                                 CNI_VOXEL_GEN_HAY_BALE);
}

/* Battlements, arrow slits, a ladder, a light on top. */
static void draw_tower(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    uint32_t dice = piece->dice;
    int32_t top = piece->height - 3;
    cni_voxel_piece_prepare(brush, piece, CNI_VOXEL_GEN_COBBLESTONE, CNI_VOXEL_GEN_COBBLESTONE);
    for (int32_t y = 1; y <= top; y++) {
        for (int32_t n = 0; n < 16; n++) {
            static const int8_t ring[16][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {4, 1},
                                               {4, 2}, {4, 3}, {4, 4}, {3, 4}, {2, 4}, {1, 4},
                                               {0, 4}, {0, 3}, {0, 2}, {0, 1}};
            CniVoxelGenerated stone = cni_voxel_roll(&dice, 3)   ? CNI_VOXEL_GEN_STONE_BRICKS
                                      : cni_voxel_roll(&dice, 2) ? CNI_VOXEL_GEN_COBBLESTONE
                                                                 : CNI_VOXEL_GEN_MOSSY_COBBLESTONE;
            bool slit = n % 4 == 2 && y % 4 == 3 && n != 10;
            cni_voxel_piece_put(brush, piece, ring[n][0], y, ring[n][1],
                                slit ? CNI_VOXEL_GEN_GLASS : stone);
            if (y == top && n % 2 == 0)
                cni_voxel_piece_put(brush, piece, ring[n][0], y + 1, ring[n][1], stone);
        }
    }
    cni_voxel_piece_fill(brush, piece, (CnCell){1, top - 1, 1}, (CnCell){3, top - 1, 3},
                         CNI_VOXEL_GEN_SPRUCE_PLANKS);
    cni_voxel_piece_fill(brush, piece, (CnCell){1, 1, 1}, (CnCell){1, top - 1, 1},
                         CNI_VOXEL_GEN_LADDER);
    cni_voxel_piece_fill(brush, piece, (CnCell){2, 1, 4}, (CnCell){2, 2, 4}, CNI_VOXEL_GEN_AIR);
    cni_voxel_piece_put(brush, piece, 3, 1, 1, CNI_VOXEL_GEN_TORCH);
    cni_voxel_piece_put(brush, piece, 2, top, 2, CNI_VOXEL_GEN_LANTERN);
}

void cni_voxel_draw_piece(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece)
{
    if (piece->y - CNI_VOXEL_PIECE_DEPTH >= brush->y + CN_CHUNK_SIZE ||
        piece->y + piece->height < brush->y)
        return;
    switch ((CniVoxelVillagePieceKind)piece->kind) {
    case CNI_VOXEL_PIECE_HOUSE:
        cni_voxel_draw_house(brush, piece);
        break;
    case CNI_VOXEL_PIECE_TOWER:
        draw_tower(brush, piece);
        break;
    case CNI_VOXEL_PIECE_WELL:
        draw_well(brush, piece);
        break;
    case CNI_VOXEL_PIECE_STALL:
        draw_stall(brush, piece);
        break;
    case CNI_VOXEL_PIECE_FIELD:
        draw_field(brush, piece);
        break;
    case CNI_VOXEL_PIECE_HAY:
        draw_hay(brush, piece);
        break;
    case CNI_VOXEL_PIECE_LAMP:
        draw_lamp(brush, piece);
        break;
    }
}
