#include "ecs/snapshot/snapshot_format.h"

/* ---- Components ---- */

bool cni_ecs_component_is_saved(const CnWorld *world, uint32_t id)
{
    const CnComponentInfo *info = &world->components.items[id].info;
    if (info->flags & CN_COMPONENT_TRANSIENT)
        return false;
    return !info->pair_kind.id ||
           (!(world->components.items[info->pair_kind.id].info.flags & CN_COMPONENT_TRANSIENT) &&
            cn_is_alive(world, info->pair_target));
}

/* ---- Values ---- */

/* Returns the number of bytes of a text that count, without its terminator. */
static uint32_t text_size(const char *text, uint32_t room)
{
    size_t size = strnlen(text, room);
    if (size == room)
        size--;
    if (CN_LIKELY(cn_text_is_utf8((CnText){text, size})))
        return (uint32_t)size;
    size_t good = 0, step = 1;
    while (step <= 4 && good + step <= size) {
        bool whole = cn_text_is_utf8((CnText){text + good, step});
        good += whole ? step : 0;
        step = whole ? 1 : step + 1;
    }
    return (uint32_t)good;
}

static void copy_text(uint8_t *to, const uint8_t *from, uint32_t room)
{
    uint32_t size = text_size((const char *)from, room);
    memcpy(to, from, size);
    memset(to + size, 0, room - size);
}

#define COPY_STEPS(bytes)                                                                          \
    for (uint32_t i = 0; i < count; i++)                                                           \
    memcpy(to + i * to_step, from + i * from_step, (bytes))

void cni_ecs_field_copy(CnFieldType type, uint32_t size, uint8_t *to, size_t to_step,
                        const uint8_t *from, size_t from_step, uint32_t count)
{
    if (type == CN_FIELD_TEXT) {
        for (uint32_t i = 0; i < count; i++)
            copy_text(to + i * to_step, from + i * from_step, size);
    } else if (type == CN_FIELD_BOOL) {
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < size; k++)
                to[i * to_step + k] = from[i * from_step + k] != 0;
    } else if (to_step == size && from_step == size) {
        memcpy(to, from, (size_t)size * count);
    } else if (size == 4) {
        COPY_STEPS(4);
    } else if (size == 8) {
        COPY_STEPS(8);
    } else if (size == 12) {
        COPY_STEPS(12);
    } else if (size == 16) {
        COPY_STEPS(16);
    } else {
        COPY_STEPS(size);
    }
}

uint32_t cni_ecs_field_alignment(CnFieldType type)
{
    switch (type) {
    case CN_FIELD_VEC2:
    case CN_FIELD_VEC3:
    case CN_FIELD_VEC4:
    case CN_FIELD_QUAT:
    case CN_FIELD_MAT4:
        return sizeof(float);
    default:
        return cn_field_type_size(type);
    }
}

bool cni_ecs_component_has_no_padding(const CniEcsComponent *component)
{
    for (uint32_t f = 0; f < component->info.field_count; f++)
        if (component->info.fields[f].type == CN_FIELD_TEXT)
            return false;
    return !component->has_padding;
}

/* ---- Groups of archetypes ---- */

bool cni_ecs_archetype_groups_merge(const CnWorld *world)
{
    for (uint32_t id = 1; id < world->components.count; id++) {
        const CniEcsComponent *component = &world->components.items[id];
        /* Tags that follow pairs do not distinguish archetypes. */
        if (component->archetypes.count && !component->is_any_tag &&
            !cni_ecs_component_is_saved(world, id))
            return true;
    }
    return false;
}

static bool same_saved(const CnWorld *world, const CniEcsArchetype *a, const CniEcsArchetype *b)
{
    for (uint32_t i = 0, k = 0;; i++, k++) {
        while (i < a->id_count && !cni_ecs_component_is_saved(world, a->ids[i]))
            i++;
        while (k < b->id_count && !cni_ecs_component_is_saved(world, b->ids[k]))
            k++;
        if (i == a->id_count || k == b->id_count)
            return i == a->id_count && k == b->id_count;
        if (a->ids[i] != b->ids[k])
            return false;
    }
}

/* Returns the n-th archetype that may belong to the group, in order of creation, or NULL. */
static const CniEcsArchetype *candidate(const CniEcsArchetypeGroup *group, uint32_t n)
{
    const CnWorld *world = group->world;
    if (!group->merges)
        return n == 0 ? group->leader : NULL;
    if (!group->anchor)
        return n < world->archetypes.count ? world->archetypes.items[n] : NULL;
    const CniEcsComponent *component = &world->components.items[group->anchor];
    return n < component->archetypes.count ? component->archetypes.items[n].archetype : NULL;
}

static bool is_member(const CniEcsArchetypeGroup *group, const CniEcsArchetype *archetype)
{
    return archetype == group->leader ||
           (group->merges && same_saved(group->world, group->leader, archetype));
}

CniEcsArchetypeGroup cni_ecs_archetype_group_of(const CnWorld *world,
                                                const CniEcsArchetype *archetype, bool merges)
{
    CniEcsArchetypeGroup group = {.world = world, .leader = archetype, .merges = merges};
    for (uint32_t i = 0; i < archetype->id_count; i++) {
        uint32_t id = archetype->ids[i];
        if (!cni_ecs_component_is_saved(world, id))
            continue;
        group.component_count++;
        if (!group.anchor || world->components.items[id].archetypes.count <
                                 world->components.items[group.anchor].archetypes.count)
            group.anchor = id;
    }
    const CniEcsArchetype *first = NULL, *first_with_rows = NULL, *member;
    for (uint32_t n = 0; (member = candidate(&group, n)); n++) {
        if (!is_member(&group, member))
            continue;
        first = first ? first : member;
        uint32_t rows = cni_ecs_archetype_rows(world, member);
        if (rows && !first_with_rows)
            first_with_rows = member;
        group.row_count += rows;
    }
    group.leader = first_with_rows && group.anchor ? first_with_rows : first;
    return group;
}

