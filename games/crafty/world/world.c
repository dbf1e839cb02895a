#include "world.h"

#include "items_file.h"

/* Large enough that erosion data for one side of the far terrain does not evict that of the
 * other. */
#define GENERATOR_CACHE (64u << 20)

struct CraftyWorld {
    CnAllocator *allocator;
    CraftyItems *items;
    CraftyRecipes *recipes;
    CraftyBlockRules *block_rules;
    CraftyCreatureKinds *creatures;
    CraftyTrades *trades;
    CnBlockTable *own_blocks; /* NULL: given by the caller */
    const CnBlockTable *blocks;
    CraftyBlockFamilies *families;
    CraftyFeatures *features;
    CraftyWeatherKinds *weather;
    CnJobPool *jobs;
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    CraftyVillagePrefetch villages;
    CraftyBiomes biomes;
    CnVoxels *voxels;
};

static bool make_items(CraftyWorld *world, const CraftyContent *content, CnText palette,
                       CnError *error)
{
    world->items = crafty_items_create(&(CraftyItemsDesc){.allocator = world->allocator,
                                                          .blocks = world->blocks,
                                                          .palette = palette},
                                       error);
    if (!world->items || !crafty_items_add_blocks(world->items, error) ||
        !crafty_items_read(world->items, "items.json", content->items, error))
        return false;
    world->recipes = crafty_recipes_create(&(CraftyRecipesDesc){.allocator = world->allocator,
                                                                .items = world->items,
                                                                .file = "recipes.json",
                                                                .text = content->recipes},
                                           error);
    world->block_rules =
        crafty_block_rules_create(&(CraftyBlockRulesDesc){.allocator = world->allocator,
                                                          .items = world->items,
                                                          .blocks = world->blocks,
                                                          .file = "block_rules.json",
                                                          .text = content->block_rules},
                                  world->recipes ? error : NULL);
    return world->recipes && world->block_rules;
}

static bool make_creatures(CraftyWorld *world, const CraftyContent *content, CnError *error)
{
    world->creatures = crafty_creature_kinds_create(world->allocator, error);
    return world->creatures &&
           crafty_creature_kinds_read(world->creatures, world->items, "creatures.json",
                                      content->creatures, error);
}

static bool make_trades(CraftyWorld *world, const CraftyContent *content, CnError *error)
{
    world->trades = crafty_trades_create(&(CraftyTradesDesc){.allocator = world->allocator,
                                                             .items = world->items,
                                                             .file = "trades.json",
                                                             .text = content->trades},
                                         error);
    return world->trades != NULL;
}

static bool choose_blocks(CraftyWorld *world, const CraftyWorldDesc *desc,
                          const CraftyContent *content, CnError *error)
{
    world->blocks = desc->blocks;
    if (world->blocks)
        return true;
    world->own_blocks =
        crafty_blocks_create(&(CraftyBlocksDesc){.allocator = world->allocator,
                                                 .palette = desc->palettes.blocks,
                                                 .more = content->blocks,
                                                 .more_count = content->block_count},
                             error);
    if (world->own_blocks)
        cn_block_table_close(world->own_blocks);
    world->blocks = world->own_blocks;
    return world->own_blocks != NULL;
}

static bool make_generator(CraftyWorld *world, uint64_t seed, const CraftyContent *content,
                           CnError *error)
{
    CnAllocator *allocator = world->allocator;
    world->features = crafty_features_create(&(CraftyFeaturesDesc){.allocator = allocator,
                                                                   .blocks = world->blocks,
                                                                   .families = world->families,
                                                                   .file = "features.json",
                                                                   .text = content->features},
                                             error);
    if (!world->features)
        return false;
    world->generator = cn_generator_create(
        &(CnGeneratorDesc){.allocator = allocator,
                           .blocks = world->blocks,
                           .seed = seed,
                           .cache_bytes = GENERATOR_CACHE,
                           .placements = crafty_features_placements(world->features),
                           .placement_count = crafty_features_count(world->features)},
        error);
    return world->generator != NULL;
}

