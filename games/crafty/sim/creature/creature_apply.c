/* What creatures did to others and to blocks, one after the other. Entities move meanwhile, so the
 * components of actors are found again. */
#include "creature_internal.h"

#include "blast.h"

#include "../drops.h"
#include "../motion.h"
#include "../vitals.h"

#define PLAYER_PUSH 6.0f
#define BREED_REST 18000u /* ticks */
#define LAY_AGAIN 60u     /* ticks, after there was no room for an egg */

static void send(CnWorld *world, const CraftyActor *actor, CraftyCreatureEventKind kind,
                 CnEntity other, float value)
{
    crafty_creature_event(world, kind, actor->entity, actor->kind->number, actor->position, other,
                          value);
}

static CnEdit edit_of(const CnWorld *world, CnCell cell, CnBlock block)
{
    return (CnEdit){.tick = cn_resource(world, CnTickInfo)->tick,
                    .player = CN_EDIT_NOBODY,
                    .kind = CN_EDIT_TICK,
                    .face = CN_EDIT_NO_FACE,
                    .cell = cell,
                    .new_block = block};
}

/* ---- Blocks ---- */

static void eat(CnWorld *world, const CraftyCreatureWork *work, const CraftyActor *actor)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnEdit edit = edit_of(world, actor->cell, work->dirt);
    if (cn_voxels_get(voxels, actor->cell) != work->grass || work->dirt == CN_BLOCK_NONE ||
        !cn_voxels_edit(voxels, &edit, NULL))
        return;
    CraftyCreature *creature = cn_get_mut(world, actor->entity, CraftyCreature);
    creature->sheared = false;
    send(world, actor, CRAFTY_CREATURE_ATE, (CnEntity){0}, 0);
}

static void turn_door(CnWorld *world, CnCell cell, bool opens)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    CnBlock block = cn_voxels_get(blocks->voxels, cell);
    const int32_t own[3] = {cell.x, cell.y, cell.z};
    int32_t other[3];
    if (!blocks->families || crafty_block_kind(blocks->families, block) != CRAFTY_KIND_DOOR ||
        crafty_block_is_open(blocks->families, block) == opens)
        return;
    CnEdit edit = edit_of(world, cell, crafty_block_toggled(blocks->families, block));
    if (!cn_voxels_edit(blocks->voxels, &edit, NULL) ||
        !crafty_block_other_cell(blocks->families, block, own, other))
        return;
    CnCell second = {other[0], other[1], other[2]};
    CnBlock half = cn_voxels_get(blocks->voxels, second);
    if (crafty_block_kind(blocks->families, half) != CRAFTY_KIND_DOOR)
        return;
    edit = edit_of(world, second, crafty_block_toggled(blocks->families, half));
    cn_voxels_edit(blocks->voxels, &edit, NULL);
}

/* ---- Others ---- */

static void attack(CnWorld *world, const CraftyActor *actor)
{
    const CnTransform *target = cn_get(world, actor->target, CnTransform);
    if (!target)
        return;
    CnVec3 way = cn_vec3_sub(target->position, actor->position);
    float length = cn_sqrtf(way.x * way.x + way.z * way.z);
    CnVec3 push = length > 0.01f
                      ? cn_vec3(way.x / length * PLAYER_PUSH, 4, way.z / length * PLAYER_PUSH)
                      : cn_vec3(0, 4, 0);
    send(world, actor, CRAFTY_CREATURE_ATTACKED, actor->target, actor->kind->damage);
    if (cn_get(world, actor->target, CraftyCreature)) {
        crafty_creature_hurt(world, actor->target, actor->kind->damage, push, actor->entity);
    } else if (crafty_vitals_hurt(world, actor->target, actor->kind->damage,
                                  CRAFTY_DAMAGE_CREATURE)) {
        crafty_player_push(world, actor->target, push);
    }
}

static void explode(CnWorld *world, const CraftyActor *actor)
{
    CnVec3 center = actor->position;
    center.y += actor->kind->height / 2;
    send(world, actor, CRAFTY_CREATURE_EXPLODED, actor->target, actor->kind->reach);
    cn_destroy(world, actor->entity);
    crafty_blast(world, &(CraftyBlast){.center = center,
                                       .radius = actor->kind->reach,
                                       .damage = actor->kind->damage,
                                       .by = actor->entity});
}

