/* Plans of villages, and who lives in them. */
#include "villager_internal.h"

#include "creature/creature.h"

#include <cairn/base/hash_map.h>

#define SETTLE_DISTANCE 80.0f /* blocks from the middle of a village */
#define UNKNOWN_KIND 200u     /* number of the kind in worlds whose creatures.json has none */

/* ---- Plans ---- */

static void sort_piece(CraftyVillagePlan *plan, const CnVillagePiece *piece)
{
    switch ((CnVillagePieceKind)piece->kind) {
    case CN_VILLAGE_HOUSE:
        plan->houses[plan->house_count++] = *piece;
        break;
    case CN_VILLAGE_FIELD:
        plan->fields[plan->field_count++] = *piece;
        break;
    case CN_VILLAGE_STALL:
        plan->stalls[plan->stall_count++] = *piece;
        break;
    case CN_VILLAGE_LAMP:
        plan->lamps[plan->lamp_count++] = *piece;
        break;
    case CN_VILLAGE_WELL:
        plan->well = *piece;
        plan->has_well = true;
        break;
    default:
        break;
    }
}

static void make_plan(const CraftyBlocks *blocks, CraftyVillagePlan *plan, int32_t x, int32_t z)
{
    CnVillagePiece pieces[CN_VILLAGE_MAX_PIECES];
    *plan = (CraftyVillagePlan){.region = {x, z}};
    plan->exists = cn_generate_village(blocks->terrain.generator, blocks->terrain.scratch, x, z,
                                       &plan->middle);
    uint32_t count = plan->exists
                         ? cn_generate_village_pieces(blocks->terrain.generator,
                                                      blocks->terrain.scratch, x, z, pieces)
                         : 0;
    for (uint32_t i = 0; i < count; i++)
        sort_piece(plan, &pieces[i]);
}

const CraftyVillagePlan *crafty_village_plan(CnWorld *world, CraftyVillagerWork *work,
                                             int32_t region_x, int32_t region_z, uint64_t tick)
{
    const CraftyBlocks *blocks = cn_resource(world, CraftyBlocks);
    CraftyVillagePlan *oldest = &work->plans[0];
    if (!blocks->terrain.generator)
        return NULL;
    for (uint32_t i = 0; i < CRAFTY_KEPT_PLANS; i++) {
        CraftyVillagePlan *plan = &work->plans[i];
        if (plan->used && plan->region[0] == region_x && plan->region[1] == region_z) {
            plan->used = tick + 1;
            return plan->exists ? plan : NULL;
        }
        if (plan->used < oldest->used)
            oldest = plan;
    }
    make_plan(blocks, oldest, region_x, region_z);
    oldest->used = tick + 1;
    return oldest->exists ? oldest : NULL;
}

/* ---- Places ---- */

