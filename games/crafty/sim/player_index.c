#include "player_index.h"

#include "identity.h"
#include "player.h"
#include "player_grid.h"
#include "systems.h"

#include <cairn/base/array.h>
#include <cairn/base/log.h>

#include <string.h>

typedef CN_ARRAY(CnEntity) EntityArray;
typedef CN_ARRAY(uint32_t) NumberArray;
typedef CN_ARRAY(CnVec3) PlaceArray;

typedef struct Index {
    CnAllocator *allocator;
    CnQuery *players, *named;
    EntityArray by_number;
    NumberArray numbers; /* those whose entries are set */
    bool is_sorted;
    EntityArray lists[CRAFTY_LIST_COUNT];
    PlaceArray places[CRAFTY_LIST_COUNT];
    CraftyPlayerGrid *grid;
} Index;

/* Transient resource. */
typedef struct CraftyPlayerIndex {
    Index *index;
} CraftyPlayerIndex;
CN_OPAQUE(CraftyPlayerIndex);

static Index *index_of(const CnWorld *world)
{
    const CraftyPlayerIndex *resource = cn_resource(world, CraftyPlayerIndex);
    return resource ? resource->index : NULL;
}

/* ---- Numbers ---- */

static bool is_player(const CnWorld *world, CnEntity entity, uint32_t number)
{
    const CnPlayerActions *own = entity.id ? cn_get(world, entity, CnPlayerActions) : NULL;
    return own && own->player == number;
}

static bool set_entry(Index *index, uint32_t number, CnEntity entity)
{
    if (!number || number > CRAFTY_MAX_PLAYER_NUMBER)
        return true;
    uint32_t count = index->by_number.count;
    if (number >= count) {
        if (!cn_array_reserve(&index->by_number, number + 1))
            return false;
        memset(index->by_number.items + count, 0, (number + 1 - count) * sizeof(CnEntity));
        index->by_number.count = number + 1;
    }
    if (index->by_number.items[number].id)
        return true; /* the first one counts */
    if (!cn_array_push(&index->numbers, number))
        return false;
    index->by_number.items[number] = entity;
    return true;
}

void crafty_player_index_update(CnWorld *world)
{
    Index *index = index_of(world);
    if (!index)
        return;
    for (uint32_t i = 0; i < index->numbers.count; i++)
        index->by_number.items[index->numbers.items[i]] = (CnEntity){0};
    cn_array_clear(&index->numbers);
    index->is_sorted = false;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(index->players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            if (!set_entry(index, cn_column_const(&view, CnPlayerActions)[i].player,
                           view.entities[i]))
                return; /* those that are missing are found by looking at all */
}

static CnEntity search(const CnQuery *players, uint32_t number)
{
    CnChunkView view;
    CnEntity found = {0};
    for (CnQueryIter it = cn_query_iter(players); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && !found.id; i++)
            if (cn_column_const(&view, CnPlayerActions)[i].player == number)
                found = view.entities[i];
    return found;
}

CnEntity crafty_player_by_number(const CnWorld *world, uint32_t number)
{
    const Index *index = index_of(world);
    if (!number || !index)
        return (CnEntity){0};
    if (number < index->by_number.count && is_player(world, index->by_number.items[number], number))
        return index->by_number.items[number];
    return search(index->players, number);
}

CnEntity crafty_player_find(const CnQuery *players, uint32_t number)
{
    const CnWorld *world = cn_query_world(players);
    const Index *index = index_of(world);
    if (!number)
        return (CnEntity){0};
    if (index && number < index->by_number.count &&
        is_player(world, index->by_number.items[number], number) &&
        cn_query_matches(players, index->by_number.items[number]))
        return index->by_number.items[number];
    return search(players, number);
}

const uint32_t *crafty_player_numbers(const CnWorld *world, uint32_t *count)
{
    Index *index = index_of(world);
    *count = index ? index->numbers.count : 0;
    if (!index)
        return NULL;
    uint32_t at = 0;
    for (uint32_t i = 0; i < index->by_number.count && !index->is_sorted; i++)
        if (index->by_number.items[i].id)
            index->numbers.items[at++] = i;
    index->is_sorted = true;
    return index->numbers.items;
}

/* Reads "player12". */
static uint32_t default_number(CnText name)
{
    const size_t prefix = sizeof "player" - 1;
    uint32_t number = 0;
    if (name.size <= prefix || name.size > prefix + 5 ||
        !cn_text_equal((CnText){name.data, prefix}, cn_text("player")))
        return 0;
    for (size_t i = prefix; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9')
            return 0;
        number = number * 10 + (uint32_t)(name.data[i] - '0');
    }
    return number;
}

static bool has_name(const CnWorld *world, CnEntity player)
{
    const CraftyIdentity *identity = cn_get(world, player, CraftyIdentity);
    return identity && identity->name[0];
}

uint32_t crafty_player_named(const CnWorld *world, CnText name)
{
    const Index *index = index_of(world);
    uint32_t number = default_number(name);
    CnEntity player = number ? crafty_player_by_number(world, number) : (CnEntity){0};
    if (player.id && !has_name(world, player))
        return number;
    if (!index || !crafty_player_name_valid(name))
        return 0;
    uint64_t key = crafty_name_key(name);
    CnChunkView view;
    number = 0;
    for (CnQueryIter it = cn_query_iter(index->named); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && !number; i++)
            if (cn_column_const(&view, CraftyIdentity)[i].name_key == key)
                number = cn_column_const(&view, CnPlayerActions)[i].player;
    return number;
}

/* ---- Lists ---- */

const CnEntity *crafty_player_list_of(const CnWorld *world, const CnQuery *query,
                                      CraftyListPurpose purpose, uint32_t *count)
{
    Index *index = index_of(world);
    *count = 0;
    if (!index)
        return NULL;
    EntityArray *list = &index->lists[purpose];
    uint32_t needed = cn_query_count(query);
    cn_array_clear(list);
    if (!cn_array_reserve(list, needed)) {
        CN_LOG_ERROR("crafty", "players are left out in this tick: out of memory");
        needed = list->capacity;
    }
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && list->count < needed; i++)
            list->items[list->count++] = view.entities[i];
    *count = list->count;
    return list->items;
}

