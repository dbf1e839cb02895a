/*
 * Villages: layout plans, computed once per region and cached.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_VILLAGE_H
#define CAIRN_SRC_VOXEL_GENERATE_VILLAGE_H

#include "voxel/generate/brush.h"
#include "voxel/generate/generator.h"

typedef enum CniVoxelVillagePieceKind {
    CNI_VOXEL_PIECE_HOUSE,
    CNI_VOXEL_PIECE_TOWER,
    CNI_VOXEL_PIECE_WELL,
    CNI_VOXEL_PIECE_STALL,
    CNI_VOXEL_PIECE_FIELD,
    CNI_VOXEL_PIECE_HAY,
    CNI_VOXEL_PIECE_LAMP
} CniVoxelVillagePieceKind;

/* A box-shaped part of a village with its own appearance. */
typedef struct CniVoxelVillagePiece {
    int32_t x, z;         /* corner */
    int16_t y;            /* floor level, which is that of the ground */
    uint8_t kind;         /* CniVoxelVillagePieceKind */
    uint8_t turn;         /* side of the door: 0 +z, 1 -z, 2 +x, 3 -x */
    uint8_t width, depth; /* along x and z; roofs extend one block further */
    uint8_t height;       /* maximum height of a cell above the floor */
    uint8_t style;
    uint32_t dice;
} CniVoxelVillagePiece;

/* Depth of foundations below the floor: the ground is level within one block, and caves lie
 * deeper. */
#define CNI_VOXEL_PIECE_DEPTH 2

/* ---- Plans: village_plan.c, village_layout.c ---- */

#define CNI_VOXEL_REGION CN_VILLAGE_REGION /* blocks; at most one village in each */
#define CNI_VOXEL_VILLAGE_SIZE 96
#define CNI_VOXEL_VILLAGE_WORDS (CNI_VOXEL_VILLAGE_SIZE / 32)
#define CNI_VOXEL_VILLAGE_PIECES 64

/* One bit per column. */
typedef uint32_t CniVoxelVillageMask[CNI_VOXEL_VILLAGE_SIZE][CNI_VOXEL_VILLAGE_WORDS];

typedef struct CniVoxelVillage {
    bool exists;
    int32_t x, z;  /* corner of its square */
    CnCell middle; /* on the ground */
    uint32_t piece_count;
    CniVoxelVillagePiece pieces[CNI_VOXEL_VILLAGE_PIECES];
    CniVoxelVillageMask paths, taken;
    CniVoxelVillageMask no_trees; /* occupied columns, and a margin of the width of trees */
} CniVoxelVillage;

/* A pure function of the seed and the region. */
void cni_voxel_village_plan(CnGenerator *generator, CnGenerateScratch *scratch, int32_t region_x,
                            int32_t region_z, CniVoxelVillage *village);

/* State of the square during layout. */
typedef struct CniVoxelVillageSite {
    uint32_t dice;
    int16_t ground[CNI_VOXEL_VILLAGE_SIZE][CNI_VOXEL_VILLAGE_SIZE]; /* [z][x] */
    uint8_t use[CNI_VOXEL_VILLAGE_SIZE][CNI_VOXEL_VILLAGE_SIZE];    /* CniVoxelSiteUse */
    CniVoxelVillage *village;
} CniVoxelVillageSite;
typedef enum CniVoxelSiteUse {
    CNI_VOXEL_USE_NONE,
    CNI_VOXEL_USE_PATH,
    CNI_VOXEL_USE_PIECE,
    CNI_VOXEL_USE_UNFIT
} CniVoxelSiteUse;

/* Lays out roads, houses along them, and the rest. Returns false if there is space for too few
 * houses. */
bool cni_voxel_village_lay_out(CniVoxelVillageSite *site);

/* ---- Villages near a chunk column: village.c ---- */

#define CNI_VOXEL_NEAR_PIECES 24
#define CNI_VOXEL_NEAR_MARGIN 24 /* blocks around the chunk column */

typedef struct CniVoxelVillageNear {
    uint32_t count;
    CniVoxelVillagePiece
        pieces[CNI_VOXEL_NEAR_PIECES]; /* pieces that reach into the chunk column */
    uint16_t paths[16], taken[16];     /* bit x of row z */
    uint64_t no_trees[64];             /* including the margin */
} CniVoxelVillageNear;

/* Returns false, and writes nothing, if there is no village near. */
bool cni_voxel_village_near(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                            int32_t chunk_z, CniVoxelVillageNear *near);

/* Returns whether a village or the margin that trees keep from it covers a column of the area. */
bool cni_voxel_village_occupies(CnGenerator *generator, CnGenerateScratch *scratch, int32_t low_x,
                                int32_t low_z, int32_t high_x, int32_t high_z);

/* ---- Drawing: village_house.c, village_piece.c ---- */

void cni_voxel_draw_piece(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece);
void cni_voxel_draw_house(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece);

/* Sets a cell of a piece as seen from its door: u sideways, v from back to front, y above the
 * floor. */
void cni_voxel_piece_put(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece, int32_t u,
                         int32_t y, int32_t v, CniVoxelGenerated block);
void cni_voxel_piece_fill(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece,
                          CnCell from, CnCell to, CniVoxelGenerated block);
/* Return the size in these coordinates. */
static inline int32_t cni_voxel_piece_width(const CniVoxelVillagePiece *piece)
{
    return piece->turn < 2 ? piece->width : piece->depth;
}
static inline int32_t cni_voxel_piece_depth(const CniVoxelVillagePiece *piece)
{
    return piece->turn < 2 ? piece->depth : piece->width;
}
/* Fills below the floor down to the ground and clears the space above. */
void cni_voxel_piece_prepare(const CniVoxelBrush *brush, const CniVoxelVillagePiece *piece,
                             CniVoxelGenerated floor, CniVoxelGenerated foundation);

#endif
