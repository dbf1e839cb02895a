/*
 * Villages: plans of what stands where, made once for a region and kept.
 */
#ifndef CAIRN_SRC_VOXEL_VILLAGE_H
#define CAIRN_SRC_VOXEL_VILLAGE_H

#include "voxel/brush.h"
#include "voxel/generator.h"

typedef enum CniPieceKind {
    CNI_PIECE_HOUSE,
    CNI_PIECE_TOWER,
    CNI_PIECE_WELL,
    CNI_PIECE_STALL,
    CNI_PIECE_FIELD,
    CNI_PIECE_HAY,
    CNI_PIECE_LAMP
} CniPieceKind;

/* A box of a village, with a look of its own. */
typedef struct CniPiece {
    int32_t x, z;         /* its corner */
    int16_t y;            /* of its floor, which lies where the ground was */
    uint8_t kind;         /* CniPieceKind */
    uint8_t turn;         /* where the door is: 0 +z, 1 -z, 2 +x, 3 -x */
    uint8_t width, depth; /* along x and z; roofs reach one block further */
    uint8_t height;       /* no cell higher above the floor */
    uint8_t style;
    uint32_t dice;
} CniPiece;

/* Foundations go so far below the floor: the ground is level within a block, and caves lie deeper. */
#define CNI_PIECE_DEPTH 2

/* ---- Plans: village_plan.c, village_layout.c ---- */

#define CNI_REGION 320 /* blocks; at most one village in each */
#define CNI_VILLAGE_SIZE 96
#define CNI_VILLAGE_WORDS (CNI_VILLAGE_SIZE / 32)
#define CNI_VILLAGE_PIECES 64

/* One bit a column. */
typedef uint32_t CniVillageMask[CNI_VILLAGE_SIZE][CNI_VILLAGE_WORDS];

typedef struct CniVillage {
    bool exists;
    int32_t x, z;  /* corner of the square that it lies in */
    CnCell middle; /* on the ground */
    uint32_t piece_count;
    CniPiece pieces[CNI_VILLAGE_PIECES];
    CniVillageMask paths, taken;
    CniVillageMask no_trees; /* what is taken, and as much around it as trees are wide */
} CniVillage;

/* A function of the seed and the region. */
void cni_village_plan(CnGenerator *generator, CnGenerateScratch *scratch, int32_t region_x,
                      int32_t region_z, CniVillage *village);

/* What is known of the square while it is laid out. */
typedef struct CniSite {
    uint32_t dice;
    int16_t ground[CNI_VILLAGE_SIZE][CNI_VILLAGE_SIZE]; /* [z][x] */
    uint8_t use[CNI_VILLAGE_SIZE][CNI_VILLAGE_SIZE];    /* CniUse */
    CniVillage *village;
} CniSite;
typedef enum CniUse { CNI_USE_NONE, CNI_USE_PATH, CNI_USE_PIECE, CNI_USE_UNFIT } CniUse;

/* Roads, houses along them, and the rest. False: there is room for too few houses. */
bool cni_village_lay_out(CniSite *site);

/* ---- Near a column of chunks: village.c ---- */

#define CNI_NEAR_PIECES 24
#define CNI_NEAR_MARGIN 24 /* blocks around the column of chunks */

typedef struct CniVillageNear {
    uint32_t count;
    CniPiece pieces[CNI_NEAR_PIECES]; /* that reach into the column of chunks */
    uint16_t paths[16], taken[16];    /* bit x of row z */
    uint64_t no_trees[64];            /* with the margin around */
} CniVillageNear;

/* False: there is nothing of a village near, and nothing was written. */
bool cni_village_near(CnGenerator *generator, CnGenerateScratch *scratch, int32_t chunk_x,
                      int32_t chunk_z, CniVillageNear *near);

/* ---- Drawing: village_house.c, village_piece.c ---- */

void cni_draw_piece(const CniBrush *brush, const CniPiece *piece);
void cni_draw_house(const CniBrush *brush, const CniPiece *piece);

/* Cells of a piece as one who stands in its door sees them: u from side to side, v from the back to
 * the front, y above the floor. */
void cni_piece_put(const CniBrush *brush, const CniPiece *piece, int32_t u, int32_t y, int32_t v,
                   CnBlock block);
void cni_piece_fill(const CniBrush *brush, const CniPiece *piece, CnCell from, CnCell to,
                    CnBlock block);
/* How wide and deep it is in these. */
static inline int32_t cni_piece_width(const CniPiece *piece)
{
    return piece->turn < 2 ? piece->width : piece->depth;
}
static inline int32_t cni_piece_depth(const CniPiece *piece)
{
    return piece->turn < 2 ? piece->depth : piece->width;
}
/* Blocks under the floor, down to the ground; air above it. */
void cni_piece_prepare(const CniBrush *brush, const CniPiece *piece, CnBlock floor,
                       CnBlock foundation);

#endif
