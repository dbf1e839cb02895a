#include "prediction.h"

#include "crafty/sim/actions.h"
#include "crafty/sim/drops.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/rules.h"
#include "crafty/sim/weather.h"

#include <cairn/base/array.h>

#include <string.h>

/* A predicted change of a block. */
typedef struct OpenBlock {
    CnCell cell;
    CnBlock server;     /* the block that the server has there, as far as known */
    CnBlock predicted;  /* the block that is there now */
    uint64_t last_tick; /* in which the player changed it */
} OpenBlock;

typedef struct OpenBlocks {
    OpenBlock *items;
    uint32_t count, capacity;
} OpenBlocks;

typedef struct PredictedTick {
    uint64_t tick;
    CnActions actions;
    uint8_t state[CRAFTY_OWN_STATE_BYTES]; /* after the tick */
} PredictedTick;

struct CraftyPrediction {
    CnSim *sim;
    CnWorld *world;
    CnEntity player;
    CnVoxels *voxels;
    CnQuery *drops;
    CnAllocator *allocator;
    OpenBlocks open;
    uint64_t oldest, newest; /* ticks in the ring; newest + 1 == oldest: none */
    CnEventReader *hand_events, *player_events;
    PredictedTick ring[CRAFTY_PREDICTION_TICKS];
};

/* ---- Creation ---- */

/* All others run on the server. */
static const char *const predicted_systems[] = {
    "FlyCameras", "PlayerControllers", "CraftyPlayerModes", "CraftyWalking", "CraftyHands"};

static bool is_predicted(const char *name)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(predicted_systems); i++)
        if (!strcmp(name, predicted_systems[i]))
            return true;
    return false;
}

static bool disable_others(CnWorld *world, CnError *error)
{
    CnScheduled systems[128];
    for (uint32_t stage = CN_STAGE_INPUT; stage <= CN_STAGE_PRE_EXTRACT; stage++) {
        uint32_t count = 0;
        if (!cn_stage_systems(world, (CnStage)stage, systems, CN_COUNT_OF(systems), &count, error))
            return false;
        for (uint32_t i = 0; i < count && i < CN_COUNT_OF(systems); i++)
            if (!is_predicted(systems[i].name))
                cn_system_enable(world, systems[i].system, false);
    }
    return true;
}

static bool add_player(CraftyPrediction *prediction, const CraftyPredictionDesc *desc,
                       CnError *error)
{
    const CraftySimDesc *sim = desc->sim;
    CnWorld *world = prediction->world;
    if (!crafty_player_add(world, sim->voxels, sim->items, error))
        return false;
    CraftyBlocks *blocks = cn_resource_mut(world, CraftyBlocks);
    blocks->families = sim->families;
    CraftyItemList *items = cn_resource_mut(world, CraftyItemList);
    items->recipes = sim->recipes;
    items->block_rules = sim->block_rules;
    CraftyPlayerMode mode = crafty_start_mode(&sim->start);
    CraftyRules *rules = cn_resource_mut(world, CraftyRules);
    rules->mode = (uint8_t)mode;
    rules->commands = sim->start.commands || mode != CRAFTY_MODE_SURVIVAL;
    prediction->player = cn_object(world, "Player");
    return (prediction->player.id &&
            crafty_player_make(world, prediction->player, desc->player, mode)) ||
           cn_error_memory(error, "the player");
}

static bool open_readers(CraftyPrediction *prediction, CnError *error)
{
    CnWorld *world = prediction->world;
    prediction->hand_events = cn_event_reader_create(cn_channel(world, CraftyHandEvent), error);
    prediction->player_events = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), error);
    return prediction->hand_events && prediction->player_events;
}

