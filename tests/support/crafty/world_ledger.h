/*
 * A ledger of all items in a world with one player, which explains each change, tick by tick: by
 * what was crafted, eaten, worn out, placed, broken, burnt, smelted, left by creatures, and by
 * drops that vanished.
 *
 *     WorldLedger ledger;
 *     world_ledger_begin(&ledger, session);
 *     do
 *         tick();
 *     while (world_ledger_check(&ledger, &error)); // false and an error: something is unexplained
 *     world_ledger_end(&ledger);
 *
 * What a block drops by chance may be anything that its rule allows. Containers are those that were
 * placed since the ledger began.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_LEDGER_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_WORLD_LEDGER_H

#include "ledger.h"

#include <crafty/replay/session.h>
#include <crafty/sim/creature/creature.h>
#include <crafty/sim/harvest.h>
#include <crafty/sim/player_event.h>

#define WORLD_LEDGER_BLOCKS 64u /* with contents, at the same time */

/* How often something explained a change. */
typedef struct WorldLedgerCounts {
    uint64_t ticks, crafted, eaten, worn_out, placed, broken, lit, smelted, vanished;
} WorldLedgerCounts;

typedef struct WorldLedgerBlock {
    CnCell cell;
    CraftyFurnace furnace; /* as it was before the tick */
} WorldLedgerBlock;

typedef struct WorldLedger {
    CnWorld *world;
    CnVoxels *voxels;
    CraftyItemList list;
    const CraftyBlockFamilies *families;
    CnEntity player;
    CnQuery *drops;
    CnEventReader *events, *creatures;
    CraftyPlayer old; /* the player before the tick */
    const CraftyRecipe *recipe;
    uint64_t seen_edits, vanished;
    WorldLedgerBlock blocks[WORLD_LEDGER_BLOCKS];
    uint32_t block_count;
    Ledger before, after; /* the tick; `before` becomes what is expected */
    Ledger high;          /* how much more there may be, by chance */
    WorldLedgerCounts counts;
} WorldLedger;

/* ---- Counting ---- */

static inline void world_ledger_count(WorldLedger *ledger, Ledger *counts)
{
    memset(counts, 0, sizeof *counts);
    ledger_add_player(counts, cn_get(ledger->world, ledger->player, CraftyPlayer));
    ledger_add_drops(counts, ledger->drops);
    for (uint32_t i = 0; i < ledger->block_count; i++) {
        ledger_add_container(counts, ledger->voxels, ledger->blocks[i].cell);
        ledger_add_furnace(counts, ledger->world, ledger->blocks[i].cell);
    }
}

/* Remembers what the next tick starts with. */
static inline void world_ledger_remember(WorldLedger *ledger)
{
    ledger->old = *cn_get(ledger->world, ledger->player, CraftyPlayer);
    ledger->recipe = crafty_inventory_recipe(ledger->world, ledger->player);
    ledger->vanished = cn_resource(ledger->world, CraftyDropCounts)->vanished_items;
    for (uint32_t i = 0; i < ledger->block_count; i++) {
        WorldLedgerBlock *block = &ledger->blocks[i];
        block->furnace = (CraftyFurnace){0};
        crafty_furnace_read(ledger->world, block->cell, &block->furnace);
    }
}

static inline void world_ledger_begin(WorldLedger *ledger, CraftySession *session)
{
    CnWorld *world = cn_sim_world(crafty_session_sim(session));
    CnQueryDesc drops = {.all = {cn_reads(CraftyDrop)}};
    memset(ledger, 0, sizeof *ledger);
    ledger->world = world;
    ledger->voxels = crafty_world_voxels(crafty_session_world(session));
    ledger->list = *cn_resource(world, CraftyItemList);
    ledger->families = cn_resource(world, CraftyBlocks)->families;
    ledger->player = cn_camera_active(world);
    ledger->drops = cn_query_acquire(world, &drops, NULL);
    ledger->events = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), NULL);
    ledger->creatures = cn_event_reader_create(cn_channel(world, CraftyCreatureEvent), NULL);
    assert_true(ledger->drops && ledger->events && ledger->creatures && ledger->families);
    assert_int_equal(cn_block_data_stats(ledger->voxels).blocks, 0);
    ledger->seen_edits = cn_edit_log_total(cn_voxels_log(ledger->voxels));
    world_ledger_count(ledger, &ledger->before);
    world_ledger_remember(ledger);
}

static inline void world_ledger_end(WorldLedger *ledger)
{
    cn_event_reader_destroy(ledger->creatures);
    cn_event_reader_destroy(ledger->events);
    cn_query_release(ledger->drops);
}

/* ---- Events of the player ---- */

