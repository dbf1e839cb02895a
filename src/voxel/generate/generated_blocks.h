/*
 * The blocks that the generator places. They are found by name in the block table of the game when
 * the generator is created. Code that chooses blocks uses CniVoxelGenerated; the numbers of the
 * table appear only in what it writes: columns and chunks.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_GENERATED_BLOCKS_H
#define CAIRN_SRC_VOXEL_GENERATE_GENERATED_BLOCKS_H

#include <cairn/voxel/block.h>

#define CNI_VOXEL_GENERATED_BLOCKS(X)                                                              \
    X(AIR, "air")                                                                                  \
    X(GRASS, "grass")                                                                              \
    X(DIRT, "dirt")                                                                                \
    X(SAND, "sand")                                                                                \
    X(STONE, "stone")                                                                              \
    X(GRAVEL, "gravel")                                                                            \
    X(WATER, "water")                                                                              \
    X(BEDROCK, "bedrock")                                                                          \
    X(SANDSTONE, "sandstone")                                                                      \
    X(RED_SAND, "red_sand")                                                                        \
    X(RED_SANDSTONE, "red_sandstone")                                                              \
    X(SNOW, "snow")                                                                                \
    X(GRASS_SNOW, "grass_snow")                                                                    \
    X(PACKED_ICE, "packed_ice")                                                                    \
    X(CLAY, "clay")                                                                                \
    X(MUD, "mud")                                                                                  \
    X(PODZOL, "podzol")                                                                            \
    X(MYCELIUM, "mycelium")                                                                        \
    X(COARSE_DIRT, "coarse_dirt")                                                                  \
    X(MOSS, "moss")                                                                                \
    X(TERRACOTTA, "terracotta")                                                                    \
    X(WHITE_TERRACOTTA, "white_terracotta")                                                        \
    X(ORANGE_TERRACOTTA, "orange_terracotta")                                                      \
    X(YELLOW_TERRACOTTA, "yellow_terracotta")                                                      \
    X(RED_TERRACOTTA, "red_terracotta")                                                            \
    X(BROWN_TERRACOTTA, "brown_terracotta")                                                        \
    X(LIGHT_GRAY_TERRACOTTA, "light_gray_terracotta")                                              \
    X(COAL_ORE, "coal_ore")                                                                        \
    X(COPPER_ORE, "copper_ore")                                                                    \
    X(IRON_ORE, "iron_ore")                                                                        \
    X(LAPIS_ORE, "lapis_ore")                                                                      \
    X(REDSTONE_ORE, "redstone_ore")                                                                \
    X(GOLD_ORE, "gold_ore")                                                                        \
    X(EMERALD_ORE, "emerald_ore")                                                                  \
    X(DIAMOND_ORE, "diamond_ore")                                                                  \
    X(OAK_LOG, "oak_log")                                                                          \
    X(OAK_LEAVES, "oak_leaves")                                                                    \
    X(OAK_PLANKS, "oak_planks")                                                                    \
    X(BIRCH_LOG, "birch_log")                                                                      \
    X(BIRCH_LEAVES, "birch_leaves")                                                                \
    X(BIRCH_PLANKS, "birch_planks")                                                                \
    X(SPRUCE_LOG, "spruce_log")                                                                    \
    X(SPRUCE_LEAVES, "spruce_leaves")                                                              \
    X(SPRUCE_PLANKS, "spruce_planks")                                                              \
    X(SNOWY_LEAVES, "snowy_leaves")                                                                \
    X(JUNGLE_LOG, "jungle_log")                                                                    \
    X(JUNGLE_LEAVES, "jungle_leaves")                                                              \
    X(ACACIA_LOG, "acacia_log")                                                                    \
    X(ACACIA_LEAVES, "acacia_leaves")                                                              \
    X(ACACIA_PLANKS, "acacia_planks")                                                              \
    X(CHERRY_LOG, "cherry_log")                                                                    \
    X(CHERRY_LEAVES, "cherry_leaves")                                                              \
    X(WILLOW_LOG, "willow_log")                                                                    \
    X(WILLOW_LEAVES, "willow_leaves")                                                              \
    X(MUSHROOM_STEM, "mushroom_stem")                                                              \
    X(RED_MUSHROOM_BLOCK, "red_mushroom_block")                                                    \
    X(BROWN_MUSHROOM_BLOCK, "brown_mushroom_block")                                                \
    X(CACTUS, "cactus")                                                                            \
    X(GLASS, "glass")                                                                              \
    X(COBBLESTONE, "cobblestone")                                                                  \
    X(MOSSY_COBBLESTONE, "mossy_cobblestone")                                                      \
    X(STONE_BRICKS, "stone_bricks")                                                                \
    X(BRICKS, "bricks")                                                                            \
    X(DIRT_PATH, "dirt_path")                                                                      \
    X(FARMLAND, "farmland")                                                                        \
    X(HAY_BALE, "hay_bale")                                                                        \
    X(BOOKSHELF, "bookshelf")                                                                      \
    X(CRATE, "crate")                                                                              \
    X(FURNACE, "furnace")                                                                          \
    X(LANTERN, "lantern")                                                                          \
    X(TORCH, "torch")                                                                              \
    X(SHORT_GRASS, "short_grass")                                                                  \
    X(TALL_GRASS, "tall_grass")                                                                    \
    X(FERN, "fern")                                                                                \
    X(DEAD_BUSH, "dead_bush")                                                                      \
    X(DANDELION, "dandelion")                                                                      \
    X(POPPY, "poppy")                                                                              \
    X(CORNFLOWER, "cornflower")                                                                    \
    X(DAISY, "daisy")                                                                              \
    X(RED_TULIP, "red_tulip")                                                                      \
    X(ORANGE_TULIP, "orange_tulip")                                                                \
    X(LILY_OF_THE_VALLEY, "lily_of_the_valley")                                                    \
    X(ALLIUM, "allium")                                                                            \
    X(PINK_PETALS, "pink_petals")                                                                  \
    X(RED_MUSHROOM, "red_mushroom")                                                                \
    X(BROWN_MUSHROOM, "brown_mushroom")                                                            \
    X(SUGAR_CANE, "sugar_cane")                                                                    \
    X(LILY_PAD, "lily_pad")                                                                        \
    X(WHEAT, "wheat")                                                                              \
    X(CARROTS, "carrots")                                                                          \
    X(BERRY_BUSH, "berry_bush")                                                                    \
    X(PUMPKIN, "pumpkin")                                                                          \
    X(MELON, "melon")                                                                              \
    X(OAK_FENCE, "oak_fence")                                                                      \
    X(LADDER, "ladder")                                                                            \
    X(WHITE_WOOL, "white_wool")                                                                    \
    X(RED_WOOL, "red_wool")                                                                        \
    X(BLUE_WOOL, "blue_wool")                                                                      \
    X(YELLOW_WOOL, "yellow_wool")                                                                  \
    X(ANDESITE, "andesite")                                                                        \
    X(BLUE_ORCHID, "blue_orchid")                                                                  \
    X(SUNFLOWER, "sunflower")                                                                      \
    X(CATTAIL, "cattail")                                                                          \
    X(BAMBOO, "bamboo")                                                                            \
    X(PEBBLES, "pebbles")                                                                          \
    X(FALLEN_LEAVES, "fallen_leaves")                                                              \
    X(SNOWY_SHORT_GRASS, "snowy_short_grass")

typedef uint8_t CniVoxelGenerated; /* CNI_VOXEL_GEN_... */
enum {
#define X(id, name) CNI_VOXEL_GEN_##id,
    CNI_VOXEL_GENERATED_BLOCKS(X)
#undef X
        CNI_VOXEL_GEN_COUNT /* also: any other block */
};
CN_STATIC_ASSERT(CNI_VOXEL_GEN_AIR == 0, "a test for air is a test for zero");
CN_STATIC_ASSERT(CNI_VOXEL_GEN_COUNT <= UINT8_MAX, "blocks fit into CniVoxelGenerated");

typedef struct CniVoxelGeneratedBlocks {
    const CnBlockTable *table;
    CnBlock numbers[CNI_VOXEL_GEN_COUNT];      /* in the table */
    CniVoxelGenerated kinds[CN_BLOCK_MAX + 1]; /* the inverse; CNI_VOXEL_GEN_COUNT: others */
} CniVoxelGeneratedBlocks;

/* Returns false and sets `error`, which lists the missing names, if the table lacks some, or if it
 * is still open. */
bool cni_voxel_generated_blocks_find(CniVoxelGeneratedBlocks *blocks, const CnBlockTable *table,
                                     CnError *error);

#endif