CraftyPrediction *crafty_prediction_create(const CraftyPredictionDesc *desc, CnError *error)
{
    CraftyPrediction *prediction = cn_alloc_zeroed(cn_system_allocator(), sizeof *prediction);
    if (!prediction) {
        cn_error_memory(error, "a prediction");
        return NULL;
    }
    CnPlugin scene = cn_scene_plugin();
    prediction->allocator = cn_system_allocator();
    prediction->voxels = desc->sim->voxels;
    prediction->oldest = 1;
    prediction->sim = cn_sim_create(
        &(CnSimDesc){.tick_hz = desc->tick_hz, .core = &scene, .core_count = 1}, error);
    prediction->world = prediction->sim ? cn_sim_world(prediction->sim) : NULL;
    if (prediction->world && add_player(prediction, desc, error) &&
        (prediction->drops = cn_query_acquire(
             prediction->world, &(CnQueryDesc){.all = {cn_reads(CraftyDrop)}}, error)) &&
        open_readers(prediction, error) && cn_sim_start(prediction->sim, error) &&
        disable_others(prediction->world, error))
        return prediction;
    crafty_prediction_destroy(prediction);
    return NULL;
}

void crafty_prediction_destroy(CraftyPrediction *prediction)
{
    if (!prediction)
        return;
    cn_query_release(prediction->drops);
    cn_sim_destroy(prediction->sim);
    cn_free(prediction->allocator, prediction->open.items,
            prediction->open.capacity * sizeof *prediction->open.items);
    cn_free(prediction->allocator, prediction, sizeof *prediction);
}

/* ---- Blocks ---- */

static bool put_block(CraftyPrediction *prediction, CnCell cell, CnBlock block, CnError *error)
{
    CnEdit edit = {.kind = CN_EDIT_TICK,
                   .player = CN_EDIT_NOBODY,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = block};
    return cn_voxels_edit(prediction->voxels, &edit, error);
}

static OpenBlock *open_block(CraftyPrediction *prediction, CnCell cell)
{
    for (uint32_t i = 0; i < prediction->open.count; i++) {
        OpenBlock *open = &prediction->open.items[i];
        if (open->cell.x == cell.x && open->cell.y == cell.y && open->cell.z == cell.z)
            return open;
    }
    return NULL;
}

static bool add_open_block(CraftyPrediction *prediction, const CnEdit *edit, uint64_t tick)
{
    OpenBlocks *open = &prediction->open;
    OpenBlock *known = open_block(prediction, edit->cell);
    if (known) {
        known->predicted = edit->new_block;
        known->last_tick = tick;
        return true;
    }
    if (open->count == open->capacity) {
        uint32_t capacity = open->capacity ? open->capacity * 2 : 16;
        OpenBlock *items = cn_realloc(prediction->allocator, open->items,
                                      open->capacity * sizeof *items, capacity * sizeof *items);
        if (!items)
            return false;
        open->items = items;
        open->capacity = capacity;
    }
    open->items[open->count++] = (OpenBlock){edit->cell, edit->old_block, edit->new_block, tick};
    return true;
}

/* Gives the cells of changes up to `tick` the blocks that the server has there. */
static bool settle_blocks(CraftyPrediction *prediction, uint64_t tick, CnError *error)
{
    OpenBlocks *open = &prediction->open;
    uint32_t kept = 0;
    bool is_done = true;
    for (uint32_t i = 0; i < open->count; i++) {
        OpenBlock block = open->items[i];
        bool is_settled =
            block.last_tick <= tick && (block.server == block.predicted ||
                                        put_block(prediction, block.cell, block.server, error));
        is_done = is_done && (is_settled || block.last_tick > tick);
        if (!is_settled)
            open->items[kept++] = block;
    }
    open->count = kept;
    return is_done;
}

bool crafty_prediction_set_block(CraftyPrediction *prediction, CnCell cell, CnBlock block,
                                 CnError *error)
{
    OpenBlock *open = open_block(prediction, cell);
    if (!open)
        return put_block(prediction, cell, block, error);
    open->server = block;
    return true;
}