/* Around the well, so that not all stand in one cell. */
static CnCell beside_well(const CraftyVillagePlan *plan, uint32_t number)
{
    static const int8_t ring[8][2] = {{0, -1}, {1, 0}, {0, 1},  {-1, 0},
                                      {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const int8_t *side = ring[number % 8];
    CnCell middle = {(plan->well.low.x + plan->well.high.x) / 2, plan->well.low.y + 1,
                     (plan->well.low.z + plan->well.high.z) / 2};
    if (!plan->has_well)
        return (CnCell){plan->middle.x + 2 * side[0], plan->middle.y + 1,
                        plan->middle.z + 2 * side[1]};
    return (CnCell){middle.x + 3 * side[0], middle.y, middle.z + 3 * side[1]};
}

/* At the rim of the field. */
static CnCell beside_field(const CnVillagePiece *field, uint32_t number)
{
    return (CnCell){number & 1 ? field->low.x : field->high.x, field->low.y + 1,
                    number & 2 ? field->low.z : field->high.z};
}

static CnCell work_place(const CraftyVillagePlan *plan, const CraftyVillager *villager,
                         const CnVillagePiece *house)
{
    switch ((CraftyProfession)villager->profession) {
    case CRAFTY_FARMER:
        if (plan->field_count > 0)
            return beside_field(&plan->fields[villager->house % plan->field_count],
                                villager->house / plan->field_count);
        break;
    case CRAFTY_BAKER:
        if (plan->stall_count > 0)
            return plan->stalls[villager->house % plan->stall_count].door;
        break;
    case CRAFTY_FISHER:
        return beside_well(plan, villager->house + 4u);
    default:
        break;
    }
    return house->work;
}

CnCell crafty_villager_place(const CraftyVillagePlan *plan, const CraftyVillager *villager,
                             CraftyVillagerActivity activity, uint32_t *near)
{
    const CnVillagePiece *house = &plan->houses[villager->house % plan->house_count];
    *near = 0;
    switch (activity) {
    case CRAFTY_VILLAGER_WORKS:
        *near = 1;
        return work_place(plan, villager, house);
    case CRAFTY_VILLAGER_MEETS:
        *near = 2;
        return beside_well(plan, villager->house);
    case CRAFTY_VILLAGER_LAMPS:
        *near = 2;
        if (plan->lamp_count > 0)
            return plan->lamps[villager->house % plan->lamp_count].door;
        return beside_well(plan, villager->house);
    default:
        return house->inside;
    }
}

/* ---- Settling ---- */

static uint64_t key_of(int32_t x, int32_t z)
{
    return (uint64_t)(uint32_t)x << 32 | (uint32_t)z;
}

static bool is_settled(const CraftyVillages *villages, uint64_t key)
{
    for (uint32_t i = 0; i < villages->count && i < CRAFTY_MAX_VILLAGES; i++)
        if (villages->regions[i] == key)
            return true;
    return villages->count >= CRAFTY_MAX_VILLAGES;
}

static uint16_t kind_number(const CnWorld *world)
{
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    const CraftyCreatureKind *kind =
        list && list->kinds ? crafty_creature_kind_find(list->kinds, CRAFTY_VILLAGER) : NULL;
    return kind ? kind->number : UNKNOWN_KIND;
}

static CnEntity spawn(CnWorld *world, const CraftyVillagePlan *plan, uint32_t house)
{
    uint32_t profession = house % CRAFTY_PROFESSION_COUNT;
    CnEntity entity = cn_object(world, "Villager");
    CnCell cell = plan->houses[house].inside;
    if (!entity.id ||
        !cn_set(world, entity, CraftyCreature,
                {.kind = kind_number(world), .health = 20, .seed = profession}) ||
        !cn_set(world, entity, CraftyVillager,
                {.region = {plan->region[0], plan->region[1]},
                 .house = (uint8_t)house,
                 .profession = (uint8_t)profession,
                 .activity = CRAFTY_VILLAGER_HOME})) {
        if (entity.id)
            cn_destroy(world, entity);
        return (CnEntity){0};
    }
    cn_get_mut(world, entity, CnTransform)->position =
        cn_vec3((float)cell.x + 0.5f, (float)cell.y, (float)cell.z + 0.5f);
    return entity;
}

static void settle(CnWorld *world, CraftyVillagerWork *work, int32_t x, int32_t z, CnVec3 player)
{
    CraftyVillages *villages = cn_resource_mut(world, CraftyVillages);
    const CnTickInfo *info = cn_resource(world, CnTickInfo);
    if (is_settled(villages, key_of(x, z)))
        return;
    const CraftyVillagePlan *plan = crafty_village_plan(world, work, x, z, info ? info->tick : 0);
    if (!plan)
        return;
    float dx = player.x - (float)plan->middle.x, dz = player.z - (float)plan->middle.z;
    if (dx * dx + dz * dz > SETTLE_DISTANCE * SETTLE_DISTANCE)
        return;
    CnEntity settlers[CN_VILLAGE_MAX_PIECES];
    uint32_t spawned = 0, room = CRAFTY_MAX_VILLAGERS - crafty_villager_count(world);
    for (; spawned < plan->house_count && spawned < room; spawned++) {
        settlers[spawned] = spawn(world, plan, spawned);
        if (settlers[spawned].id)
            continue;
        while (spawned > 0) /* all come later, when there is memory */
            cn_destroy(world, settlers[--spawned]);
        return;
    }
    villages = cn_resource_mut(world, CraftyVillages);
    villages->regions[villages->count++] = key_of(x, z);
    villages->spawned += spawned;
}

void crafty_villages_settle(CnWorld *world, CraftyVillagerWork *work, const CnVec3 *players,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!(cn_fabsf(players[i].x) < 8e6f && cn_fabsf(players[i].z) < 8e6f))
            continue;
        int32_t x0 = (int32_t)cn_floorf((players[i].x - SETTLE_DISTANCE) / CN_VILLAGE_REGION);
        int32_t x1 = (int32_t)cn_floorf((players[i].x + SETTLE_DISTANCE) / CN_VILLAGE_REGION);
        int32_t z0 = (int32_t)cn_floorf((players[i].z - SETTLE_DISTANCE) / CN_VILLAGE_REGION);
        int32_t z1 = (int32_t)cn_floorf((players[i].z + SETTLE_DISTANCE) / CN_VILLAGE_REGION);
        for (int32_t z = z0; z <= z1; z++)
            for (int32_t x = x0; x <= x1; x++)
                settle(world, work, x, z, players[i]);
    }
}
