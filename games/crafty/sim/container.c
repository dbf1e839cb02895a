#include "container.h"

#include "player.h"

#include <cairn/base/bytes.h>
#include <cairn/base/log.h>
#include <cairn/ecs/query.h>

#include <string.h>

#define SLOT_BYTES 4u /* u16 item, u16 count */

/* ---- Contents ---- */

static bool is_container(const CnBlockTable *blocks, CnBlock block)
{
    return strcmp(cn_block_info(blocks, block)->name, CRAFTY_CRATE) == 0;
}

/* Returns false if the data is not that of a container. */
static bool decode(const CnVoxels *voxels, const CnBlockData *data, CraftyContainer *container)
{
    if (strcmp(cn_block_data_kind_name(voxels, data->kind), CRAFTY_CRATE_KIND) != 0 ||
        data->size > CRAFTY_CONTAINER_SLOTS * SLOT_BYTES || data->size % SLOT_BYTES != 0)
        return false;
    for (uint32_t i = 0; i < data->size / SLOT_BYTES; i++) {
        const uint8_t *slot = data->bytes + (size_t)i * SLOT_BYTES;
        container->slots[i] = (CraftyStack){cn_load_u16(slot), cn_load_u16(slot + 2)};
    }
    return true;
}

bool crafty_container_read(CnVoxels *voxels, CnCell cell, CraftyContainer *container)
{
    CnBlockData data;
    if (!is_container(cn_voxels_blocks(voxels), cn_voxels_get(voxels, cell)))
        return false;
    *container = (CraftyContainer){0};
    return !cn_block_data_get(voxels, cell, &data) || decode(voxels, &data, container);
}

bool crafty_container_write(CnVoxels *voxels, CnCell cell, const CraftyContainer *container,
                            CnError *error)
{
    uint8_t bytes[CRAFTY_CONTAINER_SLOTS * SLOT_BYTES];
    CnBlockData data = {.bytes = bytes};
    for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++) {
        const uint16_t slot[2] = {container->slots[i].item, container->slots[i].count};
        memcpy(bytes + (size_t)i * SLOT_BYTES, slot, SLOT_BYTES);
        if (!crafty_stack_is_empty(container->slots[i]))
            data.size = (uint16_t)((i + 1) * SLOT_BYTES);
    }
    if (data.size == 0)
        return cn_block_data_remove(voxels, cell, error);
    return cn_block_data_kind(voxels, CRAFTY_CRATE_KIND, &data.kind, error) &&
           cn_block_data_set(voxels, cell, &data, error);
}

/* ---- Reach ---- */

static float distance_along(float at, int32_t cell)
{
    float low = (float)cell, high = low + 1;
    return at < low ? low - at : at > high ? at - high : 0;
}

bool crafty_container_is_near(CnVec3 eye, CnCell cell)
{
    float x = distance_along(eye.x, cell.x), y = distance_along(eye.y, cell.y),
          z = distance_along(eye.z, cell.z);
    return x * x + y * y + z * z <= CN_REACH * CN_REACH;
}

/* ---- Breaking ---- */

/* Transient resource. */
typedef struct CraftyContainerPlayers {
    CnQuery *players;
} CraftyContainerPlayers;
CN_OPAQUE(CraftyContainerPlayers);

/* Returns how many items stay. */
static uint32_t give_all(const CraftyItems *items, CraftyPlayer *player, CraftyContainer *container)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++) {
        if (player)
            crafty_player_give(items, player, &container->slots[i]);
        left += crafty_stack_is_empty(container->slots[i]) ? 0 : container->slots[i].count;
    }
    return left;
}

/* The container comes back with what its player cannot carry. */
static bool put_back(CnVoxels *voxels, const CnEdit *broken, const CraftyContainer *container)
{
    CnEdit edit = {.tick = broken->tick,
                   .kind = CN_EDIT_TICK,
                   .face = CN_EDIT_NO_FACE,
                   .cell = broken->cell,
                   .new_block = broken->old_block};
    return cn_voxels_edit(voxels, &edit, NULL) &&
           crafty_container_write(voxels, broken->cell, container, NULL);
}

static void on_removed(void *user, const CnEdit *edit, const CnBlockData *data)
{
    CnWorld *world = user;
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CraftyContainer container = {0};
    if (!is_container(cn_voxels_blocks(voxels), edit->old_block) ||
        !decode(voxels, data, &container))
        return;
    CnEntity entity =
        crafty_player_find(cn_resource(world, CraftyContainerPlayers)->players, edit->player);
    CraftyPlayer *player = entity.id ? cn_get_mut(world, entity, CraftyPlayer) : NULL;
    uint32_t left = give_all(cn_resource(world, CraftyItemList)->items, player, &container);
    if (left > 0 && !(player && put_back(voxels, edit, &container)))
        CN_LOG_WARNING("crafty", "%u items of the crate at %d, %d, %d are lost with it", left,
                       edit->cell.x, edit->cell.y, edit->cell.z);
}

bool crafty_containers_add(CnWorld *world, CnError *error)
{
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnBlockDataKind kind;
    const CnComponentDesc desc = {.type = &cn_type_CraftyContainerPlayers,
                                  .flags = CN_COMPONENT_TRANSIENT};
    CnQueryDesc query = {.all = {cn_reads(CnPlayerActions)}};
    if (!cn_block_data_kind(voxels, CRAFTY_CRATE_KIND, &kind, error) ||
        !cn_component_register(world, &desc, error).id)
        return false;
    CnQuery *players = cn_query_acquire(world, &query, error);
    if (!players)
        return false;
    if (!cn_resource_set(world, CraftyContainerPlayers, {.players = players})) {
        cn_query_release(players);
        return cn_error_memory(error, "the containers");
    }
    cn_block_data_listen(voxels, on_removed, world);
    return true;
}

void crafty_containers_remove(CnWorld *world)
{
    const CraftyContainerPlayers *own = cn_resource(world, CraftyContainerPlayers);
    cn_block_data_listen(cn_resource(world, CraftyBlocks)->voxels, NULL, NULL);
    if (own)
        cn_query_release(own->players);
}
