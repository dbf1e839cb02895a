#include "own_state.h"

#include "crafty/sim/hand.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/player.h"
#include "crafty/sim/vitals.h"

#include <stddef.h>
#include <string.h>

/* How the bytes of a field are checked. */
typedef enum FieldKind {
    FIELD_PLAIN, /* any value is possible */
    FIELD_BOOL,
    FIELD_FLOATS /* must be finite */
} FieldKind;

typedef struct Field {
    uint16_t offset, size;
    uint8_t kind;
} Field;

#define FIELD(type, name, kind)                                                                    \
    {                                                                                              \
        offsetof(type, name), sizeof(((type *)0)->name), FIELD_##kind                              \
    }

static const Field transform_fields[] = {FIELD(CnTransform, position, FLOATS),
                                         FIELD(CnTransform, rotation, FLOATS)};
/* Of either controller: yaw, pitch and captured; see Look. */
typedef struct Look {
    float yaw, pitch, sensitivity;
    bool captured;
} Look;
static const Field look_fields[] = {FIELD(Look, yaw, FLOATS), FIELD(Look, pitch, FLOATS),
                                    FIELD(Look, sensitivity, FLOATS), FIELD(Look, captured, BOOL)};
static const Field motion_fields[] = {
    FIELD(CraftyMotion, velocity, FLOATS),      FIELD(CraftyMotion, grounded, BOOL),
    FIELD(CraftyMotion, sprints, BOOL),         FIELD(CraftyMotion, sneaks, BOOL),
    FIELD(CraftyMotion, climbs, BOOL),          FIELD(CraftyMotion, preferences, PLAIN),
    FIELD(CraftyMotion, airborne_ticks, PLAIN), FIELD(CraftyMotion, forward_ticks, PLAIN),
    FIELD(CraftyMotion, jump_ticks, PLAIN),     FIELD(CraftyMotion, is_forward, BOOL),
    FIELD(CraftyMotion, walked, FLOATS)};
static const Field hand_fields[] = {
    FIELD(CraftyHand, rests, BOOL),           FIELD(CraftyHand, aiming, BOOL),
    FIELD(CraftyHand, breaking, BOOL),        FIELD(CraftyHand, placing, BOOL),
    FIELD(CraftyHand, target_face, PLAIN),    FIELD(CraftyHand, target_block, PLAIN),
    FIELD(CraftyHand, breaking_block, PLAIN), FIELD(CraftyHand, crack_stage, PLAIN),
    FIELD(CraftyHand, target_cell, PLAIN),    FIELD(CraftyHand, breaking_cell, PLAIN),
    FIELD(CraftyHand, progress_ms, FLOATS),   FIELD(CraftyHand, break_ms, FLOATS),
    FIELD(CraftyHand, place_wait_ms, FLOATS), FIELD(CraftyHand, break_wait_ms, FLOATS),
    FIELD(CraftyHand, wheel, FLOATS),         FIELD(CraftyHand, held_item, PLAIN),
    FIELD(CraftyHand, swing, PLAIN)};
/* Stacks consist of 16-bit numbers without padding. */
static const Field player_fields[] = {
    FIELD(CraftyPlayer, mode, PLAIN),    FIELD(CraftyPlayer, swims, BOOL),
    FIELD(CraftyPlayer, flies, BOOL),    FIELD(CraftyPlayer, slot, PLAIN),
    FIELD(CraftyPlayer, slots, PLAIN),   FIELD(CraftyPlayer, inventory, PLAIN),
    FIELD(CraftyPlayer, carried, PLAIN), FIELD(CraftyPlayer, grid, PLAIN),
    FIELD(CraftyPlayer, open, PLAIN),    FIELD(CraftyPlayer, open_cell, PLAIN)};
_Static_assert(sizeof(CraftyStack) == 3 * sizeof(uint16_t), "stacks have no padding");
static const Field vitals_fields[] = {
    FIELD(CraftyVitals, health, FLOATS),     FIELD(CraftyVitals, food, FLOATS),
    FIELD(CraftyVitals, air, FLOATS),        FIELD(CraftyVitals, fall, FLOATS),
    FIELD(CraftyVitals, exhaustion, FLOATS), FIELD(CraftyVitals, hurt_tick, PLAIN),
    FIELD(CraftyVitals, cause, PLAIN),       FIELD(CraftyVitals, dead, BOOL),
    FIELD(CraftyVitals, has_spawn, BOOL),    FIELD(CraftyVitals, spawn, PLAIN),
    FIELD(CraftyVitals, landed, FLOATS),     FIELD(CraftyVitals, heal_wait, FLOATS),
    FIELD(CraftyVitals, drown_wait, FLOATS), FIELD(CraftyVitals, eating, FLOATS),
    FIELD(CraftyVitals, eaten_item, PLAIN),  FIELD(CraftyVitals, dropped, BOOL),
    FIELD(CraftyVitals, sleep_ticks, PLAIN), FIELD(CraftyVitals, spawns_here, BOOL)};

/* ---- Fields and bytes ---- */

static uint8_t *read_fields(const void *from, const Field *fields, uint32_t count, uint8_t *to)
{
    for (uint32_t i = 0; i < count; i++) {
        memcpy(to, (const uint8_t *)from + fields[i].offset, fields[i].size);
        to += fields[i].size;
    }
    return to;
}

static bool are_finite(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
        float value;
        memcpy(&value, bytes + i, sizeof value);
        if (!(cn_fabsf(value) <= 1e9f))
            return false;
    }
    return true;
}

