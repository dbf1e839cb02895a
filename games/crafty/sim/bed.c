#include "bed.h"

#include "actions.h"
#include "block_effects.h"
#include "day.h"
#include "systems.h"
#include "vitals.h"

#define GAP 0.01f /* between feet and ground */
#define TOP 0.6f  /* what is lower is stepped on, such as the bed itself */

/* ---- Room beside a bed ---- */

static bool can_stand(CnVoxels *voxels, CnVec3 eye)
{
    CnVec3 below = {eye.x, eye.y - TOP, eye.z};
    CnBlock block =
        cn_voxels_get(voxels, (CnCell){(int32_t)cn_floorf(eye.x),
                                       (int32_t)cn_floorf(eye.y - CRAFTY_PLAYER_EYE + 0.5f),
                                       (int32_t)cn_floorf(eye.z)});
    return !cn_voxels_overlap(voxels, crafty_player_box(eye)) &&
           cn_voxels_overlap(voxels, crafty_player_box(below)) &&
           !(cn_voxels_blocks(voxels)->flags[block] & CN_BLOCK_IS_WATER);
}

/* Around the cell, then two cells away because a bed is two cells long, then on top of it. */
bool crafty_bed_find_room(CnWorld *world, CnCell cell, CnVec3 *eye)
{
    static const int8_t offsets[][2] = {{1, 0},  {-1, 0}, {0, 1},   {0, -1}, {1, 1},
                                        {1, -1}, {-1, 1}, {-1, -1}, {2, 0},  {-2, 0},
                                        {0, 2},  {0, -2}, {0, 0}};
    static const float heights[] = {0, -1, 1, 0.5625f};
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    if (!(crafty_block_effects_at(world, cell) & CRAFTY_BLOCK_IS_BED))
        return false;
    for (uint32_t i = 0; i < CN_COUNT_OF(heights); i++)
        for (uint32_t j = 0; j < CN_COUNT_OF(offsets); j++) {
            CnVec3 place = {(float)(cell.x + offsets[j][0]) + 0.5f,
                            (float)cell.y + heights[i] + GAP + CRAFTY_PLAYER_EYE,
                            (float)(cell.z + offsets[j][1]) + 0.5f};
            if (can_stand(voxels, place)) {
                *eye = place;
                return true;
            }
        }
    return false;
}

/* ---- Using a bed ---- */

static void send(CnWorld *world, CnEntity player, CraftyPlayerEventKind kind, uint16_t reason)
{
    crafty_player_event_send(
        world, &(CraftyPlayerEvent){.player = player,
                                    .kind = (uint8_t)kind,
                                    .count = reason,
                                    .position = cn_get(world, player, CnTransform)->position});
}

static bool is_night(const CnWorld *world)
{
    if (!cn_resource(world, CraftyDay))
        return false;
    float hours = crafty_day_hours(world);
    return hours >= CRAFTY_BED_NIGHT_BEGIN || hours < CRAFTY_BED_NIGHT_END;
}

static void set_spawn(CnWorld *world, CnEntity player, CnCell cell)
{
    CraftyVitals *vitals = cn_get_mut(world, player, CraftyVitals);
    bool is_same = vitals->has_spawn && vitals->spawn[0] == cell.x && vitals->spawn[1] == cell.y &&
                   vitals->spawn[2] == cell.z;
    vitals->has_spawn = true;
    vitals->spawns_here = false;
    vitals->spawn[0] = cell.x;
    vitals->spawn[1] = cell.y;
    vitals->spawn[2] = cell.z;
    if (!is_same)
        send(world, player, CRAFTY_PLAYER_SPAWN_SET, 0);
}

bool crafty_bed_use(CnWorld *world, CnEntity entity, CnCell cell)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyVitals *vitals = cn_get(world, entity, CraftyVitals);
    CnVec3 room;
    if (!player || !vitals || vitals->dead || player->mode == CRAFTY_MODE_SPECTATOR ||
        !(crafty_block_effects_at(world, cell) & CRAFTY_BLOCK_IS_BED))
        return false;
    if (!crafty_bed_find_room(world, cell, &room)) {
        send(world, entity, CRAFTY_PLAYER_REFUSED, CRAFTY_REFUSAL_BED_OBSTRUCTED);
        return true;
    }
    set_spawn(world, entity, cell);
    if (is_night(world))
        cn_get_mut(world, entity, CraftyVitals)->sleep_ticks = 1;
    else
        send(world, entity, CRAFTY_PLAYER_REFUSED, CRAFTY_REFUSAL_BED_BY_DAY);
    return true;
}

/* ---- Sleeping ---- */

static CnCell bed_of(const CraftyVitals *vitals)
{
    return (CnCell){vitals->spawn[0], vitals->spawn[1], vitals->spawn[2]};
}

/* Returns whether the player goes on sleeping. */
static bool sleeps_on(const CnWorld *world, const CraftyVitals *vitals, const CnActions *actions)
{
    const CraftyActionSet *set = cn_resource(world, CraftyActionSet);
    return vitals->sleep_ticks && !cn_action_pressed(actions, set->jump) &&
           !cn_action_pressed(actions, set->sneak) && is_night(world) &&
           (crafty_block_effects_at(world, bed_of(vitals)) & CRAFTY_BLOCK_IS_BED);
}

static void begin_morning(CnWorld *world)
{
    CraftyDay *day = cn_resource_mut(world, CraftyDay);
    if (crafty_day_hours(world) >= CRAFTY_BED_NIGHT_BEGIN)
        day->days += 1;
    crafty_day_set_hours(world, CRAFTY_MORNING);
}

static void run_beds(CnSystemContext *context)
{
    uint32_t sleepers = 0, others = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CraftyVitals *vitals = &cn_column(&view, CraftyVitals)[i];
            const CraftyPlayer *player = &cn_column_const(&view, CraftyPlayer)[i];
            const CnPlayerActions *own = &cn_column_const(&view, CnPlayerActions)[i];
            if (!vitals->sleep_ticks || !sleeps_on(context->world, vitals, &own->actions))
                vitals->sleep_ticks = 0;
            else if (vitals->sleep_ticks <= CRAFTY_SLEEP_TICKS)
                vitals->sleep_ticks++;
            sleepers += vitals->sleep_ticks > CRAFTY_SLEEP_TICKS;
            others += vitals->sleep_ticks <= CRAFTY_SLEEP_TICKS && !vitals->dead &&
                      player->mode != CRAFTY_MODE_SPECTATOR;
        }
    if (sleepers == 0 || others > 0)
        return;
    begin_morning(context->world);
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            cn_column(&view, CraftyVitals)[i].sleep_ticks = 0;
}

bool crafty_beds_add(CnWorld *world, CnError *error)
{
    CnSystemDesc desc = {.name = "CraftyBeds",
                         .run = run_beds,
                         .stage = CN_STAGE_UPDATE,
                         .query = {.all = {cn_writes(CraftyVitals), cn_reads(CraftyPlayer),
                                           cn_reads(CnPlayerActions)}},
                         .alone = true}; /* accesses the voxel world and the day */
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