const CnEntity *crafty_player_list(const CnSystemContext *context, CraftyListPurpose purpose,
                                   uint32_t *count)
{
    return crafty_player_list_of(context->world, context->query, purpose, count);
}

const CnVec3 *crafty_player_places(const CnSystemContext *context, CraftyListPurpose purpose,
                                   uint32_t *count)
{
    Index *index = index_of(context->world);
    *count = 0;
    if (!index)
        return NULL;
    PlaceArray *places = &index->places[purpose];
    uint32_t needed = cn_query_count(context->query);
    cn_array_clear(places);
    if (!cn_array_reserve(places, needed)) {
        CN_LOG_ERROR("crafty", "players are left out in this tick: out of memory");
        needed = places->capacity;
    }
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && places->count < needed; i++)
            places->items[places->count++] = cn_column_const(&view, CnTransform)[i].position;
    *count = places->count;
    return places->items;
}

CraftyPlayerGrid *crafty_player_grid_of(const CnWorld *world)
{
    const Index *index = index_of(world);
    return index ? index->grid : NULL;
}

/* ---- Adding ---- */

static void destroy(void *user)
{
    Index *index = user;
    cn_query_release(index->players);
    cn_query_release(index->named);
    crafty_player_grid_destroy(index->grid);
    cn_array_fini(&index->by_number);
    cn_array_fini(&index->numbers);
    for (uint32_t i = 0; i < CRAFTY_LIST_COUNT; i++) {
        cn_array_fini(&index->lists[i]);
        cn_array_fini(&index->places[i]);
    }
    cn_free(index->allocator, index, sizeof *index);
}

static Index *create(CnWorld *world, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(world);
    Index *index = cn_alloc_zeroed(allocator, sizeof *index);
    if (!index) {
        cn_error_memory(error, "the index of players");
        return NULL;
    }
    index->allocator = allocator;
    cn_array_init(&index->by_number, allocator);
    cn_array_init(&index->numbers, allocator);
    for (uint32_t i = 0; i < CRAFTY_LIST_COUNT; i++) {
        cn_array_init(&index->lists[i], allocator);
        cn_array_init(&index->places[i], allocator);
    }
    index->players =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, error);
    index->named = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions), cn_reads(CraftyIdentity)}}, error);
    index->grid = crafty_player_grid_create(allocator);
    if (!index->grid)
        cn_error_memory(error, "the index of players");
    if (index->players && index->named && index->grid)
        return index;
    destroy(index);
    return NULL;
}

static void run_index(CnSystemContext *context)
{
    crafty_player_index_update(context->world);
}

bool crafty_player_index_add(CnWorld *world, CnError *error)
{
    CnComponentDesc component = {.type = &cn_type_CraftyPlayerIndex,
                                 .flags = CN_COMPONENT_TRANSIENT};
    CnSystemDesc system = {.name = "CraftyPlayerIndex",
                           .run = run_index,
                           .stage = CN_STAGE_INPUT,
                           .dispose = destroy,
                           .query = {.all = {cn_reads(CnPlayerActions)}},
                           .alone = true};
    if (!cn_component_register(world, &component, error).id)
        return false;
    if (index_of(world))
        return true;
    Index *index = create(world, error);
    if (!index)
        return false;
    system.user = index;
    if (!crafty_system_add(world, &system, error)) {
        destroy(index);
        return false;
    }
    return cn_resource_set(world, CraftyPlayerIndex, {.index = index}) ||
           cn_error_memory(error, "the index of players");
}