/* Returns NULL if a number is not finite. */
static const uint8_t *write_fields(void *to, const Field *fields, uint32_t count,
                                   const uint8_t *from)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *field = (uint8_t *)to + fields[i].offset;
        if (fields[i].kind == FIELD_FLOATS && !are_finite(from, fields[i].size))
            return NULL;
        if (fields[i].kind == FIELD_BOOL)
            *field = *from != 0;
        else
            memcpy(field, from, fields[i].size);
        from += fields[i].size;
    }
    return from;
}

#define READ(value, list, to) read_fields((value), (list), CN_COUNT_OF(list), (to))
#define WRITE(value, list, from) write_fields((value), (list), CN_COUNT_OF(list), (from))

/* ---- Players ---- */

static Look look_of(const CnWorld *world, CnEntity player)
{
    const CnFlyCamera *fly = cn_get(world, player, CnFlyCamera);
    const CnPlayerController *walker = cn_get(world, player, CnPlayerController);
    if (fly)
        return (Look){fly->yaw, fly->pitch, fly->sensitivity, fly->captured};
    return walker ? (Look){walker->yaw, walker->pitch, walker->sensitivity, walker->captured}
                  : (Look){0};
}

static void set_look(CnWorld *world, CnEntity player, const Look *look)
{
    CnFlyCamera *fly = cn_get_mut(world, player, CnFlyCamera);
    CnPlayerController *walker = cn_get_mut(world, player, CnPlayerController);
    if (fly) {
        fly->yaw = look->yaw;
        fly->pitch = look->pitch;
        fly->sensitivity = look->sensitivity;
        fly->captured = look->captured;
    }
    if (walker) {
        walker->yaw = look->yaw;
        walker->pitch = look->pitch;
        walker->sensitivity = look->sensitivity;
        walker->captured = look->captured;
    }
}

bool crafty_own_state_read(const CnWorld *world, CnEntity player, uint8_t *bytes)
{
    const CnTransform *transform = cn_get(world, player, CnTransform);
    const CraftyMotion *motion = cn_get(world, player, CraftyMotion);
    const CraftyHand *hand = cn_get(world, player, CraftyHand);
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    const CraftyPush *push = cn_get(world, player, CraftyPush);
    if (!transform || !motion || !hand || !own || !vitals)
        return false;
    Look look = look_of(world, player);
    CnVec3 pushed = push ? push->velocity : cn_vec3(0, 0, 0);
    uint8_t *to = READ(transform, transform_fields, bytes);
    to = READ(&look, look_fields, to);
    to = READ(motion, motion_fields, to);
    to = READ(hand, hand_fields, to);
    to = READ(own, player_fields, to);
    memcpy(to, &pushed, sizeof pushed);
    to += sizeof pushed;
    CN_ASSERT(to == bytes + CRAFTY_OWN_STATE_PREDICTED, "%u bytes are predicted",
              (uint32_t)(to - bytes));
    to = READ(vitals, vitals_fields, to);
    CN_ASSERT(to == bytes + CRAFTY_OWN_STATE_BYTES, "a state has %u bytes", (uint32_t)(to - bytes));
    return true;
}

typedef struct Parts {
    CnTransform transform;
    Look look;
    CraftyMotion motion;
    CraftyHand hand;
    CraftyPlayer player;
    CnVec3 push;
    CraftyVitals vitals;
} Parts;

static bool decode(Parts *parts, const uint8_t *from)
{
    from = WRITE(&parts->transform, transform_fields, from);
    from = from ? WRITE(&parts->look, look_fields, from) : NULL;
    from = from ? WRITE(&parts->motion, motion_fields, from) : NULL;
    from = from ? WRITE(&parts->hand, hand_fields, from) : NULL;
    from = from ? WRITE(&parts->player, player_fields, from) : NULL;
    if (!from || !are_finite(from, sizeof parts->push))
        return false;
    memcpy(&parts->push, from, sizeof parts->push);
    from += sizeof parts->push;
    return WRITE(&parts->vitals, vitals_fields, from) != NULL &&
           parts->player.mode < CRAFTY_MODE_COUNT && parts->player.slot < CRAFTY_SLOTS;
}

static void set_push(CnWorld *world, CnEntity player, CnVec3 push)
{
    bool is_pushed = push.x != 0 || push.y != 0 || push.z != 0;
    if (is_pushed)
        cn_set(world, player, CraftyPush, {.velocity = push});
    else if (cn_get(world, player, CraftyPush))
        cn_remove(world, player, CraftyPush);
}

bool crafty_own_state_write(CnWorld *world, CnEntity player, const uint8_t *bytes)
{
    const CraftyPlayer *own = cn_get(world, player, CraftyPlayer);
    const CnTransform *transform = cn_get(world, player, CnTransform);
    const CraftyMotion *motion = cn_get(world, player, CraftyMotion);
    const CraftyHand *hand = cn_get(world, player, CraftyHand);
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    if (!own || !transform || !motion || !hand || !vitals)
        return false;
    Parts parts = {.transform = *transform,
                   .motion = *motion,
                   .hand = *hand,
                   .player = *own,
                   .vitals = *vitals};
    if (!decode(&parts, bytes))
        return false;
    if (parts.player.mode != own->mode &&
        !crafty_player_set_mode(world, player, (CraftyPlayerMode)parts.player.mode))
        return false;
    set_push(world, player, parts.push);
    set_look(world, player, &parts.look);
    *cn_get_mut(world, player, CnTransform) = parts.transform;
    *cn_get_mut(world, player, CraftyMotion) = parts.motion;
    *cn_get_mut(world, player, CraftyHand) = parts.hand;
    *cn_get_mut(world, player, CraftyPlayer) = parts.player;
    *cn_get_mut(world, player, CraftyVitals) = parts.vitals;
    return true;
}
