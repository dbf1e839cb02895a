/*
 * Villages: layout plans, computed once per region and cached.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_VILLAGE_H
#define CAIRN_SRC_VOXEL_GENERATE_VILLAGE_H

#include "voxel/generate/brush.h"
#include "voxel/generate/generator.h"

typedef enum CniPieceKind {
    CNI_PIECE_HOUSE,
    CNI_PIECE_TOWER,
    CNI_PIECE_WELL,
    CNI_PIECE_STALL,
    CNI_PIECE_FIELD,
    CNI_PIECE_HAY,
    CNI_PIECE_LAMP
} CniPieceKind;

/* A box-shaped part of a village with its own appearance. */
typedef struct CniPiece {
    int32_t x, z;         /* corner */
    int16_t y;            /* floor level, which is that of the ground */
    uint8_t kind;         /* CniPieceKind */
    uint8_t turn;         /* side of the door: 0 +z, 1 -z, 2 +x, 3 -x */
    uint8_t width, depth; /* along x and z; roofs extend one block further */
    uint8_t height;       /* maximum height of a cell above the floor */
    uint8_t style;
    uint32_t dice;
} CniPiece;

/* Depth of foundations below the floor: the ground is level within one block, and caves lie
 * deeper. */
#define CNI_PIECE_DEPTH 2

/* ---- Plans: village_plan.c, village_layout.c ---- */

#define CNI_REGION 320 /* blocks; at most one village in each */
#define CNI_VILLAGE_SIZE 96
#define CNI_VILLAGE_WORDS (CNI_VILLAGE_SIZE / 32)
#define CNI_VILLAGE_PIECES 64

/* One bit per column. */
typedef uint32_t CniVillageMask[CNI_VILLAGE_SIZE][CNI_VILLAGE_WORDS];

typedef struct CniVillage {
    bool exists;
    int32_t x, z;  /* corner of its square */
    CnCell middle; /* on the ground */
    uint32_t piece_count;
    CniPiece pieces[CNI_VILLAGE_PIECES];
    CniVillageMask paths, taken;
    CniVillageMask no_trees; /* occupied columns, and a margin of the width of trees */
} CniVillage;

/* A pure function of the seed and the region. */
void cni_village_plan(CnGenerator *generator, CnGenerateScratch *scratch, int32_t region_x,
                      int32_t region_z, CniVillage *village);

/* State of the square during layout. */
typedef struct CniSite {
    uint32_t dice;
    int16_t ground[CNI_VILLAGE_SIZE][CNI_VILLAGE_SIZE]; /* [z][x] */
    uint8_t use[CNI_VILLAGE_SIZE][CNI_VILLAGE_SIZE];    /* CniUse */
    CniVillage *village;
} CniSite;
typedef enum CniUse { CNI_USE_NONE, CNI_USE_PATH, CNI_USE_PIECE, CNI_USE_UNFIT } CniUse;

/* Lays out roads, houses along them, and the rest. Returns false if there is space for too few
 * houses. */
bool cni_village_lay_out(CniSite *site);

/* ---- Villages near a chunk column: village.c ---- */

#define CNI_NEAR_PIECES 24
#define CNI_NEAR_MARGIN 24 /* blocks around the chunk column */

typedef struct CniVillageNear {
    uint32_t count;
    CniPiece pieces[CNI_NEAR_PIECES]; /* pieces that reach into the chunk column */
    uint16_t paths[16], taken[16];    /* bit x of row z */
    uint64_t no_trees[64];            /* including the margin */
} CniVillageNear;

/* Returns false, and writes nothing, if there is no village near. */
bool cni_village_near(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                      int32_t chunk_z, CniVillageNear *near);

/* ---- Drawing: village_house.c, village_piece.c ---- */

void cni_draw_piece(const CniBrush *brush, const CniPiece *piece);
void cni_draw_house(const CniBrush *brush, const CniPiece *piece);

/* Sets a cell of a piece as seen from its door: u sideways, v from back to front, y above the
 * floor. */
void cni_piece_put(const CniBrush *brush, const CniPiece *piece, int32_t u, int32_t y, int32_t v,
                   CnBlock block);
void cni_piece_fill(const CniBrush *brush, const CniPiece *piece, CnCell from, CnCell to,
                    CnBlock block);
/* Return the size in these coordinates. */
static inline int32_t cni_piece_width(const CniPiece *piece)
{
    return piece->turn < 2 ? piece->width : piece->depth;
}
static inline int32_t cni_piece_depth(const CniPiece *piece)
{
    return piece->turn < 2 ? piece->depth : piece->width;
}
/* Fills below the floor down to the ground and clears the space above. */
void cni_piece_prepare(const CniBrush *brush, const CniPiece *piece, CnBlock floor,
                       CnBlock foundation);

#endif