static inline void world_ledger_event(WorldLedger *ledger, const CraftyPlayerEvent *event)
{
    const CraftyItems *items = ledger->list.items;
    if (event->kind == CRAFTY_PLAYER_CRAFTED && ledger->recipe &&
        ledger->recipe->result == event->item) {
        for (uint32_t i = 0; i < event->count / ledger->recipe->count; i++)
            ledger_craft(&ledger->before, items, &ledger->old, ledger->recipe);
        ledger->counts.crafted++;
    } else if (event->kind == CRAFTY_PLAYER_ATE) {
        ledger_use(&ledger->before, items, event->item);
        ledger->counts.eaten++;
    } else if (event->kind == CRAFTY_PLAYER_TOOL_BROKE) {
        ledger->before.counts[event->item]--;
        ledger->counts.worn_out++;
    }
}

/* ---- Creatures ---- */

/* The dead may leave anything that their kind has. */
static inline void world_ledger_creature(WorldLedger *ledger, const CraftyCreatureEvent *event)
{
    const CraftyCreatureList *list = cn_resource(ledger->world, CraftyCreatureList);
    const CraftyCreatureKind *kind = crafty_creature_kind(list->kinds, event->creature);
    assert_non_null(kind);
    if (event->kind == CRAFTY_CREATURE_LAID)
        ledger->before.counts[kind->egg]++;
    if (event->kind == CRAFTY_CREATURE_SHEARED)
        ledger->high.counts[kind->wool] += CRAFTY_STACK_MAX;
    for (uint32_t i = 0; event->kind == CRAFTY_CREATURE_DIED && i < kind->drop_count; i++)
        ledger->high.counts[kind->drops[i].item] += kind->drops[i].high;
}

/* ---- Edits of blocks ---- */

static inline bool world_ledger_is_half(const WorldLedger *ledger, CnBlock block)
{
    CraftyBlockKind kind = crafty_block_kind(ledger->families, block);
    return kind == CRAFTY_KIND_DOOR || kind == CRAFTY_KIND_BED;
}

static inline void world_ledger_note_block(WorldLedger *ledger, const CnEdit *edit)
{
    const CnBlockTable *table = cn_voxels_blocks(ledger->voxels);
    if (!crafty_container_is_block(table, edit->new_block) &&
        !crafty_furnace_is_block(table, edit->new_block))
        return;
    for (uint32_t i = 0; i < ledger->block_count; i++)
        if (memcmp(&ledger->blocks[i].cell, &edit->cell, sizeof edit->cell) == 0)
            return;
    assert_true(ledger->block_count < WORLD_LEDGER_BLOCKS);
    ledger->blocks[ledger->block_count++] = (WorldLedgerBlock){.cell = edit->cell};
}

/* What the block always drops is expected; the rest may drop. */
static inline void world_ledger_break(WorldLedger *ledger, CnBlock block, CraftyStack held)
{
    const CraftyBlockRule *rule = crafty_block_rule(ledger->list.block_rules, block);
    const CraftyItemInfo *info =
        crafty_stack_is_empty(held) ? NULL : crafty_items_info(ledger->list.items, held.item);
    ledger->counts.broken++;
    if (!crafty_block_rule_allows(rule, info))
        return;
    if (info && info->tool == CRAFTY_TOOL_SHEARS && rule->when_shorn) {
        ledger->before.counts[rule->when_shorn]++;
        return;
    }
    for (uint32_t i = 0; i < rule->drop_count; i++) {
        const CraftyBlockDrop *drop = &rule->drops[i];
        bool is_certain = drop->chance >= CRAFTY_CERTAIN && !rule->drops_one;
        uint16_t least = is_certain ? drop->min : 0;
        ledger->before.counts[drop->item] += least;
        ledger->high.counts[drop->item] += drop->max - least;
    }
}

/* A part of the blocks drop, as by hand. */
static inline void world_ledger_blast(WorldLedger *ledger, CnBlock block)
{
    const CraftyBlockRule *rule = crafty_block_rule(ledger->list.block_rules, block);
    for (uint32_t i = 0; i < rule->drop_count; i++)
        ledger->high.counts[rule->drops[i].item] += rule->drops[i].max;
}

static inline void world_ledger_edit(WorldLedger *ledger, const CnEdit *edit)
{
    CraftyItem old_item = crafty_harvest_item(ledger->world, edit->old_block),
               new_item = crafty_harvest_item(ledger->world, edit->new_block);
    CraftyStack held = crafty_player_held(ledger->list.items, &ledger->old);
    world_ledger_note_block(ledger, edit);
    if (old_item == new_item && old_item != CRAFTY_NO_ITEM)
        return; /* a door that opens, a furnace that is lit */
    if (edit->kind == CN_EDIT_PLACE) {
        bool is_second = world_ledger_is_half(ledger, edit->new_block) &&
                         crafty_block_is_second(ledger->families, edit->new_block);
        ledger->before.counts[new_item] -= !is_second;
        ledger->counts.placed += !is_second;
    } else if (edit->kind == CN_EDIT_BREAK && edit->player == CN_EDIT_NOBODY) {
        world_ledger_blast(ledger, edit->old_block);
    } else if (edit->kind == CN_EDIT_BREAK) {
        world_ledger_break(ledger, edit->old_block, held);
    } else if (edit->new_block == CN_BLOCK_AIR || edit->kind == CN_EDIT_FLOW) {
        /* What fell apart or was washed away drops as by hand; one half of two does not. */
        if (world_ledger_is_half(ledger, edit->old_block))
            ledger->high.counts[old_item]++;
        else
            world_ledger_break(ledger, edit->old_block, (CraftyStack){0});
    }
}