void crafty_prediction_forget_chunk(CraftyPrediction *prediction, CnChunkPos chunk)
{
    OpenBlocks *open = &prediction->open;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open->count; i++) {
        CnChunkPos at = cn_chunk_of(open->items[i].cell);
        if (at.x != chunk.x || at.y != chunk.y || at.z != chunk.z)
            open->items[kept++] = open->items[i];
    }
    open->count = kept;
}

bool crafty_prediction_is_open(const CraftyPrediction *prediction, int32_t x, int32_t z)
{
    for (uint32_t i = 0; i < prediction->open.count; i++) {
        CnChunkPos at = cn_chunk_of(prediction->open.items[i].cell);
        if (at.x == x && at.z == z)
            return true;
    }
    return false;
}

uint32_t crafty_prediction_open_blocks(const CraftyPrediction *prediction)
{
    return prediction->open.count;
}

/* ---- Ticks ---- */

static PredictedTick *slot_of(CraftyPrediction *prediction, uint64_t tick)
{
    return &prediction->ring[tick % CRAFTY_PREDICTION_TICKS];
}

/* Items that the player throws or that fall out of blocks exist on the server. */
static void remove_drops(CraftyPrediction *prediction)
{
    CnEntity drops[64];
    uint32_t count = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(prediction->drops); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < CN_COUNT_OF(drops); i++)
            drops[count++] = view.entities[i];
    for (uint32_t i = 0; i < count; i++)
        cn_destroy(prediction->world, drops[i]);
}

/* Undo depends on histories that only the server has. */
static CnActions predicted_actions(const CnWorld *world, const CnActions *actions)
{
    const CraftyActionSet *set = cn_resource(world, CraftyActionSet);
    CnActions kept = *actions;
    uint64_t undone = 1ull << (set->undo.number - 1) | 1ull << (set->redo.number - 1);
    kept.held &= ~undone;
    kept.pressed &= ~undone;
    kept.released &= ~undone;
    return kept;
}

static bool run_tick(CraftyPrediction *prediction, PredictedTick *slot, CnError *error)
{
    CnWorld *world = prediction->world;
    CnEditLog *log = cn_voxels_log(prediction->voxels);
    uint64_t before = cn_edit_log_total(log);
    cn_get_mut(world, prediction->player, CnPlayerActions)->actions =
        predicted_actions(world, &slot->actions);
    if (!cn_sim_tick_n(prediction->sim, 1, error))
        return false;
    uint64_t made = cn_edit_log_total(log) - before;
    uint32_t count = cn_edit_log_count(log);
    for (uint64_t i = made < count ? made : count; i > 0; i--) {
        CnEdit edit = cn_edit_log_at(log, count - (uint32_t)i);
        if (!add_open_block(prediction, &edit, slot->tick))
            return cn_error_memory(error, "predicted blocks");
    }
    remove_drops(prediction);
    return crafty_own_state_read(world, prediction->player, slot->state) ||
           cn_error_set(error, CN_ERROR_MISMATCH, "the predicted player is missing");
}

static bool has_tick(const CraftyPrediction *prediction, uint64_t tick)
{
    return tick >= prediction->oldest && tick <= prediction->newest;
}

bool crafty_prediction_begin(CraftyPrediction *prediction, uint64_t tick, const uint8_t *state,
                             CnError *error)
{
    if (!settle_blocks(prediction, UINT64_MAX, error))
        return false;
    if (!crafty_own_state_write(prediction->world, prediction->player, state))
        return cn_error_set(error, CN_ERROR_FORMAT, "the server sent an invalid state");
    PredictedTick *slot = slot_of(prediction, tick);
    slot->tick = tick;
    memcpy(slot->state, state, CRAFTY_OWN_STATE_BYTES);
    prediction->oldest = prediction->newest = tick;
    return true;
}

/* Events of ticks that ran again. */
static void skip_events(CnEventReader *reader)
{
    while (cn_event_reader_next(reader)) {
    }
}