CniEcsArchetypeGroupIter cni_ecs_archetype_groups(const CnWorld *world)
{
    return (CniEcsArchetypeGroupIter){.world = world,
                                      .merges = cni_ecs_archetype_groups_merge(world)};
}

bool cni_ecs_archetype_group_next(CniEcsArchetypeGroupIter *iter, CniEcsArchetypeGroup *group)
{
    while (iter->next < iter->world->archetypes.count) {
        const CniEcsArchetype *archetype = iter->world->archetypes.items[iter->next++];
        *group = cni_ecs_archetype_group_of(iter->world, archetype, iter->merges);
        if (group->leader == archetype)
            return true;
    }
    return false;
}

CniEcsArchetypeGroupChunks cni_ecs_archetype_group_chunks(const CniEcsArchetypeGroup *group)
{
    return (CniEcsArchetypeGroupChunks){.group = group};
}

const CniEcsChunk *cni_ecs_archetype_group_chunk_next(CniEcsArchetypeGroupChunks *chunks)
{
    while (!chunks->archetype || chunks->chunk == chunks->archetype->head.chunk_count) {
        chunks->archetype = candidate(chunks->group, chunks->member);
        if (!chunks->archetype)
            return NULL;
        chunks->member++;
        chunks->chunk =
            is_member(chunks->group, chunks->archetype) ? 0 : chunks->archetype->head.chunk_count;
    }
    const CniEcsArchetypeHead *head = &chunks->archetype->head;
    return &chunks->group->world->chunks.items[head->chunk_ids[chunks->chunk++]];
}

/* ---- Slots ---- */

uint32_t cni_ecs_slots_generations(const CniEcsSlots *slots, uint32_t page, uint32_t *generations)
{
    uint32_t first = page * CNI_ECS_PAGE_SLOTS, count = 0;
    const CniEcsSlot *slot = cni_ecs_slots_at(slots, first);
    /* All absent pages share one placeholder. */
    if (slots->holes.count &&
        slot == cni_ecs_slots_at(slots, slots->holes.items[0] * CNI_ECS_PAGE_SLOTS))
        return 0;
    for (uint32_t i = 0; i < CNI_ECS_PAGE_SLOTS; i++) {
        bool fresh = first + i >= slots->fresh_next && first + i < slots->fresh_end;
        generations[count] = slot[i].generation;
        count += !fresh;
    }
    return count;
}

typedef struct Numbers {
    CniEcsSlotNumbersFn visit;
    void *user;
    uint32_t count;
    uint32_t items[256];
} Numbers;

static void numbers_end(Numbers *numbers)
{
    if (numbers->count)
        numbers->visit(numbers->items, numbers->count, numbers->user);
    numbers->count = 0;
}

static void add_number(Numbers *numbers, uint32_t number)
{
    if (numbers->count == CN_COUNT_OF(numbers->items))
        numbers_end(numbers);
    numbers->items[numbers->count++] = number;
}

/* Adds the indices that pending spawns have taken off the free stack. The indices of the most
 * recent ones may still be in place: stripes on the stack, and pages that do not exist yet. */
static void add_spawned(const CnCommands *commands, Numbers *numbers)
{
    const CniEcsCommandBatch *batch = &commands->batches[commands->active];
    uint64_t unsettled = (uint64_t)commands->stripes_taken * CNI_ECS_STRIPE -
                         commands->stripe_left +
                         (uint64_t)commands->pages_taken.count * CNI_ECS_PAGE_SLOTS -
                         (commands->page_end - commands->page_next) - commands->rest.count;
    uint32_t left = batch->spawned > unsettled ? batch->spawned - (uint32_t)unsettled : 0;
    for (const CniEcsCommandBlock *block = batch->first; block && left; block = block->next)
        for (size_t at = 0; at < block->used && left;) {
            const CniEcsCommandRecord *record =
                (const CniEcsCommandRecord *)(const void *)(block->bytes + at);
            at += sizeof *record + record->item_bytes;
            if (!(record->flags & CNI_ECS_RECORD_SPAWN))
                continue;
            const CniEcsSpawnRecord *spawns = (const CniEcsSpawnRecord *)(const void *)record;
            for (uint32_t i = 0; i < spawns->row_count && left; i++, left--)
                add_number(numbers, cn_entity_index(*cni_ecs_spawn_row(spawns, i)));
        }
}

void cni_ecs_slots_each_free(const CnWorld *world, CniEcsSlotNumbersFn visit, void *user)
{
    const CniEcsSlots *slots = &world->slots;
    Numbers numbers = {.visit = visit, .user = user, .count = 0};
    for (uint32_t i = 0; i < world->commands.count; i++) {
        const CnCommands *commands = world->commands.items[i];
        add_spawned(commands, &numbers);
        for (uint32_t n = commands->owned.count; n-- > 0;)
            add_number(&numbers, commands->owned.items[n]);
    }
    for (uint32_t n = slots->free.count; n-- > 0;)
        add_number(&numbers, slots->free.items[n]);
    for (uint32_t lost = slots->first_lost; lost;
         lost = cni_ecs_slots_at(slots, lost - 1)->location)
        add_number(&numbers, lost - 1);
    numbers_end(&numbers);
}
