/*
 * Painters of single tiles. The use of `color`, `second` and `variant` is documented where it is
 * not obvious.
 */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_SINGLE_H
#define CAIRN_TOOLS_BLOCKS_PAINT_SINGLE_H

#include "painter.h"

typedef void PaintSingleFunction(Canvas *c, const PaintSingle *single);

/* paint_ground.c; variant: contrast in percent, 0 for the default */
PaintSingleFunction paint_soil, paint_sand, paint_turf, paint_turf_side;
PaintSingleFunction paint_dirt, paint_coarse_dirt, paint_rooted_dirt, paint_moss, paint_path,
    paint_path_side, paint_farmland, paint_gravel, paint_snow, paint_mud, paint_water, paint_magma,
    paint_lava, paint_glowstone, paint_bedrock, paint_coral_block, paint_sponge, paint_honeycomb;
PaintSingleFunction paint_ice;  /* variant: alpha, 0 for opaque */
PaintSingleFunction paint_clay; /* variant: roughness */

/* paint_thing.c */
PaintSingleFunction paint_alias; /* variant: which member of a family */
PaintSingleFunction paint_clear_glass, paint_sandstone_side, paint_mushroom_cap, paint_cactus,
    paint_gourd_side, paint_gourd_top, paint_hay_top, paint_furnace_side, paint_furnace_top,
    paint_ladder, paint_fence, paint_mirror;
PaintSingleFunction paint_sandstone_top; /* variant 1: cracked */
PaintSingleFunction paint_stem;          /* variant 1: inside */
PaintSingleFunction paint_cactus_top;    /* variant 1: the bottom */
PaintSingleFunction paint_hay;           /* variant 1: without ropes */
PaintSingleFunction paint_workbench;     /* variant 1: the top */
PaintSingleFunction paint_chest;         /* variant 1: the top */

/* paint_furniture.c */
PaintSingleFunction paint_bed_head_side, paint_chest_wall, paint_chest_lid, paint_furnace_front,
    paint_sign, paint_crafting_table;

/* paint_plant.c */
typedef enum Flower {
    FLOWER_ROUND,
    FLOWER_DAISY,
    FLOWER_BALL,
    FLOWER_SPIKE,
    FLOWER_BELLS,
    FLOWER_WIDE,
    FLOWER_ORCHID,
    FLOWER_TALL,
    FLOWER_CUP,
    FLOWER_CLUSTER
} Flower;
typedef enum Plant {
    PLANT_FERN,
    PLANT_DEAD,
    PLANT_BUSH,
    PLANT_CANE,
    PLANT_CATTAIL,
    PLANT_BAMBOO,
    PLANT_PAD,
    PLANT_WHEAT,
    PLANT_CROP,
    PLANT_MUSHROOM,
    PLANT_MUSHROOM_TALL,
    PLANT_PEBBLES,
    PLANT_LEAVES,
    PLANT_VINES,
    PLANT_KELP,
    PLANT_CORAL,
    PLANT_FAN,
    PLANT_WEB
} Plant;
PaintSingleFunction paint_flower;                             /* variant: Flower */
PaintSingleFunction paint_carpet_flowers;                     /* small ones */
PaintSingleFunction paint_plant, paint_green, paint_mushroom; /* variant: Plant */
PaintSingleFunction paint_blades, paint_snowy_blades;         /* variant: height; second: tips */
PaintSingleFunction paint_torch, paint_lantern; /* color: the light; variant 1: unlit */
PaintSingleFunction paint_young;                /* crops in rows; variant: height; second: tips */
PaintSingleFunction paint_fire;                 /* color: of the tips; second: of the root */

/* paint_color.c, paint_metal.c */
PaintSingleFunction paint_plain_terracotta, paint_red_bricks, paint_amethyst;
void draw_glass(Canvas *c, uint32_t color, uint32_t contrast, uint8_t pane);

#endif
