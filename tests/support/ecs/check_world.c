#include "check_world.h"

#include "check_world_parts.h"

#include <stdlib.h>

static char problem[512];

bool report_problem(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(problem, sizeof problem, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- Numbers of entities ---- */

/* What a dead slot's number is kept for. */
enum SlotOwner { NOBODY, ALIVE, FREE, LOST, FRESH, OWNED, PENDING, RETIRED };

static const char *const owner_names[] = {"nobody", "alive",    "free",    "lost",
                                          "fresh",  "a buffer", "a spawn", "retired"};

static bool claim(uint8_t *owners, const CniEcsSlots *slots, uint32_t index, enum SlotOwner owner)
{
    REQUIRE(index / CNI_ECS_PAGE_SLOTS < slots->head->page_count, "number %u (%s) has no page",
            index, owner_names[owner]);
    REQUIRE(owners[index] == NOBODY, "number %u belongs to %s and to %s", index,
            owner_names[owners[index]], owner_names[owner]);
    REQUIRE((cni_ecs_slots_at(slots, index)->generation & 1u) == (owner == ALIVE),
            "number %u belongs to %s and its slot says otherwise", index, owner_names[owner]);
    owners[index] = (uint8_t)owner;
    return true;
}

static bool is_hole(const CniEcsSlots *slots, uint32_t page)
{
    for (uint32_t i = 0; i < slots->holes.count; i++)
        if (slots->holes.items[i] == page)
            return true;
    return false;
}

static bool claim_living(uint8_t *owners, const CnWorld *world)
{
    const CniEcsSlots *slots = &world->slots;
    uint32_t alive = 0, retired = 0;
    for (uint32_t page = 0; page < slots->head->page_count; page++) {
        bool hole = is_hole(slots, page);
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS; i++) {
            uint32_t index = page * CNI_ECS_PAGE_SLOTS + i;
            const CniEcsSlot *slot = cni_ecs_slots_at(slots, index);
            if (hole) {
                REQUIRE(slot->generation == 0, "slot %u lies in a hole and was used", index);
                continue;
            }
            if (slot->generation == 0 && slots->first_generation > 1) {
                retired++;
                if (!claim(owners, slots, index, RETIRED))
                    return false;
            }
            if (!(slot->generation & 1u))
                continue;
            alive++;
            if (!claim(owners, slots, index, ALIVE))
                return false;
            CniEcsRowRef place = cni_ecs_row_ref(slot->location);
            REQUIRE(place.chunk < world->chunks.count, "slot %u points to chunk %u of %u", index,
                    place.chunk, world->chunks.count);
            const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
            REQUIRE(chunk->data && place.row < chunk->count, "slot %u points to row %u of %u",
                    index, place.row, chunk->count);
            CnEntity there = cni_ecs_chunk_entities(chunk)[place.row];
            REQUIRE(there.id == cn_entity_make(index, slot->generation).id,
                    "the row of entity %u:%u belongs to %u:%u", index, slot->generation,
                    cn_entity_index(there), cn_entity_generation(there));
        }
    }
    REQUIRE(alive == slots->alive, "%u entities are counted, %u are alive", slots->alive, alive);
    REQUIRE(slots->first_generation == 1 || retired == slots->retired,
            "%u slots are counted as retired, %u are", slots->retired, retired);
    return true;
}

static bool claim_spawned(uint8_t *owners, const CnWorld *world, const CniEcsSpawnRecord *spawns)
{
    for (uint32_t i = 0; i < spawns->row_count; i++)
        if (!claim(owners, &world->slots, cn_entity_index(*cni_ecs_spawn_row(spawns, i)), PENDING))
            return false;
    return true;
}

static bool claim_pending(uint8_t *owners, const CnWorld *world, const CniEcsCommandBatch *batch)
{
    for (const CniEcsCommandBlock *block = batch->first; block && batch->spawned;
         block = block->next) {
        for (size_t at = 0; at < block->used;) {
            const CniEcsCommandRecord *record =
                (const CniEcsCommandRecord *)(const void *)(block->bytes + at);
            if ((record->flags & CNI_ECS_RECORD_SPAWN) &&
                !claim_spawned(owners, world, (const CniEcsSpawnRecord *)(const void *)record))
                return false;
            at += sizeof *record + record->item_bytes;
        }
        if (block == batch->current)
            break;
    }
    return true;
}

/* Between the first reservation and the next settling, taken numbers still lie on the stack. */
static bool claim_reserved(uint8_t *owners, const CnWorld *world)
{
    const CniEcsSlots *slots = &world->slots;
    for (uint32_t b = 0; b < world->commands.count; b++) {
        const CnCommands *commands = world->commands.items[b];
        for (uint32_t i = 0; i < commands->owned.count; i++)
            if (!claim(owners, slots, commands->owned.items[i], OWNED))
                return false;
        if (!slots->reserved && !claim_pending(owners, world, &commands->batches[commands->active]))
            return false;
    }
    return true;
}

static bool claim_free(uint8_t *owners, const CniEcsSlots *slots)
{
    for (uint32_t i = 0; i < slots->free.count; i++)
        if (!claim(owners, slots, slots->free.items[i], FREE))
            return false;
    for (uint32_t next = slots->first_lost; next;
         next = cni_ecs_slots_at(slots, next - 1)->location)
        if (!claim(owners, slots, next - 1, LOST))
            return false;
    for (uint32_t index = slots->fresh_next; index < slots->fresh_end; index++)
        if (!claim(owners, slots, index, FRESH))
            return false;
    return true;
}

static bool check_owners(uint8_t *owners, const CnWorld *world)
{
    const CniEcsSlots *slots = &world->slots;
    if (!claim_living(owners, world) || !claim_free(owners, slots) ||
        !claim_reserved(owners, world))
        return false;
    if (slots->reserved)
        return true;
    for (uint32_t page = 0; page < slots->head->page_count; page++)
        for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS && !is_hole(slots, page); i++)
            REQUIRE(owners[page * CNI_ECS_PAGE_SLOTS + i] != NOBODY, "number %u is lost",
                    page * CNI_ECS_PAGE_SLOTS + i);
    return true;
}