bool crafty_prediction_tick(CraftyPrediction *prediction, uint64_t tick, const CnActions *actions,
                            CnError *error)
{
    PredictedTick *slot = slot_of(prediction, tick);
    if (tick != prediction->newest + 1) /* what lies between was never sent */
        prediction->oldest = tick;
    prediction->newest = tick;
    if (tick - prediction->oldest >= CRAFTY_PREDICTION_TICKS)
        prediction->oldest = tick - CRAFTY_PREDICTION_TICKS + 1;
    slot->tick = tick;
    slot->actions = *actions;
    skip_events(prediction->hand_events);
    skip_events(prediction->player_events);
    return run_tick(prediction, slot, error);
}

uint64_t crafty_prediction_newest(const CraftyPrediction *prediction)
{
    return prediction->newest;
}

/* ---- Corrections ---- */

static CnVec3 position_of(const CraftyPrediction *prediction)
{
    return cn_get(prediction->world, prediction->player, CnTransform)->position;
}

static bool run_again(CraftyPrediction *prediction, uint64_t from, uint32_t *ticks, CnError *error)
{
    bool is_done = true;
    for (uint64_t tick = from; tick <= prediction->newest && is_done; tick++, ++*ticks)
        is_done = run_tick(prediction, slot_of(prediction, tick), error);
    return is_done;
}

/* What only the server computes becomes the state of the player now, and of the ticks since, so
 * that running them again begins with it. */
static bool take_vitals(CraftyPrediction *prediction, const uint8_t *state, CnError *error)
{
    uint8_t now[CRAFTY_OWN_STATE_BYTES];
    const uint32_t part = CRAFTY_OWN_STATE_PREDICTED;
    if (!crafty_own_state_read(prediction->world, prediction->player, now))
        return cn_error_set(error, CN_ERROR_MISMATCH, "the predicted player is missing");
    if (!memcmp(now + part, state + part, sizeof now - part))
        return true;
    memcpy(now + part, state + part, sizeof now - part);
    return crafty_own_state_write(prediction->world, prediction->player, now) ||
           cn_error_set(error, CN_ERROR_FORMAT, "the server sent an invalid state");
}

bool crafty_prediction_confirm(CraftyPrediction *prediction, uint64_t tick, const uint8_t *state,
                               CraftyCorrection *correction, CnError *error)
{
    CraftyCorrection own = {0};
    CnVec3 before = position_of(prediction);
    bool is_done = false;
    if (!has_tick(prediction, tick)) {
        own.is_needed = own.is_out_of_range = true;
        is_done = crafty_prediction_begin(prediction, tick, state, error);
    } else if (!memcmp(slot_of(prediction, tick)->state, state, CRAFTY_OWN_STATE_PREDICTED)) {
        prediction->oldest = tick;
        is_done = settle_blocks(prediction, tick, error) && take_vitals(prediction, state, error);
    } else {
        uint64_t newest = prediction->newest;
        own.is_needed = true;
        is_done = crafty_prediction_begin(prediction, tick, state, error);
        if (is_done) {
            prediction->newest = newest;
            is_done = run_again(prediction, tick + 1, &own.ticks, error);
        }
    }
    own.moved = cn_vec3_sub(position_of(prediction), before);
    if (correction)
        *correction = own;
    return is_done;
}

CnWorld *crafty_prediction_world(CraftyPrediction *prediction)
{
    return prediction->world;
}

CnEntity crafty_prediction_player(const CraftyPrediction *prediction)
{
    return prediction->player;
}

const CraftyHandEvent *crafty_prediction_next_hand_event(CraftyPrediction *prediction)
{
    return cn_read_next(prediction->hand_events, CraftyHandEvent);
}

const CraftyPlayerEvent *crafty_prediction_next_player_event(CraftyPrediction *prediction)
{
    return cn_read_next(prediction->player_events, CraftyPlayerEvent);
}