static bool build(CraftyWorld *world, const CraftyWorldDesc *desc, CnError *error)
{
    CnAllocator *allocator = world->allocator;
    const CraftyContent standard = crafty_content_standard(),
                        *content = desc->content ? desc->content : &standard;
    if (!choose_blocks(world, desc, content, error) ||
        !make_items(world, content, desc->palettes.items, error) ||
        !make_creatures(world, content, error) || !make_trades(world, content, error))
        return false;
    world->families = crafty_block_families_create(allocator, world->blocks, error);
    if (!world->families)
        return false;
    world->jobs = cn_job_pool_create(
        &(CnJobPoolDesc){.allocator = allocator, .workers = desc->workers}, error);
    if (!world->jobs)
        return false;
    world->weather =
        crafty_weather_kinds_create(allocator, "weather.json", content->weather, error);
    if (!world->weather || !make_generator(world, desc->seed, content, error))
        return false;
    crafty_village_prefetch_init(&world->villages, world->jobs, world->generator);
    world->scratch = cn_generate_scratch_create(world->generator);
    if (!world->scratch)
        return cn_error_memory(error, "the world");
    if (!crafty_biomes_init(&world->biomes, allocator, world->blocks, desc->seed, error))
        return false;
    world->voxels = cn_voxels_create(&(CnVoxelsDesc){.allocator = allocator,
                                                     .generator = world->generator,
                                                     .jobs = world->jobs,
                                                     .hooks = desc->hooks},
                                     error);
    return world->voxels != NULL;
}

CraftyWorld *crafty_world_create(const CraftyWorldDesc *desc, CnError *error)
{
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyWorld *world = cn_alloc_zeroed(allocator, sizeof *world);
    if (!world) {
        cn_error_memory(error, "the world");
        return NULL;
    }
    world->allocator = allocator;
    if (build(world, desc, error))
        return world;
    crafty_world_destroy(world);
    return NULL;
}

void crafty_world_destroy(CraftyWorld *world)
{
    if (!world)
        return;
    crafty_village_prefetch_fini(&world->villages);
    cn_voxels_destroy(world->voxels);
    crafty_biomes_fini(&world->biomes);
    cn_generate_scratch_destroy(world->scratch);
    cn_generator_destroy(world->generator);
    cn_job_pool_destroy(world->jobs);
    crafty_weather_kinds_destroy(world->weather);
    crafty_features_destroy(world->features);
    crafty_block_families_destroy(world->families);
    crafty_trades_destroy(world->trades);
    crafty_creature_kinds_destroy(world->creatures);
    crafty_block_rules_destroy(world->block_rules);
    crafty_recipes_destroy(world->recipes);
    crafty_items_destroy(world->items);
    cn_block_table_destroy(world->own_blocks);
    cn_free(world->allocator, world, sizeof *world);
}

const CnBlockTable *crafty_world_blocks(const CraftyWorld *world)
{
    return world->blocks;
}

const CraftyBlockFamilies *crafty_world_families(const CraftyWorld *world)
{
    return world->families;
}

CnVoxels *crafty_world_voxels(CraftyWorld *world)
{
    return world->voxels;
}

const CraftyItems *crafty_world_items(const CraftyWorld *world)
{
    return world->items;
}

const CraftyRecipes *crafty_world_recipes(const CraftyWorld *world)
{
    return world->recipes;
}

const CraftyBlockRules *crafty_world_block_rules(const CraftyWorld *world)
{
    return world->block_rules;
}

const CraftyCreatureKinds *crafty_world_creatures(const CraftyWorld *world)
{
    return world->creatures;
}

const CraftyTrades *crafty_world_trades(const CraftyWorld *world)
{
    return world->trades;
}

const CraftyFeatures *crafty_world_features(const CraftyWorld *world)
{
    return world->features;
}

const CraftyWeatherKinds *crafty_world_weather(const CraftyWorld *world)
{
    return world->weather;
}

CnJobPool *crafty_world_jobs(CraftyWorld *world)
{
    return world->jobs;
}

CnGenerator *crafty_world_generator(CraftyWorld *world)
{
    return world->generator;
}

CraftyBiomes crafty_world_biomes(CraftyWorld *world)
{
    return world->biomes;
}

CraftyBiomes crafty_world_terrain(CraftyWorld *world)
{
    return (CraftyBiomes){world->generator, world->scratch};
}

CraftyVillagePrefetch *crafty_world_villages(CraftyWorld *world)
{
    return &world->villages;
}

CnGenerateScratch *crafty_world_scratch(CraftyWorld *world)
{
    return world->scratch;
}
