/*
 * Tiles: 16 x 16 pixels each, painted by name when the library is built.
 *
 *     PaintSet *set = paint_set_create();              // layers 0 to 9: the crack stages
 *     int side = paint_set_layer(set, "oak_log");      // paints on first use; -1: unknown name
 *     paint_set_mean(set, side, color);                // sRGB mean, excluding holes
 *     bool good = paint_set_write(set, "blocks.tiles"); // the texture array, docs/formats.md
 *
 * Tiles are in full color; a tint of 255 255 255 leaves them unchanged. All computations use
 * integers and own hashes, so that every machine produces the same bytes.
 *
 * Tile names, where W is one of paint_woods, S of paint_stones, C of paint_colors,
 * M of paint_metals, G of paint_gems, O of paint_ores and H of paint_ore_hosts:
 *
 *   wood     W_planks W_parquet W_panel W_shingles W_crate W_bookshelf W_carved W_beams
 *            W_lattice (holes) W_log and W_log_top, stripped_W_log and stripped_W_log_top,
 *            W_barrel and W_barrel_top W_leaves blossoming_W_leaves (holes) W_sapling (prop)
 *   stone    S cobbled_S mossy_cobbled_S S_bricks mossy_S_bricks cracked_S_bricks S_tiles
 *            cracked_S_tiles chiseled_S polished_S S_slabs S_ashlar S_mosaic S_paving
 *            S_pillar and S_pillar_top
 *   color   C_wool C_concrete C_concrete_powder C_terracotta C_glazed_terracotta C_bricks C_tiles
 *            C_mosaic C_planks C_lamp (glows) C_glass C_leaded_glass (holes)
 *            C_candle C_tulip (props)
 *   metal    M_block M_plates M_bricks cut_M raw_M_block M_lamp (glows) M_grate (holes)
 *   gem      G_block G_bricks G_lamp (glows) G_crystal (prop)
 *   ore      O_ore (in stone) and H_O_ore
 *   text     text_N: two characters of signs
 *   single   paint_singles, which marks each as a block or a prop
 */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_H
#define CAIRN_TOOLS_BLOCKS_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#define PAINT_SIZE 16
#define PAINT_CRACKS 10

/* A material: its name and its colors as 0xRRGGBB. Painters derive the shades. */
typedef struct PaintMaterial {
    const char *name;
    uint32_t color;         /* of planks, of the plain stone, of the gem */
    uint32_t second, third; /* woods: bark, leaves; stones: grains or veins */
    uint8_t contrast;       /* of the shades, percent */
    uint8_t kind;           /* of stone, bark or ore; see paint_parts.h */
    uint8_t leaves;         /* of woods: PaintLeaves */
} PaintMaterial;

/* Each list ends with a NULL name. */
extern const PaintMaterial paint_woods[], paint_stones[], paint_colors[], paint_metals[],
    paint_gems[], paint_ores[];
extern const char *const paint_ore_hosts[]; /* names of paint_stones, without stone */

typedef enum PaintUse {
    PAINT_OPAQUE,
    PAINT_SEMI, /* a block with holes */
    PAINT_PROP, /* stands on the ground, visible from all sides */
    PAINT_PART  /* a face of another block, not a block of its own */
} PaintUse;
/* Tiles outside of the families: all that block_metadata.json needs, and more. */
typedef struct Canvas Canvas;
typedef struct PaintSingle {
    const char *name; /* NULL ends the list */
    PaintUse use;
    void (*paint)(Canvas *canvas, const struct PaintSingle *single);
    uint32_t color, second; /* 0xRRGGBB; the painter decides how to use them */
    int variant;
} PaintSingle;
extern const PaintSingle paint_singles[];

typedef struct PaintSet PaintSet;
PaintSet *paint_set_create(void); /* NULL when out of memory */
void paint_set_destroy(PaintSet *set);
int paint_set_layer(PaintSet *set, const char *name);
int paint_set_count(const PaintSet *set);
const char *paint_set_name(const PaintSet *set, int layer);
void paint_set_mean(const PaintSet *set, int layer, uint8_t color[3]);
/* Returns false and sets errno if the file cannot be written. */
bool paint_set_write(const PaintSet *set, const char *path);

#endif