static void breed(CnWorld *world, const CraftyActor *actor)
{
    CraftyCreature *own = cn_get_mut(world, actor->entity, CraftyCreature);
    CraftyCreature *other = cn_get_mut(world, actor->target, CraftyCreature);
    if (!own || !other || !own->love || !other->love || other->kind != own->kind)
        return; /* the other one was first */
    uint32_t owner = own->owner == other->owner ? own->owner : 0;
    if (!crafty_creature_spawn(world, &(CraftyCreatureDesc){.kind = actor->kind->name,
                                                            .position = actor->position,
                                                            .is_young = true,
                                                            .owner = owner,
                                                            .parent = actor->entity})
             .id)
        return; /* without memory, they try again */
    own = cn_get_mut(world, actor->entity, CraftyCreature);
    other = cn_get_mut(world, actor->target, CraftyCreature);
    own->love = other->love = 0;
    own->rest = other->rest = BREED_REST;
    send(world, actor, CRAFTY_CREATURE_BRED, actor->target, 0);
}

/* ---- All ---- */

static void lay(CnWorld *world, const CraftyActor *actor)
{
    CraftyStack egg = {.item = actor->kind->egg, .count = 1};
    CnVec3 at = cn_vec3_add(actor->position, cn_vec3(0, 0.3f, 0));
    if (crafty_drop_spawn(world, at, cn_vec3(0, 1, 0), egg, CRAFTY_DROP_WAIT).id)
        send(world, actor, CRAFTY_CREATURE_LAID, (CnEntity){0}, 0);
    else
        cn_get_mut(world, actor->entity, CraftyMind)->egg_wait = LAY_AGAIN;
}

static void apply_to_blocks(CnWorld *world, const CraftyCreatureWork *work,
                            const CraftyActor *actor)
{
    if (actor->did & CRAFTY_DID_EAT)
        eat(world, work, actor);
    if (actor->did & CRAFTY_DID_OPEN)
        turn_door(world, actor->cell, true);
    else if (actor->did & CRAFTY_DID_CLOSE)
        turn_door(world, actor->cell, false);
    if (actor->did & CRAFTY_DID_LAY)
        lay(world, actor);
}

static void step(CnWorld *world, const CraftyActor *actor)
{
    CnVec3 at = actor->position;
    CnCell cell = crafty_cell_of(cn_vec3(at.x, at.y - 0.05f, at.z));
    CnChannel *channel = cn_channel(world, CraftyCreatureEvent);
    if (channel)
        cn_send_value(channel,
                      &(CraftyCreatureEvent){
                          .entity = actor->entity,
                          .kind = CRAFTY_CREATURE_STEPPED,
                          .creature = actor->kind->number,
                          .block = cn_voxels_get(cn_resource(world, CraftyBlocks)->voxels, cell),
                          .position = at});
}

static void apply_one(CnWorld *world, const CraftyCreatureWork *work, const CraftyActor *actor)
{
    static const struct {
        uint32_t did;
        CraftyCreatureEventKind kind;
    } events[] = {{CRAFTY_DID_VOICE, CRAFTY_CREATURE_VOICE},
                  {CRAFTY_DID_FUSE, CRAFTY_CREATURE_FUSED},
                  {CRAFTY_DID_GROW, CRAFTY_CREATURE_GREW_UP},
                  {CRAFTY_DID_SPLASH, CRAFTY_CREATURE_SPLASHED}};
    for (uint32_t i = 0; i < CN_COUNT_OF(events); i++)
        if (actor->did & events[i].did)
            send(world, actor, events[i].kind, (CnEntity){0}, actor->value);
    if (actor->did & CRAFTY_DID_STEP)
        step(world, actor);
    apply_to_blocks(world, work, actor);
    if (actor->did & CRAFTY_DID_BREED)
        breed(world, actor);
    if (actor->did & CRAFTY_DID_ATTACK)
        attack(world, actor);
    if (actor->did & CRAFTY_DID_SUFFER)
        crafty_creature_hurt(world, actor->entity, actor->value, cn_vec3(0, 0, 0), (CnEntity){0});
    if (actor->did & CRAFTY_DID_EXPLODE)
        explode(world, actor);
    else if (actor->did & CRAFTY_DID_VANISH)
        cn_destroy(world, actor->entity);
}

void crafty_creature_apply(CnWorld *world, CraftyCreatureWork *work)
{
    for (uint32_t i = 0; i < work->actor_count; i++) {
        const CraftyActor *actor = &work->actors[i];
        bool exists = actor->did && cn_get(world, actor->entity, CraftyCreature);
        if (exists) /* it was not blown up meanwhile */
            apply_one(world, work, actor);
    }
}