static inline void world_ledger_edits(WorldLedger *ledger)
{
    const CnEditLog *log = cn_voxels_log(ledger->voxels);
    uint32_t count = cn_edit_log_count(log);
    uint64_t total = cn_edit_log_total(log);
    assert_true(total - ledger->seen_edits <= count);
    for (uint32_t i = count - (uint32_t)(total - ledger->seen_edits); i < count; i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        world_ledger_edit(ledger, &edit);
    }
    ledger->seen_edits = total;
}

/* ---- Furnaces ---- */

/* A furnace whose fire was lit used one fuel, of which there is too little otherwise. One that was
 * about to finish smelted one item. */
static inline void world_ledger_furnace(WorldLedger *ledger, const WorldLedgerBlock *block)
{
    CraftyFurnace now;
    const CraftyFurnace *old = &block->furnace;
    CraftyItem input = old->slots[CRAFTY_FURNACE_INPUT].item;
    const CraftyRecipe *recipe = crafty_recipes_smelting(ledger->list.recipes, input);
    if (!crafty_furnace_read(ledger->world, block->cell, &now))
        return;
    if (recipe && old->total > 0 && old->progress + 1 >= old->total &&
        ledger->after.counts[input] < ledger->before.counts[input]) {
        ledger_smelt(&ledger->before, recipe, input);
        ledger->counts.smelted++;
    }
    for (uint32_t i = 1; i < LEDGER_ITEMS && now.burn_left > old->burn_left; i++) {
        const CraftyItemInfo *info = crafty_items_info(ledger->list.items, i);
        if (!info || !(info->fuel_seconds > 0) ||
            ledger->after.counts[i] >= ledger->before.counts[i])
            continue;
        ledger_use(&ledger->before, ledger->list.items, (CraftyItem)i);
        ledger->counts.lit++;
        return;
    }
}

/* ---- Checking ---- */

/* Stores how many items are missing at least and at most: what a block drops by chance may vanish
 * in the same tick. Items that are too many make it fail. */
static inline bool world_ledger_compare(const WorldLedger *ledger, uint64_t *least, uint64_t *most,
                                        CnError *error)
{
    *least = *most = 0;
    for (uint32_t i = 1; i < LEDGER_ITEMS; i++) {
        int32_t more = ledger->after.counts[i] - ledger->before.counts[i],
                high = ledger->high.counts[i];
        if (more > high)
            return cn_error_set(error, CN_ERROR_MISMATCH, "%d of %s appeared from nowhere",
                                more - high, crafty_items_info(ledger->list.items, i)->name);
        *least += more < 0 ? (uint64_t)-more : 0;
        *most += (uint64_t)(high - more);
    }
    return true;
}

static inline bool world_ledger_explains(WorldLedger *ledger, CnError *error)
{
    uint64_t least, most,
        vanished = cn_resource(ledger->world, CraftyDropCounts)->vanished_items - ledger->vanished;
    if (!world_ledger_compare(ledger, &least, &most, error))
        return false;
    ledger->counts.vanished += vanished;
    if (vanished >= least && vanished <= most)
        return true;
    ledger_print(ledger->list.items, &ledger->before, &ledger->after);
    return cn_error_set(error, CN_ERROR_MISMATCH, "%u items are missing, but %u vanished",
                        (uint32_t)least, (uint32_t)vanished);
}

/* All data of blocks is counted. */
static inline bool world_ledger_is_complete(const WorldLedger *ledger)
{
    uint32_t found = 0;
    CnBlockData data;
    for (uint32_t i = 0; i < ledger->block_count; i++)
        found += cn_block_data_get(ledger->voxels, ledger->blocks[i].cell, &data);
    return found == cn_block_data_stats(ledger->voxels).blocks;
}

/* Checks the last tick. */
static inline bool world_ledger_check(WorldLedger *ledger, CnError *error)
{
    memset(&ledger->high, 0, sizeof ledger->high);
    for (const CraftyPlayerEvent *event; (event = cn_read_next(ledger->events, CraftyPlayerEvent));)
        world_ledger_event(ledger, event);
    for (const CraftyCreatureEvent *event;
         (event = cn_read_next(ledger->creatures, CraftyCreatureEvent));)
        world_ledger_creature(ledger, event);
    world_ledger_edits(ledger);
    world_ledger_count(ledger, &ledger->after);
    for (uint32_t i = 0; i < ledger->block_count; i++)
        world_ledger_furnace(ledger, &ledger->blocks[i]);
    bool is_explained = world_ledger_explains(ledger, error);
    if (is_explained && !world_ledger_is_complete(ledger))
        is_explained = cn_error_set(error, CN_ERROR_MISMATCH, "a block with data is not counted");
    ledger->counts.ticks++;
    ledger->before = ledger->after;
    world_ledger_remember(ledger);
    return is_explained;
}

#endif