bool check_slots(const CnWorld *world)
{
    size_t count = (size_t)world->slots.head->page_count * CNI_ECS_PAGE_SLOTS;
    uint8_t *owners = calloc(count ? count : 1, 1);
    REQUIRE(owners, "no memory for the check");
    bool sound = check_owners(owners, world);
    free(owners);
    return sound;
}

/* ---- The tree ---- */

static const CnNode *node_of(const CnWorld *world, CnEntity entity)
{
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    if (!slot)
        return NULL;
    CniEcsRowRef place = cni_ecs_row_ref(slot->location);
    const CniEcsChunk *chunk = &world->chunks.items[place.chunk];
    const CniEcsColumn *column =
        cni_ecs_archetype_column(cni_ecs_chunk_archetype(chunk), world->node);
    return column ? (const CnNode *)(const void *)cni_ecs_column_values(chunk, column) + place.row
                  : NULL;
}

static bool check_children(const CnWorld *world, CnEntity entity, const CnNode *node,
                           uint32_t *children)
{
    CnEntity previous = {0};
    uint32_t count = 0;
    for (CnEntity child = node->first_child; child.id; count++) {
        const CnNode *below = node_of(world, child);
        REQUIRE(below, "a child of entity %u is dead or has no node", cn_entity_index(entity));
        REQUIRE(below->parent.id == entity.id, "a child of entity %u has another parent",
                cn_entity_index(entity));
        REQUIRE(below->previous.id == previous.id, "the children of entity %u are linked wrongly",
                cn_entity_index(entity));
        REQUIRE(below->depth == node->depth + 1, "a child of depth %u has depth %u", node->depth,
                below->depth);
        REQUIRE(count < node->child_count, "entity %u has more children than it counts",
                cn_entity_index(entity));
        previous = child;
        child = below->next;
    }
    REQUIRE(count == node->child_count, "entity %u counts %u children and has %u",
            cn_entity_index(entity), node->child_count, count);
    REQUIRE(node->last_child.id == previous.id, "the last child of entity %u is wrong",
            cn_entity_index(entity));
    *children += count;
    return true;
}

bool check_tree(const CnWorld *world)
{
    if (!world->node)
        return true;
    uint32_t children = 0, with_parent = 0;
    const CniEcsComponent *component = &world->components.items[world->node];
    for (uint32_t a = 0; a < component->archetypes.count; a++) {
        const CniEcsArchetypeHead *head = &component->archetypes.items[a].archetype->head;
        for (uint32_t c = 0; c < head->chunk_count; c++) {
            const CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[c]];
            for (uint32_t row = 0; row < chunk->count; row++) {
                CnEntity entity = cni_ecs_chunk_entities(chunk)[row];
                const CnNode *node = node_of(world, entity);
                with_parent += node->parent.id != 0;
                REQUIRE(node->parent.id || node->depth == 0, "a root has depth %u", node->depth);
                REQUIRE(!node->parent.id || node_of(world, node->parent),
                        "the parent of entity %u is dead or has no node", cn_entity_index(entity));
                if (!check_children(world, entity, node, &children))
                    return false;
            }
        }
    }
    REQUIRE(children == with_parent, "%u children have a parent, parents have %u children",
            with_parent, children);
    return true;
}

/* ---- Commands ---- */

bool check_commands(const CnWorld *world)
{
    REQUIRE(world->hook_depth == 0 && !world->flushing && !world->updating,
            "the world is in the middle of something");
    for (uint32_t i = 0; i < world->pending.count; i++)
        REQUIRE(!world->pending.items[i], "entity %u still has a record of the last flush", i);
    for (uint32_t i = 0; i < world->commands.count; i++) {
        const CnCommands *commands = world->commands.items[i];
        REQUIRE(commands->world == world && commands->order == i, "buffer %u has order %u", i,
                commands->order);
        REQUIRE(commands->rank <= world->spawning_buffers, "buffer %u has rank %u of %u", i,
                commands->rank, world->spawning_buffers);
        for (uint32_t j = 0; j < i; j++)
            REQUIRE(!commands->rank || world->commands.items[j]->rank != commands->rank,
                    "buffers %u and %u share rank %u", j, i, commands->rank);
        const CniEcsCommandBatch *idle = &commands->batches[commands->active ^ 1u];
        REQUIRE(!idle->count, "buffer %u holds applied commands", i);
    }
    return true;
}

const char *check_world(const CnWorld *world)
{
    bool sound = check_commands(world) && check_components(world) && check_archetypes(world) &&
                 check_edges(world) && check_chunks(world) && check_slots(world) &&
                 check_pairs(world) && check_queries(world) && check_tree(world);
    return sound ? NULL : problem;
}
